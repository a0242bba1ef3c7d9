package grader_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

// TestProtocols: what a validator does, in a group of ten points and in a pass-fail
// problem.
func TestProtocols(t *testing.T) {
	tests := []struct {
		name     string
		protocol judge.Protocol
		code     int
		out, err string
		files    map[string]string // of the feedback folder
		want     judge.Verdict
		score    float64
		passFail judge.Verdict
	}{
		{name: "42", code: 42, want: judge.AC, score: 10, passFail: judge.AC},
		{name: "43", code: 43, want: judge.WA, passFail: judge.WA},
		{name: "0", code: 0, want: judge.JE, passFail: judge.JE},
		{name: "score", code: 42, files: map[string]string{"score.txt": " 2.5\n"}, want: judge.AC, score: 2.5, passFail: judge.AC},
		{name: "multiplier", code: 42, files: map[string]string{"score_multiplier.txt": ".25"}, want: judge.AC, score: 2.5, passFail: judge.AC},
		{name: "both", code: 42, files: map[string]string{"score.txt": "1", "score_multiplier.txt": "1"}, want: judge.JE, passFail: judge.AC},
		{name: "score of a reject", code: 43, files: map[string]string{"score.txt": "0"}, want: judge.JE, passFail: judge.WA},
		{name: "too much", code: 42, files: map[string]string{"score.txt": "10.1"}, want: judge.JE, passFail: judge.AC},
		{name: "negative", code: 42, files: map[string]string{"score.txt": "-1"}, want: judge.JE, passFail: judge.AC},
		{name: "multiplier above 1", code: 42, files: map[string]string{"score_multiplier.txt": "1.01"}, want: judge.JE, passFail: judge.AC},
		{name: "no number", code: 42, files: map[string]string{"score.txt": "nan"}, want: judge.JE, passFail: judge.AC},
		{name: "two numbers", code: 42, files: map[string]string{"score.txt": "1 2"}, want: judge.JE, passFail: judge.AC},
		{name: "testlib ok", protocol: judge.ProtocolTestlib, code: 0, err: "ok 3 numbers", want: judge.AC, score: 10, passFail: judge.AC},
		{name: "testlib wa", protocol: judge.ProtocolTestlib, code: 1, want: judge.WA, passFail: judge.WA},
		{name: "testlib pe", protocol: judge.ProtocolTestlib, code: 2, want: judge.WA, passFail: judge.WA},
		{name: "testlib fail", protocol: judge.ProtocolTestlib, code: 3, want: judge.JE, passFail: judge.JE},
		{name: "testlib dirt", protocol: judge.ProtocolTestlib, code: 4, want: judge.WA, passFail: judge.WA},
		{name: "testlib eof", protocol: judge.ProtocolTestlib, code: 8, want: judge.WA, passFail: judge.WA},
		{name: "testlib 42", protocol: judge.ProtocolTestlib, code: 42, want: judge.AC, score: 2.6, passFail: judge.WA},
		{name: "testlib all of it", protocol: judge.ProtocolTestlib, code: 116, want: judge.AC, score: 10, passFail: judge.AC},
		{name: "testlib points", protocol: judge.ProtocolTestlib, code: 7, err: "points 7.5 well", want: judge.AC, score: 7.5, passFail: judge.WA},
		{name: "testlib no points", protocol: judge.ProtocolTestlib, code: 7, err: "well", want: judge.JE, passFail: judge.JE},
		{name: "coci", protocol: judge.ProtocolCOCI, code: 7, err: "partial 3/4\n", want: judge.AC, score: 7.5, passFail: judge.WA},
		{name: "coci beyond", protocol: judge.ProtocolCOCI, code: 7, err: "partial 5/4\n", want: judge.JE, passFail: judge.JE},
		{name: "peg", protocol: judge.ProtocolPEG, code: 0, want: judge.AC, score: 10, passFail: judge.AC},
		{name: "peg wrong", protocol: judge.ProtocolPEG, code: 1, want: judge.WA, passFail: judge.WA},
		{name: "peg part", protocol: judge.ProtocolPEG, code: 1, out: "1\n2\n", want: judge.AC, score: 5, passFail: judge.WA},
		{name: "peg nothing of it", protocol: judge.ProtocolPEG, code: 1, out: "0\n2\n", want: judge.WA, passFail: judge.WA},
		{name: "peg 2", protocol: judge.ProtocolPEG, code: 2, want: judge.JE, passFail: judge.JE},
	}
	for _, tt := range tests {
		for _, scoring := range []bool{true, false} {
			s := newSandbox(t, 1)
			s.jury = func(c *call) (runner.Result, error) {
				args := map[judge.Protocol][]string{
					judge.ProtocolICPC:    {"/usr/bin/s", "-m2048", "/box/p/v.s", "input", "answer", "feedback/"},
					judge.ProtocolTestlib: {"/usr/bin/s", "-m2048", "/box/p/v.s", "input", "output", "answer"},
					judge.ProtocolPEG:     {"/usr/bin/s", "-m2048", "/box/p/v.s", "output", "answer", "input"},
				}
				args[judge.ProtocolCOCI] = args[judge.ProtocolTestlib]
				if diff := cmp.Diff(args[tt.protocol], c.cmd.Args); diff != "" {
					t.Error(diff)
				}
				if tt.protocol != judge.ProtocolICPC && string(c.box.work["output"]) != "secret/1" {
					t.Errorf("%s: output file %q", tt.name, c.box.work["output"])
				}
				for name, text := range tt.files {
					c.box.work["feedback/"+name] = []byte(text)
				}
				c.print(tt.out)
				c.warn(tt.err)
				return exit(tt.code), nil
			}
			p := problem("secret/1")
			p.Format, p.Scoring = judge.Format2025, scoring
			p.Validator = judge.OutputValidator{Programs: []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.s"}}}}, Protocol: tt.protocol}
			want, score := tt.passFail, 0.0
			if scoring {
				want, score = tt.want, tt.score
				p.Root.Groups[0].Scoring = &judge.GroupScoring{MaxScore: 10, Aggregation: judge.AggregateSum}
			}
			j := mustJudge(t, newGrader(s), request(t, p, &script))
			if j.Verdict != want || (j.Score != nil) != (scoring && want != judge.JE) || j.Score != nil && math.Abs(*j.Score-score) > 1e-9 {
				t.Errorf("%s, scoring %v: %s %v (%s), want %s %v", tt.name, scoring, j.Verdict, j.Score, j.Message, want, score)
			}
		}
	}
}

// TestPasses: each pass reads what the validator left, whose other files stay.
func TestPasses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		passes int // that the validator asks for
		limit  int
		code   int // of the last
		want   judge.Verdict
	}{
		{"one", 1, 0, 42, judge.AC},
		{"two", 2, 0, 42, judge.AC},
		{"three of two", 3, 0, 42, judge.JE},
		{"three of three", 3, 3, 42, judge.AC},
		{"rejected in the second", 2, 0, 43, judge.WA},
	} {
		s := newSandbox(t, 1)
		var inputs []string
		passes := 0
		s.run = func(c *call) (runner.Result, error) {
			inputs = append(inputs, c.input)
			c.print(c.input)
			res := ok()
			res.CPU += 1000 * 1000 * 100 / 2 // the most of one pass counts
			return res, nil
		}
		s.jury = func(c *call) (runner.Result, error) {
			if c.cmd.Args[0] == "/bin/rm" {
				if c.cmd.Args[2] != "feedback/nextpass.in" {
					t.Errorf("%s: %v", tt.name, c.cmd.Args)
				}
				delete(c.box.work, "feedback/nextpass.in")
				return exit(0), nil
			}
			if passes++; passes > 1 && string(c.box.work["feedback/notes"]) != strings.Repeat("x", passes-1) {
				t.Errorf("%s: notes %q in pass %d", tt.name, c.box.work["feedback/notes"], passes)
			}
			given := "next"
			if passes == 1 {
				given = "secret/1"
			}
			if string(c.box.work["input"]) != given || c.box.work["feedback/nextpass.in"] != nil {
				t.Errorf("%s: pass %d, %q, run %v", tt.name, passes, c.box.work, c.cmd.Args)
			}
			c.box.work["feedback/notes"] = append(c.box.work["feedback/notes"], 'x')
			if passes < tt.passes {
				c.box.work["feedback/nextpass.in"] = []byte("next")
				return exit(42), nil
			}
			return exit(tt.code), nil
		}
		p := problem("secret/1")
		p.MultiPass, p.Passes = true, tt.limit
		p.Validator.Programs = []judge.JuryProgram{{Name: "v", Files: []judge.File{{Name: "v.s"}}}}
		j := mustJudge(t, newGrader(s), request(t, p, &script))
		if j.Verdict != tt.want || inputs[0] != "secret/1" || len(inputs) > 1 && inputs[1] != "next" {
			t.Errorf("%s: %s %s, inputs %q", tt.name, j.Verdict, j.Message, inputs)
		}
	}
}

