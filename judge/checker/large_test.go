package checker_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"judge/judge/checker"
)

const mib = 1 << 20

// repeat reads as n bytes of pattern over and over.
func repeat(pattern string, n int64) io.Reader {
	block := strings.Repeat(pattern, 1+(64<<10)/len(pattern))
	return io.LimitReader(&cycle{block: block[:len(block)/len(pattern)*len(pattern)]}, n)
}

type cycle struct {
	block string
	at    int
}

func (c *cycle) Read(p []byte) (int, error) {
	n := copy(p, c.block[c.at:])
	c.at = (c.at + n) % len(c.block)
	return n, nil
}

// TestConstantMemory judges streams that are far larger than what it may
// allocate in all.
func TestConstantMemory(t *testing.T) {
	const size, huge = 8 * mib, 64 * mib
	cat := io.MultiReader
	text := func(s string) io.Reader { return strings.NewReader(s) }
	tests := []struct {
		name, flags    string
		output, answer io.Reader
		want           checker.Reason
		allocated      uint64
	}{
		{"one token", "", repeat("abc", huge), repeat("abc", huge), "", mib},
		{"one token, other case", "", repeat("a", 8*mib), repeat("A", 8*mib), "", mib},
		{"one token, the last byte differs", "", cat(repeat("a", huge), text("b")), cat(repeat("a", huge), text("c")), checker.ReasonToken, mib},
		{"only the answer is long", "", text("a"), repeat("a", size), checker.ReasonToken, mib},
		{"only the output is long", "", repeat("a", size), text("a"), checker.ReasonToken, mib},
		{"whitespace", "", repeat(" ", size), repeat("\n", size), "", mib},
		{"whitespace that must match", "space_change_sensitive", repeat(" ", size), repeat(" ", size), "", mib},
		{"number", "float_tolerance 0", repeat("1", 2*size), repeat("1", 2*size), "", 16 * mib},
		{"number with zeros", "float_tolerance 0", cat(text("1."), repeat("0", size)), text("1"), "", mib},
		{"number with zeros before", "float_tolerance 0", cat(repeat("0", size), text("1")), text("1"), "", mib},
		{"number and a little", "float_tolerance 0", cat(text("1."), repeat("0", size), text("1")), text("1"), checker.ReasonNumber, mib},
		{"number and a little less than the bound", "float_tolerance 1", cat(text("1."), repeat("9", size)), text("1"), "", 16 * mib},
		{"number and a little more than the bound", "float_tolerance 1", cat(text("2."), repeat("0", size), text("1")), text("1"), checker.ReasonNumber, mib},
		{"number of many digits, within", "float_relative_tolerance 1e-6", cat(repeat("1", size), text("2")), cat(repeat("1", size), text("3")), "", 16 * mib},
		{"number a power of ten apart", "float_relative_tolerance 8.99", cat(repeat("1", size), text("1")), repeat("1", size), checker.ReasonNumber, 16 * mib},
		{"exponent", "float_tolerance 1", cat(text("1e"), repeat("9", size)), text("1"), checker.ReasonNumber, mib},
		{"negative exponent", "float_tolerance 1", cat(text("1e-"), repeat("9", size)), text("1"), "", mib},
		{"exponents", "float_tolerance 1", cat(text("1e"), repeat("9", size)), cat(text("1e"), repeat("9", size)), "", mib},
		{"no number after all", "float_tolerance 1", cat(repeat("1", size), text("x")), cat(repeat("1", size), text("y")), checker.ReasonToken, 16 * mib},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts, err := checker.ParseFlags(checker.SplitFlags(tt.flags))
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o, err := checker.Check(opts, tt.answer, tt.output)
			runtime.ReadMemStats(&after)
			if err != nil || o.Reason != tt.want || o.Accepted != (tt.want == "") {
				t.Errorf("accepted %v, %q: %s, %v; want %q", o.Accepted, o.Reason, o.Message, err, tt.want)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > tt.allocated {
				t.Errorf("allocated %d bytes, want at most %d", got, tt.allocated)
			}
		})
	}
}

// TestMaxDigits is the documented limit of exactness: digits past MaxDigits are
// told from none, but not from each other.
func TestMaxDigits(t *testing.T) {
	at := func(n int, last string) string { return "0.1" + strings.Repeat("0", n-2) + last }
	tests := []struct {
		name           string
		output, answer string
		want           checker.Reason
	}{
		{"the last digit differs", at(checker.MaxDigits, "1"), at(checker.MaxDigits, "2"), checker.ReasonNumber},
		{"the last digit is too many", at(checker.MaxDigits, "1"), "0.1", checker.ReasonNumber},
		{"one digit past the last", at(checker.MaxDigits+1, "1"), "0.1", checker.ReasonNumber},
		{"another digit past the last", at(checker.MaxDigits+1, "1"), at(checker.MaxDigits+1, "2"), ""},
		{"zeros past the last", at(checker.MaxDigits+9, "0"), "0.1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := judge(t, []string{"float_tolerance", "0"}, tt.output, tt.answer, 100_003)
			if o.Reason != tt.want {
				t.Errorf("%q: %s; want %q", o.Reason, o.Message, tt.want)
			}
		})
	}
}
