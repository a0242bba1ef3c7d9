//go:build docker

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"judge/api"
	"judge/judge/store/embedded"
	"judge/judge/wire"
)

const (
	rejudgeSlots = 2
	rejudgeTeams = 12
	rejudgeNew   = 6 // submissions while it is judged
)

// rejudgeSize is how many submissions are judged once more.
func rejudgeSize(t *testing.T) int {
	t.Helper()
	text := os.Getenv("JUDGE_REJUDGE_SIZE")
	if text == "" {
		return 60
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < rejudgeTeams {
		t.Fatalf("JUDGE_REJUDGE_SIZE %q: a number from %d on is wanted", text, rejudgeTeams)
	}
	return n
}

// rejudgeSources are what is handed in, with the verdicts before and after the
// jury's answer to 02-cancels was put right: it was 1, and is 0.
var rejudgeSources = []struct{ name, data, before, after string }{
	{"right.py", "print(sum(map(int, input().split())))\n", "WA", "AC"},
	{"fooled.py", "a, b = map(int, input().split())\nprint(1 if a and a == -b else a + b)\n", "AC", "WA"},
	{"wrong.py", "print(sum(map(int, input().split())) + 1)\n", "WA", "WA"},
	{"stops.py", "raise SystemExit(3)\n", "RE", "RE"},
}

// rejudging is a contest whose only problem had a wrong answer.
type rejudging struct {
	*deployment

	db    *pgxpool.Pool
	sent  map[string]int // which of the sources, by submission
	board []string       // kinds of the events of the board
	mu    sync.Mutex
}

// TestRejudging judges submissions once more after one test case has changed,
// while new ones come in: the preview is right, nothing changes before it is
// applied, then all does at once, and new ones do not wait for it.
func TestRejudging(t *testing.T) {
	size := rejudgeSize(t)
	r := &rejudging{deployment: deploy(t, append([]string{"--slots", fmt.Sprint(rejudgeSlots)}, unlimited...)...), sent: map[string]int{}}
	r.open()
	r.publish("1\n")
	r.post("/contests", map[string]any{
		"name": "finals", "start": time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), "duration_s": 36000, "open": true,
		"problems": []any{map[string]string{"problem": "sum"}},
	}, nil)
	heard := r.listen()
	r.sendAll(size)
	r.awaitAll(0)
	heard.await(t, size)
	heard.forget()
	r.followBoard()
	before, viewed := r.state(), r.seenBy("viewer")
	r.publish("0\n")

	made := r.create(size)
	if note := r.killAPI(); !strings.HasPrefix(note, "killed") {
		t.Error(note)
	}
	r.sendNew(made)
	r.must("rejudge", "watch", made, "--json")
	if diff := cmp.Diff(before, r.state()); diff != "" {
		t.Errorf("before it is applied, something has changed: %.2000s", diff)
	}
	if after := r.seenBy("viewer"); after != viewed {
		t.Errorf("before it is applied, a viewer sees %s, not %s", after, viewed)
	}
	r.checkPreview(made, size)
	promised := r.promise(made, before.Board)
	heard.quiet(t, r.sent)

	r.must("rejudge", "apply", made, "--reason", "seen", "--yes")
	r.checkApplied(heard, promised)
}

func (r *rejudging) open() {
	at, err := embedded.URL(filepath.Join(r.data, "postgres"))
	if err == nil {
		r.db, err = pgxpool.New(r.t.Context(), at)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(r.db.Close)
}

// publish uploads the problem with an answer to 02-cancels, and publishes it. Its
// own submissions are left out, which would not let the wrong one pass.
func (r *rejudging) publish(answer string) {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "sum")
	for _, part := range []string{"data", "problem.yaml", ".timelimit"} {
		if err := copyTree(filepath.Join(samples, "aplusb", part), filepath.Join(dir, part)); err != nil {
			r.t.Fatal(err)
		}
	}
	write(r.t, filepath.Join(dir, "data/secret/02-cancels.ans"), answer)
	r.must("problem", "import", dir, "--now", "--reason", "an answer of "+strings.TrimSpace(answer))
}

