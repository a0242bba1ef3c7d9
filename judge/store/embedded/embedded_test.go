//go:build postgres

package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"judge/judge/store/embedded"
)

// ownerOf names the folder that a second process, this program again, is to
// start a server in, so that it can be killed.
const ownerOf = "EMBEDDED_TEST_OWNER_OF"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerOf); dir != "" {
		s, err := embedded.Start(context.Background(), options(dir))
		if err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		fmt.Println("ready", s.URL())
		select {}
	}
	os.Exit(m.Run())
}

func options(dir string) embedded.Options {
	return embedded.Options{Dir: dir, Path: os.Getenv("PATH")}
}

// folder is one that the server's user can reach.
func folder(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	if err := os.Chmod(filepath.Dir(base), 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "d")
}

func start(t *testing.T, opts embedded.Options) *embedded.Server {
	t.Helper()
	s, err := embedded.Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func query[T any](t *testing.T, url, sql string) T {
	t.Helper()
	var v T
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if err := conn.QueryRow(t.Context(), sql).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func write(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT 7 AS seven"); err != nil {
		t.Fatal(err)
	}
}

func kept(t *testing.T, url string) {
	t.Helper()
	if got := query[int](t, url, "SELECT seven FROM kept"); got != 7 {
		t.Errorf("kept %d, want 7", got)
	}
}

// postmaster is the number of the server's first process.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// alive is false for a process that has ended and that nobody waited for.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(b), ") Z ")
}

func TestStart(t *testing.T) {
	dir := folder(t)
	if err := os.MkdirAll(filepath.Join(dir, "cluster.new", "half"), 0o755); err != nil { // a killed initdb
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	s, err := embedded.Start(t.Context(), options(dir))
	if err != nil {
		t.Fatal(err)
	}
	pid := postmaster(t, dir)
	write(t, s.URL())
	if got := query[string](t, s.URL(), "SHOW listen_addresses"); got != "" {
		t.Errorf("listens on %q, want no TCP", got)
	}
	if os.Geteuid() == 0 {
		info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
		if err != nil {
			t.Fatal(err)
		}
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Uid == 0 {
			t.Error("the server runs as root")
		}
	}
	wrong := strings.Replace(s.URL(), "judge:", "judge:x", 1)
	if conn, err := pgx.Connect(t.Context(), wrong); err == nil {
		t.Error("a wrong password is good enough")
		_ = conn.Close(t.Context())
	}

	if second, err := embedded.Start(t.Context(), options(dir)); !errors.Is(err, embedded.ErrInUse) {
		t.Fatalf("second start: %v, %v, want ErrInUse", second, err)
	} else if !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("%q does not name process %d", err, os.Getpid())
	}
	kept(t, s.URL())

	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if alive(pid) {
		t.Error("the server runs on after Close")
	}
	kept(t, start(t, options(dir)).URL())
}

func TestServerKilled(t *testing.T) {
	dir := folder(t)
	s := start(t, options(dir))
	write(t, s.URL())
	for range 2 {
		pid := postmaster(t, dir)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		for range 600 {
			if conn, err := pgx.Connect(t.Context(), s.URL()); err == nil {
				_ = conn.Close(t.Context())
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		kept(t, s.URL())
		if now := postmaster(t, dir); now == pid {
			t.Errorf("postmaster.pid still names %d, which was killed", pid)
		}
	}
}

func TestOwnerKilled(t *testing.T) {
	for _, both := range []bool{false, true} {
		t.Run(fmt.Sprintf("both=%v", both), func(t *testing.T) {
			dir := folder(t)
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), ownerOf+"="+dir)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var word, url string
			if _, err := fmt.Fscan(out, &word, &url); err != nil || word != "ready" {
				t.Fatalf("%v: %s %s", err, word, url)
			}
			write(t, url)
			old := postmaster(t, dir)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			if !alive(old) {
				t.Fatal("the server ended with its owner; this test wants it left over")
			}
			if both {
				if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
			s := start(t, options(dir))
			kept(t, s.URL())
			if alive(old) {
				t.Errorf("process %d of the earlier server is still there", old)
			}
		})
	}
}

// TestNumberReused puts the number of a living process of the same user where
// an earlier server's was.
func TestNumberReused(t *testing.T) {
	dir := folder(t)
	s := start(t, options(dir))
	write(t, s.URL())
	pidFile := filepath.Join(dir, "cluster", "postmaster.pid")
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no owner")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(t.Context(), "sleep", "600")
	if os.Geteuid() == 0 {
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: st.Uid, Gid: st.Gid}}
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	_, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(pidFile, []byte(strconv.Itoa(other.Process.Pid)+"\n"+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(pidFile, int(st.Uid), int(st.Gid)); err != nil {
		t.Fatal(err)
	}
	kept(t, start(t, options(dir)).URL())
	if !alive(other.Process.Pid) {
		t.Error("a process that is no server was ended")
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, opts *embedded.Options)
		is     error
		want   []string
	}{
		{"no programs", func(t *testing.T, o *embedded.Options) { t.Helper(); o.Programs = t.TempDir() }, embedded.ErrPrograms, []string{"apt-get install postgresql"}},
		{"other major version", func(t *testing.T, o *embedded.Options) {
			t.Helper()
			if err := os.MkdirAll(filepath.Join(o.Dir, "cluster"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(o.Dir, "cluster", "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if os.Geteuid() == 0 {
				if err := os.Chown(filepath.Join(o.Dir, "cluster"), 65534, 65534); err != nil {
					t.Fatal(err)
				}
			}
		}, embedded.ErrPrograms, []string{"is of version 9", "judge backup"}},
		{"long path", func(_ *testing.T, o *embedded.Options) { o.Dir = filepath.Join(o.Dir, strings.Repeat("x", 100)) }, nil, []string{"choose a shorter data folder"}},
		{"lost password", func(t *testing.T, o *embedded.Options) {
			t.Helper()
			if err := start(t, *o).Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(o.Dir, "password")); err != nil {
				t.Fatal(err)
			}
		}, nil, []string{"password is lost"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := options(folder(t))
			tt.change(t, &opts)
			s, err := embedded.Start(t.Context(), opts)
			if err == nil {
				_ = s.Close()
				t.Fatal("it started")
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v, want %v", err, tt.is)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
		})
	}
}
