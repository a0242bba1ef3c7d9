package checker_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"judge/judge/checker"
)

func TestChecker(t *testing.T) {
	tests := []struct {
		name, flags    string
		output, answer string
		want           checker.Reason // empty: accepted
	}{
		{"both empty", "", "", "", ""},
		{"empty but for whitespace", "", " \n\n", "\t", ""},
		{"same", "", "a b\nc\n", "a b\nc\n", ""},
		{"six kinds of whitespace", "", "a\vb\fc\rd\te\nf g", "a b c d e f g", ""},
		{"other space is no whitespace", "", "a\u00a0b", "a b", checker.ReasonToken},
		{"NEL is no whitespace", "", "a\x85b", "a b", checker.ReasonToken},
		{"NUL is no whitespace", "", "a\x00", "a", checker.ReasonToken},
		{"no final line feed", "", "a b", "a b\n", ""},
		{"CRLF", "", "a\r\nb\r\n", "a\nb\n", ""},
		{"leading whitespace", "", "\n\n a", "a", ""},
		{"joined tokens", "", "ab", "a b", checker.ReasonToken},
		{"split token", "", "a b", "ab", checker.ReasonToken},
		{"prefix", "", "abcdefghi", "abcdefghij", checker.ReasonToken},
		{"longer", "", "abcdefghij", "abcdefghi", checker.ReasonToken},
		{"missing", "", "a", "a b", checker.ReasonMissing},
		{"nothing", "", "", "a", checker.ReasonMissing},
		{"surplus", "", "a b", "a", checker.ReasonSurplus},
		{"surplus to nothing", "", "a", "\n", checker.ReasonSurplus},
		{"case", "", "YES no", "yes NO", ""},
		{"case in long tokens", "", strings.Repeat("aB", 50), strings.Repeat("Ab", 50), ""},
		{"case sensitive", "case_sensitive", "YES", "Yes", checker.ReasonToken},
		{"only letters have case", "", "[", "{", checker.ReasonToken},
		{"only letters have case, at the other end", "", "@", "`", checker.ReasonToken},
		{"only ASCII has case", "", "É", "é", checker.ReasonToken},
		{"Kelvin sign is no k", "", "\u212a", "k", checker.ReasonToken},

		{"space: same", "space_change_sensitive", " a  b\n", " a  b\n", ""},
		{"space: case does not matter", "space_change_sensitive", "A b\n", "a B\n", ""},
		{"space: leading", "space_change_sensitive", " a\n", "a\n", checker.ReasonSpace},
		{"space: leading missing", "space_change_sensitive", "a\n", " a\n", checker.ReasonSpace},
		{"space: trailing", "space_change_sensitive", "a\n\n", "a\n", checker.ReasonSpace},
		{"space: trailing missing", "space_change_sensitive", "a", "a\n", checker.ReasonSpace},
		{"space: kind", "space_change_sensitive", "a\tb", "a b", checker.ReasonSpace},
		{"space: more", "space_change_sensitive", "a  b", "a b", checker.ReasonSpace},
		{"space: less", "space_change_sensitive", "a b", "a  b", checker.ReasonSpace},
		{"space: only", "space_change_sensitive", "\n", "", checker.ReasonSpace},
		{"space: after a number", "space_change_sensitive float_tolerance 1", "1.5 \n", "1\n", checker.ReasonSpace},
		{"space: number in place", "space_change_sensitive float_tolerance 1", "1.5\n2", "1\n2.25", ""},
		{"space: surplus", "space_change_sensitive", "a b", "a ", checker.ReasonSurplus},
		{"space: missing", "space_change_sensitive", "a ", "a b", checker.ReasonMissing},

		{"numbers are strings", "", "1.0", "1", checker.ReasonToken},
		{"numbers are strings: zero", "", "0", "-0", checker.ReasonToken},
		{"within absolute", "float_absolute_tolerance 0.1", "1.1", "1", ""},
		{"at the bound, which binary misses", "float_absolute_tolerance 0.1", "1.3", "1.2", ""},
		{"past the bound", "float_absolute_tolerance 0.1", "1.1000000000000000000000000000001", "1", checker.ReasonNumber},
		{"below", "float_absolute_tolerance 0.1", "0.9", "1", ""},
		{"too far below", "float_absolute_tolerance 0.1", "0.8999999999999999999999999999", "1", checker.ReasonNumber},
		{"relative", "float_relative_tolerance 1e-3", "1001", "1000", ""},
		{"relative to the answer", "float_relative_tolerance 1e-3", "1000", "1001.0010010", ""},
		{"relative, not to the output", "float_relative_tolerance 0.5", "2", "1", checker.ReasonNumber},
		{"relative, negative", "float_relative_tolerance 1e-3", "-1001", "-1000", ""},
		{"other sign", "float_relative_tolerance 1", "-1", "1", checker.ReasonNumber},
		{"other sign, twice", "float_relative_tolerance 2", "-1", "1", ""},
		{"relative to zero", "float_relative_tolerance 1e-3", "1e-300", "0", checker.ReasonNumber},
		{"either", "float_tolerance 1e-3", "1e-300", "0", ""},
		{"tolerance 0", "float_tolerance 0", "1.50e0", "+01.5", ""},
		{"tolerance 0, not the same", "float_tolerance 0", "1.5000000000000000000001", "1.5", checker.ReasonNumber},
		{"minus zero", "float_tolerance 0", "-0.000e5", "0", ""},
		{"output no number", "float_tolerance 1e9", "one", "1", checker.ReasonNotANumber},
		{"output nan", "float_tolerance 1e9", "nan", "1", checker.ReasonNotANumber},
		{"output inf", "float_tolerance 1e9", "inf", "1", checker.ReasonNotANumber},
		{"output hex", "float_tolerance 1e9", "0x1", "1", checker.ReasonNotANumber},
		{"output without digits", "float_tolerance 1e9", "-.", "1", checker.ReasonNotANumber},
		{"output half an exponent", "float_tolerance 1e9", "1e+", "1", checker.ReasonNotANumber},
		{"output two points", "float_tolerance 1e9", "1.0.0", "1", checker.ReasonNotANumber},
		{"answer nan", "float_tolerance 1e9", "NaN", "nan", ""},
		{"answer nan, output a number", "float_tolerance 1e9", "0", "nan", checker.ReasonToken},
		{"answer hex", "float_tolerance 1e9", "16", "0x10", checker.ReasonToken},
		{"answer begins as a number", "float_tolerance 1e9", "10", "1st", checker.ReasonToken},
		{"answer ends as a number", "float_tolerance 1e9", "1", "x1", checker.ReasonToken},
		{"every form", "float_tolerance 0", "1. .5 +1 -1e1 1E+01 00.10e-1", "1 5e-1 1.0 -10 10 .01", ""},
		{"surplus number", "float_tolerance 1", "1 2", "1", checker.ReasonSurplus},
		{"case sensitive exponent", "case_sensitive float_tolerance 0", "1E5", "1e5", ""},

		{"integers beyond float64", "float_absolute_tolerance 0", "9007199254740993", "9007199254740992", checker.ReasonNumber},
		{"one apart beyond float64", "float_absolute_tolerance 1", "100000000000000000000001", "100000000000000000000000", ""},
		{"two apart beyond float64", "float_absolute_tolerance 1", "100000000000000000000002", "100000000000000000000000", checker.ReasonNumber},
		{"overflow, equal", "float_tolerance 0", "10e399", "1e400", ""},
		{"overflow, within", "float_relative_tolerance 1e-6", "1.000001e400", "1e400", ""},
		{"overflow, not within", "float_relative_tolerance 1e-6", "1.0000010001e400", "1e400", checker.ReasonNumber},
		{"underflow", "float_relative_tolerance 1e-6", "2e-400", "1e-400", checker.ReasonNumber},
		{"huge exponent", "float_tolerance 1e-6", "1e999999999", "1", checker.ReasonNumber},
		{"tiny exponent", "float_tolerance 1e-6", "1e-999999999", "0", ""},
		{"tiny difference to the bound", "float_absolute_tolerance 1", "1e-999999999", "-1", checker.ReasonNumber},
		{"tiny difference within the bound", "float_absolute_tolerance 1", "-1e-999999999", "-1", ""},
		{"huge, equal", "float_tolerance 0", "10e999999998", "1e999999999", ""},
		{"huge, relative", "float_relative_tolerance 0.5", "1.5e999999999", "1e999999999", ""},
		{"huge, relative, too far", "float_relative_tolerance 0.5", "1.51e999999999", "1e999999999", checker.ReasonNumber},
		{"exponent beyond int64, equal", "float_tolerance 0", "0.1e100000000000000000000", "1e99999999999999999999", ""},
		{"exponent beyond int64, ten times", "float_relative_tolerance 8", "1e100000000000000000000", "1e99999999999999999999", checker.ReasonNumber},
		{"exponent beyond int64, ten times within", "float_relative_tolerance 9", "1e100000000000000000000", "1e99999999999999999999", ""},
		{"exponent beyond int64, against a small one", "float_tolerance 1e9", "1e99999999999999999999", "1", checker.ReasonNumber},
		{"exponent below int64, against a small one", "float_absolute_tolerance 1", "1e-99999999999999999999", "1", ""},
		{"exponent below int64, and past the bound", "float_absolute_tolerance 1", "-1e-99999999999999999999", "1", checker.ReasonNumber},
		{"exponents below int64, both within", "float_absolute_tolerance 1e-99999", "-1e-99999999999999999999", "1e-99999999999999999998", ""},
		{"exponents below int64, relative", "float_relative_tolerance 0.9", "1e-99999999999999999999", "1e-99999999999999999998", ""},
		{"exponents below int64, relative, too far", "float_relative_tolerance 0.89", "1e-99999999999999999999", "1e-99999999999999999998", checker.ReasonNumber},
		{"exponents beyond int64 on both sides", "float_relative_tolerance 1", "1e-99999999999999999999", "1e99999999999999999999", ""},
		{"exponents beyond int64, ten digits apart", "float_relative_tolerance 1e9", "1e99999999999999999999", "1e99999999999999999989", checker.ReasonNumber},
		{"exponents beyond int64, ten digits apart within", "float_relative_tolerance 1e10", "1e99999999999999999999", "1e99999999999999999989", ""},
		{"exponents below int64, far apart", "float_absolute_tolerance 1e-6", "1e-9999999999999999999", "1e-99999999999999999999", ""},
		{"zero with an exponent beyond int64", "float_tolerance 0", "0e99999999999999999999", "0", ""},
		{"exponent with leading zeros", "float_tolerance 0", "1e" + strings.Repeat("0", 5000) + "1", "10", ""},
		{"long tolerance", "float_absolute_tolerance 0." + strings.Repeat("123456789", 20), "0." + strings.Repeat("123456789", 20), "0", ""},
		{"long tolerance, not within", "float_absolute_tolerance 0." + strings.Repeat("123456789", 20), "0." + strings.Repeat("123456789", 20) + "01", "0", checker.ReasonNumber},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			flags := checker.SplitFlags(tt.flags)
			whole := judge(t, flags, tt.output, tt.answer)
			if whole.Reason != tt.want || whole.Accepted != (tt.want == "") {
				t.Errorf("accepted %v, %q: %s; want %q", whole.Accepted, whole.Reason, whole.Message, tt.want)
			}
			for _, cut := range []int{1, 2, 3, 7} {
				if diff := cmp.Diff(whole, judge(t, flags, tt.output, tt.answer, cut)); diff != "" {
					t.Errorf("cut in pieces of %d (-whole +cut):\n%s", cut, diff)
				}
			}
		})
	}
}

