package grader

import (
	"bytes"
	"io"
	"slices"

	"judge/judge"
)

// Outputs says what of the runs' outputs is kept in judge.Run.Output.
type Outputs int

// The choices. Of KeepBeginnings, the deciding run and the first samples have
// judge.KeptOutput bytes of each text; all other runs of the judgement together
// have a mebibyte, in equal parts.
const (
	KeepNone       Outputs = iota // the fastest: Run.Output is nil
	KeepBeginnings                // what is kept of every judgement
	KeepFull                      // judge.FullOutput bytes of both outputs, in memory: for a single case
)

const (
	wholeSamples = 8
	sharedOutput = 1 << 20
)

// Transcripts says which cases' interactions are written down, in
// judge.RunOutput.Transcript. The judge is then in between, and turns take longer.
type Transcripts int

// The choices.
const (
	NoTranscripts     Transcripts = iota
	SampleTranscripts             // of samples
	AllTranscripts
)

func (j *judging) wantsTranscript(c *testCase) bool {
	if !j.req.Problem.Interactive {
		return false
	}
	switch j.req.Transcripts {
	case SampleTranscripts:
		return c.Sample
	case AllTranscripts:
		return true
	case NoTranscripts:
	}
	return false
}

// newOutput is where a run's texts go; nil where nobody wants them.
func (j *judging) newOutput(c *testCase) *judge.RunOutput {
	if j.req.Outputs == KeepNone && !j.wantsTranscript(c) {
		return nil
	}
	return &judge.RunOutput{}
}

// tee keeps the beginning of what goes to w. The buffer grows with what is
// written, which for most programs is little.
type tee struct {
	w    io.Writer
	max  int
	kept []byte
}

func (t *tee) Write(p []byte) (int, error) {
	if room := t.max - len(t.kept); room > 0 {
		t.kept = append(t.kept, p[:min(len(p), room)]...)
	}
	return t.w.Write(p)
}

func (j *judging) tee(w io.Writer) *tee {
	if j.req.Outputs == KeepFull {
		return &tee{w: w, max: judge.FullOutput}
	}
	return &tee{w: w, max: judge.KeptOutput}
}

// addText adds what one more validator said.
func addText(to *[]byte, b []byte) {
	if len(b) == 0 {
		return
	}
	if len(*to) > 0 {
		*to = append(*to, '\n')
	}
	*to = append(*to, b...)
	*to = (*to)[:min(len(*to), judge.KeptOutput)]
}

// parts says which runs keep their outputs whole, whatever they come to, and what
// each of the others may keep, in bytes.
func (j *judging) parts() (whole []bool, share int) {
	whole = make([]bool, len(j.cases))
	samples := 0
	for i := range j.cases {
		if whole[i] = j.cases[i].Sample && samples < wholeSamples; whole[i] {
			samples++
		}
	}
	return whole, sharedOutput / max(len(j.cases)-samples, 1)
}

// cut makes what is kept of a run at most size bytes. It leaves the old output as
// it is, as others may look at it.
func cut(o *judge.RunOutput, size int) *judge.RunOutput {
	if o == nil {
		return nil
	}
	out := *o
	for _, text := range []*[]byte{&out.Stdout, &out.Stderr, &out.JudgeMessage, &out.TeamMessage, &out.ValidatorStderr} {
		if n := min(len(*text), size); n < len(*text) {
			*text = bytes.Clone((*text)[:n]) // or all of it would stay in memory
		}
		size -= len(*text)
	}
	for i, u := range out.Transcript {
		if size -= len(u.Text) + utteranceCost; size < 0 {
			out.Transcript = slices.Clone(out.Transcript[:i])
			if i > 0 {
				out.Transcript[i-1].Cut = true
			}
			break
		}
	}
	return &out
}
