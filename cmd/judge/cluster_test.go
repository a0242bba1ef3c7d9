//go:build docker

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"judge/judge/store/embedded"
	"judge/judge/wire"
)

// cluster is three workers of one slot each and two APIs on one Postgres.
type cluster struct {
	*deployment

	database, blobs string
	second          *client // of the second API
	workers         []*process
}

const (
	clusterWorkers = 3
	equalSize      = 300
	floodSize      = 5000
	batchSize      = 100
)

// unlimited is for who floods on purpose.
var unlimited = []string{"--submissions-per-minute", "1000000", "--person-per-minute", "1000000"}

func deployCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{deployment: deploy(t, append([]string{"--slots", "0"}, unlimited...)...)}
	c.must("problem", "import", "--now", "--reason", "test", filepath.Join(samples, "aplusb"))
	var err error
	if c.database, err = embedded.URL(filepath.Join(c.data, "postgres")); err != nil {
		t.Fatal(err)
	}
	c.blobs = "file://" + filepath.Join(c.data, "blobs")
	address := freeAddress(t)
	c.start(append([]string{"api", "--data", publicDir(t), "--database-url", c.database, "--blobs", c.blobs, "--listen", address}, unlimited...)...)
	c.awaitAnswer(address)
	base, err := url.Parse("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	c.second = newClient(base, c.token, func(string, ...any) {})
	for range clusterWorkers {
		c.workers = append(c.workers, c.start("worker", "--data", publicDir(t), "--cache-dir", c.cache,
			"--database-url", c.database, "--blobs", c.blobs, "--slots", "1"))
	}
	for deadline := time.Now().Add(time.Minute); len(c.listWorkers()) < clusterWorkers; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("workers are %v", c.listWorkers())
		}
	}
	return c
}

// TestCluster shares equal submissions out, drains a worker in the middle, and
// lets one token flood the queue while another person hands one in.
func TestCluster(t *testing.T) {
	c := deployCluster(t)
	t.Run("shares", c.testShares)
	t.Run("drain", c.testDrain)
	t.Run("flood", c.testFlood)
}

func (c *cluster) testShares(t *testing.T) {
	made := c.judgeEqual(t, "shares", func(int) {})
	for worker, n := range made {
		if n*5 < equalSize {
			t.Errorf("worker %s judged %d of %d", worker, n, equalSize)
		}
	}
	if len(made) != clusterWorkers {
		t.Errorf("judged by %v", made)
	}
}

// testDrain drains a worker when a third is judged: it ends by itself, and what
// is left is judged by the others.
func (c *cluster) testDrain(t *testing.T) {
	drained := c.listWorkers()[0]
	made := c.judgeEqual(t, "drain", func(sent int) {
		if sent != equalSize/3 {
			return
		}
		req, err := apiCall{method: http.MethodPatch, path: "/workers/" + drained}.withJSON(map[string]string{"state": "draining", "reason": "test"})
		if err == nil {
			_, err = c.client.do(t.Context(), req, nil)
		}
		if err != nil {
			t.Error(err)
		}
	})
	ended := 0
	for deadline := time.Now().Add(time.Minute); ended == 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for _, w := range c.workers {
			select {
			case <-w.ended:
				ended++
			default:
			}
		}
	}
	if ended != 1 {
		t.Errorf("%d workers ended after one was drained", ended)
	}
	if n := made[drained]; n >= equalSize/2 {
		t.Errorf("the drained worker judged %d of %d", n, equalSize)
	}
}

// judgeEqual hands in equal submissions, half by each API, and waits for all. It
// returns how many each worker judged.
func (c *cluster) judgeEqual(t *testing.T, name string, each func(sent int)) map[string]int {
	t.Helper()
	var ids []string
	for i := range equalSize {
		cl := c.client
		if i%2 == 1 {
			cl = c.second
		}
		req, err := submitCall(i, chaosSources[0].name, chaosSources[0].data)
		if err != nil {
			t.Fatal(err)
		}
		req.header.Set("Idempotency-Key", fmt.Sprint(name, "-", i))
		var answer struct{ ID string }
		if _, err := cl.do(t.Context(), req, &answer); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, answer.ID)
		each(i)
	}
	made := map[string]int{}
	for _, id := range ids {
		j := c.awaitJudgement(t, id)
		if j.Verdict != "AC" {
			t.Errorf("%s: %s %s", id, j.Verdict, j.Message)
		}
		made[j.Worker]++
	}
	t.Logf("judged by worker: %v", made)
	return made
}

