package problems_test

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/problems"
)

// malformed is a package that must be refused: a good one with a change.
type malformed struct {
	name   string
	base   files // oneCase where nil
	change files
	want   []string // code, file and line of each error, no more and no fewer
}

func (m malformed) files() files {
	if m.base == nil {
		return oneCase.with(m.change)
	}
	return m.base.with(m.change)
}

// scored is a problem of 2025-09 with two groups.
var scored = one2025.with(files{
	"problem.yaml":                  config("type: scoring\n"),
	"data/secret/1.in":              "-",
	"data/secret/1.ans":             "-",
	"data/secret/a/1.in":            "1\n",
	"data/secret/a/1.ans":           "1\n",
	"data/secret/a/test_group.yaml": "max_score: 40\n",
	"data/secret/b/1.in":            "1\n",
	"data/secret/b/1.ans":           "1\n",
	"data/secret/b/test_group.yaml": "max_score: 60\n",
})

// legacyScored is a scoring problem of the legacy format.
var legacyScored = oneCase.with(files{"problem.yaml": "type: scoring\n"})

const (
	groupA   = "data/secret/a/test_group.yaml"
	groupB   = "data/secret/b/test_group.yaml"
	inSecret = "data/secret/test_group.yaml"
	rules    = "submissions/submissions.yaml"
)

