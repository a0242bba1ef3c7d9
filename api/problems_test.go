package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

// TestProblemFiles: what comes out of a package is shown only where it can do
// nothing, else downloaded, and never run.
func TestProblemFiles(t *testing.T) {
	s := newServer(t, newFake(), nil)
	const plain, octets = "text/plain; charset=utf-8", "application/octet-stream"
	for _, c := range []struct{ path, kind, disposition string }{
		{"statement", plain, ""},
		{"statement?file=problem.de.md", plain, ""},
		{"statement?file=problem.pdf", "application/pdf", `attachment; filename=problem.pdf`},
		{"statement?file=fig.svg", octets, `attachment; filename=fig.svg`},
		{"attachments/a.html", octets, `attachment; filename=a.html`},
		{"attachments/more%2Fb%20c.txt", octets, `attachment; filename="b c.txt"`},
		{"samples/1/input", plain, ""},
	} {
		w := ask(s, "owner", http.MethodGet, v1+"/problems/mine/"+c.path, "")
		h := w.Header()
		if w.Code != http.StatusOK || w.Body.String() != text || h.Get("Content-Type") != c.kind || h.Get("Content-Disposition") != c.disposition {
			t.Errorf("%s: %d %q, %s, %s", c.path, w.Code, w.Body, h.Get("Content-Type"), h.Get("Content-Disposition"))
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s: a browser may guess or run: %v", c.path, h)
		}
		tag := h.Get("ETag")
		again := ask(s, "owner", http.MethodGet, v1+"/problems/mine/"+c.path, "", "If-None-Match", `"x", W/`+tag)
		if tag == "" || again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s: with its own tag %s: %d %q", c.path, tag, again.Code, again.Body)
		}
	}
	for _, at := range []string{
		"statement?file=attachments/a.html", "statement?file=../a.html", "attachments/problem.md", "attachments/..%2Fproblem.md",
		"samples/secret%2Fword/input", "samples/word/input", "samples/..%2Fsecret%2Fword/input",
	} {
		if w := ask(s, "owner", http.MethodGet, v1+"/problems/mine/"+at, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s, want 404", at, w.Code, w.Body)
		}
	}
	if w := ask(s, "owner", http.MethodGet, v1+"/problems/mine/samples/1/else", ""); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("a sample's part that is none: %d, want 422", w.Code)
	}
}

// TestDisabledProblem is not there for who is not its staff.
func TestDisabledProblem(t *testing.T) {
	records := newFake()
	records.disabled = true
	s := newServer(t, records, nil)
	for _, at := range []string{"", "/statement", "/samples", "/samples/1/input", "/attachments", "/attachments/a.html"} {
		for who, want := range map[string]int{"admin": 200, "staff": 200, "owner": 404, "viewer": 404, "watcher": 404} {
			if w := ask(s, who, http.MethodGet, v1+"/problems/mine"+at, ""); w.Code != want {
				t.Errorf("%s by %s: %d, want %d", at, who, w.Code, want)
			}
		}
	}
	for who, want := range map[string]int{"admin": 1, "staff": 1, "owner": 0, "viewer": 0} {
		var list struct{ Items []api.ProblemItem }
		if err := json.Unmarshal(ask(s, who, http.MethodGet, v1+"/problems", "").Body.Bytes(), &list); err != nil || len(list.Items) != want {
			t.Errorf("%s sees %d problems (%v), want %d", who, len(list.Items), err, want)
		}
	}
}

// shaky packages give a file whose end shows that it is damaged.
type shaky struct{ fakePackages }

func (shaky) Open(context.Context, judge.Blob) (io.ReadCloser, error) {
	return io.NopCloser(io.MultiReader(strings.NewReader(text), broken{})), nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("damaged") }

