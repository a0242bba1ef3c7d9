package problems_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
)

func TestPlain(t *testing.T) {
	for name, tc := range map[string]struct {
		files files
		want  []string // case: input, answer; in order of judging
		warn  []string
	}{
		"out":     {files{"1.in": "", "1.out": "", "2.in": "", "2.out": ""}, []string{"secret/1: 1.in, 1.out", "secret/2: 2.in, 2.out"}, nil},
		"ans":     {files{"a.IN": "", "a.ans": ""}, []string{"secret/a: a.IN, a.ans"}, nil},
		"folders": {files{"input/1.txt": "", "output/1.txt": "", "input/2": "", "output/2": ""}, []string{"secret/1: input/1.txt, output/1.txt", "secret/2: input/2, output/2"}, nil},
		"words":   {files{"Input/input00.txt": "", "Output/output00.txt": ""}, []string{"secret/00: Input/input00.txt, Output/output00.txt"}, nil},
		"in, out": {files{"in/1.in": "", "out/1.out": ""}, []string{"secret/1: in/1.in, out/1.out"}, nil},
		"groups": {
			files{"sample/1.in": "", "sample/1.out": "", "easy/1.in": "", "easy/1.out": "", "secret/hard/x/1.in": "", "secret/hard/x/1.out": "", "big/input/1.txt": "", "big/answers/1.txt": ""},
			[]string{"sample/1: sample/1.in, sample/1.out", "secret/big/1: big/input/1.txt, big/answers/1.txt", "secret/easy/1: easy/1.in, easy/1.out", "secret/hard/x/1: secret/hard/x/1.in, secret/hard/x/1.out"},
			nil,
		},
		"first words":  {files{"input1.txt": "", "output1.txt": "", "Input_02": "", "output_02": ""}, []string{"secret/01: input1.txt, output1.txt", "secret/02: Input_02, output_02"}, nil},
		"last numbers": {files{"in.1": "", "out.1": "", "in.2": "", "ans.2": ""}, []string{"secret/1: in.1, out.1", "secret/2: in.2, ans.2"}, nil},
		"letters":      {files{"I.1": "", "O.1": ""}, []string{"secret/1: I.1, O.1"}, nil},
		"one":          {files{"input.txt": "", "output.txt": ""}, []string{"secret/1: input.txt, output.txt"}, nil},
		"a folder each": {
			files{"1/input.txt": "", "1/output.txt": "", "2/in": "", "2/out": ""},
			[]string{"secret/1/1: 1/input.txt, 1/output.txt", "secret/2/1: 2/in, 2/out"},
			nil,
		},
		"long extensions": {files{"1.input": "", "1.output": "", "b.inp": "", "b.answer": ""}, []string{"secret/1: 1.input, 1.output", "secret/b: b.inp, b.answer"}, nil},
		"sol":             {files{"a.in": "", "a.sol": ""}, []string{"secret/a: a.in, a.sol"}, nil},
		"both say it":     {files{"input1.in": "", "output1.out": "", "in2.in": "", "in2.out": ""}, []string{"secret/1: input1.in, output1.out", "secret/in2: in2.in, in2.out"}, nil},
		"samples beside": {
			files{"test1.in": "", "test1.out": "", "sample1.in": "", "sample1.out": "", "Example.in": "", "Example.out": ""},
			[]string{"sample/Example: Example.in, Example.out", "sample/sample1: sample1.in, sample1.out", "secret/test1: test1.in, test1.out"},
			nil,
		},
		"polygon's files":      {files{"x/01": "", "x/01.a": "", "x/02": "", "x/02.a": ""}, []string{"secret/01: 01, 01.a", "secret/02: 02, 02.a"}, nil},
		"answers alone say it": {files{"1.txt": "", "1.ans": "", "2.dat": "", "2.dat.out": ""}, []string{"secret/1: 1.txt, 1.ans", "secret/2.dat: 2.dat, 2.dat.out"}, nil},
		"numbers in order": {
			files{"1.in": "", "1.out": "", "2.in": "", "2.out": "", "10.in": "", "10.out": "", "a9.in": "", "a9.out": "", "a10.in": "", "a10.out": ""},
			[]string{"secret/01: 1.in, 1.out", "secret/02: 2.in, 2.out", "secret/10: 10.in, 10.out", "secret/a09: a9.in, a9.out", "secret/a10: a10.in, a10.out"},
			nil,
		},
		"numbers that would be one": {files{"1.in": "", "1.out": "", "01.in": "", "01.out": ""}, []string{"secret/01: 01.in, 01.out", "secret/1: 1.in, 1.out"}, nil},
		"subtasks": {
			files{"subtask2/1.in": "", "subtask2/1.out": "", "subtask10/1.in": "", "subtask10/1.out": ""},
			[]string{"secret/subtask02/1: subtask2/1.in, subtask2/1.out", "secret/subtask10/1: subtask10/1.in, subtask10/1.out"},
			nil,
		},
		"wrapped":    {files{"tests/1.in": "", "tests/1.out": ""}, []string{"secret/1: 1.in, 1.out"}, nil},
		"bystanders": {files{"1.in": "", "1.out": "", "README.md": ""}, []string{"secret/1: 1.in, 1.out"}, []string{"README.md: … neither an input nor an answer"}},
		"samples":    {files{"samples/1.in": "", "samples/1.out": "", "x.md": ""}, []string{"sample/1: samples/1.in, samples/1.out"}, []string{"x.md", "no secret"}},
	} {
		t.Run(name, func(t *testing.T) {
			data := zipBytes(t, entries(tc.files)...)
			for _, path := range []string{folder(t, "p", tc.files), zipFile(t, "p.zip", data)} {
				pkg := open(t, path, problems.Options{})
				var got []string
				for i, c := range pkg.Problem.Cases() {
					got = append(got, c.Name+": "+c.Input.Ref+", "+c.Answer.Ref)
					if c.Sample != strings.HasPrefix(c.Name, "sample/") || c.Ordinal != i+1 {
						t.Errorf("case %s: sample %t, ordinal %d", c.Name, c.Sample, c.Ordinal)
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("cases (-want +got):\n%s", diff)
				}
				wantEach(t, lines(pkg.Findings), tc.warn...)
			}
		})
	}
}

func TestPlainRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		files files
		want  []string
	}{
		"nothing":                  {files{"readme": ""}, []string{"no test cases"}},
		"no answer":                {files{"1.in": "", "1.out": "", "2.in": ""}, []string{"2.in: … no answer … add 2.out, 2.ans or output/2"}},
		"no input":                 {files{"1.in": "", "1.out": "", "output/2.txt": ""}, []string{"output/2.txt: … without an input … add 2.in or input/2"}},
		"two answers":              {files{"1.in": "", "1.out": "", "1.ans": ""}, []string{"1.out: … 1.ans … secret/1"}},
		"two inputs":               {files{"input/1.txt": "", "input/1.in": "", "output/1.txt": ""}, []string{"input/1.txt: … input/1.in"}},
		"two ways to say an input": {files{"input1.txt": "", "in.1": "", "output1.txt": ""}, []string{"input1.txt: … in.1"}},
		"two inputs of an answer":  {files{"1": "", "1.txt": "", "1.ans": ""}, []string{"1.txt: … 1: … secret/1"}},
		"three answers":            {files{"1.in": "", "1.out": "", "1.sol": "", "1.a": ""}, []string{"1.out: … 1.a", "1.sol: … 1.a"}},
		"words without numbers":    {files{"input1.in": "", "output2.out": ""}, []string{"input1.in: … no answer", "output2.out: … without an input"}},
		"two locations":            {files{"1.in": "", "1.out": "", "secret/1.in": "", "secret/1.out": ""}, []string{"secret/1.in: … 1.in", "secret/1.out: … 1.out"}},
	} {
		t.Run(name, func(t *testing.T) {
			wantEach(t, refused(t, folder(t, "p", tc.files), problems.Options{}), tc.want...)
		})
	}
}

func TestPlainLimits(t *testing.T) {
	path := folder(t, "Easy", files{"1.in": "", "1.out": ""})
	given := judge.Limits{CPU: 2 * time.Second, Wall: 9 * time.Second, Memory: 64 << 20, Output: 1 << 20, Processes: 8}
	p := open(t, path, problems.Options{Limits: given, Code: 1 << 10}).Problem
	if diff := cmp.Diff(given, p.Limits); diff != "" || p.Code != 1<<10 || !p.TimeLimitSet {
		t.Errorf("code %d, set %t, limits (-want +got):\n%s", p.Code, p.TimeLimitSet, diff)
	}
	if p.Name != "easy" || p.Title != "easy" {
		t.Errorf("name %q, title %q", p.Name, p.Title)
	}
	p = open(t, path, problems.Options{}).Problem
	want := judge.Limits{CPU: judge.DefaultCPU, Memory: judge.DefaultMemory, Output: judge.DefaultOutput}
	if diff := cmp.Diff(want, p.Limits); diff != "" || p.Code != judge.DefaultCode || p.TimeLimitSet {
		t.Errorf("code %d, set %t, limits (-want +got):\n%s", p.Code, p.TimeLimitSet, diff)
	}
}
