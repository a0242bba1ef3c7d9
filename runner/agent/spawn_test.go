package agent_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"judge/runner/agent"
)

// strayFD is a descriptor that the parent leaves open and inheritable.
const strayFD = 200

// bareReport is what a spawned program sees of itself.
type bareReport struct {
	Args       []string
	Env        []string
	Folder     string
	Stdin      string
	Stray      string // of using strayFD
	Blocked    string // signal mask
	Umask      int
	OwnSession bool
}

// TestBareChild is not a test but the program that TestBare starts: this binary
// anew, with arguments after its flags.
func TestBareChild(t *testing.T) {
	if flag.NArg() == 0 {
		return
	}
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		t.Fatal(err)
	}
	r := bareReport{Args: flag.Args(), Env: os.Environ(), Stdin: string(in)}
	r.Folder, _ = os.Getwd()
	if _, err := unix.FcntlInt(strayFD, unix.F_GETFD, 0); err != nil {
		r.Stray = err.Error()
	}
	status, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "SigBlk:\t")
	r.Blocked, _, _ = strings.Cut(after, "\n")
	r.Umask = unix.Umask(0)
	sid, _ := unix.Getsid(0)
	r.OwnSession = sid == os.Getpid()
	if err := json.NewEncoder(os.Stdout).Encode(&r); err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stderr.WriteString("to stderr")
	if flag.Arg(0) == "die" {
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	}
	code, _ := strconv.Atoi(flag.Arg(0))
	os.Exit(code)
}

// bareRun starts a program with files as its streams and waits for it.
func bareRun(t *testing.T, stdin string, args ...string) (status unix.WaitStatus, stdout, stderr string, err error) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	write(t, in, stdin, 0o600)
	var files [3]*os.File
	for i, name := range []string{in, filepath.Join(dir, "out"), filepath.Join(dir, "err")} {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		files[i] = f
	}
	onOwnThread(t, false, func() {
		bare := agent.NewBare(dir, args...)
		var pid int
		if pid, err = bare.Start([3]int{int(files[0].Fd()), int(files[1].Fd()), int(files[2].Fd())}); err == nil {
			status, _, err = bare.Wait(pid)
		}
	})
	out, err1 := os.ReadFile(files[1].Name())
	errs, err2 := os.ReadFile(files[2].Name())
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return status, string(out), string(errs), err
}

// TestBare starts this binary: by the same table of system calls as in a box.
func TestBare(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stray, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stray.Close() }()
	if err := unix.Dup3(int(stray.Fd()), strayFD, 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(strayFD) }()
	for _, c := range []struct {
		word   string
		exit   int
		signal unix.Signal
	}{{"0", 0, 0}, {"7", 7, 0}, {"255", 255, 0}, {"die", -1, unix.SIGKILL}} {
		t.Run(c.word, func(t *testing.T) {
			status, stdout, stderr, err := bareRun(t, "the input", self, "-test.run=^TestBareChild$", c.word, "two words", "")
			if err != nil {
				t.Fatal(err)
			}
			if status.ExitStatus() != c.exit || (status.Signaled() && status.Signal() != c.signal) || status.Signaled() != (c.signal != 0) {
				t.Errorf("wait status %#x, want exit code %d, signal %d", uint32(status), c.exit, c.signal)
			}
			var got bareReport
			if err := json.Unmarshal([]byte(stdout), &got); err != nil {
				t.Fatalf("%q, %q: %v", stdout, stderr, err)
			}
			folder := got.Folder
			want := bareReport{
				Args: []string{c.word, "two words", ""}, Env: []string{}, Folder: folder, Stdin: "the input",
				Stray: unix.EBADF.Error(), Blocked: "0000000000000000", Umask: 0o022, OwnSession: true,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the program sees (-want +got):\n%s", diff)
			}
			if !strings.Contains(folder, "TestBare") || stderr != "to stderr" {
				t.Errorf("folder %q, stderr %q", folder, stderr)
			}
		})
	}
}

// TestBareSignals: the agent's threads have all signals blocked, a program none.
func TestBareSignals(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	onOwnThread(t, false, func() {
		var all unix.Sigset_t
		for i := range all.Val {
			all.Val[i] = ^uint64(0)
		}
		if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, nil); err != nil {
			t.Error(err)
			return
		}
		bare := agent.NewBare(dir, self, "-test.run=^TestBareChild$", "0")
		pid, err := bare.Start([3]int{int(null.Fd()), int(out.Fd()), int(null.Fd())})
		if err != nil {
			t.Error(err)
			return
		}
		if status, _, err := bare.Wait(pid); err != nil || status != 0 {
			t.Errorf("wait status %#x (%v)", uint32(status), err)
		}
	})
	var got bareReport
	text, err := os.ReadFile(out.Name())
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || got.Blocked != "0000000000000000" {
		t.Errorf("%q: blocked %s (%v)", text, got.Blocked, err)
	}
}

// TestBareRefused: what execve refuses is told from what fails before it, and
// leaves no child and no descriptor.
func TestBareRefused(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"plain": 0o644, "nonsense": 0o755} {
		write(t, filepath.Join(dir, name), "\x01\x02\x03\x04", mode)
	}
	before := descriptors(t)
	for _, c := range []struct {
		path string
		want error
	}{
		{"missing", unix.ENOENT},
		{"plain", unix.EACCES},
		{"nonsense", unix.ENOEXEC},
		{"plain/below", unix.ENOTDIR},
		{"", unix.EACCES},
	} {
		_, _, _, err := bareRun(t, "", dir+"/"+c.path)
		if !errors.Is(err, c.want) {
			t.Errorf("execve of %q: %v, want %v", c.path, err, c.want)
		}
	}
	onOwnThread(t, false, func() {
		if _, err := agent.NewBare(dir, dir+"/plain").Start([3]int{-1, -1, -1}); !errors.Is(err, unix.EBADF) {
			t.Errorf("start without descriptors: %v, want EBADF", err)
		}
		if _, err := agent.NewBare(dir+"/nowhere", "/").Start([3]int{}); !errors.Is(err, unix.ENOENT) {
			t.Errorf("start in a missing folder: %v, want ENOENT", err)
		}
	})
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors are open, %d were before", after, before)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	runtime.GC() // files of earlier tests that nobody closed
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
