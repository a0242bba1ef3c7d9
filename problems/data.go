package problems

import (
	"maps"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// Files that may lie beside a case and that judging does not need.
var besides = []string{".hint", ".desc", ".interaction", ".png", ".jpg", ".jpeg", ".svg"}

// data reads data/sample and data/secret.
func (r *reader) data() {
	top := r.testdata("data", settings{})
	root := judge.TestGroup{ContinueReject: top.continueReject, ValidatorFlags: top.flags}
	for _, p := range r.parts("data") {
		switch {
		case p.folder && (p.name == "sample" || p.name == "secret"):
			if g := r.group(p.name, p.files, top); !emptyGroup(g) {
				root.Groups = append(root.Groups, g)
			}
		case p.folder:
			r.rep.warnf(UnusedFile, "data/"+p.name, 0, "the folder is not judged; test cases lie in data/sample and data/secret")
		case p.name != testdataFile:
			r.rep.errorf(Misplaced, "data/"+p.name, 0, "lies in data/ itself; move it to data/sample/ or data/secret/")
		}
	}
	r.pkg.Problem.Root = root
	r.counted()
}

// counted refuses a problem without cases and remarks on one without secrets.
func (r *reader) counted() {
	secret, samples := 0, 0
	for _, c := range r.pkg.Problem.Cases() {
		if c.Sample {
			samples++
		} else {
			secret++
		}
	}
	switch {
	case r.rep.failed():
	case secret+samples == 0:
		r.rep.errorf(NoCases, "", 0, "there are no test cases; add X.in and X.ans to data/sample/ or data/secret/")
	case secret == 0:
		r.rep.warnf(NoSecret, "", 0, "there are no secret test cases; submissions are judged by the samples alone")
	}
}

func emptyGroup(g judge.TestGroup) bool { return len(g.Cases) == 0 && len(g.Groups) == 0 }

// group reads the group called name, whose files are given by their paths below
// its folder.
func (r *reader) group(name string, files []partFile, above settings) judge.TestGroup {
	s := r.testdata(path.Join("data", name), above)
	g := judge.TestGroup{Name: name, ContinueReject: s.continueReject, ValidatorFlags: s.flags}
	cases := map[string]*pair{}
	for i := 0; i < len(files); i++ {
		dir, _, deep := strings.Cut(files[i].name, "/")
		if !deep {
			r.caseFile(cases, files[i])
			continue
		}
		var below []partFile
		for ; i < len(files) && strings.HasPrefix(files[i].name, dir+"/"); i++ {
			below = append(below, partFile{files[i].name[len(dir)+1:], files[i].e})
		}
		i--
		if sub := r.group(path.Join(name, dir), below, s); !emptyGroup(sub) {
			g.Groups = append(g.Groups, sub)
		}
	}
	slices.SortFunc(g.Groups, func(a, b judge.TestGroup) int { return strings.Compare(a.Name, b.Name) })
	g.Cases = r.cases(name, cases, naming{"X.in", "X.ans"})
	return g
}

func (r *reader) caseFile(cases map[string]*pair, f partFile) {
	ext := path.Ext(f.name)
	stem := strings.TrimSuffix(f.name, ext)
	switch {
	case ext == ".in":
		pairOf(cases, stem).input = f.e
	case ext == ".ans":
		pairOf(cases, stem).answer = f.e
	case f.name != testdataFile && !slices.Contains(besides, ext):
		r.rep.infof(UnusedFile, f.e.name, 0, "is not part of a test case (X.in with X.ans) and has no effect; remove it")
	}
}

// pair is a test case while it is put together.
type pair struct{ input, answer *entry }

// naming is what the files of the case X are called, for remedies.
type naming struct{ input, answer string }

func pairOf(cases map[string]*pair, stem string) *pair {
	if cases[stem] == nil {
		cases[stem] = &pair{}
	}
	return cases[stem]
}

// cases makes the test cases of a group, in order of name, of what was paired.
func (r *reader) cases(group string, pairs map[string]*pair, n naming) []judge.TestCase {
	var all []judge.TestCase
	for _, stem := range slices.Sorted(maps.Keys(pairs)) {
		switch p := pairs[stem]; {
		case p.answer == nil:
			r.rep.errorf(MissingAnswer, p.input.name, 0, "has no answer; add %s", strings.ReplaceAll(n.answer, "X", stem))
		case p.input == nil:
			r.rep.errorf(MissingInput, p.answer.name, 0, "is an answer without an input; add %s or remove it", strings.ReplaceAll(n.input, "X", stem))
		default:
			name := path.Join(group, stem)
			sample := name == "sample" || strings.HasPrefix(name, "sample/")
			all = append(all, judge.TestCase{Name: name, Sample: sample, Input: r.pin(p.input), Answer: r.pin(p.answer)})
		}
	}
	return all
}
