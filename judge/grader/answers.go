package grader

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// Where a submission's files are the outputs, each case takes the one that is
// named after it: secret/2.out, or 2.out where no other case is called so too, with
// .out, .ans, .txt or nothing behind the name. Of a problem with one secret case a
// single file may have any name. The package format leaves the names open.

var answerEndings = []string{".out", ".ans", ".txt", ""}

// planAnswers gives each case its file. Samples that nobody handed in are not
// judged; a secret case without a file is wrong.
func (j *judging) planAnswers() error {
	files, limit := j.req.Files, j.req.Problem.Limits.WithDefaults().Output
	if len(files) == 0 {
		return fmt.Errorf("%w: no files; this problem wants an output for each test case, named after it", judge.ErrSource)
	}
	for _, f := range files {
		if int64(len(f.Data)) > limit {
			return fmt.Errorf("%w: file %q has %d bytes, at most %d are allowed", judge.ErrSource, f.Name, len(f.Data), limit)
		}
	}
	names := map[string]int{}
	secret := 0
	for i := range j.cases {
		names[path.Base(j.cases[i].Name)]++
		if !j.cases[i].Sample {
			secret++
		}
	}
	used := map[string]bool{}
	for i := range j.cases {
		c := &j.cases[i]
		alone := names[path.Base(c.Name)] == 1 || !c.Sample && !strings.Contains(c.Name, "sample/")
		k := slices.IndexFunc(files, func(f judge.File) bool { return isAnswerOf(f.Name, c.Name, alone) })
		if k < 0 && secret == 1 && len(files) == 1 && !c.Sample {
			k = 0
		}
		if k >= 0 {
			c.answer, used[files[k].Name] = files[k].Data, true
			if c.answer == nil {
				c.answer = []byte{}
			}
		}
	}
	for _, f := range files {
		if !used[f.Name] {
			return fmt.Errorf("%w: file %q is named after no test case; %s would be", judge.ErrSource, f.Name, path.Base(j.cases[len(j.cases)-1].Name)+".out")
		}
	}
	return nil
}

func isAnswerOf(file, name string, alone bool) bool {
	return slices.ContainsFunc(answerEndings, func(end string) bool {
		return file == name+end || alone && file == path.Base(name)+end
	})
}

// judgeAnswer validates what was handed in.
func (t *trial) judgeAnswer(ctx context.Context) (verdictOn, error) {
	t.pass = 1
	if t.c.answer == nil {
		if t.c.Sample {
			return verdictOn{ruling: ruling{verdict: judge.AC, message: "no output was handed in for this sample"}}, nil
		}
		return t.ruled(ruling{verdict: judge.WA, message: "no output was handed in for this case"}), nil
	}
	out, err := t.newValidation()
	if err != nil {
		return verdictOn{}, err
	}
	defer drop(out)
	if t.said != nil {
		t.said.Stdout, t.said.StdoutSize = t.c.answer[:min(len(t.c.answer), judge.KeptOutput)], int64(len(t.c.answer))
	}
	if _, err := out.Write(t.c.answer); err != nil {
		return verdictOn{}, fmt.Errorf("take output of %s: %w", t.c.Name, err)
	}
	v, err := out.decide(ctx)
	if err != nil {
		return v, fmt.Errorf("validate output of %s: %w", t.c.Name, err)
	}
	return v, t.leaveAll(ctx)
}
