//go:build docker

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"judge/judge/wire"
)

const (
	chaosSize     = 1000 // submissions
	chaosPeople   = 50
	chaosSenders  = 8
	chaosPause    = 300 * time.Millisecond // at most, between two submissions of a sender
	chaosSilence  = time.Minute            // without any event, after which no more are waited for
	chaosPatience = 5 * time.Minute        // for one judgement
)

// chaosSources are what is handed in, with the verdict that it must get.
var chaosSources = []struct{ name, data, verdict string }{
	{"sum.py", "a, b = map(int, input().split())\nprint(a + b)\n", "AC"},
	{"off.py", "a, b = map(int, input().split())\nprint(a + b + 1)\n", "WA"},
	{"stop.py", "raise SystemExit(3)\n", "RE"},
	{"sum.cpp", "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; }\n", "AC"},
	{"bad.cpp", "int main() { return x; }\n", "CE"},
}

// TestChaos hands in a thousand submissions while the worker, the API and
// Postgres are killed twice each, at random moments. Each gets one final
// judgement, the one that it should, and who follows the events misses none.
func TestChaos(t *testing.T) {
	d := deploy(t, "--slots", "0")
	d.startWorker()
	d.must("problem", "import", "--now", "--reason", "test", filepath.Join(samples, "aplusb"))
	heard := d.listen()
	killed := make(chan struct{})
	go func() { defer close(killed); d.killAll() }()
	sent := d.sendAll()
	<-killed
	heard.await(t, len(sent))
	d.verify(sent, heard)
}

// sendAll hands all submissions in and returns the verdict that each must get.
func (d *deployment) sendAll() map[string]string {
	d.t.Helper()
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		sent = map[string]string{}
	)
	for s := range chaosSenders {
		wg.Go(func() {
			for i := s; i < chaosSize; i += chaosSenders {
				id, verdict, err := d.send(i)
				if err != nil {
					d.t.Errorf("submission %d: %v", i, err)
					return
				}
				mu.Lock()
				sent[id] = verdict
				mu.Unlock()
				time.Sleep(rand.N(chaosPause))
			}
		})
	}
	wg.Wait()
	if len(sent) != chaosSize {
		d.t.Fatalf("%d submissions have ids of their own, %d were handed in", len(sent), chaosSize)
	}
	return sent
}

func (d *deployment) send(i int) (id, verdict string, err error) {
	source := chaosSources[i%len(chaosSources)]
	req, err := submitCall(i, source.name, source.data)
	if err != nil {
		return "", "", err
	}
	var answer struct{ ID string }
	if _, err := d.client.do(d.t.Context(), req, &answer); err != nil {
		return "", "", err
	}
	return answer.ID, source.verdict, nil
}

func submitCall(i int, name, data string) (apiCall, error) {
	return apiCall{
		method: http.MethodPost, path: "/submissions",
		header: http.Header{"Idempotency-Key": {fmt.Sprint("chaos-", i)}},
	}.withJSON(map[string]any{
		"problem": "aplusb", "files": []any{map[string]string{"name": name, "data": data}},
		"submitter": map[string]string{"id": fmt.Sprint("person-", i%chaosPeople)},
	})
}

// killAll kills each part twice, in any order, a few seconds apart.
func (d *deployment) killAll() {
	kills := []func() string{d.killWorker, d.killAPI, d.killPostgres, d.killWorker, d.killAPI, d.killPostgres}
	rand.Shuffle(len(kills), func(i, j int) { kills[i], kills[j] = kills[j], kills[i] })
	for _, kill := range kills {
		time.Sleep(time.Second + rand.N(4*time.Second))
		d.t.Log(kill())
	}
}

// heard is what a client that follows all events was told.
type heard struct {
	mu        sync.Mutex
	positions map[string]bool
	counts    map[string]map[string]int // by submission and type
	judged    int
	twice     []string
	more      chan struct{}
}

