package language

import (
	"encoding/base64"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// Trials is what a language says of its trials, the programs by which it is tried
// (package judge/trial).
type Trials struct {
	Dir     string                   // below the folder of all languages; empty: trials in its own
	Want    map[string]judge.Verdict // by a trial's name, where it is not the usual one
	Without map[string]string        // trials that it has not, and why
}

// verdicts are those that a program can come to.
var verdicts = []judge.Verdict{judge.AC, judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE, judge.CE}

var (
	aliasPattern   = regexp.MustCompile(`^[a-z0-9][a-z0-9._+#-]{0,63}$`)
	npmPattern     = regexp.MustCompile(`^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$`)
	versionPattern = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]*$`)
)

func (r *reader) texts(dst *[]string) value {
	return func(name string, n *yaml.Node) { *dst = r.list(name, n) }
}

func (r *reader) aliases(dst *[]string) value {
	return func(name string, n *yaml.Node) {
		for _, a := range r.list(name, n) {
			if !aliasPattern.MatchString(a) {
				r.fail(n.Line, "%s: %q must be a-z, 0-9 and . _ + # -, at most 64", name, a)
			}
			if slices.Contains(*dst, a) {
				r.fail(n.Line, "%s: %s is given twice", name, a)
			}
			*dst = append(*dst, a)
		}
	}
}

// inFolder reads a path below the language's folder.
func (r *reader) inFolder(dst *string) value {
	return func(name string, n *yaml.Node) {
		if s, ok := r.str(name, n); ok && (!fs.ValidPath(s) || s == ".") {
			r.fail(n.Line, "%s: %q must be a path without . and ..", name, s)
		} else {
			*dst = s
		}
	}
}

// packages reads packages of npm, pinned by version and by what they hold.
func (r *reader) packages(dst *[]judge.Package) value {
	return func(name string, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
			r.fail(n.Line, "%s must be a list of packages, not %s", name, kind(n))
			return
		}
		for _, c := range n.Content {
			var p judge.Package
			r.mapping(name, c, fields{
				"package":   {required, r.matching(&p.Name, npmPattern, "a package's name, as in @scope/name")},
				"version":   {required, r.matching(&p.Version, versionPattern, "one version, as in 1.2.3")},
				"integrity": {required, r.integrity(&p.Integrity)},
			})
			*dst = append(*dst, p)
		}
	}
}

func (r *reader) integrity(dst *string) value {
	return func(name string, n *yaml.Node) {
		s, ok := r.str(name, n)
		if !ok {
			return
		}
		digest, found := strings.CutPrefix(s, "sha512-")
		if b, err := base64.StdEncoding.DecodeString(digest); !found || err != nil || len(b) != 64 {
			r.fail(n.Line, "%s must be sha512- and 64 bytes in base64, as npm view NAME@VERSION dist.integrity prints it, not %q", name, s)
		}
		*dst = s
	}
}

func (r *reader) trials(t *Trials) value {
	return func(name string, n *yaml.Node) {
		want := map[string]string{}
		r.mapping(name, n, fields{
			"dir":     {optional, r.inFolder(&t.Dir)},
			"want":    {optional, r.named(want)},
			"without": {optional, func(name string, n *yaml.Node) { t.Without = map[string]string{}; r.named(t.Without)(name, n) }},
		})
		t.Want = map[string]judge.Verdict{}
		for trial, v := range want {
			t.Want[trial] = judge.Verdict(v)
			if !slices.Contains(verdicts, judge.Verdict(v)) {
				r.fail(n.Line, "%s.want.%s: %q is no verdict", name, trial, v)
			}
		}
	}
}

// named reads texts by their names.
func (r *reader) named(dst map[string]string) value {
	return func(name string, n *yaml.Node) {
		if n.Kind != yaml.MappingNode {
			r.fail(n.Line, "%s must be keys with values, not %s", name, kind(n))
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if _, twice := dst[key]; twice {
				r.fail(n.Content[i].Line, "%s.%s is given twice", name, key)
			}
			var s string
			r.text(&s)(name+"."+key, n.Content[i+1])
			dst[key] = s
		}
	}
}
