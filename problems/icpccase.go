package problems

import (
	"path"
	"slices"
	"strings"

	"judge/judge"
)

const filesSuffix = ".files"

// caseParts are the files of one test case while it is put together.
type caseParts struct {
	input, answer, output, interaction, settings *entry
	shownIn, shownAns, downIn, downAns, picture  *entry
	files                                        []partFile
}

// at is the place for a file of the given extension; nil: the format has none.
func (c *caseParts) at(ext string) **entry {
	return map[string]**entry{
		".in": &c.input, ".ans": &c.answer, ".out": &c.output, ".interaction": &c.interaction, ".yaml": &c.settings,
		".in.statement": &c.shownIn, ".ans.statement": &c.shownAns, ".in.download": &c.downIn, ".ans.download": &c.downAns,
		".png": &c.picture, ".jpg": &c.picture, ".jpeg": &c.picture, ".svg": &c.picture,
	}[ext]
}

// any is a file of the case.
func (c *caseParts) any() *entry {
	for _, e := range []*entry{c.answer, c.output, c.interaction, c.settings, c.shownIn, c.shownAns, c.downIn, c.downAns, c.picture} {
		if e != nil {
			return e
		}
	}
	return c.files[0].e
}

// example reports whether there is enough to show, and nothing to judge.
func (c *caseParts) example() bool {
	return c.answer == nil && (c.interaction != nil || (c.shownIn != nil && c.shownAns != nil))
}

// caseExt splits a file name into the case's and the extension, which may be of two
// parts.
func caseExt(name string) (base, ext string) {
	for _, ext := range []string{".in.statement", ".ans.statement", ".in.download", ".ans.download"} {
		if base, ok := strings.CutSuffix(name, ext); ok {
			return base, ext
		}
	}
	ext = path.Ext(name)
	return strings.TrimSuffix(name, ext), ext
}

// caseParts sorts the files of a group into cases, by their path in the group.
func (r *reader) caseParts(group string, files []partFile) map[string]*caseParts {
	all := map[string]*caseParts{}
	of := func(base string) *caseParts {
		if all[base] == nil {
			all[base] = &caseParts{}
		}
		return all[base]
	}
	for _, f := range files {
		if before, inside, ok := strings.Cut(f.name, filesSuffix+"/"); ok {
			c := of(before)
			c.files = append(c.files, partFile{inside, f.e})
			continue
		}
		base, ext := caseExt(f.name)
		place := (&caseParts{}).at(ext)
		switch {
		case f.name == testGroupFile:
		case path.Base(f.name) == testGroupFile:
			r.rep.errorf(Misplaced, f.e.name, 0, "lies in a folder that is no test group; groups are sample, secret and the folders directly in secret")
		case path.Base(base) == "test_group" && place != nil:
			r.rep.errorf(BadName, f.e.name, 0, "no test case may be called test_group, because its settings would be the group's; rename it")
		case path.Base(f.name) == testdataFile:
			r.rep.errorf(Misplaced, f.e.name, 0, "is of the legacy format and has no effect; its name is %s here, and its keys are others", testGroupFile)
		case place == nil:
			r.rep.infof(UnusedFile, f.e.name, 0, "is not part of a test case (X.in with X.ans) and has no effect; remove it")
		default:
			if place = of(base).at(ext); *place != nil {
				r.rep.errorf(NameClash, f.e.name, 0, "is a second picture of the test case %s beside %s; remove one", path.Join(group, base), (*place).name)
				continue
			}
			*place = f.e
		}
	}
	return all
}

// caseExtras are the files of a case beside its input and answer.
func (r *reader) caseExtras(tc *judge.TestCase, c *caseParts) {
	tc.Output, tc.Shown = r.maybe(c.output), r.shown(c)
	if c.picture != nil {
		tc.Picture = &judge.CaseFile{Name: path.Base(c.picture.name), Blob: r.pin(c.picture)}
	}
	if !r.named(c.files) {
		return
	}
	for _, f := range c.files {
		tc.Files = append(tc.Files, judge.CaseFile{Name: f.name, Blob: r.pin(f.e)})
	}
}

func (r *reader) maybe(e *entry) *judge.Blob {
	if e == nil {
		return nil
	}
	return new(r.pin(e))
}

// shown is what contestants see in place of a case's own files.
func (r *reader) shown(c *caseParts) judge.Shown {
	switch {
	case c.interaction != nil && (c.shownIn != nil || c.shownAns != nil || c.output != nil):
		r.rep.errorf(ShownClash, c.interaction.name, 0, "is all that is shown of the case, so that .in.statement, .ans.statement and .out may not lie beside it; remove them or this")
	case c.output != nil && c.shownAns != nil:
		r.rep.errorf(ShownClash, c.shownAns.name, 0, "stands beside %s, which is shown too; remove one of them", c.output.name)
	}
	return judge.Shown{
		Input: r.maybe(c.shownIn), Answer: r.maybe(c.shownAns), InputDownload: r.maybe(c.downIn),
		AnswerDownload: r.maybe(c.downAns), Interaction: r.maybe(c.interaction),
	}
}

// examples keeps a sample that is only shown.
func (r *reader) examples(name string, c *caseParts) {
	if formatVersion(r) == "2025-09" {
		r.rep.warnf(MissingInput, c.any().name, 0, "is shown as a sample and not judged, because there is no input; the format wants %s.in and .ans too", path.Base(name))
	}
	r.pkg.Problem.Examples = append(r.pkg.Problem.Examples, judge.Example{Name: name, Shown: r.shown(c)})
}

// caseYAML is what X.yaml says of a case, starting from its group's settings.
func (r *reader) caseYAML(e *entry, s caseSettings) caseSettings {
	if e == nil {
		return s
	}
	data, ok := r.bytes(e, r.opts.MaxConfig)
	if !ok || !r.keep(e, e.size) {
		return s
	}
	if d, ok := parseYAML(r.rep, e.name, data); ok {
		d.strict = true
		d.each(d.root, "", r.caseFields(d, &s, true))
	}
	return s
}

// applyCase gives a case what it says otherwise than its group.
func applyCase(tc *judge.TestCase, own, group caseSettings) {
	if !slices.Equal(own.args, group.args) {
		tc.Args = own.args
	}
	if !slices.Equal(own.output, group.output) {
		tc.ValidatorFlags = own.output
	}
	switch {
	case own.inputFor != nil && !own.inputFor.Equal(group.inputFor):
		tc.InputFlagsFor = own.inputFor
	case own.input != nil && (group.inputFor != nil || !slices.Equal(own.input, group.input)):
		tc.InputFlags = own.input
	}
	tc.FullFeedback = !tc.Sample && own.full != nil && *own.full
	tc.Hint, tc.Description = own.hint, own.description
}
