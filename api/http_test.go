package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

func errorOf(t *testing.T, body []byte) api.Error {
	t.Helper()
	var e api.Error
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return e
}

func TestErrors(t *testing.T) {
	s := newServer(t, newFake(), nil)
	tests := []struct {
		name, who, request, body string
		status                   int
		kind, field              string
	}{
		{"no route", "admin", "GET /nothing", "", 404, "not-found", ""},
		{"no method", "admin", "PUT " + v1 + "/whoami", "", 405, "method-not-allowed", ""},
		{"no token", "", "GET " + v1 + "/whoami", "", 401, "unauthorized", ""},
		{"unknown token", "nonsense", "GET " + v1 + "/whoami", "", 401, "unauthorized", ""},
		{"wrong role", "viewer", "GET " + v1 + "/tokens", "", 403, "forbidden", ""},
		{"unknown parameter", "admin", "GET " + v1 + "/submissions?color=red", "", 422, "invalid", "query.color"},
		{"wrong parameter", "admin", "GET " + v1 + "/submissions?limit=0", "", 422, "invalid", "query.limit"},
		{"no JSON", "admin", "POST " + v1 + "/submissions", "{", 400, "bad-request", "body"},
		{"two documents", "admin", "POST " + v1 + "/submissions", "{}{}", 400, "bad-request", "body"},
		{"no problem", "admin", "POST " + v1 + "/submissions", `{"files":[{"data":"x"}]}`, 422, "invalid", "body"},
		{"unknown field", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","files":[{"name":"a.py","data":""}],"x":1}`, 422, "invalid", "body.x"},
		{"unknown problem", "admin", "POST " + v1 + "/submissions", `{"problem":"none","files":[{"name":"a.py","data":""}]}`, 404, "not-found", "body.problem"},
		{"unknown language", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","language":"klingon","files":[{"name":"a.py","data":""}]}`, 422, "source", "body.language"},
		{"unknown extension", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","files":[{"name":"a.xyz","data":""}]}`, 422, "source", "body.files"},
		{"bad name", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","files":[{"name":"../a.py","data":""}]}`, 422, "source", "body.files"},
		{"too much code", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","files":[{"name":"a.py","data":"` + strings.Repeat("x", 1001) + `"}]}`, 422, "source", "body.files"},
		{"no entry", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","entry":"b.py","files":[{"name":"a.py","data":""}]}`, 422, "source", "body.files"},
		{"no data", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","files":[{"name":"a.py"}]}`, 422, "invalid", "body.files[0]"},
		{"class", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","priority":"rejudge","files":[{"name":"a.py","data":""}]}`, 422, "invalid", "body.priority"},
		{"NUL", "admin", "POST " + v1 + "/submissions", `{"problem":"mine","submitter":{"id":"\u0000"},"files":[{"name":"a.py","data":""}]}`, 422, "invalid", "body.submitter.id"},
		{"wait", "admin", "POST " + v1 + "/submissions?wait=long", submitJSON, 422, "invalid", "query.wait"},
		{"one of a batch", "admin", "POST " + v1 + "/submissions/batch", `{"items":[` + submitJSON + `,{"problem":"none","files":[{"name":"a.py","data":""}]}]}`, 404, "not-found", "body.items[1].problem"},
		{"empty batch", "admin", "POST " + v1 + "/submissions/batch", `{"items":[]}`, 422, "invalid", "body.items"},
		{"review without reason", "admin", "PUT " + v1 + "/judgements/" + judgementID + "/review", `{"verdict":"AC"}`, 422, "invalid", "body"},
		{"admin with scope", "admin", "POST " + v1 + "/tokens", `{"name":"n","role":"admin","scope":{"problems":["mine"]}}`, 422, "invalid", "body.scope"},
		{"wrong scope", "admin", "POST " + v1 + "/tokens", `{"name":"n","role":"viewer","scope":{"problems":["A B"]}}`, 422, "invalid", "body.scope[0]"},
		{"end in the past", "admin", "POST " + v1 + "/tokens", `{"name":"n","role":"viewer","expires_at":"2001-01-01T00:00:00Z"}`, 422, "invalid", "body.expires_at"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method, path, _ := strings.Cut(tt.request, " ")
			w := ask(s, tt.who, method, path, tt.body, "X-Request-Id", "my-id")
			e := errorOf(t, w.Body.Bytes())
			if w.Code != tt.status || e.Status != tt.status || e.Type != "urn:judge:"+tt.kind || !slices.Contains(api.ErrorTypes(), e.Type) {
				t.Errorf("%d %s, want %d %s", w.Code, w.Body, tt.status, tt.kind)
			}
			if ct := w.Header().Get("Content-Type"); ct != "application/problem+json" {
				t.Errorf("content type %q", ct)
			}
			if e.RequestID != "my-id" || e.Title == "" || e.Detail == "" {
				t.Errorf("%s", w.Body)
			}
			if tt.field != "" && !slices.ContainsFunc(e.Errors, func(f api.FieldError) bool { return f.Field == tt.field && f.Message != "" }) {
				t.Errorf("field %s is not named: %s", tt.field, w.Body)
			}
		})
	}
}

// Of our own failures the client learns that, and by which id the log has them.
func TestOurFailures(t *testing.T) {
	gone := errors.New("connection to 10.0.0.7 refused")
	for name, tt := range map[string]struct {
		passes bool
		status int
	}{"unknown": {false, 500}, "unavailable": {true, 503}} {
		f := newFake()
		f.failing = gone
		s := newServer(t, f, func(c *api.Config) { c.Unavailable = func(error) bool { return tt.passes } })
		w := ask(s, "x", "GET", v1+"/whoami", "")
		e := errorOf(t, w.Body.Bytes())
		if w.Code != tt.status || strings.Contains(w.Body.String(), "10.0.0.7") || e.RequestID == "" || e.RequestID != w.Header().Get("X-Request-Id") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if after := w.Header().Get("Retry-After"); (after != "") != tt.passes {
			t.Errorf("%s: Retry-After %q", name, after)
		}
	}
	// A handler that panics: the fake has no Submissions of workers, nor anything else
	// that is not asked for above.
	w := ask(newServer(t, panicking{newFake()}, nil), "admin", "GET", v1+"/tokens", "")
	if w.Code != 500 || strings.Contains(w.Body.String(), "boom") || errorOf(t, w.Body.Bytes()).RequestID == "" {
		t.Errorf("after a panic: %d %s", w.Code, w.Body)
	}
}

type panicking struct{ *fakeRecords }

func (panicking) Authenticate(context.Context, string) (judge.Token, error) { panic("boom") }

func TestLimits(t *testing.T) {
	s := newServer(t, newFake(), func(c *api.Config) {
		c.Limits.Requests = api.Rate{Count: 3, Per: time.Hour}
		c.Limits.Person = api.Rate{Count: 2, Per: time.Hour}
		c.Limits.Failures = api.Rate{Count: 2, Per: time.Hour}
		c.Limits.Submission = 300
	})
	codes := func(n int, who, method, path, body string) (out []int) {
		for range n {
			out = append(out, ask(s, who, method, path, body).Code)
		}
		return out
	}
	if got := codes(4, "viewer", "GET", v1+"/whoami", ""); !slices.Equal(got, []int{200, 200, 200, 429}) {
		t.Error("requests of one token:", got)
	}
	if got := codes(1, "admin", "GET", v1+"/whoami", ""); got[0] != 200 {
		t.Error("another token is held up:", got)
	}
	w := ask(s, "viewer", "GET", v1+"/whoami", "")
	if w.Header().Get("RateLimit-Policy") != `"requests";q=3;w=3600` || !strings.HasPrefix(w.Header().Get("RateLimit"), `"requests";r=0;t=`) || w.Header().Get("Retry-After") == "" {
		t.Error(w.Header())
	}
	person := func(id string) string {
		return strings.Replace(submitJSON, "{", fmt.Sprintf(`{"submitter":{"id":%q},`, id), 1)
	}
	if got := codes(3, "owner", "POST", v1+"/submissions", person("ada")); !slices.Equal(got, []int{201, 201, 429}) {
		t.Error("submissions of one person:", got)
	}
	if got := codes(1, "owner", "POST", v1+"/submissions", person("bob")); got[0] != 201 {
		t.Error("another person is held up:", got)
	}
	if w := ask(s, "owner", "POST", v1+"/submissions/batch", `{"items":[`+person("eve")+","+person("eve")+","+person("eve")+`]}`); w.Code != 429 {
		t.Error("a batch counts as one:", w.Code)
	}
	if got := codes(3, "wrong", "GET", v1+"/whoami", ""); !slices.Equal(got, []int{401, 401, 429}) {
		t.Error("guessed tokens:", got)
	}
	for size, want := range map[int]int{300: 422, 301: 413} {
		body := `{"problem":"` + strings.Repeat("x", size-14) + `"}`
		if w := ask(s, "admin", "POST", v1+"/submissions", body); len(body) != size || w.Code != want {
			t.Errorf("body of %d bytes: %d, want %d", len(body), w.Code, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	s := newServer(t, newFake(), func(c *api.Config) { c.Origins = []string{"https://good.example"} })
	for _, path := range []string{v1 + "/whoami", "/docs", "/nothing"} {
		h := ask(s, "admin", "GET", path, "", "Origin", "https://evil.example").Header()
		if h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("X-Frame-Options") != "DENY" {
			t.Error(path, h)
		}
		if h.Get("Access-Control-Allow-Origin") != "" {
			t.Error(path, "is for every page to read")
		}
	}
	h := ask(s, "", "OPTIONS", v1+"/whoami", "", "Origin", "https://good.example", "Access-Control-Request-Method", "GET").Header()
	if h.Get("Access-Control-Allow-Origin") != "https://good.example" || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Error(h)
	}
	if h := ask(newServer(t, newFake(), nil), "admin", "GET", v1+"/whoami", "", "Origin", "https://good.example").Header(); h.Get("Access-Control-Allow-Origin") != "" {
		t.Error("CORS is on by default")
	}
	for id, kept := range map[string]bool{"abc-1.2:3": true, "a b": false, strings.Repeat("x", 65): false, "": false} {
		if got := ask(s, "admin", "GET", v1+"/whoami", "", "X-Request-Id", id).Header().Get("X-Request-Id"); (got == id) != kept || got == "" {
			t.Errorf("request id %q became %q", id, got)
		}
	}
}

// The docs are all ours: no address but our own stands in what a browser loads.
func TestDocs(t *testing.T) {
	s := newServer(t, newFake(), nil)
	page := ask(s, "", "GET", "/docs", "")
	if strings.Contains(page.Body.String(), "//") && strings.Contains(page.Body.String(), "http") {
		t.Error(page.Body)
	}
	for part := range strings.SplitSeq(page.Body.String(), `"`) {
		if strings.HasPrefix(part, "/docs/") {
			if w := ask(s, "", "GET", part, ""); w.Code != http.StatusOK || w.Body.Len() < 100 {
				t.Errorf("%s: %d, %d bytes", part, w.Code, w.Body.Len())
			}
		}
	}
	if p := page.Header().Get("Content-Security-Policy"); strings.Contains(p, "http") || strings.Contains(p, "script-src 'self' ") || !strings.Contains(p, "default-src 'none'") {
		t.Error(p)
	}
}

func TestTrustedProxies(t *testing.T) {
	// Who guesses tokens is held up by address: so it shows which address was believed.
	tests := []struct {
		name    string
		proxies []string
		hops    [2]string
		shared  bool
	}{
		{"nobody is believed", nil, [2]string{"203.0.113.1", "203.0.113.2"}, true},
		{"the proxy is", []string{"192.0.2.0/24"}, [2]string{"203.0.113.1", "203.0.113.2"}, false},
		{"what a client makes up is not", []string{"192.0.2.0/24"}, [2]string{"198.51.100.1, 203.0.113.1", "198.51.100.2, 203.0.113.1"}, true},
		{"a second proxy is", []string{"192.0.2.0/24", "10.0.0.0/8"}, [2]string{"203.0.113.1, 10.0.0.1", "203.0.113.2, 10.0.0.1"}, false},
		{"nonsense", []string{"192.0.2.0/24"}, [2]string{"nonsense", "rubbish"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, newFake(), func(c *api.Config) {
				c.Limits.Failures = api.Rate{Count: 1, Per: time.Hour}
				for _, p := range tt.proxies {
					c.Proxies = append(c.Proxies, netip.MustParsePrefix(p))
				}
			})
			ask(s, "wrong", "GET", v1+"/whoami", "", "X-Forwarded-For", tt.hops[0]) // httptest's clients are 192.0.2.1
			w := ask(s, "wrong", "GET", v1+"/whoami", "", "X-Forwarded-For", tt.hops[1])
			if shared := w.Code == http.StatusTooManyRequests; shared != tt.shared {
				t.Errorf("one address: %v, want %v", shared, tt.shared)
			}
		})
	}
}

func TestReady(t *testing.T) {
	broken := false
	s := newServer(t, newFake(), func(c *api.Config) {
		c.Ready = []api.Check{{Name: "blobs", Ask: func(context.Context) error {
			if broken {
				return errors.New("folder is gone")
			}
			return nil
		}}}
	})
	for _, want := range []int{200, 503} {
		w := ask(s, "", "GET", "/readyz", "")
		if w.Code != want || !strings.Contains(w.Body.String(), `"schema_version":5`) || strings.Contains(w.Body.String(), "folder is gone") != (want == 503) {
			t.Errorf("%d %s, want %d", w.Code, w.Body, want)
		}
		broken = true
	}
}

func TestMetrics(t *testing.T) {
	s := newServer(t, newFake(), nil)
	ask(s, "admin", "GET", v1+"/whoami", "")
	ask(s, "admin", "BREW", "/made/up", "")
	text := ask(s, "admin", "GET", "/metrics", "").Body.String()
	for _, line := range []string{
		`judge_http_requests_total{method="GET",operation="whoami",status="200"} 1`, `operation="none"`, "judge_http_waiters 0", "judge_http_streams 0",
		`judge_queue_judgements{state="ready"} 1`, `judge_http_request_duration_seconds_count{operation="whoami"} 1`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s", line)
		}
	}
	if strings.Contains(text, "BREW") || strings.Contains(text, "made") {
		t.Error("a client's words are labels")
	}
}

func TestSource(t *testing.T) {
	w := ask(newServer(t, newFake(), nil), "owner", "GET", v1+"/submissions/"+subID+"/source", "")
	if got, want := strings.TrimSpace(w.Body.String()), `{"files":[{"name":"a.py","data":"print(1)\n"},{"name":"b.py","data":null,"data_base64":"/w=="}]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	w = ask(newServer(t, newFake(), nil), "staff", "GET", v1+"/judgements/"+judgementID+"/runs/2/output", "")
	if !strings.Contains(w.Body.String(), `"stdout":"a\\x1b[31m`) || strings.ContainsRune(w.Body.String(), 0x1b) {
		t.Error(w.Body)
	}
}
