package main

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"judge/api"
)

// contestFlags are what a contest is made of, or changed to.
type contestFlags struct {
	From []string `type:"existingfile" placeholder:"FILE" help:"Read contest.yaml or problemset.yaml; may be given several times. Flags go before files."`

	Title          *string  `placeholder:"TEXT" help:"For people."`
	Kind           *string  `enum:"icpc,ioi,practice" placeholder:"KIND" help:"By which rules the board ranks: icpc, ioi, practice."`
	Start          *string  `placeholder:"WHEN" help:"A time (2027-01-31T10:00:00Z), how long from now (30m), or none."`
	Duration       *string  `placeholder:"SPAN" help:"5h, 5:00:00 or 18000 (seconds); 0 for practice without an end."`
	Freeze         *string  `placeholder:"SPAN" help:"How long before the end the public board stands still; 0: never."`
	Penalty        *string  `placeholder:"SPAN" help:"For each attempt that costs, as in 20m."`
	PenaltyVerdict []string `placeholder:"VERDICT" help:"That costs; may be given several times."`
	Problem        []string `short:"p" placeholder:"[LABEL=]NAME[:COLOR[:#RGB]]" help:"A problem, as in A=aplusb:red:#ff0000; all of them, in their order."`
	Language       []string `short:"l" placeholder:"ID" help:"That may be used; may be given several times. None: as each problem has it."`
	MaxSubmissions *int     `placeholder:"N" help:"Of one contestant for one problem; 0: no limit."`
	PerMinute      *int     `placeholder:"N" help:"Submissions of one contestant; 0: no limit."`
	Feedback       *string  `enum:"problem,full,cases,first_failed,verdict,none" placeholder:"POLICY" help:"What contestants see of their judgements: full, cases, first_failed, verdict, none; problem: as each problem has it."`
	HoldResults    *bool    `negatable:"" help:"Contestants see no verdicts until judge contest release."`
	Practice       *bool    `negatable:"" help:"What comes after the end is judged, and is not on the board."`
	PublicBoard    *bool    `negatable:"" help:"The public board needs no token."`
	Open           *bool    `negatable:"" help:"Whoever hands in for the first time becomes a contestant."`
	SubtaskBest    *bool    `negatable:"" help:"ioi: the best of each subtask counts, not the best submission."`
	Reason         string   `placeholder:"TEXT" help:"Why, for the audit log."`
}

// newContest is a contest as it is posted.
type newContest struct {
	api.ContestSettings

	Name string `json:"name,omitempty"`
}

// settings reads files, then flags.
func (f *contestFlags) settings(a *app) (newContest, error) {
	var k newContest
	for _, path := range f.From {
		if err := readContestFile(a, path, &k); err != nil {
			return k, badInput{err}
		}
	}
	if err := f.clock(&k.ContestSettings); err != nil {
		return k, badInput{err}
	}
	for to, from := range map[**bool]*bool{
		&k.HoldResults: f.HoldResults, &k.Practice: f.Practice, &k.PublicBoard: f.PublicBoard, &k.Open: f.Open, &k.SubtaskBest: f.SubtaskBest,
	} {
		if from != nil {
			*to = from
		}
	}
	for to, from := range map[**string]*string{&k.Title: f.Title, &k.Kind: f.Kind, &k.Feedback: f.Feedback} {
		if from != nil {
			*to = from
		}
	}
	if f.Feedback != nil && *f.Feedback == "problem" {
		k.Feedback = new(string)
	}
	for to, from := range map[**int]*int{&k.MaxSubmissions: f.MaxSubmissions, &k.PerMinute: f.PerMinute} {
		if from != nil {
			*to = from
		}
	}
	if len(f.PenaltyVerdict) > 0 {
		k.PenaltyVerdicts = &f.PenaltyVerdict
	}
	if len(f.Language) > 0 {
		k.Languages = &f.Language
	}
	if len(f.Problem) > 0 {
		all := make([]api.ContestProblemRequest, 0, len(f.Problem))
		for _, text := range f.Problem {
			p, err := parseContestProblem(text)
			if err != nil {
				return k, badInput{fmt.Errorf("--problem %q: %w", text, err)}
			}
			all = append(all, p)
		}
		k.Problems = &all
	}
	k.Reason = f.Reason
	return k, nil
}

func (f *contestFlags) clock(k *api.ContestSettings) error {
	if f.Start != nil {
		k.Start = api.OptionalTime{Sent: true}
		if *f.Start != "none" {
			var err error
			if k.Start.Time, err = parseStart(*f.Start, time.Now()); err != nil {
				return fmt.Errorf("--start: %w", err)
			}
		}
	}
	for _, span := range []struct {
		flag string
		from *string
		to   **float64
	}{{"--duration", f.Duration, &k.Duration}, {"--freeze", f.Freeze, &k.Freeze}, {"--penalty", f.Penalty, &k.Penalty}} {
		if span.from == nil {
			continue
		}
		d, err := parseSpan(*span.from)
		if err != nil {
			return fmt.Errorf("%s: %w", span.flag, err)
		}
		seconds := d.Seconds()
		*span.to = &seconds
	}
	return nil
}

