package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"judge/judge"
	"judge/judge/store"
)

// FuzzCursor: what is no cursor is refused as such, and what is one stands for one
// id, which leads back to it.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{"", "x", "AZfF4ZQAcACAAAAAAAAAAQ", "AZfF4ZQAcACAAAAAAAAAAR", "AZfF4ZQAcACAAAAAAAAAAQ==", "AZfF4ZQAcACAAAAA\nAAAAAQ", strings.Repeat("A", 1000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := store.ParseCursor(s)
		if err != nil {
			if !errors.Is(err, judge.ErrInvalid) {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		if uuid.Validate(id) != nil {
			t.Fatalf("%q stands for %q", s, id)
		}
		if again, err := store.ParseCursor(store.NewCursor(id)); s != "" && (err != nil || again != id) {
			t.Errorf("%q stands for %s, and that for %s, %v", s, id, again, err)
		}
	})
}

// FuzzPosition: a position is refused as such, or read as it is meant.
func FuzzPosition(f *testing.F) {
	for _, s := range []string{"", "0a1b2c3d-1f-2", "0a1b2c3d-1f-7fffffffffffffff", "0a1b2c3d--1-2", "0a1b2c3d-+1-2", "0a1b2c3d-ffffffffffffffff-1", "--", "0a1b2c3d-01-002"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := store.ReadPosition(s)
		if err != nil {
			if !errors.Is(err, judge.ErrInvalid) {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		if again, err := store.ReadPosition(p); err != nil || again != p {
			t.Errorf("%q is read as %q, and that as %q, %v", s, p, again, err)
		}
	})
}
