package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/wire"
)

// contestCmd makes and runs contests at a server.
type contestCmd struct {
	Create   contestCreateCmd   `cmd:"" help:"Make a contest, from flags or from the files of the ICPC's contest control systems."`
	List     contestListCmd     `cmd:"" help:"List the contests that the token may see."`
	Show     contestShowCmd     `cmd:"" help:"Show a contest: its clock, rules and problems."`
	Update   contestUpdateCmd   `cmd:"" help:"Change a contest."`
	Problems contestProblemsCmd `cmd:"" help:"List a contest's problems, or write them anew."`
	Teams    contestTeamsCmd    `cmd:"" help:"List a contest's contestants, teams or people."`
	Team     contestTeamCmd     `cmd:"" help:"Make or change a contestant: hide, disqualify, give it a start or more time; or remove it."`

	ImportTeams contestImportTeamsCmd `cmd:"" help:"Write contestants from a table: teams.tsv, or CSV with a header."`
	Submissions contestSubmissionsCmd `cmd:"" help:"Write all submissions of a contest as CSV or JSON."`
	Standings   contestStandingsCmd   `cmd:"" help:"Write the board of a contest as CSV or JSON."`
	Sources     contestSourcesCmd     `cmd:"" help:"Write the sources of a contest as a zip for plagiarism tools."`

	Export contestExportCmd `cmd:"" help:"Write a contest with its problems and contestants as one file."`
	Import contestImportCmd `cmd:"" help:"Make the contest that a file is of, as another server wrote it."`

	Start   contestStartCmd   `cmd:"" help:"Start a contest, now or at a time."`
	Pause   contestPauseCmd   `cmd:"" help:"Stop a contest's clock: nothing can be handed in."`
	Resume  contestResumeCmd  `cmd:"" help:"Let the clock go on; the end moves by as much."`
	Extend  contestExtendCmd  `cmd:"" help:"Make a contest longer, for all or for one contestant."`
	Freeze  contestFreezeCmd  `cmd:"" help:"Freeze the public board from now on."`
	Thaw    contestThawCmd    `cmd:"" help:"Show all on the public board."`
	Release contestReleaseCmd `cmd:"" help:"Show contestants the verdicts that were held back."`
	Delete  contestDeleteCmd  `cmd:"" help:"Remove a contest at which nothing was handed in."`
}

// contestAt names a contest at a server.
type contestAt struct {
	serverFlags

	Contest string `arg:"" name:"contest" help:"The contest's name."`
	JSON    bool   `help:"JSON instead of text."`
}

func (c *contestAt) path(below ...string) string {
	parts := []string{"contests", url.PathEscape(c.Contest)}
	for _, part := range below {
		parts = append(parts, url.PathEscape(part))
	}
	return strings.Join(parts, "/")
}

// do makes a call about the contest. body may be nil.
func (c *contestAt) do(a *app, method, path string, query url.Values, body, into any) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	call := apiCall{method: method, path: path, query: query, once: method == http.MethodPost}
	if body != nil {
		if call, err = call.withJSON(body); err != nil {
			return err
		}
	}
	_, err = cl.do(a.ctx, call, into)
	return err
}

type contestListCmd struct {
	serverFlags

	JSON bool `help:"One contest a line, as JSON."`
}

