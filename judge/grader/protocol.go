package grader

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"

	"judge/judge"
	"judge/judge/checker"
	"judge/runner"
)

// heard is what a validator said.
type heard struct {
	verdict judge.Verdict // AC or WA; JE: it gave no answer
	fault   string        // why it gave none
	words   []byte        // for staff
	claim   claim
}

// arguments are those of a validator that judges an output, or of an interactor.
// Where the protocol wants the output as a file it is called output.
func arguments(p judge.Protocol, flags []string) []string {
	switch p {
	case judge.ProtocolTestlib, judge.ProtocolCOCI:
		return slices.Concat([]string{inputName, outputName, answerName}, flags)
	case judge.ProtocolPEG:
		return slices.Concat([]string{outputName, answerName, inputName}, flags)
	case judge.ProtocolICPC:
	}
	return slices.Concat([]string{inputName, answerName, feedbackName + "/"}, flags)
}

// hear reads what a validator has left, and keeps it for staff.
func (t *trial) hear(ctx context.Context, box runner.Box, exe *executable, p judge.Protocol, res *runner.Result, stdout *head, stderr *ends) (heard, error) {
	var h heard
	if p == judge.ProtocolICPC {
		h = heardICPC(res)
		if err := t.read(ctx, box, &h); err != nil {
			return h, err
		}
	} else {
		h = heardByCode(p, res, stdout.bytes(), stderr.bytes())
	}
	if said := t.said; said != nil {
		addText(&said.JudgeMessage, h.words)
		addText(&said.ValidatorStderr, stderr.bytes())
	}
	if h.verdict == judge.JE && h.fault == "" {
		h.fault = fault("validator "+exe.name, res, string(h.words), string(stderr.last(maxStderr)))
	}
	return h, nil
}

// heardICPC: 42 accepts, 43 rejects, anything else is the validator's own fault
// and never the submission's.
func heardICPC(res *runner.Result) heard {
	if sound(res) {
		switch res.ExitCode {
		case checker.ExitAccepted:
			return heard{verdict: judge.AC}
		case checker.ExitRejected:
			return heard{verdict: judge.WA}
		}
	}
	return heard{verdict: judge.JE}
}

// read takes the feedback files that mean something here.
func (t *trial) read(ctx context.Context, box runner.Box, h *heard) (err error) {
	if h.words, err = words(ctx, box, checker.MessageFile); err != nil {
		return err
	}
	if t.said != nil {
		team, err := words(ctx, box, teamFile)
		if err != nil {
			return err
		}
		addText(&t.said.TeamMessage, team)
	}
	if t.c.points.kind == noPoints {
		return nil
	}
	for name, to := range map[string]**float64{scoreFile: &h.claim.score, factorFile: &h.claim.factor} {
		text, err := get(ctx, box, path.Join(feedbackName, name), maxNumber)
		if errors.Is(err, runner.ErrTooLarge) {
			text, err = []byte("[too much]"), nil
		}
		if err != nil {
			return err
		}
		if text == nil {
			continue
		}
		n, err := parseScore(name, text)
		if err != nil {
			h.verdict, h.fault = judge.JE, "validator: "+err.Error()
			return nil //nolint:nilerr // the validator's fault, not ours
		}
		*to = n
	}
	return nil
}

// Exit codes of testlib, and of what is like it.
const (
	testlibOK      = 0
	testlibWA      = 1
	testlibPE      = 2
	testlibDirt    = 4
	testlibPoints  = 7
	testlibEOF     = 8
	testlibPartial = 16 // and a percentage
)

var (
	pointsLine = regexp.MustCompile(`(?m)^points\s+(\S+)`)
	cociLine   = regexp.MustCompile(`(?m)^partial (\d{1,9})/(\d{1,9})\s*$`)
	pegLines   = regexp.MustCompile(`(?m)^(\d{1,9})\r?\n(\d{1,9})\r?$`)
)

