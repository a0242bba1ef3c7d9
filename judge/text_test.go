package judge_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"judge/judge"
)

func TestSafeText(t *testing.T) {
	tests := []struct {
		name, in string
		limit    int
		want     string
	}{
		{"plain", "a\tb\nč€😀", 100, "a\tb\nč€😀"},
		{"empty", "", 0, ""},
		{"NUL", "a\x00b", 100, "a\uFFFDb"},
		{"not UTF-8", "a\xff\xc3(b", 100, "a\uFFFD\uFFFD(b"},
		{"surrogate half", "\xed\xa0\x80", 100, "\uFFFD\uFFFD\uFFFD"},
		{"terminal escape", "\x1b[31mred\x07\x7f", 100, `\x1b[31mred\x07\x7f`},
		{"carriage return", "a\r\nb", 100, `a\r` + "\nb"},
		{"C1 control", "a\u009bb", 100, `a\u009bb`},
		{"right to left override", "a\u202eb", 100, `a\u202eb`},
		{"tag character", "a\U000e0041b", 100, `a\u0e0041b`},
		{"exactly the limit", "0123456789", 10, "0123456789"},
		{"one above", "0123456789a", 10, "0123\n[cut]"},
		{"cut between characters", "012€56789", 10, "012\n[cut]"},
		{"escape is not split", "\x1b\x1b\x1b\x1b", 11, `\x1b` + "\n[cut]"},
		{"no room for the mark", "€€", 5, "€"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge.SafeText([]byte(tt.in), tt.limit); got != tt.want {
				t.Errorf("SafeText(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

func FuzzSafeText(f *testing.F) {
	f.Add([]byte("a\x00\x1b\xff€\r\n"), 10)
	f.Add([]byte("€€€€€"), 7)
	f.Fuzz(func(t *testing.T, b []byte, limit int) {
		limit = max(0, min(limit, 1<<20))
		got := judge.SafeText(b, limit)
		if len(got) > limit {
			t.Fatalf("%d bytes, limit %d", len(got), limit)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
		}); i >= 0 {
			t.Fatalf("control character left at byte %d of %q", i, got)
		}
		if again := judge.SafeText([]byte(got), limit); again != got {
			t.Fatalf("twice: %q, once: %q", again, got)
		}
	})
}
