package problems

import (
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// A plain collection of inputs and answers, as plainnames.go tells them apart, in
// folders as one likes. What lies below sample/ is a sample; everything else is
// secret. Limits are the caller's.

func (r *reader) plain() {
	r.pkg.Problem.Format, r.pkg.Problem.Title = judge.FormatPlain, r.pkg.Problem.Name
	r.givenLimits()
	r.plainRoot(r.plainPairs())
	r.counted()
}

// givenLimits are the caller's, for packages that state none.
func (r *reader) givenLimits() {
	p, given := &r.pkg.Problem, r.opts.Limits
	defaultLimits(p)
	if err := checkGiven(given, r.opts.Code); err != nil {
		if r.err == nil {
			r.err = err
		}
		return
	}
	p.TimeLimitSet = given.CPU > 0
	p.Limits = judge.Limits{
		CPU: or(given.CPU, p.Limits.CPU), Wall: given.Wall, Memory: or(given.Memory, p.Limits.Memory),
		Output: or(given.Output, p.Limits.Output), Processes: given.Processes,
	}
	p.Code = or(r.opts.Code, p.Code)
}

// plainGroup is the test group of a folder: below sample or secret as in all
// other formats.
func plainGroup(dir string) string {
	top, rest, _ := strings.Cut(path.Clean(dir), "/")
	switch strings.ToLower(top) {
	case ".", "secret":
		return path.Join("secret", rest)
	case "sample", "samples":
		return path.Join("sample", rest)
	}
	return path.Join("secret", top, rest)
}

// plainRoot builds the groups, each with the folders above it.
func (r *reader) plainRoot(groups map[string]map[string]*pair) {
	below := map[string][]string{}
	seen := map[string]bool{"": true}
	for g := range groups {
		for !seen[g] {
			seen[g] = true
			above := strings.TrimPrefix(path.Dir(g), ".") // no name begins with a dot
			below[above] = append(below[above], g)
			g = above
		}
	}
	var build func(folder, name string) judge.TestGroup
	build = func(folder, name string) judge.TestGroup {
		g := judge.TestGroup{Name: name, Cases: r.cases(name, groups[folder], naming{"X.in or input/X", "X.out, X.ans or output/X"})}
		names := make([]string, 0, len(g.Cases))
		for _, c := range g.Cases {
			names = append(names, path.Base(c.Name))
		}
		even := evenNumbers(names)
		for i, n := range names {
			g.Cases[i].Name = path.Join(name, even[n])
		}
		slices.SortFunc(g.Cases, func(a, b judge.TestCase) int { return strings.Compare(a.Name, b.Name) })
		names = names[:0]
		for _, n := range below[folder] {
			names = append(names, path.Base(n))
		}
		even = evenNumbers(names)
		for _, n := range below[folder] {
			if sub := build(n, path.Join(name, even[path.Base(n)])); !emptyGroup(sub) {
				g.Groups = append(g.Groups, sub)
			}
		}
		slices.SortFunc(g.Groups, func(a, b judge.TestGroup) int { return strings.Compare(a.Name, b.Name) })
		return g
	}
	r.pkg.Problem.Root = build("", "")
}
