package store

import (
	"fmt"
	"time"

	"judge/judge"
)

// optional is null for the zero value, as value is the zero value for null.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func moment(p *time.Time) time.Time {
	if p == nil {
		return time.Time{}
	}
	return p.UTC()
}

// changed is judge.ErrNotFound when a statement found no row to change.
func changed(err error, rows int64, doing string) error {
	if err == nil && rows == 0 {
		return fmt.Errorf("%s: %w", doing, judge.ErrNotFound)
	}
	return wrap(err, doing)
}
