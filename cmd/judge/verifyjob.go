package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"judge/judge"
	"judge/judge/wire"
	"judge/judge/work"
	"judge/problems"
	"judge/problems/blob"
	"judge/problems/verify"
)

// Ceilings of verifying an upload, whoever wrote it.
const (
	verifyMost    = time.Hour        // that its programs run for
	verifyHighest = 60 * time.Second // time limit that is found
)

// verify is work.Config's Verify: what judge problem verify does, for a version on
// record, on one slot that nobody judges on.
func (g *judging) verify(ctx context.Context, t judge.VerificationTask, spare work.Spare, on func(done, total int, doing string)) (judge.Verified, error) {
	v, err := g.store.ProblemVersion(ctx, t.VersionID)
	if err != nil {
		return judge.Verified{}, err
	}
	m, err := blob.ReadManifest(v.Manifest)
	if err != nil {
		return judge.Verified{}, fmt.Errorf("version %d of problem %s: %w", v.Number, v.Problem, err)
	}
	problem, err := m.Problem(ctx, g.testdata)
	if err != nil {
		return judge.Verified{}, err
	}
	if problem.Jury, err = m.JurySubmissions(ctx, g.testdata); err != nil {
		return judge.Verified{}, err
	}
	if v.Settings.CPU > 0 {
		v.Apply(problem)
		problem.TimeLimitSet = true
	}
	findings, err := findingsOf(t.Findings)
	if err != nil {
		return judge.Verified{}, err
	}
	data := g.testdata.Data(ctx)
	verifier := &spareGrader{
		grader: &juryGrader{station: g.station, data: data, slots: 1, name: t.ID + "/"}, spare: spare,
	}
	if err := g.keepPages(ctx, m, verifier.run); err != nil {
		return judge.Verified{}, err
	}
	report, err := verify.Run(ctx, verify.Config{
		Problem: problem, Findings: findings, Open: func(b judge.Blob) (io.ReadCloser, error) { return data.Open(b) },
		Grader:  verifier,
		Highest: verifyHighest, Machine: machineName(g.station.sandbox.Slots()),
		On: func(e verify.Event) { on(e.Done, e.Total, e.What) },
	})
	if err != nil {
		return judge.Verified{}, err
	}
	out := judge.Verified{OK: report.OK()}
	if l := report.TimeLimit; l != nil && l.Calibrated {
		out.Calibrated = l.Limit
	}
	if out.Report, err = json.Marshal(keptReport(v.Problem, report)); err != nil {
		return out, fmt.Errorf("write report: %w", err)
	}
	return out, nil
}

// findingsOf are findings as they are kept.
func findingsOf(data []byte) ([]problems.Finding, error) {
	var all []wire.Finding
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("read findings: %w", err)
	}
	out := make([]problems.Finding, 0, len(all))
	for _, f := range all {
		out = append(out, problems.Finding{Severity: problems.Severity(f.Severity), Code: f.Code, File: f.File, Line: f.Line, Message: f.Message})
	}
	return out, nil
}

// spareGrader lets programs run while a slot is idle, and for so long in all.
type spareGrader struct {
	grader verify.Grader
	spare  work.Spare
	spent  atomic.Int64 // nanoseconds
}

// run calls f while a slot is idle; again, if the slot was taken back.
func (g *spareGrader) run(ctx context.Context, f func(context.Context) error) error {
	if time.Duration(g.spent.Load()) > verifyMost {
		return verify.Refused{Reason: fmt.Sprintf("verifying took more than %v; make the package smaller", verifyMost)}
	}
	return g.spare(ctx, func(ctx context.Context) error {
		begun := time.Now()
		defer func() { g.spent.Add(int64(time.Since(begun))) }()
		return f(ctx)
	})
}

// Judge is that of verify.Grader.
func (g *spareGrader) Judge(ctx context.Context, r verify.Request, on func(done, cases int)) (j judge.Judgement, err error) {
	err = g.run(ctx, func(ctx context.Context) (err error) {
		j, err = g.grader.Judge(ctx, r, on)
		return err
	})
	return j, err
}

// portion is how many files are validated on a slot before it is asked for anew.
const portion = 50

// ValidateInputs is that of verify.Grader.
func (g *spareGrader) ValidateInputs(ctx context.Context, p *judge.Problem, program judge.JuryProgram, inputs []verify.Input, on func(int, judge.Validation)) error {
	return inPortions(inputs, on, func(some []verify.Input, on func(int, judge.Validation)) error {
		return g.run(ctx, func(ctx context.Context) error { return g.grader.ValidateInputs(ctx, p, program, some, on) })
	})
}

// ValidateOutputs is that of verify.Grader.
func (g *spareGrader) ValidateOutputs(ctx context.Context, p *judge.Problem, outputs []verify.Output, on func(int, judge.Validation)) error {
	return inPortions(outputs, on, func(some []verify.Output, on func(int, judge.Validation)) error {
		return g.run(ctx, func(ctx context.Context) error { return g.grader.ValidateOutputs(ctx, p, some, on) })
	})
}

// inPortions calls f for one part of all after the other. on hears of each file
// once, though f may begin anew.
func inPortions[T any](all []T, on func(int, judge.Validation), f func([]T, func(int, judge.Validation)) error) error {
	at := 0
	for part := range slices.Chunk(all, portion) {
		var mu sync.Mutex
		told := make([]bool, len(part))
		err := f(part, func(i int, v judge.Validation) {
			mu.Lock()
			defer mu.Unlock()
			if !told[i] {
				told[i] = true
				on(at+i, v)
			}
		})
		if err != nil {
			return err
		}
		at += len(part)
	}
	return nil
}