func TestFirstDifference(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct {
		name, flags    string
		output, answer string
		want           checker.Outcome
	}{
		{
			"token", "", "1 2\n3  foo\n5", "1\n2\n3\nbar 5",
			checker.Outcome{
				Reason: checker.ReasonToken, Offset: 7, Line: 2, Column: 4, Token: 4, AnswerLine: 4, Got: `"foo"`, Expected: `"bar"`,
				Message: `line 2, column 4 (byte 7, token 4; line 4 of the answer): got "foo", expected "bar"`,
			},
		},
		{
			"number", "float_tolerance 1e-6 float_relative_tolerance 1e-5", "3.15\n", "3.14\n",
			checker.Outcome{
				Reason: checker.ReasonNumber, Line: 1, Column: 1, Token: 1, AnswerLine: 1, Got: `"3.15"`, Expected: `"3.14"`,
				Message: `line 1, column 1 (byte 0, token 1; line 1 of the answer): got "3.15", expected "3.14" within 1e-6 (absolute) or 1e-5 (relative)`,
			},
		},
		{
			"no number", "float_absolute_tolerance 1e-6", "a\n\x1b[2J", "a\n1",
			checker.Outcome{
				Reason: checker.ReasonNotANumber, Offset: 2, Line: 2, Column: 1, Token: 2, AnswerLine: 2, Got: `"\x1b[2J"`, Expected: `"1"`,
				Message: `line 2, column 1 (byte 2, token 2; line 2 of the answer): got "\x1b[2J", expected the number "1"`,
			},
		},
		{
			"missing", "", "a\n b \n", "a b c\n",
			checker.Outcome{
				Reason: checker.ReasonMissing, Offset: 6, Line: 3, Column: 1, Token: 3, AnswerLine: 1, Expected: `"c"`,
				Message: `line 3, column 1 (byte 6, token 3; line 1 of the answer): the output ends, expected "c"`,
			},
		},
		{
			"surplus", "", "a b\xffc\u202e d", "a\n",
			checker.Outcome{
				Reason: checker.ReasonSurplus, Offset: 2, Line: 1, Column: 3, Token: 2, AnswerLine: 2, Got: `"b` + "\ufffd" + `c\u202e"`,
				Message: `line 1, column 3 (byte 2, token 2; line 2 of the answer): got "b` + "\ufffd" + `c\u202e", expected the end`,
			},
		},
		{
			"space", "space_change_sensitive", "a\nb\t\n", "a\nb \n",
			checker.Outcome{
				Reason: checker.ReasonSpace, Offset: 3, Line: 2, Column: 2, Token: 2, AnswerLine: 2, Got: "a tab", Expected: "a space",
				Message: `line 2, column 2 (byte 3, after token 2; line 2 of the answer): got a tab, expected a space`,
			},
		},
		{
			"space at the end", "space_change_sensitive", "a", "a\n",
			checker.Outcome{
				Reason: checker.ReasonSpace, Offset: 1, Line: 1, Column: 2, Token: 1, AnswerLine: 1, Got: "the end", Expected: "a line feed",
				Message: `line 1, column 2 (byte 1, after token 1; line 1 of the answer): got the end, expected a line feed`,
			},
		},
		{
			"deep in a long token", "", "\n" + long + "abc" + long, long + "äbc",
			checker.Outcome{
				Reason: checker.ReasonToken, Offset: 1, Line: 2, Column: 1, Token: 1, AnswerLine: 1,
				Got: `…"xxxxxxxxabc` + strings.Repeat("x", 37) + `"…`, Expected: `…"xxxxxxxxäbc"`,
				Message: `line 2, column 1 (byte 1, token 1; line 1 of the answer): got …"xxxxxxxxabc` + strings.Repeat("x", 37) +
					`"…, expected …"xxxxxxxxäbc" (different from byte 100001 of the token on)`,
			},
		},
		{
			"characters cut in two", "", strings.Repeat("€", 50), strings.Repeat("€", 30) + "x",
			checker.Outcome{
				Reason: checker.ReasonToken, Line: 1, Column: 1, Token: 1, AnswerLine: 1,
				Got: `…"` + strings.Repeat("€", 15) + `"…`, Expected: `…"€€x"`,
				Message: `line 1, column 1 (byte 0, token 1; line 1 of the answer): got …"` + strings.Repeat("€", 15) +
					`"…, expected …"€€x" (different from byte 91 of the token on)`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, cuts := range [][]int{nil, {1}, {1000, 1}} {
				got := judge(t, checker.SplitFlags(tt.flags), tt.output, tt.answer, cuts...)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("cut %v (-want +got):\n%s", cuts, diff)
				}
			}
		})
	}
}

