//go:build postgres

package work_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"judge/judge"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/embedded"
	"judge/judge/store/storetest"
	"judge/judge/work"
)

// childURL names the database of a process that is a worker which never ends what
// it begins.
const childURL = "JUDGE_WORK_TEST_URL"

func child(url string) int {
	ctx := context.Background()
	s, err := store.Open(ctx, url)
	if err != nil {
		return 1
	}
	r, err := newRecords(s)
	if err != nil {
		return 1
	}
	w := work.New(config(r, 2, func(ctx context.Context, t judge.Task, _ func(work.Progress)) (judge.Judgement, error) {
		fmt.Println(t.JudgementID)
		<-ctx.Done()
		return judge.Judgement{}, ctx.Err()
	}))
	q, err := queue.New(queue.Config{Pool: s.Pool(), Work: w.Next, Slots: 2})
	if err != nil || w.Run(ctx, q) != nil {
		return 1
	}
	return 0
}

// TestKilled: what a killed worker had is judged by another, with nothing else
// running than that.
func TestKilled(t *testing.T) {
	url := storetest.URL(t, true)
	s := storetest.Open(t, url)
	r, err := newRecords(s)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{World: worldOn(t, s), records: r}
	ids := map[string]bool{w.submit(t, "ada", judge.PriorityContest).ID: true, w.submit(t, "bob", judge.PriorityContest).ID: true}

	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childURL+"="+url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range ids {
		if !lines.Scan() || !ids[lines.Text()] {
			t.Fatalf("the child took %q, %v", lines.Text(), lines.Err())
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	other := start(t, config(r, 1, accept))
	for id := range ids {
		if j := w.await(t, id); j.Verdict != judge.AC || j.Worker != other.id || j.Attempt != 2 {
			t.Errorf("%+v", j)
		}
	}
}

// worldOn makes what a submission refers to in a database.
func worldOn(t *testing.T, s *store.Store) *storetest.World {
	t.Helper()
	w := &storetest.World{Store: s}
	var err error
	if w.Token, _, err = s.CreateToken(t.Context(), judge.Token{Name: "platform", Role: judge.RoleSubmitter}); err != nil {
		t.Fatal(err)
	}
	err = s.Tx(t.Context(), func(tx *store.Tx) error {
		w.Version, err = tx.CreateVersion(t.Context(), judge.ProblemVersion{Problem: "aplusb", Digest: "d1", Manifest: []byte(`{}`), State: judge.Published})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestDatabaseKilled: Postgres is killed under judgements that run, end and wait.
// Each gets its verdict, and none is a failure of ours.
func TestDatabaseKilled(t *testing.T) {
	dir := publicDir(t)
	server, err := embedded.Start(t.Context(), embedded.Options{Dir: dir, Path: os.Getenv("PATH")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	s := storetest.Open(t, server.URL())
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := newRecords(s)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{World: worldOn(t, s), records: r}
	b := newBlocked()
	n := start(t, config(r, 2, b.judge))
	var ids []string
	for range 20 {
		ids = append(ids, w.submit(t, "ada", judge.PriorityContest).ID)
	}
	<-b.begun
	<-b.begun
	for range 2 {
		killPostgres(t, s, dir)
		b.let <- struct{}{} // ends while there is no database
		<-b.begun           // another was taken
	}
	close(b.let)
	for _, id := range ids {
		if j := w.await(t, id); j.Verdict != judge.AC || j.Worker != n.id {
			t.Errorf("%s by %q after %d attempts: %s", j.Verdict, j.Worker, j.Attempt, j.Message)
		}
	}
}

// publicDir is a folder that the server's user can pass through.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for d := dir; strings.HasPrefix(d, os.TempDir()) && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "postgres")
}

// killPostgres kills a server that answers. What its processes were doing may
// still be committed: they do not see its end at once.
func killPostgres(t *testing.T, s *store.Store, dir string) {
	t.Helper()
	eventually(t, "Postgres is killed", func() bool {
		if s.Pool().Ping(t.Context()) != nil {
			return false
		}
		b, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
		if err != nil {
			return false
		}
		line, _, _ := strings.Cut(string(b), "\n")
		pid, err := strconv.Atoi(line)
		return err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil
	})
}
