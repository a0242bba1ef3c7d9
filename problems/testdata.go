package problems

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// testdataFile holds the settings of a test group and of those below it.
const testdataFile = "testdata.yaml"

// settings are what testdata.yaml says of a group; each key that it does not
// name is inherited from the group above.
type settings struct {
	continueReject bool
	flags          []string
}

// testdata reads the settings of a folder of data/, starting from those that it
// inherits.
func (r *reader) testdata(folder string, s settings) settings {
	name := path.Join(folder, testdataFile)
	data, ok := r.config(name)
	if !ok {
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
		"grading": func(n *yaml.Node) {
			switch v, ok := d.text(n, "grading"); {
			case !ok || v == "default":
			case v == "custom":
				d.errorf(n, "grading: custom is not supported yet; only default is")
			default:
				d.errorf(n, "grading is %q; write default or custom", v)
			}
		},
		"grader_flags": func(n *yaml.Node) {
			if v, ok := d.text(n, "grader_flags"); ok && strings.TrimSpace(v) != "" {
				d.warnf(UselessKey, n, "grader_flags has no effect in a pass-fail problem, whose verdict is that of the first case that fails; remove it")
			}
		},
		"input_validator_flags":  nil,
		"output_validator_flags": func(n *yaml.Node) { s.flags = r.validatorFlags(d, n, s.flags) },
		"accept_score":           nil, // these three are of scoring problems only
		"reject_score":           nil,
		"range":                  nil,
	})
	return s
}

// validatorFlags is a string, or a map from validators to strings. The map is
// taken where it comes down to one list of flags for all validators.
func (r *reader) validatorFlags(d *document, n *yaml.Node, inherited []string) []string {
	const key = "output_validator_flags"
	if n.Kind != yaml.MappingNode {
		if s, ok := d.text(n, key); ok {
			return strings.Fields(s)
		}
		return inherited
	}
	names := []string{"default"}
	if programs := r.pkg.Problem.Validator.Programs; len(programs) > 0 {
		names = nil
		for _, p := range programs {
			names = append(names, path.Base(p.Name))
		}
	}
	byName := map[string][]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		at := slices.IndexFunc(names, func(p string) bool { return p == name || strings.TrimSuffix(p, path.Ext(p)) == name })
		if at < 0 {
			d.warnf(UnknownValidator, n.Content[i], "%s names the validator %q, which is not there; mend the name", key, name)
		} else if s, ok := d.text(n.Content[i+1], key+"."+name); ok {
			byName[names[at]] = strings.Fields(s)
		}
	}
	flags := byName[names[0]]
	for _, name := range names[1:] {
		if !slices.Equal(byName[name], flags) {
			d.errorf(n, "%s that differ between several validators are not supported yet; give all the same", key)
			return inherited
		}
	}
	return flags
}
