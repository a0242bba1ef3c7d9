package checker_test

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"judge/judge/checker"
)

func compare(t *testing.T, name, flags, answer, output string, piece int) (checker.Outcome, error) {
	t.Helper()
	b, err := checker.ParseBuiltin(name, strings.Fields(flags))
	if err != nil {
		t.Fatal(err)
	}
	c := b.New(iotest.HalfReader(strings.NewReader(answer)))
	for part := range slices.Chunk([]byte(output), piece) {
		if _, err := c.Write(part); err != nil {
			return checker.Outcome{}, err
		}
	}
	return c.Close()
}

func TestBuiltin(t *testing.T) {
	const all = 1.0
	for _, c := range []struct {
		name, flags, answer, output string
		accepted                    bool
		credit                      float64
	}{
		{"identical", "", "a b\n", "a b\n", true, all},
		{"identical", "", "a b\n", "a b", false, 0},
		{"identical", "", "a b\n", "A b\n", false, 0},

		{"standard", "", "1 2\n3\n", "\n 1   2 \r\n\n\n3", true, all},
		{"standard", "", "1 2\n3\n", "1\n2 3", false, 0},
		{"standard", "", "1 2\n", "1 2 3\n", false, 0},
		{"standard", "", "1 2\n", "1\n", false, 0},
		{"standard", "", "a\n", "A\n", false, 0},
		{"standard", "", "", " \n", true, all},

		{"easy", "", "Hello World", "dlrow\nolleh", true, all},
		{"easy", "", "Hello World", "hello worl", false, 0},
		{"easy", "", "aab", "abb", false, 0},

		{"unordered", "", "1 2 2 3", "3\n2 1 2", true, all},
		{"unordered", "", "1 2 2 3", "3 3 2 1", false, 0},
		{"unordered", "", "12", "1 2", false, 0},

		{"sorted", "", "b 1\na 2\n", "a  2\r\n\nb 1", true, all},
		{"sorted", "", "b 1\na 2\n", "a 1\nb 2", false, 0},
		{"sorted", "", "ab\n", "a b\n", false, 0},
		{"sorted", "split_on whitespace", "b 1\na 2\n", "a 1\nb 2", true, all},

		{"rstripped", "", "a \nb\n", "a\nb  \n", true, all},
		{"rstripped", "", "a\nb\n", "a\nb", false, 0}, // the line after the last line feed counts
		{"rstripped", "", "a\n", " a\n", false, 0},
		{"rstripped", "filter_new_line true", "a\nb\n", "a\n\nb", true, all},

		{"linecount", "", "a\nb\nc\nd\n", "a\nx\n c \nd", false, 0.75},
		{"linecount", "", "a\nb\n", "a\nb\n", true, all},
		{"linecount", "", "a\nb\n", "a\n", false, 0.5},
		{"linecount", "", "a\nb\n", "a\nb\nc\n", false, 0},
		{"linecount", "", "", "", true, all},

		{"linematches", "point_distribution 1,3", "a\nb\n", "x\nb\n", true, 0.75},
		{"linematches", "point_distribution 1,3", "a\nb\n", "x\ny\n", false, 0},
		{"linematches", "point_distribution 1,3", "a\nb\n", "a\n", false, 0},
		{"linematches", "point_distribution 1,3 filler_lines_required false", "a\nb\n", "a\n", true, 0.25},
		{"linematches", "point_distribution 1,3 filler_lines_required false", "a\nb\n", "a\nb\nc\n", true, 1},
		{"linematches", "point_distribution 1,3", "a\nb\n", "a\nb\nc\n", false, 0},

		{"floats", "", "1.0 x\n", "1.0000009 x\n", true, all},
		{"floats", "", "1.0 x\n", "1.00001 x\n", false, 0},
		{"floats", "", "1000000\n", "1000000.9\n", true, all},
		{"floats", "error_mode absolute", "1000000\n", "1000000.9\n", false, 0},
		{"floats", "precision 2", "1 2\n", "1\n2\n", false, 0}, // lines must be the same
		{"floatsabs", "precision 2", "100\n", "100.01\n", true, all},
		{"floatsabs", "precision 2", "100\n", "100.02\n", false, 0},
		{"floatsrel", "precision 2", "100\n", "101\n", true, all},
		{"floatsrel", "precision 2", "0\n", "0.001\n", false, 0},
		{"floats", "", "nan\n", "nan\n", true, all},
		{"floats", "", "1\n", "nan\n", false, 0},
	} {
		for _, piece := range []int{1, 3, 1 << 20} {
			o, err := compare(t, c.name, c.flags, c.answer, c.output, piece)
			if err != nil {
				t.Errorf("%s %s, answer %q, output %q: %v", c.name, c.flags, c.answer, c.output, err)
				continue
			}
			if o.Accepted != c.accepted || math.Abs(o.Credit-c.credit) > 1e-12 {
				t.Errorf("%s %s, answer %q, output %q in pieces of %d: %+v", c.name, c.flags, c.answer, c.output, piece, o)
			}
			if !o.Accepted && (o.Message == "" || o.Reason == "") {
				t.Errorf("%s, answer %q, output %q: no reason: %+v", c.name, c.answer, c.output, o)
			}
		}
	}
}

