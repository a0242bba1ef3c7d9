package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

// stage is a contest in memory, with its events.
type stage struct {
	*fakeRecords
	*feed

	mu       sync.Mutex
	contest  judge.Contest
	attempts map[string]judge.Attempt
	loads    int // of all attempts
}

func newStage() *stage {
	now := time.Now()
	f := newFake()
	f.tokens["organiser"] = judge.Token{ID: "20", Role: judge.RoleInstructor, Scope: judge.Scope{Contests: []string{"cup"}}}
	f.tokens["team"] = judge.Token{ID: "21", Role: judge.RoleSubmitter, Scope: judge.Scope{Contests: []string{"cup"}}}
	f.tokens["elsewhere"] = judge.Token{ID: "22", Role: judge.RoleSubmitter, Scope: judge.Scope{Contests: []string{"other"}}}
	return &stage{fakeRecords: f, feed: &feed{}, attempts: map[string]judge.Attempt{}, contest: judge.Contest{
		Name: "cup", Title: "The cup", Kind: judge.ContestICPC, Start: now.Add(-4 * time.Hour), Duration: 5 * time.Hour, Freeze: 2 * time.Hour, Penalty: 20 * time.Minute,
		Problems: []judge.ContestProblem{{Label: "A", Problem: "pa", Color: "red"}, {Label: "B", Problem: "pb"}},
		Contestants: []judge.Contestant{
			{ID: "t1", Name: "One", Affiliation: "U", Groups: []string{"g"}},
			{ID: "t2", Name: "Two"},
			{ID: "t3", Name: "Three", Groups: []string{"g"}},
			{ID: "h", Name: "Hidden", Hidden: true},
		},
	}}
}

func (s *stage) Judgements(ctx context.Context, id string) ([]judge.Judgement, error) {
	return s.fakeRecords.Judgements(ctx, id)
}
func (s *stage) Beginning(ctx context.Context) (string, error) { return s.feed.Beginning(ctx) }
func (s *stage) Listen(ctx context.Context, wake func()) error { return s.feed.Listen(ctx, wake) }
func (s *stage) Now(ctx context.Context) (string, error)       { return s.feed.Now(ctx) }
func (s *stage) Events(ctx context.Context, after string, f judge.EventFilter, n int) (judge.Events, error) {
	return s.feed.Events(ctx, after, f, n)
}

func (s *stage) Contest(_ context.Context, name string) (judge.Contest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name != s.contest.Name {
		return judge.Contest{}, judge.ErrNotFound
	}
	return s.contest, nil
}

func (s *stage) ContestInfo(ctx context.Context, name string) (judge.Contest, error) {
	c, err := s.Contest(ctx, name)
	c.Contestants = nil
	return c, err
}

func (s *stage) Attempts(_ context.Context, _ string, ids []string) (out []judge.Attempt, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ids == nil {
		s.loads++
	}
	for id, a := range s.attempts {
		if ids == nil || slices.Contains(ids, id) {
			out = append(out, a)
		}
	}
	return out, nil
}

// put changes an attempt and tells. at is in minutes of the contest.
func (s *stage) put(id, who, problem string, at int, v judge.Verdict) {
	a := judge.Attempt{Submission: id, Contestant: who, Problem: problem, At: s.contest.Start.Add(time.Duration(at) * time.Minute), State: judge.Judged, Verdict: v}
	kind := judge.JudgementJudged
	if v == "" {
		a.State, kind = judge.Queued, judge.SubmissionCreated
	}
	s.mu.Lock()
	s.attempts[id] = a
	s.mu.Unlock()
	s.add(false, judge.Event{Type: kind, SubmissionID: id, JudgementID: "j" + id, Contest: "cup"})
}

func (s *stage) change(change func(*judge.Contest)) {
	s.mu.Lock()
	change(&s.contest)
	s.mu.Unlock()
	s.add(false, judge.Event{Type: judge.ContestUpdated, Contest: "cup"})
}

// served is a server that really serves.
type served struct {
	t   *testing.T
	url string
}

func serveStage(t *testing.T, s *stage) *served {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(t, s, nil)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &served{t, "http://" + l.Addr().String() + v1 + "/contests/cup/board"}
}

// get asks, and reads what comes: as JSON into out, where that is not nil.
func (s *served) get(who, query string, out any, header ...string) (status int, h http.Header, data []byte) {
	s.t.Helper()
	res := s.open(who, query, header...)
	data, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil || res.StatusCode != 200 {
			s.t.Fatalf("%s: %d %v: %.300s", query, res.StatusCode, err, data)
		}
	}
	return res.StatusCode, res.Header, data
}

func (s *served) open(who, query string, header ...string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+query, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+who)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	res, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return res
}

// boardText is a board in short: rank, name, solved, penalty, cells.
func boardText(b *api.Board) string {
	var out []string
	for _, r := range b.Items {
		line := "-"
		if r.Rank != nil {
			line = fmt.Sprint(*r.Rank)
		}
		line += fmt.Sprintf(" %s %d %d", r.Contestant.ID, r.Solved, *r.Penalty)
		for _, c := range r.Problems {
			line += fmt.Sprintf(" %d+%d", c.Attempts, c.Pending)
			if c.First {
				line += "*"
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// await asks until the board is as wanted.
func (s *served) await(who, query, want string) (b api.Board) {
	s.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		b = api.Board{}
		if s.get(who, query, &b); boardText(&b) == want {
			return b
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s shows\n%s\nwant\n%s", query, boardText(&b), want)
		}
		time.Sleep(time.Millisecond)
	}
}

// boardStream reads events.
type boardStream struct {
	t     *testing.T
	res   *http.Response
	lines *bufio.Scanner
	id    string
}

func (s *served) follow(who, query, after string) *boardStream {
	s.t.Helper()
	var header []string
	if after != "" {
		header = []string{"Last-Event-ID", after}
	}
	res := s.open(who, "/events"+query, header...)
	if res.StatusCode != 200 {
		s.t.Fatalf("%s: %d", query, res.StatusCode)
	}
	s.t.Cleanup(func() { _ = res.Body.Close() })
	b := &boardStream{t: s.t, res: res, lines: bufio.NewScanner(res.Body)}
	if after == "" {
		for b.id == "" {
			b.line()
		}
	}
	return b
}

func (b *boardStream) line() (field, value string) {
	b.t.Helper()
	if !b.lines.Scan() {
		b.t.Fatalf("the stream ended: %v", b.lines.Err())
	}
	field, value, _ = strings.Cut(b.lines.Text(), ": ")
	if field == "id" {
		b.id = value
	}
	return field, value
}

// next reads the next event's data into out, and returns its kind.
func (b *boardStream) next(out any) (kind string) {
	b.t.Helper()
	for {
		switch field, value := b.line(); field {
		case "event":
			kind = value
		case "data":
			if err := json.Unmarshal([]byte(value), out); err != nil {
				b.t.Fatal(err)
			}
			return kind
		}
	}
}
