package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/wire"
)

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
	for _, c := range []struct {
		query, want       string
		total, filterRank int
	}{
		{"?offset=1&limit=1", "2 t3 1 15 0+0 1+0*", 3, 0}, {"?group=g&offset=1", "2 t3 1 15 0+0 1+0*", 2, 2}, {"?affiliation=U", "1 t1 1 10 1+0* 0+0", 1, 1},
	} {
		b = api.Board{}
		sv.get("team", c.query, &b)
		if boardText(&b) != c.want || b.Total != c.total || wire.Value(b.Items[0].FilterRank) != c.filterRank {
			t.Errorf("%s: %s of %d", c.query, boardText(&b), b.Total)
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
		{"organiser", "?view=jury", 200},
		{"admin", "?view=jury", 200},
		{"team", "?view=jury", 403},
		{"team", "", 200},
		{"elsewhere", "", 404},
		{"stranger", "", 404},
		{"", "", 401},
		{"nonsense", "", 401},
		{"watcher", "/problems", 200},
		{"elsewhere", "/events", 404},
		{"", "/events", 401},
		{"team", "?limit=0", 422},
		{"team", "?color=red", 422},
		{"team", "/events?last_event_id=%20", 422},
	} {
		if status, _, data := sv.get(c.who, c.query, nil); status != c.want {
			t.Errorf("%q %s: %d, want %d: %.200s", c.who, c.query, status, c.want, data)
		}
	}
	st.change(func(c *judge.Contest) { c.PublicBoard = true })
	for _, c := range []struct {
		who, query string
		want       int
	}{{"", "", 200}, {"", "?view=jury", 401}, {"elsewhere", "", 200}, {"elsewhere", "?view=jury", 403}, {"nonsense", "", 401}} {
		if status, _, data := sv.get(c.who, c.query, nil); status != c.want {
			t.Errorf("public board, %q %s: %d, want %d: %.200s", c.who, c.query, status, c.want, data)
		}
	}
}

// TestBoardCaching: what a client has is not sent again, compressed or not, and
// what changed is.
func TestBoardCaching(t *testing.T) {
	st := newStage()
	st.put("s1", "t1", "pa", 10, judge.AC)
	sv := serveStage(t, st)
	_, header, plain := sv.get("team", "", nil)
	tag := header.Get("ETag")
	_, header, zipped := sv.get("team", "", nil, "Accept-Encoding", "br, gzip;q=0.5")
	if header.Get("Content-Encoding") != "gzip" || header.Get("ETag") == tag || tag == "" || !strings.Contains(header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%v", header)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	if unzipped, err := io.ReadAll(r); err != nil || !bytes.Equal(unzipped, plain) {
		t.Errorf("%v\n%s\n%s", err, unzipped, plain)
	}
	if _, header, _ := sv.get("team", "", nil, "Accept-Encoding", "gzip;q=0"); header.Get("Content-Encoding") != "" {
		t.Error("gzip for who does not take it")
	}
	for _, c := range []struct {
		query, tag string
		want       int
	}{{"", tag, 304}, {"", `"other", ` + tag, 304}, {"?limit=1", tag, 200}, {"?view=public", tag, 304}, {"", `"other"`, 200}} {
		if status, _, data := sv.get("team", c.query, nil, "If-None-Match", c.tag); status != c.want || (c.want == 304 && len(data) > 0) {
			t.Errorf("%q with %s: %d, want %d", c.query, c.tag, status, c.want)
		}
	}
	st.put("s1", "t1", "pa", 10, judge.WA)
	sv.await("team", "", "1 t1 0 0 1+0 0+0\n1 t3 0 0 0+0 0+0\n1 t2 0 0 0+0 0+0")
	if status, _, _ := sv.get("team", "", nil, "If-None-Match", tag); status != 200 {
		t.Errorf("a board that changed: %d", status)
	}
	if st.loads != 1 {
		t.Errorf("everything was read %d times", st.loads)
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
	var b api.Board
	sv.get("team", "", &b)
	if b.Frozen || b.Elapsed != st.contest.Duration.Seconds() {
		t.Errorf("%+v", b)
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
