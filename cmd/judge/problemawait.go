package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"judge/judge"
	"judge/judge/wire"
	"judge/problems"
)

// verificationInfo is what the API says of the verifying of a version.
type verificationInfo struct {
	Problem  string                   `json:"problem"`
	Number   int                      `json:"number"`
	State    judge.VerificationState  `json:"state"`
	Publish  bool                     `json:"publish"`
	Done     int                      `json:"done"`
	Total    int                      `json:"total"`
	Doing    *string                  `json:"doing"`
	Report   *wire.VerificationReport `json:"report"`
	Fault    *string                  `json:"fault"`
	Findings []wire.Finding           `json:"findings"`
}

// askEvery is the time between two questions how far a verification is.
const askEvery = 500 * time.Millisecond

// await waits until a version is verified, and tells what was found.
func (c *problemImportCmd) await(a *app, cl *client, v *versionInfo) error {
	bar := newBar(a.err, 1)
	defer bar.clear()
	for {
		got, err := verificationOf(a.ctx, cl, v)
		if err != nil {
			return err
		}
		if got.State == judge.VerificationDone || got.State == judge.VerificationFailed {
			bar.clear()
			return c.tellVerified(a, got)
		}
		if got.Doing != nil {
			bar.show(judge.SafeText([]byte(v.Problem+": "+*got.Doing), maxName), got.Done, max(got.Total, 1))
		}
		select {
		case <-a.ctx.Done():
			return a.ctx.Err()
		case <-time.After(askEvery):
		}
	}
}

func verificationOf(ctx context.Context, cl *client, v *versionInfo) (got verificationInfo, err error) {
	_, err = cl.do(ctx, apiCall{method: http.MethodGet, path: fmt.Sprintf("problems/%s/versions/%d/verification", v.Problem, v.Number)}, &got)
	return got, err
}

// tellVerified tells what verifying found.
func (c *problemImportCmd) tellVerified(a *app, v verificationInfo) error {
	name := judge.SafeText([]byte(v.Problem), maxName)
	if v.Report == nil {
		return fmt.Errorf("the server could not verify %s: %s", name, judge.SafeText([]byte(orDash(valueOf(v.Fault))), maxShown))
	}
	if c.JSON {
		if err := jsonLines(a.out).Encode(v.Report); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	} else if err := tellReport(a, v.Report); err != nil {
		return err
	}
	if !v.Report.OK {
		return exitCode(exitFindings)
	}
	return nil
}

// tellReport prints a report for people.
func tellReport(a *app, r *wire.VerificationReport) error {
	rows := make([][]string, 0, len(r.Results))
	for _, s := range r.Results {
		ok := "yes"
		if !s.OK {
			ok = "NO"
		}
		expected := make([]judge.Verdict, 0, len(s.Expected))
		for _, v := range s.Expected {
			expected = append(expected, judge.Verdict(v))
		}
		rows = append(rows, []string{
			"  " + judge.SafeText([]byte(s.Submission), maxName), judge.SafeText([]byte(orDash(valueOf(s.Language))), maxName), expectedText(expected),
			orDash(valueOf(s.Verdict)), scoreCell(s.Score), ok,
		})
	}
	t := table{out: a.out, columns: []column{{title: "  submission"}, {title: "language"}, {title: "expected"}, {title: "verdict"}, {title: "score"}, {title: "ok"}}}
	if len(rows) > 0 {
		if err := t.all(rows); err != nil {
			return err
		}
	}
	for _, f := range r.Findings {
		if f.Severity == string(problems.Info) && !a.Verbose {
			continue
		}
		line := problems.Finding{Severity: problems.Severity(f.Severity), File: f.File, Line: f.Line, Message: f.Message}
		if _, err := fmt.Fprintf(a.out, "  %s\n", judge.SafeText([]byte(line.String()), maxShown)); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	}
	verdict := "verified"
	if !r.OK {
		verdict = "has errors, and is not published by itself"
	}
	_, err := fmt.Fprintf(a.out, "  %s: %d submissions, %d runs, %.1f s\n", verdict, r.Submissions, r.Runs, r.Took)
	return err
}

func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
