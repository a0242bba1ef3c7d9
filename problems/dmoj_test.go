package problems_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/problems"
)

const dmojYAML = `archive: data.zip
test_cases:
- {in: sum.s.in, out: sum.s.out, points: 0}
- {in: sum.1.in, out: sum.1.out, points: 5}
- batched:
  - {in: sum.2a.in, out: sum.2a.out}
  - {in: sum.2b.in, out: sum.2b.out}
  points: 10
- batched:
  - {in: sum.3.in, out: sum.3.out}
  points: 20
  dependencies: [1]
checker: {name: floats, args: {precision: 4}}
`

func dmojPackage(tb testing.TB) files {
	tb.Helper()
	data := files{}
	for _, name := range []string{"s", "1", "2a", "2b", "3"} {
		data["sum."+name+".in"] = "in " + name + "\n"
		data["sum."+name+".out"] = "out " + name + "\n"
	}
	return files{"init.yml": dmojYAML, "data.zip": string(zipBytes(tb, entries(data)...)), "check.cpp": "int main(){}", "testlib.h": "//"}
}

func TestDMOJ(t *testing.T) {
	pkg := open(t, folder(t, "sum", dmojPackage(t)), problems.Options{Limits: judge.Limits{CPU: 3 * time.Second}})
	p := pkg.Problem
	if p.Format != judge.FormatDMOJ || !p.Scoring || p.Limits.CPU != 3*time.Second || !p.TimeLimitSet {
		t.Errorf("%+v", p)
	}
	secret := p.Root.Groups[0]
	if len(secret.Groups) != 4 || secret.Scoring.MaxScore != 35 || secret.Scoring.Aggregation != judge.AggregateSum {
		t.Fatalf("%+v", secret)
	}
	for i, want := range []struct {
		name   string
		points float64
		cases  int
		needs  []string
	}{
		{"secret/1", 0, 1, nil},
		{"secret/2", 5, 1, []string{"secret/1"}},
		{"secret/3", 10, 2, []string{"secret/1"}},
		{"secret/4", 20, 1, []string{"secret/1", "secret/3"}},
	} {
		g := secret.Groups[i]
		if g.Name != want.name || g.Scoring.MaxScore != want.points || g.Scoring.Aggregation != judge.AggregateMin || len(g.Cases) != want.cases || !slices.Equal(g.RequirePass, want.needs) {
			t.Errorf("group %d is %+v, want %+v", i+1, g, want)
		}
	}
	if got := content(t, pkg, secret.Groups[2].Cases[1].Input); got != "in 2b\n" {
		t.Errorf("second case of the batch: %q", got)
	}
	if p.Validator.Builtin != "floats" || !slices.Equal(p.Validator.Flags, []string{"precision", "4"}) {
		t.Errorf("validator %+v", p.Validator)
	}
}

func TestDMOJCheckers(t *testing.T) {
	for _, c := range []struct {
		yaml string
		want judge.OutputValidator
	}{
		{"", judge.OutputValidator{}}, // none is said
		{"checker: identical", judge.OutputValidator{Builtin: "identical"}},
		{"checker: {name: linematches, args: {point_distribution: [1, 2]}}", judge.OutputValidator{Builtin: "linematches", Flags: []string{"point_distribution", "1,2"}}},
		{"checker: {name: bridged, args: {files: check.cpp, type: testlib, lang: CPP17}}", judge.OutputValidator{Protocol: judge.ProtocolTestlib}},
		{"checker: {name: bridged, args: {files: [check.cpp], type: coci}}", judge.OutputValidator{Protocol: judge.ProtocolCOCI}},
	} {
		f := dmojPackage(t)
		f["init.yml"] = strings.Replace(dmojYAML, "checker: {name: floats, args: {precision: 4}}", c.yaml, 1)
		v := open(t, folder(t, "sum", f), problems.Options{}).Problem.Validator
		bridged := strings.Contains(c.yaml, "bridged")
		if c.yaml == "" {
			c.want.Builtin = "standard"
		}
		if v.Builtin != c.want.Builtin || v.Protocol != c.want.Protocol || !slices.Equal(v.Flags, c.want.Flags) || v.Custom() != bridged {
			t.Errorf("%s: %+v", c.yaml, v)
		}
		if bridged && (len(v.Programs[0].Files) != 2 || v.Programs[0].Files[1].Name != "testlib.h") {
			t.Errorf("%s: files %+v", c.yaml, v.Programs)
		}
	}
}

