package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"judge/judge"
	"judge/problems"
)

// How often a watched package is looked at, and how long it must have rested.
const (
	watchEvery = 300 * time.Millisecond
	watchRest  = 200 * time.Millisecond
)

// watch verifies packages whenever something in them was saved, until it is
// interrupted. Verifying that is under way then begins anew.
func (s *verifySession) watch(paths []string) error {
	seen := map[string]string{}
	for {
		for _, p := range paths {
			now, err := treeState(p)
			if err != nil || now == seen[p] {
				continue // half saved, or gone for a moment
			}
			seen[p] = now
			if _, err := s.one(s.app.ctx, p); err != nil && s.app.ctx.Err() == nil {
				s.app.say(fmt.Errorf("%s: %w", p, err), s.JSON)
			}
			if !s.JSON && s.app.ctx.Err() == nil {
				s.app.notef("watching; Ctrl-C ends it\n")
			}
		}
		select {
		case <-s.app.ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// treeState names what lies below a path: names, sizes, times. It changes with
// each save. An error: somebody is saving.
func treeState(at string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(at, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !d.IsDir() && time.Since(info.ModTime()) < watchRest && time.Since(info.ModTime()) > 0 {
			return errors.New("just saved")
		}
		_, err = fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// digests gives the SHA-256 of a package's blobs, each read once.
func digests(p *problems.Package) func(judge.Blob) (string, error) {
	var mu sync.Mutex
	known := map[judge.Blob]string{}
	return func(b judge.Blob) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if sum, ok := known[b]; ok {
			return sum, nil
		}
		f, err := p.Open(b)
		if err != nil {
			return "", err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("read test data: %w", err)
		}
		known[b] = hex.EncodeToString(h.Sum(nil))
		return known[b], nil
	}
}

// write writes the transcript of a run below the folder that the caller named.
// Submissions and cases are named by the package, so that nothing outside of that
// folder is opened.
func (t *transcripts) write(s *judge.JurySubmission, r *judge.Run) error {
	text := judge.ConversationText(r.Output.Transcript)
	if text == "" {
		return nil
	}
	if err := os.MkdirAll(t.dir, 0o755); err != nil { //nolint:gosec // for whoever reads the folder
		return fmt.Errorf("make folder: %w", err)
	}
	root, err := os.OpenRoot(t.dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it any more
	name := filepath.Join(t.problem, s.Name, r.Case+".txt")
	return errors.Join(root.MkdirAll(filepath.Dir(name), 0o755), root.WriteFile(name, []byte(text), 0o644))
}
