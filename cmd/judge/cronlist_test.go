//go:build postgres

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/problems/blob"
)

// yard is what scheduled jobs work on.
type yard struct {
	*httpSite

	parts choreParts
}

func newYard(t *testing.T) *yard {
	t.Helper()
	y := &yard{httpSite: newHTTPSite(t)}
	var err error
	if y.parts.records, err = newRecords(y.store); err != nil {
		t.Fatal(err)
	}
	if y.parts.blobs, err = blob.Open(t.Context(), "file://"+filepath.Join(y.dir, "blobs"), ""); err != nil {
		t.Fatal(err)
	}
	if y.parts.uploads, err = blob.OpenUploads(y.uploads()); err != nil {
		t.Fatal(err)
	}
	return y
}

// run does a job, and fails where it does not say that it did so much.
func (y *yard) run(name string, dry bool, want int) {
	y.t.Helper()
	for _, c := range allChores(y.parts) {
		if c.name != name {
			continue
		}
		if done, err := (&scheduler{locks: y.store}).run(y.t.Context(), c, dry); err != nil || done != want {
			y.t.Errorf("%s: %d done, want %d; %v", name, done, want, err)
		}
		return
	}
	y.t.Fatalf("there is no job %s", name)
}

func (y *yard) exec(sql string, args ...any) {
	y.t.Helper()
	if _, err := y.store.Pool().Exec(y.t.Context(), sql, args...); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) put(text string) string {
	y.t.Helper()
	ref, err := y.parts.blobs.Put(y.t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		y.t.Fatal(err)
	}
	return ref.SHA256
}

// known stores test data with its row.
func (y *yard) known(text string) string {
	y.t.Helper()
	sum := y.put(text)
	if _, err := y.store.PutBlob(y.t.Context(), judge.StoredBlob{SHA256: sum, Size: int64(len(text)), StoredSize: 1}); err != nil {
		y.t.Fatal(err)
	}
	return sum
}

// age makes a file of the store of test data as old as it must be to be removed.
func (y *yard) age(sum string) {
	y.t.Helper()
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(filepath.Join(y.dir, "blobs/sha256", sum[:2], sum[2:]), old, old); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) submit(version judge.ProblemVersion, token judge.Token) judge.Judgement {
	y.t.Helper()
	var j judge.Judgement
	err := y.store.Tx(y.t.Context(), func(tx *store.Tx) (err error) {
		_, j, err = tx.CreateSubmission(y.t.Context(), judge.Submission{
			Problem: version.Problem, VersionID: version.ID, Language: "python3", TokenID: token.ID, Files: []judge.File{{Name: "a.py"}},
		})
		return err
	})
	if err != nil {
		y.t.Fatal(err)
	}
	return j
}

func (y *yard) version(blobs ...string) (v judge.ProblemVersion) {
	y.t.Helper()
	err := y.store.Tx(y.t.Context(), func(tx *store.Tx) (err error) {
		if v, err = tx.CreateVersion(y.t.Context(), judge.ProblemVersion{Problem: "p", Digest: "d", Manifest: []byte("{}"), Blobs: blobs}); err != nil {
			return err
		}
		return tx.SetVersionState(y.t.Context(), v.ID, judge.Published)
	})
	if err != nil {
		y.t.Fatal(err)
	}
	return v
}

// TestCollectBlobs removes what is of no use for a day, and nothing else.
func TestCollectBlobs(t *testing.T) {
	y := newYard(t)
	used, unused, young := y.known("used"), y.known("unused"), y.known("unused, young")
	orphan, fresh := y.put("orphan"), y.put("orphan, young")
	y.version(used)
	y.exec("UPDATE blobs SET touched_at = touched_at - interval '2 days' WHERE sha256 <> $1", young)
	for _, sum := range []string{used, unused, orphan} {
		y.age(sum)
	}
	y.run("blobs", true, 2)
	release, err := y.store.Lock(t.Context(), blobsLock, true) // an import is under way
	if err != nil {
		t.Fatal(err)
	}
	y.run("blobs", false, 0)
	release()
	y.run("blobs", false, 2)
	y.run("blobs", false, 0)
	for sum, want := range map[string]bool{used: true, unused: false, young: true, orphan: false, fresh: true} {
		if has, err := y.parts.blobs.Has(t.Context(), sum); err != nil || has != want {
			t.Errorf("blob %s: there %v, want %v; %v", sum, has, want, err)
		}
	}
	if _, err := y.store.Blob(t.Context(), unused); !errors.Is(err, judge.ErrNotFound) {
		t.Errorf("the row of what was removed: %v", err)
	}
}

