//go:build docker

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// deployment is a whole service in folders of its own: judge serve with its
// Postgres and its API, and maybe workers that are processes of their own.
type deployment struct {
	t             *testing.T
	program       string
	data, cache   string
	address       string
	client        *client
	token         string
	serve, worker *process
}

// deploy starts judge serve and makes a token of an admin.
func deploy(t *testing.T, flags ...string) *deployment {
	t.Helper()
	d := &deployment{t: t, program: built(t), data: publicDir(t), cache: publicDir(t), address: freeAddress(t)}
	d.startServe(flags...)
	d.token = d.makeToken("admin")
	base, err := url.Parse("http://" + d.address)
	if err != nil {
		t.Fatal(err)
	}
	d.client = newClient(base, d.token, func(string, ...any) {})
	return d
}

// publicDir is a folder that the API's user may enter.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "judge-test-") //nolint:usetesting // only root may enter what lies in those
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (d *deployment) startServe(flags ...string) {
	d.t.Helper()
	args := append([]string{"serve", "--data", d.data, "--cache-dir", d.cache, "--listen", d.address}, flags...)
	d.serve = d.start(args...)
	d.awaitAnswer(d.address)
}

// awaitAnswer waits until the API at an address says that it is ready.
func (d *deployment) awaitAnswer(address string) {
	d.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if out := runToEnd(d.t, "curl", "-sf", "--max-time", "2", "http://"+address+"/readyz"); out.code == 0 {
			return
		}
	}
	d.t.Fatalf("the service is not ready:\n%s", d.serve.log())
}

func (d *deployment) makeToken(role string) string {
	d.t.Helper()
	out := runToEnd(d.t, d.program, "token", "create", "--data", d.data, "--role", role, "--name", role, "--json")
	var made struct{ Secret string }
	if err := json.Unmarshal([]byte(out.out), &made); err != nil || made.Secret == "" {
		d.t.Fatalf("token create: %v: %s%s", err, out.out, out.err)
	}
	return made.Secret
}

// must runs a client command against the service.
func (d *deployment) must(args ...string) ran {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), d.program, args...)
	cmd.Env = append(cmd.Environ(), "JUDGE_URL=http://"+d.address, "JUDGE_TOKEN="+d.token)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		d.t.Fatalf("judge %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return ran{0, out.String(), errs.String()}
}

func (d *deployment) startWorker(flags ...string) {
	d.worker = d.start(append([]string{"worker", "--data", d.data, "--cache-dir", d.cache}, flags...)...)
}

// killWorker kills the worker and starts another, as systemd would.
func (d *deployment) killWorker() string {
	d.worker.kill()
	d.startWorker()
	return "killed the worker"
}

// process is a judge that runs beside the test, until the test ends.
type process struct {
	cmd   *exec.Cmd
	mu    sync.Mutex
	said  bytes.Buffer
	ended chan struct{}
}

func (d *deployment) start(args ...string) *process {
	d.t.Helper()
	p := &process{cmd: exec.Command(d.program, args...), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = p, p
	if err := p.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() { defer close(p.ended); _ = p.cmd.Wait() }()
	d.t.Cleanup(func() {
		p.end(d.t)
		if d.t.Failed() {
			d.t.Logf("judge %s said:\n%s", strings.Join(args, " "), p.log())
		}
	})
	return p
}

// Write takes what the process says.
func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(b)
}

func (p *process) log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.said.String()
	if cut := len(text) - 20_000; cut > 0 {
		text = fmt.Sprintf("(%d bytes more)…", cut) + text[cut:]
	}
	return text
}

// kill kills the process, not its children.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// end asks the process to end, and waits.
func (p *process) end(t *testing.T) {
	t.Helper()
	_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(2 * time.Minute):
		t.Errorf("%s does not end:\n%s", filepath.Base(p.cmd.Path), p.log())
		p.kill()
	}
}
