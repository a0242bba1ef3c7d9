package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestBadInput(t *testing.T) {
	source := filepath.Join(t.TempDir(), "a.py")
	write(t, source, "print(1)\n")
	pack := filepath.Join(t.TempDir(), "small")
	write(t, filepath.Join(pack, "data/secret/1.in"), "")
	write(t, filepath.Join(pack, "data/secret/1.ans"), "1\n")
	folder := t.TempDir()
	for _, name := range []string{"one", "two"} {
		write(t, filepath.Join(folder, name, "data/secret/1.in"), "")
		write(t, filepath.Join(folder, name, "data/secret/1.ans"), "1\n")
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no such command", []string{"frob"}, "unexpected argument frob"},
		{"no problem", []string{"run", source}, "--problem=PACKAGE"},
		{"no such package", []string{"run", "-p", "missing", source}, "missing: no such file"},
		{"an empty folder", []string{"run", "-p", t.TempDir(), source}, "there are no test cases"},
		{"sources on two packages", []string{"run", "-p", folder, source}, "--problem names 2"},
		{"no such flag", []string{"run", "--frob"}, "unknown flag --frob"},
		{"slots", []string{"run", "-p", pack, "--slots", "100000", source}, "a slot is a core"},
		{"no duration", []string{"run", "-p", pack, "--time-limit", "soon", source}, `"soon" is no duration`},
		{"long duration", []string{"run", "-p", pack, "--time-limit", "2h", source}, "at most 10m"},
		{"isolation", []string{"run", "-p", pack, "--isolation", "none", source}, "--isolation"},
		{"no such language", []string{"images", "build", "klingon"}, `no language "klingon"; there are `},
		{"images without a verb", []string{"images"}, `"build"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := judgeIn(t, "", "", tt.args...)
			if got.code != exitInput || got.out != "" {
				t.Errorf("exit code %d, stdout %q", got.code, got.out)
			}
			contains(t, "stderr", got.err, tt.want)
			if strings.Contains(strings.Join(tt.args, " "), "images") {
				return
			}
			got = judgeIn(t, "", "", append(tt.args, "--json")...)
			var object struct{ Error string }
			if err := json.Unmarshal([]byte(got.err), &object); err != nil || got.code != exitInput {
				t.Fatalf("with --json: exit code %d, %v: %s", got.code, err, got.err)
			}
			contains(t, "error", object.Error, tt.want)
		})
	}
}

func TestWithoutEngine(t *testing.T) {
	pack := filepath.Join(t.TempDir(), "small")
	write(t, filepath.Join(pack, "data/secret/1.in"), "")
	write(t, filepath.Join(pack, "data/secret/1.ans"), "1\n")
	for _, args := range [][]string{{"run", "-p", pack}, {"sweep"}, {"images", "list"}, {"images", "build"}} {
		t.Run(args[0], func(t *testing.T) {
			got := judgeIn(t, "", "", args...)
			if got.code != exitFailed {
				t.Errorf("exit code %d", got.code)
			}
			contains(t, "stderr", got.err, "sandbox unavailable")
		})
	}
}

func TestHelp(t *testing.T) {
	tests := []struct {
		args []string
		want []string
	}{
		{nil, []string{"judge images build", "JUDGE_FLAG_NAME", "/etc/judge/judge.yaml"}},
		{[]string{"run", "--help"}, []string{"judge run --problem testcases/samples/aplusb sum.cpp", "Exit code 0", "JE judging error", "CPU time"}},
		{[]string{"check", "--help"}, []string{"Exit code 42", "float_tolerance 1e-6"}},
		{[]string{"images", "build", "--help"}, []string{"--prune", "at a time (2)"}},
		{[]string{"doctor", "--help"}, []string{"warning"}},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			got := judgeIn(t, "", "", tt.args...)
			if got.code != exitOK || got.err != "" {
				t.Errorf("exit code %d, stderr %q", got.code, got.err)
			}
			contains(t, "stdout", got.out, tt.want...)
		})
	}
}

func TestLanguages(t *testing.T) {
	got := judgeIn(t, "", "", "languages", "--json")
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.err)
	}
	ids := map[string]bool{}
	for line := range strings.Lines(got.out) {
		var l struct {
			ID         string
			Extensions []string
			Run        []string
			State      *string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if len(l.Extensions) == 0 || len(l.Run) == 0 || l.State != nil {
			t.Errorf("%s", line)
		}
		ids[l.ID] = true
	}
	for _, id := range []string{"c", "cpp", "python3", "pypy3", "java", "go", "javascript"} {
		if !ids[id] {
			t.Errorf("no %s", id)
		}
	}
	contains(t, "text", judgeIn(t, "", "", "languages").out, "cpp  C++\n", "-std=gnu++20", "the engine does not answer")
}

func TestVersion(t *testing.T) {
	contains(t, "text", judgeIn(t, "", "", "version").out, "judge ", "go1.")
	var b buildInfo
	if err := json.Unmarshal([]byte(judgeIn(t, "", "", "version", "--json").out), &b); err != nil || b.Go == "" {
		t.Errorf("%v, %+v", err, b)
	}
}

func TestSeconds(t *testing.T) {
	for text, want := range map[string]time.Duration{"1.5s": 1500 * time.Millisecond, "300ms": 300 * time.Millisecond, "2": 2 * time.Second, "0.25": 250 * time.Millisecond} {
		if got, err := parseSeconds(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1s", "1h2", "NaN", "inf", "1e3000"} {
		if got, err := parseSeconds(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
