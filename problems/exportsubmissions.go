package problems

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"judge/judge"
)

// submissionFolders are those of the format, with the verdicts that a judgement
// gets there and that no other folder says.
var submissionFolders = []struct {
	name     string
	expected []judge.Verdict
}{
	{"accepted", []judge.Verdict{judge.AC}},
	{"wrong_answer", []judge.Verdict{judge.WA}},
	{"wrong_answer", []judge.Verdict{judge.WA, judge.OLE}},
	{"time_limit_exceeded", []judge.Verdict{judge.TLE}},
	{"run_time_error", []judge.Verdict{judge.RE}},
	{"run_time_error", []judge.Verdict{judge.MLE}},
	{"run_time_error", []judge.Verdict{judge.RE, judge.MLE}},
	{"rejected", []judge.Verdict{judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE}},
}

// mixedFolder is of no meaning in the format: what is expected of those in it
// stands in submissions.yaml.
const mixedFolder = "mixed"

// submissions writes the jury's submissions into the folders that say what is
// expected, and what no folder says into submissions.yaml.
func (x *exporter) submissions() {
	var rules settingsMap
	used := map[string]bool{}
	for _, j := range x.problem.Jury {
		if slices.Contains(j.Expected, judge.CE) {
			x.rep.warnf(UnknownExpectation, "submissions/"+j.Name, 0, "is meant not to compile, which this format cannot say; it is left out")
			continue
		}
		folder, rule := x.expectation(&j)
		name := path.Join(folder, exportName(path.Base(j.Name)))
		for used[name] { // of folders that were two
			name = path.Join(folder, "x_"+path.Base(name))
		}
		used[name] = true
		if len(j.Files) == 1 && path.Base(j.Files[0].Name) == path.Base(j.Name) && j.Files[0].Name == path.Base(j.Name) {
			x.add("submissions/"+name, j.Files[0].Data)
		} else {
			for _, f := range j.Files {
				x.add(path.Join("submissions", name, f.Name), f.Data)
			}
		}
		rules.some(name, rule, len(rule) > 0)
	}
	slices.SortFunc(rules, func(a, b setting) int { return strings.Compare(a.key, b.key) })
	x.addYAML(submissionsFile, rules)
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_.-]`)

// exportName makes a name that the format allows.
func exportName(name string) string {
	name = notInNames.ReplaceAllString(name, "_")
	if !icpcName.MatchString(name) {
		name = "x" + name
	}
	return name
}

// expectation finds a folder and what submissions.yaml has to add to it.
func (x *exporter) expectation(j *judge.JurySubmission) (folder string, s settingsMap) {
	own, _, _ := strings.Cut(j.Name, "/")
	var plain judge.JurySubmission // as its folder alone would have it
	folder = mixedFolder
	if x.problem.Format == judge.Format2025 {
		plain, folder = x.byFolder(own), own
		if _, known := defaultRules()[own]; known && !x.adds(&plain, j) {
			plain, folder = judge.JurySubmission{}, mixedFolder
		}
	} else {
		for _, f := range submissionFolders {
			if sameVerdicts(f.expected, j.Expected) {
				plain, folder = x.byFolder(f.name), f.name
				plain.Expectations = nil // j has none of the format's
				break
			}
		}
	}
	if _, known := defaultRules()[folder]; known && plain.Timing != j.Timing {
		s.add("use_for_time_limit", timingSetting(j.Timing))
	}
	s.some("language", j.Language, j.Language != "")
	s.some("entrypoint", j.Entry, j.Entry != "")
	s.some("model_solution", true, j.Model)
	s.some("score", scoreSetting(j.Score), j.Score != nil && x.problem.Scoring)
	if _, known := defaultRules()[folder]; !known && len(j.Expectations) == 0 {
		s = append(s, verdictSettings(j)...)
	}
	for _, e := range j.Expectations[min(len(plain.Expectations), len(j.Expectations)):] {
		var below settingsMap
		below.some("permitted", icpcNames(e.Permitted), len(e.Permitted) > 0)
		below.some("required", icpcNames(e.Required), len(e.Required) > 0)
		below.some("score", scoreSetting(e.Score), e.Score != nil)
		below.some("message", e.Message, e.Message != "")
		below.some("use_for_time_limit", timingSetting(e.Timing), e.Timing != judge.TimingNone)
		switch {
		case e.Cases != "":
			s.add(e.Cases, below)
		case clash(s, below):
			x.rep.warnf(ExpectationClash, submissionsFile, 0, "two rules say different things of submissions/%s; only the first is written", j.Name)
		default:
			s = append(s, below...)
		}
	}
	if _, known := defaultRules()[folder]; !known && len(j.Expectations) > 0 {
		var all rule
		for _, e := range j.Expectations {
			if e.Cases == "" {
				all.permitted = append(all.permitted, icpcNames(e.Permitted)...)
				all.required = append(all.required, icpcNames(e.Required)...)
			}
		}
		s.some("use_for_time_limit", timingSetting(j.Timing), all.role() != j.Timing)
	}
	slices.SortStableFunc(s, func(a, b setting) int { return cmp.Compare(keyOrder(a.key), keyOrder(b.key)) })
	return folder, s
}

// keyOrder is where a key of submissions.yaml stands: patterns of cases come last.
func keyOrder(key string) int {
	keys := []string{"language", "entrypoint", "model_solution", "permitted", "required", "score", "message", "use_for_time_limit"}
	if at := slices.Index(keys, key); at >= 0 {
		return at
	}
	return len(keys)
}

// clash reports whether both have a key.
func clash(s, more settingsMap) bool {
	return slices.ContainsFunc(more, func(m setting) bool {
		return slices.ContainsFunc(s, func(o setting) bool { return o.key == m.key })
	})
}

// byFolder is what the format alone says of a submission in a folder.
func (x *exporter) byFolder(folder string) judge.JurySubmission {
	name := folder + "/x"
	s := judge.JurySubmission{Name: name, Expected: slices.Clone(expectations[folder])}
	r := &reader{pkg: &Package{Problem: judge.Problem{Scoring: x.problem.Scoring}}, rep: &report{}}
	var rules []*rule
	for folder, u := range defaultRules() {
		u.submissions, _ = judge.ParsePattern(folder)
		rules = append(rules, u)
	}
	r.expect(&s, rules)
	return s
}

// adds reports whether what is expected of j is what its folder says and more.
func (x *exporter) adds(plain, j *judge.JurySubmission) bool {
	if len(plain.Expectations) > len(j.Expectations) || !slices.Equal(plain.Expected, j.Expected) {
		return false
	}
	for i, e := range plain.Expectations {
		o := j.Expectations[i]
		if e.Cases != o.Cases || !slices.Equal(e.Permitted, o.Permitted) || !slices.Equal(e.Required, o.Required) {
			return false
		}
	}
	return true
}

// verdictSettings say which verdicts a judgement may have: its runs have these or
// are accepted, and one of them has one of these.
func verdictSettings(j *judge.JurySubmission) settingsMap {
	var s settingsMap
	if len(j.Expected) == 0 {
		return s
	}
	names := icpcNames(j.Expected)
	if permitted := icpcNames(append([]judge.Verdict{judge.AC}, j.Expected...)); len(permitted) < len(icpcVerdicts) {
		s.add("permitted", permitted)
	}
	s.some("required", names, !slices.Contains(j.Expected, judge.AC))
	role := (&rule{permitted: names, required: names}).role()
	s.some("use_for_time_limit", timingSetting(j.Timing), j.Timing != role)
	return s
}

func icpcNames(verdicts []judge.Verdict) []string {
	var all []string
	for _, name := range []string{"AC", "WA", "TLE", "RTE"} {
		if slices.ContainsFunc(icpcVerdicts[name], func(v judge.Verdict) bool { return slices.Contains(verdicts, v) }) {
			all = append(all, name)
		}
	}
	return all
}

func timingSetting(t judge.TimingRole) any {
	switch t {
	case judge.TimingAccepted:
		return "lower"
	case judge.TimingTooSlow:
		return "upper"
	case judge.TimingNone:
	}
	return false
}

func scoreSetting(r *judge.Range) any {
	switch {
	case r == nil:
		return nil
	case r.Low == r.High:
		return yamlNumber(r.Low)
	}
	return []any{yamlNumber(r.Low), yamlNumber(r.High)}
}

func sameVerdicts(a, b []judge.Verdict) bool {
	if len(a) != len(b) {
		return false
	}
	return !slices.ContainsFunc(a, func(v judge.Verdict) bool { return !slices.Contains(b, v) })
}
