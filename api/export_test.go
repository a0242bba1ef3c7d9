package api

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

// Operations lists the table of access.
func Operations() []string { return slices.Sorted(maps.Keys(access)) }

// ErrorTypes lists all that Error.Type may be.
func ErrorTypes() []string {
	var out []string
	for k := range kinds {
		out = append(out, typePrefix+string(k))
	}
	return out
}

// Feedback is what a policy leaves of a judgement.
func Feedback(j wire.Judgement, policy judge.Feedback, open map[string]bool) wire.Judgement {
	return feedback(j, policy, open)
}

// FeedbackRun is what a policy leaves of a run that is told of by itself.
func FeedbackRun(r wire.Run, policy judge.Feedback, open map[string]bool) (wire.Run, bool) {
	return feedbackRun(r, policy, open)
}

// ReadForm reads a form.
func ReadForm(body []byte, boundary string) (*SubmissionRequest, error) {
	return readForm(body, boundary)
}

// WaitOf reads ?wait.
var WaitOf = waitOf

// ReadCursor reads a cursor.
var ReadCursor = readCursor

// Limiter counts requests by a clock that a test may set.
type Limiter struct{ *limiter }

// NewLimiter makes one.
func NewLimiter(l Limits, now func() time.Time) Limiter { return Limiter{newLimiter(l, now)} }

// Submit counts submissions of a token, all of one person.
func (l Limiter) Submit(token, person string, n int) error {
	return l.submissions(http.Header{}, token, n, map[string]int{person: n})
}

// Buckets is how many it remembers.
func (l Limiter) Buckets() int { return len(l.buckets) }

// SafeNames gives texts their names in a zip.
func SafeNames() func(text string) string {
	n := newSafeNames()
	return func(text string) string { return n.of("", text) }
}
