package leaderboard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/leaderboard"
)

// Boards worked out by hand from the rules that real contests have published:
// testdata/*.txt. Each begins with the rule and where it stands, then has the
// contest, what happens, and in between what the board shows. A line
// "MINUTES[:SECONDS] TEAM PROBLEM VERDICT [POINTS/OF ...]" is a submission, and the
// same submission judged anew where its first three words were there before.
// Expected rows are "RANK TEAM SOLVED PENALTY CELLS" (IOI: "RANK TEAM SCORE CELLS",
// practice: "RANK TEAM SOLVED SCORE CELLS"), cells "A:ATTEMPTS+PENDING@MINUTE*" with
// * for the first to solve, "A:POINTS#ATTEMPTS+PENDING@MINUTE!" with ! for solved.

func TestPublishedRules(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			g := &golden{t: t, now: epoch.Add(200_000 * time.Minute), last: map[string]judge.Attempt{}}
			g.c = judge.Contest{Name: "golden", Start: epoch, Kind: judge.ContestPractice}
			for n, line := range strings.Split(string(data), "\n") {
				g.n = n + 1
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
					g.line(strings.Fields(line))
				}
			}
			g.settle()
			if g.compared == 0 {
				t.Error("nothing was expected")
			}
		})
	}
}

// golden is a file that is being read.
type golden struct {
	t        *testing.T
	n        int // line
	now      time.Time
	c        judge.Contest
	b        *leaderboard.Board // nil while the contest is described
	all      []judge.Attempt
	last     map[string]judge.Attempt
	expect   *leaderboard.View
	want     []string
	compared int
}

func (g *golden) line(words []string) {
	g.t.Helper()
	if g.expect != nil {
		if _, err := strconv.Atoi(words[0]); (err == nil || words[0] == "-") && len(words) > 3 && strings.Contains(words[len(words)-1], ":") {
			g.want = append(g.want, strings.Join(words, " "))
			return
		}
		g.settle()
	}
	switch words[0] {
	case "kind":
		g.c.Kind = judge.ContestKind(words[1])
	case "length":
		g.c.Duration = g.minutes(words[1])
	case "freeze":
		g.c.Freeze = g.minutes(words[1])
	case "penalty":
		g.c.Penalty = g.minutes(words[1])
	case "subtasks":
		g.c.SubtaskBest = true
	case "hold":
		g.c.HoldResults = true
	case "pause":
		g.c.Pauses = append(g.c.Pauses, judge.Pause{From: epoch.Add(g.minutes(words[1])), Until: epoch.Add(g.minutes(words[2]))})
	case "problems":
		for _, w := range words[1:] {
			label, points, _ := strings.Cut(w, "=")
			p := judge.ContestProblem{Label: label, Problem: "problem " + label}
			if points != "" {
				p.Points = g.number(points)
			}
			g.c.Problems = append(g.c.Problems, p)
		}
	case "team":
		g.team(words[1:])
	case "thaw":
		g.c.Thawed = g.now
		g.rebuild()
	case "release":
		g.c.Released = g.now
		g.rebuild()
	case "expect":
		g.begin()
		view := map[string]leaderboard.View{"public": leaderboard.Public, "jury": leaderboard.Jury}[words[1]]
		g.expect, g.want = &view, nil
	default:
		g.begin()
		g.submission(words)
	}
}

func (g *golden) begin() {
	if g.b == nil {
		g.rebuild()
	}
}

func (g *golden) rebuild() {
	g.b = leaderboard.New(g.c, g.now)
	g.b.Put(g.all...)
}

func (g *golden) team(words []string) {
	p := judge.Contestant{ID: words[0], Name: words[0]}
	for i, w := range words {
		switch w {
		case "hidden":
			p.Hidden = true
		case "disqualified":
			p.Disqualified = true
		case "start":
			p.Start = epoch.Add(g.minutes(words[i+1]))
		case "extra":
			p.Extra = g.minutes(words[i+1])
		}
	}
	g.c.Contestants = append(g.c.Contestants, p)
}

