package main

import "testing"

// TestCeilings: a ceiling that is none is refused by its name, with what would be
// right, before anything is opened.
func TestCeilings(t *testing.T) {
	for flag, want := range map[string]string{
		"--max-cases=0":             "1000000",
		"--max-package-mib=-1":      "1048576",
		"--max-memory-mib=99999999": "65536",
		"--max-time=0":              "above zero",
	} {
		got := judgeIn(t, "", "", "api", "--database-url", "postgres://127.0.0.1:1/none", flag)
		if got.code != exitInput {
			t.Errorf("%s: exit code %d, want %d", flag, got.code, exitInput)
		}
		contains(t, flag, got.err, want)
	}
}