// TestAnswersHandedIn: files are the outputs, found by their names.
func TestAnswersHandedIn(t *testing.T) {
	p := problem("sample/1", "secret/1", "secret/2")
	p.SubmitAnswer = true
	p.Root.Groups[0].Cases[0].Sample = true
	for _, tt := range []struct {
		files map[string]string
		want  string
		fault string
	}{
		{files: map[string]string{"1.out": "secret/1", "2.ans": "secret/2"}, want: "AC: sample/1=AC secret/1=AC secret/2=AC"},
		{files: map[string]string{"secret/1.out": "secret/1", "sample/1.out": "x"}, want: "WA: sample/1=WA"},
		{files: map[string]string{"1.out": "secret/1"}, want: "WA: sample/1=AC secret/1=AC secret/2=WA"},
		{files: map[string]string{"3.out": "secret/1"}, fault: `"3.out" is named after no test case`},
		{fault: "no files"},
	} {
		req := grader.Request{ID: "s", Problem: p, Data: data{t.TempDir()}}
		for name, text := range tt.files {
			req.Files = append(req.Files, judge.File{Name: name, Data: []byte(text)})
		}
		slices.SortFunc(req.Files, func(a, b judge.File) int { return strings.Compare(a.Name, b.Name) })
		j, err := newGrader(newSandbox(t, 1)).Judge(t.Context(), req, nil)
		if tt.fault != "" {
			if !errors.Is(err, judge.ErrSource) || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%v: %v, want %s", tt.files, err, tt.fault)
			}
			continue
		}
		if got := verdicts(j); err != nil || got != tt.want {
			t.Errorf("%v: %s %v, want %s", tt.files, got, err, tt.want)
		}
	}
}
