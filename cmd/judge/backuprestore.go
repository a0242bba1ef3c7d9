package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/jackc/pgx/v5"

	"judge/judge/store/archive"
	"judge/judge/store/embedded"
	"judge/migrations"
)

// restoreCmd puts a backup where there is nothing.
type restoreCmd struct {
	databaseFlags

	File  string `arg:"" help:"What judge backup wrote."`
	Blobs string `placeholder:"URL" help:"Where test data are kept; else the folder blobs below --data."`
	Force bool   `help:"Remove what is in the database, all of it, before."`
	JSON  bool   `help:"One JSON object about what was restored."`
}

// Help is shown by judge restore --help.
func (restoreCmd) Help() string {
	return `Goes into an empty --data or an empty database, while no judge works on it. The file is read to its end first: one that is damaged or cut off changes nothing. A backup of an older build is brought to this build's schema. What was queued or under way when it was made is judged after the next start; whoever follows events begins anew.

Example:
  judge restore /backup/judge-2027-01-31.judge && judge serve`
}

// Run verifies the file, then restores it.
func (c *restoreCmd) Run(a *app) (err error) {
	f, err := os.Open(c.File)
	if err != nil {
		return readable(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	file := &counted{file: f, bar: newBar(a.err, 0)}
	defer file.bar.clear()
	if err := c.verify(a.ctx, file); err != nil {
		return err
	}
	lock, err := a.lockData()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	db, err := c.emptyDatabase(a)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	sum, err := c.restore(a, db, file)
	if err != nil {
		return err
	}
	file.bar.clear()
	return reportArchive(a, c.JSON, c.File, file.size, sum)
}

func (c *restoreCmd) verify(ctx context.Context, file *counted) error {
	if err := file.rewind("verifying"); err != nil {
		return err
	}
	h, _, err := archive.Verify(ctx, file)
	if errors.Is(err, archive.ErrDamaged) {
		return badInput{fmt.Errorf("%s: %w; nothing was changed", c.File, err)}
	}
	if err != nil {
		return err
	}
	latest, err := migrations.Latest()
	if err == nil && h.Schema > latest {
		err = badInput{fmt.Errorf("%s: its schema has version %d, this build knows %d: use the build that wrote it, %s", c.File, h.Schema, latest, h.Build)}
	}
	return err
}

// emptyDatabase opens the database to restore to, which nobody else may use and
// which keeps nothing, or nothing any more.
func (c *restoreCmd) emptyDatabase(a *app) (db *database, err error) {
	url, server := c.DatabaseURL, (*embedded.Server)(nil)
	if url == "" {
		if server, err = a.startPostgres(a.log()); errors.Is(err, embedded.ErrInUse) {
			return nil, badInput{err}
		}
		if err != nil {
			return nil, err
		}
		url = server.URL()
	}
	if err := c.empty(a.ctx, url); err != nil {
		if server != nil {
			err = errors.Join(err, server.Close())
		}
		return nil, err
	}
	return a.connect(url, server)
}

// empty sees to it that a database is, on a connection of its own: what one has
// cached of tables is not to be used after they were removed.
func (c *restoreCmd) empty(ctx context.Context, url string) (err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	var others int
	err = conn.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()`).Scan(&others)
	if err != nil {
		return fmt.Errorf("look for other users of the database: %w", err)
	}
	if others > 0 {
		return badInput{fmt.Errorf("%d others are connected to the database: stop every judge that works on it first", others)}
	}
	if c.Force {
		return archive.Clear(ctx, conn)
	}
	table, err := archive.Empty(ctx, conn)
	if err != nil {
		return err
	}
	if table != "" {
		return badInput{fmt.Errorf("%w: table %s has rows; restore to another --data or database, or give --force to remove what is there", archive.ErrNotEmpty, table)}
	}
	return nil
}

func (c *restoreCmd) restore(a *app, db *database, file *counted) (sum archive.Summary, err error) {
	url, err := a.blobsURL(c.Blobs)
	if err != nil {
		return sum, err
	}
	folder, isFolder := blobsFolder(url)
	var before account
	if isFolder {
		before = ownerOf(folder)
	}
	blobs, err := a.openArchiveBlobs(c.Blobs)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	if err := file.rewind("restoring"); err != nil {
		return sum, err
	}
	if sum, err = archive.Restore(a.ctx, file, db.Pool(), blobs); err != nil {
		return sum, err
	}
	if before.switched {
		// The API's folder stays the API's; a new one judge serve gives it.
		if err := before.giveAll(folder); err != nil {
			return sum, err
		}
	}
	return sum, db.Migrate(a.ctx)
}

// ownerOf is who owns a folder, where that is not us.
func ownerOf(dir string) account {
	info, err := os.Lstat(dir)
	if err != nil {
		return account{} // it is not there yet
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 || st.Uid == 0 {
		return account{}
	}
	return account{name: fmt.Sprint("uid ", st.Uid), uid: st.Uid, gid: st.Gid, switched: true}
}

// counted shows how far a file is read.
type counted struct {
	file *os.File
	bar  *bar
	what string
	size int64
	read int64
	last int // shown, in MiB
}

func (c *counted) rewind(what string) error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	c.what, c.size, c.read, c.last = what, info.Size(), 0, -1
	_, err = c.file.Seek(0, io.SeekStart)
	return err
}

// Read is io.Reader's.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.read += int64(n)
	if mib := int(c.read >> 20); mib != c.last {
		c.last = mib
		c.bar.show(c.what+", MiB", mib, int(c.size>>20)+1)
	}
	return n, err
}
