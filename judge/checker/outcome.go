package checker

import (
	"errors"
	"fmt"
	"io"
)

// Reason says in one word how output and answer differ.
type Reason string

// The reasons to reject. The zero value goes with an accepted output.
const (
	ReasonToken      Reason = "token"        // a token is another
	ReasonNumber     Reason = "number"       // a number is not within the tolerance
	ReasonNotANumber Reason = "not_a_number" // the answer has a number, the output something else
	ReasonMissing    Reason = "missing"      // the output ends too early
	ReasonSurplus    Reason = "surplus"      // the output goes on after the answer's last token
	ReasonSpace      Reason = "space"        // whitespace differs where it must not
)

// Outcome is what a Checker found. Only Accepted is set if it is true; else the
// rest tells of the first difference.
type Outcome struct {
	Accepted bool
	// Credit is the part of the points that the output earns, 0 to 1: of Builtin
	// comparisons only, where some give a part for a wrong output.
	Credit float64
	// Message is one line of plain text without a line feed, for
	// judgemessage.txt: where the first difference is, and what it is.
	Message string
	Reason  Reason

	// The place in the output where the token begins that is wrong, or where
	// whitespace differs, or where the output ends. Offset counts bytes from 0,
	// Line and Column (in bytes) count from 1.
	Offset, Line, Column int64
	// Token is the number of that token, from 1; where whitespace differs, the
	// number of tokens before.
	Token int64
	// AnswerLine is the line of the answer, from 1, that was compared there.
	AnswerLine int64
	// Got and Expected are quoted, shortened and safe to print; or, where
	// whitespace differs, in words. Got is empty if a token is missing, Expected
	// if one is too many.
	Got, Expected string
}

// Exit codes of an output validator (ICPC problem package format). Anything
// else is a judging error.
const (
	ExitAccepted = 42
	ExitRejected = 43
)

// MessageFile is the file in the feedback folder that Outcome.Message is for.
const MessageFile = "judgemessage.txt"

// ExitCode is what a validator exits with for this outcome.
func (o *Outcome) ExitCode() int {
	if o.Accepted {
		return ExitAccepted
	}
	return ExitRejected
}

// Check compares the whole of output with answer. The error says which of the
// two could not be read. Once it has rejected it reads no more of output.
func Check(opts Options, answer, output io.Reader) (Outcome, error) {
	c := New(opts, answer)
	buf := make([]byte, answerBuffer)
	for c.phase != decided {
		n, err := output.Read(buf)
		if _, failed := c.Write(buf[:n]); failed != nil {
			return Outcome{}, failed
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("read output: %w", err)
		}
	}
	return c.Close()
}

// reject decides against the token that both sides are at.
func (c *Checker) reject(why Reason) {
	o := Outcome{Reason: why, Token: c.tokens, Got: c.out.text.String(), Expected: c.ref.text.String()}
	switch why {
	case ReasonMissing:
		o.Got = ""
	case ReasonSurplus:
		o.Expected = ""
	case ReasonToken, ReasonNumber, ReasonNotANumber, ReasonSpace:
	}
	c.decide(o, c.out.start)
}

// rejectSpace decides against whitespace: the output goes on with rest, or has
// ended, where the answer has something else, and one of them has whitespace.
func (c *Checker) rejectSpace(rest []byte) {
	o := Outcome{Reason: ReasonSpace, Token: c.tokens, Got: spaceName(rest), Expected: spaceName(c.answer)}
	c.decide(o, c.out.offset)
}

func (c *Checker) decide(o Outcome, offset int64) {
	o.Offset, o.Line, o.Column = offset, c.out.line, offset-c.out.lineStart+1
	o.AnswerLine = c.ref.line
	after := ""
	if o.Reason == ReasonSpace {
		after = "after "
	}
	o.Message = fmt.Sprintf("line %d, column %d (byte %d, %stoken %d; line %d of the answer): %s",
		o.Line, o.Column, o.Offset, after, o.Token, o.AnswerLine, c.difference(&o))
	c.outcome = o
	c.phase = decided
}

func (c *Checker) difference(o *Outcome) string {
	cut := ""
	if c.out.text.first > 0 && o.Reason != ReasonSpace {
		cut = fmt.Sprintf(" (different from byte %d of the token on)", c.out.text.same+1)
	}
	switch o.Reason {
	case ReasonToken, ReasonSpace:
		return fmt.Sprintf("got %s, expected %s%s", o.Got, o.Expected, cut)
	case ReasonNumber:
		return fmt.Sprintf("got %s, expected %s%s %s", o.Got, o.Expected, cut, c.opts.within())
	case ReasonNotANumber:
		return fmt.Sprintf("got %s, expected the number %s%s", o.Got, o.Expected, cut)
	case ReasonMissing:
		return fmt.Sprintf("the output ends, expected %s", o.Expected)
	case ReasonSurplus:
		return fmt.Sprintf("got %s, expected the end", o.Got)
	}
	return ""
}

func spaceName(b []byte) string {
	if len(b) == 0 {
		return "the end"
	}
	switch b[0] {
	case ' ':
		return "a space"
	case '\t':
		return "a tab"
	case '\n':
		return "a line feed"
	case '\v':
		return "a vertical tab"
	case '\f':
		return "a form feed"
	case '\r':
		return "a carriage return"
	}
	return "a token"
}
