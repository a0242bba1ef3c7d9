package verify

import (
	"fmt"
	"slices"
	"strings"

	"judge/judge"
)

// Check holds a judgement against what is expected of its submission, and says
// in sentences what is otherwise; none: all is as expected.
func Check(s *judge.JurySubmission, j *judge.Judgement) []string {
	if j.Verdict == judge.JE {
		return []string{"judging error: " + orElse(j.Message, "no reason is known")}
	}
	var all []string
	if len(s.Expected) > 0 && !slices.Contains(s.Expected, j.Verdict) {
		all = append(all, fmt.Sprintf("%s, expected %s%s", j.Verdict, either(s.Expected), decider(j)))
	}
	if s.Score != nil && !within(s.Score, j.Score) {
		all = append(all, fmt.Sprintf("score %s, expected %s", scoreText(j.Score), rangeText(s.Score)))
	}
	for i := range s.Expectations {
		all = append(all, checkOne(&s.Expectations[i], j)...)
	}
	return all
}

// checkOne is one expectation of runs.
func checkOne(e *judge.Expectation, j *judge.Judgement) []string {
	var all []string
	at := ""
	if e.Cases != "" {
		at = e.Cases + ": "
	}
	required, said, runs := len(e.Required) == 0, e.Message == "", 0
	for i := range j.Runs {
		r := &j.Runs[i]
		if !chosen(e.Cases, r.Case) {
			continue
		}
		runs++
		if len(e.Permitted) > 0 && !slices.Contains(e.Permitted, r.Verdict) {
			all = append(all, fmt.Sprintf("%s%s at %s, permitted %s", at, r.Verdict, r.Case, either(e.Permitted)))
		}
		required = required || slices.Contains(e.Required, r.Verdict)
		said = said || strings.Contains(r.Message, e.Message)
	}
	required = required || withoutRun(e, j)
	if j.Verdict == judge.CE { // nothing ran, so the compilation stands for all runs
		if len(e.Permitted) > 0 && !slices.Contains(e.Permitted, judge.CE) {
			all = append(all, fmt.Sprintf("%sCE, permitted %s", at, either(e.Permitted)))
		}
	}
	if !required {
		all = append(all, fmt.Sprintf("%snone of %d runs is %s", at, runs, either(e.Required)))
	}
	if !said {
		all = append(all, fmt.Sprintf("%sno run says %q", at, e.Message))
	}
	if e.Score != nil {
		all = append(all, checkScore(e, j)...)
	}
	return all
}

// withoutRun reports whether what is required was found where no program of the
// submission runs: by compiling, or by a static validator, which is part of a group.
func withoutRun(e *judge.Expectation, j *judge.Judgement) bool {
	if e.Cases == "" && slices.Contains(e.Required, j.Verdict) {
		return true
	}
	return slices.ContainsFunc(j.Groups, func(g judge.GroupResult) bool {
		return slices.Contains(e.Required, g.Verdict) && chosen(e.Cases, g.Group)
	})
}

// checkScore compares the scores of the groups that an expectation names; where it
// names none, of the cases; with no name, of the judgement.
func checkScore(e *judge.Expectation, j *judge.Judgement) []string {
	wrong := func(at string, score *float64) string {
		return fmt.Sprintf("%s: score %s, expected %s", at, scoreText(score), rangeText(e.Score))
	}
	if e.Cases == "" {
		if !within(e.Score, j.Score) {
			return []string{fmt.Sprintf("score %s, expected %s", scoreText(j.Score), rangeText(e.Score))}
		}
		return nil
	}
	var all []string
	found := false
	for _, g := range j.Groups {
		if match(e.Cases, g.Group) {
			found = true
			if !within(e.Score, g.Score) {
				all = append(all, wrong(g.Group, g.Score))
			}
		}
	}
	if found {
		return all
	}
	for i := range j.Runs {
		if r := &j.Runs[i]; chosen(e.Cases, r.Case) && !within(e.Score, r.Score) {
			all = append(all, wrong(r.Case, r.Score))
		}
	}
	return all
}

// chosen reports whether a pattern is a case's or of a group that it lies in.
func chosen(pattern, name string) bool {
	p, ok := judge.ParsePattern(pattern)
	return pattern == "" || ok && p.Match(name)
}

// match reports whether a pattern is of a group itself.
func match(pattern, name string) bool {
	p, ok := judge.ParsePattern(pattern)
	return ok && p.MatchSelf(name)
}

// decider names the case that decided.
func decider(j *judge.Judgement) string {
	for i := range j.Runs {
		if r := &j.Runs[i]; r.Verdict == j.Verdict && r.Verdict != judge.AC {
			if r.Message != "" {
				return fmt.Sprintf(" (%s: %s)", r.Case, firstLine(r.Message))
			}
			return fmt.Sprintf(" (%s)", r.Case)
		}
	}
	if j.Verdict == judge.CE && j.Compile != nil {
		return fmt.Sprintf(" (%s)", firstLine(j.Compile.Output))
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func either(all []judge.Verdict) string {
	words := make([]string, len(all))
	for i, v := range all {
		words[i] = string(v)
	}
	return strings.Join(words, " or ")
}

func within(r *judge.Range, score *float64) bool {
	const tolerance = 1e-9 // scores are sums of what was written in decimals
	return score != nil && *score >= r.Low-tolerance && *score <= r.High+tolerance
}

func scoreText(score *float64) string {
	if score == nil {
		return "none"
	}
	return fmt.Sprintf("%g", *score)
}

func rangeText(r *judge.Range) string {
	if r.Low == r.High {
		return fmt.Sprintf("%g", r.Low)
	}
	return fmt.Sprintf("%g to %g", r.Low, r.High)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
