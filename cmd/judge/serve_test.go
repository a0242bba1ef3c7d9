package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/sys/unix"
)

// TestChildEnv has the API be given what serve was given, wherever from, and none
// of what is not for it.
func TestChildEnv(t *testing.T) {
	t.Setenv("JUDGE_PERSON_PER_MINUTE", "7")
	t.Setenv("SECRET_OF_ROOT", "x")
	t.Setenv("AWS_REGION", "here")
	config := filepath.Join(t.TempDir(), "judge.yaml")
	write(t, config, "waiters: 9\ntrusted_proxies: [10.0.0.0/8, 192.168.0.1]\napi_database_url: postgres://root@db/judge\n")
	var c cli
	file := &configFile{path: config}
	parser, err := kong.New(&c, grammar(file)...)
	if err == nil {
		err = file.read(parser.Model)
	}
	if err != nil {
		t.Fatal(err)
	}
	k, err := parser.Parse([]string{"serve", "--data", "/d", "--keep-events", "90m", "--job-every", "keys=1h", "--job-every", "blobs=off", "--database-url", "postgres://root@db/judge"})
	if err != nil {
		t.Fatal(err)
	}
	env, err := childEnv(k, "api", map[string]string{"database-url": "postgres://api@db/judge"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"JUDGE_CONFIG=/dev/null", "JUDGE_DATA=/d", "JUDGE_DATABASE_URL=postgres://api@db/judge", "JUDGE_PERSON_PER_MINUTE=7", "JUDGE_WAITERS=9",
		"JUDGE_TRUSTED_PROXIES=10.0.0.0/8,192.168.0.1", "JUDGE_KEEP_EVENTS=1h30m0s", "JUDGE_JOB_EVERY=blobs=off;keys=1h", "AWS_REGION=here",
	} {
		if !slices.Contains(env, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if all := strings.Join(env, "\n"); strings.Contains(all, "SECRET_OF_ROOT") || strings.Contains(all, "root@") {
		t.Errorf("has what is not for it:\n%s", all)
	}
	// What was written is read back as it was.
	var child cli
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	parser, err = kong.New(&child, grammar(&configFile{})...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"api"}); err != nil {
		t.Fatal(err)
	}
	if got := child.API; time.Duration(got.KeepEvents) != 90*time.Minute || got.PersonPerMinute != 7 || got.Waiters != 9 ||
		len(got.TrustedProxies) != 2 || got.JobEvery["keys"] != "1h" || got.JobEvery["blobs"] != "off" || child.Data != "/d" {
		t.Errorf("%+v", got)
	}
}

func TestServeBadInput(t *testing.T) {
	used := t.TempDir()
	lock, err := (&app{globals: globals{Data: used}}).lockData()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"in use", []string{"--data", used, "--slots", "0"}, "another judge serve runs on " + used},
		{"slots", []string{"--slots", "100000"}, "a slot is a core"},
		{"proxies", []string{"--slots", "0", "--trusted-proxies", "x"}, "--trusted-proxies"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, tt.args...)
			got := judgeIn(t, "", "", args...)
			if got.code != exitInput {
				t.Errorf("exit code %d", got.code)
			}
			contains(t, "stderr", got.err, tt.want)
		})
	}
}

func TestAccount(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "socket")
	write(t, path, "")
	st := unix.Stat_t{}
	if err := unix.Stat(path, &st); err != nil {
		t.Fatal(err)
	}
	owner := account{uid: st.Uid, gid: st.Gid + 1}
	group := account{uid: st.Uid + 1, gid: st.Gid}
	other := account{uid: st.Uid + 1, gid: st.Gid + 1}
	for _, tt := range []struct {
		mode fs.FileMode
		as   account
		may  bool
	}{
		{0o660, owner, true},
		{0o660, group, true},
		{0o660, other, false},
		{0o666, other, true},
		{0o606, group, false},
		{0o066, owner, false},
	} {
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := tt.as.may(info, 2); got != tt.may {
			t.Errorf("mode %o, account %+v: may write %v", tt.mode, tt.as, got)
		}
		tt.as.switched = true
		if err := tt.as.harmless(path, filepath.Join(dir, "none")); (err != nil) != tt.may || (err != nil && !isBadInput(err)) {
			t.Errorf("mode %o, account %+v: harmless? %v", tt.mode, tt.as, err)
		}
	}
	if err := owner.harmless("", path); err != nil {
		t.Errorf("who is not switched to is what we are: %v", err)
	}
	owner.switched = true
	if err := owner.harmless("", path); err == nil || !strings.Contains(err.Error(), "Postgres runs as this user") {
		t.Errorf("the owner of the cluster: %v", err)
	}
}

func TestReach(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "closed", "data")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for up := base; up != "/tmp" && up != "/"; up = filepath.Dir(up) {
		_ = os.Chmod(up, 0o755) // what is ours of it
	}
	u := account{name: "u", uid: 54321, gid: 54321}
	if err := u.reach(dir); err != nil {
		t.Errorf("an open way: %v", err)
	}
	if err := os.Chmod(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	err := u.reach(dir)
	if err == nil || !isBadInput(err) || !strings.Contains(err.Error(), "chmod o+x "+filepath.Dir(dir)) {
		t.Errorf("a closed way: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	err := writeFile(path, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, fs.ErrInvalid)
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
