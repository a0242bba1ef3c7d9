package problems

import (
	"maps"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// data reads data/sample and data/secret, and the examples for validators.
func (r *reader) data() {
	start := settings{grading: defaultGrading()}
	r.oldGrading(&start)
	top := r.testdata("data", start)
	root := judge.TestGroup{}
	top.apply(&root)
	for _, p := range r.parts("data") {
		kind, check := legacyChecks[p.name]
		switch {
		case p.folder && (p.name == "sample" || p.name == "secret"):
			if g := r.group(p.name, p.files, top); !emptyGroup(g) {
				root.Groups = append(root.Groups, g)
			}
		case p.folder && check:
			s := r.testdata("data/"+p.name, top)
			r.dataChecks(kind, p.name, p.files, caseSettings{output: s.output.all, input: s.input.all, inputFor: s.input.by})
		case p.folder:
			r.rep.warnf(UnusedFile, "data/"+p.name, 0, "the folder is not judged; test cases lie in data/sample and data/secret")
		case p.name != testdataFile:
			r.rep.errorf(Misplaced, "data/"+p.name, 0, "lies in data/ itself; move it to data/sample/ or data/secret/")
		}
	}
	r.pkg.Problem.Root = root
	r.graded(r.inLegacy.gradingMet)
	r.counted()
}

// legacyChecks are the folders in which tools keep examples for validators, though
// the legacy format itself has none.
var legacyChecks = map[string]judge.DataCheckKind{
	"invalid_input": judge.InvalidInput, "invalid_inputs": judge.InvalidInput,
	"invalid_output": judge.InvalidOutput, "invalid_outputs": judge.InvalidOutput,
	"valid_output": judge.ValidOutput, "valid_outputs": judge.ValidOutput,
}

// apply gives a group its settings.
func (s settings) apply(g *judge.TestGroup) {
	g.ContinueReject = s.continueReject
	g.ValidatorFlags, g.ValidatorFor = s.output.all, s.output.by
	g.InputFlags, g.InputFlagsFor = s.input.all, s.input.by
	g.Grading = new(s.grading)
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
	r.inLegacy.gradingMet = r.inLegacy.gradingMet || s.gradingSet
	g := judge.TestGroup{Name: name}
	s.apply(&g)
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
		} else {
			r.rep.infof(EmptyGroup, path.Join("data", name, dir), 0, "the group has no test cases and is left out; add one or remove the folder")
		}
	}
	slices.SortFunc(g.Groups, func(a, b judge.TestGroup) int { return strings.Compare(a.Name, b.Name) })
	g.Cases = r.cases(name, cases, naming{"X.in", "X.ans"})
	return g
}

func (r *reader) caseFile(cases map[string]*pair, f partFile) {
	ext := path.Ext(f.name)
	stem := strings.TrimSuffix(f.name, ext)
	var place **entry
	switch ext {
	case ".in":
		place = &pairOf(cases, stem).input
	case ".ans":
		place = &pairOf(cases, stem).answer
	case ".hint":
		place = &pairOf(cases, stem).hint
	case ".desc":
		place = &pairOf(cases, stem).description
	case ".interaction":
		place = &pairOf(cases, stem).interaction
	case ".png", ".jpg", ".jpeg", ".svg":
		place = &pairOf(cases, stem).picture
	default:
		if f.name != testdataFile {
			r.rep.infof(UnusedFile, f.e.name, 0, "is not part of a test case (X.in with X.ans) and has no effect; remove it")
		}
		return
	}
	if *place != nil {
		r.rep.infof(UnusedFile, f.e.name, 0, "is a second picture of the test case beside %s and has no effect; remove one", (*place).name)
		return
	}
	*place = f.e
}

// pair is a test case while it is put together.
type pair struct{ input, answer, hint, description, interaction, picture *entry }

// beside is a file that a case has beside its input and answer.
func (p *pair) beside() *entry {
	for _, e := range []*entry{p.interaction, p.hint, p.description, p.picture} {
		if e != nil {
			return e
		}
	}
	return nil
}

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
		name := path.Join(group, stem)
		sample := name == "sample" || strings.HasPrefix(name, "sample/")
		switch p := pairs[stem]; {
		case p.answer == nil && p.input == nil && sample && p.interaction != nil:
			r.pkg.Problem.Examples = append(r.pkg.Problem.Examples, judge.Example{Name: name, Shown: judge.Shown{Interaction: r.maybe(p.interaction)}})
		case p.answer == nil && p.input == nil:
			r.rep.warnf(MissingInput, p.beside().name, 0, "belongs to no test case and has no effect; add %s with its answer or remove it", strings.ReplaceAll(n.input, "X", stem))
		case p.answer == nil:
			r.rep.errorf(MissingAnswer, p.input.name, 0, "has no answer; add %s", strings.ReplaceAll(n.answer, "X", stem))
		case p.input == nil:
			r.rep.errorf(MissingInput, p.answer.name, 0, "is an answer without an input; add %s or remove it", strings.ReplaceAll(n.input, "X", stem))
		default:
			tc := judge.TestCase{Name: name, Sample: sample, Input: r.pin(p.input), Answer: r.pin(p.answer)}
			tc.Hint, tc.Description = r.remark(p.hint), r.remark(p.description)
			tc.Shown.Interaction = r.maybe(p.interaction)
			if p.picture != nil {
				tc.Picture = &judge.CaseFile{Name: path.Base(p.picture.name), Blob: r.pin(p.picture)}
			}
			all = append(all, tc)
		}
	}
	return all
}

// remark is the text of a hint or a description.
func (r *reader) remark(e *entry) string {
	if e == nil {
		return ""
	}
	data, ok := r.bytes(e, r.opts.MaxConfig)
	if !ok || !r.keep(e, int64(len(data))) {
		return ""
	}
	return strings.TrimSpace(judge.SafeText(data, len(data)+len(data)/2))
}
