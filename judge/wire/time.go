package wire

import (
	"encoding/json"
	"fmt"
	"time"
)

// Time is a time as JSON: RFC 3339, UTC, with milliseconds.
type Time time.Time

const layout = "2006-01-02T15:04:05.000Z07:00"

// MarshalJSON writes t in UTC, cut to milliseconds.
func (t Time) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(t).UTC().Format(layout))
}

// UnmarshalJSON reads any RFC 3339 time.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("read time: %w", err)
	}
	parsed, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("read time: %w", err)
	}
	*t = Time(parsed.UTC())
	return nil
}

func newTime(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	out := Time(t)
	return &out
}
