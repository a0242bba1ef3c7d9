package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// boardAPI is a judge api of our own, as another process.
type boardAPI struct {
	cmd    *exec.Cmd
	ended  chan error
	said   bytes.Buffer
	client *client
}

// start runs the API and waits until it is ready.
func (b *boardBench) start(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("find a port: %w", err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return fmt.Errorf("find a port: %w", err)
	}
	base := &url.URL{Scheme: "http", Host: address}
	p := &boardAPI{client: newClient(base, b.secret, func(string, ...any) {}), ended: make(chan error, 1)}
	p.cmd = exec.CommandContext(ctx, self, "api", "--listen", address, "--data", b.app.Data, "--cache-dir", b.app.CacheDir,
		"--requests-per-minute", "1000000")
	p.cmd.Env = append(os.Environ(), "JUDGE_DATABASE_URL="+b.db.url)
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	p.cmd.WaitDelay = 30 * time.Second
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start judge api: %w", err)
	}
	b.api = p
	go func() { p.ended <- p.cmd.Wait() }()
	for deadline := time.Now().Add(time.Minute); ; {
		if b.answers(ctx) {
			return nil
		}
		select {
		case err := <-p.ended:
			return fmt.Errorf("judge api has ended: %w: %s", err, p.said.String())
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return errors.Join(errors.New("judge api is not ready after a minute"), b.stop())
		}
	}
}

func (b *boardBench) answers(ctx context.Context) bool {
	res, err := b.api.client.try(ctx, apiCall{method: http.MethodGet, path: "whoami"})
	return err == nil && res.Body.Close() == nil
}

func (b *boardBench) stop() error {
	_ = b.api.cmd.Process.Signal(os.Interrupt) // it may have ended
	if err := <-b.api.ended; err != nil && b.app.ctx.Err() == nil {
		return fmt.Errorf("end judge api: %w: %s", err, b.api.said.String())
	}
	return nil
}

// memory is what the API has in memory, in bytes.
func (b *boardBench) memory() (int64, error) {
	path := "/proc/" + strconv.Itoa(b.api.cmd.Process.Pid) + "/status"
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("measure memory: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return kib << 10, nil
			}
		}
	}
	return 0, fmt.Errorf("measure memory: %s has no VmRSS", path)
}

func (b *boardBench) path(view string, offset, limit int) url.Values {
	return url.Values{"view": {view}, "offset": {strconv.Itoa(offset)}, "limit": {strconv.Itoa(limit)}}
}

// read reads a page as it comes over the wire, and returns its size.
func (b *boardBench) read(ctx context.Context, query url.Values) (int, error) {
	res, err := b.api.client.try(ctx, apiCall{
		method: http.MethodGet, path: "contests/" + benchContest + "/board", query: query, header: http.Header{"Accept-Encoding": {"gzip"}},
	})
	if err != nil {
		return 0, err
	}
	data, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return 0, fmt.Errorf("read board: %w", err)
	}
	if res.Header.Get("Content-Encoding") != "gzip" {
		return 0, errors.New("the board came uncompressed")
	}
	return len(data), nil
}

// boardNews is an event of the stream, as far as it is looked at.
type boardNews struct {
	at   time.Time
	Rows []struct {
		Row boardRow `json:"row"`
	} `json:"rows"`
}

// tells reports whether an event shows a verdict.
func (n *boardNews) tells(v boardVerdict) bool {
	for _, r := range n.Rows {
		if c := r.Row; c.Contestant.ID == v.team && c.Problems[v.problem].Attempts > 0 && c.Problems[v.problem].Pending == 0 {
			return true
		}
	}
	return false
}

// updates measures how long after a verdict's commit the jury's stream tells of it:
// to the public some are still pending.
func (b *boardBench) updates(ctx context.Context, runs int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := make(chan boardNews, 1000)
	ended := make(chan error, 1)
	go func() {
		ended <- b.api.client.follow(ctx, "contests/"+benchContest+"/board/events?view=jury", func(e serverEvent) (bool, error) {
			n := boardNews{at: time.Now()}
			if err := json.Unmarshal([]byte(e.data), &n); err != nil {
				return false, fmt.Errorf("read event: %w", err)
			}
			select {
			case events <- n:
			case <-ctx.Done():
			}
			return false, nil
		})
	}()
	// await waits for the event that tells of a verdict.
	await := func(v boardVerdict, patience time.Duration) (time.Duration, error) {
		deadline := time.After(patience)
		for {
			select {
			case n := <-events:
				if n.tells(v) {
					return max(n.at.Sub(v.at), 0), nil
				}
			case err := <-ended:
				return 0, errors.Join(errors.New("the stream of events has ended"), err)
			case <-deadline:
				return -1, nil
			}
		}
	}
	var took []time.Duration
	for tries := 0; len(took) < runs; tries++ {
		v, err := b.verdict(ctx)
		if err != nil {
			return err
		}
		patience := 30 * time.Second
		if len(took) == 0 && tries < 100 {
			patience = 200 * time.Millisecond // the stream is not there yet
		}
		switch t, err := await(v, patience); {
		case err != nil:
			return err
		case t >= 0:
			took = append(took, t)
		case patience > time.Second:
			return fmt.Errorf("the verdict on %s at problem %d was not told of within %s", v.team, v.problem, patience)
		}
	}
	figures := map[string]any{"runs": len(took)}
	b.say("update-p50", quantile(took, 0.5), wantBoardUpdate, figures)
	b.say("update-p95", quantile(took, 0.95), wantBoardUpdate, figures)
	return nil
}
