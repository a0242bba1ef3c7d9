package grader_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

func blob(text string) judge.Blob { return judge.Blob{Ref: text, Size: int64(len(text))} }

// An input validator accepts by 42, one of Polygon by 0; whatever else is no crash
// rejects.
func TestValidateInputs(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format judge.Format
		res    runner.Result
		want   judge.Validation
	}{
		{"accepts", judge.Format2025, exit(42), judge.Validation{Accepted: true, Message: "line 3: said"}},
		{"rejects", judge.Format2025, exit(43), judge.Validation{Message: "line 3: said"}},
		{"zero", judge.Format2025, exit(0), judge.Validation{Message: "line 3: said"}},
		{"testlib accepts", judge.FormatPolygon, exit(0), judge.Validation{Accepted: true, Message: "line 3: said"}},
		{"testlib rejects", judge.FormatPolygon, exit(3), judge.Validation{Message: "line 3: said"}},
		{"crashes", judge.Format2025, runner.Result{Signal: syscall.SIGSEGV}, judge.Validation{Message: "line 3: said", Fault: "killed by signal 11"}},
		{"takes too long", judge.FormatPolygon, runner.Result{Limit: runner.LimitCPU, Signal: syscall.SIGKILL}, judge.Validation{Message: "line 3: said", Fault: "cpu limit"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 3)
			s.jury = func(c *call) (runner.Result, error) {
				if want := []string{"/usr/bin/s", "-m2048", "/box/p/v.s", "flag of " + c.input}; !slices.Equal(c.cmd.Args, want) {
					t.Errorf("arguments %q, want %q", c.cmd.Args, want)
				}
				// One input's files are not there for the next.
				if want := (files{"side": []byte("beside " + c.input)}); cmp.Diff(want, c.box.work) != "" {
					t.Errorf("working folder %q, want %q", c.box.work, want)
				}
				c.warn("line 3: said\n")
				return tt.res, nil
			}
			p := problem()
			p.Format = tt.format
			req := grader.ValidateInputsRequest{ID: "x", Problem: p, Data: data{t.TempDir()}, Program: judge.JuryProgram{Name: "input_validators/v.s", Files: []judge.File{{Name: "v.s"}}}}
			for i := range 5 {
				text := fmt.Sprint("input ", i)
				req.Inputs = append(req.Inputs, grader.Input{
					Blob: blob(text), Flags: []string{"flag of " + text}, Files: []judge.CaseFile{{Name: "side", Blob: blob("beside " + text)}},
				})
			}
			told := map[int]judge.Validation{}
			if err := newGrader(s).ValidateInputs(t.Context(), req, func(i int, v judge.Validation) { told[i] = v }); err != nil {
				t.Fatal(err)
			}
			for i := range req.Inputs {
				got, ok := told[i]
				if !ok || got.Accepted != tt.want.Accepted || strings.TrimSpace(got.Message) != tt.want.Message || got.Line != 3 || (got.Fault == "") != (tt.want.Fault == "") || !strings.Contains(got.Fault, tt.want.Fault) {
					t.Errorf("input %d: %+v, want %+v", i, got, tt.want)
				}
			}
		})
	}
}

func TestValidateInputsRefuses(t *testing.T) {
	inputs := []grader.Input{{Blob: blob("1")}, {Blob: blob("missing")}, {Blob: blob("2")}}
	for _, tt := range []struct {
		name, program string
		inputs        []grader.Input
		compile       runner.Result
		want          error
	}{
		{"not run", "input_format_validators/v.viva", nil, ok(), grader.ErrNotRun},
		{"no language", "input_validators/v.unheard", nil, ok(), grader.ErrProblem},
		{"does not compile", "input_validators/v.x", inputs[:1], exit(1), grader.ErrProblem},
		{"an input that is not there", "input_validators/v.s", inputs, ok(), errNoData},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 2)
			s.compile = func(*call) (runner.Result, error) { return tt.compile, nil }
			s.jury = func(*call) (runner.Result, error) { return exit(42), nil }
			_, name, _ := strings.Cut(tt.program, "/")
			err := newGrader(s).ValidateInputs(t.Context(), grader.ValidateInputsRequest{
				ID: "x", Problem: problem(), Data: data{t.TempDir()}, Inputs: tt.inputs, Program: judge.JuryProgram{Name: tt.program, Files: []judge.File{{Name: name}}},
			}, func(int, judge.Validation) {})
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}

