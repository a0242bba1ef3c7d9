package checker_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"judge/judge/checker"
)

// agree fails unless the checker says of output what the reference says, cut as
// cuts say and whole.
func agree(t failer, r reference, output, answer string, cuts ...int) {
	t.Helper()
	whole := judge(t, r.flags(), output, answer)
	accepted, why, token := r.accepts(output, answer)
	if whole.Accepted != accepted || whole.Reason != why || whole.Token != token {
		t.Fatalf("flags %q, output %q, answer %q: %v %q token %d (%s); the reference says %v %q token %d",
			r.flags(), output, answer, whole.Accepted, whole.Reason, whole.Token, whole.Message, accepted, why, token)
	}
	if cut := judge(t, r.flags(), output, answer, cuts...); cut != whole {
		t.Fatalf("flags %q, output %q, answer %q: cut %v\n%+v\nwhole\n%+v", r.flags(), output, answer, cuts, cut, whole)
	}
	if cut := judge(t, r.flags(), output, answer, 1); cut != whole {
		t.Fatalf("flags %q, output %q, answer %q: byte by byte\n%+v\nwhole\n%+v", r.flags(), output, answer, cut, whole)
	}
	wellFormed(t, &whole, output)
}

// wellFormed checks what holds of every outcome.
func wellFormed(t failer, o *checker.Outcome, output string) {
	t.Helper()
	if o.Accepted {
		if *o != (checker.Outcome{Accepted: true}) {
			t.Fatalf("accepted, but %+v", o)
		}
		return
	}
	if !utf8.ValidString(o.Message) || strings.ContainsFunc(o.Message, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Fatalf("message %q is not plain text", o.Message)
	}
	if len(o.Message) > 1000 {
		t.Fatalf("message of %d bytes", len(o.Message))
	}
	before := output[:o.Offset]
	if line := int64(strings.Count(before, "\n")) + 1; line != o.Line {
		t.Fatalf("offset %d of %q is in line %d, not %d", o.Offset, output, line, o.Line)
	}
	if column := o.Offset - int64(strings.LastIndexByte(before, '\n')); column != o.Column {
		t.Fatalf("offset %d of %q is in column %d, not %d", o.Offset, output, column, o.Column)
	}
}

// Pieces of which outputs and answers are made: what the rules tell apart, and
// lengths around the eight bytes that are compared at once.
var pieces = []string{
	" ", "  ", "\n", "\r\n", "\t", "\v\f", "        ",
	"a", "A", "b", "abc", "aBC", "\x00", "\x80", "\xe9", "é", "[", "{", "@", "`", "\x0e", "\x08", "\x1f", "!",
	"abcdefgh", "ABCDEFGH", "abcdefghijklmnopqrstuvwxyz0123456789",
	"0", "1", "-", "+", ".", "e", "E", "00", "1.5", "1.50", "1.4", "2", "-1", "1e2", "100", "101", "nan", "0x1", "1e-3", ".001", "9999999999999999", "10000000000000000",
}

func TestAgainstReference(t *testing.T) {
	tolerances := rapid.SampledFrom([]string{"", "0", "0.1", "1e-6", "1", "50"})
	texts := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12)
	rapid.Check(t, func(rt *rapid.T) {
		r := reference{
			caseSensitive:  rapid.Bool().Draw(rt, "case"),
			spaceSensitive: rapid.Bool().Draw(rt, "space"),
			absolute:       tolerances.Draw(rt, "absolute"),
			relative:       tolerances.Draw(rt, "relative"),
		}
		answer := texts.Draw(rt, "answer")
		output := append([]string(nil), answer...)
		for range rapid.IntRange(0, 3).Draw(rt, "changes") { // most outputs are nearly right
			i := rapid.IntRange(0, len(output)).Draw(rt, "at")
			j := rapid.IntRange(i, min(i+1, len(output))).Draw(rt, "to")
			output = append(append(append([]string(nil), output[:i]...), texts.Draw(rt, "new")...), output[j:]...)
		}
		cuts := rapid.SliceOfN(rapid.IntRange(1, 20), 1, 5).Draw(rt, "cuts")
		got, want := strings.Join(output, ""), strings.Join(answer, "")
		if hugeExponent(got) || hugeExponent(want) { // as of 1e2 beside 10000000000000000
			rt.Skip("too large for the reference")
		}
		agree(rt, r, got, want, cuts...)
	})
}

