package problems

import (
	"math"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

const testGroupFile = "test_group.yaml"

// groupSettings are what test_group.yaml says of a group. Arguments and
// full_feedback go down to the groups and cases below, the rest does not.
type groupSettings struct {
	caseSettings

	maxScore    *float64 // +Inf: unbounded; nil: not given
	aggregation judge.Aggregation
	require     []string
	static      bool
	staticScore float64
	staticFlags []string
	lines       map[string]int // of the keys that are checked together
}

// caseSettings are what a test case can say for itself too; nil: not given.
type caseSettings struct {
	args, input, output []string
	inputFor            judge.FlagsFor
	full                *bool
	hint, description   string
}

// groupYAML reads the settings of the group whose folder is given, starting from
// those it inherits.
func (r *reader) groupYAML(folder string, above caseSettings) groupSettings {
	s := groupSettings{caseSettings: above, lines: map[string]int{}}
	file := path.Join(folder, testGroupFile)
	data, ok := r.config(file)
	if !ok || !r.keep(r.tree.byName[file], int64(len(data))) {
		return s
	}
	if data, ok = r.substitute(data, r.opts.MaxConfig); !ok {
		r.rep.errorf(TooLarge, file, 0, "with the problem's constants put in, holds more than %s, which is the ceiling; shorten the constants", bytesText(r.opts.MaxConfig))
		return s
	}
	d, ok := parseYAML(r.rep, file, data)
	if !ok {
		return s
	}
	d.strict = true
	known := r.caseFields(d, &s.caseSettings, false)
	maps := r.scoreFields(d, &s)
	for key, use := range maps {
		known[key] = func(n *yaml.Node) {
			s.lines[key] = n.Line
			if r.scoreKeyAllowed(d, n, folder, key) {
				use(n)
			}
		}
	}
	d.each(d.root, "", known)
	if s.staticFlags != nil && !s.static {
		r.rep.errorf(UselessKey, file, s.lines["static_validator_args"], "static_validator_args stands without static_validation_score, which says that there is a static validation; add it or remove the arguments")
	}
	return s
}

// scoreKeyAllowed refuses keys in sample and in pass-fail problems.
func (r *reader) scoreKeyAllowed(d *document, n *yaml.Node, folder, key string) bool {
	scoring := slices.Contains([]string{"max_score", "score_aggregation", "require_pass"}, key)
	switch {
	case scoring && folder == "data/sample":
		d.fault(UselessKey, n, "%s may not stand in sample, which counts for no score; remove it", key)
	case scoring && !r.pkg.Problem.Scoring:
		d.fault(UselessKey, n, "%s is of scoring problems only; remove it, or write type: scoring in problem.yaml", key)
	default:
		return true
	}
	return false
}

// scoreFields are the keys that only groups have.
func (r *reader) scoreFields(d *document, s *groupSettings) fields {
	return fields{
		"max_score": func(n *yaml.Node) {
			if n.Value == "unbounded" {
				s.maxScore = new(math.Inf(1))
			} else if f, ok := d.whole(n, "max_score", 0, maxScore); ok {
				s.maxScore = new(float64(f))
			}
		},
		"score_aggregation": func(n *yaml.Node) {
			switch v, ok := d.text(n, "score_aggregation"); {
			case !ok:
			case v == "pass-fail" || v == "sum" || v == "min":
				s.aggregation = judge.Aggregation(v)
			default:
				d.errorf(n, "score_aggregation is %.40q; write pass-fail, sum or min", v)
			}
		},
		"require_pass": d.setTexts(&s.require, "require_pass", true),
		"static_validation_score": func(n *yaml.Node) {
			if s.static = true; n.Value == "pass-fail" {
				return
			}
			f, ok := d.whole(n, "static_validation_score", 0, maxScore)
			if ok && !r.pkg.Problem.Scoring {
				d.fault(UselessKey, n, "static_validation_score is a number, and the problem gives no scores; write pass-fail")
			}
			s.staticScore = float64(f)
		},
		"static_validator_args": d.setTexts(&s.staticFlags, "static_validator_args", false),
	}
}

// maxScore of a group or a case: beyond, sums of whole numbers are not exact.
const maxScore = 1 << 53

// caseFields are the keys that groups and cases have.
func (r *reader) caseFields(d *document, s *caseSettings, ofCase bool) fields {
	var unused []string // of visualizers, which nothing runs
	f := fields{
		"args":                   d.setTexts(&s.args, "args", false),
		"input_validator_args":   func(n *yaml.Node) { r.inputArgs(d, n, s) },
		"output_validator_args":  func(n *yaml.Node) { r.outputArgs(d, n, s) },
		"input_visualizer_args":  d.setTexts(&unused, "input_visualizer_args", false),
		"output_visualizer_args": d.setTexts(&unused, "output_visualizer_args", false),
		"full_feedback": func(n *yaml.Node) {
			var b bool
			d.setBool(&b, "full_feedback")(n)
			s.full = &b
		},
	}
	if ofCase || strings.HasPrefix(d.file, "data/invalid_") || strings.HasPrefix(d.file, "data/valid_") {
		f["description"] = d.setText(&s.description, "description")
	}
	if ofCase {
		f["hint"] = d.setText(&s.hint, "hint")
	}
	return f
}

// inputArgs is a list for all input validators, or a map from them to lists.
func (r *reader) inputArgs(d *document, n *yaml.Node, s *caseSettings) {
	const key = "input_validator_args"
	if n.Kind != yaml.MappingNode {
		if all, ok := d.texts(n, key, false); ok {
			s.input, s.inputFor = all, nil
		}
		return
	}
	s.input, s.inputFor = nil, judge.FlagsFor{}
	d.pairs(n, key, func(k, v *yaml.Node) {
		if !hasProgram(r.pkg.Problem.InputValidators, k.Value) {
			d.warnf(UnknownValidator, k, "%s names the validator %.80q, which is not there; mend the name", key, k.Value)
		}
		if all, ok := d.texts(v, key+"."+k.Value, false); ok {
			s.inputFor[k.Value] = all
		}
	})
}

func (r *reader) outputArgs(d *document, n *yaml.Node, s *caseSettings) {
	const key = "output_validator_args"
	if all, ok := d.texts(n, key, false); ok {
		s.output = all
		r.defaultFlags(d.file, n.Line, key, all)
	}
}

func hasProgram(all []judge.JuryProgram, name string) bool {
	return slices.ContainsFunc(all, func(p judge.JuryProgram) bool {
		return judge.FlagsFor{name: {}}.Of(p.Name) != nil
	})
}

// apply gives a group its settings.
func (s *groupSettings) apply(g *judge.TestGroup) {
	g.Args, g.ValidatorFlags, g.InputFlags, g.InputFlagsFor = s.args, s.output, s.input, s.inputFor
	g.FullFeedback = s.full != nil && *s.full
	g.RequirePass, g.Static, g.StaticFlags = s.require, s.static, s.staticFlags
}
