package leaderboard_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/leaderboard"
)

// large is a contest of 10,000 teams, 13 problems and 300,000 judgements.
func large() (judge.Contest, []judge.Attempt) {
	random := rand.New(rand.NewPCG(1, 2))
	c := judge.Contest{Name: "large", Kind: judge.ContestICPC, Start: epoch, Duration: 5 * time.Hour, Freeze: time.Hour, Penalty: 20 * time.Minute}
	for i := range 13 {
		c.Problems = append(c.Problems, judge.ContestProblem{Label: string(rune('A' + i)), Problem: fmt.Sprint("p", i)})
	}
	for i := range 10_000 {
		c.Contestants = append(c.Contestants, judge.Contestant{ID: fmt.Sprintf("team-%05d", i), Name: fmt.Sprint("Team ", i)})
	}
	attempts := make([]judge.Attempt, 300_000)
	for i := range attempts {
		verdict := judge.WA
		if random.IntN(3) == 0 {
			verdict = judge.AC
		}
		attempts[i] = judge.Attempt{
			Submission: fmt.Sprintf("0195f1a2-0000-7000-8000-%012d", i), Contestant: c.Contestants[random.IntN(10_000)].ID, Problem: c.Problems[random.IntN(13)].Problem,
			At: epoch.Add(time.Duration(i) * 60 * time.Millisecond), State: judge.Judged, Verdict: verdict,
		}
	}
	return c, attempts
}

func BenchmarkBuild(b *testing.B) {
	c, attempts := large()
	b.ReportAllocs()
	for b.Loop() {
		leaderboard.New(c, epoch).Put(attempts...)
	}
}

func BenchmarkUpdate(b *testing.B) {
	c, attempts := large()
	board := leaderboard.New(c, epoch)
	board.Put(attempts...)
	i := 0
	for b.Loop() {
		a := attempts[i%len(attempts)]
		a.Verdict = []judge.Verdict{judge.AC, judge.WA}[i/7%2]
		board.Put(a)
		i += 7919
	}
}

func BenchmarkPage(b *testing.B) {
	c, attempts := large()
	board := leaderboard.New(c, epoch)
	board.Put(attempts...)
	for b.Loop() {
		board.Page(leaderboard.Public, leaderboard.Filter{}, 5000, 100)
	}
}
