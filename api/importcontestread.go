package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

// What a contest's file says is believed only where it could have been said by
// requests, one after the other.

// inContestFile is where in contest.json a field is.
func inContestFile(field string) string { return contestFileName + "/" + field }

// readContestFile reads contest.json of a zip, and looks for the files that it
// speaks of. left are the names of those that are not imported.
func (s *Server) readContestFile(b Bundle) (_ *ContestFile, left []string, err error) {
	has := b.Names()
	if !slices.Contains(has, contestFileName) {
		return nil, nil, notInFile(contestFileName, "it is not there; this is no contest that a judge exported")
	}
	data, err := readBundled(b, contestFileName, s.Limits.Batch)
	if err != nil {
		return nil, nil, err
	}
	f := &ContestFile{}
	if err := strictly(data, f); err != nil {
		return nil, nil, err
	}
	wanted := map[string]bool{}
	if f.Contest.Problems != nil {
		for _, p := range *f.Contest.Problems {
			wanted[packageIn(p.Problem)] = true
		}
	}
	for _, name := range has {
		switch {
		case name == contestSubmissions || name == contestSources:
			left = append(left, name)
		case name != contestFileName && !wanted[name]:
			return nil, nil, notInFile(name, "it belongs to no problem of the contest; take it out")
		}
		delete(wanted, name)
	}
	for name := range wanted {
		return nil, nil, notInFile(name, "it is not there, and the contest has the problem")
	}
	return f, left, nil
}

func notInFile(name, text string) *Error {
	return fault("package", "%.200s: %s", name, text).in(judge.SafeText([]byte(name), maxFileName), "%s", text)
}

const maxFileName = 255 // bytes

func readBundled(b Bundle, name string, most int64) (data []byte, err error) {
	r, err := b.Open(name)
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(r, most+1))
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		return nil, refusalOf(err, "the file is refused whole", "")
	}
	if int64(len(data)) > most {
		return nil, notInFile(name, fmt.Sprintf("it has more than %d bytes", most))
	}
	return data, nil
}

// strictly reads contest.json. A field that is not known may be a rule: without it,
// it would be another contest.
func strictly(data []byte, f *ContestFile) error {
	const remedy = "it is to be as a judge of this version writes it"
	var format struct{ Format int }
	if err := json.Unmarshal(data, &format); err == nil && format.Format != contestFormat {
		return notInFile(contestFileName, fmt.Sprintf("its format is %d; this server reads %d", format.Format, contestFormat))
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(f)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows after its end")
		}
	}
	if err != nil {
		return notInFile(contestFileName, judge.SafeText([]byte(err.Error()), 500)+"; "+remedy)
	}
	return nil
}

// check is whether there could be such a contest here.
func (s *Server) checkContestFile(f *ContestFile, c *judge.Contest) error {
	err := c.Check()
	if err == nil {
		err = judge.CheckContestants(c.Contestants)
	}
	if wrong, ok := errors.AsType[*judge.Fault](err); ok {
		at := inContestFile("contest." + wrong.Field)
		if strings.HasPrefix(wrong.Field, "contestants[") {
			at = inContestFile(wrong.Field)
		}
		return wrongField(at, "%s", wrong.Text)
	}
	if err != nil {
		return err
	}
	times := map[string]time.Time{"contest.start": c.Start, "contest.thawed_at": c.Thawed, "contest.released_at": c.Released}
	for i, p := range c.Pauses {
		times[fmt.Sprintf("contest.pauses[%d].from", i)], times[fmt.Sprintf("contest.pauses[%d].until", i)] = p.From, p.Until
	}
	for i := range c.Contestants {
		times[fmt.Sprintf("contestants[%d].start", i)] = c.Contestants[i].Start
	}
	for field, t := range times {
		if !t.IsZero() && (t.Year() < 1970 || t.Year() > 9998) {
			return wrongField(inContestFile(field), "%s: a time is between the years 1970 and 9998", t.Format(time.RFC3339))
		}
	}
	if err := s.checkLanguages(c, inContestFile("contest.")); err != nil {
		return err
	}
	return s.checkContestPackages(f, c)
}

func (s *Server) checkContestPackages(f *ContestFile, c *judge.Contest) error {
	seen := map[string]bool{}
	for i, p := range f.Packages {
		at := func(field string) string { return inContestFile(fmt.Sprintf("packages[%d].%s", i, field)) }
		if seen[p.Problem] || !slices.ContainsFunc(c.Problems, func(k judge.ContestProblem) bool { return k.Problem == p.Problem }) {
			return wrongField(at("problem"), "%.80q is no problem of the contest, or is there twice", p.Problem)
		}
		seen[p.Problem] = true
		switch judge.Feedback(p.Feedback) {
		case judge.FeedbackFull, judge.FeedbackCases, judge.FeedbackFirstFailed, judge.FeedbackVerdict, judge.FeedbackNone:
		default:
			return wrongField(at("feedback"), "%.20q is none; full, cases, first_failed, verdict and none are", p.Feedback)
		}
		if err := s.knownLanguages(at("languages"), p.Languages); err != nil {
			return err
		}
	}
	for i, p := range c.Problems {
		if !seen[p.Problem] {
			return wrongField(inContestFile(fmt.Sprintf("contest.problems[%d].problem", i)), "packages says nothing of %.80q", p.Problem)
		}
	}
	return nil
}

// contest is what the file says, with its contestants.
func (f *ContestFile) contest() judge.Contest {
	k := &f.Contest
	c := judge.Contest{
		Name: k.Name, Title: k.Title, Kind: judge.ContestKind(k.Kind), Start: timeOf(k.Start), Duration: secondsOf(k.Duration), Freeze: secondsOf(k.Freeze),
		Thawed: timeOf(k.Thawed), Released: timeOf(k.Released), Penalty: secondsOf(k.Penalty), SubtaskBest: k.SubtaskBest, Practice: k.Practice,
		PublicBoard: k.PublicBoard, Open: k.Open, Feedback: judge.Feedback(wire.Value(k.Feedback)), HoldResults: k.HoldResults, Languages: k.Languages,
		MaxSubmissions: wire.Value(k.MaxSubmissions), PerMinute: wire.Value(k.PerMinute),
	}
	for _, v := range k.PenaltyVerdicts {
		c.PenaltyVerdicts = append(c.PenaltyVerdicts, judge.Verdict(v))
	}
	if k.PenaltyVerdicts != nil && c.PenaltyVerdicts == nil {
		c.PenaltyVerdicts = []judge.Verdict{} // none costs
	}
	for _, p := range k.Pauses {
		c.Pauses = append(c.Pauses, judge.Pause{From: timeOf(&p.From), Until: timeOf(p.Until)})
	}
	if k.Problems != nil {
		for _, p := range *k.Problems {
			c.Problems = append(c.Problems, judge.ContestProblem{
				Label: p.Label, Problem: p.Problem, Color: wire.Value(p.Color), RGB: wire.Value(p.RGB), Languages: p.Languages,
				MaxSubmissions: wire.Value(p.MaxSubmissions), Points: wire.Value(p.Points),
			})
		}
	}
	for i := range f.Contestants {
		p := &f.Contestants[i]
		c.Contestants = append(c.Contestants, judge.Contestant{
			ID: p.ID, Name: p.Name, Affiliation: wire.Value(p.Affiliation), Country: wire.Value(p.Country), Groups: p.Groups,
			Hidden: p.Hidden, Disqualified: p.Disqualified, Start: timeOf(p.Start), Extra: secondsOf(p.Extra),
		})
	}
	return c
}

func timeOf(t *wire.Time) time.Time { return time.Time(wire.Value(t)).UTC() }
