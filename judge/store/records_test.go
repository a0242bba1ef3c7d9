//go:build postgres

package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func TestTokens(t *testing.T) {
	ctx := t.Context()
	s := storetest.New(t)
	want := judge.Token{
		Name: "course", Role: judge.RoleInstructor, Scope: judge.Scope{Problems: []string{"a"}, Contests: []string{"c"}},
		ExpiresAt: time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond),
	}
	token, secret, err := s.CreateToken(ctx, want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, token, cmpopts.IgnoreFields(judge.Token{}, "ID", "CreatedAt")); diff != "" {
		t.Error(diff)
	}
	got, err := s.Authenticate(ctx, secret)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(token, got); diff != "" {
		t.Error(diff)
	}
	other, otherSecret, err := s.CreateToken(ctx, judge.Token{Name: "x", Role: judge.RoleViewer})
	if err != nil {
		t.Fatal(err)
	}
	mixed := secret[:strings.LastIndex(secret, "_")] + otherSecret[strings.LastIndex(otherSecret, "_"):]
	for _, bad := range []string{"", "judge_", "_", secret + "x", secret[:len(secret)-1], mixed, token.ID, "judge_" + token.ID + "_" + secret, "\x00_\x00"} {
		_, err := s.Authenticate(ctx, bad)
		wantErr(t, fmt.Sprintf("authenticate %q", bad), err, judge.ErrNotFound)
	}
	var kept int
	err = s.Pool().QueryRow(ctx, "SELECT count(*) FROM tokens t WHERE position($1 IN t::text) > 0", secret[strings.LastIndex(secret, "_")+1:]).Scan(&kept)
	if err != nil || kept != 0 {
		t.Errorf("the secret itself is kept: %d, %v", kept, err)
	}
	for range 2 {
		if err := s.RevokeToken(ctx, other.ID); err != nil {
			t.Fatal(err)
		}
	}
	_, err = s.Authenticate(ctx, otherSecret)
	wantErr(t, "revoked", err, judge.ErrNotFound)
	exec(t, s, "UPDATE tokens SET expires_at = now()")
	_, err = s.Authenticate(ctx, secret)
	wantErr(t, "expired", err, judge.ErrNotFound)
	all, err := s.Tokens(ctx)
	if err != nil || len(all) != 2 || all[1].RevokedAt.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	_, _, err = s.CreateToken(ctx, judge.Token{Name: "x", Role: "root"})
	wantErr(t, "unknown role", err, judge.ErrInvalid)
}

func TestIdempotency(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	var done atomic.Int32
	request := func(i int) error {
		return w.Tx(ctx, func(tx *store.Tx) error {
			a, err := tx.Claim(ctx, w.Token.ID, "key", []byte("hash"))
			if err != nil {
				return err
			}
			if a != nil {
				if a.Status != 201 || !strings.HasPrefix(string(a.Body), "answer") {
					return fmt.Errorf("%d was told %+v", i, a)
				}
				return nil
			}
			done.Add(1)
			time.Sleep(20 * time.Millisecond)
			return tx.Answer(ctx, w.Token.ID, "key", judge.Answer{Status: 201, Body: fmt.Appendf(nil, "answer %d", i)})
		})
	}
	for _, err := range together(6, request) {
		if err != nil {
			t.Error(err)
		}
	}
	if done.Load() != 1 {
		t.Errorf("done %d times", done.Load())
	}
	claim := func(token, key, hash string) (a *judge.Answer, err error) {
		err = w.Tx(ctx, func(tx *store.Tx) error {
			a, err = tx.Claim(ctx, token, key, []byte(hash))
			return err
		})
		return a, err
	}
	_, err := claim(w.Token.ID, "key", "other")
	wantErr(t, "another body", err, judge.ErrConflict)
	if a, err := claim(w.Token.ID, "other", "hash"); a != nil || err != nil {
		t.Errorf("another key: %v, %v", a, err)
	}
	other, _, err := w.CreateToken(ctx, judge.Token{Name: "o", Role: judge.RoleSubmitter})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := claim(other.ID, "key", "hash"); a != nil || err != nil {
		t.Errorf("another token: %v, %v", a, err)
	}
	if n, err := w.PruneKeys(ctx, time.Hour); n != 0 || err != nil {
		t.Error(n, err)
	}
	if n, err := w.PruneKeys(ctx, 0); n != 3 || err != nil {
		t.Error(n, err)
	}
}