func (c *cluster) awaitJudgement(t *testing.T, id string) (j struct{ Verdict, Message, Worker string }) {
	t.Helper()
	for deadline := time.Now().Add(chaosPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var answer struct{ Judgement wire.Judgement }
		if _, err := c.client.do(t.Context(), apiCall{method: http.MethodGet, path: "/submissions/" + id}, &answer); err != nil {
			t.Fatal(err)
		}
		if found := answer.Judgement.Judgement(); found.State == "judged" {
			j.Verdict, j.Message, j.Worker = string(found.Verdict), found.Message, found.Worker
			return j
		}
	}
	t.Fatalf("%s is not judged", id)
	return j
}

func (c *cluster) listWorkers() (ids []string) {
	c.t.Helper()
	var list struct{ Items []struct{ ID, State string } }
	if _, err := c.client.do(c.t.Context(), apiCall{method: http.MethodGet, path: "/workers"}, &list); err != nil {
		c.t.Fatal(err)
	}
	for _, w := range list.Items {
		if w.State == "active" {
			ids = append(ids, w.ID)
		}
	}
	return ids
}

// testFlood counts what begins between another person's submission and its
// start: no more than one for each slot.
func (c *cluster) testFlood(t *testing.T) {
	other := c.makeToken("submitter")
	var (
		mu     sync.Mutex
		events []serverEvent
	)
	go func() {
		_ = c.second.follow(t.Context(), "/events", func(e serverEvent) (bool, error) { // it ends with the test
			mu.Lock()
			defer mu.Unlock()
			events = append(events, e)
			return false, nil
		})
	}()
	for range floodSize / batchSize {
		c.flood(t)
	}
	cl := newClient(c.client.base, other, func(string, ...any) {})
	req, err := submitCall(0, chaosSources[0].name, chaosSources[0].data)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ ID string }
	if _, err := cl.do(t.Context(), req, &answer); err != nil {
		t.Fatal(err)
	}
	c.awaitJudgement(t, answer.ID)
	// The stream has thousands of events to tell first, so it may be behind.
	for deadline := time.Now().Add(chaosPatience); ; time.Sleep(50 * time.Millisecond) {
		mu.Lock()
		began, told := beganBefore(t, events, answer.ID)
		mu.Unlock()
		if told {
			t.Logf("%d of the flood began before it", began)
			if began > len(c.listWorkers()) {
				t.Errorf("%d of the flood began between its creation and its start", began)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("its start was not told of")
		}
	}
}

// beganBefore counts the starts of others between a submission's creation and
// its own start, and says whether that start is among the events.
func beganBefore(t *testing.T, events []serverEvent, id string) (began int, told bool) {
	t.Helper()
	created := false
	for _, e := range events {
		var data struct {
			Submission string `json:"submission_id"`
		}
		if err := json.Unmarshal([]byte(e.data), &data); err != nil {
			t.Fatal(err)
		}
		switch {
		case data.Submission == id && e.kind == "submission.created":
			created = true
		case data.Submission == id && e.kind == "judgement.started":
			if !created {
				t.Error("its start was told of before its creation")
			}
			return began, true
		case created && e.kind == "judgement.started":
			began++
		}
	}
	return 0, false
}

// flood hands in a batch for the token itself, which is one person.
func (c *cluster) flood(t *testing.T) {
	t.Helper()
	var items []any
	for range batchSize {
		items = append(items, map[string]any{
			"problem": "aplusb", "files": []any{map[string]string{"name": "sum.py", "data": chaosSources[0].data}},
		})
	}
	req, err := apiCall{method: http.MethodPost, path: "/submissions/batch", once: true}.withJSON(map[string]any{"items": items})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.client.do(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
}
