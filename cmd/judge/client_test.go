package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRetry: what passes is tried again with the same key and the same body,
// what does not is not.
func TestRetry(t *testing.T) {
	later := func(status int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.Header().Set("Retry-After", "0"); fail(w, status, "later") }
	}
	tests := []struct {
		name  string
		first func(http.ResponseWriter) // the answers to the first two tries
		once  bool
		tries int
		input bool // the fault is the caller's
	}{
		{name: "lost connection", first: func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, tries: 3},
		{name: "too many", first: later(http.StatusTooManyRequests), tries: 3},
		{name: "not now", first: later(http.StatusServiceUnavailable), tries: 3},
		{name: "proxy", first: func(w http.ResponseWriter) { http.Error(w, "<html>", http.StatusBadGateway) }, tries: 3},
		{name: "failed", first: later(http.StatusInternalServerError), tries: 1},
		{name: "refused", first: later(http.StatusUnprocessableEntity), tries: 1, input: true},
		{name: "not twice", first: later(http.StatusServiceUnavailable), once: true, tries: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tries int
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var in map[string]string
				if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in["a"] != "b" || r.Header.Get("Idempotency-Key") != "k" {
					t.Errorf("try %d: %v, %v, %v", tries, err, in, r.Header)
				}
				if tries++; tries <= 2 {
					tt.first(w)
					return
				}
				answer(w, http.StatusOK, in)
			}))
			defer srv.Close()
			r, err := apiCall{method: http.MethodPost, path: "x", once: tt.once, header: http.Header{"Idempotency-Key": {"k"}}}.withJSON(map[string]string{"a": "b"})
			if err != nil {
				t.Fatal(err)
			}
			var out map[string]string
			_, err = quick(t, srv.URL).do(t.Context(), r, &out)
			if tries != tt.tries {
				t.Errorf("%d tries, want %d", tries, tt.tries)
			}
			if ok := tt.tries == 3; ok != (err == nil) || ok != (out["a"] == "b") || isBadInput(err) != tt.input {
				t.Errorf("%v, %v", out, err)
			}
		})
	}
}

func TestPatience(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "120")
		fail(w, http.StatusTooManyRequests, "the limit is 60 in 1m0s")
	}))
	_, err := quick(t, srv.URL).do(t.Context(), apiCall{method: http.MethodGet, path: "x"}, nil)
	if err == nil || isBadInput(err) || err.Error() != "the limit is 60 in 1m0s (again in 120 s)" {
		t.Errorf("a wait longer than our patience: %v", err)
	}
	srv.Close()
	_, err = quick(t, srv.URL).do(t.Context(), apiCall{method: http.MethodGet, path: "x"}, nil) // at once: nobody was there before
	if u := (*unreachable)(nil); !errors.As(err, &u) || !strings.Contains(err.Error(), "is judge serve running") {
		t.Errorf("no server: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name   string
		answer func(http.ResponseWriter)
		code   int
		want   string
	}{
		{"fields", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = w.Write([]byte(`{"detail":"problem: is wrong","errors":[{"field":"problem","message":"is wrong"},{"field":"files[0].name","message":"is long\u001b[31m"}]}`))
		}, exitInput, `judge: problem: is wrong; files[0].name: is long\x1b[31m`},
		{"token", func(w http.ResponseWriter) { fail(w, http.StatusUnauthorized, "no such token") }, exitInput, "no such token (judge takes it from JUDGE_TOKEN"},
		{"ours", func(w http.ResponseWriter) { fail(w, http.StatusInternalServerError, "we failed") }, exitFailed, "we failed (request r1)"},
		{"elsewhere", func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://evil.example/")
			w.WriteHeader(http.StatusFound)
		}, exitFailed, "http://evil.example/; if you trust it, give that as --url"},
		{"no judge", func(w http.ResponseWriter) { http.Error(w, "<html>", http.StatusNotFound) }, exitInput, "is this the address of a judge?"},
		{"no JSON", func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) }, exitFailed, "not what this judge understands"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeAPI(t)
			s.before = func(w http.ResponseWriter, _ *http.Request) bool { tt.answer(w); return true }
			got := s.judge("problem", "list")
			if got.code != tt.code || got.out != "" || s.called("GET") != 1 {
				t.Errorf("exit code %d, stdout %q, calls %v", got.code, got.out, s.calls)
			}
			contains(t, "stderr", got.err, tt.want)
			if strings.Contains(got.err, secret) {
				t.Error("the token is told")
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-1": 0, "soon": 0, "99999999999999999999": 0,
		"Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second, "Fri, 02 Jan 2026 03:04:00 GMT": 0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestServerFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), demoEnv)
	if err := os.WriteFile(path, []byte("# made by make demo\nJUDGE_URL=http://demo:1\nJUDGE_TOKEN=t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		in, want serverFlags
		path     string
	}{
		{"the demo's", serverFlags{}, serverFlags{"http://demo:1", "t"}, path},
		{"no file", serverFlags{}, serverFlags{defaultURL, ""}, path + ".none"},
		{"a link is not believed", serverFlags{}, serverFlags{defaultURL, ""}, link},
		{"its token goes to its server", serverFlags{URL: "http://demo:1"}, serverFlags{"http://demo:1", "t"}, path},
		{"and to no other", serverFlags{URL: "http://other"}, serverFlags{"http://other", ""}, path},
		{"another token does not go to its server", serverFlags{Token: "mine"}, serverFlags{defaultURL, "mine"}, path},
		{"both", serverFlags{"http://other", "mine"}, serverFlags{"http://other", "mine"}, path},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.in.orDemo(tt.path)
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	if err := os.Chown(path, 12345, -1); err == nil { // as root only
		if got, err := (serverFlags{}).orDemo(path); err != nil || got.Token != "" {
			t.Errorf("a file of another user: %+v, %v", got, err)
		}
	}
	if _, err := parseDemo("x", strings.NewReader("JUDGE_URL=a\nexport X=1\n")); err == nil || !strings.HasPrefix(err.Error(), "x:2: ") {
		t.Errorf("a line that is none: %v", err)
	}
}

func TestBadURL(t *testing.T) {
	for _, u := range []string{"localhost:8080", "ftp://x", "http://", "http://u:p@x", "http://x?y", "http://x/%zz"} {
		got := judgeIn(t, "", "", "problem", "list", "--url", u, "--token", "x")
		if got.code != exitInput {
			t.Errorf("%s: exit code %d", u, got.code)
		}
		contains(t, u, got.err, "write http://HOST:PORT")
	}
}
