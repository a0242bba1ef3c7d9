package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ran is what a command left.
type ran struct {
	code     int
	out, err string
}

// judgeIn runs a command line on no engine, with its own configuration file.
func judgeIn(t *testing.T, config, stdin string, args ...string) ran {
	t.Helper()
	t.Setenv("DOCKER_HOST", "unix://"+filepath.Join(t.TempDir(), "no-engine"))
	t.Setenv("JUDGE_CACHE_DIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "judge.yaml")
	if config != "" {
		write(t, path, config)
	}
	var out, errs bytes.Buffer
	a := &app{streams: streams{in: strings.NewReader(stdin), out: &out, err: &errs}, ctx: t.Context(), config: path}
	code := a.execute(args)
	return ran{code, out.String(), errs.String()}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contains fails where a wanted text is missing.
func contains(t *testing.T, where, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s lacks %q:\n%s", where, w, got)
		}
	}
}
