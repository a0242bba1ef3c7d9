package problems

import (
	"maps"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// icpcData reads data/ of 2025-09: sample, secret with its groups, and the examples
// for the validators.
func (r *reader) icpcData() {
	root := judge.TestGroup{ContinueReject: r.pkg.Problem.Scoring}
	for _, p := range r.parts("data") {
		folder := "data/" + p.name
		kind := judge.DataCheckKind(p.name)
		switch {
		case !p.folder:
			r.rep.errorf(Misplaced, folder, 0, "lies in data/ itself; move it to data/sample/ or data/secret/")
		case p.name == "sample":
			if g, _ := r.icpcGroup(p.name, p.files, caseSettings{}); !emptyGroup(g) {
				root.Groups = append(root.Groups, g)
			}
		case p.name == "secret":
			if g := r.secret(p.files); !emptyGroup(g) {
				root.Groups = append(root.Groups, g)
			}
		case kind == judge.InvalidInput || kind == judge.InvalidOutput || kind == judge.ValidOutput:
			r.dataChecks(kind, p.name, p.files, caseSettings{})
		default:
			r.rep.warnf(UnusedFile, folder, 0, "the folder is not judged; test cases lie in data/sample and data/secret")
		}
	}
	r.pkg.Problem.Root = root
	r.counted()
}

// secret is a group of cases, or of groups: its direct folders.
func (r *reader) secret(files []partFile) judge.TestGroup {
	var direct []partFile
	folders := map[string][]partFile{}
	for _, f := range files {
		dir, rest, deep := strings.Cut(f.name, "/")
		if !deep || strings.HasSuffix(dir, filesSuffix) {
			direct = append(direct, f)
		} else {
			folders[dir] = append(folders[dir], partFile{rest, f.e})
		}
	}
	s := r.groupYAML("data/secret", caseSettings{})
	g := judge.TestGroup{Name: "secret", Cases: r.icpcCases("secret", direct, s.caseSettings)}
	s.apply(&g)
	r.staticThere("secret", s)
	if len(g.Cases) > 0 && len(folders) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(folders)))
		r.rep.errorf(Misplaced, g.Cases[0].Input.Ref, 0, "lies in data/secret/ beside the group %s/; secret holds test cases or groups, not both: move it into a group", first)
	}
	settings := map[string]groupSettings{}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		name := "secret/" + dir
		sub, own := r.icpcGroup(name, folders[dir], s.caseSettings)
		settings[name] = own
		if emptyGroup(sub) && !sub.Static {
			r.rep.errorf(EmptyGroup, "data/"+name, 0, "the group has neither test cases nor a static validation; add one or remove the folder")
			continue
		}
		g.Groups = append(g.Groups, sub)
	}
	r.scores(&g, s, settings)
	return g
}

// icpcGroup reads a group with all that lies in its folders, which are no groups.
func (r *reader) icpcGroup(name string, files []partFile, above caseSettings) (judge.TestGroup, groupSettings) {
	s := r.groupYAML("data/"+name, above)
	g := judge.TestGroup{Name: name, Cases: r.icpcCases(name, files, s.caseSettings)}
	s.apply(&g)
	if name == "sample" {
		g.FullFeedback = false // samples are shown anyway
	}
	if slices.ContainsFunc(g.Cases, func(c judge.TestCase) bool { return c.FullFeedback != g.FullFeedback }) {
		g.FullFeedback = false // the cases say it one by one
	} else {
		for i := range g.Cases {
			g.Cases[i].FullFeedback = false
		}
	}
	r.staticThere(name, s)
	return g, s
}

// staticThere wants a static validator where a group has a static validation.
func (r *reader) staticThere(name string, s groupSettings) {
	if s.static {
		r.inICPC.staticUsed = true
	}
	if s.static && r.pkg.Problem.StaticValidator == nil {
		r.rep.errorf(MissingStatic, path.Join("data", name, testGroupFile), s.lines["static_validation_score"], "the group has a static validation, but the folder %s/ is missing or holds no program; add the validator or remove the key", staticValidator)
	}
}

// icpcCases makes the cases of a group, in order of name.
func (r *reader) icpcCases(group string, files []partFile, s caseSettings) []judge.TestCase {
	parts := r.caseParts(group, files)
	var all []judge.TestCase
	for _, base := range slices.Sorted(maps.Keys(parts)) {
		c := parts[base]
		name := path.Join(group, base)
		switch {
		case c.input == nil && group == "sample" && c.example():
			r.examples(name, c)
			continue
		case c.input == nil:
			r.rep.errorf(MissingInput, c.any().name, 0, "belongs to a test case that has no input; add %s.in or remove it", path.Base(base))
			continue
		case c.answer == nil:
			r.rep.errorf(MissingAnswer, c.input.name, 0, "has no answer; add %s.ans", path.Base(base))
			continue
		}
		tc := judge.TestCase{Name: name, Sample: strings.HasPrefix(name, "sample/"), Input: r.pin(c.input), Answer: r.pin(c.answer)}
		r.caseExtras(&tc, c)
		own := r.caseYAML(c.settings, s)
		applyCase(&tc, own, s)
		all = append(all, tc)
	}
	folders(all, func(c judge.TestCase, folder string) {
		r.rep.errorf(NameClash, c.Input.Ref, 0, "the folder data/%s/ has the name of this test case; rename one of them", folder)
	})
	return all
}

// folders reports the cases whose name is also that of a folder with cases.
func folders(all []judge.TestCase, clash func(c judge.TestCase, folder string)) {
	seen := map[string]bool{}
	for _, c := range all {
		for at := path.Dir(c.Name); at != "."; at = path.Dir(at) {
			seen[at] = true
		}
	}
	for _, c := range all {
		if seen[c.Name] {
			clash(c, c.Name)
		}
	}
}
