package api_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
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
			{ID: "t1", Name: "One", Affiliation: "U", Groups: []string{"g"}}, {ID: "t2", Name: "Two"}, {ID: "t3", Name: "Three", Groups: []string{"g"}},
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
func (s *served) get(who, query string, out any, header ...string) (*http.Response, []byte) {
	s.t.Helper()
	res := s.open(who, query, header...)
	data, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = res.Body.Close()
	if out != nil {
		if err := json.Unmarshal(data, out); err != nil || res.StatusCode != 200 {
			s.t.Fatalf("%s: %d %v: %.300s", query, res.StatusCode, err, data)
		}
	}
	return res, data
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

func TestBoardViews(t *testing.T) {
	st := newStage()
	st.put("s1", "t1", "pa", 10, judge.AC)
	st.put("s2", "t2", "pa", 20, judge.WA)
	st.put("s3", "t2", "pa", 200, judge.AC) // after the freeze, at 180
	st.put("s4", "h", "pb", 30, judge.AC)
	sv := serveStage(t, st)
	public := "1 t1 1 10 1+0* 0+0\n2 t3 0 0 0+0 0+0\n2 t2 0 0 1+1 0+0"
	b := sv.await("team", "", public)
	if b.State != "frozen" || !b.Frozen || b.Total != 3 || b.Title != "The cup" || len(b.Problems) != 2 || *b.Problems[0].Color != "red" || b.Elapsed < 4*3600-1 {
		t.Errorf("%+v", b)
	}
	b = sv.await("organiser", "?view=jury", "1 t1 1 10 1+0* 0+0\n- h 1 30 0+0 1+0\n2 t2 1 220 2+0 0+0\n3 t3 0 0 0+0 0+0")
	if b.Frozen || b.Total != 4 {
		t.Errorf("%+v", b)
	}
	// What is new is there, and a page and a filter are what they say.
	st.put("s5", "t3", "pb", 15, judge.AC)
	sv.await("team", "", "1 t1 1 10 1+0* 0+0\n2 t3 1 15 0+0 1+0*\n3 t2 0 0 1+1 0+0")
	if b = (api.Board{}); true {
		sv.get("team", "?offset=1&limit=1", &b)
		if boardText(&b) != "2 t3 1 15 0+0 1+0*" || b.Total != 3 {
			t.Errorf("%s of %d", boardText(&b), b.Total)
		}
		b = api.Board{}
		sv.get("team", "?group=g&offset=1", &b)
		if boardText(&b) != "2 t3 1 15 0+0 1+0*" || b.Total != 2 || *b.Items[0].FilterRank != 2 {
			t.Errorf("%s of %d", boardText(&b), b.Total)
		}
		b = api.Board{}
		sv.get("team", "?affiliation=U", &b)
		if boardText(&b) != "1 t1 1 10 1+0* 0+0" {
			t.Error(boardText(&b))
		}
	}
	var problems api.BoardProblems
	sv.get("team", "/problems", &problems)
	if p := problems.Items[0]; p.Attempts != 2 || p.Pending != 1 || p.Solved != 1 || p.Tried != 2 || p.Verdicts["WA"] != 1 || p.First.Contestant.ID != "t1" {
		t.Errorf("%+v", p)
	}
	// The thaw is seen by the public.
	st.change(func(c *judge.Contest) { c.Thawed = time.Now() })
	b = sv.await("team", "", "1 t1 1 10 1+0* 0+0\n2 t3 1 15 0+0 1+0*\n3 t2 1 220 2+0 0+0")
	if b.Frozen || b.State != "running" {
		t.Errorf("%+v", b)
	}
}

func TestBoardRights(t *testing.T) {
	st := newStage()
	sv := serveStage(t, st)
	for _, c := range []struct {
		who, query string
		want       int
	}{
		{"organiser", "?view=jury", 200}, {"admin", "?view=jury", 200}, {"team", "?view=jury", 403}, {"team", "", 200}, {"elsewhere", "", 404},
		{"stranger", "", 404}, {"", "", 401}, {"nonsense", "", 401}, {"watcher", "/problems", 200}, {"elsewhere", "/events", 404}, {"", "/events", 401},
		{"team", "?limit=0", 422}, {"team", "?color=red", 422}, {"team", "/events?last_event_id=%20", 422},
	} {
		if res, data := sv.get(c.who, c.query, nil); res.StatusCode != c.want {
			t.Errorf("%q %s: %d, want %d: %.200s", c.who, c.query, res.StatusCode, c.want, data)
		}
	}
	st.change(func(c *judge.Contest) { c.PublicBoard = true })
	for _, c := range []struct {
		who, query string
		want       int
	}{{"", "", 200}, {"", "?view=jury", 401}, {"elsewhere", "", 200}, {"elsewhere", "?view=jury", 403}, {"nonsense", "", 401}} {
		if res, data := sv.get(c.who, c.query, nil); res.StatusCode != c.want {
			t.Errorf("public board, %q %s: %d, want %d: %.200s", c.who, c.query, res.StatusCode, c.want, data)
		}
	}
}

// TestBoardCaching: what a client has is not sent again, compressed or not, and
// what changed is.
func TestBoardCaching(t *testing.T) {
	st := newStage()
	st.put("s1", "t1", "pa", 10, judge.AC)
	sv := serveStage(t, st)
	res, plain := sv.get("team", "", nil)
	tag := res.Header.Get("ETag")
	res, zipped := sv.get("team", "", nil, "Accept-Encoding", "br, gzip;q=0.5")
	if res.Header.Get("Content-Encoding") != "gzip" || res.Header.Get("ETag") == tag || tag == "" || !strings.Contains(res.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%v", res.Header)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	if unzipped, err := io.ReadAll(r); err != nil || !bytes.Equal(unzipped, plain) {
		t.Errorf("%v\n%s\n%s", err, unzipped, plain)
	}
	if res, _ := sv.get("team", "", nil, "Accept-Encoding", "gzip;q=0"); res.Header.Get("Content-Encoding") != "" {
		t.Error("gzip for who does not take it")
	}
	for _, c := range []struct {
		query, tag string
		want       int
	}{{"", tag, 304}, {"", `"other", ` + tag, 304}, {"?limit=1", tag, 200}, {"?view=public", tag, 304}, {"", `"other"`, 200}} {
		if res, data := sv.get("team", c.query, nil, "If-None-Match", c.tag); res.StatusCode != c.want || (c.want == 304 && len(data) > 0) {
			t.Errorf("%q with %s: %d, want %d", c.query, c.tag, res.StatusCode, c.want)
		}
	}
	st.put("s1", "t1", "pa", 10, judge.WA)
	sv.await("team", "", "1 t1 0 0 1+0 0+0\n1 t3 0 0 0+0 0+0\n1 t2 0 0 0+0 0+0")
	if res, _ := sv.get("team", "", nil, "If-None-Match", tag); res.StatusCode != 200 {
		t.Errorf("a board that changed: %d", res.StatusCode)
	}
	if st.loads != 1 {
		t.Errorf("everything was read %d times", st.loads)
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

// TestBoardStream: what changes is told under the view of who reads, in a way that
// one can follow, and who comes back goes on from where it was.
func TestBoardStream(t *testing.T) {
	st := newStage()
	st.put("s1", "t1", "pa", 100, judge.AC)
	sv := serveStage(t, st)
	team, organiser := sv.follow("team", "", ""), sv.follow("organiser", "?view=jury", "")
	begin := team.id
	st.put("s2", "t2", "pa", 20, judge.AC)
	var c api.BoardChange
	if kind := team.next(&c); kind != "board.changed" || len(c.Rows) != 2 {
		t.Fatalf("%s %+v", kind, c)
	}
	// It is first now, in place and at the problem.
	if r := c.Rows[0]; r.Row.Contestant.ID != "t2" || r.From != 2 || r.To != 0 || *r.Row.Rank != 1 || !slices.Equal(r.Problems, []string{"A"}) || !r.Row.Problems[0].First {
		t.Errorf("%+v", r)
	}
	if r := c.Rows[1]; r.Row.Contestant.ID != "t1" || r.From != 0 || r.To != 1 || *r.Row.Rank != 2 || r.Row.Problems[0].First {
		t.Errorf("%+v", r)
	}
	organiser.next(&api.BoardChange{})
	// After the freeze the public learns that there is something, and the verdict
	// makes no event of its own.
	st.put("s3", "t3", "pb", 200, "")
	c = api.BoardChange{}
	if team.next(&c); len(c.Rows) != 1 || c.Rows[0].Row.Problems[1].Pending != 1 {
		t.Errorf("%+v", c)
	}
	organiser.next(&api.BoardChange{})
	st.put("s3", "t3", "pb", 200, judge.AC)
	c = api.BoardChange{}
	if organiser.next(&c); len(c.Rows) != 1 || !c.Rows[0].Row.Problems[1].Solved {
		t.Errorf("%+v", c)
	}
	st.put("s4", "t1", "pb", 170, judge.WA)
	c = api.BoardChange{}
	if team.next(&c); len(c.Rows) != 1 || c.Rows[0].Row.Contestant.ID != "t1" {
		t.Errorf("after a verdict that is not to be known of: %+v", c)
	}
	// Who comes back gets what it missed, and who comes from elsewhere has to reload.
	again := sv.follow("team", "", begin)
	for i, want := range []int{2, 1, 1} {
		c = api.BoardChange{}
		if kind := again.next(&c); kind != "board.changed" || len(c.Rows) != want {
			t.Errorf("event %d: %s %+v", i, kind, c)
		}
	}
	if again.id != team.id {
		t.Errorf("%s, want %s", again.id, team.id)
	}
	var r api.BoardReload
	if kind := sv.follow("team", "", "other-3").next(&r); kind != "board.reload" || r.Reason != "position" {
		t.Errorf("%s %+v", kind, r)
	}
	// What concerns everything is one change.
	st.mu.Lock()
	for id, a := range st.attempts {
		a.Verdict = judge.WA
		st.attempts[id] = a
	}
	st.mu.Unlock()
	st.add(false, judge.Event{Type: judge.RejudgingApplied, Contest: "cup"})
	if kind := team.next(&r); kind != "board.reload" || r.Reason != "rejudging" {
		t.Errorf("%s %+v", kind, r)
	}
	sv.await("team", "", "1 t1 0 0 1+0 1+0\n1 t3 0 0 0+0 0+1\n1 t2 0 0 1+0 0+0")
}

// TestBoardClock: what the clock alone changes is told when it does.
func TestBoardClock(t *testing.T) {
	st := newStage()
	now := time.Now()
	st.contest.Start, st.contest.Duration, st.contest.Freeze = now.Add(-time.Hour), time.Hour+600*time.Millisecond, 300*time.Millisecond
	st.contest.Thawed = now.Add(900 * time.Millisecond)
	st.put("s1", "t1", "pa", 61, "") // after the end
	sv := serveStage(t, st)
	states := map[string]bool{}
	stream := sv.follow("team", "", "")
	for !states["final"] {
		var b api.Board
		sv.get("team", "?limit=1", &b)
		if states[b.State] = true; b.State == "final" {
			break
		}
		stream.next(&api.BoardChange{})
	}
	if b := (api.Board{}); sv.t == t {
		sv.get("team", "", &b)
		if b.Frozen || b.Elapsed != st.contest.Duration.Seconds() {
			t.Errorf("%+v", b)
		}
	}
}

// TestBoardJoin: a contestant who comes later is no reason to read everything
// again.
func TestBoardJoin(t *testing.T) {
	st := newStage()
	sv := serveStage(t, st)
	sv.await("team", "?limit=1", "1 t1 0 0 0+0 0+0")
	st.change(func(c *judge.Contest) {
		c.Contestants = append(slices.Clone(c.Contestants), judge.Contestant{ID: "t4", Name: "Four"})
		c.Revision++
	})
	st.put("s1", "t4", "pa", 1, judge.AC)
	sv.await("team", "?limit=1", "1 t4 1 1 1+0* 0+0")
	if st.loads != 1 {
		t.Errorf("everything was read %d times", st.loads)
	}
	st.change(func(c *judge.Contest) {
		c.Contestants = slices.Clone(c.Contestants)
		c.Contestants[4].Disqualified = true
	})
	sv.await("team", "?offset=3", "- t4 1 1 1+0 0+0")
}
