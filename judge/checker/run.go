package checker

import (
	"encoding/binary"
	"math/bits"
)

// run is what equalRun saw in the bytes that output and answer have in common.
type run struct {
	n           int   // bytes
	starts      int64 // tokens that begin in them
	lines       int64 // line feeds
	lastLine    int   // index of the last line feed, or -1
	lastSpace   int   // index of the last whitespace byte, or -1
	spaceBefore bool  // the byte before the next is whitespace, or there is none
}

// equalRun looks how far p and q begin with the same bytes. inToken says
// whether the byte before them belonged to a token.
func equalRun(p, q []byte, inToken bool) run {
	n := min(len(p), len(q))
	p, q = p[:n], q[:n]
	r := run{lastLine: -1, lastSpace: -1, spaceBefore: !inToken}
	r.words(p, q)
	for r.n < n && p[r.n] == q[r.n] {
		r.add(p[r.n])
	}
	return r
}

func (r *run) add(b byte) {
	if isSpace(b) {
		r.lastSpace = r.n
		r.spaceBefore = true
		if b == '\n' {
			r.lines++
			r.lastLine = r.n
		}
	} else {
		if r.spaceBefore {
			r.starts++
		}
		r.spaceBefore = false
	}
	r.n++
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// words is add for eight bytes at a time. A mask has the high bit of each byte
// that it means.
func (r *run) words(p, q []byte) {
	var before uint64 // the lowest byte's high bit: spaceBefore
	if r.spaceBefore {
		before = 0x80
	}
	i := 0
	for ; i+8 <= len(p); i += 8 {
		w := binary.LittleEndian.Uint64(p[i:])
		if w != binary.LittleEndian.Uint64(q[i:]) {
			break
		}
		space := spaceMask(w)
		r.starts += int64(bits.OnesCount64(^space & (space<<8 | before) & highs))
		before = space >> 56
		if space == 0 {
			continue
		}
		r.lastSpace = i + (bits.Len64(space)-1)/8
		if line := equalMask(w, '\n'); line != 0 {
			r.lines += int64(bits.OnesCount64(line))
			r.lastLine = i + (bits.Len64(line)-1)/8
		}
	}
	r.n = i
	r.spaceBefore = before != 0
}

// spaceMask marks the whitespace bytes of w: 0x09 to 0x0d and 0x20. Additions
// are to seven bits, so that nothing is carried from byte to byte.
func spaceMask(w uint64) uint64 {
	low := w &^ highs
	from9 := low + (0x80-0x09)*ones
	from14 := low + (0x80-0x0e)*ones
	return from9&^from14&^w&highs | equalMask(w, ' ')
}

// equalMask marks the bytes of w that are b.
func equalMask(w uint64, b byte) uint64 {
	x := w ^ uint64(b)*ones
	return ^((x&^highs + 0x7f*ones) | x) & highs
}

// isSpace reports whether b is one of the six whitespace bytes of ASCII, as C's
// isspace has them.
func isSpace(b byte) bool { return b == ' ' || (b >= '\t' && b <= '\r') }

// spaces is the number of whitespace bytes that b begins with.
func spaces(b []byte) int {
	for i, x := range b {
		if !isSpace(x) {
			return i
		}
	}
	return len(b)
}

// nonSpaces is the number of bytes before the first whitespace in b.
func nonSpaces(b []byte) int {
	for i, x := range b {
		if isSpace(x) {
			return i
		}
	}
	return len(b)
}

// sameButCase looks how far p and q, inside a token, go on with bytes that are
// the same but for the case of ASCII letters.
func sameButCase(p, q []byte) int {
	n := min(len(p), len(q))
	for i := range n {
		if lower(p[i]) != lower(q[i]) || isSpace(p[i]) {
			return i
		}
	}
	return n
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
