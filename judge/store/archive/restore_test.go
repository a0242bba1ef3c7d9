//go:build postgres

package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/archive"
	"judge/judge/store/storetest"
	"judge/migrations"
)

// world is a database with some of everything, and its test data.
func world(t *testing.T) (*storetest.World, heap) {
	t.Helper()
	w, blobs := storetest.NewWorld(t), heap{}
	var kept []string
	for _, data := range []string{"", "1 2\n", strings.Repeat("x", 5<<20)} {
		sum := blobs.put([]byte(data))
		kept = append(kept, sum)
		if _, err := w.PutBlob(t.Context(), judge.StoredBlob{SHA256: sum, Size: int64(len(data)), StoredSize: 1}); err != nil {
			t.Fatal(err)
		}
	}
	garbage := blobs.put([]byte("nothing refers to it"))
	if _, err := w.PutBlob(t.Context(), judge.StoredBlob{SHA256: garbage, Size: 20, StoredSize: 1}); err != nil {
		t.Fatal(err)
	}
	s := w.Submission("Zoë\t\\N\n\"x\"", judge.PriorityContest)
	s.Files = []judge.File{{Name: "a.py", Data: []byte("\x00\xff\\.\n\t")}, {Name: "b.py", Data: bytes.Repeat([]byte{0, 1, 2, 3}, 3<<20)}}
	var running judge.Judgement
	err := w.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreateVersion(t.Context(), judge.ProblemVersion{Problem: "aplusb", Digest: "d2", Manifest: []byte(`{"a":"b"}`), Blobs: kept})
		if err == nil {
			_, running, err = tx.CreateSubmission(t.Context(), s)
		}
		if err == nil {
			err = tx.Audit(t.Context(), judge.AuditEntry{TokenID: w.Token.ID, Action: "a", Object: "o", Reason: "r", Detail: []byte(`{"x":1}`)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Submit(t, "later", judge.PriorityPractice)
	id := "0190a000-0000-7000-8000-000000000001"
	err = w.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Register(t.Context(), judge.Worker{ID: id, Name: "n", Slots: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	task, ok, err := w.Take(t.Context(), id)
	if err != nil || !ok || task.JudgementID != running.ID {
		t.Fatalf("%+v %v %v", task, ok, err)
	}
	score := 0.1
	j := running
	j.Verdict, j.Score, j.Message = judge.WA, &score, "no\u2028"
	j.Runs = []judge.Run{{Ordinal: 1, Case: "secret/01", Verdict: judge.WA, Score: &score}}
	if err := w.Tx(t.Context(), func(tx *store.Tx) error { return tx.Finish(t.Context(), task.Lease, &j) }); err != nil {
		t.Fatal(err)
	}
	return w, blobs
}

// content is all rows of all tables that are kept, as text.
func content(t *testing.T, s *store.Store) map[string][]string {
	t.Helper()
	rows, err := s.Pool().Query(t.Context(), `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
		AND c.relname NOT LIKE 'river%' AND c.relname NOT IN ('goose_db_version', 'origin', 'events')`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, table := range tables {
		rows, err := s.Pool().Query(t.Context(), fmt.Sprintf("SELECT md5(x::text) || left(x::text, 200) FROM %s x ORDER BY 1", table))
		if err != nil {
			t.Fatal(err)
		}
		if all[table], err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func write(t *testing.T, s *store.Store, blobs heap) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := archive.Write(t.Context(), &file, s.Pool(), blobs, "test", nil); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestRestore compares what comes back with what was there.
func TestRestore(t *testing.T) {
	w, blobs := world(t)
	position, err := w.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, w.Store, blobs)
	h, sum, err := archive.Verify(t.Context(), bytes.NewReader(file))
	if err != nil || sum.Rows["submissions"] != 2 || sum.Blobs != 3 || h.Build != "test" {
		t.Fatalf("%+v %+v %v", h, sum, err)
	}
	into := storetest.Open(t, storetest.URL(t, false))
	back := heap{}
	got, err := archive.Restore(t.Context(), bytes.NewReader(file), into.Pool(), back)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sum, got); d != "" {
		t.Error(d)
	}
	if err := into.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := content(t, w.Store)
	if d := cmp.Diff(want, content(t, into)); d != "" {
		t.Error(d)
	}
	if len(want["runs"]) == 0 || len(want["audit_log"]) == 0 || len(want["submission_files"]) == 0 {
		t.Error("there was little to compare")
	}
	if len(back) != 3 {
		t.Errorf("%d blobs are back, 3 were referred to", len(back))
	}
	for name, data := range back {
		if !bytes.Equal(data, blobs[name]) {
			t.Errorf("blob %s is not what it was", name)
		}
	}
	// Who followed events learns that this is another history, and sequences go on.
	if _, err := into.Events(t.Context(), position, judge.EventFilter{}, 10); !errors.Is(err, judge.ErrGone) {
		t.Errorf("an old position: %v, want ErrGone", err)
	}
	if err := into.Audit(t.Context(), judge.AuditEntry{Action: "after", Object: "o"}); err != nil {
		t.Errorf("one more line of a table with a sequence: %v", err)
	}
	if load, err := into.Load(t.Context()); err != nil || load.Ready != 1 {
		t.Errorf("%+v %v, one was queued", load, err)
	}
	// It does not go where something is.
	if _, err := archive.Restore(t.Context(), bytes.NewReader(file), into.Pool(), back); !errors.Is(err, archive.ErrNotEmpty) {
		t.Errorf("a second time: %v, want ErrNotEmpty", err)
	}
}

// TestRestoreOlder brings a backup of an older schema to today's.
func TestRestoreOlder(t *testing.T) {
	const older = 4
	from := storetest.Open(t, storetest.URL(t, false))
	if err := migrations.UpTo(t.Context(), from.Pool(), older); err != nil {
		t.Fatal(err)
	}
	if _, _, err := from.CreateToken(t.Context(), judge.Token{Name: "old", Role: judge.RoleAdmin}); err != nil {
		t.Fatal(err)
	}
	file := write(t, from, heap{})
	into := storetest.Open(t, storetest.URL(t, false))
	if _, err := archive.Restore(t.Context(), bytes.NewReader(file), into.Pool(), heap{}); err != nil {
		t.Fatal(err)
	}
	if v, err := into.Version(t.Context()); err != nil || v != older {
		t.Errorf("version %d, %v", v, err)
	}
	if err := into.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tokens, err := into.Tokens(t.Context()); err != nil || len(tokens) != 1 || tokens[0].Name != "old" {
		t.Errorf("%+v %v", tokens, err)
	}
	if err := into.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestRestoreFails leaves no row of a backup that turns out bad halfway.
func TestRestoreFails(t *testing.T) {
	w, blobs := world(t)
	file := write(t, w.Store, blobs)
	entries := unpackTar(t, unzstd(t, file))
	entries[len(entries)-2].data[0] ^= 1 // a byte of the last blob
	into := storetest.Open(t, storetest.URL(t, false))
	_, err := archive.Restore(t.Context(), bytes.NewReader(pack(t, entries...)), into.Pool(), heap{})
	if !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	if table, err := archive.Empty(t.Context(), into.Pool()); err != nil || table != "" {
		t.Errorf("table %q has rows; %v", table, err)
	}
	if _, err := archive.Restore(t.Context(), bytes.NewReader(file), into.Pool(), heap{}); err != nil {
		t.Errorf("a good one after that: %v", err)
	}
	// A blob that is gone is no backup.
	for name := range blobs {
		delete(blobs, name)
	}
	if _, err := archive.Write(t.Context(), &bytes.Buffer{}, w.Pool(), blobs, "test", nil); err == nil {
		t.Error("a backup without its test data was written")
	}
}
