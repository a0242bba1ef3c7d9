//go:build postgres

package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"judge/api"
	"judge/judge"
	"judge/judge/store"
	"judge/problems"
)

// skeletonZip is the skeleton of a package, with some files in place of its own.
func skeletonZip(t *testing.T, name string, change map[string]string) *bytes.Reader {
	t.Helper()
	files, err := problems.Skeleton(name)
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range change {
		files = slices.DeleteFunc(files, func(f judge.File) bool { return f.Name == file })
		files = append(files, judge.File{Name: file, Data: []byte(data)})
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

const zipType = "application/zip"

// TestProblemVersions follows a problem over HTTP: from skeleton to upload, new
// versions, settings, and what is left as it was.
func TestProblemVersions(t *testing.T) {
	s := newHTTPSite(t)
	base, _ := s.serve()
	admin, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	upload := func(query string, body io.Reader, want int) (v api.UploadedVersion) {
		t.Helper()
		s.call(secret, http.MethodPost, base+"/problems?name=sum"+query, zipType, body, want, &v)
		return v
	}
	skeleton := s.call(secret, http.MethodGet, base+"/problem-skeleton?name=sum", "", nil, 200, nil)
	first := upload("&publish=now&reason=new", bytes.NewReader(skeleton), 201)
	if first.Number != 1 || first.State != "published" || first.Settings.Feedback != "cases" || value(first.CreatedBy) != admin.ID {
		t.Fatalf("%+v", first)
	}
	for _, f := range first.Findings {
		if f.Severity != string(problems.Info) {
			t.Errorf("%+v", f)
		}
	}
	if again := upload("", bytes.NewReader(skeleton), 200); again.ID != first.ID {
		t.Errorf("the same package became version %d", again.Number)
	}
	sub := s.submit(admin, first.ID)

	// Another statement is judged alike, and is a new version for all that.
	second := upload("&publish=now&reason=new", skeletonZip(t, "sum", map[string]string{"statement/problem.en.md": "# New\n"}), 201)
	if second.Number != 2 || second.Digest != first.Digest {
		t.Errorf("%+v", second)
	}
	if got := s.call(secret, http.MethodGet, base+"/problems/sum/statement", "", nil, 200, nil); string(got) != "# New\n" {
		t.Errorf("statement %q", got)
	}
	if got := s.call(secret, http.MethodGet, base+"/problems/sum/samples/1/answer", "", nil, 200, nil); string(got) != "3\n" {
		t.Errorf("sample %q", got)
	}
	var set api.Version
	s.call(secret, http.MethodPatch, base+"/problems/sum/versions/2", "application/json",
		strings.NewReader(`{"settings":{"time_limit_s":1.5,"languages":["python3"],"feedback":"verdict"},"reason":"r"}`), 200, &set)
	third := upload("&publish=false", skeletonZip(t, "sum", map[string]string{"data/secret/02.in": "1 1\n", "data/secret/02.ans": "2\n"}), 201)
	if third.State != "verifying" || third.Digest == first.Digest || third.Settings.Feedback != "verdict" || value(third.Settings.TimeLimit) != 1.5 {
		t.Errorf("draft: %+v", third)
	}
	// No worker has verified it.
	s.call(secret, http.MethodPatch, base+"/problems/sum/versions/3", "application/json", strings.NewReader(`{"state":"published"}`), 409, nil)
	s.call(secret, http.MethodPatch, base+"/problems/sum/versions/3", "application/json", strings.NewReader(`{"state":"published","override":true}`), 422, nil)
	s.call(secret, http.MethodPatch, base+"/problems/sum/versions/3", "application/json", strings.NewReader(`{"state":"published","override":true,"reason":"r"}`), 200, nil)
	var list struct{ Items []api.Version }
	s.call(secret, http.MethodGet, base+"/problems/sum/versions", "", nil, 200, &list)
	var states []string
	for _, v := range list.Items {
		states = append(states, v.State)
	}
	if !slices.Equal(states, []string{"published", "retired", "retired"}) {
		t.Errorf("versions, newest first, are %v", states)
	}
	var p api.Problem
	s.call(secret, http.MethodGet, base+"/problems/sum", "", nil, 200, &p)
	if value(p.Published) != 3 || p.Limits.Time != 1.5 || p.Limits.Wall != 3 || value(p.Title) != "Sum" || !slices.Equal(p.Samples, []string{"1"}) || !slices.Equal(p.Statements, []string{"problem.en.md"}) {
		t.Errorf("%+v %+v", p, p.Limits)
	}
	old, err := s.store.Submission(t.Context(), sub.ID)
	if err != nil || old.VersionID != first.ID {
		t.Errorf("the old submission refers to version %s, %v; want %s", old.VersionID, err, first.ID)
	}
	s.actions("sum", "version.update problem.upload version.update problem.upload problem.upload")
}

// submit writes a submission past the API.
func (s *httpSite) submit(token judge.Token, version string) judge.Submission {
	s.t.Helper()
	var sub judge.Submission
	err := s.store.Tx(s.t.Context(), func(tx *store.Tx) (err error) {
		sub, _, err = tx.CreateSubmission(s.t.Context(), judge.Submission{
			Problem: "sum", VersionID: version, Language: "python3", TokenID: token.ID, Priority: judge.PriorityPractice,
			Submitter: judge.Submitter{ID: "ada"}, Files: []judge.File{{Name: "a.py", Data: []byte("print(3)\n")}},
		})
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return sub
}

// actions compares the audit log of an object, newest first.
func (s *httpSite) actions(object, want string) {
	s.t.Helper()
	log, err := s.store.AuditLog(s.t.Context(), object, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	for _, e := range log {
		got = append(got, e.Action)
	}
	if strings.Join(got, " ") != want {
		s.t.Errorf("audit log of %s: %v, want %s", object, got, want)
	}
}

// TestRefusedUploads: what is refused leaves nothing, neither files nor records.
func TestRefusedUploads(t *testing.T) {
	s := newHTTPSite(t)
	base, _ := s.serve()
	_, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	good := skeletonZip(t, "sum", nil)
	half := io.NewSectionReader(good, 0, good.Size()/2)
	for name, c := range map[string]struct {
		body io.Reader
		want int
	}{
		"no zip":     {strings.NewReader("no zip"), 422},
		"nothing":    {strings.NewReader(""), 422},
		"half a zip": {half, 422},
		"no answer":  {skeletonZip(t, "sum", map[string]string{"data/secret/99.in": "1 2\n"}), 422},
		"escapes":    {skeletonZip(t, "sum", map[string]string{"../../etc/passwd": "x"}), 422},
		"too slow":   {skeletonZip(t, "sum", map[string]string{"problem.yaml": "problem_format_version: 2025-09\nname: Sum\ntype: pass-fail\nlicense: cc0\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlimits: {time_limit: 500}\n"}), 422},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.call(secret, http.MethodPost, base+"/problems?name=sum", zipType, c.body, c.want, nil)
			if !bytes.Contains(got, []byte(`"field"`)) {
				t.Errorf("no field is named: %s", got)
			}
		})
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/problems?name=sum", io.MultiReader(io.NewSectionReader(good, 0, 100), failing{}))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", zipType)
	if w, err := http.DefaultClient.Do(r); err == nil {
		_ = w.Body.Close() // the answer is of no interest
		t.Errorf("a client that broke off was answered %d", w.StatusCode)
	}
	if _, err := s.store.Problem(t.Context(), "sum"); !errors.Is(err, judge.ErrNotFound) {
		t.Errorf("problem sum: %v, want none", err)
	}
	eventually(t, "the folder of uploads is empty", func() bool {
		left, err := os.ReadDir(s.uploads())
		return err == nil && len(left) == 0
	})
	s.actions("sum", "")
}

// failing is a sender that breaks off.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken off") }
