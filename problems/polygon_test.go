package problems_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/problems"
)

const polygonXML = `<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="7" short-name="sum" url="https://polygon.codeforces.com/p1/sum">
  <names><name language="english" value="A Sum"/><name language="russian" value="Сумма"/></names>
  <statements>
    <statement charset="UTF-8" language="english" path="statements/.html/english/problem.html" type="text/html"/>
    <statement charset="UTF-8" language="english" path="statements/english/problem.tex" type="application/x-tex"/>
  </statements>
  <judging cpu-name="Intel" cpu-speed="2800" input-file="" output-file="">
    <testset name="tests">
      <time-limit>1500</time-limit>
      <memory-limit>268435456</memory-limit>
      <test-count>4</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern>
      <answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>TESTS</tests>
      <groups>GROUPS</groups>
    </testset>
  </judging>
  <files>
    <resources><file path="files/testlib.h" type="h.g++"/><file path="files/olymp.sty"/></resources>
    <attachments><file path="extra/a.txt"/></attachments>
    <executables><executable><source path="files/gen.cpp" type="cpp.g++17"/></executable></executables>
  </files>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
    <validators><validator><source path="files/val.cpp" type="cpp.g++17"/></validator></validators>
    <solutions>
      <solution tag="main"><source path="solutions/ok.cpp" type="cpp.g++17"/></solution>
      <solution tag="wrong-answer"><source path="solutions/wa.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.3"/></solution>
    </solutions>
  </assets>
</problem>
`

const (
	plainTests  = `<test method="manual" sample="true"/><test cmd="gen 1" method="generated"/><test method="manual"/><test method="manual"/>`
	scoredTests = `<test method="manual" sample="true" group="0" points="0"/><test method="manual" group="1" points="10"/>` +
		`<test method="manual" group="2" points="20"/><test method="manual" group="2" points="30.5"/>`
	scoredGroups = `<group name="0" points="0" points-policy="complete-group"/>` +
		`<group name="1" points="10" points-policy="complete-group"><dependencies><dependency group="0"/></dependencies></group>` +
		`<group name="2" points-policy="each-test"><dependencies><dependency group="1"/></dependencies></group>`
)

func polygonPackage(tests, groups string) files {
	f := files{
		"problem.xml":                    strings.NewReplacer("TESTS", tests, "GROUPS", groups).Replace(polygonXML),
		"files/testlib.h":                "// testlib",
		"files/check.cpp":                "#include \"testlib.h\"",
		"files/val.cpp":                  "#include \"testlib.h\"",
		"files/gen.cpp":                  "",
		"solutions/ok.cpp":               "int main(){}",
		"solutions/wa.py":                "print(1)",
		"solutions/slow.py":              "while 1: pass",
		"statements/english/problem.tex": "\\begin{problem}",
		"extra/a.txt":                    "a",
	}
	for i := range 4 {
		f[fmt.Sprintf("tests/%02d", i+1)] = "1\n"
		f[fmt.Sprintf("tests/%02d.a", i+1)] = "2\n"
	}
	return f
}

