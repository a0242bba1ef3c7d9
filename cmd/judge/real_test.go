//go:build docker

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const samples = "../../testcases/samples"

// built is the program as it is delivered, with the agent beside it.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, pkg := range map[string]string{"judge": "judge/cmd/judge", "judge-agent": "judge/cmd/judge/agent"} {
		cmd := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, name), pkg)
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", name, err, out)
		}
	}
	return filepath.Join(dir, "judge")
}

// runToEnd runs a program to its end.
func runToEnd(t *testing.T, args ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// TestSamples judges every submission of the sample packages.
func TestSamples(t *testing.T) {
	program := built(t)
	for _, mode := range []string{"run", "submission"} {
		t.Run(mode, func(t *testing.T) {
			got := runToEnd(t, program, "run", "--json", "--isolation", mode, "--cache-dir", filepath.Join(t.TempDir(), "cache"), "--problem", samples)
			if got.err != "" {
				t.Errorf("stderr %s", got.err)
			}
			lines := strings.Split(strings.TrimSpace(got.out), "\n")
			if want := countSubmissions(t); len(lines) != want {
				t.Errorf("%d judgements, the packages have %d submissions", len(lines), want)
			}
			for _, line := range lines {
				j := parse(t, line)
				t.Run(j.Package+"/"+j.Source, func(t *testing.T) {
					if !j.OK || len(j.Expected) == 0 {
						t.Error(line)
					}
				})
			}
		})
	}
}

// sampleLine is what the tests want of a judgement.
type sampleLine struct {
	Package, Source string
	OK              bool
	Expected        []string
}

func parse(t *testing.T, line string) sampleLine {
	t.Helper()
	var j sampleLine
	if err := json.Unmarshal([]byte(line), &j); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return j
}

func countSubmissions(t *testing.T) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(samples, "*/submissions/*/*"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no submissions: %v", err)
	}
	return len(all)
}

// TestSources judges files and a folder, as somebody at a terminal does.
func TestSources(t *testing.T) {
	program := built(t)
	pack := filepath.Join(samples, "aplusb")
	folder := filepath.Join(pack, "submissions/accepted/two_files_cpp")
	broken := filepath.Join(t.TempDir(), "broken.c")
	write(t, broken, "int main(void) { return x; }\n")
	slow := filepath.Join(t.TempDir(), "slow.c")
	write(t, slow, "int main(void) { for (;;); }\n")

	got := runToEnd(t, program, "run", "-p", pack, folder, broken, slow, "--time-limit", "200ms")
	if got.code != exitOK || got.err != "" {
		t.Errorf("exit code %d, stderr %s", got.code, got.err)
	}
	contains(t, "stdout", got.out, folder+"  cpp       AC", "c         CE", "error: ", "TLE      sample/1", "3 submissions, 1 AC, 1 TLE, 1 CE")

	got = runToEnd(t, program, "run", "-p", pack, "--json", "--all", "--case", "secret", slow, "--time-limit", "100ms", "--slots", "1")
	var j struct {
		Verdict, Limit string
		Source         string
		Version        string  `json:"language_version"`
		CPU            float64 `json:"cpu_time_s"`
		Runs           []struct{ Case, Verdict string }
	}
	if err := json.Unmarshal([]byte(got.out), &j); err != nil {
		t.Fatal(err, got.out, got.err)
	}
	if j.Verdict != "TLE" || j.Limit != "cpu" || j.Source != slow || j.CPU < 0.1 || len(j.Runs) != 7 || !strings.Contains(j.Version, "gcc") {
		t.Errorf("%s", got.out)
	}
	got = runToEnd(t, program, "run", "-p", pack, "--case", "secret/99", folder)
	if got.code != exitInput {
		t.Errorf("an unknown case: exit code %d", got.code)
	}
}

// TestDoctor looks at the machine that the other tests run on: it has no fault.
func TestDoctor(t *testing.T) {
	got := runToEnd(t, built(t), "doctor")
	if got.code != exitOK || strings.Contains(got.out, "fault ") {
		t.Errorf("exit code %d\n%s", got.code, got.out)
	}
	contains(t, "stdout", got.out, "Docker ", "cgroups", "judge/cpp:")
}

// TestImages builds what is missing, which is nothing the second time.
func TestImages(t *testing.T) {
	program := built(t)
	for range 2 {
		if got := runToEnd(t, program, "images", "build", "c"); got.code != exitOK {
			t.Fatalf("exit code %d: %s", got.code, got.err)
		}
	}
	if got := runToEnd(t, program, "images", "build", "c"); got.err != "" || got.out != "" {
		t.Errorf("there was nothing to do, and it said %q %q", got.out, got.err)
	}
	contains(t, "list", runToEnd(t, program, "images", "list").out, "\nc  ", "ready", "judge/c:", "gcc")
}

func TestMain(m *testing.M) {
	// The tests ask for their own flags and files only.
	for _, name := range []string{"JUDGE_PROBLEM", "JUDGE_CACHE_DIR", "JUDGE_SLOTS", "JUDGE_JSON"} {
		_ = os.Unsetenv(name)
	}
	os.Exit(m.Run())
}
