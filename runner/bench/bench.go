// Package bench measures boxes against the agent's own fork and exec without a
// box, in one process and interleaved, so that both see the same machine. It
// measures cost and accuracy; whether a figure is good enough is for its reader.
package bench

import (
	"archive/tar"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"judge/runner"
)

// Report is one measured case, as judge bench prints it with --json.
type Report struct {
	Bench   string         `json:"bench"`
	Case    string         `json:"case"`
	Ratio   *float64       `json:"ratio,omitempty"` // box over bare
	Value   *float64       `json:"value,omitempty"`
	Want    []float64      `json:"want,omitempty"` // lowest and highest Value, or Ratio
	Figures map[string]any `json:"figures,omitempty"`
}

// OK reports whether the measured number is within what is wanted.
func (r *Report) OK() bool {
	v := r.Value
	if v == nil {
		v = r.Ratio
	}
	return v == nil || len(r.Want) != 2 || (*v >= r.Want[0] && *v <= r.Want[1])
}

// Bench measures one sandbox. Not for concurrent use.
type Bench struct {
	sandbox runner.Sandbox
	image   string
	dir     string
	cores   unix.CPUSet // that this process may use
}

//go:embed programs/*.c
var programs embed.FS

const (
	sum   = "sum"
	load  = "load"
	turns = "turns"
	alone = "bare"
)

// New compiles the programs that are measured, statically, in a box of image,
// which must hold /usr/bin/gcc. The programs are kept in dir on the host too,
// for the bare runs.
func New(ctx context.Context, sandbox runner.Sandbox, image, dir string) (*Bench, error) {
	b := &Bench{sandbox: sandbox, image: image, dir: dir}
	if err := unix.SchedGetaffinity(0, &b.cores); err != nil {
		return nil, fmt.Errorf("find cores: %w", err)
	}
	slot, err := sandbox.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("acquire slot: %w", err)
	}
	defer slot.Release()
	box, err := slot.Box(ctx, runner.Spec{Image: image, Class: runner.Compile})
	if err != nil {
		return nil, fmt.Errorf("take box: %w", err)
	}
	defer box.Discard()
	for _, name := range []string{sum, load, turns, alone} {
		if err := b.compile(ctx, box, name); err != nil {
			return nil, fmt.Errorf("compile %s: %w", name, err)
		}
	}
	return b, nil
}

func (b *Bench) compile(ctx context.Context, box runner.Box, name string) error {
	source, err := programs.ReadFile("programs/" + name + ".c")
	if err != nil {
		return err
	}
	if err := box.Put(ctx, runner.Work, runner.File{Name: name + ".c", Mode: 0o444, Data: source}); err != nil {
		return err
	}
	var words bytes.Buffer
	res, err := box.Run(ctx, &runner.Command{
		Args: []string{"/usr/bin/gcc", "-O2", "-static", "-o", name, name + ".c"}, Env: []string{"PATH=/usr/bin:/bin"},
		Stderr: &words, Keep: true,
		Limits: runner.Limits{Wall: time.Minute, Memory: 1 << 30, Output: 1 << 20, Processes: 64},
	})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 || res.Signal != 0 {
		return fmt.Errorf("gcc: exit code %d, signal %d: %s", res.ExitCode, res.Signal, words.String())
	}
	var packed bytes.Buffer
	if err := box.Pack(ctx, []string{name}, 16<<20, &packed); err != nil {
		return err
	}
	return b.unpack(&packed, name)
}

// unpack writes the one file of a tar under a name of ours.
func (b *Bench) unpack(packed io.Reader, name string) error {
	r := tar.NewReader(packed)
	if _, err := r.Next(); err != nil {
		return fmt.Errorf("read executable: %w", err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("read executable: %w", err)
	}
	return errors.Join(os.MkdirAll(b.dir, 0o700), os.WriteFile(b.path(name), data, 0o500)) //nolint:gosec // it is run
}

func (b *Bench) path(name string) string { return filepath.Join(b.dir, name) }

// limits are those of a usual test case.
func limits() runner.Limits {
	return runner.Limits{CPU: 10 * time.Second, Wall: 20 * time.Second, Memory: 256 << 20, Output: 128 << 20, Processes: 16}
}

// quantile of a sorted list.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// compare makes the report of two lists of times.
func compare(bench, name string, most float64, box, bare []time.Duration) Report {
	slices.Sort(box)
	slices.Sort(bare)
	ratio := float64(quantile(box, 0.5)) / float64(quantile(bare, 0.5))
	return Report{
		Bench: bench, Case: name, Ratio: &ratio, Want: []float64{0, most},
		Figures: map[string]any{
			"runs": len(box), "box_p50_ms": ms(quantile(box, 0.5)), "box_p95_ms": ms(quantile(box, 0.95)),
			"bare_p50_ms": ms(quantile(bare, 0.5)), "bare_p95_ms": ms(quantile(bare, 0.95)),
		},
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