// Run lists contests.
func (c *contestListCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	lines := jsonLines(a.out)
	var rows [][]string
	err = listAll(a.ctx, cl, "contests", func(k api.Contest) error {
		if c.JSON {
			return lines.Encode(k)
		}
		problems := "-"
		if k.Problems != nil {
			problems = strconv.Itoa(len(*k.Problems))
		}
		rows = append(rows, []string{
			safe(k.Name), safe(k.Kind), safe(k.State), localTime(k.Start), localTime(k.End), problems, strconv.Itoa(k.Contestants), safe(k.Title),
		})
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	t := table{out: a.out, columns: []column{
		{title: "contest"}, {title: "kind"}, {title: "state"}, {title: "start"}, {title: "end"}, {title: "problems", right: true}, {title: "contestants", right: true}, {title: "title"},
	}}
	return t.all(rows)
}

// safe is text of a server's for a row.
func safe(text string) string { return judge.SafeText([]byte(text), maxName) }

func localTime(t *wire.Time) string {
	if t == nil {
		return "-"
	}
	return time.Time(*t).Local().Format(time.DateTime)
}

type contestShowCmd struct{ contestAt }

// Run shows a contest.
func (c *contestShowCmd) Run(a *app) error {
	var k api.Contest
	if err := c.do(a, http.MethodGet, c.path(), nil, nil, &k); err != nil {
		return err
	}
	return c.show(a, &k)
}

func (c *contestAt) show(a *app, k *api.Contest) error {
	if c.JSON {
		return jsonLines(a.out).Encode(k)
	}
	var rows [][2]string
	row := func(name, format string, args ...any) {
		rows = append(rows, [2]string{name, safe(fmt.Sprintf(format, args...))})
	}
	row("contest", "%s", strings.TrimSpace(k.Name+"  "+k.Title))
	row("state", "%s", k.State)
	row("start", "%s", localTime(k.Start))
	row("end", "%s", localTime(k.End))
	row("duration", "%s", spanText(k.Duration))
	for _, p := range k.Pauses {
		row("paused", "%s to %s", localTime(&p.From), localTime(p.Until))
	}
	switch {
	case k.Thawed != nil:
		row("board", "%s, thawed %s", k.Kind, localTime(k.Thawed))
	case k.Freeze > 0:
		row("board", "%s, frozen %s before the end", k.Kind, spanText(k.Freeze))
	default:
		row("board", "%s, never frozen", k.Kind)
	}
	if k.Kind != string(judge.ContestIOI) {
		row("penalty", "%g min for %s", k.Penalty/60, strings.Join(k.PenaltyVerdicts, " "))
	}
	row("languages", "%s", cmp.Or(strings.Join(k.Languages, " "), "as each problem has it"))
	row("limits", "%s", limitsText(&k.ContestRules))
	row("feedback", "%s", feedbackText(k))
	row("contestants", "%d", k.Contestants)
	if rules := flagsText(&k.ContestRules); rules != "" {
		row("rules", "%s", rules)
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(a.out, "%-12s %s\n", r[0], r[1]); err != nil {
			return err
		}
	}
	if k.Problems == nil || len(*k.Problems) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(a.out); err != nil {
		return err
	}
	return problemTable(a, *k.Problems)
}

func limitsText(r *api.ContestRules) string {
	var out []string
	if r.MaxSubmissions != nil {
		out = append(out, fmt.Sprintf("%d submissions for a problem", *r.MaxSubmissions))
	}
	if r.PerMinute != nil {
		out = append(out, fmt.Sprintf("%d in a minute", *r.PerMinute))
	}
	return cmp.Or(strings.Join(out, ", "), "none")
}

func feedbackText(k *api.Contest) string {
	text := "as each problem has it"
	if k.Feedback != nil {
		text = *k.Feedback
	}
	switch {
	case k.Released != nil:
		text += ", released " + localTime(k.Released)
	case k.HoldResults:
		text += ", held back until it is released"
	}
	return text
}

func flagsText(r *api.ContestRules) string {
	var out []string
	for _, f := range []struct {
		is   bool
		text string
	}{{r.Open, "open to everybody"}, {r.PublicBoard, "public board"}, {r.Practice, "practice after the end"}, {r.SubtaskBest, "best of each subtask"}} {
		if f.is {
			out = append(out, f.text)
		}
	}
	return strings.Join(out, ", ")
}

func problemTable(a *app, all []api.ContestProblem) error {
	var rows [][]string
	for _, p := range all {
		most, points := "-", "-"
		if p.MaxSubmissions != nil {
			most = strconv.Itoa(*p.MaxSubmissions)
		}
		if p.Points != nil {
			points = strconv.FormatFloat(*p.Points, 'g', -1, 64)
		}
		color := strings.TrimSpace(wire.Value(p.Color) + " " + wire.Value(p.RGB))
		rows = append(rows, []string{safe(p.Label), safe(p.Problem), cmp.Or(safe(color), "-"), cmp.Or(safe(strings.Join(p.Languages, " ")), "-"), most, points})
	}
	t := table{out: a.out, columns: []column{{title: "label"}, {title: "problem"}, {title: "color"}, {title: "languages"}, {title: "submissions", right: true}, {title: "points", right: true}}}
	return t.all(rows)
}

// spanText is seconds as h:mm:ss.
func spanText(seconds float64) string {
	if seconds == 0 {
		return "-"
	}
	d := time.Duration(seconds * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

type contestDeleteCmd struct {
	contestAt

	Yes    bool   `short:"y" help:"Yes: its rules and contestants are lost."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit log."`
}

// Run removes a contest.
func (c *contestDeleteCmd) Run(a *app) error {
	if !c.Yes {
		return badInput{errors.New("the contest's rules and contestants are lost; say --yes")}
	}
	if err := c.do(a, http.MethodDelete, c.path(), reasonQuery(c.Reason), nil, nil); err != nil {
		return err
	}
	a.notef("contest %s is removed\n", safe(c.Contest))
	return nil
}

func reasonQuery(reason string) url.Values {
	if reason == "" {
		return nil
	}
	return url.Values{"reason": {reason}}
}
