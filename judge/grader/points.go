package grader

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"judge/judge"
)

// points says what a case's score can be.
type points struct {
	kind   pointsKind
	accept float64 // where no validator says; of bounded and legacy
	reject float64 // of legacy
	most   float64 // of bounded
}

type pointsKind int

const (
	noPoints  pointsKind = iota // pass-fail problems; samples of 2025-09: what is said is not heard
	passFail                    // of a pass-fail group: a score is a fault
	bounded                     // 2025-09, up to most
	unbounded                   // 2025-09, a score must be said
	byGrading                   // legacy
)

// pointsOf follows the group whose cases it is among.
func (j *judging) pointsOf(c *judge.CaseInGroup) points {
	switch {
	case !j.req.Problem.Scoring:
		return points{}
	case j.graded:
		rules := gradingOf(c.Group)
		return points{kind: byGrading, accept: rules.AcceptScore, reject: rules.RejectScore}
	}
	g := j.scoredGroup(c.Name)
	if g == nil {
		return points{}
	}
	s := j.scoringOf(g)
	p := points{kind: bounded, most: s.MaxScore}
	switch {
	case s.Aggregation == judge.AggregatePassFail:
		return points{kind: passFail}
	case c.MaxScore != nil:
		p.most = *c.MaxScore
	case math.IsInf(s.MaxScore, 1):
		return points{kind: unbounded}
	case s.Aggregation == judge.AggregateSum:
		p.most = (s.MaxScore - s.StaticScore) / float64(countCases(g))
	}
	p.accept = p.most
	return p
}

func (j *judging) staticPoints(g *judge.TestGroup) points {
	s := j.scoringOf(g)
	switch {
	case !j.req.Problem.Scoring || s == nil:
		return points{}
	case s.Aggregation == judge.AggregatePassFail:
		return points{kind: passFail}
	case s.Aggregation == judge.AggregateMin:
		return points{kind: bounded, most: s.MaxScore, accept: s.MaxScore}
	}
	return points{kind: bounded, most: s.StaticScore, accept: s.StaticScore}
}

// scoredGroup is the innermost group around a case that has a score.
func (j *judging) scoredGroup(name string) *judge.TestGroup {
	var found *judge.TestGroup
	for g := &j.req.Problem.Root; g != nil; {
		if g.Name != "" && j.scoringOf(g) != nil {
			found = g
		}
		var next *judge.TestGroup
		for i := range g.Groups {
			if strings.HasPrefix(name, g.Groups[i].Name+"/") {
				next = &g.Groups[i]
			}
		}
		g = next
	}
	return found
}

func countCases(g *judge.TestGroup) int {
	n := len(g.Cases)
	for i := range g.Groups {
		n += countCases(&g.Groups[i])
	}
	return n
}

// claim is what a validator says of a case's score.
type claim struct {
	score, factor *float64
	lenient       bool // of a protocol whose partial scores mean nothing here: what is not full is rejected
}

// value is what a case is worth, and whether it is accepted after all; an error
// says what the validator should not have said.
func (p points) value(accepted bool, c claim) (score float64, ok bool, err error) {
	if c.lenient && p.kind != bounded && p.kind != unbounded && p.kind != byGrading {
		full := (c.factor == nil || *c.factor >= 1) && c.score == nil
		return 0, accepted && full, nil
	}
	switch p.kind {
	case noPoints:
		return 0, accepted, nil
	case byGrading:
		return p.byGrading(accepted, c), accepted, nil
	case passFail, bounded, unbounded:
	}
	switch {
	case c.score != nil && c.factor != nil:
		return 0, false, fmt.Errorf("both %s and %s", scoreFile, factorFile)
	case (c.score != nil || c.factor != nil) && !accepted:
		return 0, false, fmt.Errorf("a score for a rejected output")
	case (c.score != nil || c.factor != nil) && p.kind == passFail:
		return 0, false, fmt.Errorf("a score in a pass-fail group")
	case !accepted || p.kind == passFail:
		return 0, accepted, nil
	}
	return p.scored(c)
}

func (p points) scored(c claim) (score float64, ok bool, err error) {
	switch {
	case c.score != nil && *c.score < 0:
		return 0, false, fmt.Errorf("a negative score, %v", *c.score)
	case c.factor != nil && (*c.factor < 0 || *c.factor > 1):
		return 0, false, fmt.Errorf("a multiplier of %v, not from 0 to 1", *c.factor)
	case p.kind == unbounded && c.score == nil:
		return 0, false, fmt.Errorf("no %s, where the score has no maximum", scoreFile)
	case c.factor != nil:
		return *c.factor * p.most, true, nil
	case c.score == nil:
		return p.accept, true, nil
	case p.kind == bounded && *c.score > p.most+slack*math.Max(1, p.most):
		return 0, false, fmt.Errorf("a score of %v, more than the case's maximum, %v", *c.score, p.most)
	case p.kind == bounded:
		return math.Min(*c.score, p.most), true, nil
	}
	return *c.score, true, nil
}

// byGrading: the legacy format has score.txt alone, and for rejected outputs too.
func (p points) byGrading(accepted bool, c claim) float64 {
	switch {
	case c.score != nil:
		return *c.score
	case !accepted:
		return p.reject
	case c.factor != nil:
		return *c.factor * p.accept
	}
	return p.accept
}

var decimal = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// parseScore reads the number in a score file.
func parseScore(name string, text []byte) (*float64, error) {
	word := strings.Trim(string(text), " \t\r\n")
	if !decimal.MatchString(word) {
		return nil, fmt.Errorf("%s holds %q where a decimal number belongs", name, clip(word))
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return nil, fmt.Errorf("%s holds %q, which is too large", name, clip(word))
	}
	return &n, nil
}

func clip(s string) string {
	const enough = 40
	if len(s) > enough {
		return s[:enough] + "…"
	}
	return s
}
