package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"judge/problems"
)

const secret = "a-secret"

// fakeAPI is a server that speaks the API as far as clients use it. What it
// answers is what it was sent, or what a test prepared.
type fakeAPI struct {
	*httptest.Server

	t      *testing.T
	dir    string
	before func(w http.ResponseWriter, r *http.Request) bool // true: it has answered

	mu       sync.Mutex
	calls    []string // method and path
	versions map[string][]string
	queries  []string
	posted   []newSubmission
	keys     map[string]int // submission by idempotency key

	// events are the data of a submission's events, of which a connection gives
	// at most step; 0: all.
	events func(n int, s newSubmission) []eventInfo
	step   int
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	s := &fakeAPI{t: t, dir: t.TempDir(), versions: map[string][]string{}, keys: map[string]int{}, events: accepts}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/problems", s.upload)
	mux.HandleFunc("POST /api/v1/submissions", s.submit)
	mux.HandleFunc("GET /api/v1/submissions/{id}", s.submission)
	mux.HandleFunc("GET /api/v1/submissions/{id}/events", s.stream)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.calls = append(s.calls, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/api/v1"))
		s.mu.Unlock()
		if s.before != nil && s.before(w, r) {
			return
		}
		if r.Header.Get("Authorization") != "Bearer "+secret {
			fail(w, http.StatusUnauthorized, "there is no such token")
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// judge runs a command line against the server.
func (s *fakeAPI) judge(args ...string) ran {
	s.t.Helper()
	s.t.Setenv("JUDGE_URL", s.URL)
	s.t.Setenv("JUDGE_TOKEN", secret)
	return judgeIn(s.t, "", "", args...)
}

func (s *fakeAPI) called(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if strings.HasPrefix(c, method) {
			n++
		}
	}
	return n
}

func fail(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": "t", "status": status, "detail": detail, "request_id": "r1"})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// upload reads a package as the server does, and knows versions by digest.
func (s *fakeAPI) upload(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Errorf("read upload: %v", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.URL.Query().Get("name")
	path := filepath.Join(s.dir, fmt.Sprint(name, "-", len(s.queries), ".zip"))
	s.queries = append(s.queries, r.URL.RawQuery)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		s.t.Error(err)
	}
	p, err := problems.Open(path, problems.Options{Name: name})
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	defer p.Close() //nolint:errcheck // read only
	digest, err := p.Version()
	if err != nil {
		s.t.Error(err)
	}
	status := http.StatusCreated
	if slices.Contains(s.versions[name], digest) {
		status = http.StatusOK
	} else {
		s.versions[name] = append(s.versions[name], digest)
	}
	answer(w, status, map[string]any{
		"problem": name, "number": len(s.versions[name]), "state": "published", "digest": digest,
		"findings": []map[string]any{{"severity": "warning", "file": "problem.yaml", "line": 3, "message": "odd\x1b[31m"}},
	})
}

func (s *fakeAPI) submit(w http.ResponseWriter, r *http.Request) {
	var in newSubmission
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, again := s.keys[r.Header.Get("Idempotency-Key")]
	if !again {
		n = len(s.posted)
		s.posted = append(s.posted, in)
		s.keys[r.Header.Get("Idempotency-Key")] = n
	}
	answer(w, http.StatusCreated, s.info(n, "queued"))
}

func (s *fakeAPI) info(n int, state string) map[string]any {
	return map[string]any{
		"id": fmt.Sprint(n), "problem": s.posted[n].Problem, "language": "python3",
		"judgement": map[string]any{"id": "j", "state": state, "verdict": nil, "groups": []any{}, "runs": []any{}},
		"place":     map[string]any{"ahead": 2, "wait_s": 1.5},
	}
}

func (s *fakeAPI) number(r *http.Request) int {
	var n int
	if _, err := fmt.Sscan(r.PathValue("id"), &n); err != nil {
		s.t.Errorf("%s: no id", r.URL)
	}
	return n
}

func (s *fakeAPI) submission(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer(w, http.StatusOK, s.info(s.number(r), "cancelled"))
}

// stream gives the events after Last-Event-ID, step of them, then it ends.
func (s *fakeAPI) stream(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := 0
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		if _, err := fmt.Sscanf(last, "at-%d", &from); err != nil {
			s.t.Errorf("Last-Event-ID %q is none of mine", last)
		}
	}
	n := s.number(r)
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, ": hello\n\n")
	for i, e := range s.events(n, s.posted[n]) {
		if i < from || s.step > 0 && i >= from+s.step {
			continue
		}
		e.SubmissionID = fmt.Sprint(n)
		data, err := json.Marshal(e)
		if err != nil {
			s.t.Error(err)
		}
		_, _ = fmt.Fprintf(w, "id: at-%d\nevent: %s\ndata: %s\n\n", i+1, e.Type, data)
	}
}

// unzip reads a zip's files.
func unzip(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	return files
}
