package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
	"judge/runner"
)

func small() *problems.Package {
	return &problems.Package{Problem: judge.Problem{Name: "small", Root: judge.TestGroup{Groups: []judge.TestGroup{
		{Name: "secret", Cases: []judge.TestCase{{Name: "secret/1"}, {Name: "secret/02-long"}}},
	}}}}
}

var (
	cpp = &judge.Language{ID: "cpp"}

	accepted = judge.Judgement{
		State: judge.Judged, Problem: "small", Language: "cpp", Verdict: judge.AC, CPUTime: 12 * time.Millisecond, WallTime: 13 * time.Millisecond, Memory: 3 << 19,
		Compile: &judge.Compilation{OK: true, Output: "a warning\n"},
		Runs:    []judge.Run{{Ordinal: 1, Case: "secret/1", Verdict: judge.AC, WallTime: 1}, {Ordinal: 2, Case: "secret/02-long", Verdict: judge.AC, WallTime: 1}},
	}
	wrong = judge.Judgement{
		State: judge.Judged, Verdict: judge.WA, WallTime: 2 * time.Second,
		Runs: []judge.Run{{Case: "secret/1", Verdict: judge.AC}, {Case: "secret/02-long", Verdict: judge.WA, Message: "line 1: <2>, not 3\n"}},
	}
	uncompiled = judge.Judgement{State: judge.Judged, Verdict: judge.CE, Compile: &judge.Compilation{Output: strings.Repeat("error\n", 20)}}
	faulty     = judge.Judgement{State: judge.Judged, Verdict: judge.JE, Message: "our fault", Runs: []judge.Run{{Case: "secret/1", Verdict: judge.JE, Message: "the box is gone"}}}
)

func theJob(title string, jury bool, d judge.Judgement, err error, expected ...judge.Verdict) *job {
	d.Source = title
	return &job{pack: small(), title: title, source: title, jury: jury, expected: expected, language: cpp, judgement: d, err: err}
}

// report runs jobs that are judged already through a report.
func reported(t *testing.T, c runCmd, jobs ...*job) ran {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{streams: streams{out: &out, err: &errs}, ctx: t.Context()}
	r := c.newReport(a, jobs, time.Now())
	for _, j := range jobs {
		r.judged(j)
	}
	code := a.fail(r.finish(), c.JSON)
	return ran{code, out.String(), errs.String()}
}

func TestTable(t *testing.T) {
	got := reported(t, runCmd{},
		theJob("accepted/a.cpp", true, accepted, nil, judge.AC),
		theJob("mixed/b.cpp", true, wrong, nil),
		theJob("wrong/c\x1b[31m.cpp", true, wrong, nil, judge.TLE, judge.RE),
	)
	want := `submission           language  expected  verdict  case            limit            CPU       wall       memory  ok
accepted/a.cpp       cpp       AC        AC       all 2           -            0.012 s    0.013 s      1.5 MiB  ok
mixed/b.cpp          cpp       any       WA       secret/02-long  -            0.000 s    2.000 s            -  ok
wrong/c\x1b[31m.cpp  cpp       TLE/RE    WA       secret/02-long  -            0.000 s    2.000 s            -  NO
    line 1: <2>, not 3
3 submissions, 2 as expected, `
	table, duration, _ := strings.Cut(got.out, "as expected, ")
	if !strings.HasSuffix(duration, " s\n") {
		t.Errorf("the table ends in %q", duration)
	}
	if diff := cmp.Diff(want, table+"as expected, "); diff != "" || got.code != exitFailed || got.err != "" {
		t.Errorf("exit code %d, stderr %q\n%s", got.code, got.err, diff)
	}
}

func TestExitCodes(t *testing.T) {
	refused := fmt.Errorf("%w: no good", judge.ErrSource)
	broken := fmt.Errorf("%w: no image", runner.ErrUnavailable)
	tests := []struct {
		name string
		jobs []*job
		code int
		out  string
	}{
		{"as expected", []*job{theJob("a", true, accepted, nil, judge.AC)}, 0, "1 submission, 1 as expected"},
		{"not as expected", []*job{theJob("a", true, accepted, nil, judge.WA)}, 1, "1 submission, 0 as expected"},
		{"our fault is never as expected", []*job{theJob("a", true, faulty, nil)}, 1, "the box is gone"},
		{"not judged", []*job{theJob("a", true, judge.Judgement{}, refused, judge.CE)}, 1, "no good"},
		{"sources, whatever the verdicts", []*job{theJob("a", false, wrong, nil), theJob("b", false, uncompiled, nil)}, 0, "2 submissions, 1 WA, 1 CE"},
		{"compiler's words", []*job{theJob("b", false, uncompiled, nil)}, 0, "[8 more lines]"},
		{"a source is refused", []*job{theJob("a", false, judge.Judgement{}, refused), theJob("b", false, accepted, nil)}, 2, "none"},
		{"we fail", []*job{theJob("a", false, judge.Judgement{}, refused), theJob("b", false, judge.Judgement{}, broken)}, 1, "no image"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := reported(t, runCmd{}, tt.jobs...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d", got.code, tt.code)
			}
			contains(t, "stdout", got.out, tt.out)
			if got := reported(t, runCmd{JSON: true}, tt.jobs...); got.code != tt.code {
				t.Errorf("with --json: exit code %d, want %d", got.code, tt.code)
			}
		})
	}
}

func TestAllRuns(t *testing.T) {
	got := reported(t, runCmd{All: true}, theJob("a", false, wrong, nil))
	contains(t, "stdout", got.out, "    secret/1        AC ", "    secret/02-long  WA ", "line 1: <2>, not 3")
}

func TestLines(t *testing.T) {
	got := reported(t, runCmd{JSON: true},
		theJob("accepted/a.cpp", true, accepted, nil, judge.AC), theJob("mixed/b.cpp", true, judge.Judgement{}, errors.New("lost")))
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if len(lines) != 2 || got.code != exitFailed {
		t.Fatalf("exit code %d: %s", got.code, got.out)
	}
	var first, second map[string]any
	if err := errors.Join(json.Unmarshal([]byte(lines[0]), &first), json.Unmarshal([]byte(lines[1]), &second)); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"package": "small", "source": "accepted/a.cpp", "verdict": "AC", "ok": true, "error": nil, "cpu_time_s": 0.012}
	for key, value := range want {
		if first[key] != value {
			t.Errorf("%s is %v, want %v", key, first[key], value)
		}
	}
	want = map[string]any{"package": "small", "source": "mixed/b.cpp", "verdict": nil, "ok": false, "error": "lost"}
	for key, value := range want {
		if second[key] != value {
			t.Errorf("%s is %v, want %v", key, second[key], value)
		}
	}
	if diff := cmp.Diff([]any{"AC"}, first["expected"]); diff != "" {
		t.Error(diff)
	}
	got = reported(t, runCmd{JSON: true}, theJob("b.cpp", false, wrong, nil))
	if strings.Contains(got.out, `"package"`) || !strings.Contains(got.out, "<2>") {
		t.Error(got.out)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	a := &app{streams: streams{out: &out, err: &errs}, ctx: ctx}
	c := runCmd{}
	jobs := []*job{theJob("a", true, judge.Judgement{}, ctx.Err(), judge.AC)}
	r := c.newReport(a, jobs, time.Now())
	r.judged(jobs[0])
	if code := a.fail(r.finish(), false); code != exitFailed || errs.String() != "judge: interrupted\n" {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
	if strings.Contains(out.String(), "as expected") {
		t.Error(out.String())
	}
}
