package problems

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"judge/judge"
)

// The problem package format of 2025-09, which was 2023-07-draft before. It says
// that a key it does not know is an error, and that names it does not allow are not
// there.

const (
	outputValidator = "output_validator"
	staticValidator = "static_validator"
)

// icpcReading is what one part of the reading leaves for another.
type icpcReading struct {
	typeLine   int  // of the type in problem.yaml; 0: it gives none
	staticUsed bool // a group has a static validation
}

func (r *reader) icpc() {
	p := &r.pkg.Problem
	p.Format = judge.Format2025
	defaultLimits(p)
	p.Timing = judge.TimeCalibrate{Multiplier: 2, SafetyMargin: 1.5}
	r.dropNames()
	r.icpcConfig()
	r.constants = p.Constants
	ini := r.ini()
	p.Title = orText(p.Title, orText(ini["name"].text, p.Name))
	r.timeLimit(ini)
	r.icpcValidators()
	p.InputValidators = r.programs("input_validators")
	p.Visualizers = slices.Concat(r.programs("input_visualizer"), r.programs("output_visualizer"))
	r.include()
	r.icpcData()
	r.icpcSubmissions()
	r.pkg.Statement = r.documents("statement")
	r.pkg.Attachments = r.documents("attachments")
	r.pkg.Solution = r.documents("solution")
	r.lint()
}

var icpcName = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`)

// dropNames takes the files out of the tree whose names the format does not allow,
// which it wants to be as if they were not there. Attachments and what belongs to
// statements have them, and are harmless.
func (r *reader) dropNames() {
	free := []string{"statement", "attachments", "solution", "generators"}
	t := r.tree
	t.files = slices.DeleteFunc(slices.Clone(t.files), func(e *entry) bool {
		parts := strings.Split(e.name, "/")
		if e.name == timeLimitFile || slices.Contains(free, parts[0]) {
			return false
		}
		for _, part := range parts {
			if !icpcName.MatchString(part) {
				r.rep.warnf(IgnoredName, e.name, 0, "is left out, because %.80q is not a name of this format; use letters, digits, _ . and - if it belongs to the package", part)
				delete(t.byName, e.name)
				return true
			}
		}
		return false
	})
}

// single reads the one program of a folder: its file, its folder, or all its files.
func (r *reader) single(folder string) *judge.JuryProgram {
	parts := slices.DeleteFunc(r.parts(folder), func(p part) bool { return !p.folder && documentation(p.name) })
	folders := 0
	for _, p := range parts {
		if p.folder {
			folders++
		}
	}
	var files []partFile
	name := folder
	switch {
	case len(parts) == 0:
		return nil
	case len(parts) == folders && folders > 1:
		r.rep.errorf(SeveralValidators, folder, 0, "holds %d programs (%s, %s …); this format has one: leave one, or put all files into %s/ itself", folders, parts[0].name, parts[1].name, folder)
		return nil
	case len(parts) == 1:
		files, name = parts[0].files, path.Join(folder, parts[0].name)
	default:
		for _, e := range r.tree.under(folder) {
			files = append(files, partFile{e.name[len(folder)+1:], e})
		}
	}
	if !r.named(files) {
		return nil
	}
	loaded, ok := r.load(files)
	if !ok {
		return nil
	}
	return &judge.JuryProgram{Name: name, Files: loaded}
}

// icpcValidators reads the output validator and the static one, and holds them to
// the type of the problem.
func (r *reader) icpcValidators() {
	p := &r.pkg.Problem
	before := r.rep.count[Error]
	if v := r.single(outputValidator); v != nil {
		p.Validator.Programs = []judge.JuryProgram{*v}
	}
	if len(p.Validator.Programs) == 0 && r.rep.count[Error] == before && (p.Interactive || p.MultiPass) {
		hint := ""
		if len(r.tree.under(outputValidators)) > 0 {
			hint = " (" + outputValidators + "/ is its name in the legacy format: rename it)"
		}
		r.rep.errorf(MissingValidator, configFile, r.inICPC.typeLine, "an interactive or multi-pass problem needs an output validator, but %s/ is missing or holds no program%s; add it", outputValidator, hint)
	} else if len(r.tree.under(outputValidators)) > 0 {
		r.rep.warnf(UnusedValidator, outputValidators, 0, "the folder is not used in this format; its name is %s/", outputValidator)
	}
	p.StaticValidator = r.single(staticValidator)
	if p.StaticValidator != nil && p.SubmitAnswer {
		r.rep.errorf(BadType, staticValidator, 0, "a submit-answer problem has no program that a static validator could read; remove it or change the type")
	}
}