// TestRescueJobs queues again what a dead worker had, and makes jobs that lack.
func TestRescueJobs(t *testing.T) {
	y := newYard(t)
	token, _ := y.token(judge.Token{Name: "t", Role: judge.RoleSubmitter})
	v := y.version()
	j := y.submit(v, token)
	y.submit(v, token)
	y.run("queue", true, 2)
	y.run("queue", false, 2)
	y.run("queue", false, 0)
	id := "0190a000-0000-7000-8000-000000000001"
	err := y.store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Register(t.Context(), judge.Worker{ID: id, Name: "n", Slots: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := y.store.Take(t.Context(), id); err != nil || !ok {
		t.Fatal(ok, err)
	}
	y.run("dead-workers", false, 0)
	y.exec("UPDATE workers SET heartbeat_at = heartbeat_at - interval '1 hour'")
	// Dead is who has not been heard of since the database was up; ours is.
	eventually(t, "the worker is dead", func() bool {
		var up bool
		err := y.store.Pool().QueryRow(t.Context(), "SELECT now() - pg_postmaster_start_time() > $1", store.DeadAfter).Scan(&up)
		return err == nil && up
	})
	y.run("dead-workers", true, 1)
	y.run("dead-workers", false, 1)
	y.run("dead-workers", false, 0)
	if got, err := y.store.Judgement(t.Context(), j.ID); err != nil || got.State != judge.Queued {
		t.Errorf("%+v %v", got, err)
	}
}

// TestForgetting has a policy forget what it is about, and no policy forget
// nothing.
func TestForgetting(t *testing.T) {
	y := newYard(t)
	token, _ := y.token(judge.Token{Name: "t", Role: judge.RoleSubmitter})
	v := y.version()
	cancelled := y.submit(v, token)
	waiting := y.submit(v, token)
	err := y.store.Tx(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Claim(t.Context(), token.ID, "k", []byte{1}); err != nil {
			return err
		}
		return tx.Cancel(t.Context(), cancelled.ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	y.parts.KeepEvents = seconds(time.Hour)
	y.run("keys", false, 0)
	y.run("events", false, 0)
	y.exec("UPDATE idempotency_keys SET created_at = created_at - interval '2 days'")
	y.exec("UPDATE events SET at = at - interval '2 hours'")
	y.run("keys", false, 1)
	y.run("events", false, 3)

	time.Sleep(10 * time.Millisecond) // ids tell the time by milliseconds
	y.run("submissions", false, 0)
	y.parts.KeepSubmissions = seconds(time.Millisecond)
	y.run("submissions", true, 1)
	if _, err := y.store.Submission(t.Context(), cancelled.SubmissionID); err != nil {
		t.Errorf("a dry run: %v", err)
	}
	y.run("submissions", false, 1)
	if _, err := y.store.Submission(t.Context(), cancelled.SubmissionID); !errors.Is(err, judge.ErrNotFound) {
		t.Errorf("the old one: %v", err)
	}
	if _, err := y.store.Submission(t.Context(), waiting.SubmissionID); err != nil {
		t.Errorf("what waits: %v", err)
	}
}

// TestSweepUploads removes what a killed API left of an upload.
func TestSweepUploads(t *testing.T) {
	y := newYard(t)
	base, stop := y.serve()
	defer stop()
	_, secret := y.token(judge.Token{Name: "a", Role: judge.RoleAdmin})
	y.call(secret, "POST", base+"/problems?name=sum&publish=now&reason=test", zipType, skeletonZip(t, "sum", nil), 201, nil)
	if left, _ := os.ReadDir(y.uploads()); len(left) > 0 {
		t.Errorf("an upload that ended left %v", left)
	}
	old := time.Now().Add(-2 * abandoned)
	for _, name := range []string{"upload-killed", "upload-young", "other"} {
		dir := filepath.Join(y.uploads(), name)
		write(t, filepath.Join(dir, "package.zip"), "PK")
		if name != "upload-young" {
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	half := filepath.Join(y.dir, "blobs/sha256/ab/fileblob123.tmp")
	write(t, half, "x")
	if err := os.Chtimes(half, old, old); err != nil {
		t.Fatal(err)
	}
	y.run("uploads", false, 2)
	for path, want := range map[string]bool{
		filepath.Join(y.uploads(), "upload-killed"): false, filepath.Join(y.uploads(), "upload-young"): true, filepath.Join(y.uploads(), "other"): true, half: false,
	} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", path, err == nil, want)
		}
	}
}
