package judge

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutMark ends a text that SafeText has cut.
const cutMark = "\n[cut]"

// SafeText turns bytes that came out of a box into text that a database takes
// and a terminal can be shown: U+FFFD for what is not UTF-8 and for NUL,
// control and format characters other than newline and tab as escapes (\r,
// \x1b, \u202e). What would be longer than limit bytes is cut between
// characters and says so at its end. Applied twice it changes nothing more.
func SafeText(b []byte, limit int) string {
	var s strings.Builder
	s.Grow(min(len(b), limit))
	whole := 0 // length of s up to which the mark would still fit
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		before := s.Len()
		writeSafe(&s, r)
		b = b[n:]
		if s.Len() > limit {
			if limit < len(cutMark) {
				return s.String()[:before]
			}
			return s.String()[:whole] + cutMark
		}
		if s.Len() <= limit-len(cutMark) {
			whole = s.Len()
		}
	}
	return s.String()
}

func writeSafe(s *strings.Builder, r rune) {
	const hex = "0123456789abcdef"
	switch {
	case r == 0:
		s.WriteRune(utf8.RuneError)
	case r == '\n' || r == '\t' || !unicode.In(r, unicode.Cc, unicode.Cf):
		s.WriteRune(r)
	case r == '\r':
		s.WriteString(`\r`)
	case r < 0x80:
		s.WriteString(`\x`)
		s.WriteByte(hex[r>>4])
		s.WriteByte(hex[r&15])
	default:
		digits := 4
		s.WriteString(`\u`)
		if r > 0xffff {
			digits = 6
		}
		for i := digits - 1; i >= 0; i-- {
			s.WriteByte(hex[r>>(4*i)&15])
		}
	}
}
