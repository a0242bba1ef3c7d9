package grader_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

// plays runs each case as its input says: "right", "wrong" or "crash", after
// the milliseconds that follow. A run that is cancelled ends at once.
func plays(c *call) (runner.Result, error) {
	_, play, _ := strings.Cut(c.input, ":")
	var what string
	var ms int
	if _, err := fmt.Sscan(play, &what, &ms); err != nil {
		return runner.Result{}, err
	}
	res := ok()
	res.CPU += time.Duration(ms) // for the maxima
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
	case <-c.ctx.Done():
		return runner.Result{}, c.ctx.Err()
	}
	switch what {
	case "right":
		c.print("yes")
	case "crash":
		res.ExitCode = 1
	}
	return res, nil
}

// playing is a problem whose cases are played.
func playing(plays ...string) *judge.Problem {
	names := make([]string, len(plays))
	for i := range plays {
		names[i], _, _ = strings.Cut(plays[i], ":")
	}
	p := problem(names...)
	i := 0
	var walk func(g *judge.TestGroup)
	walk = func(g *judge.TestGroup) {
		for k := range g.Cases {
			g.Cases[k].Input.Ref, g.Cases[k].Answer.Ref = plays[i], "yes"
			i++
		}
		for k := range g.Groups {
			walk(&g.Groups[k])
		}
	}
	walk(&p.Root)
	return p
}

func TestWhichCases(t *testing.T) {
	cases := []string{
		"sample/1:right 1", "secret/a/1:right 1", "secret/a/2:wrong 1", "secret/a/3:crash 1", "secret/a/4:right 1", "secret/b/1:right 1",
	}
	goOn := func(names ...string) func(*judge.Problem) {
		return func(p *judge.Problem) {
			var walk func(g *judge.TestGroup)
			walk = func(g *judge.TestGroup) {
				for _, n := range names {
					g.ContinueReject = g.ContinueReject || g.Name == n
				}
				for i := range g.Groups {
					walk(&g.Groups[i])
				}
			}
			walk(&p.Root)
		}
	}
	upTo2 := "WA: sample/1=AC secret/a/1=AC secret/a/2=WA"
	upTo4 := upTo2 + " secret/a/3=RE secret/a/4=AC"
	tests := []struct {
		name    string
		problem func(*judge.Problem)
		options grader.Options
		want    string
	}{
		{name: "the first that is not accepted ends it", want: upTo2},
		{name: "all", options: grader.Options{All: true}, want: upTo4 + " secret/b/1=AC"},
		{name: "a group that goes on", problem: goOn("secret/a"), want: upTo4},
		{name: "all groups go on", problem: goOn("secret/a", "secret", ""), want: upTo4 + " secret/b/1=AC"},
		{name: "the group above goes on, but not this one", problem: goOn("secret", ""), want: upTo2},
		{name: "some cases, in the problem's order", options: grader.Options{Cases: []string{"secret/a/3", "sample/1"}}, want: "RE: sample/1=AC secret/a/3=RE"},
		{name: "a group", options: grader.Options{Cases: []string{"secret/b/", "secret/a/4"}}, want: "AC: secret/a/4=AC secret/b/1=AC"},
	}
	for _, tt := range tests {
		for slots := 1; slots <= 4; slots++ {
			t.Run(fmt.Sprintf("%s/%d slots", tt.name, slots), func(t *testing.T) {
				s := newSandbox(t, slots)
				s.run = plays
				p := playing(cases...)
				if tt.problem != nil {
					tt.problem(p)
				}
				req := request(t, p, &script)
				req.Options = tt.options
				j := mustJudge(t, newGrader(s), req)
				if got := verdicts(j); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
				for _, r := range j.Runs {
					if r.Case == "secret/b/1" && r.Ordinal != 6 {
						t.Errorf("ordinal %d, want the one in the problem, 6", r.Ordinal)
					}
				}
			})
		}
	}
}

// TestSlotsChangeNothing: whatever the cases do and however long they take, the
// judgement is the same on any number of slots.
func TestSlotsChangeNothing(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		var cases []string
		for i := range 1 + rnd.IntN(20) {
			what := "right"
			if n := rnd.IntN(12); n < 2 {
				what = []string{"wrong", "crash"}[n]
			}
			cases = append(cases, fmt.Sprintf("secret/%c/%02d:%s %d", 'a'+i/5, i, what, rnd.IntN(20)))
		}
		p := playing(cases...)
		for i := range p.Root.Groups[0].Groups {
			p.Root.Groups[0].Groups[i].ContinueReject = rnd.IntN(2) == 0
		}
		p.Root.Groups[0].ContinueReject = rnd.IntN(2) == 0
		options := grader.Options{All: rnd.IntN(4) == 0}
		var first judge.Judgement
		for slots := 1; slots <= 5; slots++ {
			synctest.Test(t, func(t *testing.T) {
				s := newSandbox(t, slots)
				s.run = plays
				req := request(t, p, &script)
				req.Options = options
				got := mustJudge(t, newGrader(s), req)
				if slots == 1 {
					first = got
				}
				if diff := cmp.Diff(first, got); diff != "" {
					t.Errorf("seed %d, %d slots: %s", seed, slots, diff)
				}
			})
		}
	}
}

