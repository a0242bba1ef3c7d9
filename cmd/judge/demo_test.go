//go:build docker

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clone is as much of a clone as the demo needs, in a folder of its own.
type clone struct {
	t         *testing.T
	root      string
	data, url string
	env       []string
}

func newClone(t *testing.T) *clone {
	t.Helper()
	c := &clone{t: t, root: publicDir(t), data: publicDir(t)}
	address := freeAddress(t)
	c.url = "http://" + address
	c.env = append(os.Environ(), "JUDGE_DATA="+c.data, "JUDGE_LISTEN="+address, "JUDGE_CACHE_DIR="+publicDir(t))
	for to, from := range map[string]string{"images/_base": "../../images/_base", "testcases/samples/aplusb": filepath.Join(samples, "aplusb"), "bin": filepath.Dir(built(t))} {
		if err := os.CopyFS(filepath.Join(c.root, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { c.script("stop.sh") })
	return c
}

// script runs one of the scripts to its end.
func (c *clone) script(name string) ran { return c.call(filepath.Join("images/_base", name)) }

// call runs a program of the clone to its end, in the clone.
func (c *clone) call(name string, args ...string) ran {
	c.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(filepath.Join(c.root, name), args...)
	cmd.Dir = c.root
	cmd.Env, cmd.Stdout, cmd.Stderr = c.env, &out, &errs
	err := cmd.Run()
	if err != nil {
		c.t.Logf("%s: %v: %s%s", name, err, out.String(), errs.String())
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (c *clone) pid() int {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.data, "serve.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		c.t.Fatal(err)
	}
	return pid
}

func running(pid int) bool {
	state, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !bytes.Contains(state, []byte(") Z ")) // nobody may wait for it here
}

// TestDemo starts the demo, again, with another build, and stops it.
func TestDemo(t *testing.T) {
	c := newClone(t)
	first := c.script("demo.sh")
	if first.code != exitOK {
		t.Fatalf("exit code %d", first.code)
	}
	contains(t, "first demo", first.out, "aplusb               version 1, published", "wrong_answer/int32.c", "submissions, ", "as expected", c.url, "make stop")
	pid := c.pid()
	info, err := os.Stat(filepath.Join(c.root, demoEnv))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	demo, err := readDemo(filepath.Join(c.root, demoEnv))
	if err != nil || demo.URL != c.url || demo.Token == "" {
		t.Fatalf("%s: %+v, %v", demoEnv, demo, err)
	}

	second := c.script("demo.sh")
	contains(t, "second demo", second.out, "version 1, there already", demo.Token)
	contains(t, "second demo", second.err, "of this build runs already (process "+strconv.Itoa(pid)+")")

	// .demo.env is enough for client commands, as the data folder for the bench's.
	bench := c.call("bin/judge", "bench", "submit", "--data", c.data, "--runs", "2", "--json")
	if n := strings.Count(bench.out, "\n"); bench.code != exitOK || n != 3*len(benchKinds) {
		t.Errorf("bench: exit code %d, %d lines", bench.code, n)
	}
	contains(t, "bench", bench.out, `{"bench":"submit","case":"cpp-p50","value":0.`, `"want":[0,0.04]`, `"commit_p95_s":`, `"case":"python-fresh-rate"`)

	// Another build: the same program and a byte that no one reads.
	program := filepath.Join(c.root, "bin/judge")
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program+".new", append(data, 0), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(program+".new", program); err != nil {
		t.Fatal(err)
	}
	third := c.script("demo.sh")
	if third.code != exitOK || c.pid() == pid || running(pid) {
		t.Errorf("exit code %d, process %d then %d", third.code, pid, c.pid())
	}
	contains(t, "third demo", third.out, "version 1, there already", demo.Token)

	pid = c.pid()
	for range 2 {
		if got := c.script("stop.sh"); got.code != exitOK || running(pid) {
			t.Errorf("stop: exit code %d", got.code)
		}
	}
}

// TestStopOthers: a pid file may name a process of somebody else by now.
func TestStopOthers(t *testing.T) {
	c := newClone(t)
	other := exec.CommandContext(t.Context(), "sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Wait() })
	for _, text := range []string{strconv.Itoa(other.Process.Pid), "-1", "1; true", ""} {
		write(t, filepath.Join(c.data, "serve.pid"), text+"\n")
		if got := c.script("stop.sh"); got.code != exitOK || got.err != "" {
			t.Errorf("%q: exit code %d: %s", text, got.code, got.err)
		}
	}
	time.Sleep(100 * time.Millisecond) // a signal would have been taken by then
	if !running(other.Process.Pid) {
		t.Error("another process was ended")
	}
}

// TestDemoFails: who starts in vain is told where to look.
func TestDemoFails(t *testing.T) {
	c := newClone(t)
	write(t, filepath.Join(c.data, "postgres"), "this is no folder\n")
	got := c.script("demo.sh")
	if got.code != exitFailed {
		t.Errorf("exit code %d", got.code)
	}
	contains(t, "stderr", got.err, "judge serve has ended; its log is "+c.data+"/serve.log", "postgres")
}