func TestPolygon(t *testing.T) {
	pkg := open(t, folder(t, "sum", polygonPackage(plainTests, "")), problems.Options{})
	p := pkg.Problem
	if p.Format != judge.FormatPolygon || p.Title != "A Sum" || p.Titles["ru"] != "Сумма" || p.Limits.CPU.Milliseconds() != 1500 || !p.TimeLimitSet || p.Limits.Memory != 256<<20 || p.Scoring {
		t.Errorf("%+v", p)
	}
	var names []string
	for _, c := range p.Cases() {
		names = append(names, c.Name)
	}
	if want := []string{"sample/1", "secret/2", "secret/3", "secret/4"}; !slices.Equal(names, want) {
		t.Errorf("cases %v, want %v", names, want)
	}
	v := p.Validator
	if v.Protocol != judge.ProtocolTestlib || len(v.Programs) != 1 || v.Programs[0].Name != "files/check.cpp" || len(v.Programs[0].Files) != 2 || v.Programs[0].Files[1].Name != "testlib.h" {
		t.Errorf("validator %+v", v)
	}
	if len(p.InputValidators) != 1 {
		t.Errorf("input validators %+v", p.InputValidators)
	}
	want := map[string][]judge.Verdict{
		"main/ok.cpp": {judge.AC}, "wrong-answer/wa.py": {judge.WA}, "time-limit-exceeded-or-accepted/slow.py": {judge.TLE, judge.AC},
	}
	got := map[string][]judge.Verdict{}
	for _, j := range p.Jury {
		got[j.Name] = j.Expected
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(pkg.Statement) != 1 || len(pkg.Attachments) != 1 {
		t.Errorf("statement %v, attachments %v", pkg.Statement, pkg.Attachments)
	}
}

func TestPolygonGroups(t *testing.T) {
	p := open(t, folder(t, "sum", polygonPackage(scoredTests, scoredGroups)), problems.Options{}).Problem
	if !p.Scoring || len(p.Root.Groups) != 2 {
		t.Fatalf("%+v", p.Root)
	}
	secret := p.Root.Groups[1]
	if secret.Scoring == nil || secret.Scoring.MaxScore != 60.5 || secret.Scoring.Aggregation != judge.AggregateSum || len(secret.Groups) != 2 {
		t.Fatalf("secret %+v", secret)
	}
	one, two := secret.Groups[0], secret.Groups[1]
	if one.Name != "secret/group01" || one.Scoring.Aggregation != judge.AggregatePassFail || one.Scoring.MaxScore != 10 || !slices.Equal(one.RequirePass, []string{"sample"}) {
		t.Errorf("group 1 %+v", one)
	}
	if two.Scoring.Aggregation != judge.AggregateSum || two.Scoring.MaxScore != 50.5 || !slices.Equal(two.RequirePass, []string{"secret/group01"}) || *two.Cases[1].MaxScore != 30.5 {
		t.Errorf("group 2 %+v", two)
	}
}

func TestPolygonInteractive(t *testing.T) {
	f := polygonPackage(plainTests, "")
	f["problem.xml"] = strings.Replace(f["problem.xml"], "<validators>", `<interactor><source path="files/inter.cpp" type="cpp.g++17"/></interactor><validators>`, 1)
	f["files/inter.cpp"] = "int main(){}"
	v := open(t, folder(t, "sum", f), problems.Options{}).Problem
	if !v.Interactive || v.Validator.Programs[0].Name != "files/inter.cpp" || v.Validator.Checker == nil || v.Validator.Checker.Name != "files/check.cpp" {
		t.Errorf("%+v", v.Validator)
	}
}

func TestPolygonRefused(t *testing.T) {
	whole := polygonPackage(plainTests, "")
	text := whole["problem.xml"]
	replace := func(old, now string) files {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in problem.xml", old)
		}
		return files{"problem.xml": strings.Replace(text, old, now, 1)}
	}
	for name, c := range map[string]struct {
		change files
		code   problems.Code
		in     string
	}{
		"no XML":             {files{"problem.xml": "<problem"}, problems.BadValue, "problem.xml:1"},
		"another root":       {files{"problem.xml": "<x/>"}, problems.BadValue, "<x>"},
		"an entity":          {files{"problem.xml": `<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><problem>&a;</problem>`}, problems.BadValue, "entity"},
		"another charset":    {replace(`encoding="utf-8"`, `encoding="koi8-r"`), problems.BadValue, "UTF-8"},
		"deep":               {files{"problem.xml": strings.Repeat("<problem>", 40)}, problems.BadValue, "deep"},
		"no tests":           {replace("<testset name=\"tests\">", "<other>"), problems.BadValue, "problem.xml"},
		"a test is missing":  {files{"tests/03": "-"}, problems.MissingInput, "test 3"},
		"an answer":          {files{"tests/03.a": "-"}, problems.MissingAnswer, "full package"},
		"a climbing pattern": {replace("tests/%02d.a", "../%02d.a"), problems.MissingAnswer, "not in the package"},
		"a bad pattern":      {replace("tests/%02d.a", "tests/%s"), problems.BadValue, "answer-path-pattern"},
		"a huge width":       {replace("tests/%02d.a", "tests/%0999999999d"), problems.BadValue, "answer-path-pattern"},
		"a time limit":       {replace("1500", "-1"), problems.BadNumber, "time-limit"},
		"a memory limit":     {replace("268435456", "9999999999999999999"), problems.BadNumber, "memory-limit"},
		"files as input":     {replace(`input-file=""`, `input-file="a.in"`), problems.BadType, "standard input"},
		"run twice":          {replace(`output-file=""`, `output-file="" run-count="2"`), problems.BadType, "2 times"},
		"the checker":        {files{"files/check.cpp": "-"}, problems.MissingValidator, "files/check.cpp"},
		"a solution":         {files{"solutions/wa.py": "-"}, problems.UnmatchedPattern, "solutions/wa.py"},
		"points": {
			files{"problem.xml": polygonPackage(strings.Replace(scoredTests, "30.5", "NaN", 1), scoredGroups)["problem.xml"]},
			problems.BadNumber, "test 4",
		},
		"a policy": {
			files{"problem.xml": polygonPackage(scoredTests, strings.Replace(scoredGroups, "each-test", "odd", 1))["problem.xml"]},
			problems.BadValue, "points-policy",
		},
		"an unknown group": {
			files{"problem.xml": polygonPackage(scoredTests, strings.Replace(scoredGroups, `<dependency group="1"/>`, `<dependency group="9"/>`, 1))["problem.xml"]},
			problems.UnknownGroup, `"9"`,
		},
		"a circle": {
			files{"problem.xml": polygonPackage(scoredTests, strings.Replace(scoredGroups, `<dependency group="0"/>`, `<dependency group="2"/>`, 1))["problem.xml"]},
			problems.DependencyCycle, "group01",
		},
	} {
		t.Run(name, func(t *testing.T) {
			refusedWith(t, folder(t, "sum", whole.with(c.change)), c.code, c.in)
		})
	}
}

// refusedWith wants an error of a code with a text in it.
func refusedWith(t *testing.T, path string, code problems.Code, in string) {
	t.Helper()
	pkg, err := problems.Open(path, problems.Options{})
	if err == nil {
		_ = pkg.Close() // of a folder; nothing can be lost
	}
	e, ok := errors.AsType[*problems.ReadError](err)
	if !ok {
		t.Fatalf("not refused: %v", err)
	}
	if !slices.ContainsFunc(e.Findings, func(f problems.Finding) bool { return f.Code == code && strings.Contains(f.String(), in) }) {
		t.Errorf("no error %s with %q in it, but\n%v", code, in, e)
	}
}
