//go:build postgres

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
)

// contestServer is a server with a token of an admin.
type contestServer struct {
	*httpSite

	base, secret string
}

func newContestServer(t *testing.T) contestServer {
	t.Helper()
	s := newHTTPSite(t)
	base, _ := s.serve()
	_, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	return contestServer{s, base, secret}
}

func (s contestServer) upload(name string, change map[string]string) {
	s.t.Helper()
	s.call(s.secret, http.MethodPost, s.base+"/problems?publish=now&reason=new&name="+name, zipType, skeletonZip(s.t, "sum", change), 201, nil)
}

func (s contestServer) json(method, path, body string, want int) {
	s.t.Helper()
	s.call(s.secret, method, s.base+path, "application/json", strings.NewReader(body), want, nil)
}

func (s contestServer) export(contest string) []byte {
	s.t.Helper()
	return s.call(s.secret, http.MethodGet, s.base+"/contests/"+contest+"/export", "", nil, 200, nil)
}

// imports imports a contest, and returns what was made, or why it was refused.
func (s contestServer) imports(query string, file []byte, want int) (out api.ContestImported, refused api.Error) {
	s.t.Helper()
	data := s.call(s.secret, http.MethodPost, s.base+"/contests/import?"+query, zipType, bytes.NewReader(file), want, nil)
	if err := errors.Join(json.Unmarshal(data, &out), json.Unmarshal(data, &refused)); err != nil {
		s.t.Fatal(err)
	}
	return out, refused
}

// filesOf are the files of a zip.
func filesOf(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(text)
	}
	return out
}

// zipOf is a zip of files.
func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// spring makes a contest that has a value in every field, with a problem whose time
// limit and languages were set.
func (s contestServer) spring() {
	s.t.Helper()
	s.upload("sum", nil)
	s.upload("other", map[string]string{"data/secret/02.in": "1 1\n", "data/secret/02.ans": "2\n"})
	s.json(http.MethodPatch, "/problems/other/versions/1", `{"settings":{"time_limit_s":1.5,"languages":["python3"],"feedback":"verdict"},"reason":"r"}`, 200)
	s.json(http.MethodPatch, "/problems/other", `{"enabled":false}`, 200)
	s.json(http.MethodPost, "/contests", `{"name":"spring","title":"Spring","kind":"ioi","duration_s":18000.5,"freeze_s":3600,"penalty_s":600,"penalty_verdicts":[],
		"subtask_best":true,"practice":true,"public_board":true,"open":true,"feedback":"cases","hold_results":true,"languages":["python3"],"max_submissions":5,"per_minute":2,
		"problems":[{"label":"A","problem":"sum","color":"red","rgb":"#ff0000"},{"label":"B","problem":"other","languages":["cpp"],"max_submissions":3,"points":50}]}`, 201)
	s.json(http.MethodPut, "/contests/spring/contestants", `{"contestants":[{"id":"red","name":"Red Pandas","affiliation":"X","country":"DEU","groups":["g","h"],
		"start":"2026-03-01T09:00:00Z","extra_s":60},{"id":"ghost","hidden":true},{"id":"out","disqualified":true}]}`, 200)
	for _, action := range []string{"start", "pause", "resume"} {
		s.json(http.MethodPost, "/contests/spring/"+action, "{}", 200)
	}
}

