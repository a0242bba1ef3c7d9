package grader

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"judge/judge"
	"judge/judge/checker"
	"judge/runner"
)

// judging is one judgement on its way. After plan only program and validators
// change, and they before the first case runs.
type judging struct {
	*Grader

	req        Request
	on         func(Event)
	cases      []testCase
	program    *executable
	validators []*executable // none: the default validator
	limits     judge.Limits  // of a run: the language's factor and allowance applied
	memory     int64         // bytes, the limit without the language's allowance
	oom        *regexp.Regexp
}

// testCase is a case with what its groups say.
type testCase struct {
	judge.CaseInGroup

	flags   []string // of the validators
	options checker.Options
}

// plan finds out everything that can be wrong with a request before anything
// runs.
func (g *Grader) plan(ctx context.Context, req Request, on func(Event)) (*judging, error) {
	j := &judging{
		Grader: g, req: req, on: on,
		limits: req.Language.RunLimits(req.Problem.Limits),
		memory: req.Problem.Limits.WithDefaults().Memory,
	}
	if g.Isolation == runner.PerSubmission && req.ID == "" {
		return nil, fmt.Errorf("judge %s: a request without id under isolation %q", req.Problem.Name, g.Isolation)
	}
	prog, err := req.Problem.NewProgram(req.Language, req.Files, req.Entry)
	if err != nil {
		return nil, err
	}
	if p := req.Language.OutOfMemory.Stderr; p != "" {
		if j.oom, err = regexp.Compile(p); err != nil {
			return nil, fmt.Errorf("compile out-of-memory pattern of language %s: %w", req.Language.ID, err)
		}
	}
	if err := j.planCases(); err != nil {
		return nil, err
	}
	if j.program, err = j.newExecutable(ctx, submission, req.Problem.Name, prog); err != nil {
		return nil, err
	}
	return j, j.planValidators(ctx)
}

func (j *judging) planCases() error {
	p := j.req.Problem
	all := p.Cases()
	for _, want := range j.req.Cases {
		if !slices.ContainsFunc(all, func(c judge.CaseInGroup) bool { return selects(want, c.Name) }) {
			return fmt.Errorf("%w: problem %s has no test case or group %q below data/", ErrOptions, p.Name, want)
		}
	}
	parsed := map[*judge.TestGroup]testCase{}
	for _, c := range all {
		if len(j.req.Cases) > 0 && !slices.ContainsFunc(j.req.Cases, func(want string) bool { return selects(want, c.Name) }) {
			continue
		}
		tc, ok := parsed[c.Group]
		if !ok {
			tc.flags = slices.Concat(p.Validator.Flags, c.Group.ValidatorFlags)
			if !p.Validator.Custom() {
				var err error
				if tc.options, err = checker.ParseFlags(tc.flags); err != nil {
					return fmt.Errorf("%w: %s: validator flags of group %q: %w", ErrProblem, p.Name, c.Group.Name, err)
				}
			}
			parsed[c.Group] = tc
		}
		tc.CaseInGroup = c
		j.cases = append(j.cases, tc)
	}
	if len(j.cases) == 0 {
		return fmt.Errorf("%w: %s has no test cases", ErrProblem, p.Name)
	}
	return nil
}

// selects reports whether want is the case itself or a group above it.
func selects(want, name string) bool {
	want = strings.TrimSuffix(want, "/")
	return name == want || strings.HasPrefix(name, want+"/")
}

func (j *judging) planValidators(ctx context.Context) error {
	p := j.req.Problem
	for _, v := range p.Validator.Programs {
		for _, f := range v.Files {
			if f.Name == "build" || f.Name == "run" {
				return fmt.Errorf("%w: %s: %s is made by scripts named build and run, which is not supported yet; give its sources instead",
					ErrProblem, p.Name, v.Name)
			}
		}
		if j.JuryLanguage == nil {
			return fmt.Errorf("%w: %s: %s: no language for jury programs is set up", ErrProblem, p.Name, v.Name)
		}
		lang, err := j.JuryLanguage(v.Files)
		if err != nil {
			return fmt.Errorf("%w: %s: %s: %v", ErrProblem, p.Name, v.Name, err) //nolint:errorlint // not the submitter's: must not be judge.ErrSource
		}
		prog, err := judge.NewProgram(lang, v.Files, "")
		if err != nil {
			return fmt.Errorf("%w: %s: %s: %v", ErrProblem, p.Name, v.Name, err) //nolint:errorlint // as above
		}
		exe, err := j.newExecutable(ctx, jury, path.Join(p.Name, v.Name), prog)
		if err != nil {
			return err
		}
		j.validators = append(j.validators, exe)
	}
	return nil
}

// stopAfter is the index of the last case that is run when the case at index i
// is not accepted: i itself, or the last one of the groups around it that go on
// after a reject (on_reject: continue).
func (j *judging) stopAfter(i int) int {
	last := len(j.cases) - 1
	if j.req.All {
		return last
	}
	stop := i
	for _, g := range groupsAround(&j.req.Problem.Root, j.cases[i].Name) {
		if !g.ContinueReject {
			return stop
		}
		for stop < last && within(g, j.cases[stop+1].Name) {
			stop++
		}
	}
	return stop
}

func within(g *judge.TestGroup, name string) bool {
	return g.Name == "" || strings.HasPrefix(name, g.Name+"/")
}

// groupsAround are the groups that a case lies in, the innermost first.
func groupsAround(root *judge.TestGroup, name string) []*judge.TestGroup {
	around := []*judge.TestGroup{root}
	for g := root; ; {
		i := slices.IndexFunc(g.Groups, func(sub judge.TestGroup) bool { return within(&sub, name) })
		if i < 0 {
			slices.Reverse(around)
			return around
		}
		g = &g.Groups[i]
		around = append(around, g)
	}
}