func FuzzChecker(f *testing.F) {
	f.Add("a b", "A  b", byte(0), byte(1), byte(2))
	f.Add("1.5 x\n", "1.50 X", byte(0x0c), byte(3), byte(8))
	f.Add("abcdefgh 12345678", "abcdefgh 12345679", byte(0x1f), byte(9), byte(1))
	tolerances := []string{"", "1e-6", "0.5", "0"}
	f.Fuzz(func(t *testing.T, output, answer string, flags, cut1, cut2 byte) {
		r := reference{
			caseSensitive:  flags&1 != 0,
			spaceSensitive: flags&2 != 0,
			absolute:       tolerances[flags>>2&3],
			relative:       tolerances[flags>>4&3],
		}
		if r.absolute+r.relative != "" && (hugeExponent(output) || hugeExponent(answer)) {
			t.Skip("too large for the reference")
		}
		agree(t, r, output, answer, int(cut1), int(cut2))
	})
}

// hugeExponent reports whether big.Rat would need much memory for a token.
func hugeExponent(s string) bool {
	for _, token := range refToken.FindAllString(s, -1) {
		if i := strings.IndexAny(token, "eE"); i >= 0 && len(strings.TrimLeft(token[i+1:], "+-0")) > 3 {
			return true
		}
	}
	return false
}

// FuzzNumbers compares two numbers that are near to each other, or not, with
// what big.Rat says.
func FuzzNumbers(f *testing.F) {
	f.Add("1.1", "1", "0.1", "0")
	f.Add("100000000000000000000001", "1e23", "1", "1e-23")
	f.Add("-0.00e5", "+.0", "0", "0")
	f.Add("9.999999999999999999", "10", "1e-18", "1e-19")
	f.Add("1e300", "1e-300", "1e300", "1e999")
	f.Add("12345678901234567890123456789012345678901234567890", "0", "12345678901234567890123456789012345678901234567890", "0")
	f.Fuzz(func(t *testing.T, output, answer, absolute, relative string) {
		for _, s := range []string{output, answer, absolute, relative} {
			if !refNumber.MatchString(s) || hugeExponent(s) {
				t.Skip("not a number, or too large for the reference")
			}
		}
		for _, r := range []reference{{absolute: absolute}, {relative: relative}, {absolute: absolute, relative: relative}} {
			if _, err := checker.ParseFlags(r.flags()); err != nil {
				continue
			}
			agree(t, r, output, answer, 3, 1)
			agree(t, r, answer, output, 2)
		}
	})
}

// TestNumbersAtTheBound draws numbers that lie on the bound of a tolerance, or
// off it by one in a far digit, where rounding would decide wrongly.
func TestNumbersAtTheBound(t *testing.T) {
	digits := rapid.StringMatching(`[0-9]{1,40}`)
	rapid.Check(t, func(rt *rapid.T) {
		answer := rapid.StringMatching(`[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,2})?`).Draw(rt, "answer")
		tolerance := rapid.StringMatching(`([0-9]{0,3}\.)?[0-9]{1,30}([eE]-?[0-9]{1,2})?`).Draw(rt, "tolerance")
		y, eps := rat(answer), rat(tolerance)
		r := reference{absolute: tolerance}
		if rapid.Bool().Draw(rt, "relative") {
			r = reference{relative: tolerance}
			eps.Mul(eps, y).Abs(eps)
		}
		if rapid.Bool().Draw(rt, "below") {
			eps.Neg(eps)
		}
		x := eps.Add(eps, y)
		if rapid.Bool().Draw(rt, "off") {
			x.Add(x, rat("1e-"+digits.Draw(rt, "place")[:1]+"5"))
		}
		agree(rt, r, x.FloatString(260), answer, 5)
	})
}

// TestEveryByte puts each byte at each place of a word of eight, to see what it
// counts as: the place of what is missing after it tells.
func TestEveryByte(t *testing.T) {
	for b := range 256 {
		for at := range 9 {
			text := "12345678"[:at] + string([]byte{byte(b)}) + "abcdefgh"
			agree(t, reference{}, text, text+" z", 5)
			agree(t, reference{spaceSensitive: true}, text, text+"\n", 8)
			agree(t, reference{caseSensitive: true}, "yy"+text, "zz"+text, 8)
		}
	}
}