// TestContestFile takes a contest from one server to another: what that exports is
// the same file, but for the contest's state, created_at and revision.
func TestContestFile(t *testing.T) {
	from, to := newContestServer(t), newContestServer(t)
	from.spring()
	defer from.contestFileCommands()
	file := from.export("spring")
	if again := from.export("spring"); !bytes.Equal(file, again) {
		t.Error("exported twice, the files differ")
	}
	if would, _ := to.imports("dry_run=true", file, 200); !would.DryRun || len(would.Problems) != 2 || !would.Problems[1].New || would.Contest.Contestants != 3 {
		t.Errorf("%+v", would)
	}
	to.json(http.MethodGet, "/contests/spring", "", 404)
	to.json(http.MethodGet, "/problems/sum", "", 404)
	made, _ := to.imports("reason=mirror", file, 201)
	if p := made.Problems; made.DryRun || len(p) != 2 || !p[0].New || value(p[0].Number) != 1 || p[1].Label != "B" || made.Contest.Contestants != 3 {
		t.Errorf("%+v", made)
	}
	var p api.Problem
	to.call(to.secret, http.MethodGet, to.base+"/problems/other", "", nil, 200, &p)
	if p.Enabled || p.Limits.Time != 1.5 || !slices.Equal(p.Languages, []string{"python3"}) || value(p.Feedback) != "verdict" {
		t.Errorf("%+v", p)
	}
	var v api.Verification
	to.call(to.secret, http.MethodGet, to.base+"/problems/sum/versions/1/verification", "", nil, 200, &v)
	if v.State != "queued" || v.Publish {
		t.Errorf("%+v", v)
	}
	to.actions("spring", "contest.import")
	to.actions("sum", "problem.upload")

	had, has := filesOf(t, file), filesOf(t, to.export("spring"))
	if !slices.Equal(slices.Sorted(maps.Keys(has)), []string{"contest.json", "problems/other.zip", "problems/sum.zip"}) {
		t.Errorf("%v", slices.Sorted(maps.Keys(has)))
	}
	for _, name := range []string{"problems/sum.zip", "problems/other.zip"} {
		if had[name] != has[name] {
			t.Errorf("%s is other than before", name)
		}
	}
	var before, after api.ContestFile
	if err := errors.Join(json.Unmarshal([]byte(had["contest.json"]), &before), json.Unmarshal([]byte(has["contest.json"]), &after)); err != nil {
		t.Fatal(err)
	}
	before.Contest.CreatedAt, before.Contest.Revision, before.Contest.State = after.Contest.CreatedAt, after.Contest.Revision, after.Contest.State
	if x, y := mustJSON(t, before), mustJSON(t, after); x != y {
		t.Errorf("%s\nbecame\n%s", x, y)
	}
	// On the server that it is from, its problems are the same ones, though a time limit
	// that was set there has made another package.
	twin, _ := from.imports("name=twin", file, 201)
	for _, p := range twin.Problems {
		if p.New || value(p.Number) != 1 {
			t.Errorf("%+v", p)
		}
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestContestFileRefused: a file that is refused leaves neither contest nor problems.
func TestContestFileRefused(t *testing.T) {
	s := newContestServer(t)
	s.spring()
	file := s.export("spring")
	files := filesOf(t, file)
	changed := func(name, data string) []byte {
		all := maps.Clone(files)
		all[name] = data
		return zipOf(t, all)
	}
	s.imports("", file, 409)
	s.upload("other", map[string]string{"data/secret/03.in": "2 2\n", "data/secret/03.ans": "4\n"}) // another one from now on
	if _, e := s.imports("name=twin", file, 409); len(e.Errors) != 1 || e.Errors[0].Field != "problems/other.zip" {
		t.Errorf("%+v", e)
	}
	inner := filesOf(t, []byte(files["problems/other.zip"]))
	inner["../../etc/passwd"] = "x"
	slow := filesOf(t, []byte(files["problems/other.zip"]))
	slow["problem.yaml"] = strings.Replace(slow["problem.yaml"], "time_limit: 1.5", "time_limit: 500", 1)
	for name, tt := range map[string]struct {
		file  []byte
		query string
		want  string // in a field
	}{
		"no zip":            {file: []byte("no zip"), want: ""},
		"half":              {file: file[:len(file)/2], want: ""},
		"escapes":           {file: changed("../x", ""), want: "../x"},
		"escapes below":     {file: changed("problems/other.zip", string(zipOf(t, inner))), want: "problems/other.zip/../../etc/passwd"},
		"no package":        {file: changed("problems/other.zip", "no zip"), want: "problems/other.zip"},
		"too slow":          {file: changed("problems/other.zip", string(zipOf(t, slow))), query: "rename=x-", want: "problems/other.zip"},
		"a bomb":            {file: changed("sources.zip", strings.Repeat("\x00", 65<<20)), want: ""},
		"prefix is no name": {file: file, query: "rename=X-", want: "problems/other.zip"},
	} {
		_, e := s.imports("name=twin&"+tt.query, tt.file, 422)
		if len(e.Errors) == 0 || e.Errors[0].Field != tt.want {
			t.Errorf("%s: %+v", name, e)
		}
	}
	for _, path := range []string{"/contests/twin", "/problems/x-other"} {
		s.json(http.MethodGet, path, "", 404)
	}
	eventually(t, "the folder of uploads is empty", func() bool {
		left, err := os.ReadDir(s.uploads())
		return err == nil && len(left) == 0
	})
	made, _ := s.imports("name=twin&rename=x-", file, 201)
	if p := made.Problems; p[0].New || p[0].Problem != "sum" || !p[1].New || p[1].Problem != "x-other" || p[1].Was != "other" {
		t.Errorf("%+v", p)
	}
	again, _ := s.imports("name=third&rename=x-", file, 201)
	if p := again.Problems; p[0].New || p[1].New || p[1].Problem != "x-other" {
		t.Errorf("%+v", p)
	}
	s.json(http.MethodPatch, "/problems/sum/versions/1", `{"state":"retired"}`, 200)
	s.call(s.secret, http.MethodGet, s.base+"/contests/spring/export", "", nil, 409, nil)
}

// contestFileCommands exports spring with submissions, and imports it, by the command
// line.
func (s contestServer) contestFileCommands() {
	t := s.t
	s.json(http.MethodPost, "/submissions", `{"problem":"A","contest":"spring","submitter":{"id":"ada","team":"out"},"files":[{"name":"a.py","data":"print(1)\n"}]}`, 201)
	t.Setenv("JUDGE_URL", strings.TrimSuffix(s.base, apiPath))
	t.Setenv("JUDGE_TOKEN", s.secret)
	path := filepath.Join(t.TempDir(), "spring.zip")
	run := func(code int, words string, args ...string) ran {
		t.Helper()
		got := judgeIn(t, "", "", append([]string{"contest"}, args...)...)
		if got.code != code {
			t.Fatalf("judge contest %v: exit code %d: %s", args, got.code, got.err)
		}
		for word := range strings.FieldsSeq(words) {
			if !strings.Contains(got.out+got.err, word) {
				t.Errorf("judge contest %v: no %q in %s%s", args, word, got.out, got.err)
			}
		}
		return got
	}
	var said struct {
		Contest, File string
		Size          int64 `json:"size_bytes"`
	}
	got := run(0, "", "export", "spring", "-o", path, "--submissions", "--json")
	info, err := os.Stat(path)
	if err := errors.Join(err, json.Unmarshal([]byte(got.out), &said)); err != nil || said.Size != info.Size() || said.File != path {
		t.Errorf("%+v, %v", said, err)
	}
	run(exitInput, "there already", "export", "spring", "-o", path)
	run(exitInput, "none", "export", "none", "-o", path+"2")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := filesOf(t, data)
	if sources := filesOf(t, []byte(files["sources.zip"])); len(sources) != 2 || !strings.Contains(sources["info.csv"], "A-sum/python3/out__") {
		t.Errorf("%v", sources)
	}
	if !strings.Contains(files["submissions.json"], `"submitter":{"id":"ada"`) {
		t.Error(files["submissions.json"])
	}
	run(exitInput, "spring already another name", "import", path)
	run(0, "sources.zip aside A sum there already second would nothing", "import", path, "--name", "second", "--dry-run")
	run(exitInput, "second", "show", "second")
	run(0, "second 3 contestants, is made", "import", path, "--name", "second")
	var out api.ContestImported
	if err := json.Unmarshal([]byte(run(0, "", "import", path, "--name", "third", "--json").out), &out); err != nil || out.Contest.Name != "third" || len(out.Left) != 2 {
		t.Errorf("%+v, %v", out, err)
	}
	run(exitInput, "", "import", path+"none")
}
