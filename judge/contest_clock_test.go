package judge_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"judge/judge"
)

// TestContestClock: edges of windows and of contest time, by minutes after nine.
func TestContestClock(t *testing.T) {
	nine := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	at := func(m int) time.Time { return nine.Add(time.Duration(m) * time.Minute) }
	pause := func(from, until int) judge.Pause { return judge.Pause{From: at(from), Until: at(until)} }
	own := &judge.Contestant{Start: at(100)}
	extra := &judge.Contestant{Extra: 15 * time.Minute}
	tests := []struct {
		name   string
		pauses []judge.Pause
		who    *judge.Contestant
		end    int // minute of the window's end
		at     int
		want   int // contest time then
	}{
		{"plain", nil, nil, 60, 30, 30},
		{"before the start", nil, nil, 60, -5, -5},
		{"after the end", nil, nil, 60, 90, 90},
		{"in a pause", []judge.Pause{pause(20, 30)}, nil, 70, 25, 20},
		{"after a pause", []judge.Pause{pause(20, 30)}, nil, 70, 50, 40},
		{"two pauses", []judge.Pause{pause(20, 30), pause(40, 45)}, nil, 75, 50, 35},
		{"the second one only because of the first", []judge.Pause{pause(20, 30), pause(65, 75)}, nil, 80, 80, 60},
		{"a pause that begins as the contest ends", []judge.Pause{pause(60, 90)}, nil, 60, 60, 60},
		{"a pause before the start", []judge.Pause{pause(-20, -10)}, nil, 60, 30, 30},
		{"a pause over the start", []judge.Pause{pause(-10, 10)}, nil, 70, 30, 20},
		{"a pause that lasts", []judge.Pause{{From: at(20)}}, nil, 60, 50, 20},
		{"own start", nil, own, 160, 130, 30},
		{"own start in a pause", []judge.Pause{pause(90, 110)}, own, 170, 120, 10},
		{"own start after a pause", []judge.Pause{pause(20, 30)}, own, 160, 130, 30},
		{"extra time", nil, extra, 75, 70, 70},
		{"a pause in the extra time", []judge.Pause{pause(70, 80)}, extra, 85, 85, 75},
	}
	for _, c := range tests {
		contest := judge.Contest{Start: nine, Duration: time.Hour, Pauses: c.pauses}
		start, end := contest.Window(c.who)
		if wantStart := map[bool]time.Time{false: nine, true: own.Start}[c.who == own]; !start.Equal(wantStart) {
			t.Errorf("%s: starts at %s", c.name, start)
		}
		if !end.Equal(at(c.end)) {
			t.Errorf("%s: ends %s after nine, want %d min", c.name, end.Sub(nine), c.end)
		}
		if got := contest.Elapsed(c.who, at(c.at)); got != time.Duration(c.want)*time.Minute {
			t.Errorf("%s: %s of contest time at minute %d, want %d min", c.name, got, c.at, c.want)
		}
	}
	if start, end := (&judge.Contest{Duration: time.Hour}).Window(nil); !start.IsZero() || !end.IsZero() {
		t.Error("no start, and yet a window", start, end)
	}
	if _, end := (&judge.Contest{Start: nine}).Window(nil); !end.IsZero() {
		t.Error("no duration, and yet an end", end)
	}
}

// TestContestClockAgrees: a contestant is in its window exactly while contest time
// is from nothing to less than all of it, and contest time never goes back.
func TestContestClockAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		second := func(name string, low, high int) time.Duration {
			return time.Duration(rapid.IntRange(low, high).Draw(t, name)) * time.Second
		}
		nine := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
		c := judge.Contest{Start: nine, Duration: second("duration", 1, 100)}
		from := nine.Add(-50 * time.Second)
		for range rapid.IntRange(0, 4).Draw(t, "pauses") {
			p := judge.Pause{From: from.Add(second("runs", 0, 60))}
			p.Until = p.From.Add(second("pauses", 1, 60))
			from = p.Until
			c.Pauses = append(c.Pauses, p)
		}
		p := &judge.Contestant{Extra: second("extra", 0, 50)}
		if rapid.Bool().Draw(t, "own") {
			p.Start = nine.Add(second("start", -50, 100))
		}
		start, end := c.Window(p)
		before := c.Elapsed(p, nine.Add(-200*time.Second))
		for s := -199; s < 500; s++ {
			at := nine.Add(time.Duration(s) * time.Second)
			elapsed := c.Elapsed(p, at)
			in := !at.Before(start) && at.Before(end)
			if in != (elapsed >= 0 && elapsed < c.Duration+p.Extra) || elapsed < before {
				t.Fatalf("%d s after nine: in its window %v (%s to %s), contest time %s, a second ago %s", s, in, start, end, elapsed, before)
			}
			before = elapsed
		}
	})
}