func TestAnswerCannotBeRead(t *testing.T) {
	broken := errors.New("disk on fire")
	answer := func() io.Reader { return io.MultiReader(strings.NewReader("a b"), iotest.ErrReader(broken)) }
	t.Run("Write", func(t *testing.T) {
		c := checker.New(checker.Options{}, answer())
		n, err := io.WriteString(c, "a b c")
		if !errors.Is(err, broken) || n != 3 {
			t.Errorf("Write = %d, %v; want 3, %v", n, err, broken)
		}
		if _, err := io.WriteString(c, "d"); !errors.Is(err, broken) {
			t.Errorf("second Write: %v, want %v", err, broken)
		}
		if o, err := c.Close(); !errors.Is(err, broken) || o != (checker.Outcome{}) {
			t.Errorf("Close = %+v, %v; want %v", o, err, broken)
		}
	})
	t.Run("Close", func(t *testing.T) {
		for _, output := range []string{"", "a", "a b"} {
			c := checker.New(checker.Options{}, io.MultiReader(strings.NewReader(output), iotest.ErrReader(broken)))
			if _, err := io.WriteString(c, output); err != nil {
				t.Fatalf("Write(%q): %v", output, err)
			}
			if o, err := c.Close(); !errors.Is(err, broken) || o.Accepted {
				t.Errorf("after %q Close = %+v, %v; want %v", output, o, err, broken)
			}
		}
	})
	t.Run("in a token", func(t *testing.T) {
		c := checker.New(checker.Options{}, answer())
		_, err := io.WriteString(c, "a bc ")
		if !errors.Is(err, broken) {
			t.Errorf("Write: %v, want %v", err, broken)
		}
	})
	t.Run("after the decision", func(t *testing.T) {
		c := checker.New(checker.Options{}, answer())
		if _, err := io.WriteString(c, "x y z"); err != nil {
			t.Fatalf("Write: %v", err)
		}
		if o, err := c.Close(); err != nil || o.Accepted {
			t.Errorf("Close = %+v, %v; want a rejection", o, err)
		}
	})
}