// heardByCode: a checker of testlib, COCI or PEG. What it says is on its standard
// error or output; a part of the points is an accepted output, where points count.
func heardByCode(p judge.Protocol, res *runner.Result, stdout, stderr []byte) heard {
	h := heard{verdict: judge.JE, words: slices.Concat(stdout, stderr), claim: claim{lenient: true}}
	if !sound(res) {
		return h
	}
	code := res.ExitCode
	switch {
	case code == testlibOK:
		h.verdict = judge.AC
	case p == judge.ProtocolPEG:
		if code == testlibWA {
			h.verdict = judge.WA
			h.part(pegLines.FindSubmatch(stdout))
		}
	case code == testlibWA, code == testlibPE, code == testlibDirt, code == testlibEOF:
		h.verdict = judge.WA
	case code == testlibPoints && p == judge.ProtocolCOCI:
		h.part(cociLine.FindSubmatch(stderr))
	case code == testlibPoints:
		if m := pointsLine.FindSubmatch(stderr); m != nil {
			if n, err := parseScore("points", m[1]); err == nil {
				h.verdict, h.claim.score = judge.AC, n
			}
		}
	case code >= testlibPartial && code <= testlibPartial+100:
		factor := float64(code-testlibPartial) / 100
		h.verdict, h.claim.factor = judge.AC, &factor
	}
	return h
}

// part is a fraction of the points; nothing of them is a wrong answer.
func (h *heard) part(m [][]byte) {
	if m == nil {
		return
	}
	a, errA := strconv.ParseFloat(string(m[1]), 64)
	b, errB := strconv.ParseFloat(string(m[2]), 64)
	if errA != nil || errB != nil || b == 0 || a > b {
		return
	}
	if h.verdict = judge.WA; a > 0 {
		factor := a / b
		h.verdict, h.claim.factor = judge.AC, &factor
	}
}

// conclude makes a verdict of what all validators said. box is the one that a next
// pass comes from; nil: there can be none.
func (t *trial) conclude(ctx context.Context, h heard, said [][]byte, box runner.Box) (verdictOn, error) {
	message := func(texts ...[]byte) string {
		return judge.SafeText(joinLines(texts), maxMessage)
	}
	failed := func(why string) (verdictOn, error) {
		return verdictOn{ruling: ruling{verdict: judge.JE, message: message([]byte(why))}}, nil
	}
	if h.verdict == judge.JE {
		return failed(h.fault)
	}
	v := verdictOn{ruling: ruling{verdict: h.verdict, message: message(said...)}}
	next, err := t.next(ctx, box)
	switch {
	case errors.Is(err, runner.ErrTooLarge):
		return failed(fmt.Sprintf("%s is larger than %d bytes", nextFile, maxWritten))
	case err != nil:
		return v, err
	case next != nil && h.verdict != judge.AC:
		drop(next)
		return failed(nextFile + " and another exit code than 42")
	case next != nil && t.pass < t.passes():
		v.next = next
		return v, nil // the last pass says what it is worth
	}
	score, ok, err := t.c.points.value(h.verdict == judge.AC, h.claim)
	if err != nil {
		if next != nil {
			drop(next)
		}
		return failed("validator: " + err.Error())
	}
	if v.score, v.next = score, next; !ok {
		v.verdict = judge.WA
	}
	return v, nil
}

func joinLines(texts [][]byte) []byte {
	var all []byte
	for _, b := range texts {
		if len(b) > 0 && len(all) > 0 {
			all = append(all, '\n')
		}
		all = append(all, b...)
	}
	return all
}

// next is the next pass's input, nil where there is none.
func (t *trial) next(ctx context.Context, box runner.Box) (*os.File, error) {
	if box == nil || !t.req.Problem.MultiPass {
		return nil, nil //nolint:nilnil // there is none
	}
	text, err := get(ctx, box, path.Join(feedbackName, nextFile), maxWritten)
	if text == nil || err != nil {
		return nil, err
	}
	t.given = text
	return t.readable(text)
}

// readable is a file of mode 0444 that holds text and stands at its start.
func (t *trial) readable(text []byte) (*os.File, error) {
	f, err := tempFile(t.TempDir)
	if err != nil {
		return nil, err
	}
	defer drop(f)
	if _, err := f.Write(text); err != nil {
		return nil, fmt.Errorf("write temporary file: %w", err)
	}
	if err := f.Chmod(0o444); err != nil {
		return nil, fmt.Errorf("open temporary file to programs: %w", err)
	}
	return reopen(f)
}
