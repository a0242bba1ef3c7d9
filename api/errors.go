package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

// Error is an RFC 9457 problem detail: what is wrong with a request, or that we
// failed. Type is for programs, and one of those in kinds.
type Error struct {
	Type      string       `json:"type" doc:"What went wrong, for programs." example:"urn:judge:not-found"`
	Title     string       `json:"title" doc:"The same for people."`
	Status    int          `json:"status"`
	Detail    string       `json:"detail" doc:"What is wrong this time, and what would be right."`
	Errors    []FieldError `json:"errors,omitempty" doc:"What is wrong with which field."`
	RequestID string       `json:"request_id" doc:"By which the server's log is found."`

	headers http.Header
}

// FieldError is what is wrong with one field of a request.
type FieldError struct {
	Field   string `json:"field" doc:"Where it is: body.files[0].name, query.limit." example:"body.problem"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Detail }

// GetStatus is for huma.
func (e *Error) GetStatus() int { return e.Status }

// GetHeaders is for huma.
func (e *Error) GetHeaders() http.Header { return e.headers }

// ContentType is for huma.
func (e *Error) ContentType(string) string { return "application/problem+json" }

// kind is a Type without its prefix.
type kind string

const typePrefix = "urn:judge:"

// The kinds of errors, with their status and title.
var kinds = map[kind]struct {
	status int
	title  string
}{
	"bad-request":        {http.StatusBadRequest, "The request cannot be read"},
	"unauthorized":       {http.StatusUnauthorized, "A token is wanted"},
	"forbidden":          {http.StatusForbidden, "This token may not do that"},
	"not-found":          {http.StatusNotFound, "Not found"},
	"method-not-allowed": {http.StatusMethodNotAllowed, "No such method here"},
	"not-acceptable":     {http.StatusNotAcceptable, "No such format"},
	"timeout":            {http.StatusRequestTimeout, "The request came too slowly"},
	"conflict":           {http.StatusConflict, "Not in this state"},
	"changed":            {http.StatusPreconditionFailed, "It has changed meanwhile"},
	"gone":               {http.StatusGone, "Not there any more"},
	"too-large":          {http.StatusRequestEntityTooLarge, "Too large"},
	"media-type":         {http.StatusUnsupportedMediaType, "No such content type here"},
	"invalid":            {http.StatusUnprocessableEntity, "A field is wrong"},
	"source":             {http.StatusUnprocessableEntity, "This source cannot be judged"},
	"package":            {http.StatusUnprocessableEntity, "This package cannot be used"},
	"key-reused":         {http.StatusUnprocessableEntity, "Idempotency key used with another request"},
	"contest":            {http.StatusForbidden, "The contest does not take this"},
	"too-many-requests":  {http.StatusTooManyRequests, "Too many requests"},
	"internal":           {http.StatusInternalServerError, "We failed"},
	"unavailable":        {http.StatusServiceUnavailable, "Not now"},
}

// fault makes an error of a kind.
func fault(k kind, format string, args ...any) *Error {
	e := &Error{Type: typePrefix + string(k), Title: kinds[k].title, Status: kinds[k].status, Detail: fmt.Sprintf(format, args...)}
	if e.Status == 0 {
		return fault("internal", "unknown kind of error %q", k)
	}
	return e
}

// in names the field that an error is about.
func (e *Error) in(field, format string, args ...any) *Error {
	e.Errors = append(e.Errors, FieldError{field, fmt.Sprintf(format, args...)})
	return e
}

func (e *Error) header(name, value string) *Error {
	if e.headers == nil {
		e.headers = http.Header{}
	}
	e.headers.Set(name, value)
	return e
}

func (e *Error) retryAfter(d time.Duration) *Error {
	return e.header("Retry-After", strconv.Itoa(int((d+time.Second-1)/time.Second)))
}

// wrongField is the error about one field.
func wrongField(field, format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	return fault("invalid", "%s: %s", field, text).in(field, "%s", text)
}

// unknown is the error about what is not there, or must not be known of.
func unknown(what, name string) *Error {
	return fault("not-found", "%s %.80q: there is none, or this token may not see it", what, name)
}

func noRoute(r *http.Request) *Error {
	return fault("not-found", "%.200s: there is nothing here; see /docs", r.URL.Path)
}

func noMethod(r *http.Request) *Error {
	return fault("method-not-allowed", "%.20s is not for %.200s; see /docs", r.Method, r.URL.Path)
}

// explain turns what a handler returned into what the client is told. Errors that
// are not the client's are logged here, and nothing of them is said.
func (s *Server) explain(ctx context.Context, err error) *Error {
	e := s.classify(ctx, err)
	e.RequestID = requestID(ctx)
	return e
}

func (s *Server) classify(ctx context.Context, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		copied := *e
		return &copied
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return fault("too-large", "the body has more than %d bytes", tooLarge.Limit)
	}
	switch {
	case errors.Is(err, judge.ErrNotFound):
		return fault("not-found", "there is no such thing, or this token may not see it")
	case errors.Is(err, judge.ErrSource):
		return fault("source", "%s", err)
	case errors.Is(err, judge.ErrConflict), errors.Is(err, judge.ErrStale), errors.Is(err, judge.ErrCordoned):
		return fault("conflict", "its state does not allow this, or it exists already")
	case errors.Is(err, judge.ErrGone):
		return fault("gone", "this position is of a database that was replaced: begin anew")
	case errors.Is(err, judge.ErrInvalid):
		return fault("invalid", "a value is out of range, no UTF-8, or has a NUL")
	case ctx.Err() != nil:
		return fault("unavailable", "the client left, or the server stops").retryAfter(time.Second)
	case s.Unavailable(err):
		s.Log.WarnContext(ctx, "not available", "request_id", requestID(ctx), "error", err)
		return fault("unavailable", "the database cannot be reached for now; try again").retryAfter(2 * time.Second)
	}
	s.Log.ErrorContext(ctx, "request failed", "request_id", requestID(ctx), "error", err)
	return fault("internal", "an error of ours, which the log has by the request's id; trying again may help")
}

// byStatus are the kinds of what huma refuses by itself.
var byStatus = map[int]kind{
	http.StatusBadRequest: "bad-request", http.StatusNotAcceptable: "not-acceptable", http.StatusRequestTimeout: "timeout",
	http.StatusRequestEntityTooLarge: "too-large", http.StatusUnsupportedMediaType: "media-type",
	http.StatusUnprocessableEntity: "invalid", http.StatusInternalServerError: "internal",
}

func humaError(status int, msg string, errs []error) *Error {
	k, ok := byStatus[status]
	if !ok {
		k = "internal"
	}
	e := fault(k, "%s", msg)
	if k == "internal" {
		return e // what else there is may be ours alone
	}
	for _, err := range errs {
		if d, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			e = e.in(d.Location, "%s", d.Message)
		} else if err != nil {
			e = e.in("", "%s", err)
		}
	}
	if len(e.Errors) > 0 {
		e.Detail = fmt.Sprintf("%s: %s", e.Errors[0].Field, e.Errors[0].Message)
	}
	return e
}
