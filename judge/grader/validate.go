package grader

import (
	"context"
	"fmt"
	"io"
	"os"

	"judge/judge"
	"judge/judge/checker"
)

// validation takes the standard output of one run. decide is called once, if
// the run was fine; an error of Write or decide is a failure of ours.
type validation interface {
	io.WriteCloser
	decide(ctx context.Context) (verdictOn, error)
}

func (t *trial) newValidation() (validation, error) {
	if len(t.validators) > 0 {
		f, err := tempFile(t.TempDir)
		if err != nil {
			return nil, err
		}
		if err := f.Chmod(0o444); err != nil {
			drop(f)
			return nil, fmt.Errorf("open output of %s to its validator: %w", t.c.Name, err)
		}
		return &custom{file: f, t: t}, nil
	}
	answer, err := t.req.Data.Open(t.c.Answer)
	if err != nil {
		return nil, fmt.Errorf("open answer of %s: %w", t.c.Name, err)
	}
	return &streaming{comparison: t.c.compare(answer), answer: answer, t: t}, nil
}

// streaming is a validator of ours: it compares while the program runs.
type streaming struct {
	comparison checker.Comparison
	answer     *os.File
	t          *trial
}

func (s *streaming) Write(p []byte) (int, error) { return s.comparison.Write(p) }

func (s *streaming) Close() error { return s.answer.Close() }

func (s *streaming) decide(ctx context.Context) (verdictOn, error) {
	o, err := s.comparison.Close()
	if err != nil {
		return verdictOn{}, err
	}
	h := heard{verdict: judge.WA}
	if o.Accepted {
		h.verdict = judge.AC
	}
	if s.t.req.Problem.Validator.Builtin != "" { // a part of the points, where points count
		h.claim = claim{factor: &o.Credit, lenient: true}
		if kind := s.t.c.points.kind; o.Credit > 0 && (kind == bounded || kind == byGrading) {
			h.verdict = judge.AC
		} else if !o.Accepted {
			h.claim.factor = nil
		}
	}
	if !o.Accepted {
		h.words = []byte(o.Message)
		if said := s.t.said; said != nil {
			said.Difference = &judge.Difference{
				Reason: string(o.Reason), Offset: o.Offset, Line: o.Line, Column: o.Column, Token: o.Token,
				AnswerLine: o.AnswerLine, Got: o.Got, Expected: o.Expected,
			}
		}
	}
	return s.t.conclude(ctx, h, [][]byte{h.words}, nil)
}
