package checker

import "math/big"

// MaxDigits is how many significant digits of a number take part in a
// comparison with a tolerance. What follows them is compared as if it were a
// single digit 1: that gives the exact result unless the bound to be compared
// with has more digits itself.
const MaxDigits = 1 << 20

// maxExponentDigits is how many digits an exponent can have, leading zeros not
// counted. A longer one counts as 10^maxExponentDigits-1.
const maxExponentDigits = 1000

// The parts of a number, in the order of the grammar
// [+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?
type numberState byte

const (
	atStart    numberState = iota
	atSign                 // needs a digit or a point
	atInteger              // may end
	atPoint                // needs a digit, there is none before the point
	atFraction             // may end
	atE                    // needs a digit or a sign
	atExpSign              // needs a digit
	atExponent             // may end
	notANumber
)

// number is a decimal number that is read as it streams: ±0.ddd × 10^top, where
// ddd are its significant digits and top is the sum of point and the exponent.
// Zero has no digits.
type number struct {
	state    numberState
	negative bool
	digits   []byte // 0 to 9; neither the first nor the last is 0
	zeros    int64  // zeros after digits, held back until another digit comes
	more     bool   // there were non-zero digits past MaxDigits
	point    int64  // where the point is, counted from the first digit
	expMinus bool
	exponent []byte // '0' to '9'; the first is not '0'
}

func (n *number) reset() { *n = number{digits: n.digits[:0], exponent: n.exponent[:0]} }

// valid reports whether what was added is a whole number of the grammar.
func (n *number) valid() bool {
	return n.state == atInteger || n.state == atFraction || n.state == atExponent
}

// add reads on.
func (n *number) add(b []byte) {
	for _, x := range b {
		switch {
		case n.state == notANumber:
			return
		case x >= '0' && x <= '9':
			n.digit(x - '0')
		case x == '.' && n.state <= atSign:
			n.state = atPoint
		case x == '.' && n.state == atInteger:
			n.state = atFraction
		case x == 'e' || x == 'E':
			if !n.valid() || n.state == atExponent {
				n.state = notANumber
			} else {
				n.state = atE
			}
		case (x == '+' || x == '-') && n.state == atStart:
			n.state = atSign
			n.negative = x == '-'
		case (x == '+' || x == '-') && n.state == atE:
			n.state = atExpSign
			n.expMinus = x == '-'
		default:
			n.state = notANumber
		}
	}
}

func (n *number) digit(d byte) {
	switch n.state {
	case atStart, atSign, atInteger:
		n.state = atInteger
		n.significant(d)
		if len(n.digits) > 0 {
			n.point++
		}
	case atPoint, atFraction:
		n.state = atFraction
		n.significant(d)
		if len(n.digits) == 0 {
			n.point--
		}
	case atE, atExpSign, atExponent:
		n.state = atExponent
		if len(n.exponent) <= maxExponentDigits && (d > 0 || len(n.exponent) > 0) {
			n.exponent = append(n.exponent, d+'0')
		}
	case notANumber:
	}
}

func (n *number) significant(d byte) {
	switch {
	case d == 0 && len(n.digits) == 0:
	case d == 0:
		n.zeros++
	case int64(len(n.digits))+n.zeros >= MaxDigits:
		n.more = true
	default:
		for ; n.zeros > 0; n.zeros-- {
			n.digits = append(n.digits, 0)
		}
		n.digits = append(n.digits, d)
	}
}

// length is the number of digits that at knows.
func (n *number) length() int64 {
	if n.more {
		return MaxDigits + 1
	}
	return int64(len(n.digits))
}

// at is the digit at index i, 0 outside of the number.
func (n *number) at(i int64) int64 {
	switch {
	case i < 0:
		return 0
	case i < int64(len(n.digits)):
		return int64(n.digits[i])
	case n.more && i == MaxDigits:
		return 1
	}
	return 0
}

// An exponent of at most smallExponent digits fits an int64 with much room.
const smallExponent = 17

// top is where the first digit is; ok is false if that does not fit an int64.
func (n *number) top() (top int64, ok bool) {
	if len(n.exponent) > smallExponent {
		return 0, false
	}
	var e int64
	for _, x := range n.exponent {
		e = 10*e + int64(x-'0')
	}
	if n.expMinus {
		e = -e
	}
	return n.point + e, true
}

// bigTop is top for every exponent.
func (n *number) bigTop() *big.Int {
	e := new(big.Int)
	if len(n.exponent) > maxExponentDigits {
		e.Exp(big.NewInt(10), big.NewInt(maxExponentDigits), nil)
		e.Sub(e, big.NewInt(1))
	} else if len(n.exponent) > 0 {
		e.SetString(string(n.exponent), 10)
	}
	if n.expMinus {
		e.Neg(e)
	}
	return e.Add(e, big.NewInt(n.point))
}
