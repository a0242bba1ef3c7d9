// Package checker is the default output validator of the ICPC problem package
// format: it compares a submission's output with the jury's answer while the
// output streams, in constant memory, and says where they first differ.
//
// It opens no files and starts nothing: the caller brings the readers, and
// writes the message where it belongs. It knows no verdicts either: an outcome
// is accepted or not, an error is a fault of ours.
//
// # How it works
//
// Output and answer are read in lockstep. As long as their bytes are the same
// they are compared eight at a time (run.go). At a byte that is not the same,
// both are either between tokens or inside tokens that agree so far. Between
// tokens, whitespace is skipped on either side, or refused if it must match.
// Inside tokens, letters may still be the same but for their case; if they are
// not, the answer's token is read to its end at once and the output's as it
// arrives, and then the two are settled: as numbers if there is a tolerance and
// the answer's token is a number, else as different. Of a token only a few
// bytes are kept, for the message, and of a number its digits up to MaxDigits.
//
// Beside it stand the comparisons that DMOJ's problems choose by name (Builtin).
package checker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// answerBuffer is how many bytes of the answer are read at a time.
const answerBuffer = 64 << 10

var errClosed = errors.New("write to a checker that is closed")

type phase int

const (
	lockstep phase = iota // output and answer agree so far
	tail                  // the output's token is not the answer's; it is read to its end
	decided               // rejected: the rest does not matter
)

// Checker compares one output with one answer. It is an io.Writer that takes
// the output in pieces of any size; how it is cut changes nothing. It is for
// one output, and not for concurrent use.
type Checker struct {
	opts    Options
	numeric bool // there is a tolerance

	source *bufio.Reader
	answer []byte // what source has buffered and was not compared yet
	over   bool   // the answer has ended
	err    error  // reading the answer failed

	phase   phase
	inToken bool  // in lockstep: both are inside a token; else both between tokens
	surplus bool  // in tail: the answer has no such token at all
	tokens  int64 // begun so far; a token of the output and its partner are one
	out     side
	ref     side
	closed  bool
	outcome Outcome
}

// New returns a Checker that judges an output against answer. It reads answer
// as it needs, and not to its end if it rejects before.
func New(opts Options, answer io.Reader) *Checker {
	return &Checker{
		opts:    opts,
		numeric: opts.Absolute.Set() || opts.Relative.Set(),
		source:  bufio.NewReaderSize(answer, answerBuffer),
		out:     side{line: 1},
		ref:     side{line: 1},
	}
}

// Write takes the next piece of the output. A wrong answer is no error: Write
// goes on to take what comes. It fails if the answer cannot be read, and after
// Close.
func (c *Checker) Write(p []byte) (int, error) {
	if c.closed {
		return 0, errClosed
	}
	rest := p
	for len(rest) > 0 && c.phase != decided {
		var n int
		if c.phase == tail {
			n = c.readTail(rest)
		} else {
			n = c.step(rest)
		}
		rest = rest[n:]
		if c.err != nil {
			return len(p) - len(rest), c.err
		}
	}
	return len(p), nil
}

// Close says that the output has ended and returns the outcome. It fails if the
// answer could not be read. Closing again returns the same.
func (c *Checker) Close() (Outcome, error) {
	if !c.closed {
		c.closed = true
		c.end()
	}
	if c.err != nil {
		return Outcome{}, c.err
	}
	return c.outcome, nil
}

// step compares what it can of p, which is not empty, and returns how many
// bytes that were. When it returns 0 it has come further in the answer or
// changed the phase or inToken.
func (c *Checker) step(p []byte) int {
	if !c.fill() && c.err != nil {
		return 0
	}
	r := equalRun(p, c.answer, c.inToken)
	if r.n > 0 {
		c.advance(p[:r.n], r)
	}
	if r.n == len(p) || (len(c.answer) == 0 && !c.over) {
		return r.n
	}
	if c.inToken {
		return r.n + c.insideToken(p[r.n:])
	}
	return r.n + c.betweenTokens(p[r.n:])
}

// fill makes sure that c.answer is not empty; it returns false if the answer is
// over or cannot be read.
func (c *Checker) fill() bool {
	if len(c.answer) > 0 {
		return true
	}
	if c.over || c.err != nil {
		return false
	}
	_, err := c.source.Discard(c.source.Buffered())
	if err == nil {
		_, err = c.source.Peek(1)
	}
	if err == nil {
		c.answer, err = c.source.Peek(c.source.Buffered())
	}
	if errors.Is(err, io.EOF) {
		c.over = true
		return false
	}
	if err != nil {
		c.err = fmt.Errorf("read answer: %w", err)
		return false
	}
	return true
}

// advance moves both sides over b, which is the same in both; r is what
// equalRun saw in it.
func (c *Checker) advance(b []byte, r run) {
	c.answer = c.answer[len(b):]
	c.tokens += r.starts
	last := b[r.lastSpace+1:] // the token that b ends in, or a part of it
	c.inToken = len(last) > 0
	fresh := c.inToken && (r.lastSpace >= 0 || r.starts > 0)
	for _, s := range []*side{&c.out, &c.ref} {
		s.advance(r)
		if fresh {
			s.begin(s.offset - int64(len(last)))
		}
		if c.inToken {
			s.feed(last, c.numeric)
		}
	}
}