func TestClosedTwice(t *testing.T) {
	c := checker.New(checker.Options{}, strings.NewReader("a"))
	first, err := c.Close()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "a"); err == nil {
		t.Error("Write after Close succeeds")
	}
	second, err := c.Close()
	if err != nil || first != second || second.Accepted {
		t.Errorf("Close = %+v, %v; the first time %+v", second, err, first)
	}
}

func TestCheck(t *testing.T) {
	broken := errors.New("pipe on fire")
	o, err := checker.Check(checker.Options{}, strings.NewReader("a b"), iotest.DataErrReader(iotest.OneByteReader(strings.NewReader("a\nb\n"))))
	if err != nil || !o.Accepted || o.ExitCode() != checker.ExitAccepted {
		t.Errorf("same: %+v, %v, exit %d", o, err, o.ExitCode())
	}
	o, err = checker.Check(checker.Options{}, strings.NewReader("a b"), strings.NewReader("a c"))
	if err != nil || o.Accepted || o.ExitCode() != checker.ExitRejected {
		t.Errorf("other: %+v, %v, exit %d", o, err, o.ExitCode())
	}
	_, err = checker.Check(checker.Options{}, strings.NewReader("a b"), iotest.ErrReader(broken))
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "output") {
		t.Errorf("output cannot be read: %v", err)
	}
	_, err = checker.Check(checker.Options{}, iotest.ErrReader(broken), strings.NewReader("a b"))
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "answer") {
		t.Errorf("answer cannot be read: %v", err)
	}
}
