package problems

import (
	"maps"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// program writes a jury program below a folder: a single file as it is, more than
// one as a folder, under the name that it has.
func (x *exporter) program(folder string, p judge.JuryProgram) {
	name := path.Base(p.Name)
	if p.Name == folder { // all files of the folder are one program
		for _, f := range p.Files {
			x.put(path.Join(folder, f.Name), exportFile{data: f.Data, mode: script(f.Name)})
		}
		return
	}
	if len(p.Files) == 1 && p.Files[0].Name == name {
		x.put(path.Join(folder, name), exportFile{data: p.Files[0].Data, mode: script(name)})
		return
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	for _, f := range p.Files {
		x.put(path.Join(folder, name, f.Name), exportFile{data: f.Data, mode: script(f.Name)})
	}
}

func script(name string) bool { return name == "build" || name == "run" }

// programs writes validators. The format has one output validator, which speaks
// the ICPC's protocol; testlib's get scripts around them.
func (x *exporter) programs() {
	p := &x.problem
	v := p.Validator
	switch {
	case len(v.Programs) > 1:
		x.rep.errorf(SeveralValidators, outputValidator, 0, "the problem has %d output validators, of which all must accept; this format has one: make them one program", len(v.Programs))
	case v.Builtin == "identical":
		x.flags("case_sensitive", "space_change_sensitive")
	case v.Builtin != "":
		x.rep.errorf(BadType, outputValidator, 0, "outputs are compared by %q of DMOJ, for which this format has no word; give an output validator of your own", v.Builtin)
	case len(v.Programs) == 0:
		x.flags(v.Flags...)
	case v.Protocol == judge.ProtocolTestlib:
		x.flags(v.Flags...)
		x.testlib(v)
	case v.Protocol != judge.ProtocolICPC:
		x.rep.errorf(BadType, outputValidator, 0, "the checker speaks the protocol %s, which this format does not know; give an output validator that exits with 42 or 43", v.Protocol)
	default:
		x.flags(v.Flags...)
		x.program(outputValidator, v.Programs[0])
	}
	for _, in := range p.InputValidators {
		if p.Format == judge.FormatPolygon {
			in = testlibInput(in)
		}
		x.program("input_validators", in)
	}
	if p.StaticValidator != nil {
		x.program(staticValidator, *p.StaticValidator)
	}
	if len(p.Graders) > 0 {
		x.rep.errorf(UnusedGrader, "graders", 0, "the problem has a grader of its own, which this format does not know; score by groups and validators")
	}
}

// flags puts flags of the problem before those of groups and cases, where this
// format has them.
func (x *exporter) flags(flags ...string) {
	if len(flags) == 0 {
		return
	}
	var walk func(g *judge.TestGroup)
	walk = func(g *judge.TestGroup) {
		g.ValidatorFlags = slices.Concat(flags, g.ValidatorFlags)
		for i := range g.Cases {
			if c := &g.Cases[i]; c.ValidatorFlags != nil {
				c.ValidatorFlags = slices.Concat(flags, c.ValidatorFlags)
			}
		}
		for i := range g.Groups {
			walk(&g.Groups[i])
		}
	}
	walk(&x.problem.Root)
	for i := range x.problem.DataChecks {
		if c := &x.problem.DataChecks[i]; c.Kind != judge.InvalidInput {
			c.Flags = slices.Concat(flags, c.Flags)
		}
	}
}

// The scripts around testlib's programs. Exit codes are testlib's: 0 right, 1 and 2
// wrong, 4 dirt and 8 unexpected end are wrong too, 7 and from 16 on are points,
// which no script can scale, anything else fails.
const (
	testlibBuild = `#!/bin/sh
set -e
cd "$(dirname "$0")"
g++ -std=gnu++17 -O2 -o program SOURCE
`
	testlibBuildTwo = testlibBuild + `g++ -std=gnu++17 -O2 -o checker CHECKER
`
	testlibEnd = `case $code in
0) exit 42 ;;
1 | 2 | 4 | 8) exit 43 ;;
esac
exit 1
`
	testlibRun = `#!/bin/sh
here=$(dirname "$0")
cat > "$3/output"
"$here/program" "$1" "$3/output" "$2" 2> "$3/judgemessage.txt"
code=$?
rm -f "$3/output"
` + testlibEnd
	testlibInteract = `#!/bin/sh
here=$(dirname "$0")
"$here/program" "$1" "$3/output" "$2" 2> "$3/judgemessage.txt"
code=$?
` + testlibEnd
	testlibInteractTwo = `#!/bin/sh
here=$(dirname "$0")
"$here/program" "$1" "$3/output" "$2" 2> "$3/judgemessage.txt"
code=$?
if [ $code = 0 ]; then
	"$here/checker" "$1" "$3/output" "$2" 2> "$3/judgemessage.txt"
	code=$?
fi
rm -f "$3/output"
` + testlibEnd
	testlibInputRun = `#!/bin/sh
"$(dirname "$0")/program" && exit 42
exit 43
`
)

// testlib writes a checker or an interactor of testlib's as an output validator.
func (x *exporter) testlib(v judge.OutputValidator) {
	main := v.Programs[0]
	files := map[string][]byte{}
	for _, f := range main.Files {
		files[f.Name] = f.Data
	}
	build, run := testlibBuild, testlibRun
	switch {
	case x.problem.Interactive && v.Checker != nil:
		build, run = testlibBuildTwo, testlibInteractTwo
		for _, f := range v.Checker.Files {
			files[f.Name] = f.Data
		}
		build = strings.Replace(build, "CHECKER", path.Base(v.Checker.Name), 1)
	case x.problem.Interactive:
		run = testlibInteract
	}
	for _, p := range append([]judge.JuryProgram{main}, checkers(v)...) {
		if ext := path.Ext(p.Name); ext != ".cpp" && ext != ".cc" {
			x.rep.errorf(BadType, p.Name, 0, "is a testlib program in another language than C++, which is not exported")
		}
	}
	files["build"] = []byte(strings.Replace(build, "SOURCE", path.Base(main.Name), 1))
	files["run"] = []byte(run)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		x.put(path.Join(outputValidator, "testlib", name), exportFile{data: files[name], mode: script(name)})
	}
	if x.problem.Scoring {
		x.rep.warnf(BadType, outputValidator, 0, "points that the checker gives for a part of a case are lost: this format's validators say them in score.txt")
	}
}

func checkers(v judge.OutputValidator) []judge.JuryProgram {
	if v.Checker == nil {
		return nil
	}
	return []judge.JuryProgram{*v.Checker}
}

// testlibInput is an input validator of testlib's with scripts around it.
func testlibInput(p judge.JuryProgram) judge.JuryProgram {
	base := path.Base(p.Name)
	files := append(slices.Clone(p.Files),
		judge.File{Name: "build", Data: []byte(strings.Replace(testlibBuild, "SOURCE", base, 1))},
		judge.File{Name: "run", Data: []byte(testlibInputRun)})
	return judge.JuryProgram{Name: strings.TrimSuffix(base, path.Ext(base)), Files: files}
}
