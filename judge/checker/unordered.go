package checker

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
)

// unordered compares what two sides consist of, in whichever order: bytes (easy),
// lines (sorted) or tokens.
type unordered struct {
	Builtin

	answer  io.Reader
	out     parts
	closed  bool
	outcome Outcome
	err     error
}

func newUnordered(b Builtin, answer io.Reader) *unordered {
	seeds := [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	return &unordered{Builtin: b, answer: answer, out: parts{Builtin: b, seeds: seeds}}
}

func (u *unordered) Write(p []byte) (int, error) {
	if u.closed {
		return 0, errClosed
	}
	u.out.add(p)
	return len(p), nil
}

func (u *unordered) Close() (Outcome, error) {
	if !u.closed {
		u.closed = true
		u.decide()
	}
	if u.err != nil {
		return Outcome{}, u.err
	}
	return u.outcome, nil
}

func (u *unordered) decide() {
	want := parts{Builtin: u.Builtin, seeds: u.out.seeds}
	source := bufio.NewReaderSize(u.answer, answerBuffer)
	buf := make([]byte, answerBuffer)
	for {
		n, err := source.Read(buf)
		want.add(buf[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			u.err = fmt.Errorf("read answer: %w", err)
			return
		}
	}
	u.out.end()
	want.end()
	u.outcome = u.compare(&want)
}

func (u *unordered) compare(want *parts) Outcome {
	got, expected := u.out.total(), want.total()
	what := map[string]string{"easy": "bytes that are no whitespace", "sorted": "lines", "unordered": "tokens"}[u.name]
	if u.byWhitespace {
		what = "tokens"
	}
	o := Outcome{Reason: ReasonToken}
	switch {
	case got < expected:
		o.Reason = ReasonMissing
		o.Message = fmt.Sprintf("got %d %s, expected %d", got, what, expected)
	case got > expected:
		o.Reason = ReasonSurplus
		o.Message = fmt.Sprintf("got %d %s, expected %d", got, what, expected)
	case u.out.bytes != want.bytes || !slices.Equal(u.out.hashes, want.hashes):
		o.Message = fmt.Sprintf("as many %s as expected (%d), but others", what, got)
	default:
		return Outcome{Accepted: true, Credit: 1}
	}
	return o
}

// parts are what one side consists of. A line or a token is kept as two hashes
// with seeds that nobody knows, 128 bits together: two different ones are taken
// for the same once in 2^128 pairs, whoever chose them.
type parts struct {
	Builtin

	seeds  [2]maphash.Seed
	rest   []byte // the line or token as far as it came
	hashes [][2]uint64
	bytes  [256]int64 // easy: how often each occurs
}

func (p *parts) add(b []byte) {
	if p.name == "easy" {
		for _, x := range b {
			if !isSpace(x) {
				p.bytes[lower(x)]++
			}
		}
		return
	}
	ends := " \t\n\v\f\r"
	if p.name == "sorted" && !p.byWhitespace {
		ends = "\r\n"
	}
	for len(b) > 0 {
		end := bytes.IndexAny(b, ends)
		if end < 0 {
			p.rest = append(p.rest, b...)
			return
		}
		p.rest = append(p.rest, b[:end]...)
		p.take()
		b = b[end+1:]
	}
}

// take keeps a line or token. Of a line the tokens count, not what is between.
func (p *parts) take() {
	if len(p.rest) == 0 {
		return
	}
	var sums [2]uint64
	for i, seed := range p.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		for token, rest := firstToken(p.rest); len(token) > 0; token, rest = firstToken(rest) {
			_, _ = h.Write(token) // it never fails
			_ = h.WriteByte(' ')
		}
		sums[i] = h.Sum64()
	}
	p.hashes = append(p.hashes, sums)
	p.rest = p.rest[:0]
}

func (p *parts) end() {
	p.take()
	slices.SortFunc(p.hashes, func(a, b [2]uint64) int { return slices.Compare(a[:], b[:]) })
}

func (p *parts) total() int64 {
	total := int64(len(p.hashes))
	for _, n := range p.bytes {
		total += n
	}
	return total
}
