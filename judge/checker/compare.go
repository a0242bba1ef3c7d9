package checker

import (
	"math"
	"math/big"
)

// A comparison with a tolerance asks for the sign of |s-a| - ε or of
// |s-a| - ε·|a|, exactly. Both are sums of few terms, a decimal number times a
// power of ten times a small factor. The sign of such a sum is found as one
// subtracts on paper, from the first digit on: what was added up so far either
// outweighs all that can follow, or is small. So no number is ever held but as
// its digits, whatever its exponent, and most comparisons look at few digits.

// term is factor × 0.ddd × 10^top, ddd the digits of number.
type term struct {
	number *number
	factor int64
	top    int64
}

var one = number{state: atInteger, digits: []byte{1}, point: 1}

// within reports whether s is within one of the tolerances of a.
func within(s, a *number, opts *Options) bool {
	sTop, aTop := tops(s, a)
	var room [8]term
	terms := append(room[:0], term{s, sign(s), sTop}, term{a, -sign(a), aTop})
	order := signOfSum(terms)
	if order == 0 {
		return true
	}
	for i := range terms { // |s-a|
		terms[i].factor *= int64(order)
	}
	return opts.Absolute.Set() && signOfSum(opts.Absolute.subtract(terms, &one, one.point)) <= 0 ||
		opts.Relative.Set() && signOfSum(opts.Relative.subtract(terms, a, aTop)) <= 0
}

func sign(n *number) int64 {
	if n.negative {
		return -1
	}
	return 1
}

// subtract appends the tolerance times |n| to terms, with negative sign.
func (t Tolerance) subtract(terms []term, n *number, top int64) []term {
	for _, p := range t.pieces {
		terms = append(terms, term{n, -p.factor, top + p.shift})
	}
	return terms
}

// signOfSum is -1, 0 or 1. The factors' absolute values add up to less than
// 4e17, so that nothing overflows: the sum is below that before each step, and
// a step makes it at most 19 times as large.
func signOfSum(terms []term) int {
	var bound int64
	for _, t := range terms {
		bound += max(t.factor, -t.factor)
	}
	var sum int64 // in units of 10^at
	at := int64(math.MaxInt64)
	for {
		if sum == 0 {
			if at = nextDigit(terms, at); at == math.MinInt64 {
				return 0
			}
		}
		sum *= 10
		for _, t := range terms {
			sum += t.factor * t.number.at(t.top-1-at)
		}
		// What follows is less than 1 for each factor, in absolute value.
		if sum >= bound {
			return 1
		}
		if sum <= -bound {
			return -1
		}
		at--
	}
}

// nextDigit is the highest place at or below at where a term has a digit, or
// math.MinInt64.
func nextDigit(terms []term, at int64) int64 {
	next := int64(math.MinInt64)
	for _, t := range terms {
		if n := t.number.length(); n > 0 && t.top-n <= at {
			next = max(next, min(at, t.top-1))
		}
	}
	return next
}

// Bounds for places that do not fit an int64. They are further apart than any
// number has digits and than any tolerance's exponent, so that a number moved
// to them is as much larger or smaller than the others as it was.
const (
	far  = 2e18
	near = 1e18
)

// tops is where the first digits of s and a are. Where exponents do not fit an
// int64 it gives other places with the same outcome: at a far place on the same
// side, with the true distance from each other up to near.
func tops(s, a *number) (sTop, aTop int64) {
	sTop, sOK := s.top()
	aTop, aOK := a.top()
	if sOK && aOK {
		return sTop, aTop
	}
	x, y := s.bigTop(), a.bigTop()
	if x.Sign() == y.Sign() && x.CmpAbs(big.NewInt(near)) > 0 && y.CmpAbs(big.NewInt(near)) > 0 {
		aTop = int64(y.Sign()) * far
		return aTop + clamp(x.Sub(x, y), near), aTop
	}
	return clamp(x, far), clamp(y, far)
}

func clamp(x *big.Int, limit int64) int64 {
	if x.CmpAbs(big.NewInt(limit)) > 0 {
		return int64(x.Sign()) * limit
	}
	return x.Int64()
}
