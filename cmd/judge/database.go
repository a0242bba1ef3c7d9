package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"judge/judge/store"
	"judge/judge/store/embedded"
)

// databasePatience is how long a command waits for another process that has the
// database's folder: a server that is starting, or a short command.
const databasePatience = 20 * time.Second

const databasePause = 100 * time.Millisecond // between two looks

// databaseFlags are those of every command that works on the database.
type databaseFlags struct {
	DatabaseURL string `placeholder:"URL" help:"Postgres, as postgres://user:password@host/name; else the one of our own below --data. A password is better given as JUDGE_DATABASE_URL, which other users do not see."`
}

// database is an open database.
type database struct {
	*store.Store

	url    string
	server *embedded.Server // nil: somebody else runs it
}

// openDatabase opens the database that url names. Where it is empty that is our
// own: the server that judge serve runs for --data, or else one that runs until
// the database is closed. It does not look at the schema (migrate, Check).
func (a *app) openDatabase(url string) (*database, error) {
	if url != "" {
		return a.connect(url, nil)
	}
	for stop := time.Now().Add(databasePatience); ; {
		server, err := a.startPostgres(a.log())
		if err == nil {
			return a.connect(server.URL(), server)
		}
		if !errors.Is(err, embedded.ErrInUse) {
			return nil, err
		}
		url, uerr := embedded.URL(a.postgresDir())
		if uerr == nil {
			var db *database
			if db, uerr = a.connect(url, nil); uerr == nil {
				return db, nil
			}
		}
		if errors.Is(uerr, fs.ErrPermission) || time.Now().After(stop) {
			return nil, errors.Join(err, uerr)
		}
		if err := a.pause(databasePause); err != nil {
			return nil, err
		}
	}
}

// ownDatabase is openDatabase for who runs the server as long as the service
// lasts: it does not share the server of a short command, but waits for its end.
func (a *app) ownDatabase(url string, log *slog.Logger) (*database, error) {
	if url != "" {
		return a.connect(url, nil)
	}
	for stop := time.Now().Add(databasePatience); ; {
		server, err := a.startPostgres(log)
		if err == nil {
			return a.connect(server.URL(), server)
		}
		if !errors.Is(err, embedded.ErrInUse) || time.Now().After(stop) {
			return nil, err
		}
		if err := a.pause(databasePause); err != nil {
			return nil, err
		}
	}
}

func (a *app) postgresDir() string { return filepath.Join(a.Data, "postgres") }

func (a *app) startPostgres(log *slog.Logger) (*embedded.Server, error) {
	server, err := embedded.Start(a.ctx, embedded.Options{
		Dir: a.postgresDir(), Path: os.Getenv("PATH"), Log: func(m string) { log.Warn(m) },
	})
	if errors.Is(err, fs.ErrPermission) {
		return nil, badInput{fmt.Errorf("%w: run this as who runs judge serve, name another folder with --data, or a database with --database-url", err)}
	}
	return server, err
}

// connect opens a database; server, if it is ours, ends where that fails.
func (a *app) connect(url string, server *embedded.Server) (*database, error) {
	s, err := store.Open(a.ctx, url)
	if err == nil {
		return &database{Store: s, url: url, server: server}, nil
	}
	if server != nil {
		err = errors.Join(err, server.Close())
	}
	return nil, err
}

// Close ends the connections, and the server where it is ours.
func (d *database) Close() error {
	err := d.Store.Close()
	if d.server != nil {
		err = errors.Join(err, d.server.Close())
	}
	return err
}

// withDatabase runs f on a database whose schema is this build's.
func (a *app) withDatabase(url string, f func(ctx context.Context, db *database) error) (err error) {
	db, err := a.openDatabase(url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Check(a.ctx); err != nil {
		return err
	}
	return f(a.ctx, db)
}

// pause waits, unless the command is to end before.
func (a *app) pause(d time.Duration) error {
	select {
	case <-a.ctx.Done():
		return a.ctx.Err()
	case <-time.After(d):
		return nil
	}
}
