package judge

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Fault is what is wrong with one field of something, in the words of the API.
type Fault struct {
	Field string // as in problems[2].rgb
	Text  string // what is wrong, and what would be right
}

func (f *Fault) Error() string { return f.Field + ": " + f.Text }

func (f *Fault) Unwrap() error { return ErrInvalid }

// Bounds against typing errors.
const (
	maxContest     = 10 * 365 * 24 * time.Hour
	maxExtra       = 365 * 24 * time.Hour
	maxProblems    = 200
	maxContestants = 100_000
	maxCount       = 1_000_000
	maxTitle       = 200 // characters
	maxLabel       = 16
	maxGroups      = 50
	maxPauses      = 10_000
)

var (
	contestName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	rgbPattern  = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	alpha3      = regexp.MustCompile(`^[A-Z]{3}$`)
)

// Check finds what is wrong with a contest and its problems, contestants left out:
// a *Fault, or nil. Whether problems and languages are there it does not know.
func (c *Contest) Check() error {
	for _, err := range []error{c.checkClock(), c.checkPauses(), c.checkRules(), c.checkProblems()} {
		if err != nil {
			return err
		}
	}
	return nil
}

func wrong(field, format string, args ...any) error {
	return &Fault{field, fmt.Sprintf(format, args...)}
}

func (c *Contest) checkClock() error {
	switch {
	case !contestName.MatchString(c.Name):
		return wrong("name", "%.80q is no name; names are [a-z0-9][a-z0-9._-]{0,63}", c.Name)
	case c.Kind != ContestICPC && c.Kind != ContestIOI && c.Kind != ContestPractice:
		return wrong("kind", "%.20q is none; icpc, ioi and practice are", c.Kind)
	case !line(c.Title, maxTitle):
		return wrong("title", "it has at most %d characters, in one line", maxTitle)
	case c.Duration < 0 || c.Duration > maxContest:
		return wrong("duration_s", "it is between 0 and ten years")
	case c.Duration == 0 && c.Kind != ContestPractice:
		return wrong("duration_s", "a contest by the rules of %s has one; only practice may have no end", c.Kind)
	case c.Freeze < 0 || c.Freeze > c.Duration:
		return wrong("freeze_s", "the board is frozen for 0 s to duration_s before the end")
	}
	return nil
}

func (c *Contest) checkPauses() error {
	if len(c.Pauses) > maxPauses {
		return wrong("pauses", "there are %d; at most %d", len(c.Pauses), maxPauses)
	}
	for i, p := range c.Pauses {
		switch {
		case p.From.IsZero() || i > 0 && p.From.Before(c.Pauses[i-1].Until):
			return wrong(fmt.Sprintf("pauses[%d].from", i), "pauses are in order, and apart from each other")
		case p.Until.IsZero() && i < len(c.Pauses)-1:
			return wrong(fmt.Sprintf("pauses[%d].until", i), "only the last one may last")
		case !p.Until.IsZero() && p.Until.Before(p.From):
			return wrong(fmt.Sprintf("pauses[%d].until", i), "it is before from")
		}
	}
	return nil
}

func (c *Contest) checkRules() error {
	for i, v := range c.PenaltyVerdicts {
		if !v.Valid() || v == AC || v == JE {
			return wrong(fmt.Sprintf("penalty_verdicts[%d]", i), "%.20q cannot cost; WA, TLE, MLE, OLE, RE and CE can", v)
		}
	}
	switch c.Feedback {
	case "", FeedbackFull, FeedbackCases, FeedbackFirstFailed, FeedbackVerdict, FeedbackNone:
	default:
		return wrong("feedback", "%.20q is none; full, cases, first_failed, verdict and none are", c.Feedback)
	}
	switch {
	case c.Penalty < 0 || c.Penalty > 24*time.Hour:
		return wrong("penalty_s", "it is between 0 and a day")
	case c.MaxSubmissions < 0 || c.MaxSubmissions > maxCount:
		return wrong("max_submissions", "it is between 1 and %d; 0: no limit", maxCount)
	case c.PerMinute < 0 || c.PerMinute > maxCount:
		return wrong("per_minute", "it is between 1 and %d; 0: no limit", maxCount)
	}
	return nil
}

