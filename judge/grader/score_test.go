package grader_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
)

// scored makes a random scoring problem of groups below secret, each with cases that
// are right, wrong or crash.
func scored(rnd *rand.Rand, settle func(secret *judge.TestGroup)) *judge.Problem {
	var cases []string
	for i := range 1 + rnd.IntN(4) {
		for k := range 1 + rnd.IntN(4) {
			what := []string{"right", "right", "right", "wrong", "crash"}[rnd.IntN(5)]
			cases = append(cases, fmt.Sprintf("secret/%c/%d:%s %d", 'a'+i, k, what, rnd.IntN(9)))
		}
	}
	p := playing(cases...)
	p.Scoring = true
	settle(&p.Root.Groups[0])
	return p
}

func played(c *judge.TestCase) string {
	_, play, _ := strings.Cut(c.Input.Ref, ":")
	what, _, _ := strings.Cut(play, " ")
	return what
}

// onSlots judges on one to four slots, and returns what all came to.
func onSlots(t *testing.T, name string, p *judge.Problem) judge.Judgement {
	t.Helper()
	var first judge.Judgement
	for slots := 1; slots <= 4; slots++ {
		synctest.Test(t, func(t *testing.T) {
			s := newSandbox(t, slots)
			s.run = plays
			got := mustJudge(t, newGrader(s), request(t, p, &script))
			if slots == 1 {
				first = got
			}
			if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("%s, %d slots: %s", name, slots, diff)
			}
		})
	}
	return first
}

// TestGroupScoring compares with a plain definition of 2025-09: every case is
// judged, and failed cases are worth nothing.
func TestGroupScoring(t *testing.T) {
	modes := []judge.Aggregation{judge.AggregatePassFail, judge.AggregateSum, judge.AggregateMin}
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		p := scored(rnd, func(secret *judge.TestGroup) {
			secret.Scoring = &judge.GroupScoring{MaxScore: 1000, Aggregation: modes[1+rnd.IntN(2)]}
			for i := range secret.Groups {
				secret.Groups[i].Scoring = &judge.GroupScoring{MaxScore: float64(10 * (i + 1)), Aggregation: modes[rnd.IntN(3)]}
				if i > 0 && rnd.IntN(3) == 0 {
					secret.Groups[i].RequirePass = []string{secret.Groups[i-1].Name}
				}
			}
		})
		p.Format = judge.Format2025
		got := onSlots(t, fmt.Sprint("seed ", seed), p)
		secret := &p.Root.Groups[0]
		var scores []float64
		passed := map[string]bool{}
		for i := range secret.Groups {
			g := &secret.Groups[i]
			right, n := 0, len(g.Cases)
			for k := range g.Cases {
				if played(&g.Cases[k]) == "right" {
					right++
				}
			}
			for _, r := range g.RequirePass {
				if !passed[r] {
					right = -1
				}
			}
			passed[g.Name] = right == n
			score := 0.0
			switch {
			case right == n:
				score = g.Scoring.MaxScore
			case right > 0 && g.Scoring.Aggregation == judge.AggregateSum:
				score = g.Scoring.MaxScore * float64(right) / float64(n)
			}
			scores = append(scores, score)
		}
		want := scores[0]
		for _, s := range scores[1:] {
			if secret.Scoring.Aggregation == judge.AggregateSum {
				want += s
			} else {
				want = math.Min(want, s)
			}
		}
		if got.Score == nil || math.Abs(*got.Score-want) > 1e-9 || len(got.Groups) != len(scores)+1 {
			t.Fatalf("seed %d: score %v of %v, want %v", seed, got.Score, got.Groups, want)
		}
		for i, s := range scores {
			if g := got.Groups[i+1]; math.Abs(*g.Score-s) > 1e-9 || (g.Verdict == judge.AC) != passed[g.Group] {
				t.Errorf("seed %d: %s %s %v, want %v", seed, g.Group, g.Verdict, *g.Score, s)
			}
		}
	}
}

// TestGrading compares with a plain definition of the legacy format.
func TestGrading(t *testing.T) {
	verdicts := []judge.VerdictMode{judge.WorstError, judge.FirstError, judge.AlwaysAccept}
	scores := []judge.ScoreMode{judge.ScoreSum, judge.ScoreAvg, judge.ScoreMin, judge.ScoreMax}
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		settle := func(g *judge.TestGroup) {
			g.ContinueReject = rnd.IntN(2) == 0
			g.Grading = &judge.Grading{
				Verdict: verdicts[rnd.IntN(3)], Score: scores[rnd.IntN(4)], AnyAccepted: rnd.IntN(3) == 0,
				AcceptScore: float64(1 + rnd.IntN(5)), RejectScore: float64(rnd.IntN(2)), Low: math.Inf(-1), High: math.Inf(1),
			}
		}
		p := scored(rnd, func(secret *judge.TestGroup) {
			settle(secret)
			for i := range secret.Groups {
				settle(&secret.Groups[i])
			}
		})
		settle(&p.Root)
		got := onSlots(t, fmt.Sprint("seed ", seed), p)
		verdict, score := graded(&p.Root)
		if got.Verdict != verdict || got.Score == nil || math.Abs(*got.Score-score) > 1e-9 {
			t.Fatalf("seed %d: %s %v, want %s %v", seed, got.Verdict, got.Score, verdict, score)
		}
	}
}

// graded is the slow definition: no case is left out but by on_reject.
func graded(g *judge.TestGroup) (judge.Verdict, float64) {
	var verdicts []judge.Verdict
	var scores []float64
	add := func(v judge.Verdict, s float64) bool {
		verdicts, scores = append(verdicts, v), append(scores, s)
		return v == judge.AC || g.ContinueReject
	}
	rules := g.Grading
	for i := range g.Cases {
		v, s := judge.AC, rules.AcceptScore
		switch played(&g.Cases[i]) {
		case "wrong":
			v, s = judge.WA, rules.RejectScore
		case "crash":
			v, s = judge.RE, rules.RejectScore
		}
		if !add(v, s) {
			break
		}
	}
	for i := range g.Groups {
		if !add(graded(&g.Groups[i])) {
			break
		}
	}
	verdict, accepted := judge.AC, false
	for _, v := range verdicts {
		accepted = accepted || v == judge.AC
		if v != judge.AC && (verdict == judge.AC || rules.Verdict == judge.WorstError && v == judge.RE) {
			verdict = v
		}
	}
	if rules.Verdict == judge.AlwaysAccept || rules.AnyAccepted && accepted {
		verdict = judge.AC
	}
	if verdict != judge.AC {
		return verdict, rules.RejectScore
	}
	total := scores[0]
	for _, s := range scores[1:] {
		switch rules.Score {
		case judge.ScoreMin:
			total = math.Min(total, s)
		case judge.ScoreMax:
			total = math.Max(total, s)
		case judge.ScoreSum, judge.ScoreAvg:
			total += s
		}
	}
	if rules.Score == judge.ScoreAvg {
		total /= float64(len(scores))
	}
	return verdict, total
}
