package checker

// The steps of a Checker where output and answer are not the same.

// insideToken deals with p, whose first byte is not the answer's next, if there
// is one, where both sides are inside a token.
func (c *Checker) insideToken(p []byte) int {
	if isSpace(p[0]) && (len(c.answer) == 0 || isSpace(c.answer[0])) {
		c.inToken = false
		return 0
	}
	if !c.opts.CaseSensitive {
		if n := sameButCase(p, c.answer); n > 0 {
			c.out.take(p[:n], c.numeric)
			c.ref.take(c.answer[:n], c.numeric)
			c.answer = c.answer[n:]
			return n
		}
	}
	c.part()
	return 0
}

// betweenTokens deals with p, whose first byte is not the answer's next, where
// both sides are between tokens.
func (c *Checker) betweenTokens(p []byte) int {
	over := len(c.answer) == 0
	outSpace, refSpace := isSpace(p[0]), !over && isSpace(c.answer[0])
	switch {
	case !outSpace && over:
		c.begin()
		c.surplus = true
		c.phase = tail
		c.out.text.differ()
	case !outSpace && !refSpace:
		c.begin()
	case c.opts.SpaceChangeSensitive:
		c.rejectSpace(p)
	case outSpace:
		n := spaces(p)
		c.out.skip(p[:n])
		return n
	default:
		c.skipAnswerSpace()
	}
	return 0
}

// begin starts a token on both sides.
func (c *Checker) begin() {
	c.tokens++
	c.inToken = true
	c.out.begin(c.out.offset)
	c.ref.begin(c.ref.offset)
}

func (c *Checker) skipAnswerSpace() {
	for c.fill() {
		n := spaces(c.answer)
		c.ref.skip(c.answer[:n])
		c.answer = c.answer[n:]
		if len(c.answer) > 0 {
			return
		}
	}
}

// part is called where two tokens differ: it reads the answer's to its end.
func (c *Checker) part() {
	c.phase = tail
	c.out.text.differ()
	c.ref.text.differ()
	c.readAnswerToken()
}

func (c *Checker) readAnswerToken() {
	for c.fill() {
		n := nonSpaces(c.answer)
		c.ref.take(c.answer[:n], c.numeric)
		c.answer = c.answer[n:]
		if len(c.answer) > 0 {
			return
		}
	}
}

// readTail reads the output's token, and settles it where it ends in p.
func (c *Checker) readTail(p []byte) int {
	n := nonSpaces(p)
	c.out.take(p[:n], c.numeric)
	if n < len(p) {
		c.settle()
	}
	return n
}

// settle decides two tokens that are not the same but for case, both known to
// their ends.
func (c *Checker) settle() {
	switch {
	case c.surplus:
		c.reject(ReasonSurplus)
	case !c.numeric || !c.ref.number.valid():
		c.reject(ReasonToken)
	case !c.out.number.valid():
		c.reject(ReasonNotANumber)
	case !within(&c.out.number, &c.ref.number, &c.opts):
		c.reject(ReasonNumber)
	default:
		c.phase = lockstep
		c.inToken = false
	}
}

// end judges what is left of the answer when the output has ended.
func (c *Checker) end() {
	if c.phase == lockstep && c.inToken && c.fill() && !isSpace(c.answer[0]) {
		c.part()
	}
	if c.phase == tail && c.err == nil {
		c.settle()
	}
	if c.phase == decided || c.err != nil {
		return
	}
	c.inToken = false
	if !c.opts.SpaceChangeSensitive {
		c.skipAnswerSpace()
	}
	switch {
	case !c.fill():
		c.outcome.Accepted = c.err == nil
	case isSpace(c.answer[0]):
		c.rejectSpace(nil)
	default:
		c.begin()
		c.ref.text.differ()
		c.readAnswerToken()
		c.reject(ReasonMissing)
	}
}
