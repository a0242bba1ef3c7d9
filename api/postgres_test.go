//go:build postgres

package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"judge/api"
	"judge/judge"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// realRecords are store and queue as the server knows them.
type realRecords struct {
	*store.Store

	queue *queue.Client
}

type realTx struct {
	*store.Tx

	queue *queue.Client
}

func (t realTx) Enqueue(ctx context.Context, n int) error { return t.queue.Insert(ctx, t.Pgx(), n) }

func (r realRecords) Tx(ctx context.Context, fn func(api.Tx) error) error {
	return r.Store.Tx(ctx, func(tx *store.Tx) error { return fn(realTx{tx, r.queue}) })
}

// world is a server on a real database, with a problem that is published.
type world struct {
	tb      testing.TB
	store   *store.Store
	version judge.ProblemVersion
	url     string
	secrets map[string]string
	worker  string
}

func newWorld(tb testing.TB, change func(*api.Config)) *world {
	tb.Helper()
	w := &world{tb: tb, store: storetest.New(tb), secrets: map[string]string{}, worker: uuid.NewString()}
	w.version = w.publish(mine)
	w.secret("admin", judge.Token{Role: judge.RoleAdmin})
	w.secret("owner", judge.Token{Role: judge.RoleSubmitter})
	w.url = w.serve(w.store, change)
	return w
}

// serve starts one more server on a database, as another process would be.
func (w *world) serve(s *store.Store, change func(*api.Config)) string {
	w.tb.Helper()
	at, stop := w.start(s, change)
	w.tb.Cleanup(stop)
	return at
}

// start is serve for who stops the server, once.
func (w *world) start(s *store.Store, change func(*api.Config)) (at string, stop func()) {
	w.tb.Helper()
	q, err := queue.New(queue.Config{Pool: s.Pool()})
	w.must(err)
	server := newServer(w.tb, realRecords{s, q}, func(c *api.Config) {
		c.Unavailable = store.Unavailable
		if change != nil {
			change(c)
		}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	return "http://" + l.Addr().String(), func() {
		cancel()
		if err := <-ended; err != nil {
			w.tb.Error(err)
		}
	}
}

func (w *world) must(err error) {
	w.tb.Helper()
	if err != nil {
		w.tb.Fatal(err)
	}
}

func (w *world) publish(problem string) (v judge.ProblemVersion) {
	w.tb.Helper()
	w.in(func(tx *store.Tx) (err error) {
		if v, err = tx.CreateVersion(w.tb.Context(), judge.ProblemVersion{Problem: problem, Digest: "d1", Manifest: []byte(`{}`)}); err == nil {
			err = tx.SetVersionState(w.tb.Context(), v.ID, judge.Published)
		}
		return err
	})
	return v
}

func (w *world) in(fn func(tx *store.Tx) error) {
	w.tb.Helper()
	w.must(w.store.Tx(w.tb.Context(), fn))
}

func (w *world) secret(who string, t judge.Token) {
	w.tb.Helper()
	t.Name = who
	_, secret, err := w.store.CreateToken(w.tb.Context(), t)
	w.must(err)
	w.secrets[who] = secret
}

// ask sends a request and reads the answer into out, a pointer or nil; want is its
// status, 0 for whichever.
func (w *world) ask(who, method, path, body string, want int, out any, header ...string) http.Header {
	w.tb.Helper()
	r, err := http.NewRequestWithContext(w.tb.Context(), method, w.url+path, strings.NewReader(body))
	w.must(err)
	r.Header.Set("Authorization", "Bearer "+w.secrets[who])
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	w.must(err)
	data, err := io.ReadAll(res.Body)
	w.must(err)
	w.must(res.Body.Close())
	if want != 0 && res.StatusCode != want {
		w.tb.Fatalf("%s %s: %d, want %d: %s", method, path, res.StatusCode, want, data)
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil {
			w.tb.Fatalf("%s %s: %v: %s", method, path, err, data)
		}
	}
	return res.Header
}

// submit hands in a submission of a person.
func (w *world) submit(who, person string) api.Submission {
	w.tb.Helper()
	var s api.Submission
	w.ask(who, "POST", v1+"/submissions", fmt.Sprintf(`{"problem":"mine","submitter":{"id":%q,"team":"t"},"files":[{"name":"a.py","data":"print(1)\n"}]}`, person), 201, &s)
	return s
}

// judge takes the next judgement as a worker does, and ends it with a verdict.
func (w *world) judge(v judge.Verdict) {
	w.tb.Helper()
	ctx := w.tb.Context()
	w.in(func(tx *store.Tx) error {
		_, err := tx.Register(ctx, judge.Worker{ID: w.worker, Name: "test", Slots: 1})
		return err
	})
	task, ok, err := w.store.Take(ctx, w.worker)
	w.must(err)
	if !ok {
		w.tb.Fatal("there is nothing to judge")
	}
	run := judge.Run{Ordinal: 1, Case: "secret/1", Verdict: v, CPUTime: 1, WallTime: 1, Output: &judge.RunOutput{Stdout: []byte("3\n"), StdoutSize: 2}}
	w.in(func(tx *store.Tx) error {
		return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: v, Runs: []judge.Run{run}})
	})
}
