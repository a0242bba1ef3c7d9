//go:build postgres

package work_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"judge/judge"
	"judge/judge/work"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	hopeless := errors.New("bad package")
	tests := map[string]struct {
		judge   func(attempt int) (judge.Judgement, error)
		attempt int // so many were made before
		verdict judge.Verdict
		made    int
		message string
	}{
		"passes": {
			judge: func(n int) (judge.Judgement, error) {
				if n == 1 {
					return judge.Judgement{}, errors.New("a moment")
				}
				return judge.Judgement{Verdict: judge.WA}, nil
			}, verdict: judge.WA, made: 2,
		},
		"panics": {
			judge: func(n int) (judge.Judgement, error) {
				if n == 1 {
					panic("at the disco")
				}
				return judge.Judgement{Verdict: judge.AC}, nil
			}, verdict: judge.AC, made: 2,
		},
		"source": {judge: func(int) (judge.Judgement, error) {
			return judge.Judgement{}, fmt.Errorf("%w: no main", judge.ErrSource)
		}, verdict: judge.CE, made: 1},
		"problem": {judge: func(int) (judge.Judgement, error) { return judge.Judgement{}, hopeless }, verdict: judge.JE, made: 1, message: "bad package"},
		"too often": {
			judge:   func(int) (judge.Judgement, error) { return judge.Judgement{}, errors.New("no image") },
			attempt: work.MaxAttempts - 1, verdict: judge.JE, made: work.MaxAttempts, message: "no image",
		},
		"judging error": {
			judge: func(int) (judge.Judgement, error) {
				return judge.Judgement{Verdict: judge.JE, Message: "box broke"}, nil
			},
			attempt: 1, verdict: judge.JE, made: 3, message: "box broke",
		},
		"cannot be kept": {
			judge: func(int) (judge.Judgement, error) {
				return judge.Judgement{Verdict: judge.AC, Message: "NUL \x00"}, nil
			}, verdict: judge.JE, made: 1, message: "could not be kept",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			id := w.submit(t, "ada", judge.PriorityContest).ID
			if _, err := w.Pool().Exec(t.Context(), "UPDATE judgements SET attempt = $1", test.attempt); err != nil {
				t.Fatal(err)
			}
			c := config(w.records, 1, func(_ context.Context, task judge.Task, _ func(work.Progress)) (judge.Judgement, error) {
				return test.judge(task.Attempt)
			})
			c.Hopeless = func(err error) bool { return errors.Is(err, hopeless) }
			start(t, c)
			j := w.await(t, id)
			if j.Verdict != test.verdict || j.Attempt != test.made || !strings.Contains(j.Message, test.message) {
				t.Errorf("%s after %d attempts, %q", j.Verdict, j.Attempt, j.Message)
			}
			if j.Verdict == judge.CE && (j.Compile == nil || !strings.Contains(j.Compile.Output, "no main")) {
				t.Errorf("compilation %+v", j.Compile)
			}
		})
	}
}

func TestBrokenBlocksNobody(t *testing.T) {
	w := newWorld(t)
	start(t, config(w.records, 1, func(ctx context.Context, task judge.Task, on func(work.Progress)) (judge.Judgement, error) {
		if task.Submission.Submitter.ID == "broken" {
			return judge.Judgement{}, errors.New("no image")
		}
		return accept(ctx, task, on)
	}))
	for range 20 {
		w.submit(t, "broken", judge.PriorityContest)
	}
	for range 5 {
		if j := w.await(t, w.submit(t, "ada", judge.PriorityPractice).ID); j.Verdict != judge.AC {
			t.Errorf("%+v", j)
		}
	}
}

func TestNotReady(t *testing.T) {
	w := newWorld(t)
	var away atomic.Bool
	away.Store(true)
	var asked sync.Once
	wasAsked := make(chan struct{})
	c := config(w.records, 2, func(ctx context.Context, task judge.Task, on func(work.Progress)) (judge.Judgement, error) {
		if away.Load() {
			return judge.Judgement{}, errors.New("cannot dial")
		}
		return accept(ctx, task, on)
	})
	c.Ready = func(context.Context) error {
		if !away.Load() {
			return nil
		}
		asked.Do(func() { close(wasAsked) })
		return errors.New("the engine does not answer")
	}
	n := start(t, c)
	ids := []string{w.submit(t, "ada", judge.PriorityContest).ID}
	<-wasAsked
	for range 5 {
		ids = append(ids, w.submit(t, "bob", judge.PriorityContest).ID)
	}
	waitBeat(t, w, n.id)
	waitBeat(t, w, n.id)
	away.Store(false)
	for _, id := range ids {
		if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt > 2 {
			t.Errorf("%s after %d attempts", j.Verdict, j.Attempt)
		}
	}
}

// TestProbe: a worker that may not judge any more learns it with nothing failing.
func TestProbe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var may atomic.Bool
	asked := make(chan struct{}, 1000)
	c := config(w.records, 1, accept)
	c.Ready = func(context.Context) error {
		defer func() { asked <- struct{}{} }()
		if may.Load() {
			return nil
		}
		return errors.New("the schema is newer")
	}
	start(t, c)
	<-asked
	<-asked // the answer to the first has been heard
	id := w.submit(t, "ada", judge.PriorityContest).ID
	<-asked
	<-asked
	if j, err := w.Judgement(t.Context(), id); err != nil || j.State != judge.Queued {
		t.Errorf("%+v, %v", j, err)
	}
	may.Store(true)
	if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt != 1 {
		t.Errorf("%s after %d attempts", j.Verdict, j.Attempt)
	}
}
