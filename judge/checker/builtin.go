package checker

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Comparison is a comparison of one output with one answer that is under way. It
// takes the output in pieces of any size; how it is cut changes nothing. Not for
// concurrent use.
type Comparison interface {
	// Write takes the next piece of the output. A wrong answer is no error: it
	// fails if the answer cannot be read, and after Close.
	io.Writer
	// Close says that the output has ended. It fails if the answer could not be
	// read. Closing again returns the same.
	Close() (Outcome, error)
}

// Builtin is one of the comparisons that DMOJ's problems may name instead of
// bringing a checker (https://docs.dmoj.ca/#/problem_format/checkers):
//
//	standard      tokens, in the same lines; blank lines do not count
//	easy          the same bytes but whitespace in any order and in either case
//	floats        numbers within 10^-precision, absolute or relative; lines as they are
//	floatsabs     the same, absolute only
//	floatsrel     the same, relative only
//	identical     the same bytes
//	linecount     lines in order; a part of the points for each that is right
//	linematches   lines in order, with points of their own; any point is enough
//	rstripped     lines in order but for whitespace at their ends
//	sorted        lines in any order, or tokens with split_on whitespace
//	unordered     tokens in any order
//
// Where whole lines are compared, one line of each side is held in memory; where
// order does not matter, sixteen bytes for each line or token are.
type Builtin struct {
	name         string
	options      Options   // floats
	points       []float64 // linematches
	fillers      bool      // linematches: as many lines as the answer has
	dropEmpty    bool      // rstripped
	byWhitespace bool      // sorted
}

// Names are the names of all built-in comparisons.
func Names() []string {
	return []string{
		"standard", "easy", "floats", "floatsabs", "floatsrel", "identical", "linecount", "linematches",
		"rstripped", "sorted", "unordered",
	}
}

// defaultPrecision is of floats, in decimal digits (DMOJ).
const defaultPrecision = "6"

// ParseBuiltin reads the name of a built-in comparison and its flags, each a name
// with a value after it: precision DIGITS and error_mode default|absolute|relative
// of floats, split_on lines|whitespace of sorted, filter_new_line true|false of
// rstripped, point_distribution N,N,… and filler_lines_required true|false of
// linematches. The error names the flag and the remedy.
func ParseBuiltin(name string, flags []string) (Builtin, error) {
	b := Builtin{name: name, points: []float64{1}, fillers: true}
	if !slices.Contains(Names(), name) {
		return b, fmt.Errorf("unknown checker %s; the judge has %s", shown(name), strings.Join(Names(), ", "))
	}
	precision, mode := defaultPrecision, "default"
	for i := 0; i < len(flags); i += 2 {
		if i+1 == len(flags) {
			return b, fmt.Errorf("flag %s of checker %s has no value", shown(flags[i]), name)
		}
		var err error
		switch value := flags[i+1]; name + " " + flags[i] {
		case "floats precision", "floatsabs precision", "floatsrel precision":
			precision = value
		case "floats error_mode":
			mode = value
		case "sorted split_on":
			b.byWhitespace, err = choice(value, "lines", "whitespace")
		case "rstripped filter_new_line":
			b.dropEmpty, err = choice(value, "false", "true")
		case "linematches filler_lines_required":
			b.fillers, err = choice(value, "false", "true")
		case "linematches point_distribution":
			b.points, err = distribution(value)
		case "linecount feedback": // what contestants are told is the judge's own rule
			_, err = choice(value, "false", "true")
		default:
			err = fmt.Errorf("checker %s has no such flag", name)
		}
		if err != nil {
			return b, fmt.Errorf("flag %s: %w", shown(flags[i]), err)
		}
	}
	if strings.HasPrefix(name, "floats") {
		return b, b.tolerances(precision, mode)
	}
	return b, nil
}

// choice is false for the first word, true for the second.
func choice(value, first, second string) (bool, error) {
	if value != first && value != second {
		return false, fmt.Errorf("%s is not known; write %s or %s", shown(value), first, second)
	}
	return value == second, nil
}

// distribution reads points for lines, of which one at least is not 0.
func distribution(value string) (points []float64, err error) {
	sum := 0.0
	for s := range strings.SplitSeq(value, ",") {
		n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31)
		if err != nil {
			return nil, fmt.Errorf("%s is no number of points; write whole numbers from 0 up, with commas between them", shown(s))
		}
		points = append(points, float64(n))
		sum += float64(n)
	}
	if sum == 0 {
		return nil, fmt.Errorf("%s has no points to give; one number must be above 0", shown(value))
	}
	return points, nil
}

// tolerances makes the options of floats.
func (b *Builtin) tolerances(precision, mode string) error {
	digits, err := strconv.ParseUint(precision, 10, 16)
	if err != nil || digits > maxPrecision {
		return fmt.Errorf("flag precision: %s is no number of digits; write a whole number from 0 to %d", shown(precision), maxPrecision)
	}
	eps, err := ParseTolerance("1e-" + strconv.FormatUint(digits, 10))
	if err != nil {
		return fmt.Errorf("flag precision: %w", err)
	}
	switch b.name {
	case "floatsabs":
		mode = "absolute"
	case "floatsrel":
		mode = "relative"
	}
	b.options.CaseSensitive = true
	switch mode {
	case "default":
		b.options.Absolute, b.options.Relative = eps, eps
	case "absolute":
		b.options.Absolute = eps
	case "relative":
		b.options.Relative = eps
	default:
		return fmt.Errorf("flag error_mode: %s is not known; write default, absolute or relative", shown(mode))
	}
	return nil
}

// maxPrecision is how many digits floats may be asked for.
const maxPrecision = 400

// allOrNothing gives a comparison that knows no parts its credit.
type allOrNothing struct{ Comparison }

// Close is that of Comparison.
func (c allOrNothing) Close() (Outcome, error) {
	o, err := c.Comparison.Close()
	if o.Accepted {
		o.Credit = 1
	}
	return o, err
}

// New returns the comparison of an output with answer, which it reads as it needs.
func (b Builtin) New(answer io.Reader) Comparison {
	switch b.name {
	case "identical":
		return allOrNothing{New(Options{CaseSensitive: true, SpaceChangeSensitive: true}, answer)}
	case "easy", "sorted", "unordered":
		return newUnordered(b, answer)
	}
	return newLines(b, answer)
}
