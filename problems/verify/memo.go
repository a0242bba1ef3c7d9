package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"judge/judge"
)

// Memo remembers what programs came to, so that a package that is verified again
// after a change has only that run which depends on the change. Its methods may be
// called by many goroutines.
type Memo struct {
	mu         sync.Mutex
	judgements map[string]judge.Judgement
	said       map[string]judge.Validation
}

// NewMemo returns a memory that is empty.
func NewMemo() *Memo {
	return &Memo{judgements: map[string]judge.Judgement{}, said: map[string]judge.Validation{}}
}

// Grader is one that asks g what is not remembered. version is of the problem, as
// problems.Package.Version has it.
func (m *Memo) Grader(g Grader, version string, digest func(judge.Blob) (string, error)) Grader {
	return &remembering{m, g, version, digest}
}

type remembering struct {
	*Memo

	grader  Grader
	version string
	digest  func(judge.Blob) (string, error)
}

// Judge is that of Grader.
func (m *remembering) Judge(ctx context.Context, r Request, on func(done, cases int)) (judge.Judgement, error) {
	s := *r.Submission
	s.Expected, s.Expectations, s.Score, s.Name = nil, nil, nil, "" // they do not change how it is judged
	key := keyOf(m.version, r.Problem.Name, r.Problem.Limits, s, r.All, r.Cases)
	m.mu.Lock()
	j, ok := m.judgements[key]
	m.mu.Unlock()
	if ok {
		on(len(j.Runs), len(j.Runs))
		return j, nil
	}
	j, err := m.grader.Judge(ctx, r, on)
	if err == nil && j.Verdict != judge.JE {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.judgements[key] = j
	}
	return j, err
}

// ValidateInputs is that of Grader.
func (m *remembering) ValidateInputs(ctx context.Context, p *judge.Problem, program judge.JuryProgram, inputs []Input, on func(int, judge.Validation)) error {
	keys := make([]string, len(inputs))
	for i, in := range inputs {
		sum, err := m.digest(in.Blob)
		if err != nil {
			return err
		}
		keys[i] = keyOf(p.Validation, program, sum, in.Flags)
	}
	which := m.unknown(keys, on)
	asked := make([]Input, len(which))
	for i, at := range which {
		asked[i] = inputs[at]
	}
	if len(asked) == 0 {
		return nil
	}
	return m.grader.ValidateInputs(ctx, p, program, asked, m.learn(keys, which, on))
}

// ValidateOutputs is that of Grader.
func (m *remembering) ValidateOutputs(ctx context.Context, p *judge.Problem, outputs []Output, on func(int, judge.Validation)) error {
	keys := make([]string, len(outputs))
	for i, out := range outputs {
		var sums [3]string
		for k, b := range []judge.Blob{out.Case.Input, out.Case.Answer, out.Output} {
			var err error
			if sums[k], err = m.digest(b); err != nil {
				return err
			}
		}
		keys[i] = keyOf(p.Validation, p.Validator, sums, out.Case.ValidatorFlags, out.Case.Group.ValidatorFlags)
	}
	which := m.unknown(keys, on)
	asked := make([]Output, len(which))
	for i, at := range which {
		asked[i] = outputs[at]
	}
	if len(asked) == 0 {
		return nil
	}
	return m.grader.ValidateOutputs(ctx, p, asked, m.learn(keys, which, on))
}

// unknown tells of what is remembered, and lists the rest.
func (m *Memo) unknown(keys []string, on func(int, judge.Validation)) []int {
	var which []int
	for i, key := range keys {
		m.mu.Lock()
		said, ok := m.said[key]
		m.mu.Unlock()
		if ok {
			on(i, said)
		} else {
			which = append(which, i)
		}
	}
	return which
}

func (m *Memo) learn(keys []string, which []int, on func(int, judge.Validation)) func(int, judge.Validation) {
	return func(i int, said judge.Validation) {
		if said.Fault == "" {
			m.mu.Lock()
			m.said[keys[which[i]]] = said
			m.mu.Unlock()
		}
		on(which[i], said)
	}
}

// keyOf is a digest of values that Go can print.
func keyOf(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%#v\x00", p) // a hash takes all
	}
	return hex.EncodeToString(h.Sum(nil))
}