var rgbPart = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// parseContestProblem reads [LABEL=]NAME[:COLOR[:#RGB]].
func parseContestProblem(text string) (p api.ContestProblemRequest, err error) {
	if label, rest, ok := strings.Cut(text, "="); ok {
		p.Label, text = label, rest
	}
	parts := strings.Split(text, ":")
	if p.Problem = parts[0]; p.Problem == "" || len(parts) > 3 {
		return p, errors.New("write [LABEL=]NAME[:COLOR[:#RGB]], as in A=aplusb:red:#ff0000")
	}
	for _, part := range parts[1:] {
		if rgbPart.MatchString(part) {
			p.RGB = part
		} else {
			p.Color = part
		}
	}
	return p, nil
}

var clockSpan = regexp.MustCompile(`^([0-9]{1,5}):([0-5][0-9]):([0-5][0-9])(\.[0-9]{1,9})?$`)

// parseSpan reads a length of time: h:mm:ss, Go's, or seconds. It may be 0.
func parseSpan(text string) (time.Duration, error) {
	if m := clockSpan.FindStringSubmatch(text); m != nil {
		text = m[1] + "h" + m[2] + "m" + m[3] + m[4] + "s"
	} else if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no length of time; write 5:00:00, 5h, 90m, or 18000 for seconds", text)
	}
	return d, nil
}

// parseStart reads a moment.
func parseStart(text string, now time.Time) (time.Time, error) {
	if text == "now" {
		return now.UTC(), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC(), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(d).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time; write 2027-01-31T10:00:00Z, 2027-01-31T11:00:00+01:00, or 30m for in half an hour", text)
}

type contestCreateCmd struct {
	serverFlags
	contestFlags

	Name string `arg:"" optional:"" help:"Small letters, digits, dots, dashes; else the file's short-name or id."`
	JSON bool   `help:"One JSON object."`
}

// Help is shown by judge contest create --help.
func (contestCreateCmd) Help() string {
	return `Without a start nothing can be handed in, and only staff see the problems: judge contest start begins it. Contestants are written by judge contest team, or come by themselves with --open.

Of contest.yaml and problemset.yaml are read: id, short-name, name, formal-name, start-time, duration, scoreboard-freeze-duration, penalty-time, languages (ids), and problems with label or letter, short-name or id, color, rgb; also under their names with underscores. What else there is, is named and left out.

Examples:
  judge contest create spring --title "Spring Contest" -p aplusb:red -p fence:blue --freeze 1h --start 2027-03-01T09:00:00Z
  judge contest create --from contest.yaml --from problemset.yaml --open
  judge contest create training --kind practice --duration 0 --start now --open -p aplusb`
}

// Run makes a contest.
func (c *contestCreateCmd) Run(a *app) error {
	k, err := c.settings(a)
	if err != nil {
		return err
	}
	if c.Name != "" {
		k.Name = c.Name
	}
	if k.Name == "" {
		return badInput{errors.New("say how the contest is called: judge contest create NAME")}
	}
	at := contestAt{serverFlags: c.serverFlags, JSON: c.JSON}
	var made api.Contest
	if err := at.do(a, http.MethodPost, "contests", nil, k, &made); err != nil {
		return err
	}
	return at.show(a, &made)
}

type contestUpdateCmd struct {
	contestAt
	contestFlags

	AllLanguages bool `help:"Let all languages be used that the problems allow."`
}

// Help is shown by judge contest update --help.
func (contestUpdateCmd) Help() string {
	return `What is not named stays. With --problem, all problems are to be named.

Examples:
  judge contest update spring --freeze 30m --reason "short contest"
  judge contest update spring --no-hold-results --feedback verdict`
}

// Run changes a contest.
func (c *contestUpdateCmd) Run(a *app) error {
	k, err := c.settings(a)
	if err != nil {
		return err
	}
	if c.AllLanguages {
		k.Languages = &[]string{}
	}
	var now api.Contest
	if err := c.do(a, http.MethodPatch, c.path(), nil, k.ContestSettings, &now); err != nil {
		return err
	}
	return c.show(a, &now)
}

type contestProblemsCmd struct {
	contestAt

	Set    []string `short:"p" placeholder:"[LABEL=]NAME[:COLOR[:#RGB]]" help:"Write the problems anew: all of them, in their order."`
	From   []string `type:"existingfile" placeholder:"FILE" help:"Write them anew as problemset.yaml has them."`
	Reason string   `placeholder:"TEXT" help:"Why, for the audit log."`
}

// Run lists problems, or writes them first.
func (c *contestProblemsCmd) Run(a *app) error {
	f := contestFlags{From: c.From, Problem: c.Set}
	k, err := f.settings(a)
	if err != nil {
		return err
	}
	var all struct {
		Items []api.ContestProblem `json:"items"`
	}
	switch {
	case k.Problems != nil:
		err = c.do(a, http.MethodPut, c.path("problems"), nil, map[string]any{"problems": *k.Problems, "reason": c.Reason}, &all)
	case len(c.From) > 0:
		return badInput{fmt.Errorf("%s: it has no problems", strings.Join(c.From, ", "))}
	default:
		err = c.do(a, http.MethodGet, c.path("problems"), nil, nil, &all)
	}
	if err != nil {
		return err
	}
	if !c.JSON {
		return problemTable(a, all.Items)
	}
	lines := jsonLines(a.out)
	for _, p := range all.Items {
		if err := lines.Encode(p); err != nil {
			return err
		}
	}
	return nil
}
