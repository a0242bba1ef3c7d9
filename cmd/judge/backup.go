package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"judge/judge/store/archive"
	"judge/problems/blob"
)

// backupCmd writes all that is kept to a file.
type backupCmd struct {
	databaseFlags

	File  string `arg:"" help:"The file to write; it must not be there yet."`
	Blobs string `placeholder:"URL" help:"Where test data are kept; else the folder blobs below --data."`
	JSON  bool   `help:"One JSON object about what was written."`
}

// Help is shown by judge backup --help.
func (backupCmd) Help() string {
	return `The file holds the database as it is at one moment (problems, submissions, sources, judgements, tokens' hashes, audit log) and the test data that it refers to. The service may run meanwhile. Jobs, events and caches are left out: they are made anew. The file is a tar in zstd, for its owner's eyes only; judge restore reads it, and refuses one that is damaged.

Example:
  judge backup /backup/judge-$(date +%F).judge`
}

// Run writes the file beside its place first, and moves it there when it is whole.
func (c *backupCmd) Run(a *app) error {
	if _, err := os.Lstat(c.File); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return badInput{fmt.Errorf("%s: %w: name a new file", c.File, err)}
	}
	return a.withDatabase(c.DatabaseURL, func(ctx context.Context, db *database) (err error) {
		blobs, err := a.openArchiveBlobs(c.Blobs)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, blobs.Close()) }()
		// Nothing that the backup refers to is collected before it is in the file.
		release, err := db.Lock(ctx, blobsLock, true)
		if err != nil {
			return err
		}
		defer release()
		bar := newBar(a.err, 0)
		defer bar.clear()
		var sum archive.Summary
		err = writeFile(c.File, func(w io.Writer) (err error) {
			sum, err = archive.Write(ctx, w, db.Pool(), blobs, buildName(), bar.show)
			return err
		})
		if err != nil {
			return err
		}
		bar.clear()
		return c.report(a, sum)
	})
}

func (c *backupCmd) report(a *app, sum archive.Summary) error {
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	return reportArchive(a, c.JSON, c.File, info.Size(), sum)
}

// reportArchive says what a backup holds.
func reportArchive(a *app, asJSON bool, file string, size int64, sum archive.Summary) error {
	if asJSON {
		return jsonLines(a.out).Encode(map[string]any{"file": file, "file_bytes": size, "bytes": sum.Bytes, "sha256": sum.SHA256, "rows": sum.Rows, "blobs": sum.Blobs})
	}
	_, err := fmt.Fprintf(a.out, "%s: %d submissions, %d judgements, %d problem versions, %d files of test data; %.1f MiB, of %.1f MiB\n",
		file, sum.Rows["submissions"], sum.Rows["judgements"], sum.Rows["problem_versions"], sum.Blobs, float64(size)/(1<<20), float64(sum.Bytes)/(1<<20))
	return err
}

// writeFile writes a file that is either whole, and on the disk, or not there.
func writeFile(path string, write func(io.Writer) error) (err error) {
	half := path + ".part"
	f, err := os.OpenFile(half, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return readable(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(half))
		}
	}()
	if err = errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	// Link fails where a file is there by now; Rename would replace it.
	if err = os.Link(half, path); err != nil {
		return err
	}
	if err = os.Remove(half); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// archiveBlobs are the store of test data as backups know it.
type archiveBlobs struct{ *blob.Store }

func (a *app) openArchiveBlobs(given string) (archiveBlobs, error) {
	url, err := a.blobsURL(given)
	if err != nil {
		return archiveBlobs{}, err
	}
	s, err := blob.Open(a.ctx, url, "")
	return archiveBlobs{s}, err
}

// Read is Store.Get.
func (b archiveBlobs) Read(ctx context.Context, sum string, size int64) (io.ReadCloser, error) {
	return b.Get(ctx, blob.Ref{SHA256: sum, Size: size})
}

// Write is Store.Put.
func (b archiveBlobs) Write(ctx context.Context, r io.Reader, size int64) (string, error) {
	ref, err := b.Put(ctx, r, size)
	return ref.SHA256, err
}
