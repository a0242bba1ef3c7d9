package problems

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// testdataFile holds the settings of a test group and of those below it.
const testdataFile = "testdata.yaml"

// settings are what testdata.yaml says of a group; each key that it does not
// name is inherited from the group above.
type settings struct {
	continueReject bool
	output, input  programFlags
	grading        judge.Grading
	gradingSet     bool // some file asks for other than the first verdict that is not AC
}

// programFlags are flags for all programs of a kind, or by program.
type programFlags struct {
	all []string
	by  judge.FlagsFor // nil: all
}

// testdata reads the settings of a folder of data/, starting from those that it
// inherits.
func (r *reader) testdata(folder string, s settings) settings {
	name := path.Join(folder, testdataFile)
	s.grading.IgnoreSample = false // of data/ itself only
	data, ok := r.config(name)
	if !ok || !r.keep(r.tree.byName[name], int64(len(data))) {
		return s
	}
	d, ok := parseYAML(r.rep, name, data)
	if !ok {
		return s
	}
	d.each(d.root, "", fields{
		"on_reject": func(n *yaml.Node) {
			switch v, ok := d.text(n, "on_reject"); {
			case !ok:
			case v == "break" || v == "continue":
				s.continueReject = v == "continue"
			default:
				d.errorf(n, "on_reject is %q; write break or continue", v)
			}
		},
		"grading":                func(n *yaml.Node) { r.grading(d, n, &s) },
		"grader_flags":           nil, // below: they are read as grading says
		"input_validator_flags":  func(n *yaml.Node) { r.flags(d, n, "input_validator_flags", &s.input, r.pkg.Problem.InputValidators) },
		"output_validator_flags": func(n *yaml.Node) { r.outputFlags(d, n, &s.output) },
		"accept_score":           func(n *yaml.Node) { r.score(d, n, "accept_score", &s.grading.AcceptScore) },
		"reject_score":           func(n *yaml.Node) { r.score(d, n, "reject_score", &s.grading.RejectScore) },
		"range":                  func(n *yaml.Node) { r.scoreBounds(d, n, &s.grading) },
	})
	if n := d.get("grader_flags"); n != nil {
		r.graderFlags(d, n, folder == "data", &s)
	}
	return s
}

func (r *reader) outputFlags(d *document, n *yaml.Node, to *programFlags) {
	const key = "output_validator_flags"
	programs := r.pkg.Problem.Validator.Programs
	if len(programs) == 0 {
		programs = []judge.JuryProgram{{Name: "default"}}
	}
	r.flags(d, n, key, to, programs)
	if to.by == nil {
		r.defaultFlags(d.file, n.Line, key, to.all)
	}
}

// flags is a string for all programs, a map from programs to strings, or the map
// {name, flags} that the specification once had. Flags that come down to one list for
// all programs are kept as one.
func (r *reader) flags(d *document, n *yaml.Node, key string, to *programFlags, programs []judge.JuryProgram) {
	if n.Kind != yaml.MappingNode {
		if s, ok := d.text(n, key); ok {
			*to = programFlags{all: strings.Fields(s)}
		}
		return
	}
	by := judge.FlagsFor{}
	set := func(at *yaml.Node, name string, value *yaml.Node) {
		if !hasProgram(programs, name) {
			d.warnf(UnknownValidator, at, "%s names the validator %q, which is not there; mend the name", key, name)
		} else if s, ok := d.text(value, key+"."+name); ok {
			by[name] = strings.Fields(s)
		}
	}
	if name, flags := lookup(n, "name"), lookup(n, "flags"); name != nil && flags != nil && len(n.Content) == 4 {
		set(name, name.Value, flags)
	} else {
		d.pairs(n, key, func(k, v *yaml.Node) { set(k, k.Value, v) })
	}
	to.all, to.by = nil, by
	if len(programs) == 0 {
		return
	}
	first := by.Of(programs[0].Name)
	if !slices.ContainsFunc(programs, func(p judge.JuryProgram) bool { return !slices.Equal(by.Of(p.Name), first) }) {
		*to = programFlags{all: first}
	}
}

// lookup is the value of a key of a mapping, or nil.
func lookup(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
