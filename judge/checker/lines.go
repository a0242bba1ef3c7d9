package checker

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines compares line by line. Both sides are cut at line feeds (and at carriage
// returns, where the comparison says so), what follows the last one is a line too,
// and lines that do not count are left out.
type lines struct {
	Builtin

	answer  answerLines
	line    []byte  // of the output, as far as it was written
	number  int64   // lines of the output, all of them
	counted int     // lines of the output that count
	answers int     // lines of the answer that count, as far as it was read
	right   float64 // points: linecount's lines, linematches' points
	outcome Outcome
	decided bool // the rest does not matter
	closed  bool
	err     error
}

func newLines(b Builtin, answer io.Reader) *lines {
	return &lines{Builtin: b, answer: answerLines{r: bufio.NewReaderSize(answer, answerBuffer), ends: b.ends()}}
}

// ends are the bytes that end a line.
func (b Builtin) ends() string {
	switch b.name {
	case "standard", "linecount", "linematches", "sorted":
		return "\r\n"
	}
	return "\n"
}

// counts says whether a line counts.
func (b Builtin) counts(line []byte) bool {
	switch b.name {
	case "standard":
		return len(trim(line)) > 0
	case "rstripped":
		return !b.dropEmpty || len(line) > 0
	}
	return len(line) > 0
}

func (l *lines) Write(p []byte) (int, error) {
	if l.closed {
		return 0, errClosed
	}
	for rest := p; len(rest) > 0 && !l.decided; {
		end := bytes.IndexAny(rest, l.answer.ends)
		if end < 0 {
			l.line = append(l.line, rest...)
			break
		}
		l.line = append(l.line, rest[:end]...)
		l.take()
		rest = rest[end+1:]
		if l.err != nil {
			return len(p) - len(rest), l.err
		}
	}
	return len(p), nil
}

func (l *lines) Close() (Outcome, error) {
	if !l.closed {
		l.closed = true
		if l.take(); !l.decided && l.err == nil {
			l.end()
		}
	}
	if l.err != nil {
		return Outcome{}, l.err
	}
	return l.outcome, nil
}

// take compares a line of the output with the next of the answer.
func (l *lines) take() {
	line := l.line
	l.line = l.line[:0]
	l.number++
	if l.decided || !l.counts(line) {
		return
	}
	want, ok := l.next()
	l.counted++
	switch {
	case l.err != nil:
	case !ok && l.name == "linematches" && !l.fillers: // more than was asked for
	case !ok:
		l.differ(ReasonSurplus, line, nil)
		l.decided = true
	default:
		why := l.compare(line, want)
		if why != "" {
			l.differ(why, line, want)
			l.decided = !l.partly()
		} else if l.partly() {
			l.right += l.worth(l.counted)
		}
	}
}

// partly says whether a line that is wrong leaves the points of the others.
func (b Builtin) partly() bool { return b.name == "linecount" || b.name == "linematches" }

// worth is how many points the line has that is the i-th that counts, from 1.
func (b Builtin) worth(i int) float64 {
	switch {
	case b.name == "linecount":
		return 1
	case i <= len(b.points):
		return b.points[i-1]
	}
	return 0
}

// compare says how two lines differ; empty: they do not.
func (b Builtin) compare(line, want []byte) Reason {
	var same bool
	switch b.name {
	case "linecount":
		same = bytes.Equal(trim(line), trim(want))
	case "linematches":
		same = bytes.Equal(line, want)
	case "rstripped":
		same = bytes.Equal(trimRight(line), trimRight(want))
	default: // standard and floats
		return b.tokens(line, want)
	}
	if same {
		return ""
	}
	return ReasonToken
}

// tokens compares two lines token by token, as numbers where the answer's is one
// and there is a tolerance.
func (b Builtin) tokens(line, want []byte) Reason {
	for {
		var got, expected []byte
		got, line = firstToken(line)
		expected, want = firstToken(want)
		switch {
		case len(got) == 0 && len(expected) == 0:
			return ""
		case len(got) == 0:
			return ReasonMissing
		case len(expected) == 0:
			return ReasonSurplus
		}
		if why := b.token(got, expected); why != "" {
			return why
		}
	}
}

func (b Builtin) token(got, expected []byte) Reason {
	if bytes.Equal(got, expected) {
		return ""
	}
	var s, a number
	if a.add(expected); !a.valid() || (!b.options.Absolute.Set() && !b.options.Relative.Set()) {
		return ReasonToken
	}
	if s.add(got); !s.valid() {
		return ReasonNotANumber
	}
	if !within(&s, &a, &b.options) {
		return ReasonNumber
	}
	return ""
}

// next is the answer's next line that counts.
func (l *lines) next() (line []byte, ok bool) {
	for {
		if line, ok, l.err = l.answer.next(); l.err != nil || !ok {
			return nil, false
		}
		if l.counts(line) {
			l.answers++
			return line, true
		}
	}
}

// end decides when the output has ended.
func (l *lines) end() {
	for {
		want, ok := l.next()
		if l.err != nil {
			return
		}
		if !ok {
			break
		}
		if l.answers == l.counted+1 && l.fillers {
			l.differ(ReasonMissing, nil, want)
		}
	}
	whole := l.outcome.Reason == ""
	switch {
	case l.name == "linematches" && len(l.points) != l.answers:
		l.err = fmt.Errorf("point_distribution has %d numbers, and the answer %d lines; write one for each line", len(l.points), l.answers)
	case l.name == "linematches" && l.fillers && l.counted != l.answers:
	case l.name == "linematches":
		l.outcome.Credit = l.right / l.sum()
	case whole:
		l.outcome.Credit = 1
	case l.name == "linecount":
		l.outcome.Credit = l.right / float64(l.answers)
	}
	if whole || (l.name == "linematches" && l.outcome.Credit > 0) {
		l.outcome = Outcome{Accepted: true, Credit: l.outcome.Credit}
	}
}

func (b Builtin) sum() (sum float64) {
	for _, p := range b.points {
		sum += p
	}
	return sum
}

// differ notes the first difference.
func (l *lines) differ(why Reason, line, want []byte) {
	if l.outcome.Reason != "" {
		return
	}
	o := Outcome{Reason: why, Line: l.number, Column: 1, AnswerLine: l.answer.number}
	if line != nil {
		o.Got = shown(string(line))
	}
	if want != nil {
		o.Expected = shown(string(want))
	}
	switch {
	case line == nil:
		o.Message = fmt.Sprintf("the output ends, expected line %d of the answer: %s", o.AnswerLine, o.Expected)
	case want == nil:
		o.Message = fmt.Sprintf("line %d: got %s, expected the end", o.Line, o.Got)
	default:
		o.Message = fmt.Sprintf("line %d (line %d of the answer): got %s, expected %s", o.Line, o.AnswerLine, o.Got, o.Expected)
		if why == ReasonNumber {
			o.Message += " " + l.options.within()
		}
	}
	l.outcome = o
}

// answerLines gives the lines of an answer, one at a time.
type answerLines struct {
	r      *bufio.Reader
	ends   string
	number int64 // of the line given last
	line   []byte
	over   bool
}

// next is valid until the next call.
func (a *answerLines) next() (line []byte, ok bool, err error) {
	if a.over {
		return nil, false, nil
	}
	a.number++
	a.line = a.line[:0]
	for {
		_, err := a.r.Peek(1)
		buffered, _ := a.r.Peek(a.r.Buffered())
		if len(buffered) == 0 {
			if errors.Is(err, io.EOF) {
				a.over = true
				return a.line, true, nil
			}
			return nil, false, fmt.Errorf("read answer: %w", err)
		}
		end := bytes.IndexAny(buffered, a.ends)
		n := end
		if end < 0 {
			n = len(buffered)
		}
		a.line = append(a.line, buffered[:n]...)
		if end >= 0 {
			n++
		}
		if _, err := a.r.Discard(n); err != nil {
			return nil, false, fmt.Errorf("read answer: %w", err)
		}
		if end >= 0 {
			return a.line, true, nil
		}
	}
}

func trim(b []byte) []byte { return trimRight(b[spaces(b):]) }

func trimRight(b []byte) []byte {
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// firstToken cuts the first token off b; it is empty where there is none.
func firstToken(b []byte) (token, rest []byte) {
	b = b[spaces(b):]
	n := nonSpaces(b)
	return b[:n], b[n:]
}
