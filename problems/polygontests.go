package problems

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"judge/judge"
)

// Tests of Polygon are numbered from 1. A test that is an example is a sample; the
// others lie in secret, in groups where the problem has groups. The digits of names
// are as many as the last one has, so that their order is that of the numbers.

// maxPolygonTests bounds how many tests a package may list.
const maxPolygonTests = 10_000

// polygonTest is one test as problem.xml has it.
type polygonTest struct {
	*element

	number int
	group  string
	points float64
	scored bool // points are given
	sample bool
}

// printf is the only directive that paths of tests may have.
var printf = regexp.MustCompile(`%(0[1-9])?d`)

// numberedPath puts a number into a path pattern, as in tests/%02d.a; empty: it is
// none.
func numberedPath(pattern string, n int) string {
	at := printf.FindStringIndex(pattern)
	if at == nil || strings.Contains(pattern[:at[0]]+pattern[at[1]:], "%") {
		return ""
	}
	return pattern[:at[0]] + fmt.Sprintf(pattern[at[0]:at[1]], n) + pattern[at[1]:]
}

func (p *polygon) tests() {
	if p.testset == nil {
		return
	}
	tests, ok := p.listTests()
	if !ok {
		return
	}
	groups := p.groups(tests)
	sample := judge.TestGroup{Name: "sample"}
	secret := judge.TestGroup{Name: "secret", ContinueReject: p.pkg.Problem.Scoring}
	byName := map[string]*judge.TestGroup{}
	for i := range groups {
		byName[groups[i].Name] = &groups[i]
	}
	for _, t := range tests {
		c, ok := p.testCase(t, len(strconv.Itoa(len(tests))))
		if !ok {
			continue
		}
		g := byName["secret/"+groupName(t.group)]
		switch {
		case t.sample && t.points == 0:
			c.Name, c.Sample = "sample/"+c.Name, true
			sample.Cases = append(sample.Cases, c)
			continue
		case g == nil:
			g = &secret
		}
		c.Name = g.Name + "/" + c.Name
		if g.Scoring != nil && g.Scoring.Aggregation == judge.AggregateSum {
			c.MaxScore = &t.points
		}
		g.Cases = append(g.Cases, c)
	}
	for _, g := range groups {
		if len(g.Cases) > 0 {
			secret.Groups = append(secret.Groups, g)
		}
	}
	p.scoreSecret(&secret, tests)
	root := judge.TestGroup{}
	for _, g := range []judge.TestGroup{sample, secret} {
		if !emptyGroup(g) {
			root.Groups = append(root.Groups, g)
		}
	}
	p.pkg.Problem.Root = root
}

func (p *polygon) listTests() (tests []polygonTest, ok bool) {
	list := p.testset.at("tests").all("test")
	if len(list) > maxPolygonTests {
		p.rep.errorf(TooMany, polygonFile, p.testset.line, "there are %d tests; at most %d are read", len(list), maxPolygonTests)
		return nil, false
	}
	ok = true
	for i, e := range list {
		t := polygonTest{element: e, number: i + 1, group: e.attr("group"), sample: e.attr("sample") == "true"}
		if points := e.attr("points"); points != "" {
			n, err := strconv.ParseFloat(points, 64)
			if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
				p.rep.errorf(BadNumber, polygonFile, e.line, "points of test %d are %q; write a number from 0 up", t.number, points)
				ok = false
			}
			t.points, t.scored = n, true
		}
		p.pkg.Problem.Scoring = p.pkg.Problem.Scoring || t.points > 0
		tests = append(tests, t)
	}
	return tests, ok
}

func (p *polygon) testCase(t polygonTest, digits int) (judge.TestCase, bool) {
	c := judge.TestCase{Name: fmt.Sprintf("%0*d", digits, t.number), Description: judge.SafeText([]byte(t.attr("description")), maxPolygonText)}
	for _, part := range []struct {
		pattern, what string
		to            *judge.Blob
		code          Code
	}{
		{"input-path-pattern", "input", &c.Input, MissingInput},
		{"answer-path-pattern", "answer", &c.Answer, MissingAnswer},
	} {
		pattern := p.testset.at(part.pattern)
		name := numberedPath(pattern.value(), t.number)
		if name == "" {
			if t.number == 1 {
				p.rep.errorf(BadValue, polygonFile, p.testset.line, "%s is %q; a path with one %%d or %%02d in it is needed", part.pattern, pattern.value())
			}
			return c, false
		}
		e := p.tree.byName[name]
		if e == nil {
			p.rep.errorf(part.code, polygonFile, t.line, "the %s of test %d, %s, is not in the package; make a full package in Polygon (with generated tests), or run doall.sh in this one", part.what, t.number, name)
			return c, false
		}
		*part.to = p.pin(e)
	}
	return c, true
}

