package problems_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/problems"
)

// TestRefuse changes a good package and expects these errors, no more and no
// fewer, from the folder and from the zip of it.
func TestRefuse(t *testing.T) {
	yaml := func(s string) files { return files{"problem.yaml": s} }
	limit := func(s string) files { return files{"problem.yaml": "name: x\nlimits:\n  " + s + "\n"} }
	for name, tc := range map[string]struct {
		change files
		want   []string
	}{
		"missing answer":       {files{"data/secret/2.in": ""}, []string{"data/secret/2.in: error: … no answer … add 2.ans"}},
		"answer alone":         {files{"data/sample/g/2.ans": ""}, []string{"data/sample/g/2.ans: … without an input … add 2.in"}},
		"no cases":             {files{"data/secret/1.in": "-", "data/secret/1.ans": "-"}, []string{"no test cases … data/secret/"}},
		"case in data":         {files{"data/1.in": ""}, []string{"data/1.in: … move it"}},
		"all at once":          {files{"data/secret/2.in": "", "data/secret/3.ans": "", "problem.yaml": "type: fun\n"}, []string{"problem.yaml:1", "2.in", "3.ans"}},
		"bad yaml":             {yaml("name: x\nlimits: [\n"), []string{"problem.yaml:2: error: is not yaml … mend"}},
		"tab":                  {yaml("name: x\nlimits:\n\tmemory: 1\n"), []string{"problem.yaml:3: … not yaml"}},
		"first line":           {yaml("name: 'x' y\n"), []string{"problem.yaml:1: error: is not yaml"}},
		"not text":             {yaml("name: x\nauthor: \xff\n"), []string{"problem.yaml:2: … not UTF-8"}},
		"escape character":     {yaml("name: x\n\nauthor: \x1b[0m\n"), []string{"problem.yaml:3: … not UTF-8"}},
		"spelled NUL":          {yaml("validator_flags: \"a\\0b\"\n"), []string{"problem.yaml:1: … validator_flags holds a NUL"}},
		"spelled escape":       {yaml("name: {en: \"\\e[0m\"}\n"), []string{"problem.yaml:1: … name.en holds … control character"}},
		"bytes after":          {yaml("!a !b"), []string{"problem.yaml:1: … not yaml"}},
		"ini not text":         {files{"domjudge-problem.ini": "timelimit=1\nname=\xe9\n"}, []string{"domjudge-problem.ini:2: … not UTF-8"}},
		"spelled in a key":     {yaml("name: {\"\\e[0m\": [x]}\n"), []string{"problem.yaml:1: … name.\ufffd[0m is not a string"}},
		"two documents":        {yaml("name: x\n---\nname: y\n"), []string{"problem.yaml:2: … more than one"}},
		"list":                 {yaml("- name\n"), []string{"problem.yaml:1: … not a mapping"}},
		"alias":                {yaml("a: &x [1]\nname: *x\n"), []string{`problem.yaml:2: … alias "*x"`}},
		"merge":                {yaml("a: &x {name: n}\nlimits:\n  <<: *x\n"), []string{"problem.yaml:3: … alias"}},
		"nested":               {yaml("a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40)), []string{"problem.yaml:1: … nested"}},
		"double key":           {yaml("name: x\nname: y\n"), []string{`problem.yaml:2: … "name" is there twice`}},
		"version":              {yaml("problem_format_version: 2030-01\n"), []string{"problem.yaml:1: … 2030-01"}},
		"type":                 {yaml("type: fun\n"), []string{`problem.yaml:1: … "fun" … pass-fail`}},
		"type list":            {yaml("type: [pass-fail]\n"), []string{"problem.yaml:1: … type is not a string"}},
		"validation":           {yaml("validation: yes\n"), []string{`"yes"; write default, or custom`}},
		"validation word":      {yaml("validation: custom foo\n").with(files{"output_validators/v.py": ""}), []string{`word "foo"`}},
		"default word":         {yaml("validation: default score\n"), []string{`"default score"`}},
		"no validator":         {yaml("name: x\nvalidation: custom\n"), []string{"problem.yaml:2: … output_validators/ is missing or holds no program"}},
		"empty validators":     {yaml("validation: custom\n").with(files{"output_validators/README.md": "x"}), []string{"holds no program"}},
		"other folder":         {yaml("validation: custom\n").with(files{"output_validator/v.py": "x"}), []string{"output_validators/ … output_validator/ … rename"}},
		"validator name":       {yaml("validation: custom\n").with(files{"output_validators/my val.py": "x"}), []string{"output_validators/my val.py: … rename"}},
		"include name":         {files{"include/default/-o": ""}, []string{"include/default/-o: … rename"}},
		"memory negative":      {limit("memory: -1"), []string{`problem.yaml:3: … limits.memory is "-1", not above 0 … MiB … 65536 MiB`}},
		"memory zero":          {limit("memory: 0"), []string{"not above 0"}},
		"memory NaN":           {limit("memory: .nan"), []string{"not a decimal number"}},
		"memory inf":           {limit("memory: .inf"), []string{"not a decimal number"}},
		"memory hex":           {limit("memory: 0x10"), []string{"not a decimal number"}},
		"memory unit":          {limit("memory: 512 MiB"), []string{"not a decimal number; write a number of MiB"}},
		"memory huge":          {limit("memory: 65537"), []string{"above the ceiling of 65536 MiB"}},
		"memory astronomic":    {limit("memory: 1e999"), []string{"above the ceiling of 65536 MiB"}},
		"memory list":          {limit("memory: [1]"), []string{"problem.yaml:3: … limits.memory is not a string"}},
		"memory tiny":          {limit("memory: 1e-999"), []string{"not above 0"}},
		"output":               {limit("output: 1025"), []string{"limits.output … 1024 MiB"}},
		"code":                 {limit("code: 16385"), []string{"limits.code … 16384 KiB"}},
		"time_limit":           {limit("time_limit: 601"), []string{"limits.time_limit … 600 s"}},
		"compilation":          {limit("compilation_time: 601\n  compilation_memory: -2"), []string{":3: … compilation_time … 600 s", ":4: … compilation_memory"}},
		"validation limits":    {limit("validation_time: 0\n  validation_memory: x\n  validation_output: 1e9"), []string{":3: … validation_time", ":4: … validation_memory", ":5: … validation_output"}},
		"multiplier":           {limit("time_multiplier: 0.5\n  time_safety_margin: 1001"), []string{":3: … below 1", ":4: … ceiling of 1000"}},
		"limits a string":      {yaml("limits: many\n"), []string{"limits is not a mapping"}},
		".timelimit":           {files{".timelimit": "soon"}, []string{`.timelimit:1: … "soon", not a decimal number … 600 s`}},
		"ini timelimit":        {files{"domjudge-problem.ini": "name=x\ntimelimit='0'\n"}, []string{`domjudge-problem.ini:2: … "0", not above 0`}},
		"on_reject":            {files{"data/testdata.yaml": "on_reject: stop\n"}, []string{`data/testdata.yaml:1: … "stop"; write break or continue`}},
		"grading":              {files{"data/secret/testdata.yaml": "\ngrading: custom\n"}, []string{"data/secret/testdata.yaml:2: … graders/ is missing"}},
		"testdata yaml":        {files{"data/secret/testdata.yaml": "a: b: c\n"}, []string{"data/secret/testdata.yaml:1: … not yaml"}},
		"flags list":           {files{"data/secret/testdata.yaml": "output_validator_flags: [a]\n"}, []string{"output_validator_flags is not a string"}},
		"case collision":       {files{"data/secret/A.in": "", "data/secret/A.ans": "", "data/secret/a.in": "", "data/secret/a.ans": ""}, []string{"upper and lower case", "upper and lower case"}},
		"folder collision":     {files{"Data/x": ""}, []string{"upper and lower case"}},
		"backslash":            {files{`data\x`: ""}, []string{"backslash"}},
		"drive letter":         {files{"c:x": ""}, []string{"absolute path"}},
		"control character":    {files{"data/secret/\x1b[2J.in": ""}, []string{`data/secret/\x1b[2J.in … control character`}},
		"not UTF-8":            {files{"data/secret/\xff.in": ""}, []string{`data/secret/\xff.in … UTF-8`}},
		"right-to-left":        {files{"data/secret/\u202en.in": ""}, []string{`\u202en.in … control character`}},
		"deep":                 {files{strings.Repeat("d/", 13) + "f": ""}, []string{"deeper … 12 folders"}},
		"long":                 {files{strings.Repeat(strings.Repeat("n", 120)+"/", 2) + "nnnnnnnnnnnnnn": ""}, []string{"longer than 255 bytes"}},
		"config too large":     {yaml("# " + strings.Repeat("x", 256<<10)), []string{"problem.yaml: … 256.0 KiB; the ceiling for this file is 256 KiB"}},
		"testdata.yaml, large": {files{"data/testdata.yaml": strings.Repeat("\n", 256<<10+1)}, []string{"data/testdata.yaml: … ceiling"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := oneCase.with(tc.change)
			wantEach(t, refused(t, folder(t, "p", f), problems.Options{}), tc.want...)
			wantEach(t, refused(t, zipFile(t, "p.zip", zipBytes(t, entries(f)...)), problems.Options{}), tc.want...)
		})
	}
}

// TestCeilings meets each ceiling with small numbers.
func TestCeilings(t *testing.T) {
	many := oneCase.with(nil)
	for i := range 30 {
		many[fmt.Sprintf("attachments/%02d", i)] = strings.Repeat("x", 100)
	}
	for name, tc := range map[string]struct {
		opts problems.Options
		want string
	}{
		"files":  {problems.Options{MaxFiles: 20}, "more than 20 files"},
		"bytes":  {problems.Options{MaxBytes: 2900}, "more than 2900 bytes unpacked"},
		"file":   {problems.Options{MaxFile: 99, MaxBytes: 1 << 20}, "holds 100 bytes; the ceiling for one file is 99 bytes"},
		"name":   {problems.Options{MaxName: 16}, "data/secret/1.ans: … longer than 16 bytes"},
		"depth":  {problems.Options{MaxDepth: 1}, "deeper than the ceiling of 1 folder;"},
		"config": {problems.Options{MaxConfig: 5}, "problem.yaml: … ceiling for this file is 5 bytes"},
		"source": {problems.Options{MaxSource: 1}, "include/default/f: … (2 bytes) … more than 1 byte, which is the ceiling"},
	} {
		t.Run(name, func(t *testing.T) {
			f := many.with(files{"include/default/f": "12"})
			stored := zipBytes(t, entries(f)...)
			if tc.opts.MaxBytes == 2900 {
				tc.opts.MaxBytes = int64(max(len(stored), 2900)) // the zip itself must be within
				f["attachments/big"] = strings.Repeat("y", len(stored))
				stored = zipBytes(t, entries(f)...)
				tc.opts.MaxBytes = int64(len(stored))
				tc.want = "more than … unpacked, which is the ceiling"
			}
			for _, path := range []string{folder(t, "p", f), zipFile(t, "p.zip", stored)} {
				got := refused(t, path, tc.opts)
				if len(got) > 40 {
					t.Errorf("%d findings", len(got))
				}
				wantEach(t, got[:1], tc.want)
			}
		})
	}
}

func TestManyFindings(t *testing.T) {
	f := oneCase.with(nil)
	for i := range 500 {
		f[fmt.Sprintf("data/secret/x%d.in", i)] = ""
	}
	got := refused(t, folder(t, "p", f), problems.Options{})
	if len(got) != 201 || !strings.Contains(got[200], "more than 200") {
		t.Errorf("%d findings, the last %q", len(got), got[len(got)-1])
	}
}

func TestProblemName(t *testing.T) {
	for name, want := range map[string]string{"Hello": "hello", "a.b-c_9": "a.b-c_9", "x.zip": "x", "_x": "", "with space": "", strings.Repeat("n", 65): ""} {
		path := folder(t, name, oneCase)
		if want == "" {
			wantEach(t, refused(t, path, problems.Options{}), "problem name … rename")
			if p := open(t, path, problems.Options{Name: "given"}).Problem; p.Name != "given" {
				t.Errorf("name %q, want the one given", p.Name)
			}
			continue
		}
		if p := open(t, path, problems.Options{}).Problem; p.Name != want {
			t.Errorf("name of %q is %q, want %q", name, p.Name, want)
		}
	}
	wantEach(t, refused(t, folder(t, "x", oneCase), problems.Options{Name: "../x"}), `problem name "../x"`)
}

func TestWarnings(t *testing.T) {
	f := oneCase.with(files{
		"problem.yaml":                  "name: x\ntime_limit: 3\nlimits:\n  memroy: 5\n",
		"data/testdata.yaml":            "grader_flags: ignore_sample\nrun_samples: true\naccept_score: 1\noutput_validator_flags: {default: case_sensitive, other: x}\n",
		"data/extra/1.in":               "",
		"data/secret/1.md5":             "",
		"include/lost.h":                "",
		"output_validators/v.py":        "",
		"submissions/lost.c":            "",
		"submissions/odd/a.c":           "// @EXPECTED_RESULTS@: CORRECT, GREAT",
		"submissions/odd/b.c":           "",
		"submissions/wrong_answer/c.c":  "\n// @EXPECTED_RESULTS@: TIMELIMIT\n",
		"submissions/wrong_answer/d .c": "",
	})
	p := open(t, folder(t, "p", f), problems.Options{})
	wantEach(t, lines(p.Findings),
		`problem.yaml:2: warning: the key "time_limit"`,
		`problem.yaml:4: … "limits.memroy"`,
		"output_validators: … not used",
		"include/lost.h: … include/default/",
		`data/testdata.yaml:2: … "run_samples"`,
		"data/testdata.yaml:3: … accept_score has no effect",
		`data/testdata.yaml:4: … "other"`,
		"data/extra: … not judged",
		"data/secret/1.md5: info: … not part of a test case",
		"submissions/lost.c: … left out",
		"submissions/odd: … not known",
		`submissions/odd/a.c:1: … "GREAT"`,
		"submissions/wrong_answer/c.c:2: … other than the folder",
		"submissions/wrong_answer/d .c: … rename",
		"submissions/accepted: info: … no accepted",
	)
	if g := p.Problem.Root.Groups[0]; len(g.ValidatorFlags) != 1 || g.ValidatorFlags[0] != "case_sensitive" {
		t.Errorf("flags %q, want case_sensitive", g.ValidatorFlags)
	}
	want := map[string]string{"odd/a.c": "[AC]", "odd/b.c": "[]", "wrong_answer/c.c": "[WA TLE]", "wrong_answer/d .c": "[WA]"}
	for _, s := range p.Problem.Jury {
		if got := fmt.Sprint(s.Expected); got != want[s.Name] {
			t.Errorf("%s: expected %s, want %s", s.Name, got, want[s.Name])
		}
		delete(want, s.Name)
	}
	if len(want) > 0 {
		t.Errorf("submissions missing: %v", want)
	}

	samples := oneCase.with(files{"data/secret/1.in": "-", "data/secret/1.ans": "-", "data/sample/1.in": "", "data/sample/1.ans": "", "problem.yaml": "-"})
	wantEach(t, lines(open(t, folder(t, "p", samples), problems.Options{}).Findings),
		"warning: … no problem.yaml", "warning: … no secret test cases", "no accepted")
}

func TestValidators(t *testing.T) {
	f := oneCase.with(files{
		"problem.yaml":                 "validation: custom\n",
		"output_validators/b.cpp":      "#include \"lib.h\"",
		"output_validators/lib.h":      "lib",
		"output_validators/a/check.py": "",
		"data/testdata.yaml":           "output_validator_flags: {a: x, b.cpp: x}\n",
	})
	p := open(t, folder(t, "p", f), problems.Options{}).Problem
	got := ""
	for _, prog := range p.Validator.Programs {
		got += prog.Name
		for _, file := range prog.Files {
			got += " " + file.Name
		}
		got += "; "
	}
	if want := "output_validators/a check.py; output_validators/b.cpp b.cpp lib.h; "; got != want {
		t.Errorf("programs %q, want %q", got, want)
	}
	if g := p.Root.Groups[0]; len(g.ValidatorFlags) != 1 || g.ValidatorFlags[0] != "x" {
		t.Errorf("flags %q, want x", g.ValidatorFlags)
	}
}

func TestPlainLimitsRefused(t *testing.T) {
	path := folder(t, "p", files{"1.in": "", "1.out": ""})
	for want, opts := range map[string]problems.Options{
		"CPU time limit given is -1s":     {Limits: judge.Limits{CPU: -time.Second}},
		"at most 10m0s":                   {Limits: judge.Limits{CPU: time.Hour}},
		"memory limit given is 65 GiB":    {Limits: judge.Limits{Memory: 65 << 30}},
		"output limit given is -1 bytes":  {Limits: judge.Limits{Output: -1}},
		"code limit given is 17 MiB":      {Code: 17 << 20},
		"process limit given is 1000000":  {Limits: judge.Limits{Processes: 1_000_000}},
		"wall time limit given is 20m1s;": {Limits: judge.Limits{Wall: 20*time.Minute + time.Second}},
	} {
		if _, err := problems.Open(path, opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open: %v, want %q", err, want)
		}
	}
}
