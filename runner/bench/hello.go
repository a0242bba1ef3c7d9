package bench

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"judge/runner"
)

// prepare compiles the program, and leaves in dir/p what a run needs.
func (h *Hello) prepare(ctx context.Context, slot runner.Slot, dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "p"), 0o755); err != nil { //nolint:gosec // programs of any user are to read it
		return err
	}
	root, err := os.OpenRoot(filepath.Join(dir, "p"))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if len(h.Compile) == 0 {
		for _, f := range h.Files {
			if err := place(root, f.Name, 0o644, f.Data); err != nil {
				return err
			}
		}
		return nil
	}
	box, err := slot.Box(ctx, runner.Spec{Image: h.Image, Class: runner.Compile})
	if err != nil {
		return fmt.Errorf("take box: %w", err)
	}
	defer box.Discard()
	if err := box.Put(ctx, runner.Work, h.Files...); err != nil {
		return err
	}
	var words bytes.Buffer
	res, err := box.Run(ctx, &runner.Command{
		Args: h.Compile, Env: h.Env, Stdout: &words, Stderr: &words, Keep: true,
		Limits: runner.Limits{Wall: 5 * time.Minute, Memory: 2 << 30, Output: 1 << 20, Processes: 256},
	})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 || res.Signal != 0 {
		return fmt.Errorf("compile: exit code %d, signal %d: %s", res.ExitCode, res.Signal, words.String())
	}
	packed, err := os.Create(filepath.Join(dir, "packed"))
	if err != nil {
		return err
	}
	err = box.Pack(ctx, h.Keep, 256<<20, packed)
	if _, serr := packed.Seek(0, io.SeekStart); err == nil {
		err = serr
	}
	if err == nil {
		err = unpackInto(root, packed)
	}
	return errors.Join(err, packed.Close())
}

// unpackInto writes the files of a tar below root and nowhere else.
func unpackInto(root *os.Root, packed io.Reader) error {
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read executable: %w", err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("read executable: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := place(root, h.Name, os.FileMode(h.Mode)&0o777, data); err != nil {
			return err
		}
	}
}

func place(root *os.Root, name string, mode os.FileMode, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return root.WriteFile(name, data, mode|0o444)
}

func (h *Hello) load(ctx context.Context, box runner.Box, dir string) error {
	if len(h.Compile) == 0 {
		return box.Put(ctx, runner.Program, h.Files...)
	}
	packed, err := os.Open(filepath.Join(dir, "packed"))
	if err != nil {
		return err
	}
	return errors.Join(box.Unpack(ctx, runner.Program, packed), packed.Close())
}
