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
	decide(ctx context.Context) (ruling, error)
}

// newValidation fills in what validators say where said is not nil.
func (w *worker) newValidation(c *testCase, said *judge.RunOutput) (validation, error) {
	if len(w.validators) > 0 {
		f, err := tempFile(w.TempDir)
		if err != nil {
			return nil, err
		}
		if err := f.Chmod(0o444); err != nil {
			drop(f)
			return nil, fmt.Errorf("open output of %s to its validator: %w", c.Name, err)
		}
		return &custom{file: f, w: w, c: c, said: said}, nil
	}
	answer, err := w.req.Data.Open(c.Answer)
	if err != nil {
		return nil, fmt.Errorf("open answer of %s: %w", c.Name, err)
	}
	return &streaming{Checker: checker.New(c.options, answer), answer: answer, said: said}, nil
}

// streaming is the default validator: it compares while the program runs.
type streaming struct {
	*checker.Checker

	answer *os.File
	said   *judge.RunOutput
}

func (s *streaming) Close() error { return s.answer.Close() }

func (s *streaming) decide(context.Context) (ruling, error) {
	o, err := s.Checker.Close()
	if err != nil {
		return ruling{}, err
	}
	if o.Accepted {
		return ruling{verdict: judge.AC}, nil
	}
	if s.said != nil {
		s.said.Difference = &judge.Difference{
			Reason: string(o.Reason), Offset: o.Offset, Line: o.Line, Column: o.Column, Token: o.Token,
			AnswerLine: o.AnswerLine, Got: o.Got, Expected: o.Expected,
		}
	}
	return ruling{verdict: judge.WA, message: judge.SafeText([]byte(o.Message), maxMessage)}, nil
}
