package api_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"judge/api"
)

func TestLimiterTime(t *testing.T) {
	now := time.Unix(0, 0)
	l := api.NewLimiter(api.Limits{Submissions: api.Rate{Count: 100, Per: time.Minute}, Person: api.Rate{Count: 6, Per: time.Minute}}, func() time.Time { return now })
	steps := []struct {
		after time.Duration
		who   string
		n     int
		ok    bool
		retry string
	}{
		{0, "ada", 6, true, ""},
		{0, "ada", 1, false, "10"},
		{5 * time.Second, "ada", 1, false, "5"},
		{5 * time.Second, "ada", 1, true, ""},
		{0, "bob", 6, true, ""},
		{0, "bob", 7, false, "60"}, // never, at once
	}
	for i, s := range steps {
		now = now.Add(s.after)
		err := l.Submit("token", s.who, s.n)
		e, limited := errors.AsType[*api.Error](err)
		if limited == s.ok || (limited && (e.Status != 429 || e.GetHeaders().Get("Retry-After") != s.retry)) {
			t.Errorf("step %d: %v %v", i, err, e)
		}
	}
}

// What is as good as new is forgotten: memory does not grow with all who ever asked.
func TestLimiterForgets(t *testing.T) {
	now := time.Unix(0, 0)
	l := api.NewLimiter(api.Limits{Submissions: api.Rate{Count: 1 << 20, Per: time.Minute}, Person: api.Rate{Count: 6, Per: time.Minute}}, func() time.Time { return now })
	for i := range 1000 {
		if err := l.Submit("token", fmt.Sprint(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.Buckets(); n != 1001 {
		t.Errorf("%d buckets for 1000 people and a token", n)
	}
	now = now.Add(2 * time.Minute)
	if err := l.Submit("token", "new", 1); err != nil {
		t.Fatal(err)
	}
	if n := l.Buckets(); n != 2 {
		t.Errorf("%d buckets after all was quiet, want 2", n)
	}
}
