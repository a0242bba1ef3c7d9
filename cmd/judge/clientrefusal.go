package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"judge/judge"
)

// refusal is an answer other than the one that was asked for: a problem as RFC
// 9457 has it, or what something between us and the server says.
type refusal struct {
	status int
	later  time.Duration // when it may go better; 0: not said

	Title     string        `json:"title"`
	Detail    string        `json:"detail"`
	Errors    []faultyField `json:"errors"`
	RequestID string        `json:"request_id"`
}

type faultyField struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Bytes of an answer that refuses which are read, and of one text that is shown.
const (
	maxRefusal = 1 << 20
	maxShown   = 4096
)

// refused reads an answer that is no success. A fault of who called is bad input.
func refused(res *http.Response) error {
	r := &refusal{status: res.StatusCode, later: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	err = errors.Join(err, res.Body.Close())
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err == nil && strings.HasSuffix(kind, "json") {
		_ = json.Unmarshal(data, r) // what cannot be read is told by its status
	}
	if r.Title == "" && r.Detail == "" {
		r.Detail = "the server answers " + res.Status
		switch {
		case res.StatusCode/100 == 3:
			r.Detail += " and names " + res.Header.Get("Location") + "; if you trust it, give that as --url"
		case res.StatusCode == http.StatusNotFound:
			r.Detail += "; is this the address of a judge?"
		}
	}
	if r.status/100 == 4 && r.status != http.StatusTooManyRequests && r.status != http.StatusRequestTimeout {
		return badInput{r}
	}
	return r
}

// Error is what the server says, field by field.
func (r *refusal) Error() string {
	text := r.Detail
	if text == "" {
		text = r.Title
	}
	for _, e := range r.Errors {
		if len(r.Errors) == 1 && text != "" || strings.Contains(text, e.Message) {
			continue // the detail says it
		}
		if text += "; "; e.Field != "" {
			text += e.Field + ": "
		}
		text += e.Message
	}
	switch {
	case r.status == http.StatusUnauthorized:
		text += " (judge takes it from JUDGE_TOKEN, --token or .demo.env)"
	case r.later > 0:
		text += fmt.Sprintf(" (again in %.0f s)", r.later.Seconds())
	}
	if r.status >= http.StatusInternalServerError && r.RequestID != "" {
		text += " (request " + r.RequestID + ")"
	}
	return judge.SafeText([]byte(text), maxShown)
}

// retryAfter reads the header of that name: seconds or a date; 0: neither.
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
