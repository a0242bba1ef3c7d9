//go:build docker

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// apiProcess is the API of a service: its number, and what /proc says of it.
func (d *deployment) apiProcess() (pid int, status map[string]string, env map[string]string) {
	d.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, dir := range globbed("/proc/[0-9]*") {
			args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			words := strings.Split(string(args), "\x00")
			if len(words) < 2 || words[0] != d.program || words[1] != "api" {
				continue
			}
			pid, _ = strconv.Atoi(filepath.Base(dir))
			return pid, pairs(d.t, filepath.Join(dir, "status"), "\n", ":"), pairs(d.t, filepath.Join(dir, "environ"), "\x00", "=")
		}
	}
	d.t.Fatal("there is no API")
	return 0, nil, nil
}

func pairs(t *testing.T, path, end, between string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.SplitSeq(string(text), end) {
		name, value, _ := strings.Cut(line, between)
		out[name] = strings.TrimSpace(value)
	}
	return out
}

// TestAPIPrivileges has somebody in the API's place look for ways to more: he
// finds neither root, nor the engine, nor the files of the database, nor a way to
// run programs by it.
func TestAPIPrivileges(t *testing.T) {
	d := deploy(t, "--slots", "0")
	_, status, env := d.apiProcess()
	uids := strings.Fields(status["Uid"])
	if len(uids) != 4 || uids[0] == "0" || uids[0] != uids[1] || uids[0] != uids[2] || uids[0] != uids[3] {
		t.Errorf("Uid %v", uids)
	}
	for name, want := range map[string]string{
		"Groups": "", "NoNewPrivs": "1", "CapInh": "0000000000000000", "CapPrm": "0000000000000000", "CapEff": "0000000000000000", "CapAmb": "0000000000000000",
	} {
		if status[name] != want {
			t.Errorf("%s: %q, want %q", name, status[name], want)
		}
	}
	uid, err := strconv.Atoi(uids[0])
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.Atoi(strings.Fields(status["Gid"])[0])
	if err != nil || gid == 0 {
		t.Fatal(gid, err)
	}
	as := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		cmd.Dir = "/"
		return cmd.CombinedOutput()
	}
	closed := [][]string{
		{"curl", "-sS", "--unix-socket", "/var/run/docker.sock", "http://engine/_ping"},
		{"cat", filepath.Join(d.data, "postgres/password")},
		{"ls", filepath.Join(d.data, "postgres/cluster")},
		{"cat", filepath.Join(d.data, "serve.lock")},
		{"touch", filepath.Join(d.data, "new")},
	}
	for _, args := range closed {
		if out, err := as(args...); err == nil {
			t.Errorf("%v: %s", args, out)
		}
		if out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%v fails for root too: %v %s", args, err, out)
		}
	}
	for _, dir := range []string{"blobs", "uploads"} {
		if out, err := as("touch", filepath.Join(d.data, dir, "x")); err != nil {
			t.Errorf("its own folder %s: %v %s", dir, err, out)
		}
	}
	conn, err := pgx.Connect(t.Context(), env["JUDGE_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	for _, statement := range []string{
		"COPY (SELECT 1) TO PROGRAM 'cat >/dev/null'",
		"SELECT pg_read_file('/etc/passwd')",
		"CREATE TABLE x (y integer)",
		"CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
		"ALTER TABLE tokens ADD COLUMN x integer",
		"TRUNCATE submissions CASCADE",
		"SET ROLE judge",
	} {
		if _, err := conn.Exec(t.Context(), statement); err == nil {
			t.Errorf("it may %s", statement)
		}
	}
	if _, err := conn.Exec(t.Context(), "SELECT count(*) FROM tokens"); err != nil {
		t.Errorf("it cannot do its work: %v", err)
	}
	password, err := os.ReadFile(filepath.Join(d.data, "postgres/password"))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range env {
		if strings.Contains(value, strings.TrimSpace(string(password))) {
			t.Errorf("%s has the superuser's password", name)
		}
	}
}

// TestAPIEnds kills the API, which comes back while callers wait, and then serve,
// which leaves no API behind.
func TestAPIEnds(t *testing.T) {
	d := deploy(t, "--slots", "0")
	first, _, _ := d.apiProcess()
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// The socket is serve's: this waits in its queue, and is not refused.
	if out := runToEnd(t, "curl", "-sf", "--max-time", "20", "http://"+d.address+"/healthz"); out.code != 0 {
		t.Errorf("curl: %d %s", out.code, out.err)
	}
	second, _, _ := d.apiProcess()
	if second == first {
		t.Errorf("process %d was killed", first)
	}
	d.serve.kill()
	for deadline := time.Now().Add(10 * time.Second); syscall.Kill(second, 0) == nil && !zombie(second); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the API outlives judge serve")
		}
	}
	d.startServe("--slots", "0")
}

func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}

// TestServeKilled kills all of the service at once while it judges, and starts it
// again: what was accepted is judged, and nothing of the old boxes is left.
func TestServeKilled(t *testing.T) {
	const submissions = 12
	d := deploy(t, "--slots", "1")
	d.must("problem", "import", "--now", "--reason", "test", filepath.Join(samples, "aplusb"))
	verdicts := map[string]string{}
	for i := range submissions {
		id, verdict, err := d.send(i)
		if err != nil {
			t.Fatal(err)
		}
		verdicts[id] = verdict
	}
	worker := ""
	for deadline := time.Now().Add(time.Minute); worker == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		worker = workerOf(d.serve.cmd.Process.Pid)
	}
	time.Sleep(time.Second)
	api, _, _ := d.apiProcess()
	postmaster, err := os.ReadFile(filepath.Join(d.data, "postgres/cluster/postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.SplitN(string(postmaster), "\n", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []int{d.serve.cmd.Process.Pid, api, pid} {
		_ = syscall.Kill(p, syscall.SIGKILL) // the API may be gone already
	}
	<-d.serve.ended
	before := leftOf(t, worker)
	if worker == "" || len(before) == 0 {
		t.Errorf("worker %q left nothing: this shows little", worker)
	}
	d.startServe("--slots", "1")
	for id, want := range verdicts {
		var s struct {
			Judgement struct {
				State, Verdict string
			}
		}
		for deadline := time.Now().Add(3 * time.Minute); s.Judgement.State != "judged"; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s is %s", id, s.Judgement.State)
			}
			if _, err := d.client.do(t.Context(), apiCall{method: http.MethodGet, path: "/submissions/" + id}, &s); err != nil {
				t.Fatal(err)
			}
		}
		if s.Judgement.Verdict != want {
			t.Errorf("%s: %s, want %s", id, s.Judgement.Verdict, want)
		}
	}
	d.serve.end(t)
	if left := leftOf(t, worker); len(left) > 0 {
		t.Errorf("left: %s", strings.Join(left, ", "))
	}
}
