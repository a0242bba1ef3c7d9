package trial_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"judge/images"
	"judge/judge"
	"judge/judge/language"
	"judge/judge/trial"
)

// Every language that is tried has every trial, or says why not.
func TestEveryLanguage(t *testing.T) {
	t.Parallel()
	set, err := language.Load(images.FS)
	if err != nil {
		t.Fatal(err)
	}
	judge0 := map[int]string{}
	for _, l := range set.All() {
		for _, id := range l.Judge0 {
			if other := judge0[id]; other != "" {
				t.Errorf("Judge0's %d is both %s and %s", id, other, l.ID)
			}
			judge0[id] = l.ID
		}
		if !strings.Contains(l.Example, "Hello, world!") {
			t.Errorf("%s: its example does not say hello: %q", l.ID, l.Example)
		}
		list, err := trial.Of(set, images.FS, l)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if list[i].Missing != "" && l.Untried == "" {
				t.Errorf("%s: %s", l.ID, list[i].Missing)
			}
			if len(list[i].Files) == 0 {
				continue
			}
			if _, err := judge.NewProgram(l, list[i].Files, ""); err != nil {
				t.Errorf("%s: %s: %v", l.ID, list[i].Name, err)
			}
		}
	}
}

const settings = `id: small
name: Small
version: [/bin/small]
extensions: [.s]
source_name: main.s
run: {argv: [/bin/small, "/box/p/{entry}"]}
trials:
  want: {recursion: RE}
  without: {threads: there are none, hello: it does not speak}
`

func small(t *testing.T, more map[string]string) ([]trial.Trial, map[string]trial.Trial) {
	t.Helper()
	fsys := fstest.MapFS{
		"small/Dockerfile":    {Data: []byte("FROM debian:trixie-slim\n")},
		"small/language.yaml": {Data: []byte(settings)},
	}
	for name, text := range more {
		fsys["small/trials/"+name] = &fstest.MapFile{Data: []byte(text), Mode: fs.ModePerm}
	}
	set, err := language.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := set.Get("small")
	list, err := trial.Of(set, fsys, l)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]trial.Trial{}
	for _, one := range list {
		byName[one.Name] = one
	}
	return list, byName
}

func TestOf(t *testing.T) {
	t.Parallel()
	list, by := small(t, map[string]string{
		"hello.s": "hello", "recursion.s": "deep", "files/main.s": "a", "files/sub/b.s": "b", "attack-x.s": "x", "odd.s": "?",
	})
	if last := list[len(list)-1].Name; last != "odd" {
		t.Errorf("the last is %s, want what is of no kind", last)
	}
	for name, want := range map[string]string{
		"hello":    "language.yaml says that there is no trial hello",
		"sums":     "small/trials/sums.* is missing",
		"odd":      "odd is no trial that is known",
		"threads":  "",
		"attack-x": "",
	} {
		if got := by[name].Missing; got != want && (want == "" || !strings.Contains(got, want)) {
			t.Errorf("%s: missing %q, want %q", name, got, want)
		}
	}
	if by["threads"].Without != "there are none" {
		t.Errorf("threads: without %q", by["threads"].Without)
	}
	if by["recursion"].Want != judge.RE || by["attack-x"].Want != judge.CE {
		t.Errorf("recursion wants %s, attack-x %s", by["recursion"].Want, by["attack-x"].Want)
	}
	if f := by["files"].Files; len(f) != 2 || f[0].Name != "main.s" || f[1].Name != "sub/b.s" {
		t.Errorf("files: %v", f)
	}
	if _, ok := by["warning"]; ok {
		t.Error("a trial that a language need not have is asked for")
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	_, by := small(t, map[string]string{"mistake.s": "one\ntwo\nthree MISTAKE\n", "exit.s": "x", "loop.s": "x", "warning.s": "x", "sums.s": "x"})
	compiled := func(ok bool, text string) *judge.Compilation { return &judge.Compilation{OK: ok, Output: text} }
	for _, tt := range []struct {
		name, trial string
		judgement   judge.Judgement
		want        string // part of what is wrong; empty: nothing
	}{
		{"right", "sums", judge.Judgement{Verdict: judge.AC}, ""},
		{"another verdict", "sums", judge.Judgement{Verdict: judge.RE, Runs: []judge.Run{{Message: "exited with code 9"}}}, "RE, want AC: exited with code 9"},
		{"our fault", "sums", judge.Judgement{Verdict: judge.JE, Message: "box lost"}, "JE, want AC: box lost"},
		{"a path of ours", "sums", judge.Judgement{Verdict: judge.AC, Compile: compiled(true, "/usr/bin/ld: odd")}, "shows the path /usr/bin/ld"},
		{"the box's path", "sums", judge.Judgement{Verdict: judge.AC, Compile: compiled(true, "at /box/w/main.s")}, "shows the path /box/w/main.s"},
		{"a word with slashes", "sums", judge.Judgement{Verdict: judge.AC, Compile: compiled(true, "and/or c/usr/d")}, ""},
		{"names the line", "mistake", judge.Judgement{Verdict: judge.CE, Compile: compiled(false, "main.s:3: odd")}, ""},
		{"names another", "mistake", judge.Judgement{Verdict: judge.CE, Compile: compiled(false, "main.s:13: odd, 3.5 x")}, "does not name line 3"},
		{"exit code", "exit", judge.Judgement{Verdict: judge.RE, Runs: []judge.Run{{ExitCode: 3}}}, ""},
		{"another exit code", "exit", judge.Judgement{Verdict: judge.RE, Runs: []judge.Run{{ExitCode: 1}}}, "exit code was not 3"},
		{"limit", "loop", judge.Judgement{Verdict: judge.TLE, Runs: []judge.Run{{Limit: judge.LimitCPU}}}, ""},
		{"another limit", "loop", judge.Judgement{Verdict: judge.TLE, Runs: []judge.Run{{Limit: judge.LimitWall}}}, "not the limit of cpu"},
		{"warning", "warning", judge.Judgement{Verdict: judge.AC, Compile: compiled(true, "unused")}, ""},
		{"no warning", "warning", judge.Judgement{Verdict: judge.AC, Compile: compiled(true, " \n")}, "warning is not there"},
		{"no program", "stdin", judge.Judgement{Verdict: judge.AC}, "is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			one := by[tt.trial]
			got := one.Check(&tt.judgement)
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// The packages open, and each kind has its own.
func TestProblems(t *testing.T) {
	t.Parallel()
	p, err := trial.OpenProblems(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, k := range trial.Kinds {
		pack := p.Get(k.Package)
		if pack == nil {
			t.Errorf("%s: no package %s", k.Name, k.Package)
			continue
		}
		if n := len(pack.Problem.Cases()); n != 1 {
			t.Errorf("%s: %d cases", k.Package, n)
		}
	}
	if size := p.Get("output").Problem.Cases()[0].Answer.Size; size != 10<<20 {
		t.Errorf("the output is to be 10 MiB, its answer has %d bytes", size)
	}
}
