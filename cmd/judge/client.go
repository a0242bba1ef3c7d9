package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync/atomic"
	"syscall"
	"time"
)

const apiPath = "/api/v1"

// maxAnswer bounds an answer's body in bytes: a judgement of thousands of runs
// is some megabytes.
const maxAnswer = 64 << 20

// client speaks to a server's API. It may be used by many goroutines.
type client struct {
	base  *url.URL
	token string
	http  *http.Client
	note  func(format string, args ...any) // what is being waited for

	reached atomic.Bool // there was an answer once: a server that is gone may come back

	patience time.Duration // of tries in a row that get no usable answer
	pause    time.Duration // between the first two of them; then twice that
	silence  time.Duration // of a stream, after which it is taken for dead
}

// The pauses between tries grow up to this.
const maxPause = 5 * time.Second

func newClient(base *url.URL, token string, note func(string, ...any)) *client {
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: 2 * time.Second,
		ResponseHeaderTimeout: 5 * time.Minute, // a large package is read before it is answered
	}
	return &client{
		base: base, token: token, note: note,
		patience: time.Minute, pause: 100 * time.Millisecond, silence: 45 * time.Second,
		http: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// apiCall is one request to the API.
type apiCall struct {
	method string
	path   string // below /api/v1
	query  url.Values
	header http.Header

	// body gives the body anew for each try; nil: none. A length of 0 is not known.
	body   func() (io.ReadCloser, error)
	length int64

	once bool // a second try could do it twice
}

// withJSON gives the call a body.
func (r apiCall) withJSON(v any) (apiCall, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return r, fmt.Errorf("write request: %w", err)
	}
	r.body = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	r.length = int64(len(data))
	r.header = r.header.Clone()
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set("Content-Type", "application/json")
	return r, nil
}

// do makes the call and reads the answer into a value, unless that is nil. Lost
// connections and answers that say "later" are tried again for a while. A
// *refusal is what the server said instead. It returns the status.
func (c *client) do(ctx context.Context, r apiCall, into any) (int, error) {
	res, err := c.open(ctx, r)
	if err != nil {
		return 0, err
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return 0, fmt.Errorf("read answer of %s: %w", c.base.Host, err)
	}
	if into == nil {
		return res.StatusCode, nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return 0, fmt.Errorf("%s %s: the answer is not what this judge understands (%w); are client and server of one version?", r.method, r.path, err)
	}
	return res.StatusCode, nil
}

// open makes the call as do does, and leaves the answer's body to be read.
func (c *client) open(ctx context.Context, r apiCall) (*http.Response, error) {
	t := &tries{client: c, since: time.Now()}
	for {
		res, err := c.try(ctx, r)
		if err == nil {
			return res, nil
		}
		if r.once || !passes(err) || !c.reached.Load() && errors.Is(err, syscall.ECONNREFUSED) {
			return nil, err
		}
		if err := t.wait(ctx, err); err != nil {
			return nil, err
		}
	}
}

// try makes the call once.
func (c *client) try(ctx context.Context, r apiCall) (*http.Response, error) {
	u := *c.base.JoinPath(apiPath, r.path)
	u.RawQuery = r.query.Encode()
	var body io.ReadCloser
	if r.body != nil {
		var err error
		if body, err = r.body(); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	maps.Copy(req.Header, r.header)
	if body != nil {
		req.ContentLength = r.length
		if r.length == 0 {
			req.ContentLength = -1
		}
	}
	req.Header.Set("User-Agent", "judge/"+thisBuild().Version)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreached(err)
	}
	c.reached.Store(true)
	if res.StatusCode/100 != 2 {
		return nil, refused(res)
	}
	return res, nil
}

// unreachable says that no answer came.
type unreachable struct {
	host string
	err  error
}

func (u *unreachable) Error() string {
	if errors.Is(u.err, syscall.ECONNREFUSED) {
		return fmt.Sprintf("nothing answers at %s; is judge serve running there? --url names another server", u.host)
	}
	return fmt.Sprintf("reach %s: %v", u.host, u.err)
}

func (u *unreachable) Unwrap() error { return u.err }

func (c *client) unreached(err error) error {
	if own, ok := errors.AsType[badInput](err); ok { // of whoever made the body
		return own
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &unreachable{c.base.Host, err}
}

// passes reports whether a failed try may go better the next time.
func passes(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		switch r.status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	_, ok := errors.AsType[*unreachable](err)
	return ok
}

// tries paces attempts at one thing.
type tries struct {
	client *client
	since  time.Time // of the first failure in a row
	n      int
}

// wait waits for the time of the next try, after err; it returns err, or the
// context's, when there is none.
func (t *tries) wait(ctx context.Context, err error) error {
	d := min(t.client.pause<<min(t.n, 16), maxPause)
	d = d/2 + rand.N(d/2+1) //nolint:gosec // clients that were cut off together should not come back so
	t.n++
	if r, ok := errors.AsType[*refusal](err); ok && r.later > 0 {
		d = r.later
	}
	if time.Since(t.since)+d > t.client.patience {
		return err
	}
	t.client.note("%v; trying again in %.1f s", err, d.Seconds())
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
