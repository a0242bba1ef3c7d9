package api

import (
	"context"
	"net/http"
	"time"

	"judge/judge"
)

// request is what a handler may ask about the request that it answers.
type request struct {
	id        string
	operation string
	token     judge.Token // zero where the route is public
	r         *http.Request
	w         http.ResponseWriter
}

type requestKey struct{}

// requestOf finds the request that a handler's context belongs to.
func requestOf(ctx context.Context) *request {
	q, _ := ctx.Value(requestKey{}).(*request)
	return q
}

// tokenOf is the token that a handler's request showed.
func tokenOf(ctx context.Context) judge.Token { return requestOf(ctx).token }

func requestID(ctx context.Context) string {
	if q := requestOf(ctx); q != nil {
		return q.id
	}
	return ""
}

// unhurried takes the deadlines off a request that waits or streams. The one for
// reading must go too: net/http reads on to notice that the client left, and
// would take a deadline for that.
func (q *request) unhurried() {
	c := http.NewResponseController(q.w)
	_ = c.SetReadDeadline(time.Time{}) // a recorder has none
	_ = c.SetWriteDeadline(time.Time{})
}

func contentType(ctx context.Context) string { return requestOf(ctx).r.Header.Get("Content-Type") }
