//go:build docker

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newLanguage is a folder as CONTRIBUTING.md asks for it: Perl as every Debian has
// it. Nothing else of the repository knows of it.
var newLanguage = map[string]string{
	"Dockerfile": `FROM debian:trixie-slim
RUN mkdir -p /box /sock /cg/memory /cg/cpuacct /cg/pids /cg/unified && touch /agent
`,
	"language.yaml": `id: newperl
name: New Perl
aliases: [np]
default: false
version: [/usr/bin/perl, -e, 'print "New Perl $^V\n"']
extensions: [.np]
source_name: main.np
env: {PATH: /usr/bin, LANG: C.UTF-8}
compile:
  argv: [/usr/bin/perl, -wc, "{entry}"]
  keep: ["*"]
  limits: {cpu_s: 10, memory_mib: 256, output_mib: 1, processes: 8}
run:
  argv: [/usr/bin/perl, "/box/p/{entry}"]
  memory_allowance_mib: 8
trials:
  without: {threads: none, sums: not here, stdin: not here, output: not here, recursion: not here, utf8: not here, sleep: not here, files: not here}
`,
	"trials/hello.np":     "print \"Hello, world!\\n\";\n",
	"trials/wrong.np":     "print \"Good bye!\\n\";\n",
	"trials/exit.np":      "exit 3;\n",
	"trials/exception.np": "die 'on purpose';\n",
	"trials/loop.np":      "1 while 1;\n",
	"trials/memory.np":    "my @all; push @all, 'x' x (1 << 20) for 1 .. 4096;\n",
	"trials/mistake.np":   "my $n = 1;\nif ($n == ) { # MISTAKE\n}\n",
}

// A language is added by one folder: the program is built with it, and builds its
// image, lists it and judges its trials.
func TestNewLanguage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]map[string]string{"Replace": {}}
	dir := t.TempDir()
	for name, text := range newLanguage {
		write(t, filepath.Join(dir, name), text)
		overlay["Replace"][filepath.Join(root, "images/newperl", name)] = filepath.Join(dir, name)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(text))
	beside := filepath.Dir(built(t))
	program := filepath.Join(beside, "judge-with")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "judge/cmd/judge")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build with the folder: %v\n%s", err, out)
	}
	cache := "--cache-dir=" + filepath.Join(dir, "cache")
	if got := runToEnd(t, program, "images", "build", cache, "--language", "np"); got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	contains(t, "languages", runToEnd(t, program, "languages", cache).out, "newperl  New Perl\n", "version      New Perl v5.")
	got := runToEnd(t, program, "languages", "test", "newperl", "--json", cache)
	if got.code != exitOK {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.err)
	}
	verdicts := map[string]string{}
	for line := range strings.Lines(got.out) {
		var l struct{ Trial, Verdict string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		verdicts[l.Trial] = l.Verdict
	}
	for trial, want := range map[string]string{"hello": "AC", "wrong": "WA", "exit": "RE", "exception": "RE", "loop": "TLE", "memory": "MLE", "mistake": "CE", "threads": ""} {
		if verdicts[trial] != want {
			t.Errorf("%s: %q, want %q", trial, verdicts[trial], want)
		}
	}
	measured := runToEnd(t, program, "bench", "languages", "newperl", "--runs", "4", "--json", cache)
	if measured.code != exitOK || strings.Count(measured.out, "\n") != 2 {
		t.Errorf("bench languages: exit code %d: %s%s", measured.code, measured.out, measured.err)
	}
	contains(t, "bench", measured.out, `"case":"newperl wall"`, `"case":"newperl cpu"`, `"bare_p50_ms"`)
}