func TestSubmissions(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 1)
	var all []string
	for i := range 23 {
		j := w.Submit(t, []string{"ada", "bob"}[i%2], judge.PriorityContest)
		all = append([]string{j.SubmissionID}, all...)
	}
	ids := func(limit int) (out []string) {
		for _, l := range walk(t, w.Store, judge.SubmissionFilter{}, limit) {
			out = append(out, l.Submission.ID)
		}
		return out
	}
	for _, limit := range []int{1, 5, 23, 100} {
		if diff := cmp.Diff(all, ids(limit)); diff != "" {
			t.Errorf("pages of %d: %s", limit, diff)
		}
	}
	task := take(t, w.Store, id)
	finish(t, w.Store, task.Lease, judge.WA)
	if err := setReview(t, w.Store, task.JudgementID, judge.Review{Verdict: judge.AC}); err != nil {
		t.Fatal(err)
	}
	sub, err := w.Store.Submission(ctx, all[11])
	if err != nil {
		t.Fatal(err)
	}
	// One judged again: its newest judgement counts.
	in(t, w.Store, func(tx *store.Tx) error {
		if err := tx.Cancel(ctx, newestOf(t, w.Store, all[0]).ID); err != nil {
			return err
		}
		_, err := tx.CreateJudgement(ctx, all[0], w.Version.ID, judge.PriorityRejudge)
		return err
	})
	for name, tt := range map[string]struct {
		f    judge.SubmissionFilter
		want int
	}{
		"person":        {judge.SubmissionFilter{TokenID: w.Token.ID, SubmitterID: "bob"}, 11},
		"team":          {judge.SubmissionFilter{Team: "T"}, 23},
		"no such team":  {judge.SubmissionFilter{Team: "U"}, 0},
		"problem":       {judge.SubmissionFilter{Problems: []string{"aplusb"}}, 23},
		"language":      {judge.SubmissionFilter{Language: "cpp"}, 0},
		"reviewed":      {judge.SubmissionFilter{Verdict: judge.AC}, 1},
		"overridden":    {judge.SubmissionFilter{Verdict: judge.WA}, 0},
		"queued":        {judge.SubmissionFilter{State: judge.Queued}, 22},
		"cancelled":     {judge.SubmissionFilter{State: judge.Cancelled}, 0},
		"since":         {judge.SubmissionFilter{Since: sub.CreatedAt}, 12},
		"until":         {judge.SubmissionFilter{Until: sub.CreatedAt}, 11},
		"since and bob": {judge.SubmissionFilter{Since: sub.CreatedAt, SubmitterID: "bob"}, 6},
	} {
		if got := len(walk(t, w.Store, tt.f, 7)); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func newestOf(t *testing.T, s *store.Store, submission string) judge.Judgement {
	t.Helper()
	all, err := s.Judgements(t.Context(), submission)
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	return all[0]
}

func TestPlace(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	id := worker(t, w.Store, 2)
	first := w.Submit(t, "ada", judge.PriorityContest)
	l := take(t, w.Store, id).Lease
	exec(t, w.Store, "UPDATE judgements SET started_at = started_at - interval '10 seconds'")
	finish(t, w.Store, l, judge.AC)
	for range 20 {
		w.Submit(t, "flood", judge.PriorityPractice)
	}
	w.Submit(t, "ada", judge.PriorityPractice)
	second := w.Submit(t, "ada", judge.PriorityPractice)
	w.Submit(t, "bob", judge.PriorityPractice)
	w.Submit(t, "bob", judge.PriorityContest)
	w.Submit(t, "bob", judge.PriorityRejudge)
	// One of a lower class, one of her own, two of the flood, one of bob's.
	p, err := w.Place(ctx, second.ID)
	if err != nil || p.Ahead != 5 {
		t.Errorf("%+v, %v, want 5 ahead", p, err)
	}
	if p.Wait < 24*time.Second || p.Wait > time.Minute {
		t.Errorf("wait %v, want about 25 s: five of ten seconds on two slots", p.Wait)
	}
	_, err = w.Place(ctx, first.ID)
	wantErr(t, "place of what is judged", err, judge.ErrConflict)
}

func TestProblems(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	sum := func(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:]) }
	version := func(v judge.ProblemVersion) (out judge.ProblemVersion, err error) {
		err = w.Tx(ctx, func(tx *store.Tx) error { out, err = tx.CreateVersion(ctx, v); return err })
		return out, err
	}
	state := func(id string, s judge.VersionState) error {
		return w.Tx(ctx, func(tx *store.Tx) error { return tx.SetVersionState(ctx, id, s) })
	}
	_, err := version(judge.ProblemVersion{Problem: "p", Manifest: []byte("{}"), Blobs: []string{sum("a")}})
	wantErr(t, "unknown blob", err, judge.ErrNotFound)
	_, err = w.Problem(ctx, "p")
	wantErr(t, "problem of a version that failed", err, judge.ErrNotFound)
	for _, s := range []string{"a", "b", "c"} {
		if isNew, err := w.PutBlob(ctx, judge.StoredBlob{SHA256: sum(s), Size: 10, StoredSize: 5}); !isNew || err != nil {
			t.Fatal(isNew, err)
		}
	}
	if isNew, err := w.PutBlob(ctx, judge.StoredBlob{SHA256: sum("a"), Size: 10, StoredSize: 5}); isNew || err != nil {
		t.Fatal(isNew, err)
	}
	settings := judge.Settings{CPU: 1500 * time.Millisecond, Languages: []string{"cpp"}, Feedback: judge.FeedbackFull}
	v1, err := version(judge.ProblemVersion{
		Problem: "p", Digest: "d", Manifest: []byte(`{"a": [1, "č"]}`), Settings: settings, CreatedBy: w.Token.ID,
		Blobs: []string{sum("a"), sum("b")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if v1.Number != 1 || v1.State != judge.Draft || len(v1.Blobs) != 2 || v1.CreatedBy != w.Token.ID || string(v1.Manifest) != `{"a": [1, "č"]}` {
		t.Errorf("%+v", v1)
	}
	v2, err := version(judge.ProblemVersion{Problem: "p", Digest: "e", Manifest: []byte("{}"), Blobs: []string{sum("b")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(settings, v2.Settings); diff != "" || v2.Number != 2 {
		t.Errorf("settings taken over: %s; number %d", diff, v2.Number)
	}
	_, err = w.PublishedVersion(ctx, "p")
	wantErr(t, "published version of none", err, judge.ErrNotFound)
	for _, id := range []string{v1.ID, v2.ID} {
		if err := state(id, judge.Verifying); err != nil {
			t.Fatal(err)
		}
		if err := state(id, judge.Published); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := w.PublishedVersion(ctx, "p"); err != nil || v.ID != v2.ID {
		t.Errorf("published %s, %v", v.ID, err)
	}
	wantErr(t, "from retired to draft", state(v1.ID, judge.Draft), judge.ErrConflict)
	all, err := w.Versions(ctx, "p")
	if err != nil || len(all) != 2 || all[0].ID != v2.ID || all[1].State != judge.Retired {
		t.Errorf("%+v, %v", all, err)
	}
	if err := w.EnableProblem(ctx, "p", false); err != nil {
		t.Fatal(err)
	}
	if p, err := w.Problem(ctx, "p"); err != nil || p.Enabled || p.Published != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	if list, err := w.Problems(ctx, "aplusb", 10); err != nil || len(list) != 1 || list[0].Name != "p" {
		t.Errorf("%+v, %v", list, err)
	}
	if err := w.SetSettings(ctx, v2.ID, judge.Settings{}); err != nil {
		t.Fatal(err)
	}
	if v, err := w.ProblemVersion(ctx, v2.ID); err != nil || v.Settings.CPU != 0 || v.Settings.Feedback != judge.FeedbackCases {
		t.Errorf("%+v, %v", v.Settings, err)
	}

	unused, err := w.UnusedBlobs(ctx, 0, 10)
	if err != nil || len(unused) != 1 || unused[0] != sum("c") {
		t.Errorf("unused %v, %v", unused, err)
	}
	drop := func(s string, unusedFor time.Duration) error {
		return w.Tx(ctx, func(tx *store.Tx) error { return tx.DeleteBlob(ctx, sum(s), unusedFor) })
	}
	wantErr(t, "delete what is used", drop("a", 0), judge.ErrConflict)
	wantErr(t, "delete what an upload counts on", drop("c", time.Hour), judge.ErrConflict)
	if err := drop("c", 0); err != nil {
		t.Error(err)
	}
	_, err = w.Blob(ctx, sum("c"))
	wantErr(t, "read what is deleted", err, judge.ErrNotFound)
	if b, err := w.Blob(ctx, sum("a")); err != nil || b.Size != 10 || b.StoredSize != 5 {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestPublishAtOnce: of versions that are published at the same time one is.
func TestPublishAtOnce(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	for _, err := range together(6, func(int) error {
		return w.Tx(ctx, func(tx *store.Tx) error {
			v, err := tx.CreateVersion(ctx, judge.ProblemVersion{Problem: "race", Manifest: []byte("{}")})
			if err != nil {
				return err
			}
			return tx.SetVersionState(ctx, v.ID, judge.Published)
		})
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	all, err := w.Versions(ctx, "race")
	if err != nil {
		t.Fatal(err)
	}
	published := 0
	for i, v := range all {
		if v.Number != len(all)-i {
			t.Errorf("number %d at place %d", v.Number, i)
		}
		if v.State == judge.Published {
			published++
		}
	}
	if published != 1 || len(all) != 6 {
		t.Errorf("%d of %d versions are published", published, len(all))
	}
}

func TestAudit(t *testing.T) {
	ctx := t.Context()
	w := storetest.NewWorld(t)
	want := judge.AuditEntry{TokenID: w.Token.ID, Action: "judgement.override", Object: "judgement x", Reason: "why", Detail: []byte(`{"to": "AC"}`)}
	if err := w.Audit(ctx, want); err != nil {
		t.Fatal(err)
	}
	if err := w.Audit(ctx, judge.AuditEntry{Action: "jobs.run", Object: "sweep"}); err != nil {
		t.Fatal(err)
	}
	got, err := w.AuditLog(ctx, "judgement x", 10)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff(want, got[0], cmpopts.IgnoreFields(judge.AuditEntry{}, "At")); diff != "" || got[0].At.IsZero() {
		t.Error(diff, got[0].At)
	}
	if all, err := w.AuditLog(ctx, "", 10); err != nil || len(all) != 2 || all[0].Action != "jobs.run" {
		t.Errorf("%+v, %v", all, err)
	}
}
