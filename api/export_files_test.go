package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
)

func TestExportSubmissions(t *testing.T) {
	s := newServer(t, newFake(), nil)
	w := ask(s, "admin", "GET", v1+"/submissions/export?format=csv", "")
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != subID || rows[1][2] != mine || rows[1][11] != "WA" {
		t.Errorf("%v, %v", rows, err)
	}
	for _, path := range []string{"/submissions/export", "/contests/cup/submissions.json", "/submissions/export?verdict=AC"} {
		var list api.List[api.Submission]
		w := ask(s, "admin", "GET", v1+path, "")
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || (len(list.Items) == 1) == strings.Contains(path, "AC") {
			t.Errorf("%s: %+v, %v", path, list, err)
		}
	}
}

func TestExportSources(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for which, want := range map[string][]string{
		"best": {"A-mine/python3/ada/a.py", "A-mine/python3/ada/b.py", "info.csv"},
		"all":  {"A-mine/python3/ada__20260301T120405_" + subID + "/a.py", "A-mine/python3/ada__20260301T120405_" + subID + "/b.py", "info.csv"},
	} {
		w := ask(s, "admin", "GET", v1+"/contests/cup/sources.zip?which="+which, "")
		z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range z.File {
			names = append(names, f.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", which, names, want)
		}
		f, err := z.Open(want[0])
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(f); string(b) != "print(1)\n" || err != nil {
			t.Errorf("%q, %v", b, err)
		}
	}
}

// A broken export is not taken for a whole one.
func TestExportFails(t *testing.T) {
	f := newFake()
	s := newServer(t, failingPages{f}, nil)
	defer func() {
		if recover() == nil {
			t.Error("the answer ends as if it were whole")
		}
	}()
	ask(s, "admin", "GET", v1+"/submissions/export", "")
}

func TestSafeNames(t *testing.T) {
	names := api.SafeNames()
	seen := map[string]string{}
	for _, text := range []string{"ada", "Ada", "a/b", "a_b", "..", "", "../../etc/passwd", "-rf", "=1+1", "Ünicode", strings.Repeat("x", 300), strings.Repeat("x", 301), ".hidden", "con\x00"} {
		name := names(text)
		if before, twice := seen[strings.ToLower(name)]; twice {
			t.Errorf("%q and %q are both %q", text, before, name)
		}
		seen[strings.ToLower(name)] = text
		if name == "" || len(name) > 100 || strings.ContainsAny(name, "/\\\x00 ") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || names(text) != name {
			t.Errorf("%q becomes %q", text, name)
		}
	}
}

type failingPages struct{ *fakeRecords }

func (f failingPages) Submissions(context.Context, judge.SubmissionFilter, string, int) (judge.Page, error) {
	return judge.Page{}, io.ErrUnexpectedEOF
}
