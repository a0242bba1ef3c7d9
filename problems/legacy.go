package problems

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// The legacy ICPC/Kattis problem package format, with what DOMjudge adds to it.

const outputValidators = "output_validators"

// legacyReading is what one part of the reading leaves for another.
type legacyReading struct {
	scoring    bool                  // validators give scores
	gradingMet bool                  // some testdata.yaml asks for other than the default
	graderUsed bool                  // a group has custom grading
	gradersBad bool                  // graders/ was refused
	best       float64               // score of who solves everything; +Inf: unknown
	oldKeys    map[string]*yaml.Node // of grading in problem.yaml
}

func formatVersion(r *reader) string {
	if n := r.yaml.get("problem_format_version"); n != nil {
		return n.Value
	}
	return ""
}

func detect2025(r *reader) bool {
	return slices.Contains([]string{"2025-09", "2025-09-draft", "2023-07-draft", "2023-07", "draft"}, formatVersion(r))
}

// detectLegacy takes what says so, and what has no problem.yaml but the data
// folder, as DOMjudge does.
func detectLegacy(r *reader) bool {
	return r.yaml != nil || r.tree.has(domjudgeFile) || len(r.tree.under("data/sample")) > 0 || len(r.tree.under("data/secret")) > 0
}

func (r *reader) legacy() {
	p := &r.pkg.Problem
	p.Format = judge.FormatLegacy
	defaultLimits(p)
	v := validation{mode: "default"}
	if r.yaml == nil {
		r.rep.warnf(NoConfig, "", 0, "there is no problem.yaml; defaults are used, add one to name the problem and its limits")
	} else {
		r.problemYAML(&v)
		r.rights()
	}
	ini := r.ini()
	p.Title = orText(p.Title, orText(ini["name"].text, p.Name))
	r.timeLimit(ini)
	r.validators(v)
	p.InputValidators = slices.Concat(r.programs("input_validators"), r.programs("input_format_validators"))
	r.graders()
	r.include()
	r.data()
	r.submissions()
	r.pkg.Statement = r.documents("problem_statement")
	r.pkg.Attachments = r.documents("attachments")
	r.pkg.Solution = r.documents("solution")
	r.lint()
}

// validation is what problem.yaml says about checking output.
type validation struct {
	mode  string // default or custom
	line  int
	words []string // what follows custom
}

func (r *reader) problemYAML(v *validation) {
	d, p := r.yaml, &r.pkg.Problem
	url := ""
	grading := func(n *yaml.Node) { r.oldGradingKeys(n) }
	d.each(d.root, "", fields{
		"problem_format_version": r.version,
		"type":                   r.problemType,
		"name":                   r.title,
		"uuid":                   d.setText(&p.UUID, "uuid"),
		"author":                 d.setList(&p.Author, "author"),
		"source":                 d.setText(&p.Source, "source"),
		"source_url":             d.setText(&url, "source_url"),
		"license":                r.license,
		"rights_owner":           d.setText(&p.RightsOwner, "rights_owner"),
		"keywords":               func(n *yaml.Node) { r.keywords(n) },
		"validation":             func(n *yaml.Node) { r.validation(n, v) },
		"validator_flags": func(n *yaml.Node) {
			if s, ok := d.text(n, "validator_flags"); ok {
				p.Validator.Flags = strings.Fields(s)
			}
		},
		"grading": grading,
		"scoring": grading, // its name in the specification
		"limits":  func(n *yaml.Node) { d.each(n, "limits", legacyLimits(d, p)) },
	})
	p.Source = orText(p.Source, url)
	if n := d.get("limits"); p.Passes > 0 && !slices.Contains(v.words, "multi-pass") {
		d.warnf(UselessKey, n, "limits.validation_passes has no effect, because validation does not say multi-pass; remove it")
	}
}

// keywords are a list, or words with blanks between them.
func (r *reader) keywords(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		r.yaml.setTexts(&r.pkg.Problem.Keywords, "keywords", false)(n)
	} else if s, ok := r.yaml.text(n, "keywords"); ok {
		r.pkg.Problem.Keywords = strings.Fields(s)
	}
}

func (r *reader) version(n *yaml.Node) {
	if s, ok := r.yaml.text(n, "problem_format_version"); ok && s != "legacy" && s != "legacy-icpc" {
		r.yaml.fault(UnknownFormat, n, "problem_format_version %q is not known; write legacy, legacy-icpc or 2025-09", s)
	}
}

