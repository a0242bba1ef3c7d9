package grader

import (
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"judge/judge"
	"judge/judge/checker"
	"judge/runner"
)

// judging is one judgement on its way. After plan only the programs change, and
// they before the first case runs.
type judging struct {
	*Grader

	req   Request
	on    func(Event)
	cases []testCase // in order of judging; static validation is one of them
	total int        // cases but for static validation

	nodes   map[*judge.TestGroup][]node // of the groups that have cases to be judged
	statics map[*judge.TestGroup]int    // index of a group's static validation
	all     []int                       // indices of all cases
	graded  bool                        // groups by judge.Grading
	scored  bool                        // groups by judge.GroupScoring

	customGrading bool // a group is graded by the package's program

	program    *executable   // of the submission; nil where its files are the outputs
	validators []*executable // none: one of our own
	checker    *executable   // of what an interactor has written; nil: none
	grader     *executable   // custom; nil: none
	static     *executable   // static validator; nil: none

	limits judge.Limits // of a run: the language's factor and allowance applied
	memory int64        // bytes, the limit without the language's allowance
	oom    *regexp.Regexp
}

// node is a case, by its index, or a group.
type node struct {
	index int
	group *judge.TestGroup
}

// testCase is a case with what its groups say.
type testCase struct {
	judge.CaseInGroup

	static  bool    // the group's static validation
	compare compare // nil where the package's own programs do
	points  points
	answer  []byte // of submit-answer problems: the output that was handed in
}

// plan finds out everything that can be wrong with a request before anything
// runs.
func (g *Grader) plan(ctx context.Context, req Request, on func(Event)) (*judging, error) {
	j := &judging{Grader: g, req: req, on: on, memory: req.Problem.Limits.WithDefaults().Memory}
	if g.Isolation == runner.PerSubmission && req.ID == "" {
		return nil, fmt.Errorf("judge %s: a request without id under isolation %q", req.Problem.Name, g.Isolation)
	}
	if err := j.planCases(); err != nil {
		return nil, err
	}
	if req.Problem.SubmitAnswer {
		if err := j.planAnswers(); err != nil {
			return nil, err
		}
	} else if err := j.planProgram(ctx); err != nil {
		return nil, err
	}
	return j, j.planJury(ctx)
}

func (j *judging) planProgram(ctx context.Context) error {
	req := &j.req
	j.limits = req.Language.RunLimits(req.Problem.Limits)
	prog, err := req.Problem.NewProgram(req.Language, req.Files, req.Entry)
	if err != nil {
		return err
	}
	if p := req.Language.OutOfMemory.Stderr; p != "" {
		if j.oom, err = regexp.Compile(p); err != nil {
			return fmt.Errorf("compile out-of-memory pattern of language %s: %w", req.Language.ID, err)
		}
	}
	j.program, err = j.newExecutable(ctx, submission, req.Problem.Name, prog)
	return err
}

func (j *judging) planCases() error {
	p := j.req.Problem
	j.nodes, j.statics = map[*judge.TestGroup][]node{}, map[*judge.TestGroup]int{}
	j.rules(&p.Root)
	cases := p.Cases()
	for _, want := range j.req.Cases {
		if !slices.ContainsFunc(cases, func(c judge.CaseInGroup) bool { return selects(want, c.Name) }) {
			return fmt.Errorf("%w: problem %s has no test case or group %q below data/", ErrOptions, p.Name, want)
		}
	}
	parsed := map[string]compare{}
	for i, c := range cases {
		if !j.selected(c.Name) {
			continue
		}
		j.ancestors(c.Name)
		tc := testCase{CaseInGroup: c, points: j.pointsOf(&cases[i])}
		if err := j.comparison(&tc, parsed); err != nil {
			return err
		}
		j.total++
		j.add(tc)
	}
	j.staticAlone(&p.Root)
	if j.total == 0 {
		return fmt.Errorf("%w: %s has no test cases", ErrProblem, p.Name)
	}
	return j.checkRequired()
}

// rules finds out by which rules groups are scored.
func (j *judging) rules(root *judge.TestGroup) {
	var grading, scoring bool
	var walk func(g *judge.TestGroup)
	walk = func(g *judge.TestGroup) {
		grading, scoring = grading || g.Grading != nil, scoring || g.Scoring != nil
		j.customGrading = j.customGrading || g.Grading != nil && g.Grading.Custom
		for i := range g.Groups {
			walk(&g.Groups[i])
		}
	}
	walk(root)
	legacy := j.req.Problem.Format == judge.FormatLegacy || j.req.Problem.Format == ""
	j.scored = scoring || j.req.Problem.Scoring && !grading && !legacy
	j.graded = !j.scored && (grading || j.req.Problem.Scoring)
}

