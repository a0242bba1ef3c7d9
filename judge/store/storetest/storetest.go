// Package storetest is responsible for databases to test against: a server of
// our own for a test binary, and in it an empty, migrated database for each test
// that wants one.
//
// It tests nothing itself.
package storetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/embedded"
)

const template = "template_judge"

var (
	server *embedded.Server
	number atomic.Int64
)

// Main starts a server, runs the tests of m and stops it. It returns the exit
// code, 1 where there is no Postgres: such tests fail, they are not skipped.
func Main(m *testing.M) int {
	code, err := run(m)
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "storetest:", err) // there is nowhere else to say it
		return 1
	}
	return code
}

func run(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "judge-db-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()     // a temporary folder
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // the server's user passes through
		return 1, err
	}
	ctx := context.Background()                                                            //nolint:forbidigo // there is no caller with one
	server, err = embedded.Start(ctx, embedded.Options{Dir: dir, Path: os.Getenv("PATH")}) //nolint:forbidigo // only for tests
	if err != nil {
		return 1, err
	}
	defer func() {
		if e := server.Close(); err == nil {
			err = e
		}
	}()
	if err := create(ctx, template, "template0"); err != nil {
		return 1, err
	}
	s, err := store.Open(ctx, named(template))
	if err != nil {
		return 1, err
	}
	if err := s.Migrate(ctx); err != nil {
		return 1, err
	}
	if err := s.Close(); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

func create(ctx context.Context, name, like string) error {
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", name, like))
	if e := conn.Close(ctx); err == nil {
		err = e
	}
	return err
}

func named(database string) string {
	u, err := url.Parse(server.URL())
	if err != nil {
		return ""
	}
	u.Path = "/" + database
	return u.String()
}

// URL makes an empty database, migrated if so wanted, and returns where it is.
func URL(tb testing.TB, migrated bool) string {
	tb.Helper()
	name, like := fmt.Sprintf("test_%d", number.Add(1)), "template0"
	if migrated {
		like = template
	}
	if err := create(tb.Context(), name, like); err != nil {
		tb.Fatal(err)
	}
	return named(name)
}

// New opens an empty, migrated database, which is closed when the test ends.
func New(tb testing.TB) *store.Store {
	tb.Helper()
	return Open(tb, URL(tb, true))
}

// Open opens a database once more.
func Open(tb testing.TB, at string) *store.Store {
	tb.Helper()
	s, err := store.Open(tb.Context(), at)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// World is what a submission refers to.
type World struct {
	*store.Store

	Token   judge.Token
	Version judge.ProblemVersion // of problem aplusb, published
}

// NewWorld makes a database with a token and a published problem.
func NewWorld(tb testing.TB) *World {
	tb.Helper()
	w := &World{Store: New(tb)}
	var err error
	if w.Token, _, err = w.CreateToken(tb.Context(), judge.Token{Name: "platform", Role: judge.RoleSubmitter}); err != nil {
		tb.Fatal(err)
	}
	err = w.Tx(tb.Context(), func(tx *store.Tx) error {
		v, err := tx.CreateVersion(tb.Context(), judge.ProblemVersion{Problem: "aplusb", Digest: "d1", Manifest: []byte(`{}`)})
		if err == nil {
			err = tx.SetVersionState(tb.Context(), v.ID, judge.Published)
		}
		w.Version = v
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// Submission is one of this person.
func (w *World) Submission(who string, p judge.Priority) judge.Submission {
	return judge.Submission{
		Problem: w.Version.Problem, VersionID: w.Version.ID, Language: "python3", Entry: "a.py",
		Submitter: judge.Submitter{ID: who, Name: "Name of " + who, Team: "T"}, TokenID: w.Token.ID, Priority: p,
		Files: []judge.File{{Name: "a.py", Data: []byte("print(sum(map(int, input().split())))\n")}, {Name: "empty.py", Data: []byte{}}},
	}
}

// Submit hands in a submission of this person, and returns its judgement.
func (w *World) Submit(tb testing.TB, who string, p judge.Priority) judge.Judgement {
	tb.Helper()
	var j judge.Judgement
	err := w.Tx(tb.Context(), func(tx *store.Tx) (err error) {
		_, j, err = tx.CreateSubmission(tb.Context(), w.Submission(who, p))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return j
}
