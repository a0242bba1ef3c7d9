package problems

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The legacy ICPC/Kattis problem package format, with what DOMjudge adds to it.

const outputValidators = "output_validators"

func formatVersion(r *reader) string {
	if n := r.yaml.get("problem_format_version"); n != nil {
		return n.Value
	}
	return ""
}

func detect2025(r *reader) bool {
	return slices.Contains([]string{"2025-09", "2023-07-draft", "2023-07", "draft"}, formatVersion(r))
}

// detectLegacy takes what says so, and what has no problem.yaml but the data
// folder, as DOMjudge does.
func detectLegacy(r *reader) bool {
	return r.yaml != nil || r.tree.has(domjudgeFile) || len(r.tree.under("data/sample")) > 0 || len(r.tree.under("data/secret")) > 0
}

func (r *reader) legacy() {
	p := &r.pkg.Problem
	defaultLimits(p)
	v := validation{mode: "default"}
	if r.yaml == nil {
		r.rep.warnf(NoConfig, "", 0, "there is no problem.yaml; defaults are used, add one to name the problem and its limits")
	} else {
		r.problemYAML(&v)
	}
	ini := iniFile{}
	if data, ok := r.config(domjudgeFile); ok {
		ini = parseINI(r.rep, domjudgeFile, data)
	}
	p.Title = orText(p.Title, orText(ini["name"].text, p.Name))
	r.timeLimit(ini)
	r.validators(v)
	r.include()
	r.data()
	r.submissions()
	r.pkg.Statement = r.documents("problem_statement")
	r.pkg.Attachments = r.documents("attachments")
}

// validation is what problem.yaml says about checking output.
type validation struct {
	mode string // default or custom
	line int
}

func (r *reader) problemYAML(v *validation) {
	d, p := r.yaml, &r.pkg.Problem
	url := ""
	d.each(d.root, "", fields{
		"problem_format_version": r.version,
		"type":                   r.problemType,
		"name":                   r.title,
		"uuid":                   nil,
		"author":                 d.setText(&p.Author, "author"),
		"source":                 d.setText(&p.Source, "source"),
		"source_url":             d.setText(&url, "source_url"),
		"license":                d.setText(&p.License, "license"),
		"rights_owner":           nil,
		"keywords":               nil,
		"validation":             func(n *yaml.Node) { r.validation(n, v) },
		"validator_flags": func(n *yaml.Node) {
			if s, ok := d.text(n, "validator_flags"); ok {
				p.Validator.Flags = strings.Fields(s)
			}
		},
		"grading": func(n *yaml.Node) {
			d.each(n, "grading", fields{"objective": nil, "show_test_data_groups": nil})
		},
		"limits": func(n *yaml.Node) { d.each(n, "limits", limitFields(d, p)) },
	})
	p.Source = orText(p.Source, url)
}

func (r *reader) version(n *yaml.Node) {
	if s, ok := r.yaml.text(n, "problem_format_version"); ok && s != "legacy" && s != "legacy-icpc" {
		r.yaml.errorf(n, "problem_format_version %q is not known; write legacy, legacy-icpc or 2025-09", s)
	}
}

func (r *reader) problemType(n *yaml.Node) {
	s, ok := r.yaml.text(n, "type")
	switch {
	case !ok || s == "pass-fail":
	case s == "scoring":
		r.yaml.errorf(n, "type scoring is not supported yet; only pass-fail is")
	default:
		r.yaml.errorf(n, "type %q is not known; write pass-fail or scoring", s)
	}
}

// title is a string, or a map by language, of which English goes first.
func (r *reader) title(n *yaml.Node) {
	p := &r.pkg.Problem
	if n.Kind != yaml.MappingNode {
		r.yaml.setText(&p.Title, "name")(n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if s, ok := r.yaml.text(n.Content[i+1], "name."+n.Content[i].Value); ok && (p.Title == "" || n.Content[i].Value == "en") {
			p.Title = s
		}
	}
}

// validation is "default", or "custom" with what is special about it.
func (r *reader) validation(n *yaml.Node, v *validation) {
	s, ok := r.yaml.text(n, "validation")
	if !ok {
		return
	}
	words := strings.Fields(s)
	if len(words) == 0 || (words[0] != "default" && words[0] != "custom") || (words[0] == "default" && len(words) > 1) {
		r.yaml.errorf(n, "validation is %q; write default, or custom, which interactive, score and multi-pass may follow", s)
		return
	}
	v.mode, v.line = words[0], n.Line
	for _, w := range words[1:] {
		switch w {
		case "interactive", "score", "multi-pass":
			r.yaml.errorf(n, "validation: custom %s is not supported yet; only default and custom are", w)
		default:
			r.yaml.errorf(n, "validation has the word %q, which is not known; write interactive, score or multi-pass", w)
		}
	}
}

// validators reads output_validators, and compares what is there with what
// problem.yaml declares.
func (r *reader) validators(v validation) {
	there := len(r.tree.under(outputValidators)) > 0
	if v.mode == "default" {
		if there {
			r.rep.warnf(UnusedValidator, outputValidators, 0, "the folder is not used, because problem.yaml does not say validation: custom; say so or remove the folder")
		}
		return
	}
	before := r.rep.count[Error]
	programs := r.programs(outputValidators)
	if len(programs) == 0 && r.rep.count[Error] == before {
		hint := ""
		if len(r.tree.under("output_validator")) > 0 {
			hint = " (output_validator/ is its name in format 2025-09: rename it)"
		}
		r.rep.errorf(MissingValidator, configFile, v.line, "validation is custom, but the folder %s/ is missing or holds no program%s; add the validator or write validation: default", outputValidators, hint)
	}
	r.pkg.Problem.Validator.Programs = programs
}
