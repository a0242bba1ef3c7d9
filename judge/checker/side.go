package checker

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// side is a place in the output or in the answer, and the token there.
type side struct {
	offset    int64 // bytes before the place
	line      int64 // from 1
	lineStart int64 // offset of the line's first byte

	start  int64 // offset of the token
	text   excerpt
	number number
}

// advance moves over bytes of which r tells the lines.
func (s *side) advance(r run) {
	s.line += r.lines
	if r.lastLine >= 0 {
		s.lineStart = s.offset + int64(r.lastLine) + 1
	}
	s.offset += int64(r.n)
}

// skip moves over whitespace.
func (s *side) skip(b []byte) {
	s.advance(run{
		n:        len(b),
		lines:    int64(bytes.Count(b, []byte{'\n'})),
		lastLine: bytes.LastIndexByte(b, '\n'),
	})
}

// begin starts a token at offset.
func (s *side) begin(offset int64) {
	s.start = offset
	s.text.reset()
	s.number.reset()
}

// take moves over bytes of a token.
func (s *side) take(b []byte, numeric bool) {
	s.offset += int64(len(b))
	s.feed(b, numeric)
}

// feed keeps what is needed of bytes of a token.
func (s *side) feed(b []byte, numeric bool) {
	s.text.add(b)
	if numeric {
		s.number.add(b)
	}
}

// Of a token at most maxShown bytes are shown. Where two tokens agree for more
// than maxSame bytes, what is shown begins lead bytes before they differ.
const (
	maxShown = 48
	maxSame  = 24
	lead     = 8
)

// excerpt keeps the part of a token that a message shows.
type excerpt struct {
	kept    []byte
	size    int64 // bytes of the token so far
	first   int64 // how many of them are before kept
	same    int64 // how many are the same in both tokens, but for case
	differs bool  // the place where the tokens differ has been reached
}

func (e *excerpt) reset() { *e = excerpt{kept: e.kept[:0]} }

func (e *excerpt) add(b []byte) {
	e.size += int64(len(b))
	if e.differs {
		e.kept = append(e.kept, b[:min(len(b), maxShown-len(e.kept))]...)
		return
	}
	e.kept = append(e.kept, b[max(0, len(b)-maxSame):]...)
	e.keepLast(maxSame)
}

// differ is called where the tokens differ.
func (e *excerpt) differ() {
	e.differs = true
	e.same = e.size
	if e.first = e.size - int64(len(e.kept)); e.first > 0 {
		e.keepLast(lead)
		e.first = e.size - int64(len(e.kept))
	}
}

func (e *excerpt) keepLast(n int) {
	if drop := len(e.kept) - n; drop > 0 {
		e.kept = append(e.kept[:0], e.kept[drop:]...)
	}
}

// String is the excerpt in quotes, with an ellipsis where something is left
// out. It has no control characters, and U+FFFD for what is not UTF-8.
func (e *excerpt) String() string {
	b, left, right := e.kept, "", ""
	if e.first > 0 {
		left = "…"
		for range utf8.UTFMax - 1 { // of a character that is cut in two
			if len(b) > 0 && !utf8.RuneStart(b[0]) {
				b = b[1:]
			}
		}
	}
	if e.first+int64(len(e.kept)) < e.size {
		right = "…"
		for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
			if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
				if !utf8.FullRune(last) {
					b = b[:len(b)-i]
				}
				break
			}
		}
	}
	return left + strconv.Quote(strings.ToValidUTF8(string(b), string(utf8.RuneError))) + right
}

// shown is s as a message shows it.
func shown(s string) string {
	e := excerpt{differs: true}
	e.add([]byte(s))
	return e.String()
}