func TestDamagedFile(t *testing.T) {
	s := newServer(t, newFake(), func(c *api.Config) { c.Packages = shaky{} })
	w := ask(s, "owner", http.MethodGet, v1+"/problems/mine/statement", "")
	if w.Body.Len() >= len(text) {
		t.Errorf("%d bytes were sent of a damaged file that announced %s", w.Body.Len(), w.Header().Get("Content-Length"))
	}
}

// picky packages remember what they were given, and hold a problem of their own.
type picky struct {
	fakePackages

	problem judge.Problem
	got     []byte
	as      api.Reception
	err     error
}

func (p *picky) Receive(_ context.Context, zip io.Reader, r api.Reception) (api.Received, error) {
	var err error
	p.as = r
	if p.got, err = io.ReadAll(zip); err != nil || p.err != nil {
		return nil, errors.Join(err, p.err)
	}
	return pickyReceived{problem: &p.problem}, nil
}

type pickyReceived struct {
	fakeReceived

	problem *judge.Problem
}

func (r pickyReceived) Problem() *judge.Problem { return r.problem }

func TestUpload(t *testing.T) {
	form := func(field string) (body, kind string) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		part, err := w.CreateFormFile(field, "p.zip")
		if err == nil {
			_, err = part.Write([]byte("zip"))
		}
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String(), w.FormDataContentType()
	}
	good, goodType := form("package")
	wrong, wrongType := form("file")
	const ok = "?name=mine"
	refused := &api.PackageError{Findings: []api.Finding{{Severity: "error", File: "problem.yaml", Line: 3, Message: "name is missing"}}}
	for _, c := range []struct {
		name, who, query, kind, body string
		problem                      judge.Problem
		err                          error
		want                         int
		says                         string
	}{
		{name: "zip", who: "staff", query: ok, kind: "application/zip", body: "zip", want: 201},
		{name: "form", who: "staff", query: ok + "&publish=false", kind: goodType, body: good, want: 201},
		{name: "wrong field", who: "staff", query: ok, kind: wrongType, body: wrong, want: 422, says: "package"},
		{name: "no form", who: "staff", query: ok, kind: goodType, body: "no form", want: 400},
		{name: "json", who: "staff", query: ok, kind: "application/json", body: "{}", want: 415},
		{name: "no name", who: "admin", kind: "application/zip", body: "zip", want: 422, says: "name"},
		{name: "name with a slash", who: "admin", query: "?name=a/b", kind: "application/zip", body: "zip", want: 422},
		{name: "new problem out of scope", who: "staff", query: "?name=new", kind: "application/zip", body: "zip", want: 403},
		{name: "too slow", who: "staff", query: ok, kind: "application/zip", body: "zip", problem: judge.Problem{Limits: judge.Limits{CPU: 2 * time.Minute}}, want: 422, says: "time limit"},
		{name: "too much in all", who: "staff", query: ok, kind: "application/zip", body: "zip", problem: many(900, 30*time.Second), want: 422, says: "judging"},
		{name: "too many cases", who: "staff", query: ok, kind: "application/zip", body: "zip", problem: many(1001, time.Millisecond), want: 422, says: "1001"},
		{name: "exceed by staff", who: "staff", query: ok + "&exceed=true", kind: "application/zip", body: "zip", problem: many(1001, time.Second), want: 403},
		{name: "exceed by admin", who: "admin", query: ok + "&exceed=true", kind: "application/zip", body: "zip", problem: many(1001, time.Second), want: 201},
		{name: "refused", who: "staff", query: ok, kind: "application/zip", body: "zip", want: 422, says: "package/problem.yaml:3", err: refused},
		{name: "too large", who: "staff", query: ok, kind: "application/zip", body: "zip", want: 413, err: &api.PackageError{TooLarge: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			packages := &picky{problem: c.problem, err: c.err}
			s := newServer(t, newFake(), func(config *api.Config) { config.Packages = packages })
			w := ask(s, c.who, http.MethodPost, v1+"/problems"+c.query, c.body, "Content-Type", c.kind)
			if w.Code != c.want || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%d %s, want %d and %q", w.Code, w.Body, c.want, c.says)
			}
			if c.want == 201 && (string(packages.got) != "zip" || packages.as.Name != "mine" || packages.as.Zip == 0 || packages.as.Unpacked == 0) {
				t.Errorf("received %q as %+v", packages.got, packages.as)
			}
		})
	}
}

