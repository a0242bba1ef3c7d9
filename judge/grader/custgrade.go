package grader

import (
	"context"
	"fmt"
	"strings"

	"judge/judge"
	"judge/runner"
)

// askGrader runs the package's grader on one group's results.
func (w *worker) askGrader(ctx context.Context, call gradeCall) (finding, error) {
	var out finding
	err := onFreshBoxes(ctx, func() (err error) {
		if out, err = w.gradeOnce(ctx, call); err != nil {
			w.discard()
		}
		return err
	})
	if err != nil {
		return finding{}, fmt.Errorf("%s: %w", w.grader.name, err)
	}
	return out, nil
}

func (w *worker) gradeOnce(ctx context.Context, call gradeCall) (finding, error) {
	box, err := w.juryBox(ctx, w.grader)
	if err != nil {
		return finding{}, err
	}
	t := w.newTrial(&testCase{})
	in, err := t.readable([]byte(call.input))
	if err != nil {
		return finding{}, err
	}
	defer drop(in)
	stdout, stderr := &head{max: maxNumber}, &ends{}
	var args []string
	if call.flags != "" {
		args = strings.Split(call.flags, "\x00")
	}
	res, err := w.runJury(ctx, box, w.grader, juryRun{args: args, stdin: in, stdout: stdout, stderr: stderr})
	if err != nil {
		return finding{}, err
	}
	if err := w.leave(ctx, w.grader, res.Worn); err != nil {
		return finding{}, err
	}
	o, why := readGrade(&res, stdout.bytes())
	if why != "" {
		text := fault("grader "+w.grader.name, &res, why, string(stderr.last(maxStderr)))
		o = finding{verdict: judge.JE, message: judge.SafeText([]byte(text), maxMessage)}
	}
	return o, nil
}

var codes = map[string]judge.Verdict{"AC": judge.AC, "WA": judge.WA, "RTE": judge.RE, "TLE": judge.TLE}

// readGrade reads the one line that a grader is to print.
func readGrade(res *runner.Result, stdout []byte) (o finding, why string) {
	if !sound(res) || res.ExitCode != 0 {
		return o, "where it was to exit with code 0"
	}
	line := strings.TrimRight(string(stdout), "\r\n")
	words := strings.Fields(line)
	if len(words) != 2 || strings.Contains(line, "\n") {
		return o, fmt.Sprintf("and printed %q where one line with a verdict and a score belongs", clip(line))
	}
	v, ok := codes[words[0]]
	if !ok {
		return o, fmt.Sprintf("and printed %q, which is none of AC, WA, RTE, TLE", clip(words[0]))
	}
	score, err := parseScore("its line", []byte(words[1]))
	if err != nil {
		return o, err.Error()
	}
	return finding{verdict: v, score: *score}, ""
}
