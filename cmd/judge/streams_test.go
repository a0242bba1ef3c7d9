//go:build postgres

package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"judge/api"
	"judge/judge"
	"judge/judge/store"
)

// told is an event as a client got it.
type told struct {
	id   string
	at   time.Time // when it came
	data api.StreamEvent
}

// follow reads a stream until it has n events more, or it ends, and returns them.
func follow(ctx context.Context, secret, url, after string, n int) ([]told, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer w.Body.Close() //nolint:errcheck // cut off
	if w.StatusCode != http.StatusOK || w.Header.Get("Content-Type") != "text/event-stream" {
		return nil, errors.New(w.Status + " " + w.Header.Get("Content-Type"))
	}
	var out []told
	for events := newEventReader(w.Body, func() {}); len(out) < n; {
		e, err := events.next()
		if err != nil {
			return out, nil // it ended: that is what clients live with
		}
		t := told{id: e.id, at: time.Now()}
		if err := json.Unmarshal([]byte(e.data), &t.data); err != nil {
			return out, err
		}
		out = append(out, t)
	}
	return out, nil
}

// judging takes what is queued and judges it, each with three runs, as a worker
// does, until ctx is done.
func (s *httpSite) judgeAll(ctx context.Context) error {
	id := uuid.NewString()
	err := s.store.Tx(ctx, func(tx *store.Tx) error {
		_, err := tx.Register(ctx, judge.Worker{ID: id, Name: "test", Slots: 1, Build: "test"})
		return err
	})
	for err == nil && ctx.Err() == nil {
		var task judge.Task
		var ok bool
		if task, ok, err = s.store.Take(ctx, id); err != nil || !ok {
			time.Sleep(time.Millisecond)
			continue
		}
		runs := []judge.Run{{Ordinal: 1, Case: "sample/1", Verdict: judge.AC}, {Ordinal: 2, Case: "secret/01", Verdict: judge.AC}, {Ordinal: 3, Case: "secret/02", Verdict: judge.WA}}
		for i := range runs {
			if err == nil {
				err = s.store.Tx(ctx, func(tx *store.Tx) error { return tx.Progress(ctx, task.Lease, judge.Running, nil, runs[i:i+1]) })
			}
		}
		if err == nil {
			err = s.store.Tx(ctx, func(tx *store.Tx) error {
				return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: judge.WA, Runs: runs})
			})
		}
	}
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// TestStreams: clients of two processes of the API, some of which reconnect at
// random and change the process, get every event once and in the same order,
// while others write at once.
func TestStreams(t *testing.T) {
	const submissions, writers, judges, perSubmission = 200, 4, 3, 6
	s := newHTTPSite(t)
	one, _ := s.serve()
	two, _ := s.serve()
	admin, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	var version api.Version
	s.call(secret, http.MethodPost, one+"/problems?name=sum&publish=now&reason=test", zipType, skeletonZip(t, "sum", nil), 201, &version)
	begin, err := s.store.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	working, rest := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for range judges {
		wg.Go(func() {
			if err := s.judgeAll(working); err != nil {
				t.Error(err)
			}
		})
	}
	for range writers {
		wg.Go(func() {
			for range submissions / writers {
				s.submit(admin, version.ID)
			}
		})
	}
	const total = submissions * perSubmission
	got := make([][]told, 6)
	var reading sync.WaitGroup
	for i := range got {
		reading.Go(func() {
			after := begin
			for len(got[i]) < total && ctx.Err() == nil {
				n := total - len(got[i])
				if i > 1 {
					n = min(n, 1+rand.IntN(100)) // then it reconnects
				}
				more, err := follow(ctx, secret, []string{one, two}[rand.IntN(2)]+"/events", after, n)
				if err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
				if got[i] = append(got[i], more...); len(more) > 0 {
					after = more[len(more)-1].id
				}
			}
		})
	}
	reading.Wait()
	rest()
	wg.Wait()
	var want []string
	for position := begin; ; {
		e, err := s.store.Events(t.Context(), position, judge.EventFilter{}, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range e.Items {
			want = append(want, ev.Position)
		}
		if position = e.Next; len(e.Items) < 500 {
			break
		}
	}
	if len(want) != total {
		t.Errorf("%d events on record, want %d", len(want), total)
	}
	var late []time.Duration
	for i, events := range got {
		var ids []string
		for _, e := range events {
			ids = append(ids, e.id)
			if i < 2 {
				late = append(late, e.at.Sub(time.Time(e.data.At)))
			}
			if (e.data.Judgement == nil) != (e.data.Type == string(judge.RunJudged)) || (e.data.Run == nil) != (e.data.Judgement != nil) {
				t.Errorf("%+v", e.data)
			}
		}
		if !slices.Equal(ids, want) {
			t.Errorf("client %d got %d events, not the %d on record in their order", i, len(ids), len(want))
		}
	}
	slices.Sort(late)
	t.Logf("from the beginning of an event's transaction to a client, under load: median %v, 99 %% below %v", late[len(late)/2], late[len(late)*99/100])
}

// TestStreamEnds with its token, and with its server: at once, so that the client
// turns to another.
func TestStreamEnds(t *testing.T) {
	s := newHTTPSite(t)
	base, stop := s.serve()
	_, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	ended := make(chan error, 1)
	go func() {
		events, err := follow(t.Context(), secret, base+"/events", "", 1)
		if err == nil && len(events) > 0 {
			err = errors.New("there were events")
		}
		ended <- err
	}()
	metrics := strings.TrimSuffix(base, "/api/v1") + "/metrics"
	eventually(t, "the stream is open", func() bool {
		return strings.Contains(string(s.call(secret, http.MethodGet, metrics, "", nil, 200, nil)), "judge_http_streams 1")
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestStreamLatency shows how long an event is on its way when there is no load.
func TestStreamLatency(t *testing.T) {
	s := newHTTPSite(t)
	base, _ := s.serve()
	admin, secret := s.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	var version api.Version
	s.call(secret, http.MethodPost, base+"/problems?name=sum&publish=now&reason=test", zipType, skeletonZip(t, "sum", nil), 201, &version)
	const n = 100
	begin, err := s.store.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	came := make(chan []told, 1)
	go func() {
		events, err := follow(t.Context(), secret, base+"/events", begin, n)
		if err != nil {
			t.Error(err)
		}
		came <- events
	}()
	committed := map[string]time.Time{}
	for range n {
		sub := s.submit(admin, version.ID)
		committed[sub.ID] = time.Now()
		time.Sleep(20 * time.Millisecond)
	}
	var late []time.Duration
	for _, e := range <-came {
		late = append(late, e.at.Sub(committed[*e.data.SubmissionID]))
	}
	if len(late) != n {
		t.Fatalf("%d events, want %d", len(late), n)
	}
	slices.Sort(late)
	t.Logf("from the return of a commit to a client: median %v, 95 %% below %v, most %v", late[n/2], late[n*95/100], late[n-1])
}
