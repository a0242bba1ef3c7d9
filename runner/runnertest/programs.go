package runnertest

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// The programs are C, because some attacks need a fork without exec, an exact
// system call or a start-up of a few pages.
//
//go:embed testdata/bss.c testdata/probe/*.c testdata/probe/*.h
var sources embed.FS

// Names of the programs in the folder that Build fills.
const (
	probe = "probe"
	bss   = "bss"
)

// Build compiles the suite's programs into dir, statically: they run in any
// image of this machine's architecture. It needs a C compiler with a static C
// library (Debian: gcc and libc6-dev), and says so where there is none.
func Build(ctx context.Context, dir string) error {
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		return fmt.Errorf("find a C compiler: %w: install gcc and libc6-dev", err)
	}
	from := filepath.Join(dir, "source")
	if err := os.CopyFS(from, sources); err != nil {
		return fmt.Errorf("write sources: %w", err)
	}
	files, err := fs.Glob(sources, "testdata/probe/*.c")
	if err != nil {
		return fmt.Errorf("list sources: %w", err)
	}
	return errors.Join(
		compile(ctx, compiler, from, filepath.Join(dir, probe), files),
		compile(ctx, compiler, from, filepath.Join(dir, bss), []string{"testdata/bss.c"}),
	)
}

func compile(ctx context.Context, compiler, folder, to string, files []string) error {
	cmd := exec.CommandContext(ctx, compiler, append([]string{"-static", "-O1", "-pthread", "-o", to}, files...)...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compile %s: %w: %s", path.Base(to), err, out)
	}
	return nil
}