func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	return err
}

func (r *rejudging) post(path string, body, into any) {
	r.t.Helper()
	call, err := apiCall{method: http.MethodPost, path: path}.withJSON(body)
	if err == nil {
		_, err = r.client.do(r.t.Context(), call, into)
	}
	if err != nil {
		r.t.Fatalf("%s: %v", path, err)
	}
}

func (r *rejudging) get(path string, query url.Values, into any) {
	r.t.Helper()
	if _, err := r.client.do(r.t.Context(), apiCall{method: http.MethodGet, path: path, query: query}, into); err != nil {
		r.t.Fatalf("%s: %v", path, err)
	}
}

func (r *rejudging) sendAll(size int) {
	r.t.Helper()
	for from := 0; from < size; from += batchSize {
		var items []any
		for i := from; i < min(size, from+batchSize); i++ {
			source := rejudgeSources[i%len(rejudgeSources)]
			team := fmt.Sprint("team-", i*7%rejudgeTeams)
			items = append(items, map[string]any{
				"problem": "sum", "contest": "finals", "files": []any{map[string]string{"name": source.name, "data": source.data}},
				"submitter": map[string]string{"id": team + "-member", "team": team},
			})
		}
		var made struct{ Items []struct{ ID string } }
		r.post("/submissions/batch", map[string]any{"items": items}, &made)
		for i, s := range made.Items {
			r.sent[s.ID] = (from + i) % len(rejudgeSources)
		}
	}
	if len(r.sent) != size {
		r.t.Fatalf("%d submissions, want %d", len(r.sent), size)
	}
}

// awaitAll waits until so many submissions or fewer have no verdict.
func (r *rejudging) awaitAll(left int) {
	r.t.Helper()
	for deadline := time.Now().Add(chaosPatience); r.count("SELECT count(*) FROM submissions WHERE outcome = ''") > left; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatal("they are not judged")
		}
	}
}