func (j *judging) selected(name string) bool {
	return len(j.req.Cases) == 0 || slices.ContainsFunc(j.req.Cases, func(want string) bool { return selects(want, name) })
}

// selects reports whether want is the case itself or a group above it.
func selects(want, name string) bool {
	want = strings.TrimSuffix(want, "/")
	return name == want || strings.HasPrefix(name, want+"/")
}

func within(g *judge.TestGroup, name string) bool {
	return g.Name == "" || strings.HasPrefix(name, g.Name+"/")
}

// ancestors makes the groups above a case known, with their static validation,
// which comes before their cases.
func (j *judging) ancestors(name string) {
	g := &j.req.Problem.Root
	for {
		if _, ok := j.nodes[g]; !ok {
			j.nodes[g] = nil
			if g.Static && len(j.req.Cases) == 0 {
				j.statics[g] = len(j.cases)
				j.all = append(j.all, len(j.cases))
				j.cases = append(j.cases, testCase{
					static: true, points: j.staticPoints(g),
					CaseInGroup: judge.CaseInGroup{Group: g, TestCase: judge.TestCase{Name: path.Join(g.Name, "static validation")}},
				})
			}
		}
		i := slices.IndexFunc(g.Groups, func(sub judge.TestGroup) bool { return within(&sub, name) })
		if i < 0 {
			return
		}
		sub := &g.Groups[i]
		if !slices.ContainsFunc(j.nodes[g], func(n node) bool { return n.group == sub }) {
			j.nodes[g] = append(j.nodes[g], node{group: sub})
		}
		g = sub
	}
}

// staticAlone: a group may have nothing but a static validation.
func (j *judging) staticAlone(g *judge.TestGroup) {
	if _, ok := j.nodes[g]; !ok && g.Static {
		j.ancestors(g.Name + "/")
	}
	for i := range g.Groups {
		j.staticAlone(&g.Groups[i])
	}
}

func (j *judging) add(tc testCase) {
	i := len(j.cases)
	j.cases, j.all = append(j.cases, tc), append(j.all, i)
	j.nodes[tc.Group] = append(j.nodes[tc.Group], node{index: i})
}

// comparison finds out how a case's output is compared, where the judge does it.
func (j *judging) comparison(tc *testCase, parsed map[string]compare) error {
	v := j.req.Problem.Validator
	if v.Custom() {
		return nil
	}
	flags := tc.OutputFlags(v, "")
	key := strings.Join(flags, "\x00")
	made, ok := parsed[key]
	if !ok {
		var err error
		if made, err = newCompare(v.Builtin, flags); err != nil {
			return fmt.Errorf("%w: %s: validator flags of group %q: %w", ErrProblem, j.req.Problem.Name, tc.Group.Name, err)
		}
		parsed[key] = made
	}
	tc.compare = made
	return nil
}

// compare begins the comparison of one output with answer.
type compare func(answer io.Reader) checker.Comparison

func newCompare(builtin string, flags []string) (compare, error) {
	if builtin != "" {
		b, err := checker.ParseBuiltin(builtin, flags)
		return b.New, err
	}
	options, err := checker.ParseFlags(flags)
	return func(answer io.Reader) checker.Comparison { return checker.New(options, answer) }, err
}

// checkRequired holds groups to requiring only what comes before them: else
// what is required is not known in time.
func (j *judging) checkRequired() error {
	seen := map[string]bool{}
	var walk func(g *judge.TestGroup) error
	walk = func(g *judge.TestGroup) error {
		for _, name := range g.RequirePass {
			if len(j.req.Cases) == 0 && !seen[strings.TrimSuffix(name, "/")] {
				return fmt.Errorf("%w: %s: group %s requires %q, which does not come before it", ErrProblem, j.req.Problem.Name, g.Name, name)
			}
		}
		for _, n := range j.nodes[g] {
			if n.group == nil {
				seen[j.cases[n.index].Name] = true
			} else if err := walk(n.group); err != nil {
				return err
			}
		}
		seen[g.Name] = true
		return nil
	}
	return walk(&j.req.Problem.Root)
}
