package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// readEvents reads a stream to its end.
func readEvents(r io.Reader) ([]serverEvent, error) {
	events := newEventReader(r, func() {})
	var all []serverEvent
	for {
		e, err := events.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// Examples of https://html.spec.whatwg.org/multipage/server-sent-events.html and
// what lies between them.
func TestEvents(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []serverEvent
	}{
		{"lines of data", "data: YHOO\ndata: +2\ndata: 10\n\n", []serverEvent{{"", "message", "YHOO\n+2\n10"}}},
		{"comment, ids, no id again", ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event", []serverEvent{
			{"1", "message", "first event"}, {"", "message", "second event"},
		}},
		{"empty data is an event, no data is none", "data\n\ndata\ndata\n\ndata:\n\nevent: x\n\ndata:y\n\n", []serverEvent{
			{"", "message", ""}, {"", "message", "\n"}, {"", "message", ""}, {"", "message", "y"},
		}},
		{"one space is not data", "data:test\n\ndata: test\n\ndata:  test\n\n", []serverEvent{{"", "message", "test"}, {"", "message", "test"}, {"", "message", " test"}}},
		{"CR, LF, CR LF", "id: a\rdata: 1\r\rdata: 2\r\n\r\ndata: 3\n\r\n", []serverEvent{{"a", "message", "1"}, {"a", "message", "2"}, {"a", "message", "3"}}},
		{"byte order mark", "\ufeffdata: 1\n\n", []serverEvent{{"", "message", "1"}}},
		{"a mark later is a field's name", "\n\ufeffdata: 1\n\n", nil},
		{"event's type is its own", "event: a\ndata: 1\n\ndata: 2\n\n", []serverEvent{{"", "a", "1"}, {"", "message", "2"}}},
		{"an id with NUL is none", "id: a\x00b\ndata: 1\n\n", []serverEvent{{"", "message", "1"}}},
		{"an id without data counts", "id: a\n\ndata: 1\n\n", []serverEvent{{"a", "message", "1"}}},
		{"half an event is none", "data: 1\n\nid: 2\ndata: 2\n", []serverEvent{{"", "message", "1"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readEvents(strings.NewReader(tt.stream))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(serverEvent{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzEvents: whatever a server sends, events are the same in one piece and byte
// by byte, and are themselves when written and read again.
func FuzzEvents(f *testing.F) {
	f.Add("id: 1\nevent: run.judged\ndata: {\"a\":1}\n\n: keep-alive\n\n")
	f.Add("\ufeffdata: a\r\ndata: b\r\rdata")
	f.Fuzz(func(t *testing.T, stream string) {
		whole, err := readEvents(strings.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		slow, err := readEvents(iotest.OneByteReader(strings.NewReader(stream)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, slow, cmp.AllowUnexported(serverEvent{})); diff != "" {
			t.Fatal(diff)
		}
		var again strings.Builder
		for _, e := range whole {
			fmt.Fprintf(&again, "id: %s\nevent: %s\n", e.id, e.kind)
			for line := range strings.SplitSeq(e.data, "\n") {
				fmt.Fprintf(&again, "data: %s\n", line)
			}
			again.WriteByte('\n')
		}
		back, err := readEvents(strings.NewReader(again.String()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, back, cmp.AllowUnexported(serverEvent{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

// quick is a client that waits little.
func quick(t *testing.T, address string) *client {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(u, secret, t.Logf)
	c.pause, c.patience, c.silence = time.Millisecond, time.Minute, time.Minute
	return c
}

// TestFollow reads a stream that is cut after each event, is silent, and is
// refused for a while: each event comes once.
func TestFollow(t *testing.T) {
	const events = 20
	connections := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connections++
		from := 0
		if last := r.Header.Get("Last-Event-ID"); last != "" {
			if _, err := fmt.Sscan(last, &from); err != nil {
				t.Errorf("Last-Event-ID %q", last)
			}
		}
		if connections%5 == 2 {
			w.Header().Set("Retry-After", "0")
			fail(w, http.StatusServiceUnavailable, "closing")
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if from < events {
			_, _ = fmt.Fprintf(w, "id: %d\ndata: %d\n\nid: 99\ndata: half", from+1, from+1)
		}
		if connections%5 == 3 {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // until the client takes us for dead
		}
	}))
	defer srv.Close()
	c := quick(t, srv.URL)
	c.silence = 50 * time.Millisecond
	var got []int
	err := c.follow(t.Context(), "events", func(e serverEvent) (bool, error) {
		var n int
		if err := json.Unmarshal([]byte(e.data), &n); err != nil {
			return false, err
		}
		got = append(got, n)
		return n == events, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i] != i+1 {
			t.Fatalf("got %v", got)
		}
	}
	if len(got) != events {
		t.Errorf("%d events", len(got))
	}
}

func TestFollowEnds(t *testing.T) {
	kind := "text/event-stream"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, "data: 1\n\n")
	}))
	defer srv.Close()
	mine := errors.New("mine")
	c := quick(t, srv.URL)
	if err := c.follow(t.Context(), "events", func(serverEvent) (bool, error) { return false, mine }); !errors.Is(err, mine) {
		t.Errorf("what the reader of events says is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := c.follow(ctx, "events", func(serverEvent) (bool, error) { cancel(); return false, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	c.patience = 20 * time.Millisecond
	err = c.follow(t.Context(), "events", func(serverEvent) (bool, error) { return false, nil })
	if u := (*unreachable)(nil); !errors.As(err, &u) {
		t.Errorf("a stream that never goes on: %v", err)
	}
	kind = "text/html"
	err = c.follow(t.Context(), "events", func(serverEvent) (bool, error) { return false, nil })
	if err == nil || !strings.Contains(err.Error(), "text/html") {
		t.Errorf("no stream: %v", err)
	}
}
