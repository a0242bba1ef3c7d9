//go:build docker

package grader_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/grader"
)

// TestInteractorThenChecker: an interactor of testlib's protocol writes a file, which
// the package's checker judges; each says what it has to in its own box.
func TestInteractorThenChecker(t *testing.T) {
	g, c := realGrader(t)
	program := func(name string) []judge.File {
		b, err := os.ReadFile(filepath.Join("testdata", "twice", name))
		if err != nil {
			t.Fatal(err)
		}
		return []judge.File{{Name: name, Data: b}}
	}
	tests := []struct {
		mode, input, answer string
		want                judge.Verdict
		says                string
	}{
		{"right", "4", "8", judge.AC, "heard 8\n\n8 where 8 is right"},
		{"wrong", "4", "8", judge.WA, "heard 5\n\n5 where 8 is right"},
		{"silent", "4", "8", judge.WA, "no number was said"},
		{"crash", "4", "8", judge.RE, ""},
		{"right", "-1", "8", judge.JE, "interactor.c exited with code 3"},
		{"right", "4", "none", judge.JE, "checker.c exited with code 3"},
	}
	secret := judge.TestGroup{Name: "secret"}
	for i, tt := range tests {
		secret.Cases = append(secret.Cases, judge.TestCase{
			Name: fmt.Sprintf("secret/%d", i), Args: []string{tt.mode}, Input: judge.Blob{Ref: tt.input}, Answer: judge.Blob{Ref: tt.answer},
		})
	}
	p := &judge.Problem{
		Name: "twice", Version: "v1", Format: judge.FormatPolygon, Interactive: true,
		Limits: judge.Limits{CPU: time.Second, Memory: 64 << 20}, Validation: judge.Limits{CPU: 2 * time.Second},
		Validator: judge.OutputValidator{
			Protocol: judge.ProtocolTestlib, Programs: []judge.JuryProgram{{Name: "files/interactor.c", Files: program("interactor.c")}},
			Checker: &judge.JuryProgram{Name: "files/checker.c", Files: program("checker.c")},
		},
		Root: judge.TestGroup{Groups: []judge.TestGroup{secret}},
	}
	j, err := g.Judge(t.Context(), grader.Request{
		ID: "twice", Problem: p, Data: data{t.TempDir()}, Language: c, Files: program("submission.c"), Options: grader.Options{All: true},
	}, nil)
	if err != nil || len(j.Runs) != len(tests) {
		t.Fatalf("%v, %s", err, verdicts(j))
	}
	for i, tt := range tests {
		if r := j.Runs[i]; r.Verdict != tt.want || !strings.Contains(r.Message, tt.says) {
			t.Errorf("%s with %s and %s: %s, %q; want %s, %q", tt.mode, tt.input, tt.answer, r.Verdict, r.Message, tt.want, tt.says)
		}
	}
}
