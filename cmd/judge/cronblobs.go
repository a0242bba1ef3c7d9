package main

import (
	"context"
	"errors"
	"time"

	"judge/judge"
	"judge/judge/store"
)

// blobsLock keeps the collection of blobs apart from imports, which share it
// while they have stored blobs that no version refers to yet.
const blobsLock = "blobs"

// collected is how many blobs are removed under one lock: imports wait for it.
const collected = 100

// collectBlobs removes blobs that no version refers to: first those that the
// database knows, then those that only the store has, left by imports that
// failed. While an import is under way it does nothing, and a later run does.
func (p choreParts) collectBlobs(ctx context.Context, dry bool) (done int, err error) {
	unused, err := p.records.UnusedBlobs(ctx, abandoned, maxCount)
	if err != nil {
		return 0, err
	}
	orphans, err := p.orphans(ctx)
	if err != nil || dry {
		return len(unused) + len(orphans), err
	}
	done, err = p.underLock(ctx, unused, p.removeUnused)
	if err != nil {
		return done, err
	}
	n, err := p.underLock(ctx, orphans, p.removeOrphan)
	return done + n, err
}

// orphans lists what lies in the store since long and has no row. What was never
// stored whole is another chore's.
func (p choreParts) orphans(ctx context.Context) ([]string, error) {
	var out []string
	before := time.Now().Add(-abandoned)
	for o, err := range p.blobs.List(ctx) {
		if err != nil {
			return nil, err
		}
		if !o.ModTime.Before(before) {
			continue
		}
		known, err := p.known(ctx, o.SHA256)
		if err != nil {
			return nil, err
		}
		if !known {
			out = append(out, o.SHA256)
		}
	}
	return out, nil
}

func (p choreParts) known(ctx context.Context, sum string) (bool, error) {
	_, err := p.records.Blob(ctx, sum)
	if errors.Is(err, judge.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// underLock removes blobs, some at a time, while no import is under way.
func (p choreParts) underLock(ctx context.Context, sums []string, remove func(ctx context.Context, sum string) (bool, error)) (done int, err error) {
	for len(sums) > 0 {
		n := min(len(sums), collected)
		release, ok, err := p.records.TryLock(ctx, blobsLock)
		if err != nil || !ok {
			return done, err
		}
		for _, sum := range sums[:n] {
			var gone bool
			if gone, err = remove(ctx, sum); err != nil {
				break
			}
			if gone {
				done++
			}
		}
		release()
		if err != nil {
			return done, err
		}
		sums = sums[n:]
	}
	return done, nil
}

// removeUnused removes a blob and its row, unless it is used by now.
func (p choreParts) removeUnused(ctx context.Context, sum string) (bool, error) {
	err := p.records.Tx(ctx, func(tx *store.Tx) error {
		if err := tx.DeleteBlob(ctx, sum, abandoned); err != nil {
			return err
		}
		return p.blobs.Delete(ctx, sum)
	})
	if errors.Is(err, judge.ErrConflict) || errors.Is(err, judge.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// removeOrphan removes a blob that has no row, unless it has one by now.
func (p choreParts) removeOrphan(ctx context.Context, sum string) (bool, error) {
	known, err := p.known(ctx, sum)
	if err != nil || known {
		return false, err
	}
	return true, p.blobs.Delete(ctx, sum)
}
