package problems

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// maxRules of submissions.yaml: each is held against each submission.
const maxRules = 500

// pattern reads a key that chooses submissions or cases.
func (d *document) pattern(key *yaml.Node) (judge.Pattern, bool) {
	if _, ok := d.text(key, "the key"); !ok {
		return judge.Pattern{}, false
	}
	p, ok := judge.ParsePattern(key.Value)
	if !ok || key.Value == "" {
		d.errorf(key, "%.80q is no pattern: * is any text within a name and {a,b} is a or b (at most %d of them); **, ? and [ are not known", key.Value, judge.MaxAlternatives)
		return p, false
	}
	return p, true
}

// submissionEntry reads what stands under one pattern of submissions. Keys that
// are not of the format and hold a mapping are patterns of cases.
func (r *reader) submissionEntry(d *document, n *yaml.Node, u *rule, m *meta) (below []*rule) {
	known := r.ruleFields(d, u)
	known["language"] = d.setText(&m.language, "language")
	known["entrypoint"] = d.setText(&m.entry, "entrypoint")
	known["model_solution"] = d.setBool(&m.model, "model_solution")
	known["authors"] = func(n *yaml.Node) { persons(d, n, "authors") } // nobody asks for them yet
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if known[key.Value] != nil || value.Kind != yaml.MappingNode || key.Kind != yaml.ScalarNode {
				continue
			}
			known[key.Value] = func(value *yaml.Node) {
				pattern, ok := d.pattern(key)
				if !ok {
					return
				}
				c := &rule{line: key.Line, submissions: m.pattern, pattern: u.pattern, cases: key.Value, onCases: pattern}
				d.each(value, key.Value, r.ruleFields(d, c))
				if len(below) < maxRules {
					below = append(below, c)
				}
			}
		}
	}
	d.each(n, "", known)
	return below
}

// ruleFields are the keys that say what is required of runs.
func (r *reader) ruleFields(d *document, u *rule) fields {
	return fields{
		"permitted": func(n *yaml.Node) { u.permitted = d.verdicts(n, "permitted", u.permitted) },
		"required":  func(n *yaml.Node) { u.required = d.verdicts(n, "required", u.required) },
		"message":   d.setText(&u.message, "message"),
		"score": func(n *yaml.Node) {
			if !r.pkg.Problem.Scoring {
				d.fault(UselessKey, n, "score is of scoring problems only; remove it, or write type: scoring in problem.yaml")
				return
			}
			u.score = d.scoreRange(n)
		},
		"use_for_time_limit": func(n *yaml.Node) {
			if b, ok := d.boolean(n); ok {
				if u.timing = nil; !b {
					u.timing = new(judge.TimingNone)
				}
				return
			}
			switch n.Value {
			case "lower":
				u.timing = new(judge.TimingAccepted)
			case "upper":
				u.timing = new(judge.TimingTooSlow)
			default:
				d.errorf(n, "use_for_time_limit is neither true, false, lower nor upper; write one of them")
			}
		},
	}
}

// verdicts is a list of AC, WA, TLE and RTE that is not empty.
func (d *document) verdicts(n *yaml.Node, key string, otherwise []string) []string {
	all, ok := d.texts(n, key, false)
	if !ok {
		return otherwise
	}
	for _, v := range all {
		if icpcVerdicts[v] == nil {
			d.errorf(n, "%s has %.40q, which is no verdict here; write AC, WA, TLE or RTE", key, v)
			return otherwise
		}
	}
	if len(all) == 0 {
		d.errorf(n, "%s is an empty list, which nothing can satisfy; write verdicts (AC, WA, TLE, RTE) or leave the key out", key)
		return otherwise
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// scoreRange is a number, or a list of the lowest and the highest.
func (d *document) scoreRange(n *yaml.Node) *judge.Range {
	low, high := n, n
	if n.Kind == yaml.SequenceNode {
		if len(n.Content) != 2 {
			d.fault(BadRange, n, "score has %d numbers; write one, or the lowest and the highest as [0, 40]", len(n.Content))
			return nil
		}
		low, high = n.Content[0], n.Content[1]
	}
	a, ok := d.finite(low, "score", 0, maxScore)
	b, also := d.finite(high, "score", 0, maxScore)
	switch {
	case !ok || !also:
		return nil
	case a > b:
		d.fault(BadRange, n, "score is from %g to %g, the wrong way round; write the lowest first", a, b)
		return nil
	}
	return &judge.Range{Low: a, High: b}
}
