package problems

import (
	"maps"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// dataChecks reads data/invalid_input, invalid_output or valid_output: examples of
// what the package's own validators are to accept and to reject.
func (r *reader) dataChecks(kind judge.DataCheckKind, folder string, files []partFile, above caseSettings) {
	if kind != judge.InvalidInput && r.pkg.Problem.Interactive {
		r.rep.warnf(UselessKey, "data/"+folder, 0, "the folder is not used, because an interactive problem has no outputs to validate; remove it")
		return
	}
	s := r.groupYAML("data/"+folder, above)
	folders := map[string]caseSettings{"": s.caseSettings}
	parts := r.caseParts(folder, slices.DeleteFunc(slices.Clone(files), func(f partFile) bool {
		return path.Base(f.name) == testGroupFile || path.Base(f.name) == testdataFile
	}))
	for _, base := range slices.Sorted(maps.Keys(parts)) {
		c := parts[base]
		own := r.caseYAML(c.settings, r.checkFolder(folder, path.Dir(base), folders))
		check := judge.DataCheck{
			Kind: kind, Name: path.Join(folder, base), Flags: own.output,
			InputFlags: own.input, InputFlagsFor: own.inputFor, Args: own.args,
		}
		if kind == judge.InvalidInput {
			check.Flags = own.input
		}
		if !r.checkComplete(kind, base, c) || !r.named(c.files) {
			continue
		}
		check.Input = r.pin(c.input)
		if kind != judge.InvalidInput {
			check.Answer, check.Output = r.pin(c.answer), r.pin(c.output)
		}
		for _, f := range c.files {
			check.Files = append(check.Files, judge.CaseFile{Name: f.name, Blob: r.pin(f.e)})
		}
		r.pkg.Problem.DataChecks = append(r.pkg.Problem.DataChecks, check)
	}
}

// checkFolder is the settings of a folder of examples; each folder may have its own.
func (r *reader) checkFolder(top, dir string, known map[string]caseSettings) caseSettings {
	dir = strings.TrimPrefix(dir, ".")
	if s, ok := known[dir]; ok {
		return s
	}
	above := r.checkFolder(top, path.Dir(dir), known)
	known[dir] = r.groupYAML(path.Join("data", top, dir), above).caseSettings
	return known[dir]
}

// checkComplete wants the files that an example of the kind is made of.
func (r *reader) checkComplete(kind judge.DataCheckKind, base string, c *caseParts) bool {
	stem := path.Base(base)
	var missing string
	switch {
	case c.input == nil:
		missing = stem + ".in"
	case kind != judge.InvalidInput && c.answer == nil:
		missing = stem + ".ans"
	case kind != judge.InvalidInput && c.output == nil:
		missing = stem + ".out"
	default:
		return true
	}
	code, file := MissingAnswer, c.input
	if file == nil {
		code, file = MissingInput, c.any()
	}
	r.rep.errorf(code, file.name, 0, "is an example of %s that is not whole; add %s", kind, missing)
	return false
}
