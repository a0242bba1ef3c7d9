package verify

import (
	"context"
	"errors"
	"slices"

	"judge/judge"
	"judge/problems"
)

// inputs asks every input validator about every input, and about what the package
// says is invalid: that one of them must reject.
func (v *verification) inputs(ctx context.Context) error {
	p := &v.problem
	if v.Skip[Inputs] || len(p.InputValidators) == 0 {
		return nil
	}
	checks := v.checks(judge.InvalidInput)
	rejected := make([]bool, len(checks))
	for _, program := range p.InputValidators {
		var all []Input
		var names []string
		for _, c := range v.cases {
			all, names = append(all, Input{Blob: c.Input, Flags: c.InputFlagsOf(program.Name), Files: c.Files}), append(names, c.Name)
		}
		for _, c := range checks {
			all = append(all, Input{Blob: c.Input, Flags: c.InputFlagsOf(program.Name), Files: c.Files})
		}
		err := v.Grader.ValidateInputs(ctx, p, program, all, func(i int, said judge.Validation) {
			v.step(Inputs, program.Name, 1, nil)
			switch {
			case i >= len(names):
				if said.Fault == "" && !said.Accepted {
					rejected[i-len(names)] = true
				} else if said.Fault != "" {
					v.fault(program.Name, "data/"+checks[i-len(names)].Name+".in", said)
				}
			case said.Fault != "":
				v.fault(program.Name, "data/"+names[i]+".in", said)
			case !said.Accepted:
				v.findAt(CodeInputRejected, "data/"+names[i]+".in", said.Line, "%s rejects it%s; mend the input or the validator", program.Name, because(said))
			}
		})
		if err := v.refused(err, program.Name); err != nil {
			return err
		}
	}
	for i, c := range checks {
		if !rejected[i] {
			v.find(problems.Error, CodeExampleAccepted, "data/"+c.Name+".in", "no input validator rejects it, though it is an example of an invalid input; mend the example or a validator")
		}
	}
	return nil
}

// outputs asks the output validator about the jury's answers and the examples.
func (v *verification) outputs(ctx context.Context) error {
	if v.Skip[Answers] {
		return nil
	}
	answers := v.answers()
	all := slices.Clone(answers)
	checks := append(v.checks(judge.ValidOutput), v.checks(judge.InvalidOutput)...)
	for _, c := range checks {
		group := v.problem.Root
		group.ValidatorFlags = c.Flags
		all = append(all, Output{
			Case:   judge.CaseInGroup{TestCase: judge.TestCase{Name: c.Name, Input: c.Input, Answer: c.Answer, ValidatorFlags: c.Flags}, Ordinal: 1, Group: &group},
			Output: c.Output,
		})
	}
	if len(all) == 0 {
		return nil
	}
	err := v.Grader.ValidateOutputs(ctx, &v.problem, all, func(i int, said judge.Validation) {
		v.step(Answers, "answers", 1, nil)
		name := all[i].Case.Name
		switch {
		case said.Fault != "":
			v.fault("the output validator", "data/"+name+".ans", said)
		case i < len(answers):
			if !said.Accepted {
				v.findAt(CodeAnswerRejected, "data/"+name+".ans", said.Line, "the output validator rejects the jury's own answer%s; mend the answer or the validator", because(said))
			}
		case checks[i-len(answers)].Kind == judge.ValidOutput && !said.Accepted:
			v.findAt(CodeExampleRejected, "data/"+name, said.Line, "the output validator rejects it%s, though it is an example of a valid output; mend the example or the validator", because(said))
		case checks[i-len(answers)].Kind == judge.InvalidOutput && said.Accepted:
			v.find(problems.Error, CodeExampleAccepted, "data/"+name, "the output validator accepts it, though it is an example of an invalid output; mend the example or the validator")
		}
	})
	return v.refused(err, "the output validator")
}

// answers are those of the jury that its own validator can be asked about: what an
// interactor or several passes want is no single output, and the default validator
// finds every answer equal to itself.
func (v *verification) answers() []Output {
	p := &v.problem
	if p.Interactive || p.MultiPass || p.SubmitAnswer || !p.Validator.Custom() {
		return nil
	}
	var all []Output
	for _, c := range v.cases {
		all = append(all, Output{Case: c, Output: c.Answer})
		if c.Output != nil {
			all = append(all, Output{Case: c, Output: *c.Output})
		}
	}
	return all
}

func (v *verification) checks(kind judge.DataCheckKind) []judge.DataCheck {
	var all []judge.DataCheck
	for _, c := range v.problem.DataChecks {
		if c.Kind == kind {
			all = append(all, c)
		}
	}
	return all
}

// refused makes a finding of an error that says that a validator cannot be asked.
func (v *verification) refused(err error, who string) error {
	if refused, ok := errors.AsType[Refused](err); ok {
		v.find(problems.Error, CodeValidatorFault, who, "cannot be run: %s", refused.Reason)
		return nil
	}
	if not, ok := errors.AsType[NotRun](err); ok {
		v.find(problems.Warning, CodeNotRun, who, "was not run: %s; give a program in a language of submissions as well", not.Reason)
		return nil
	}
	return err
}

func (v *verification) fault(who, file string, said judge.Validation) {
	v.find(problems.Error, CodeValidatorFault, who, "gives no answer on %s: %s; it must end with the exit code of its protocol within the limits of validation", file, orElse(said.Fault+because(said), "no reason is known"))
}

func because(said judge.Validation) string {
	if said.Message == "" {
		return ""
	}
	return ": " + firstLine(said.Message)
}

// findAt is an error at a line of a file.
func (v *verification) findAt(code problems.Code, file string, line int, format string, args ...any) {
	v.find(problems.Error, code, file, format, args...)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Findings[len(v.report.Findings)-1].Line = line
}
