//go:build postgres

package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/embedded"
	"judge/problems/blob"
)

// httpSite is a database, a place for test data, and the APIs that answer for
// them: what `judge api` makes, in this process.
type httpSite struct {
	t     *testing.T
	url   string // of the database
	dir   string
	store *store.Store
}

func newHTTPSite(t *testing.T) *httpSite {
	t.Helper()
	dir, err := os.MkdirTemp("", "judge-site-") //nolint:usetesting // the server's user cannot pass through t.TempDir
	if err == nil {
		err = os.Chmod(dir, 0o711)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	s := &httpSite{t: t, dir: dir}
	server, err := embedded.Start(t.Context(), embedded.Options{Dir: filepath.Join(s.dir, "postgres"), Path: os.Getenv("PATH")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	s.url = server.URL()
	s.store = s.open()
	if err := s.store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *httpSite) open() *store.Store {
	s.t.Helper()
	db, err := store.Open(s.t.Context(), s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := db.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return db
}

// serve starts an API with connections of its own, and returns its URL and what
// stops it.
func (s *httpSite) serve() (url string, stop func()) {
	s.t.Helper()
	t := s.t
	db := s.open()
	blobs, err := blob.Open(t.Context(), "file://"+filepath.Join(s.dir, "blobs"), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() }) // files
	uploads, err := blob.OpenUploads(s.uploads())
	if err != nil {
		t.Fatal(err)
	}
	records, err := newRecords(db)
	if err != nil {
		t.Fatal(err)
	}
	config, err := apiServerConfig(records, blobs, uploads, apiConfig{log: slog.New(slog.NewTextHandler(logWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		t.Fatal(err)
	}
	server, err := api.New(config)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("stop the API: %v", err)
		}
	}
	t.Cleanup(stop)
	return "http://" + listener.Addr().String() + "/api/v1", stop
}

func (s *httpSite) uploads() string { return filepath.Join(s.dir, "uploads") }

// logWriter shows what a server logs with the test.
type logWriter struct{ t *testing.T }

func (w logWriter) Write(b []byte) (int, error) {
	w.t.Log(string(b))
	return len(b), nil
}

func (s *httpSite) token(t judge.Token) (judge.Token, string) {
	s.t.Helper()
	token, secret, err := s.store.CreateToken(s.t.Context(), t)
	if err != nil {
		s.t.Fatal(err)
	}
	return token, secret
}

// call sends a request, and reads the answer into out where that is not nil.
func (s *httpSite) call(secret, method, url, contentType string, body io.Reader, want int, out any) []byte {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, url, body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close() //nolint:errcheck // read whole, or the test ends
	answer, err := io.ReadAll(w.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if w.StatusCode != want {
		s.t.Fatalf("%s %s: %d %s, want %d", method, url, w.StatusCode, answer, want)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			s.t.Fatalf("%s %s: %v: %s", method, url, err, answer)
		}
	}
	return answer
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// eventually waits until something is so; the test fails if it never is.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 3000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("never: %s", what)
}