func TestBuiltinFlags(t *testing.T) {
	for _, c := range []struct{ name, flags, want string }{
		{"nosuch", "", "unknown checker"},
		{"floats", "precision", "no value"},
		{"floats", "precision -1", "number of digits"},
		{"floats", "precision 401", "from 0 to 400"},
		{"floats", "error_mode odd", "default, absolute or relative"},
		{"floatsabs", "error_mode relative", "no such flag"},
		{"sorted", "split_on words", "lines or whitespace"},
		{"linematches", "point_distribution 0,0", "above 0"},
		{"linematches", "point_distribution 1,x", "number of points"},
		{"linecount", "match lambda", "no such flag"},
		{"standard", "precision 3", "no such flag"},
	} {
		if _, err := checker.ParseBuiltin(c.name, strings.Fields(c.flags)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, want %q in it", c.name, c.flags, err, c.want)
		}
	}
}

// What the package got wrong, and what we cannot read, is no outcome.
func TestBuiltinErrors(t *testing.T) {
	if _, err := compare(t, "linematches", "point_distribution 1,2", "a\n", "a\n", 1); err == nil {
		t.Error("as many numbers as lines were not asked for")
	}
	broken := errors.New("broken")
	for _, name := range checker.Names() {
		b, err := checker.ParseBuiltin(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := b.New(io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken)))
		_, first := c.Write([]byte("a\nb\n"))
		if _, last := c.Close(); !errors.Is(first, broken) && !errors.Is(last, broken) {
			t.Errorf("%s: the answer cannot be read, but the errors are %v and %v", name, first, last)
		}
	}
}

// However the output is cut, and whatever is in it, the outcome is the same; an
// answer is always accepted as its own output.
func FuzzBuiltin(f *testing.F) {
	f.Add("1 2\n3\n", "1 2\r\n3", 2)
	f.Add("nan 1e400\n", "\x00 +.5\n", 1)
	f.Add("١٢ 0x1p3\n", "12\v8", 5)
	f.Fuzz(func(t *testing.T, answer, output string, piece int) {
		for _, name := range checker.Names() {
			if name == "linematches" {
				continue
			}
			whole, err := compare(t, name, "", answer, output, len(output)+1)
			if err != nil {
				t.Fatal(err)
			}
			if cut, err := compare(t, name, "", answer, output, max(1, piece%64)); err != nil || cut != whole {
				t.Errorf("%s: %+v in one piece, %+v (%v) in several", name, whole, cut, err)
			}
			if own, err := compare(t, name, "", answer, answer, 7); err != nil || !own.Accepted {
				t.Errorf("%s refuses %q as its own output: %+v, %v", name, answer, own, err)
			}
		}
	})
}
