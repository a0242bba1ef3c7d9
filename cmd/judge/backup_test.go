//go:build postgres

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"judge/judge"
)

// TestBackup backs a service up while it runs, restores it elsewhere, and
// compares.
func TestBackup(t *testing.T) {
	s := newHTTPSite(t)
	base, stop := s.serve()
	_, secret := s.token(judge.Token{Name: "ops", Role: judge.RoleAdmin})
	s.call(secret, http.MethodPost, base+"/problems?name=sum&publish=now&reason=test", zipType, skeletonZip(t, "sum", nil), 201, nil)
	for _, code := range []string{"print(1)", "# \t\\ Ω\nprint(2)"} {
		body, err := json.Marshal(map[string]any{"problem": "sum", "files": []any{map[string]string{"name": "a.py", "data": code}}})
		if err != nil {
			t.Fatal(err)
		}
		s.call(secret, http.MethodPost, base+"/submissions", "application/json", bytes.NewReader(body), 201, nil)
	}
	file := filepath.Join(t.TempDir(), "b.judge")
	command := func(want int, args ...string) ran {
		t.Helper()
		got := judgeIn(t, "", "", args...)
		if got.code != want {
			t.Fatalf("judge %s: exit code %d, want %d: %s%s", strings.Join(args, " "), got.code, want, got.out, got.err)
		}
		return got
	}
	contains(t, "report", command(exitOK, "backup", "--data", s.dir, file).out, "2 submissions, 2 judgements, 1 problem versions")
	contains(t, "again", command(exitInput, "backup", "--data", s.dir, file).err, "name a new file")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	contains(t, "into what runs", command(exitInput, "restore", "--data", s.dir, "--force", file).err, "data folder is in use")

	into := filepath.Join(s.dir, "into")
	damaged := filepath.Join(t.TempDir(), "damaged")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		changed := bytes.Clone(whole)
		changed[(i*2+1)*len(whole)/16] ^= 0x10
		write(t, damaged, string(changed))
		contains(t, "damaged", command(exitInput, "restore", "--data", into, damaged).err, "nothing was changed")
		write(t, damaged, string(whole[:i*len(whole)/8]))
		contains(t, "cut off", command(exitInput, "restore", "--data", into, damaged).err, "nothing was changed")
	}
	if _, err := os.Stat(into); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a damaged file made %s", into)
	}
	command(exitOK, "restore", "--data", into, file)
	contains(t, "again", command(exitInput, "restore", "--data", into, file).err, "--force")
	command(exitOK, "restore", "--data", into, "--force", file)
	contains(t, "jobs", command(exitOK, "jobs", "run", "queue", "--data", into).out, "queue: 2 done")

	// Another API answers the same about it.
	list := s.call(secret, http.MethodGet, base+"/submissions", "", nil, 200, nil)
	problem := s.call(secret, http.MethodGet, base+"/problems/sum", "", nil, 200, nil)
	stop()
	a := &app{streams: streams{err: os.Stderr}, globals: globals{Data: into}, ctx: t.Context()}
	db, err := a.openDatabase("")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	other := &httpSite{t: t, url: db.url, dir: into, store: db.Store}
	base, stop = other.serve()
	defer stop()
	if got := other.call(secret, http.MethodGet, base+"/submissions", "", nil, 200, nil); !bytes.Equal(withoutPlaces(t, got), withoutPlaces(t, list)) {
		t.Errorf("submissions\n%s, want\n%s", got, list)
	}
	if got := other.call(secret, http.MethodGet, base+"/problems/sum", "", nil, 200, nil); !bytes.Equal(got, problem) {
		t.Errorf("problem\n%s, want\n%s", got, problem)
	}
	if got := other.call(secret, http.MethodGet, base+"/problems/sum/samples/1/input", "", nil, 200, nil); len(got) == 0 {
		t.Error("the sample is empty")
	}
}

