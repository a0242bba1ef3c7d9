package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"judge/images"
	"judge/judge"
	"judge/judge/store"
	"judge/problems/blob"
	"judge/problems/statement"
	"judge/runner"
	"judge/runner/docker"
)

// Limits of pandoc on one statement, which is a stranger's program as any other.
var texLimits = runner.Limits{
	CPU: 20 * time.Second, Wall: 40 * time.Second, Memory: 1 << 30, Output: store.MaxStatementPage, Processes: 64,
}

// tex makes HTML of a statement in TeX, in a box. Empty: it cannot be done, because
// the image was not built or pandoc gives up; then the source is shown.
func (s *station) tex(ctx context.Context, source []byte) (html string, err error) {
	s.looking.Lock()
	image := s.images[images.Statement]
	s.looking.Unlock()
	if image.State != docker.ImageReady || len(source) > statement.MaxSource {
		return "", nil
	}
	in, err := os.CreateTemp("", "judge-statement-")
	if err != nil {
		return "", fmt.Errorf("render statement: %w", err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := errors.Join(os.Remove(in.Name()), in.Chmod(0o444)); err != nil {
		return "", fmt.Errorf("render statement: %w", err)
	}
	if _, err := in.WriteAt(statement.TexSource(source), 0); err != nil {
		return "", fmt.Errorf("render statement: %w", err)
	}
	slot, err := s.sandbox.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer slot.Release()
	box, err := slot.Box(ctx, runner.Spec{Image: image.Ref, Class: runner.Jury, Tenant: "statement"})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	r, err := box.Run(ctx, &runner.Command{
		Args: statement.TexArgs(), Env: []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"}, Stdin: in, Stdout: &out, Limits: texLimits,
	})
	if err != nil {
		box.Discard()
		return "", fmt.Errorf("render statement: %w", err)
	}
	box.Release()
	if r.Limit != runner.LimitNone || r.Signal != 0 || r.ExitCode != 0 {
		return "", nil
	}
	return out.String(), nil
}

// keepPages renders the statements in TeX of a version that is verified, once for
// each source.
func (g *judging) keepPages(ctx context.Context, m *blob.Manifest, run func(context.Context, func(context.Context) error) error) error {
	for _, d := range m.Statement {
		if statement.KindOf(d.Name) != statement.Tex || d.Size > statement.MaxSource {
			continue
		}
		if _, err := g.store.StatementPage(ctx, d.SHA256); !errors.Is(err, judge.ErrNotFound) {
			if err != nil {
				return err
			}
			continue
		}
		f, err := g.testdata.Open(ctx, d.Ref())
		if err != nil {
			return err
		}
		source, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("read statement: %w", err)
		}
		html := ""
		if err := run(ctx, func(ctx context.Context) (err error) {
			html, err = g.station.tex(ctx, source)
			return err
		}); err != nil {
			return err
		}
		if html == "" {
			continue
		}
		if err := g.store.PutStatementPage(ctx, d.SHA256, html); err != nil {
			return err
		}
	}
	return nil
}
