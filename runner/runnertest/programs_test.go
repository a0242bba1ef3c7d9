package runnertest_test

import (
	"strings"
	"testing"

	"judge/runner/runnertest"
)

// Who has no compiler is told so, and what to install.
func TestBuildWithoutCompiler(t *testing.T) {
	t.Setenv("PATH", "")
	err := runnertest.Build(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "install gcc") {
		t.Errorf("build without a compiler: %v, want the remedy", err)
	}
}