func (g *golden) submission(words []string) {
	g.t.Helper()
	if len(words) < 4 {
		g.t.Fatalf("line %d: %q says nothing", g.n, words)
	}
	name := strings.Join(words[:3], " ")
	a, again := g.last[name]
	if !again {
		a = judge.Attempt{
			Submission: fmt.Sprintf("%03d", len(g.last)), At: epoch.Add(g.minutes(words[0])), Contestant: words[1], Problem: "problem " + words[2],
		}
	}
	a.State, a.Verdict, a.Score, a.Groups = judge.Judged, judge.Verdict(words[3]), nil, nil
	switch words[3] {
	case "queued":
		a.State, a.Verdict = judge.Queued, ""
	case "ignored":
		a.Verdict, a.Ignored = judge.AC, true
	default:
		if !a.Verdict.Valid() {
			g.t.Fatalf("line %d: %q is no verdict", g.n, words[3])
		}
	}
	for i, w := range words[4:] {
		part, of, _ := strings.Cut(w, "/")
		score, highest := g.number(part), g.number(of)
		a.Groups = append(a.Groups, judge.GroupResult{Group: fmt.Sprint("secret/subtask", i+1), Score: &score, MaxScore: &highest})
		sum := score
		if a.Score != nil {
			sum += *a.Score
		}
		a.Score = &sum
	}
	g.last[name] = a
	g.all = slices.DeleteFunc(g.all, func(o judge.Attempt) bool { return o.Submission == a.Submission })
	g.all = append(g.all, a)
	g.b.Put(a)
}

func (g *golden) settle() {
	g.t.Helper()
	if g.expect == nil {
		return
	}
	rows, _ := g.b.Page(*g.expect, leaderboard.Filter{}, 0, -1)
	var got []string
	for _, r := range rows {
		got = append(got, g.rowText(&r))
	}
	if diff := cmp.Diff(g.want, got); diff != "" {
		g.t.Errorf("before line %d (-want +got):\n%s", g.n, diff)
	}
	g.expect = nil
	g.compared++
}

func (g *golden) rowText(r *leaderboard.Row) string {
	words := []string{"-", r.Contestant.ID}
	if r.Rank > 0 {
		words[0] = fmt.Sprint(r.Rank)
	}
	switch g.c.Kind {
	case judge.ContestICPC:
		words = append(words, fmt.Sprint(r.Solved), fmt.Sprint(r.Penalty))
	case judge.ContestIOI:
		words = append(words, fmt.Sprint(r.Score))
	case judge.ContestPractice:
		words = append(words, fmt.Sprint(r.Solved), fmt.Sprint(r.Score))
	}
	for i, c := range r.Cells {
		text := g.c.Problems[i].Label + ":"
		if c.Attempts+c.Pending == 0 {
			words = append(words, text+"-")
			continue
		}
		if c.Score > 0 {
			text += fmt.Sprint(c.Score) + "#"
		}
		text += fmt.Sprint(c.Attempts)
		if c.Pending > 0 {
			text += fmt.Sprint("+", c.Pending)
		}
		if c.Time >= 0 {
			text += fmt.Sprint("@", int(c.Time/time.Minute))
		}
		if c.First {
			text += "*"
		}
		if c.Solved && g.c.Kind != judge.ContestICPC {
			text += "!"
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

func (g *golden) minutes(text string) time.Duration {
	g.t.Helper()
	whole, seconds, _ := strings.Cut(text, ":")
	d := time.Duration(g.number(whole) * float64(time.Minute))
	if seconds != "" {
		d += time.Duration(g.number(seconds) * float64(time.Second))
	}
	return d
}

func (g *golden) number(text string) float64 {
	g.t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		g.t.Fatalf("line %d: %v", g.n, err)
	}
	return n
}