func (c *Contest) checkProblems() error {
	if len(c.Problems) > maxProblems {
		return wrong("problems", "there are %d; at most %d", len(c.Problems), maxProblems)
	}
	labels, names := map[string]int{}, map[string]int{}
	for i := range c.Problems {
		p := &c.Problems[i]
		at := func(field string) string { return fmt.Sprintf("problems[%d].%s", i, field) }
		if before, ok := labels[strings.ToLower(p.Label)]; ok {
			return wrong(at("label"), "problems[%d] has the label %q too", before, p.Label)
		}
		if before, ok := names[p.Problem]; ok {
			return wrong(at("problem"), "problems[%d] is %s too", before, p.Problem)
		}
		labels[strings.ToLower(p.Label)], names[p.Problem] = i, i
		switch {
		case p.Label == "" || strings.ContainsAny(p.Label, " \t/") || !line(p.Label, maxLabel):
			return wrong(at("label"), "%.40q: labels have 1 to %d characters, without spaces and slashes, as A or B2", p.Label, maxLabel)
		case !contestName.MatchString(p.Problem):
			return wrong(at("problem"), "%.80q is no name of a problem", p.Problem)
		case !line(p.Color, maxTitle):
			return wrong(at("color"), "it has at most %d characters, in one line", maxTitle)
		case p.RGB != "" && !rgbPattern.MatchString(p.RGB):
			return wrong(at("rgb"), "%.20q: write it as #rrggbb", p.RGB)
		case p.MaxSubmissions < 0 || p.MaxSubmissions > maxCount:
			return wrong(at("max_submissions"), "it is between 1 and %d; 0: as the contest has it", maxCount)
		case !(p.Points >= 0) || math.IsInf(p.Points, 0): // nor NaN
			return wrong(at("points"), "they are more than 0; 0: as the problem has them")
		}
	}
	return nil
}

// CheckContestants finds what is wrong with contestants: a *Fault, or nil.
func CheckContestants(all []Contestant) error {
	if len(all) > maxContestants {
		return wrong("contestants", "there are %d; at most %d", len(all), maxContestants)
	}
	seen := make(map[string]int, len(all))
	for i := range all {
		p := &all[i]
		at := func(field string) string { return fmt.Sprintf("contestants[%d].%s", i, field) }
		if before, ok := seen[p.ID]; ok {
			return wrong(at("id"), "contestants[%d] has the id %.80q too", before, p.ID)
		}
		seen[p.ID] = i
		switch {
		case p.ID == "" || len(p.ID) > 255 || !line(p.ID, 255):
			return wrong(at("id"), "%.80q: an id has 1 to 255 bytes, in one line", p.ID)
		case !line(p.Name, maxTitle):
			return wrong(at("name"), "it has at most %d characters, in one line", maxTitle)
		case !line(p.Affiliation, maxTitle):
			return wrong(at("affiliation"), "it has at most %d characters, in one line", maxTitle)
		case p.Country != "" && !alpha3.MatchString(p.Country):
			return wrong(at("country"), "%.20q: write it as ISO 3166-1 alpha-3 has it, like DEU", p.Country)
		case len(p.Groups) > maxGroups:
			return wrong(at("groups"), "there are %d; at most %d", len(p.Groups), maxGroups)
		case p.Extra < 0 || p.Extra > maxExtra:
			return wrong(at("extra_s"), "it is between 0 and a year")
		}
		for k, g := range p.Groups {
			if g == "" || !line(g, maxTitle) {
				return wrong(fmt.Sprintf("contestants[%d].groups[%d]", i, k), "a group's name has 1 to %d characters, in one line", maxTitle)
			}
		}
	}
	return nil
}

// line reports whether text is safe to print, in one line, and has at most so many
// characters.
func line(text string, characters int) bool {
	return utf8.RuneCountInString(text) <= characters && !strings.ContainsAny(text, "\n\t") && SafeText([]byte(text), len(text)) == text
}