func legacyMalformed() []malformed {
	y := func(name, yaml string, want ...string) malformed {
		return malformed{name, nil, files{"problem.yaml": yaml}, want}
	}
	d := func(name, yaml string, want ...string) malformed {
		return malformed{name, legacyScored, files{"data/testdata.yaml": yaml}, want}
	}
	const config = "problem.yaml"
	return []malformed{
		{"missing answer", nil, files{"data/secret/2.in": ""}, []string{"missing-answer data/secret/2.in:0"}},
		{"missing input", nil, files{"data/secret/2.ans": ""}, []string{"missing-input data/secret/2.ans:0"}},
		{"no cases", nil, files{"data/secret/1.in": "-", "data/secret/1.ans": "-"}, []string{"no-cases :0"}},
		{"case in data", nil, files{"data/1.in": ""}, []string{"misplaced data/1.in:0"}},
		y("alias bomb", "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n",
			slices.Concat(slices.Repeat([]string{"yaml-alias problem.yaml:2"}, 1), []string{"yaml-alias problem.yaml:3"})...),
		y("nested yaml", "a: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000), "yaml-nesting "+config+":1"),
		y("bad yaml", "name: [\n", "bad-yaml "+config+":1"),
		y("not UTF-8", "name: \xff\xfe\n", "not-text "+config+":1"),
		y("UTF-16", "\xff\xfen\x00a\x00", "not-text "+config+":1"),
		y("double key", "name: x\nname: y\n", "duplicate-key "+config+":2"),
		y("two documents", "name: x\n---\nname: y\n", "bad-yaml "+config+":2"),
		y("memory below 0", "limits:\n  memory: -5\n", "bad-number "+config+":2"),
		y("memory huge", "limits:\n  memory: 1e300\n", "bad-number "+config+":2"),
		y("memory beyond float64", "limits:\n  memory: 1e99999\n", "bad-number "+config+":2"),
		y("memory not a number", "limits:\n  memory: .nan\n", "bad-number "+config+":2"),
		y("memory in words", "limits:\n  memory: lots\n", "bad-number "+config+":2"),
		y("time 0", "limits:\n  time_limit: 0\n", "bad-number "+config+":2"),
		y("passes", "limits:\n  validation_passes: 1\n", "bad-number "+config+":2"),
		y("half a pass", "validation: custom multi-pass\nlimits:\n  validation_passes: 2.5\n", "bad-number "+config+":3", "missing-validator "+config+":1"),
		y("huge config", "# "+strings.Repeat("x", 300<<10), "too-large "+config+":0"),
		y("unknown version", "problem_format_version: 1999-12\n", "unknown-format "+config+":1"),
		y("validator declared and absent", "validation: custom\n", "missing-validator "+config+":1"),
		y("interactor absent", "name: x\nvalidation: custom interactive\n", "missing-validator "+config+":2"),
		y("default flags", "validator_flags: flaot_tolerance 1e-6\n", "bad-flags "+config+":1"),
		y("tolerance missing", "validator_flags: float_tolerance\n", "bad-flags "+config+":1"),
		y("tolerance below 0", "validator_flags: float_tolerance -1\n", "bad-flags "+config+":1"),
		y("objective", "type: scoring\ngrading: {objective: most}\n", "bad-value "+config+":2"),
		{"score in pass-fail", nil, files{"problem.yaml": "validation: custom score\n", "output_validators/v.py": ""}, []string{"bad-type problem.yaml:1"}},
		{"two interactors", nil, files{"problem.yaml": "validation: custom interactive\n", "output_validators/v.py": "", "output_validators/w.py": ""}, []string{"several-validators output_validators:0"}},
		{"validator's name", nil, files{"problem.yaml": "validation: custom\n", "output_validators/-v.py": ""}, []string{"bad-name output_validators/-v.py:0"}},
		{"include's name", nil, files{"include/cpp/a b.h": ""}, []string{"bad-name include/cpp/a b.h:0"}},
		d("range the wrong way", "range: 100 0\n", "bad-range data/testdata.yaml:1"),
		d("range of one", "range: 100\n", "bad-range data/testdata.yaml:1"),
		d("range of words", "range: none some\n", "bad-range data/testdata.yaml:1"),
		d("range above all", "range: inf inf\n", "bad-range data/testdata.yaml:1"),
		d("range not a number", "range: nan nan\n", "bad-range data/testdata.yaml:1"),
		d("score", "accept_score: much\n", "bad-number data/testdata.yaml:1"),
		d("infinite score", "accept_score: 1e999\n", "bad-number data/testdata.yaml:1"),
		d("grader's flags", "grader_flags: summ\n", "bad-flags data/testdata.yaml:1"),
		d("grader absent", "\ngrading: custom\n", "missing-grader data/testdata.yaml:2"),
		{"two graders", legacyScored, files{"data/testdata.yaml": "grading: custom\n", "graders/a.py": "", "graders/b.py": ""}, []string{"several-graders graders:0"}},
		{"time limit in words", nil, files{".timelimit": "soon"}, []string{"bad-number .timelimit:1"}},
		{"ini", nil, files{"domjudge-problem.ini": "timelimit = -1\n"}, []string{"bad-number domjudge-problem.ini:1"}},
		{"deep", nil, files{strings.Repeat("d/", 13) + "f": ""}, []string{"bad-name " + strings.Repeat("d/", 13) + "f:0"}},
		{"control character", nil, files{"data/secret/\x07.in": ""}, []string{`bad-name "data/secret/\a.in":0`}},
		{"right to left", nil, files{"data/secret/\u202ex.in": ""}, []string{`bad-name "data/secret/\u202ex.in":0`}},
	}
}

func icpcMalformed() []malformed {
	y := func(name, yaml string, want ...string) malformed {
		return malformed{name, one2025, files{"problem.yaml": config(yaml)}, want}
	}
	s := func(name string, change files, want ...string) malformed {
		return malformed{name, scored, change, want}
	}
	const config = "problem.yaml"
	return []malformed{
		y("unknown key", "titel: x\n", "unknown-key "+config+":6"),
		y("unknown limit", "limits: {memroy: 1}\n", "unknown-key "+config+":6"),
		y("unknown type", "type: fun\n", "bad-value "+config+":6"),
		y("pass-fail and scoring", "type: [pass-fail, scoring]\n", "bad-type "+config+":6"),
		y("answers and interaction", "type: [submit-answer, interactive]\n", "bad-type "+config+":6", "missing-validator "+config+":6"),
		y("answers and passes", "type: [submit-answer, multi-pass]\n", "bad-type "+config+":6", "missing-validator "+config+":6"),
		y("type twice", "type: [scoring, scoring]\n", "bad-type "+config+":6"),
		y("no type", "type: []\n", "bad-value "+config+":6"),
		y("interactor absent", "type: interactive\n", "missing-validator "+config+":6"),
		y("passes of a pass-fail problem", "limits: {validation_passes: 3}\n", "useless-key "+config+":6"),
		y("factor below 1", "limits: {time_multipliers: {ac_to_time_limit: 0.5}}\n", "bad-number "+config+":6"),
		y("no languages", "languages: []\n", "bad-value "+config+":6"),
		y("language", "languages: [../cpp]\n", "bad-value "+config+":6"),
		y("embargo", "embargo_until: tomorrow\n", "bad-value "+config+":6"),
		y("writing", "allow_file_writing: maybe\n", "bad-value "+config+":6"),
		y("constant's name", "constants: {\"a b\": 1}\n", "bad-name "+config+":6"),
		y("constant of truth", "constants: {a: true}\n", "bad-value "+config+":6"),
		y("constant too long", "constants: {a: "+strings.Repeat("x", 5000)+"}\n", "too-large "+config+":6"),
		y("nameless person", "credits: {authors: [{email: x}]}\n", "missing-key "+config+":6"),
		y("too many keywords", "keywords: ["+strings.Repeat("a,", 1001)+"a]\n", "too-many "+config+":6"),
		{"constants bomb", one2025, files{"problem.yaml": one2025["problem.yaml"] + "constants: {a: " + strings.Repeat("x", 4000) + "}\n", "input_validators/v.py": strings.Repeat("{{a}}", 20_000)}, []string{"too-large input_validators/v.py:0"}},
		{"two validators", one2025, files{"output_validator/a/v.py": "", "output_validator/b/v.py": ""}, []string{"several-validators output_validator:0"}},
		{"missing answer", one2025, files{"data/secret/2.in": ""}, []string{"missing-answer data/secret/2.in:0"}},
		{"missing input", one2025, files{"data/secret/2.ans": ""}, []string{"missing-input data/secret/2.ans:0"}},
		{"settings without a case", one2025, files{"data/secret/2.yaml": ""}, []string{"missing-input data/secret/2.yaml:0"}},
		{"files without a case", one2025, files{"data/secret/2.files/x": ""}, []string{"missing-input data/secret/2.files/x:0"}},
		{"file's name", one2025, files{"data/secret/1.files/a": "", "data/secret/1.files/" + strings.Repeat("d/", 8) + "x": ""}, []string{"bad-name data/secret/1.files/" + strings.Repeat("d/", 8) + "x:0"}},
		{"case called test_group", one2025, files{"data/secret/test_group.in": "", "data/secret/test_group.ans": ""}, []string{"bad-name data/secret/test_group.ans:0", "bad-name data/secret/test_group.in:0"}},
		{"case and folder", scored, files{"data/secret/a/x.in": "", "data/secret/a/x.ans": "", "data/secret/a/x/1.in": "", "data/secret/a/x/1.ans": ""}, []string{"name-clash data/secret/a/x.in:0"}},
		{"cases beside groups", scored, files{"data/secret/1.in": "", "data/secret/1.ans": ""}, []string{"misplaced data/secret/1.in:0"}},
		{"group in a group", scored, files{"data/secret/a/d/test_group.yaml": ""}, []string{"misplaced data/secret/a/d/test_group.yaml:0"}},
		{"empty group", scored, files{"data/secret/c/test_group.yaml": "max_score: 0\n"}, []string{"empty-group data/secret/c:0"}},
		{"legacy settings", one2025, files{"data/secret/testdata.yaml": ""}, []string{"misplaced data/secret/testdata.yaml:0"}},
		{"unknown key of a case", one2025, files{"data/secret/1.yaml": "hnit: x\n"}, []string{"unknown-key data/secret/1.yaml:1"}},
		{"shown twice", one2025, files{"data/sample/1.interaction": "", "data/sample/1.out": ""}, []string{"shown-clash data/sample/1.interaction:0"}},
		{"two outputs", one2025, files{"data/sample/1.ans.statement": "", "data/sample/1.out": ""}, []string{"shown-clash data/sample/1.ans.statement:0"}},
		{"flags of the default validator", one2025, files{inSecret: "output_validator_args: [float_tolerance]\n"}, []string{"bad-flags " + inSecret + ":1"}},
		{"arguments not a list", one2025, files{inSecret: "args: -n 5\n"}, []string{"bad-value " + inSecret + ":1"}},
		{"score of a pass-fail problem", one2025, files{inSecret: "max_score: 5\n"}, []string{"useless-key " + inSecret + ":1"}},
		s("score of samples", files{"data/sample/test_group.yaml": "max_score: 5\n"}, "useless-key data/sample/test_group.yaml:1"),
		s("score below 0", files{groupA: "max_score: -1\n"}, "bad-number "+groupA+":1"),
		s("half a score", files{groupA: "max_score: 1.5\n"}, "bad-number "+groupA+":1"),
		s("score huge", files{groupA: "max_score: 1e400\n"}, "bad-number "+groupA+":1"),
		s("no score", files{groupA: "-"}, "missing-max-score "+groupA+":0"),
		s("unbounded in a bounded secret", files{groupA: "score_aggregation: sum\n"}, "missing-max-score "+groupA+":0"),
		s("unbounded and pass-fail", files{inSecret: "max_score: unbounded\n", groupA: "max_score: unbounded\n"}, "bad-range "+groupA+":1"),
		s("aggregation", files{groupA: "max_score: 40\nscore_aggregation: avg\n"}, "bad-value "+groupA+":2"),
		s("sum in pass-fail", files{inSecret: "score_aggregation: pass-fail\n", groupA: "score_aggregation: sum\nmax_score: 40\n"}, "bad-value "+groupA+":1"),
		s("more than all", files{groupA: "max_score: 50\n"}, "score-sum "+inSecret+":0"),
		s("circle", files{groupA: "max_score: 40\nrequire_pass: secret/b\n", groupB: "max_score: 60\nrequire_pass: [secret/a]\n"}, "dependency-cycle "+groupA+":2", "dependency-cycle "+groupB+":2"),
		s("itself", files{groupA: "max_score: 40\nrequire_pass: secret/a\n"}, "dependency-cycle "+groupA+":2"),
		s("later group", files{groupA: "max_score: 40\nrequire_pass: secret/b\n"}, "dependency-order "+groupA+":2"),
		s("unknown group", files{groupB: "max_score: 60\nrequire_pass: a\n"}, "unknown-group "+groupB+":2"),
		s("group with a score", files{groupA: "max_score: 40\nscore_aggregation: min\n", groupB: "max_score: 60\nrequire_pass: secret/a\n"}, "bad-dependency "+groupB+":2"),
		s("secret requires", files{inSecret: "require_pass: secret/a\n"}, "bad-dependency "+inSecret+":1"),
		s("static validator absent", files{groupA: "max_score: 40\nstatic_validation_score: pass-fail\n"}, "missing-static-validator "+groupA+":2"),
		s("static score of pass-fail", files{groupA: "max_score: 40\nstatic_validation_score: 5\n", "static_validator/s.py": ""}, "bad-value "+groupA+":2"),
		s("static score above all", files{groupA: "score_aggregation: sum\nmax_score: 40\nstatic_validation_score: 50\n", "static_validator/s.py": ""}, "bad-range "+groupA+":3"),
		s("static arguments alone", files{groupA: "max_score: 40\nstatic_validator_args: [x]\n"}, "useless-key "+groupA+":2"),
		{"example without an answer", one2025, files{"data/valid_output/1.in": "", "data/valid_output/1.out": ""}, []string{"missing-answer data/valid_output/1.in:0"}},
		{"example without an output", one2025, files{"data/invalid_output/1.in": "", "data/invalid_output/1.ans": ""}, []string{"missing-answer data/invalid_output/1.in:0"}},
		{"example without an input", one2025, files{"data/invalid_input/1.yaml": ""}, []string{"missing-input data/invalid_input/1.yaml:0"}},
		{"unknown key of submissions", one2025, files{rules: "accepted:\n  tongue: c\n"}, []string{"unknown-key " + rules + ":2"}},
		{"pattern", one2025, files{rules: "'accepted/**':\n  language: c\n"}, []string{"bad-value " + rules + ":1"}},
		{"pattern bomb", one2025, files{rules: "'" + strings.Repeat("{a,b}", 20) + "': {language: c}\n"}, []string{"bad-value " + rules + ":1"}},
		{"too many patterns", one2025, files{rules: manyPatterns()}, []string{"too-many " + rules + ":0"}},
		{"verdict", one2025, files{rules: "accepted: {permitted: [CORRECT]}\n"}, []string{"bad-value " + rules + ":1"}},
		{"no verdicts", one2025, files{rules: "accepted: {permitted: []}\n"}, []string{"bad-value " + rules + ":1"}},
		{"verdicts exclude each other", one2025, files{rules: "accepted/*: {permitted: [WA]}\n"}, []string{"expectation-clash " + rules + ":1"}},
		{"score of nothing", one2025, files{rules: "accepted: {score: 5}\n"}, []string{"useless-key " + rules + ":1"}},
		s("score the wrong way", files{rules: "accepted: {score: [5, 1]}\n"}, "bad-range "+rules+":1"),
		s("three scores", files{rules: "accepted: {score: [1, 2, 3]}\n"}, "bad-range "+rules+":1"),
		{"use for time limit", one2025, files{rules: "accepted: {use_for_time_limit: often}\n"}, []string{"bad-value " + rules + ":1"}},
	}
}

func manyPatterns() string {
	var all strings.Builder
	for i := range 600 {
		fmt.Fprintf(&all, "accepted/%d: {language: c}\n", i)
	}
	return all.String()
}

// zipMalformed are faults that only a zip can have.
func zipMalformed(t *testing.T) map[string]struct {
	data []byte
	want []string
} {
	t.Helper()
	encrypted := entry("x.txt", "")
	encrypted.Flags |= 1
	quine := entry("data/secret/inner.zip", string(zipBytes(t, with()...)))
	return map[string]struct {
		data []byte
		want []string
	}{
		"climbs":          {zipBytes(t, with(entry("../x", ""))...), []string{"bad-name ../x:0"}},
		"climbs inside":   {zipBytes(t, with(entry("data/../../x", ""))...), []string{"bad-name data/../../x:0"}},
		"absolute":        {zipBytes(t, with(entry("/etc/passwd", ""))...), []string{"bad-name /etc/passwd:0"}},
		"backslash":       {zipBytes(t, with(entry(`..\x`, ""))...), []string{`bad-name "..\\x":0`}},
		"NUL":             {zipBytes(t, with(entry("a\x00b", ""))...), []string{`bad-name "a\x00b":0`}},
		"not UTF-8":       {zipBytes(t, with(header{FileHeader: zip.FileHeader{Name: "\xff\xfe", NonUTF8: true}})...), []string{`bad-name "\xff\xfe":0`}},
		"link":            {zipBytes(t, with(typed("data/secret/2.in", "/etc/passwd", fs.ModeSymlink|0o777))...), []string{"link data/secret/2.in:0"}},
		"device":          {zipBytes(t, with(typed("null", "", fs.ModeDevice|0o666))...), []string{"special-file null:0"}},
		"twice":           {zipBytes(t, with(entry("data/secret/1.in", "x"))...), []string{"name-clash data/secret/1.in:0"}},
		"case of names":   {zipBytes(t, with(entry("data/secret/A.in", ""), entry("data/secret/a.in", ""))...), []string{"name-clash data/secret/a.in:0"}},
		"file and folder": {zipBytes(t, with(entry("data/secret/1.in/x", ""))...), []string{"name-clash data/secret/1.in:0"}},
		"encrypted":       {zipBytes(t, with(encrypted)...), []string{"encrypted x.txt:0"}},
		"method":          {zipBytes(t, with(lying("x", "abc", 99, 3))...), []string{"bad-zip x:0"}},
		"cut off":         {zipBytes(t, with()...)[:120], []string{"bad-zip :0"}},
		"no zip":          {[]byte("Rar!"), []string{"bad-zip :0"}},
		"empty":           {nil, []string{"bad-zip :0"}},
		"no files":        {zipBytes(t), []string{"no-cases :0"}},
		"ratio bomb":      {zipBytes(t, with(zeros(t, "data/secret/2.in", 66), entry("data/secret/2.ans", ""))...), []string{"zip-bomb :0"}},
		"overlap bomb":    {overlapping(t), []string{"zip-bomb problem.yaml:0"}},
		"petabytes":       {zipBytes(t, with(lying("x", "abc", zip.Store, 1<<60))...), []string{"too-large x:0"}},
		"lies":            {zipBytes(t, with(lying("data/secret/2.in", "abcdef", zip.Store, 3), entry("data/secret/2.ans", ""))...), []string{"bad-zip data/secret/2.in:0"}},
		// A zip in a zip is a file like any other: nothing unpacks it.
		"zip in zip": {zipBytes(t, with(quine, entry("data/secret/2.in", ""))...), []string{"missing-answer data/secret/2.in:0"}},
	}
}

// TestMalformed opens each malformed package as a folder and as a zip: it is refused
// for what it is, with the file, and leaves nothing behind.
func TestMalformed(t *testing.T) {
	all := slices.Concat(legacyMalformed(), icpcMalformed())
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			f := m.files()
			opts := problems.Options{MaxSource: 1 << 20}
			checkFaults(t, faults(t, folder(t, "p", f), opts), m.want)
			checkFaults(t, faults(t, zipFile(t, "p.zip", zipBytes(t, entries(f)...)), opts), m.want)
		})
	}
	zips := zipMalformed(t)
	for name, m := range zips {
		t.Run("zip "+name, func(t *testing.T) {
			checkFaults(t, faults(t, zipFile(t, "p.zip", m.data), problems.Options{}), m.want)
		})
	}
	if n := len(all) + len(zips); n < 60 {
		t.Errorf("%d malformed packages", n)
	}
}

func checkFaults(t *testing.T, got []problems.Finding, want []string) {
	t.Helper()
	var all []string
	for _, f := range got {
		all = append(all, fmt.Sprintf("%s %s:%d", f.Code, f.File, f.Line))
	}
	slices.Sort(all)
	want = slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("want, got (-, +):\n%s%s", diff, strings.Join(lines(got), "\n"))
	}
}

// TestSettingsCeiling: settings of many cases are kept in memory, so all of them
// together have the ceiling that programs have.
func TestSettingsCeiling(t *testing.T) {
	f := one2025.with(nil)
	for i := range 20 {
		f[fmt.Sprintf("data/secret/x%02d.in", i)], f[fmt.Sprintf("data/secret/x%02d.ans", i)] = "", ""
		f[fmt.Sprintf("data/secret/x%02d.yaml", i)] = "description: " + strings.Repeat("x", 100<<10) + "\n"
	}
	got := faults(t, folder(t, "p", f), problems.Options{MaxSource: 1 << 20})
	if got[0].Code != problems.TooLarge || got[0].File != "data/secret/x10.yaml" {
		t.Errorf("finding %s", got[0])
	}
}
