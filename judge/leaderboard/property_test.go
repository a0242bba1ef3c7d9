package leaderboard_test

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"judge/judge"
	"judge/judge/leaderboard"
)

// histories is how many random histories the fold is held to the slow definition
// on, where nobody asks for another number.
const histories = 10_000

// TestSlowDefinition: after each step of a random history the board is what the
// slow definition makes of all attempts as they are then, in all views, and who
// follows the changes has the same order.
func TestSlowDefinition(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue && !testing.Short() {
		if err := checks.Value.Set(fmt.Sprint(histories)); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = checks.Value.Set(checks.DefValue) }()
	}
	rapid.Check(t, func(t *rapid.T) {
		c := drawContest(t)
		now := epoch.Add(time.Duration(rapid.IntRange(0, 900).Draw(t, "now")) * time.Second)
		some := c
		late := rapid.IntRange(0, len(c.Contestants)).Draw(t, "late")
		some.Contestants = c.Contestants[:late]
		b := leaderboard.New(some, now)
		b.Join(c.Contestants[late:]...)
		all := map[string]judge.Attempt{}
		followed := orders(b)
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			var batch []judge.Attempt
			for range rapid.IntRange(1, 6).Draw(t, "batch") {
				a := drawAttempt(t, &c)
				if old, again := all[a.Submission]; again { // these never change
					a.Contestant, a.Problem, a.At = old.Contestant, old.Problem, old.At
				}
				all[a.Submission] = a
				batch = append(batch, a)
			}
			changes, whole := b.Put(batch...)
			if whole {
				t.Fatal("so few changes cannot be too many")
			}
			follow(followed, changes)
			if !reflect.DeepEqual(orders(b), followed) {
				t.Fatalf("who follows the changes has another order (-want +got):\n%s", cmp.Diff(orders(b), followed))
			}
			compare(t, &c, b, now, all)
		}
		// Read at once, in one go.
		again := leaderboard.New(c, now)
		var list []judge.Attempt
		for _, a := range all {
			list = append(list, a)
		}
		again.Put(list...)
		compare(t, &c, again, now, all)
	})
}

func compare(t *rapid.T, c *judge.Contest, b *leaderboard.Board, now time.Time, all map[string]judge.Attempt) {
	t.Helper()
	for _, v := range []leaderboard.View{leaderboard.Public, leaderboard.Final, leaderboard.Jury} {
		want := slowBoard(c, v, now, all)
		got, total := b.Page(v, leaderboard.Filter{}, 0, -1)
		if !reflect.DeepEqual(want, shown(got)) || total != len(want) { // cmp.Diff takes ten times as long
			t.Fatalf("view %d at %s, total %d (-want +got):\n%s", v, now.Format(time.TimeOnly), total, cmp.Diff(want, shown(got)))
		}
	}
}

// shown is a page as the slow definition writes it.
func shown(rows []leaderboard.Row) []slowRow {
	var out []slowRow
	for _, r := range rows {
		s := slowRow{ID: r.Contestant.ID, Rank: r.Rank, Solved: r.Solved, Penalty: r.Penalty, Score: r.Score, Last: r.Last}
		for _, c := range r.Cells {
			cell := slowCell{Attempts: c.Attempts, Pending: c.Pending, Solved: c.Solved, First: c.First, Time: c.Time, Penalty: c.Penalty, Score: c.Score}
			if c.Groups != nil {
				cell.Groups = map[string]float64{}
			}
			for _, g := range c.Groups {
				cell.Groups[g.Group] = g.Score
			}
			s.Cells = append(s.Cells, cell)
		}
		out = append(out, s)
	}
	return out
}

// orders are the contestants of each view, in order.
func orders(b *leaderboard.Board) map[leaderboard.View][]string {
	out := map[leaderboard.View][]string{}
	for _, v := range []leaderboard.View{leaderboard.Public, leaderboard.Final, leaderboard.Jury} {
		rows, _ := b.Page(v, leaderboard.Filter{}, 0, -1)
		for _, r := range rows {
			out[v] = append(out[v], r.Contestant.ID)
		}
	}
	return out
}

// follow does what a client does that holds the board.
func follow(orders map[leaderboard.View][]string, changes []leaderboard.Change) {
	for _, c := range changes {
		orders[c.View] = slices.DeleteFunc(orders[c.View], func(id string) bool { return id == c.Contestant })
	}
	for _, c := range changes {
		orders[c.View] = slices.Insert(orders[c.View], c.To, c.Contestant)
	}
}

