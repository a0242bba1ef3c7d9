package problems

import (
	"bytes"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// Constants of a problem are put in for {{name}} in its programs, submissions and
// settings. Statements keep the braces: whoever shows them puts the constants in.

var (
	constantName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	constantUse  = regexp.MustCompile(`\{\{[a-zA-Z_][a-zA-Z0-9_]*\}\}`)
)

// maxConstant is how long a constant may be, in bytes.
const maxConstant = 4 << 10

func (r *reader) readConstants(n *yaml.Node) {
	d, all := r.yaml, map[string]string{}
	d.pairs(n, "constants", func(key, value *yaml.Node) {
		name := "constants." + key.Value
		switch s, ok := d.text(value, name); {
		case !constantName.MatchString(key.Value):
			d.fault(BadName, key, "%.80q is no name of a constant; use letters, digits and _, and no digit first", key.Value)
		case !ok:
		case len(s) > maxConstant:
			d.fault(TooLarge, value, "%s holds %s; the ceiling is %s", name, bytesText(int64(len(s))), bytesText(maxConstant))
		case value.ShortTag() == "!!bool" || isNull(value):
			d.errorf(value, "%s is neither a number nor a string; write it in quotes", name)
		default:
			all[key.Value] = s
		}
	})
	if len(all) > 0 {
		r.pkg.Problem.Constants = all
	}
}

// substitute puts the constants in. ok is false where more than limit bytes came out.
func (r *reader) substitute(data []byte, limit int64) (out []byte, ok bool) {
	if len(r.constants) == 0 || !bytes.Contains(data, []byte("{{")) {
		return data, true
	}
	at := 0
	for _, m := range constantUse.FindAllIndex(data, -1) {
		value, known := r.constants[string(data[m[0]+2:m[1]-2])]
		if !known {
			continue
		}
		out = append(append(out, data[at:m[0]]...), value...)
		if at = m[1]; int64(len(out)) > limit {
			return nil, false
		}
	}
	out = append(out, data[at:]...)
	return out, int64(len(out)) <= limit
}