func (r *reader) problemType(n *yaml.Node) {
	s, ok := r.yaml.text(n, "type")
	switch {
	case !ok || s == "pass-fail":
	case s == "scoring":
		r.pkg.Problem.Scoring = true
	default:
		r.yaml.errorf(n, "type %q is not known; write pass-fail or scoring", s)
	}
}

var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z]{2})?$`)

// title is a string, or a map by language, of which English goes first.
func (r *reader) title(n *yaml.Node) {
	p := &r.pkg.Problem
	if n.Kind != yaml.MappingNode {
		r.yaml.setText(&p.Title, "name")(n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		language := n.Content[i].Value
		s, ok := r.yaml.text(n.Content[i+1], "name."+language)
		switch {
		case !ok:
			continue
		case !languageTag.MatchString(language):
			r.yaml.warnf(BadValue, n.Content[i], "%.40q is no code of a language; write one as en or pt-BR", language)
			continue
		case p.Titles == nil:
			p.Titles = map[string]string{}
		}
		p.Titles[language] = s
		if p.Title == "" || language == "en" {
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
	v.mode, v.line, v.words = words[0], n.Line, words[1:]
	for _, w := range v.words {
		switch w {
		case "interactive":
			r.pkg.Problem.Interactive = true
		case "multi-pass":
			r.pkg.Problem.MultiPass = true
		case "score":
			r.inLegacy.scoring = true
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
		if r.yaml != nil {
			r.defaultFlags(configFile, line(r.yaml.get("validator_flags")), "validator_flags", nil)
		}
		return
	}
	r.customMeant = true
	if r.inLegacy.scoring && !r.pkg.Problem.Scoring {
		r.rep.errorf(BadType, configFile, v.line, "validation: custom score is of scoring problems only; write type: scoring, or leave score out")
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
	if len(programs) > 1 && r.pkg.Problem.Interactive {
		r.rep.errorf(SeveralValidators, outputValidators, 0, "holds %d programs (%s, %s …), but an interactive problem has one that speaks with the submission; leave one", len(programs), programs[0].Name, programs[1].Name)
	}
	r.pkg.Problem.Validator.Programs = programs
}

// line is that of a node that may be missing.
func line(n *yaml.Node) int {
	if n == nil {
		return 0
	}
	return n.Line
}

// oldGradingKeys are those of grading in problem.yaml. The last four have moved to
// testdata.yaml since, and go on to stand for what data/testdata.yaml does not say.
func (r *reader) oldGradingKeys(n *yaml.Node) {
	d, p := r.yaml, &r.pkg.Problem
	later := func(key string) func(*yaml.Node) {
		return func(n *yaml.Node) {
			if r.inLegacy.oldKeys == nil {
				r.inLegacy.oldKeys = map[string]*yaml.Node{}
			}
			r.inLegacy.oldKeys[key] = n
		}
	}
	d.each(n, "grading", fields{
		"objective": func(n *yaml.Node) {
			if n.Value != "min" && n.Value != "max" {
				d.errorf(n, "grading.objective is %.40q; write min or max", n.Value)
			}
			p.Minimize = n.Value == "min"
		},
		"show_test_data_groups": d.setBool(&p.ShowGroups, "grading.show_test_data_groups"),
		"accept_score":          later("accept_score"), "reject_score": later("reject_score"), "range": later("range"), "on_reject": later("on_reject"),
		"custom_scoring": nil,
	})
}

// oldGrading puts the settings of problem.yaml in place of the defaults.
func (r *reader) oldGrading(s *settings) {
	for _, key := range slices.Sorted(maps.Keys(r.inLegacy.oldKeys)) {
		n := r.inLegacy.oldKeys[key]
		switch key {
		case "accept_score":
			r.score(r.yaml, n, "grading.accept_score", &s.grading.AcceptScore)
		case "reject_score":
			r.score(r.yaml, n, "grading.reject_score", &s.grading.RejectScore)
		case "range":
			r.scoreBounds(r.yaml, n, &s.grading)
		case "on_reject": // first_error, worst_error or grade
			s.continueReject = n.Value == "worst_error" || n.Value == "grade" || n.Value == "continue"
		}
	}
}