func (r *rejudging) count(query string, args ...any) (n int) {
	r.t.Helper()
	if err := r.db.QueryRow(r.t.Context(), query, args...).Scan(&n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

// rejudgeState is what everybody is shown: verdicts by submission, and the board.
type rejudgeState struct {
	Verdicts map[string]string
	Board    map[string]string // rank, problems and penalty, by contestant
}

func (r *rejudging) state() rejudgeState {
	r.t.Helper()
	out := rejudgeState{Verdicts: map[string]string{}, Board: map[string]string{}}
	err := listPages(r.t.Context(), r.client, "/submissions", url.Values{"contest": {"finals"}, "limit": {"200"}}, func(s submissionInfo) error {
		j := s.Judgement.Judgement()
		out.Verdicts[s.ID] = j.ID + " " + string(j.Verdict)
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var board api.Board
	r.get("/contests/finals/board", nil, &board)
	for _, row := range board.Items {
		out.Board[row.Contestant.ID] = standText(row.Rank, row.Solved, wire.Value(row.Penalty))
	}
	return out
}

func standText(rank *int, solved int, penalty int64) string {
	return fmt.Sprint(wire.Value(rank), " ", solved, " ", penalty)
}

// seenBy is what a token of a role is shown of the judgements of a submission.
func (r *rejudging) seenBy(role string) string {
	r.t.Helper()
	c := newClient(r.client.base, r.makeToken(role), func(string, ...any) {})
	var list struct{ Items []wire.Judgement }
	if _, err := c.do(r.t.Context(), apiCall{method: http.MethodGet, path: "/submissions/" + r.sentIDs()[0] + "/judgements"}, &list); err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprint(len(list.Items), " ", wire.Value(list.Items[0].Verdict))
}

func (r *rejudging) sentIDs() (ids []string) {
	for id := range r.sent {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (r *rejudging) create(size int) string {
	r.t.Helper()
	var made api.Rejudging
	begun := time.Now()
	out := r.must("rejudge", "create", "--contest", "finals", "--problem", "sum", "--reason", "the answer to 02-cancels was wrong", "--json")
	if err := json.Unmarshal([]byte(out.out), &made); err != nil || made.ID == nil || made.Counts.Total != size {
		r.t.Fatalf("%v: %s", err, out.out)
	}
	r.t.Logf("a rejudging of %d was made in %v", size, time.Since(begun).Round(time.Millisecond))
	return *made.ID
}

// sendNew hands in one after the other while the rejudging is under way. Between
// the creation of one and its start, each slot may begin what it had taken already.
func (r *rejudging) sendNew(rejudging string) {
	r.t.Helper()
	source := rejudgeSources[2]
	meanwhile := 0
	for i := range rejudgeNew {
		var sub struct{ ID string }
		r.post("/submissions", map[string]any{
			"problem": "sum", "files": []any{map[string]string{"name": source.name, "data": source.data}}, "submitter": map[string]string{"id": fmt.Sprint("new-", i)},
		}, &sub)
		r.awaitAll(0)
		left := r.count("SELECT count(*) FROM judgements WHERE rejudging_id = $1 AND state = 'queued'", rejudging)
		if left > 0 {
			meanwhile++
		}
		began := r.count(`SELECT count(*) FROM judgements o JOIN judgements n ON n.submission_id = $1
			WHERE o.rejudging_id = $2 AND o.started_at > (SELECT created_at FROM submissions WHERE id = $1) AND o.started_at < n.started_at`, sub.ID, rejudging)
		if began > rejudgeSlots {
			r.t.Errorf("%d of the rejudging began between a new submission's creation and its start, on %d slots", began, rejudgeSlots)
		}
	}
	if meanwhile == 0 {
		r.t.Error("no new submission was judged while the rejudging was under way")
	}
	r.t.Logf("%d of %d new ones were judged while it was under way", meanwhile, rejudgeNew)
}

// checkPreview holds the preview against what is known of the sources.
func (r *rejudging) checkPreview(id string, size int) {
	r.t.Helper()
	var found api.Rejudging
	r.get("/rejudgings/"+id, nil, &found)
	want, changed := map[string]int{}, 0
	for _, source := range r.sent {
		s := rejudgeSources[source]
		want[s.before+" "+s.after]++
		if s.before != s.after {
			changed++
		}
	}
	got := map[string]int{}
	for _, p := range found.Pairs {
		got[wire.Value(p.Old)+" "+p.New] = p.Count
	}
	if diff := cmp.Diff(want, got); diff != "" || found.State != "ready" || found.Counts.Total != size || found.Counts.Changed != changed {
		r.t.Errorf("preview: %s %+v, want %d changed: %s", found.State, found.Counts, changed, diff)
	}
	seen := 0
	err := listPages(r.t.Context(), r.client, "/rejudgings/"+id+"/changes", url.Values{"limit": {"200"}}, func(c api.RejudgingChange) error {
		seen++
		s := rejudgeSources[r.sent[c.SubmissionID]]
		if wire.Value(c.Old.Verdict) != s.before || wire.Value(c.New.Verdict) != s.after || s.before == s.after {
			r.t.Errorf("%s: %s → %s, want %s → %s", c.SubmissionID, wire.Value(c.Old.Verdict), wire.Value(c.New.Verdict), s.before, s.after)
		}
		return nil
	})
	if err != nil || seen != changed {
		r.t.Errorf("%d changes, want %d: %v", seen, changed, err)
	}
	if text := r.must("rejudge", "show", id, "--changes").out; strings.Count(text, "\n") != changed+1 {
		r.t.Errorf("judge rejudge show --changes:\n%.1000s", text)
	}
}

// promise is the board as the preview says that it will be.
func (r *rejudging) promise(id string, board map[string]string) map[string]string {
	r.t.Helper()
	var moves api.RejudgingBoard
	r.get("/rejudgings/"+id+"/board", nil, &moves)
	out := maps.Clone(board)
	for _, m := range moves.Items {
		if old := standText(m.Old.Rank, m.Old.Solved, m.Old.Penalty); old != board[m.Contestant] {
			r.t.Errorf("preview of the board: %s stands at %s, it does at %s", m.Contestant, old, board[m.Contestant])
		}
		out[m.Contestant] = standText(m.New.Rank, m.New.Solved, m.New.Penalty)
	}
	if cmp.Equal(board, out) {
		r.t.Error("the preview says that nothing changes on the board")
	}
	return out
}

// forget forgets what was told so far.
func (h *heard) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts = map[string]map[string]int{}
}

// quiet asks whether nothing was told of what was judged before.
func (h *heard) quiet(t *testing.T, sent map[string]int) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range sent {
		if len(h.counts[id]) > 0 {
			t.Errorf("before it is applied, %s was told of: %v", id, h.counts[id])
		}
	}
}

// followBoard notes the events of the board, from the first on.
func (r *rejudging) followBoard() {
	ctx, cancel := context.WithCancel(r.t.Context())
	var wg sync.WaitGroup
	r.t.Cleanup(func() { cancel(); wg.Wait() })
	wg.Go(func() {
		err := r.client.follow(ctx, "/contests/finals/board/events", func(e serverEvent) (bool, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.board = append(r.board, e.kind)
			return false, nil
		})
		if err != nil && ctx.Err() == nil {
			r.t.Errorf("follow the board: %v", err)
		}
	})
}

// checkApplied: all has changed, once.
func (r *rejudging) checkApplied(h *heard, promised map[string]string) {
	r.t.Helper()
	want := map[string]string{}
	changed := 0
	for id, source := range r.sent {
		want[id] = rejudgeSources[source].after
		if rejudgeSources[source].before != want[id] {
			changed++
		}
	}
	now := r.state()
	for id, text := range now.Verdicts {
		_, now.Verdicts[id], _ = strings.Cut(text, " ")
	}
	if diff := cmp.Diff(want, now.Verdicts); diff != "" {
		r.t.Errorf("verdicts: %.2000s", diff)
	}
	for deadline := time.Now().Add(time.Minute); !cmp.Equal(promised, now.Board) && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		now = r.state()
	}
	if diff := cmp.Diff(promised, now.Board); diff != "" {
		r.t.Errorf("the board is not as promised: %s", diff)
	}
	if got := r.seenBy("viewer"); !strings.HasPrefix(got, "2 ") {
		r.t.Errorf("a viewer sees %s, want both judgements", got)
	}
	told := func() (applied, judged, others int) {
		h.mu.Lock()
		defer h.mu.Unlock()
		for id, counts := range h.counts {
			source, old := r.sent[id]
			applied += counts["rejudging.applied"]
			switch {
			case old && rejudgeSources[source].before != rejudgeSources[source].after:
				judged += counts["judgement.judged"]
			case old:
				others += len(counts)
			}
		}
		return applied, judged, others
	}
	applied, judged, others := told()
	for deadline := time.Now().Add(time.Minute); (applied < 1 || judged < changed) && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		applied, judged, others = told()
	}
	if applied != 1 || judged != changed || others != 0 {
		r.t.Errorf("told: applied %d times, %d of %d changed ones, %d events of others", applied, judged, changed, others)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Who reconnects, as after the API was killed, is told to read the board again.
	changes := 0
	for _, kind := range r.board {
		if kind == "board.changed" {
			changes++
		}
	}
	if len(r.board) == 0 || changes > 1 {
		r.t.Errorf("the board was told of as %v, want one change", r.board)
	}
}