func TestSlotsHelp(t *testing.T) {
	cases := make([]string, 8)
	for i := range cases {
		cases[i] = fmt.Sprintf("secret/%d:right 100", i)
	}
	tests := []struct {
		slots, most int
		took        time.Duration
		peak        int
	}{
		{1, 0, 800 * time.Millisecond, 1},
		{4, 0, 200 * time.Millisecond, 4},
		{4, 2, 400 * time.Millisecond, 2},
		{4, 1, 800 * time.Millisecond, 1},
		{20, 0, 100 * time.Millisecond, 8},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d slots at most %d", tt.slots, tt.most), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSandbox(t, tt.slots)
				s.run = plays
				req := request(t, playing(cases...), &script)
				req.MaxSlots = tt.most
				start := time.Now()
				if j := mustJudge(t, newGrader(s), req); j.Verdict != judge.AC || len(j.Runs) != 8 {
					t.Errorf("%s with %d runs", j.Verdict, len(j.Runs))
				}
				if took := time.Since(start); took != tt.took || s.peak != tt.peak {
					t.Errorf("took %v on %d slots, want %v on %d", took, s.peak, tt.took, tt.peak)
				}
			})
		})
	}
}

// TestSlotsGoBackEarly: a worker that finds no more cases gives its slot to the
// next judgement while the last case still runs.
func TestSlotsGoBackEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSandbox(t, 3)
		s.run = plays
		p := playing("secret/1:right 100", "secret/2:right 200", "secret/3:right 1000")
		g, req := newGrader(s), request(t, p, &script)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := g.Judge(t.Context(), req, nil); err != nil {
				t.Error(err)
			}
		})
		for i, want := range []int{0, 1, 2} { // at 50, 150 and 250 ms
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			if got := len(s.idle); got != want {
				t.Errorf("%d idle slots after %d cases have ended, want %d", got, i, want)
			}
			time.Sleep(50 * time.Millisecond)
		}
		wg.Wait()
	})
}

// TestRunsAheadAreStopped: when an early case decides, later ones under way do
// not go on, and nothing waits for them.
func TestRunsAheadAreStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSandbox(t, 4)
		s.run = plays
		p := playing("secret/1:wrong 10", "secret/2:right 100000", "secret/3:crash 1", "secret/4:right 100000", "secret/5:right 1")
		start := time.Now()
		j := mustJudge(t, newGrader(s), request(t, p, &script))
		if got := verdicts(j); got != "WA: secret/1=WA" {
			t.Error(got)
		}
		if took := time.Since(start); took != 10*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSandbox(t, 2)
		s.run = plays
		req := request(t, playing("sample/1:right 10", "secret/1:right 5", "secret/2:wrong 20", "secret/3:right 1"), &lang)
		var got []string
		var last *judge.Judgement
		j, err := newGrader(s).Judge(t.Context(), req, func(e grader.Event) {
			text := fmt.Sprintf("%s %d", e.State, e.Cases)
			switch {
			case e.Compile != nil:
				text += " compiled"
			case e.Run != nil:
				text += " " + e.Run.Case
			case e.Judgement != nil:
				text += " " + string(e.Judgement.Verdict)
				last = e.Judgement
			}
			got = append(got, text)
		})
		if err != nil {
			t.Fatal(err)
		}
		// secret/3 is made ahead and does not count in the end.
		want := []string{
			"compiling 4", "running 4 compiled", "running 4 secret/1", "running 4 sample/1",
			"running 4 secret/3", "running 4 secret/2", "judged 4 WA",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(&j, last); diff != "" || len(j.Runs) != 3 {
			t.Error(diff, len(j.Runs))
		}
	})
}

func TestCancel(t *testing.T) {
	for slots := 1; slots <= 3; slots++ {
		for ms := range 8 {
			synctest.Test(t, func(t *testing.T) {
				s := newSandbox(t, slots)
				s.run = plays
				s.compile = func(c *call) (runner.Result, error) {
					select {
					case <-time.After(3 * time.Millisecond):
					case <-c.ctx.Done():
						return runner.Result{}, c.ctx.Err()
					}
					c.box.work["main"] = nil
					return ok(), nil
				}
				req := request(t, playing("secret/1:right 2", "secret/2:right 1000000", "secret/3:right 5"), &lang)
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(ms)*time.Millisecond)
				defer cancel()
				j, err := newGrader(s).Judge(ctx, req, nil)
				if !errors.Is(err, context.DeadlineExceeded) || j.Verdict != "" {
					t.Errorf("after %d ms: %v and verdict %q", ms, err, j.Verdict)
				}
			})
		}
	}
}

func TestCancelWhileWaitingForASlot(t *testing.T) {
	s := newSandbox(t, 1)
	slot, err := s.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer slot.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newGrader(s).Judge(ctx, request(t, problem("secret/1"), &lang), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
