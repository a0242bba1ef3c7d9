package checker_test

import (
	"io"
	"math/big"
	"regexp"
	"strings"

	"judge/judge/checker"
)

// The reference: the same rules, written the obvious way. It holds everything
// in memory and knows small exponents only.

var (
	refToken  = regexp.MustCompile(`[^ \t\n\v\f\r]+`)
	refNumber = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
)

type reference struct {
	caseSensitive, spaceSensitive bool
	absolute, relative            string // empty: none
}

func (r reference) flags() []string {
	var f []string
	if r.caseSensitive {
		f = append(f, "case_sensitive")
	}
	if r.spaceSensitive {
		f = append(f, "space_change_sensitive")
	}
	if r.absolute != "" {
		f = append(f, "float_absolute_tolerance", r.absolute)
	}
	if r.relative != "" {
		f = append(f, "float_relative_tolerance", r.relative)
	}
	return f
}

// accepts returns the outcome's Accepted, Reason and Token.
func (r reference) accepts(output, answer string) (bool, checker.Reason, int64) {
	out, ans := refToken.FindAllString(output, -1), refToken.FindAllString(answer, -1)
	outSpace, ansSpace := refToken.Split(output, -1), refToken.Split(answer, -1)
	for i := 0; ; i++ {
		if r.spaceSensitive && gap(outSpace, i) != gap(ansSpace, i) {
			return false, checker.ReasonSpace, int64(i)
		}
		switch {
		case i == len(out) && i == len(ans):
			return true, "", 0
		case i == len(out):
			return false, checker.ReasonMissing, int64(i + 1)
		case i == len(ans):
			return false, checker.ReasonSurplus, int64(i + 1)
		}
		if why := r.token(out[i], ans[i]); why != "" {
			return false, why, int64(i + 1)
		}
	}
}

// gap is the whitespace before token i, or after the last. Split leaves out an
// empty last one.
func gap(space []string, i int) string {
	if i < len(space) {
		return space[i]
	}
	return ""
}

func (r reference) token(s, a string) checker.Reason {
	equal := s == a || !r.caseSensitive && asciiLower(s) == asciiLower(a)
	switch {
	case equal:
		return ""
	case r.absolute == "" && r.relative == "" || !refNumber.MatchString(a):
		return checker.ReasonToken
	case !refNumber.MatchString(s):
		return checker.ReasonNotANumber
	case !r.within(s, a):
		return checker.ReasonNumber
	}
	return ""
}

func (r reference) within(s, a string) bool {
	x, y := rat(s), rat(a)
	diff := new(big.Rat).Sub(x, y)
	diff.Abs(diff)
	if r.absolute != "" && diff.Cmp(rat(r.absolute)) <= 0 {
		return true
	}
	return r.relative != "" && diff.Cmp(new(big.Rat).Mul(rat(r.relative), y.Abs(y))) <= 0
}

func rat(s string) *big.Rat {
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("big.Rat does not read " + s)
	}
	return x
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, x := range b {
		if x >= 'A' && x <= 'Z' {
			b[i] = x + 'a' - 'A'
		}
	}
	return string(b)
}

// failer is what *testing.T, *testing.F and *rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// judge runs a checker over output, cut at the given lengths again and again.
func judge(t failer, flags []string, output, answer string, cuts ...int) checker.Outcome {
	t.Helper()
	opts, err := checker.ParseFlags(flags)
	if err != nil {
		t.Fatalf("ParseFlags(%q): %v", flags, err)
	}
	c := checker.New(opts, strings.NewReader(answer))
	rest := output
	for i := 0; len(rest) > 0; i++ {
		n := len(rest)
		if len(cuts) > 0 {
			n = min(max(cuts[i%len(cuts)], 1), n)
		}
		if _, err := io.WriteString(c, rest[:n]); err != nil {
			t.Fatalf("Write: %v", err)
		}
		rest = rest[n:]
	}
	o, err := c.Close()
	if err != nil {
		t.Fatalf("Close: %v", err)
	}
	return o
}