// groupName makes a name for a folder of a group's name.
func groupName(name string) string {
	safe := strings.Map(func(c rune) rune {
		if c < 0x80 && (c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return c
		}
		return '-'
	}, name)
	if n, err := strconv.Atoi(safe); err == nil && n >= 0 && n < 100 {
		return fmt.Sprintf("group%02d", n) // in the order of their numbers
	}
	return "group-" + safe
}

// groups are the test groups that problem.xml lists or tests name, in order, of
// tests that are not samples alone.
func (p *polygon) groups(tests []polygonTest) []judge.TestGroup {
	listed := map[string]*element{}
	for _, e := range p.testset.at("groups").all("group") {
		listed[e.attr("name")] = e
	}
	var groups []judge.TestGroup
	seen := map[string]bool{"": true}
	samples := map[string]bool{} // groups of samples alone
	for _, t := range tests {
		samples[t.group] = t.sample && t.points == 0 && (samples[t.group] || !seen[t.group])
		seen[t.group] = true
	}
	for name := range seen {
		if name == "" || samples[name] {
			continue
		}
		g := judge.TestGroup{Name: "secret/" + groupName(name), ContinueReject: p.pkg.Problem.Scoring}
		e := listed[name]
		for _, d := range e.at("dependencies").all("dependency") {
			on := d.attr("group")
			switch {
			case !seen[on] || on == "":
				p.rep.errorf(UnknownGroup, polygonFile, d.line, "group %q depends on group %q, which has no tests", name, on)
			case samples[on]:
				g.RequirePass = append(g.RequirePass, "sample")
			default:
				g.RequirePass = append(g.RequirePass, "secret/"+groupName(on))
			}
		}
		if p.pkg.Problem.Scoring {
			g.Scoring = p.groupScoring(e, name, tests)
			g.ContinueReject = g.Scoring.Aggregation == judge.AggregateSum
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b judge.TestGroup) int { return strings.Compare(a.Name, b.Name) })
	p.cycles(groups)
	return groups
}

func (p *polygon) groupScoring(e *element, name string, tests []polygonTest) *judge.GroupScoring {
	s := &judge.GroupScoring{Aggregation: judge.AggregateSum}
	for _, t := range tests {
		if t.group == name {
			s.MaxScore += t.points
		}
	}
	switch policy := e.attr("points-policy"); policy {
	case "", "each-test":
	case "complete-group":
		s.Aggregation = judge.AggregatePassFail
		if points := e.attr("points"); points != "" {
			n, err := strconv.ParseFloat(points, 64)
			if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
				p.rep.errorf(BadNumber, polygonFile, e.line, "points of group %q are %q; write a number from 0 up", name, points)
			}
			s.MaxScore = n
		}
	default:
		p.rep.errorf(BadValue, polygonFile, e.line, "points-policy of group %q is %q; complete-group and each-test are known", name, policy)
	}
	return s
}

// scoreSecret gives the secret tests as a whole their score.
func (p *polygon) scoreSecret(secret *judge.TestGroup, tests []polygonTest) {
	if !p.pkg.Problem.Scoring {
		return
	}
	total := 0.0
	for _, g := range secret.Groups {
		total += g.Scoring.MaxScore
	}
	for i := range secret.Cases { // tests of no group
		n, err := strconv.Atoi(secret.Cases[i].Name[strings.LastIndexByte(secret.Cases[i].Name, '/')+1:])
		if err == nil && n >= 1 && n <= len(tests) {
			secret.Cases[i].MaxScore = &tests[n-1].points
			total += tests[n-1].points
		}
	}
	secret.Scoring = &judge.GroupScoring{MaxScore: total, Aggregation: judge.AggregateSum}
}

// cycles refuses groups that depend on each other in a circle.
func (p *polygon) cycles(groups []judge.TestGroup) {
	needs := map[string][]string{}
	for _, g := range groups {
		needs[g.Name] = g.RequirePass
	}
	state := map[string]int{} // 1: being looked at, 2: fine
	var walk func(name string) bool
	walk = func(name string) bool {
		if state[name] != 0 {
			return state[name] == 2
		}
		state[name] = 1
		for _, on := range needs[name] {
			if !walk(on) {
				return false
			}
		}
		state[name] = 2
		return true
	}
	for _, g := range groups {
		if !walk(g.Name) {
			p.rep.errorf(DependencyCycle, polygonFile, p.testset.line, "%s depends on itself through other groups; remove a dependency", strings.TrimPrefix(g.Name, "secret/"))
			return
		}
	}
}
