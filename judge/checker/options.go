package checker

import (
	"fmt"
	"strings"
)

// Options are the flags of the default validator.
type Options struct {
	// CaseSensitive makes letters match with their case. Else ASCII letters
	// match in either case.
	CaseSensitive bool
	// SpaceChangeSensitive makes whitespace match byte for byte, before the
	// first and after the last token too. Else any whitespace separates tokens.
	SpaceChangeSensitive bool
	// Absolute and Relative are the tolerances for tokens that are numbers in
	// the answer: |output-answer| may be Absolute, or Relative·|answer|. If
	// neither is set, numbers are strings.
	Absolute, Relative Tolerance
}

// within says in words which tolerance a number must be within.
func (o *Options) within() string {
	var parts []string
	if o.Absolute.Set() {
		parts = append(parts, o.Absolute.shown()+" (absolute)")
	}
	if o.Relative.Set() {
		parts = append(parts, o.Relative.shown()+" (relative)")
	}
	return "within " + strings.Join(parts, " or ")
}

// The flags' names.
const (
	flagCase     = "case_sensitive"
	flagSpace    = "space_change_sensitive"
	flagRelative = "float_relative_tolerance"
	flagAbsolute = "float_absolute_tolerance"
	flagBoth     = "float_tolerance"
)

// ParseFlags reads the flags of the default validator as packages give them:
// case_sensitive, space_change_sensitive, float_relative_tolerance E,
// float_absolute_tolerance E, and float_tolerance E for both, where E is a
// decimal number from 0 up. Of a flag that comes twice the last counts. The
// error names the flag and the remedy.
func ParseFlags(flags []string) (Options, error) {
	var o Options
	for i := 0; i < len(flags); i++ {
		name := flags[i]
		switch name {
		case flagCase:
			o.CaseSensitive = true
			continue
		case flagSpace:
			o.SpaceChangeSensitive = true
			continue
		case flagRelative, flagAbsolute, flagBoth:
		default:
			return Options{}, fmt.Errorf("unknown flag %s; the default validator knows %s, %s, and with a number after them %s, %s, %s",
				shown(name), flagCase, flagSpace, flagRelative, flagAbsolute, flagBoth)
		}
		if i++; i == len(flags) {
			return Options{}, fmt.Errorf("flag %s has no value; %s after it", name, remedy)
		}
		t, err := ParseTolerance(flags[i])
		if err != nil {
			return Options{}, fmt.Errorf("flag %s: %w", name, err)
		}
		if name != flagAbsolute {
			o.Relative = t
		}
		if name != flagRelative {
			o.Absolute = t
		}
	}
	return o, nil
}

// SplitFlags splits flags that a package gives as one string, at whitespace.
func SplitFlags(s string) []string { return strings.Fields(s) }

// Tolerance is a decimal number from 0 up, or not set, which the zero value is.
// It is not rounded.
type Tolerance struct {
	text   string
	pieces []piece
}

// piece is a part of a tolerance's value: factor × 10^shift.
type piece struct{ factor, shift int64 }

const remedy = "write a decimal number from 0 up, such as 1e-6,"

// Limits of a tolerance: what keeps comparing cheap and signOfSum right.
const (
	maxToleranceText     = 400 // bytes
	maxToleranceExponent = 6   // digits
	pieceDigits          = 15
)

// ParseTolerance reads a tolerance: a decimal number from 0 up, of at most 400
// characters, the exponent of at most six digits.
func ParseTolerance(s string) (Tolerance, error) {
	var n number
	n.add([]byte(s))
	switch {
	case !n.valid():
		return Tolerance{}, fmt.Errorf("%s is not a decimal number; %s instead", shown(s), remedy)
	case n.negative:
		return Tolerance{}, fmt.Errorf("%s is negative; %s instead", shown(s), remedy)
	case len(s) > maxToleranceText:
		return Tolerance{}, fmt.Errorf("%s has %d characters; %s of at most %d", shown(s), len(s), remedy, maxToleranceText)
	case len(n.exponent) > maxToleranceExponent:
		return Tolerance{}, fmt.Errorf("%s has an exponent of more than %d digits; %s instead", shown(s), maxToleranceExponent, remedy)
	}
	t := Tolerance{text: s}
	top, _ := n.top()
	for first := 0; first < len(n.digits); first += pieceDigits {
		part := n.digits[first:min(first+pieceDigits, len(n.digits))]
		p := piece{shift: top - int64(first+len(part))}
		for _, d := range part {
			p.factor = 10*p.factor + int64(d)
		}
		t.pieces = append(t.pieces, p)
	}
	return t, nil
}

// Set reports whether there is a tolerance; it may be 0.
func (t Tolerance) Set() bool { return t.text != "" }

// String is the tolerance as it was written, or empty.
func (t Tolerance) String() string { return t.text }

func (t Tolerance) shown() string {
	if len(t.text) > maxShown {
		return t.text[:maxShown] + "…"
	}
	return t.text
}
