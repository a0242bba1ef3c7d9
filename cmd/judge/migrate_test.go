package main

import "testing"

// TestMigrateRole: a role without a password would be nobody's, or everybody's.
func TestMigrateRole(t *testing.T) {
	t.Setenv("JUDGE_API_ROLE_PASSWORD", "")
	out := judgeIn(t, "", "", "migrate", "--api-role", "judge_api", "--database-url", "postgres://nobody@127.0.0.1:1/none")
	if out.code != exitInput {
		t.Errorf("exit code %d, want %d", out.code, exitInput)
	}
	contains(t, "the error", out.err, "JUDGE_API_ROLE_PASSWORD")
}
