package problems

import (
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// A plain collection of inputs and answers: 1.in with 1.out or 1.ans, or
// input/1.txt with output/1.txt, in folders as one likes. What lies below
// sample/ is a sample; everything else is secret. Limits are the caller's.

var (
	inputFolders  = []string{"input", "inputs", "in"}
	answerFolders = []string{"output", "outputs", "out", "answer", "answers", "ans"}
	answerExts    = []string{".out", ".ans"}
)

func (r *reader) plain() {
	r.pkg.Problem.Format, r.pkg.Problem.Title = judge.FormatPlain, r.pkg.Problem.Name
	r.givenLimits()
	groups := map[string]map[string]*pair{}
	for _, e := range r.tree.files {
		r.plainFile(groups, e)
	}
	r.plainRoot(groups)
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

// plainFile finds what a file is: an input, an answer, or neither.
func (r *reader) plainFile(groups map[string]map[string]*pair, e *entry) {
	dir, base := path.Split(e.name)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	dir = strings.TrimSuffix(dir, "/")
	folder := strings.ToLower(path.Base(dir))
	isIn, isOut := strings.EqualFold(ext, ".in"), slices.Contains(answerExts, strings.ToLower(ext))
	// Below input/ and output/ the folder decides, whatever the extension.
	if in := slices.Contains(inputFolders, folder); in || slices.Contains(answerFolders, folder) {
		isIn, isOut = in, !in
		dir = path.Dir(dir)
		stem = numbered(stem)
	}
	if !isIn && !isOut {
		r.rep.infof(UnusedFile, e.name, 0, "is neither an input nor an answer and has no effect; cases are 1.in with 1.out or 1.ans, or input/1.txt with output/1.txt")
		return
	}
	group := plainGroup(dir)
	if groups[group] == nil {
		groups[group] = map[string]*pair{}
	}
	p := pairOf(groups[group], stem)
	place := &p.answer
	if isIn {
		place = &p.input
	}
	if *place != nil {
		r.rep.errorf(NameClash, e.name, 0, "says the same as %s: both belong to the case %s; remove one", (*place).name, path.Join(group, stem))
		return
	}
	*place = e
}

// numbered takes off the word in input00.txt and output00.txt.
func numbered(stem string) string {
	for _, w := range slices.Concat(inputFolders, answerFolders) {
		if rest, ok := strings.CutPrefix(strings.ToLower(stem), w); ok && rest != "" && strings.Trim(rest, "0123456789._-") == "" {
			return rest
		}
	}
	return stem
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
	var build func(name string) judge.TestGroup
	build = func(name string) judge.TestGroup {
		g := judge.TestGroup{Name: name, Cases: r.cases(name, groups[name], naming{"X.in or input/X", "X.out, X.ans or output/X"})}
		slices.Sort(below[name])
		for _, n := range below[name] {
			if sub := build(n); !emptyGroup(sub) {
				g.Groups = append(g.Groups, sub)
			}
		}
		return g
	}
	r.pkg.Problem.Root = build("")
}