// withoutPlaces leaves out how long something waits, which is an estimate.
func withoutPlaces(t *testing.T, list []byte) []byte {
	t.Helper()
	var page struct{ Items []map[string]any }
	if err := json.Unmarshal(list, &page); err != nil {
		t.Fatal(err)
	}
	for _, item := range page.Items {
		delete(item, "place")
	}
	out, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTokenCommands makes, lists and revokes a token beside a running server.
func TestTokenCommands(t *testing.T) {
	s := newHTTPSite(t)
	command := func(want int, args ...string) ran {
		t.Helper()
		got := judgeIn(t, "", "", append([]string{"token"}, append(args, "--data", s.dir)...)...)
		if got.code != want {
			t.Fatalf("judge token %s: exit code %d, want %d: %s%s", strings.Join(args, " "), got.code, want, got.out, got.err)
		}
		return got
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"create", "--role", "king", "--name", "x"}, "--role must be one of"},
		{[]string{"create", "--role", "admin", "--name", " "}, "--name"},
		{[]string{"create", "--role", "admin", "--name", "a\x1b[31m"}, "printable"},
		{[]string{"create", "--role", "admin", "--name", "x", "--scope-problem", "p"}, "an admin may do all"},
		{[]string{"create", "--role", "viewer", "--name", "x", "--scope-problem", "P!"}, `--scope-problem "P!"`},
		{[]string{"create", "--role", "viewer", "--name", "x", "--expires", "soon"}, "30d"},
		{[]string{"create", "--role", "viewer", "--name", "x", "--expires", "2001-01-01"}, "not after now"},
		{[]string{"revoke", "nobody"}, "judge token list"},
		{[]string{"revoke", "30c132d2-c68b-431b-8a1c-c3c358bb11db"}, "there is no token"},
	} {
		contains(t, strings.Join(tt.args, " "), command(exitInput, tt.args...).err, tt.want)
	}
	plain := command(exitOK, "create", "--role", "instructor", "--name", "Ada", "--scope-problem", "sum", "--scope-problem", "fence", "--expires", "30d")
	secret := strings.TrimSpace(plain.out)
	token, err := s.store.Authenticate(t.Context(), secret)
	if err != nil || token.Role != judge.RoleInstructor || len(token.Scope.Problems) != 2 || token.ExpiresAt.IsZero() {
		t.Fatalf("%+v %v", token, err)
	}
	var made struct{ ID, Secret string }
	if err := json.Unmarshal([]byte(command(exitOK, "create", "--role", "viewer", "--name", "v", "--json").out), &made); err != nil || made.Secret == "" {
		t.Fatalf("%+v %v", made, err)
	}
	listed := command(exitOK, "list").out + command(exitOK, "list", "--json").out
	contains(t, "list", listed, "Ada", "sum fence", made.ID, "until ")
	if strings.Contains(listed, made.Secret[len(made.Secret)-20:]) {
		t.Error("the list shows a secret")
	}
	command(exitOK, "revoke", made.ID, "--reason", "lost")
	if _, err := s.store.Authenticate(t.Context(), made.Secret); !errors.Is(err, judge.ErrNotFound) {
		t.Errorf("a revoked token: %v", err)
	}
	contains(t, "list", command(exitOK, "list").out, "no: revoked")
	log, err := s.store.AuditLog(t.Context(), made.ID, 10)
	if err != nil || len(log) != 2 || log[0].Action != "token.revoke" || log[0].Reason != "lost" {
		t.Errorf("%+v %v", log, err)
	}
}

// TestMigrateCommand migrates a database that is named, once.
func TestMigrateCommand(t *testing.T) {
	dir := newHTTPSite(t).dir
	data := filepath.Join(dir, "other")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--check"}, exitFailed, "run judge migrate"},
		{nil, exitOK, "was 0"},
		{nil, exitOK, "nothing to do"},
		{[]string{"--check"}, exitOK, "as this build wants it"},
	} {
		got := judgeIn(t, "", "", append([]string{"migrate", "--data", data}, tt.args...)...)
		if got.code != tt.code {
			t.Fatalf("exit code %d: %s", got.code, got.err)
		}
		contains(t, "migrate", got.out+got.err, tt.want)
	}
}