var epoch = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)

func drawContest(t *rapid.T) judge.Contest {
	second := func(name string, low, high int) time.Duration {
		return time.Duration(rapid.IntRange(low, high).Draw(t, name)) * time.Second
	}
	maybe := func(name string) bool { return rapid.IntRange(0, 2).Draw(t, name) == 0 }
	c := judge.Contest{
		Name: "c", Kind: rapid.SampledFrom([]judge.ContestKind{judge.ContestICPC, judge.ContestICPC, judge.ContestIOI, judge.ContestPractice}).Draw(t, "kind"),
		Start: epoch.Add(second("start", 0, 30)), Duration: second("duration", 60, 400), Penalty: time.Duration(rapid.IntRange(0, 2).Draw(t, "penalty")) * 10 * time.Minute,
		SubtaskBest: rapid.Bool().Draw(t, "subtasks"), HoldResults: rapid.IntRange(0, 7).Draw(t, "hold") == 0,
	}
	if maybe("freezes") {
		c.Freeze = second("freeze", 1, 420)
	}
	if maybe("thaws") {
		c.Thawed = epoch.Add(second("thawed", 0, 900))
	}
	if maybe("releases") {
		c.Released = epoch.Add(second("released", 0, 900))
	}
	if rapid.IntRange(0, 7).Draw(t, "feedback") == 0 {
		c.Feedback = judge.FeedbackNone
	}
	if maybe("costs") {
		c.PenaltyVerdicts = []judge.Verdict{judge.WA}
	}
	from := epoch
	for i := range rapid.IntRange(0, 2).Draw(t, "pauses") {
		from = from.Add(second("running", 1, 150))
		p := judge.Pause{From: from, Until: from.Add(second("pause", 1, 60))}
		if from = p.Until; i == 1 && maybe("lasts") {
			p.Until = time.Time{}
		}
		c.Pauses = append(c.Pauses, p)
	}
	for _, label := range []string{"A", "B", "C"} {
		p := judge.ContestProblem{Label: label, Problem: "p" + label}
		if maybe("points") {
			p.Points = 30
		}
		c.Problems = append(c.Problems, p)
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "contestants") {
		p := judge.Contestant{ID: fmt.Sprint("t", i), Name: fmt.Sprint("Team ", i%3), Hidden: maybe("hidden"), Disqualified: maybe("disqualified")}
		if maybe("own") {
			p.Start = epoch.Add(second("own start", 0, 200))
		}
		if maybe("longer") {
			p.Extra = second("extra", 1, 100)
		}
		c.Contestants = append(c.Contestants, p)
	}
	return c
}

func drawAttempt(t *rapid.T, c *judge.Contest) judge.Attempt {
	a := judge.Attempt{
		Submission: fmt.Sprintf("s%02d", rapid.IntRange(0, 25).Draw(t, "submission")),
		Contestant: fmt.Sprint("t", rapid.IntRange(0, 6).Draw(t, "contestant")),
		Problem:    rapid.SampledFrom([]string{"pA", "pA", "pB", "pC", "other"}).Draw(t, "problem"),
		At:         epoch.Add(time.Duration(rapid.IntRange(0, 700).Draw(t, "at")) * time.Second),
		State:      rapid.SampledFrom([]judge.State{judge.Judged, judge.Judged, judge.Judged, judge.Queued, judge.Cancelled}).Draw(t, "state"),
		Ignored:    rapid.IntRange(0, 9).Draw(t, "ignored") == 0,
	}
	if a.State != judge.Judged {
		return a
	}
	a.Verdict = rapid.SampledFrom([]judge.Verdict{judge.AC, judge.AC, judge.WA, judge.TLE, judge.CE, judge.JE}).Draw(t, "verdict")
	if c.Kind == judge.ContestICPC || rapid.IntRange(0, 3).Draw(t, "pass-fail") == 0 {
		return a
	}
	full, sum := 90.0, 0.0
	for i := range rapid.IntRange(0, 3).Draw(t, "groups") {
		score, highest := float64(rapid.IntRange(0, 30).Draw(t, "score"))+0.1, 30.1
		sum += score
		a.Groups = append(a.Groups, judge.GroupResult{Group: fmt.Sprintf("secret/g%d", i), Score: &score, MaxScore: &highest})
	}
	a.Groups = append(a.Groups, judge.GroupResult{Group: "secret", Score: &sum, MaxScore: &full})
	a.Score = &sum
	return a
}
