package problems

import (
	"math"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// How groups of the legacy format come to verdicts and scores.

func defaultGrading() judge.Grading {
	return judge.Grading{
		Verdict: judge.WorstError, Score: judge.ScoreSum, AcceptScore: 1,
		Low: math.Inf(-1), High: math.Inf(1),
	}
}

// grading is default, or custom: a program of the package decides.
func (r *reader) grading(d *document, n *yaml.Node, s *settings) {
	switch v, ok := d.text(n, "grading"); {
	case !ok:
	case v == "default":
		s.grading.Custom = false
	case v == "custom":
		s.grading.Custom, s.gradingSet = true, true
		if r.inLegacy.graderUsed = true; len(r.pkg.Problem.Graders) == 0 && !r.inLegacy.gradersBad {
			d.fault(MissingGrader, n, "grading is custom, but the folder graders/ is missing or holds no program; add the grader or write grading: default")
		}
	default:
		d.errorf(n, "grading is %q; write default or custom", v)
	}
}

// graderFlags are those of the default grader, or whatever a custom one takes.
func (r *reader) graderFlags(d *document, n *yaml.Node, root bool, s *settings) {
	text, ok := d.text(n, "grader_flags")
	if !ok {
		return
	}
	g := &s.grading
	g.Flags, g.Verdict, g.Score, g.IgnoreSample, g.AnyAccepted = strings.Fields(text), judge.WorstError, judge.ScoreSum, false, false
	if g.Custom {
		return
	}
	for _, f := range g.Flags {
		switch f {
		case "worst_error", "first_error", "always_accept":
			g.Verdict = judge.VerdictMode(f)
		case "sum", "avg", "min", "max":
			if g.Score = judge.ScoreMode(f); !r.pkg.Problem.Scoring {
				d.warnf(UselessKey, n, "grader_flags: %s has no effect in a pass-fail problem; remove it", f)
			}
		case "ignore_sample":
			if g.IgnoreSample = root; !root {
				d.warnf(UselessKey, n, "grader_flags: ignore_sample has an effect in data/%s only; remove it here", testdataFile)
			}
		case "accept_if_any_accepted":
			g.AnyAccepted = true
		default:
			d.fault(BadFlags, n, "grader_flags has %.40q, which the default grader does not know; write worst_error, first_error, always_accept, sum, avg, min, max, ignore_sample or accept_if_any_accepted, or grading: custom", f)
		}
	}
	s.gradingSet = s.gradingSet || g.Verdict == judge.AlwaysAccept || g.AnyAccepted || g.IgnoreSample
}

// score is a number of its own.
func (r *reader) score(d *document, n *yaml.Node, key string, to *float64) {
	if !r.pkg.Problem.Scoring {
		d.warnf(UselessKey, n, "%s has no effect in a pass-fail problem; remove it, or write type: scoring in problem.yaml", key)
		return
	}
	if f, ok := d.finite(n, key, -maxScore, maxScore); ok {
		*to = f
	}
}

// scoreBounds is two numbers, of which each may be infinite.
func (r *reader) scoreBounds(d *document, n *yaml.Node, g *judge.Grading) {
	text, ok := d.text(n, "range")
	switch {
	case !ok:
		return
	case !r.pkg.Problem.Scoring:
		d.warnf(UselessKey, n, "range has no effect in a pass-fail problem; remove it, or write type: scoring in problem.yaml")
		return
	}
	ends := strings.Fields(text)
	bounds := make([]float64, 0, 2)
	for _, e := range ends {
		inf := strings.TrimLeft(strings.ToLower(e), "+-")
		if f, ok := parseFloat(e); ok && !math.IsInf(f, 0) {
			bounds = append(bounds, f)
		} else if (inf == "inf" || inf == "infinity") && len(e)-len(inf) <= 1 {
			bounds = append(bounds, math.Inf(1-2*strings.Count(e, "-")))
		}
	}
	switch {
	case len(ends) != 2 || len(bounds) != 2:
		d.fault(BadRange, n, "range is %.60q; write the lowest and the highest score, as 0 100 or 0 inf", text)
	case !(bounds[0] <= bounds[1]) || math.IsInf(bounds[0], 1) || math.IsInf(bounds[1], -1):
		d.fault(BadRange, n, "range is %.60q, which holds no score; write the lowest score first", text)
	default:
		g.Low, g.High = bounds[0], bounds[1]
	}
}

// graders reads the custom graders.
func (r *reader) graders() {
	before := r.rep.count[Error]
	all := r.programs("graders")
	if len(all) > 1 {
		r.rep.errorf(SeveralGraders, "graders", 0, "holds %d graders, and nothing says which is used; leave one", len(all))
	}
	r.pkg.Problem.Graders = all
	r.inLegacy.gradersBad = r.rep.count[Error] > before
}

// graded takes the grading out of pass-fail problems in which nothing asks for
// it, and remarks on what cannot be right.
func (r *reader) graded(any bool) {
	p := &r.pkg.Problem
	if len(p.Graders) > 0 && !r.inLegacy.graderUsed {
		r.rep.warnf(UnusedGrader, p.Graders[0].Name, 0, "is not used, because no %s says grading: custom; say so or remove it", testdataFile)
	}
	if p.Scoring {
		r.inLegacy.best, _ = r.bestScore(&p.Root)
		return
	}
	if any {
		return
	}
	var walk func(g *judge.TestGroup)
	walk = func(g *judge.TestGroup) {
		g.Grading = nil
		for i := range g.Groups {
			walk(&g.Groups[i])
		}
	}
	walk(&p.Root)
}

// bestScore is what full marks of a group are. Where only its validator or grader
// knows, ok is false, and best the upper end of its range. It warns where the range
// excludes what is known.
func (r *reader) bestScore(g *judge.TestGroup) (best float64, ok bool) {
	c := g.Grading
	ok = !c.Custom
	var parts []float64
	for range g.Cases {
		parts = append(parts, c.AcceptScore)
		ok = ok && !r.inLegacy.scoring
	}
	for i := range g.Groups {
		s, known := r.bestScore(&g.Groups[i])
		if c.IgnoreSample && g.Groups[i].Name == "sample" {
			continue
		}
		parts = append(parts, s)
		ok = ok && known
	}
	best = combined(c.Score, parts)
	if c.Custom || !ok {
		return c.High, false
	}
	if file := path.Join("data", g.Name, testdataFile); best < c.Low || best > c.High {
		hint := ""
		if g.Name == "" && !c.IgnoreSample && c.Score == judge.ScoreSum {
			hint = " (sample counts too: grader_flags: ignore_sample leaves it out)"
		}
		r.rep.warnf(ScoreSum, file, 0, "who solves everything gets %g here, which is outside of the range from %g to %g%s; make accept_score and range agree", best, c.Low, c.High, hint)
	}
	return best, true
}

// partial is the score of a submission in partially_accepted: short of the best one.
func (r *reader) partial() *judge.Range {
	p := &r.pkg.Problem
	low, high := math.Inf(-1), math.Inf(1)
	switch {
	case !p.Scoring || p.Root.Grading == nil:
		return nil
	case p.Minimize && !math.IsInf(p.Root.Grading.Low, -1):
		low = math.Nextafter(p.Root.Grading.Low, high)
	case !p.Minimize && !math.IsInf(r.inLegacy.best, 1):
		high = math.Nextafter(r.inLegacy.best, low)
	default:
		return nil
	}
	return &judge.Range{Low: low, High: high}
}

func combined(mode judge.ScoreMode, parts []float64) float64 {
	if len(parts) == 0 {
		return 0
	}
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	switch mode {
	case judge.ScoreMin:
		return slices.Min(parts)
	case judge.ScoreMax:
		return slices.Max(parts)
	case judge.ScoreAvg:
		return sum / float64(len(parts))
	case judge.ScoreSum:
	}
	return sum
}
