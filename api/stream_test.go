package api_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"judge/api"
	"judge/judge"
)

func TestStreamRefuses(t *testing.T) {
	s := newServer(t, newFake(), func(c *api.Config) { c.Limits.StreamsPerToken = 1 })
	for _, id := range []string{"a b", "\x00", strings.Repeat("a", 101), "é", "a\u2028"} {
		if w := ask(s, "admin", http.MethodGet, v1+"/events", "", "Last-Event-ID", id); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("Last-Event-ID %q: %d, want 422", id, w.Code)
		}
	}
	if w := ask(s, "stranger", http.MethodGet, v1+"/events?problem=mine", ""); w.Code != http.StatusNotFound {
		t.Errorf("events of a problem out of scope: %d, want 404", w.Code)
	}
	for range 3 { // the one seat comes back each time
		if w := ask(s, "admin", http.MethodGet, v1+"/events", ""); w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), "retry: 1000\nid: now\n\n") {
			t.Errorf("%d %q", w.Code, w.Body)
		}
	}
}

// quiet records have no events, and forget a token after a while.
type quiet struct {
	*fakeRecords

	until time.Time
}

func (q *quiet) Events(context.Context, string, judge.EventFilter, int) (judge.Events, error) {
	return judge.Events{Next: "now"}, nil
}

func (q *quiet) Authenticate(ctx context.Context, secret string) (judge.Token, error) {
	if time.Now().After(q.until) {
		return judge.Token{}, judge.ErrNotFound
	}
	return q.fakeRecords.Authenticate(ctx, secret)
}

// TestStreamEndsWithToken: there are signs of life while nothing happens, and the
// end comes soon after the token's.
func TestStreamEndsWithToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const life = time.Minute
		s := newServer(t, &quiet{newFake(), time.Now().Add(life)}, nil)
		began := time.Now()
		w := ask(s, "admin", http.MethodGet, v1+"/events", "")
		if took := time.Since(began); took < life || took > life+31*time.Second {
			t.Errorf("the stream ended after %v, its token after %v", took, life)
		}
		if n := strings.Count(w.Body.String(), ":\n\n"); n < 4 {
			t.Errorf("%d signs of life in a minute: %q", n, w.Body)
		}
	})
}

// FuzzLastEventID: whatever a client sends, what goes on to the database, and
// comes back as an id in a stream, is short and of one word.
func FuzzLastEventID(f *testing.F) {
	for _, id := range []string{"", "0195f1a2-1f-7fffffffffffffff", "a\nb", "\x00", "a\r", strings.Repeat("x", 200)} {
		f.Add(id, "")
		f.Add("", id)
	}
	word := regexp.MustCompile(`\A[0-9A-Za-z_-]{1,100}\z`)
	f.Fuzz(func(t *testing.T, header, query string) {
		id, ok := api.LastEventID(header, query)
		switch {
		case header != "" && id != header, header == "" && id != query:
			t.Errorf("%q and %q name %q", header, query, id)
		case ok != (id == "" || word.MatchString(id)):
			t.Errorf("%q: ok is %t", id, ok)
		}
	})
}