// A box that fails is tried again; what a validator said is told once.
func TestValidateInputsTriesAgain(t *testing.T) {
	s := newSandbox(t, 2)
	var mu sync.Mutex
	failed := map[string]bool{}
	s.jury = func(c *call) (runner.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		if !failed[c.input] {
			failed[c.input] = true
			return runner.Result{}, errors.New("the box broke")
		}
		return exit(42), nil
	}
	told := 0
	err := newGrader(s).ValidateInputs(t.Context(), grader.ValidateInputsRequest{
		ID: "x", Problem: problem(), Data: data{t.TempDir()}, Inputs: []grader.Input{{Blob: blob("1")}, {Blob: blob("2")}},
		Program: judge.JuryProgram{Name: "input_validators/v.s", Files: []judge.File{{Name: "v.s"}}},
	}, func(_ int, v judge.Validation) {
		if told++; !v.Accepted {
			t.Errorf("%+v", v)
		}
	})
	if err != nil || told != 2 {
		t.Errorf("%v, told of %d", err, told)
	}
}

// Outputs go through the validator that runs' outputs would: ours, one that is
// named, or the package's.
func TestValidateOutputs(t *testing.T) {
	group := &judge.TestGroup{Name: "secret", ValidatorFlags: []string{"float_tolerance", "0.1"}}
	c := judge.CaseInGroup{TestCase: judge.TestCase{Name: "secret/1", Input: blob("in"), Answer: blob("1.0 yes")}, Ordinal: 1, Group: group}
	strict := c
	strict.ValidatorFlags = []string{}
	outputs := []grader.Output{{Case: c, Output: blob("1.05 YES")}, {Case: c, Output: blob("1.2 yes")}, {Case: strict, Output: blob("1.05 yes")}, {Case: c, Output: blob("")}}
	own := []judge.JuryProgram{{Name: "output_validators/v.s", Files: []judge.File{{Name: "v.s"}}}}
	for _, tt := range []struct {
		name      string
		validator judge.OutputValidator
		outputs   []grader.Output
		want      string // a letter each: accepted, rejected, no answer
	}{
		{"ours", judge.OutputValidator{}, outputs, "ARRR"},
		{"named", judge.OutputValidator{Builtin: "identical"}, []grader.Output{{Case: judge.CaseInGroup{TestCase: judge.TestCase{Answer: blob("a b")}}, Output: blob("a b")}, {Case: judge.CaseInGroup{TestCase: judge.TestCase{Answer: blob("a b")}}, Output: blob("a  b")}}, "AR"},
		{"the package's", judge.OutputValidator{Programs: own}, outputs, "ARFF"},
		{"of testlib", judge.OutputValidator{Programs: own, Protocol: judge.ProtocolTestlib}, outputs, "RRAR"},
		{"all must accept", judge.OutputValidator{Programs: slices.Concat(own, own)}, outputs[:2], "AR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 2)
			s.jury = func(c *call) (runner.Result, error) {
				text := c.input
				if tt.validator.Protocol == judge.ProtocolTestlib {
					text = string(c.box.work["output"])
				}
				if string(c.box.work["input"]) != "in" || string(c.box.work["answer"]) != "1.0 yes" {
					t.Errorf("working folder %q", c.box.work)
				}
				return exit(map[string]int{"1.05 YES": 42, "1.2 yes": 43, "1.05 yes": 0, "": 1}[text]), nil
			}
			p := problem()
			p.Validator = tt.validator
			told := make([]byte, len(tt.outputs))
			err := newGrader(s).ValidateOutputs(t.Context(), grader.ValidateOutputsRequest{ID: "x", Problem: p, Data: data{t.TempDir()}, Outputs: tt.outputs}, func(i int, v judge.Validation) {
				switch {
				case v.Fault != "":
					told[i] = 'F'
				case v.Accepted:
					told[i] = 'A'
				default:
					told[i] = 'R'
				}
			})
			if err != nil || string(told) != tt.want {
				t.Errorf("%s, %v; want %s", told, err, tt.want)
			}
			if n := s.count(runner.Run); n != 0 {
				t.Errorf("%d runs", n)
			}
		})
	}
	p := problem()
	p.Interactive = true
	if err := newGrader(newSandbox(t, 1)).ValidateOutputs(t.Context(), grader.ValidateOutputsRequest{Problem: p}, nil); !errors.Is(err, grader.ErrProblem) {
		t.Errorf("of an interactive problem: %v", err)
	}
}