func TestDMOJPatterns(t *testing.T) {
	for _, c := range []struct {
		yaml  string
		names []string
		want  []string // name of group, points, number of cases
	}{
		{"archive: data.zip\n", []string{"sum.1", "sum.2", "sum.10"}, []string{"secret/1", "secret/2", "secret/3"}},
		{"archive: data.zip\n", []string{"sum.1-1", "sum.1-2", "sum.2-1"}, []string{"secret/1", "secret/2"}},
		{"archive: data.zip\ntest_cases: {input_format: '^t(?P<case>\\d+)\\.in$', output_format: '^t(?P<case>\\d+)\\.out$', case_points: [1, 2]}\n", []string{"t1", "t2"}, []string{"secret/1", "secret/2"}},
	} {
		data := files{}
		for _, n := range c.names {
			data[n+".in"], data[n+".out"] = "1", "2"
		}
		pkg := open(t, folder(t, "sum", files{"init.yml": c.yaml, "data.zip": string(zipBytes(t, entries(data)...))}), problems.Options{})
		var got []string
		for _, g := range pkg.Problem.Root.Groups[0].Groups {
			got = append(got, g.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: groups %v, want %v", c.names, got, c.want)
		}
	}
}

func TestDMOJRefused(t *testing.T) {
	whole := dmojPackage(t)
	replace := func(old, now string) files {
		if !strings.Contains(dmojYAML, old) {
			t.Fatalf("%q is not in init.yml", old)
		}
		return files{"init.yml": strings.Replace(dmojYAML, old, now, 1)}
	}
	for name, c := range map[string]struct {
		change files
		code   problems.Code
		in     string
	}{
		"no archive":              {files{"data.zip": "-"}, problems.MissingInput, "init.yml:1"},
		"an archive that is none": {files{"data.zip": "PK"}, problems.BadZip, "data.zip"},
		"an input":                {replace("sum.2a.in", "nosuch.in"), problems.MissingInput, "nosuch.in"},
		"an answer":               {replace("sum.2a.out", "../../etc/passwd"), problems.MissingAnswer, "data.zip"},
		"a dependency":            {replace("[1]", "[2]"), problems.UnknownGroup, `"2"`},
		"points":                  {replace("points: 5", "points: many"), problems.BadNumber, "points"},
		"no file":                 {replace("{in: sum.1.in, out: sum.1.out, points: 5}", "{in: sum.1.in, points: 5}"), problems.MissingInput, "in and out"},
		"a checker in Python":     {replace("{name: floats, args: {precision: 4}}", "check.py"), problems.BadType, "check.py"},
		"a bridge to nothing":     {replace("{name: floats, args: {precision: 4}}", "{name: bridged, args: {files: no.cpp}}"), problems.MissingValidator, "no.cpp"},
		"another bridge":          {replace("{name: floats, args: {precision: 4}}", "{name: bridged, args: {files: check.cpp, type: odd}}"), problems.BadType, "odd"},
		"a generator":             {replace("archive:", "generator: gen.cpp\narchive:"), problems.BadType, "generator"},
		"no cases":                {files{"init.yml": "test_cases: []\n"}, problems.NoCases, ""},
		"a look ahead":            {files{"init.yml": "archive: data.zip\ntest_cases: {input_format: '(?=in)'}\n"}, problems.BadValue, "look-around"},
	} {
		t.Run(name, func(t *testing.T) { refusedWith(t, folder(t, "sum", whole.with(c.change)), c.code, c.in) })
	}
}
