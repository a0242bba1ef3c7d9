package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	input, answer, feedback := filepath.Join(dir, "in"), filepath.Join(dir, "ans"), filepath.Join(dir, "feedback")
	write(t, input, "1\n")
	write(t, answer, "Yes 0.5\n")
	if err := os.Mkdir(feedback, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		output string
		args   []string
		code   int
		err    string // in stderr
		says   string // in judgemessage.txt
	}{
		{name: "accepted", output: "yes\n0.5", args: []string{input, answer, feedback}, code: 42},
		{name: "wrong", output: "no 0.5", args: []string{input, answer, feedback + "/"}, code: 43, says: `got "no", expected "Yes"`},
		{name: "flag", output: "yes 0.5", args: []string{input, answer, feedback, "case_sensitive"}, code: 43, says: `got "yes"`},
		{name: "flag with a value", output: "yes 0.5000001", args: []string{input, answer, feedback, "float_tolerance", "1e-6"}, code: 42},
		{name: "bad flag", args: []string{input, answer, feedback, "case_insensitive"}, code: 1, err: `unknown flag "case_insensitive"`},
		{name: "flag like one of ours", args: []string{input, answer, feedback, "case_sensitive", "--verbose"}, code: 1, err: `unknown flag "--verbose"`},
		{name: "no feedback folder", args: []string{input, answer, filepath.Join(dir, "none")}, code: 1, err: "make it first"},
		{name: "feedback is a file", args: []string{input, answer, answer}, code: 1, err: "is no folder"},
		{name: "no answer", args: []string{input, filepath.Join(dir, "none"), feedback}, code: 1, err: "open answer"},
		{name: "no input", args: []string{filepath.Join(dir, "none"), answer, feedback}, code: 1, err: "open input"},
		{name: "too few arguments", args: []string{input, answer}, code: 2, err: "<feedbackdir>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := judgeIn(t, "", tt.output, append([]string{"check"}, tt.args...)...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d; stderr %s", got.code, tt.code, got.err)
			}
			contains(t, "stderr", got.err, tt.err)
			if tt.code != 42 && tt.code != 43 {
				return
			}
			message, err := os.ReadFile(filepath.Join(feedback, "judgemessage.txt"))
			if err != nil {
				t.Fatal(err)
			}
			contains(t, "judgemessage.txt", string(message), tt.says)
			if tt.code == 42 && len(message) > 0 {
				t.Errorf("judgemessage.txt of an accepted output: %q", message)
			}
		})
	}
}