// many is a problem of n cases.
func many(n int, cpu time.Duration) judge.Problem {
	return judge.Problem{Limits: judge.Limits{CPU: cpu}, Root: judge.TestGroup{Cases: make([]judge.TestCase, n)}}
}

func TestUpdateVersion(t *testing.T) {
	s := newServer(t, newFake(), nil)
	for body, want := range map[string]int{
		`{"state":"retired"}`: 200,
		`{"state":"draft"}`:   422,
		`{}`:                  422,
		`{"settings":{"feedback":"none","languages":["python3"]}}`: 200,
		`{"settings":{"feedback":"all"}}`:                          422,
		`{"settings":{"languages":["cobol85"]}}`:                   422,
		`{"settings":{"time_limit_s":2.5}}`:                        200,
		`{"settings":{"time_limit_s":0}}`:                          200,
		`{"settings":{"time_limit_s":-1}}`:                         422,
		`{"settings":{"time_limit_s":0.0000001}}`:                  422,
		`{"settings":{"time_limit_s":61}}`:                         422,
		`{"settings":{"time_limit_s":1e300}}`:                      422,
		`{"settings":{"unknown":1}}`:                               422,
	} {
		if w := ask(s, "staff", http.MethodPatch, v1+"/problems/mine/versions/1", body); w.Code != want {
			t.Errorf("%s: %d %s, want %d", body, w.Code, w.Body, want)
		}
	}
	const beyond = `{"settings":{"time_limit_s":61}}`
	for who, want := range map[string]int{"staff": 422, "admin": 200} {
		if w := ask(s, who, http.MethodPatch, v1+"/problems/mine/versions/1?exceed=true", beyond); w.Code != want {
			t.Errorf("beyond the ceiling by %s: %d %s, want %d", who, w.Code, w.Body, want)
		}
	}
	if w := ask(s, "staff", http.MethodGet, v1+"/problems/mine/versions/2", ""); w.Code != http.StatusNotFound {
		t.Errorf("a version that is not there: %d", w.Code)
	}
}

// TestStatisticsHideVerdicts: a viewer must not count what the policy hides.
func TestStatisticsHideVerdicts(t *testing.T) {
	f := newFake()
	f.tokens["jury"] = judge.Token{ID: "9", Role: judge.RoleInstructor, Scope: judge.Scope{Contests: []string{cup}}}
	f.tokens["fan"] = judge.Token{ID: "10", Role: judge.RoleViewer, Scope: judge.Scope{Contests: []string{cup}}}
	s := newServer(t, f, nil)
	for who, want := range map[string]int{"staff": 1, "viewer": 0, "watcher": 0, "jury": 1, "fan": 0} {
		var out api.Statistics
		if err := json.Unmarshal(ask(s, who, http.MethodGet, v1+"/statistics", "").Body.Bytes(), &out); err != nil || len(out.Submissions.Verdicts) != want || out.Submissions.Total != 1 {
			t.Errorf("%s: %+v, %v; want %d verdicts", who, out.Submissions, err, want)
		}
	}
}

func TestLanguages(t *testing.T) {
	var list struct{ Items []api.Language }
	if err := json.Unmarshal(ask(newServer(t, newFake(), nil), "owner", http.MethodGet, v1+"/languages", "").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, l := range list.Items {
		if l.ID == "" || len(l.Run) == 0 || l.TimeFactor <= 0 || l.CompileLimits.Time <= 0 || l.CompileLimits.Memory <= 0 {
			t.Errorf("%+v", l)
		}
	}
	if len(list.Items) < 5 {
		t.Errorf("%d languages", len(list.Items))
	}
}
