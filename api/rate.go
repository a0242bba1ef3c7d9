package api

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limiter counts requests in memory: each process of the API for itself. Its
// methods may be called by many goroutines.
type limiter struct {
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	buckets map[bucketKey]*bucket
	swept   time.Time
}

type bucketKey struct {
	policy policy
	who    string
}

type bucket struct {
	*rate.Limiter

	full time.Time // when it will be as if it had never been used
}

// policy names a limit, as RateLimit-Policy shows it.
type policy string

const (
	perRequest policy = "requests"
	perWrite   policy = "writes"
	perToken   policy = "submissions"
	perPerson  policy = "person"
	perUpload  policy = "uploads"
	perFailure policy = "failures"
)

func newLimiter(l Limits, now func() time.Time) *limiter {
	return &limiter{limits: l, now: now, buckets: map[bucketKey]*bucket{}, swept: now()}
}

func (l *limiter) rate(p policy) Rate {
	switch p {
	case perRequest:
		return l.limits.Requests
	case perWrite:
		return l.limits.Writes
	case perToken:
		return l.limits.Submissions
	case perPerson:
		return l.limits.Person
	case perUpload:
		return l.limits.Uploads
	case perFailure:
		return l.limits.Failures
	}
	return Rate{1, time.Minute}
}

// request counts a request of a token.
func (l *limiter) request(h http.Header, token string, c class) error {
	switch c {
	case free, submit:
		return nil
	case read:
		return l.charge(h, perRequest, token, 1)
	case write:
		return l.charge(h, perWrite, token, 1)
	case upload:
		return l.charge(h, perUpload, token, 1)
	}
	return nil
}

// submissions counts n submissions of a person that a token submits for. people
// are the persons, each with how many are theirs.
func (l *limiter) submissions(h http.Header, token string, n int, people map[string]int) error {
	if err := l.charge(h, perToken, token, n); err != nil {
		return err
	}
	for who, count := range people {
		if err := l.charge(h, perPerson, token+"\x00"+who, count); err != nil {
			return err
		}
	}
	return nil
}

// failed counts a token that is none, shown from an address.
func (l *limiter) failed(client string) error {
	return l.charge(http.Header{}, perFailure, client, 1)
}

func (l *limiter) charge(h http.Header, p policy, who string, n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, r := l.now(), l.rate(p)
	b := l.bucket(p, who)
	allowed := b.AllowN(now, n)
	left := int(max(b.TokensAt(now), 0))
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", p, r.Count, int(r.Per.Seconds())))
	h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", p, left, int(wait(b, r.Count, now).Seconds()+0.999)))
	if allowed {
		return nil
	}
	if n > r.Count {
		return fault("too-many-requests", "%d at once: the limit %q is %d in %v", n, p, r.Count, r.Per).retryAfter(r.Per)
	}
	return fault("too-many-requests", "the limit %q is %d in %v", p, r.Count, r.Per).retryAfter(max(wait(b, n, now), time.Second))
}

// wait is the time until a bucket has n to give.
func wait(b *bucket, n int, now time.Time) time.Duration {
	missing := float64(n) - b.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing / float64(b.Limit()) * float64(time.Second))
}

func (l *limiter) bucket(p policy, who string) *bucket {
	l.sweep()
	key := bucketKey{p, who}
	b := l.buckets[key]
	if b == nil {
		r := l.rate(p)
		b = &bucket{Limiter: rate.NewLimiter(rate.Limit(float64(r.Count)/r.Per.Seconds()), r.Count)}
		l.buckets[key] = b
	}
	b.full = l.now().Add(l.rate(p).Per)
	return b
}

// sweep forgets buckets that are full again: a new one would be the same.
func (l *limiter) sweep() {
	now := l.now()
	if now.Sub(l.swept) < time.Minute {
		return
	}
	l.swept = now
	for key, b := range l.buckets {
		if b.full.Before(now) {
			delete(l.buckets, key)
		}
	}
}
