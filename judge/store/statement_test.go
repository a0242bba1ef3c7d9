//go:build postgres

package store_test

import (
	"errors"
	"strings"
	"testing"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

func TestStatementPage(t *testing.T) {
	s := storetest.NewWorld(t).Store
	source := strings.Repeat("0a", 32)
	if _, err := s.StatementPage(t.Context(), source); !errors.Is(err, judge.ErrNotFound) {
		t.Errorf("before there is one: %v", err)
	}
	for _, html := range []string{"<p>one</p>", "<p>two</p>"} {
		if err := s.PutStatementPage(t.Context(), source, html); err != nil {
			t.Fatal(err)
		}
	}
	if html, err := s.StatementPage(t.Context(), source); err != nil || html != "<p>one</p>" {
		t.Errorf("got %q, %v", html, err)
	}
	if err := s.PutStatementPage(t.Context(), source, strings.Repeat("x", store.MaxStatementPage+1)); !errors.Is(err, judge.ErrInvalid) {
		t.Errorf("a long one: %v", err)
	}
}