func (d *deployment) listen() *heard {
	h := &heard{positions: map[string]bool{}, counts: map[string]map[string]int{}, more: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(d.t.Context())
	var wg sync.WaitGroup
	d.t.Cleanup(func() { cancel(); wg.Wait() })
	wg.Go(func() {
		if err := d.client.follow(ctx, "/events", h.hear); err != nil && ctx.Err() == nil {
			d.t.Errorf("follow events: %v", err)
		}
	})
	return h
}

func (h *heard) hear(e serverEvent) (bool, error) {
	var data struct {
		Submission string `json:"submission_id"`
	}
	if err := json.Unmarshal([]byte(e.data), &data); err != nil {
		return false, fmt.Errorf("event %s: %w", e.data, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.positions[e.id] {
		h.twice = append(h.twice, e.id)
	}
	h.positions[e.id] = true
	if h.counts[data.Submission] == nil {
		h.counts[data.Submission] = map[string]int{}
	}
	h.counts[data.Submission][e.kind]++
	if e.kind == "judgement.judged" {
		h.judged++
	}
	select {
	case h.more <- struct{}{}:
	default:
	}
	return false, nil
}

// await waits for the judgement of so many submissions, as long as there is news.
func (h *heard) await(t *testing.T, n int) {
	t.Helper()
	for {
		h.mu.Lock()
		judged := h.judged
		h.mu.Unlock()
		if judged >= n {
			return
		}
		select {
		case <-h.more:
		case <-time.After(chaosSilence):
			t.Errorf("%d of %d judgements were told of", judged, n)
			return
		}
	}
}

// verify compares what is kept, and what was told, with what must be.
func (d *deployment) verify(sent map[string]string, h *heard) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.twice) > 0 {
		d.t.Errorf("%d events came twice", len(h.twice))
	}
	if n := d.count(); n != len(sent) {
		d.t.Errorf("%d submissions are kept, %d were handed in", n, len(sent))
	}
	for id, verdict := range sent {
		var list struct{ Items []wire.Judgement }
		if _, err := d.client.do(d.t.Context(), apiCall{method: http.MethodGet, path: "/submissions/" + id + "/judgements"}, &list); err != nil {
			d.t.Fatal(err)
		}
		if len(list.Items) != 1 {
			d.t.Errorf("%s has %d judgements", id, len(list.Items))
			continue
		}
		if j := list.Items[0].Judgement(); j.State != "judged" || string(j.Verdict) != verdict {
			d.t.Errorf("%s: %s %s (%s) by attempt %d, want %s", id, j.State, j.Verdict, j.Message, j.Attempt, verdict)
		}
		told := h.counts[id]
		if told["submission.created"] != 1 || told["judgement.judged"] != 1 || told["judgement.started"] < 1 {
			d.t.Errorf("%s: was told %v", id, told)
		}
	}
}

// count walks through the list of all submissions.
func (d *deployment) count() int {
	n, cursor := 0, ""
	for {
		var page struct {
			Items []json.RawMessage
			Next  *string `json:"next_cursor"`
		}
		q := url.Values{"limit": {"100"}}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		if _, err := d.client.do(d.t.Context(), apiCall{method: http.MethodGet, path: "/submissions", query: q}, &page); err != nil {
			d.t.Fatal(err)
		}
		n += len(page.Items)
		if page.Next == nil {
			return n
		}
		cursor = *page.Next
	}
}

// killAPI kills the child of judge serve that answers requests.
func (d *deployment) killAPI() string {
	for _, dir := range globbed("/proc/[0-9]*") {
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		words := strings.Split(string(args), "\x00")
		if len(words) > 1 && words[0] == d.program && words[1] == "api" {
			return d.kill("api", filepath.Base(dir))
		}
	}
	return "no api was there to be killed"
}

// killPostgres kills the server's main process, as a lack of memory would.
func (d *deployment) killPostgres() string {
	text, _ := os.ReadFile(filepath.Join(d.data, "postgres/cluster/postmaster.pid"))
	pid, _, _ := strings.Cut(string(text), "\n")
	return d.kill("postgres", pid)
}

func (d *deployment) kill(what, pid string) string {
	n, err := strconv.Atoi(pid)
	if err != nil || n < 2 {
		return "no " + what + " was there to be killed"
	}
	return fmt.Sprintf("killed %s %d: %v", what, n, syscall.Kill(n, syscall.SIGKILL))
}

func globbed(pattern string) []string {
	found, _ := filepath.Glob(pattern) // the pattern is well formed
	return found
}
