package rejudge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/rejudge"
)

// runs reads runs written as case:verdict or case:verdict:score.
func runs(text string) (out []judge.Run) {
	for i, word := range strings.Fields(text) {
		parts := strings.Split(word, ":")
		r := judge.Run{Ordinal: i + 1, Case: parts[0], Verdict: judge.Verdict(parts[1])}
		if len(parts) > 2 {
			var score float64
			_, _ = fmt.Sscan(parts[2], &score)
			r.Score = &score
		}
		out = append(out, r)
	}
	return out
}

func TestRuns(t *testing.T) {
	for name, test := range map[string]struct{ before, after, want string }{
		"same":           {"a:AC b:WA", "a:AC b:WA", "a AC AC, b WA WA"},
		"verdict":        {"a:AC b:WA", "a:AC b:AC c:TLE", "a AC AC, b WA AC *, c - TLE *"},
		"sooner":         {"a:AC b:AC c:AC", "a:WA", "a AC WA *, b AC - *, c AC - *"},
		"new case":       {"a:AC c:AC", "a:AC b:WA", "a AC AC, b - WA *, c AC - *"},
		"score":          {"a:AC:1 b:AC:2", "a:AC:1 b:AC:3", "a AC AC, b AC AC *"},
		"scored now":     {"a:AC", "a:AC:3", "a AC AC *"},
		"nothing ran":    {"", "a:AC", "a - AC *"},
		"nothing at all": {"", "", ""},
		"names hidden":   {":AC :WA", ":AC", " AC AC,  WA - *"},
	} {
		var got []string
		for _, p := range rejudge.Runs(runs(test.before), runs(test.after)) {
			side := func(r *judge.Run) string {
				if r == nil {
					return "-"
				}
				return string(r.Verdict)
			}
			text := p.Case + " " + side(p.Old) + " " + side(p.New)
			if p.Differs {
				text += " *"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func contest(kind judge.ContestKind) judge.Contest {
	return judge.Contest{
		Name: "finals", Kind: kind, Start: start, Duration: 5 * time.Hour, Penalty: 20 * time.Minute,
		Problems:    []judge.ContestProblem{{Label: "A", Problem: "apple"}, {Label: "B", Problem: "banana"}},
		Contestants: []judge.Contestant{{ID: "x"}, {ID: "y"}, {ID: "z"}},
	}
}

// attempts reads attempts written as id:contestant:problem:minute:verdict.
func attempts(text string) (out []judge.Attempt) {
	for word := range strings.FieldsSeq(text) {
		p := strings.Split(word, ":")
		var minute int
		_, _ = fmt.Sscan(p[3], &minute)
		a := judge.Attempt{Submission: p[0], Contestant: p[1], Problem: p[2], At: start.Add(time.Duration(minute) * time.Minute), State: judge.Judged, Verdict: judge.Verdict(p[4])}
		if len(p) > 5 {
			var score float64
			_, _ = fmt.Sscan(p[5], &score)
			a.Score = &score
		}
		out = append(out, a)
	}
	return out
}

func TestMoves(t *testing.T) {
	for name, test := range map[string]struct {
		kind              judge.ContestKind
		attempts, instead string
		want              string
	}{
		"nothing changes": {judge.ContestICPC, "1:x:apple:10:AC 2:y:apple:20:AC", "1:x:apple:10:AC", ""},
		"one falls, others rise": {
			judge.ContestICPC, "1:x:apple:10:AC 2:y:apple:20:AC 3:z:apple:30:WA", "1:x:apple:10:WA",
			"y 2→1 1/20→1/20 [A], x 1→2 1/10→0/0 [A], z 3→2 0/0→0/0 []",
		},
		"penalty alone": {
			judge.ContestICPC, "1:x:apple:5:WA 2:x:apple:10:AC 3:y:apple:20:AC", "1:x:apple:5:CE",
			"x 2→1 1/30→1/10 [A], y 1→2 1/20→1/20 []",
		},
		"first to solve moves": {
			judge.ContestICPC, "1:x:apple:10:AC 2:y:apple:20:AC 3:x:banana:25:AC", "1:x:apple:10:WA",
			"y 2→1 1/20→1/20 [A], x 1→2 2/35→1/25 [A]",
		},
		"points": {
			judge.ContestIOI, "1:x:apple:10:AC:50 2:y:apple:20:AC:60", "1:x:apple:10:AC:70",
			"x 2→1 50→70 [A], y 1→2 60→60 []",
		},
	} {
		var got []string
		for _, m := range rejudge.Moves(contest(test.kind), start.Add(6*time.Hour), attempts(test.attempts), attempts(test.instead)) {
			result := fmt.Sprintf("%d/%d→%d/%d", m.Old.Solved, m.Old.Penalty, m.New.Solved, m.New.Penalty)
			if test.kind == judge.ContestIOI {
				result = fmt.Sprintf("%v→%v", m.Old.Score, m.New.Score)
			}
			got = append(got, fmt.Sprintf("%s %d→%d %s %v", m.Contestant().ID, m.Old.Rank, m.New.Rank, result, m.Problems))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
