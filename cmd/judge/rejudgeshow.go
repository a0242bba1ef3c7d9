package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/wire"
)

type rejudgeShowCmd struct {
	serverFlags

	ID         string `arg:"" name:"id" help:"The rejudging's id, as judge rejudge list shows it."`
	Changes    bool   `help:"List the submissions that would change."`
	All        bool   `help:"List all its submissions."`
	Board      bool   `help:"List the rows of the contest's board that would change."`
	Contest    string `placeholder:"NAME" help:"With --board: of this contest, where it concerns several."`
	Submission string `placeholder:"ID" help:"Compare the old and the new judgement of this submission, run by run."`
	JSON       bool   `help:"JSON: one object, of a list one a line."`
}

// Help is shown by judge rejudge show --help.
func (rejudgeShowCmd) Help() string {
	return `Without a flag it says how far it is and which verdicts change into which.

Examples:
  judge rejudge show ID
  judge rejudge show ID --changes
  judge rejudge show ID --board
  judge rejudge show ID --submission 0195f1a2-…`
}

// Run shows one of these.
func (c *rejudgeShowCmd) Run(a *app) error {
	chosen := 0
	for _, is := range []bool{c.Changes || c.All, c.Board || c.Contest != "", c.Submission != ""} {
		if is {
			chosen++
		}
	}
	if chosen > 1 {
		return badInput{errors.New("--changes (or --all), --board and --submission show different things; give one of them")}
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	switch {
	case c.Submission != "":
		return c.compare(a, cl)
	case c.Board || c.Contest != "":
		return c.board(a, cl)
	case c.Changes || c.All:
		return c.changes(a, cl)
	}
	r, err := cl.rejudging(a, c.ID)
	if err != nil {
		return err
	}
	return a.tellRejudging(&r, c.JSON)
}

func (c *rejudgeShowCmd) changes(a *app, cl *client) error {
	lines := jsonLines(a.out)
	var rows [][]string
	query := url.Values{"limit": {"200"}}
	if c.All {
		query.Set("all", "true")
	}
	err := listPages(a.ctx, cl, "rejudgings/"+url.PathEscape(c.ID)+"/changes", query, func(ch api.RejudgingChange) error {
		if c.JSON {
			return lines.Encode(ch)
		}
		before, after := ch.Old.Judgement.Judgement(), ch.New.Judgement.Judgement()
		rows = append(rows, []string{
			shownText(ch.SubmissionID), shownText(ch.Problem), shownText(cmp.Or(wire.Value(ch.Submitter.Team), wire.Value(ch.Submitter.ID), "-")), shownText(ch.Language),
			outcomeText(&before), outcomeText(&after), secondsText(before.CPUTime, before.WallTime > 0), secondsText(after.CPUTime, after.WallTime > 0), noteText(&ch),
		})
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(a.out, "no verdict and no score would change")
		return err
	}
	t := table{out: a.out, columns: []column{
		{title: "submission"},
		{title: "problem"},
		{title: "of"},
		{title: "language"},
		{title: "old"},
		{title: "new"},
		{title: "old CPU", right: true},
		{title: "new CPU", right: true},
		{title: "note"},
	}}
	return t.all(rows)
}

// noteText is what is to be known of a change besides.
func noteText(c *api.RejudgingChange) string {
	var notes []string
	for _, n := range []struct {
		is   bool
		text string
	}{
		{c.Applied, "applied"}, {c.Conflict, "judged otherwise meanwhile"}, {c.Old.Review != nil, "the old one is reviewed"},
	} {
		if n.is {
			notes = append(notes, n.text)
		}
	}
	return strings.Join(notes, ", ")
}

// outcomeText is a verdict, with the score where there is one, or the state.
func outcomeText(j *judge.Judgement) string {
	text := shownText(cmp.Or(string(j.Verdict), string(j.State)))
	if j.Score != nil {
		text += fmt.Sprintf(" %g", *j.Score)
	}
	return text
}

func (c *rejudgeShowCmd) board(a *app, cl *client) error {
	var board api.RejudgingBoard
	call := apiCall{method: http.MethodGet, path: "rejudgings/" + url.PathEscape(c.ID) + "/board", query: url.Values{}}
	if c.Contest != "" {
		call.query.Set("contest", c.Contest)
	}
	if _, err := cl.do(a.ctx, call, &board); err != nil {
		return err
	}
	lines := jsonLines(a.out)
	var rows [][]string
	for _, m := range board.Items {
		if c.JSON {
			if err := lines.Encode(m); err != nil {
				return err
			}
			continue
		}
		row := []string{shownText(cmp.Or(m.Name, m.Contestant))}
		before, after := standTexts(m.Old), standTexts(m.New)
		for i := range before {
			row = append(row, before[i]+" → "+after[i])
		}
		rows = append(rows, append(row, shownText(strings.Join(m.Problems, " "))))
	}
	if c.JSON {
		return nil
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintf(a.out, "nothing would change on the board of %s\n", shownText(board.Contest))
		return err
	}
	t := table{out: a.out, columns: []column{{title: "contestant"}, {title: "rank"}, {title: "solved"}, {title: "penalty"}, {title: "score"}, {title: "problems"}}}
	return t.all(rows)
}

// standTexts are rank, solved problems, penalty and score.
func standTexts(s *api.MoveStand) []string {
	if s == nil {
		return []string{"-", "-", "-", "-"}
	}
	rank := "-"
	if s.Rank != nil {
		rank = fmt.Sprint(*s.Rank)
	}
	return []string{rank, fmt.Sprint(s.Solved), fmt.Sprint(s.Penalty), fmt.Sprintf("%g", s.Score)}
}

// compare shows both judgements of a submission, run by run.
func (c *rejudgeShowCmd) compare(a *app, cl *client) error {
	var list struct{ Items []api.Judgement }
	if _, err := cl.do(a.ctx, apiCall{method: http.MethodGet, path: "submissions/" + url.PathEscape(c.Submission) + "/judgements"}, &list); err != nil {
		return err
	}
	// The old one of many is the newest before it that counted.
	made := slices.IndexFunc(list.Items, func(j api.Judgement) bool { return wire.Value(j.RejudgingID) == c.ID })
	if made < 0 {
		return badInput{fmt.Errorf("submission %s is not in rejudging %s", shownText(c.Submission), shownText(c.ID))}
	}
	old := slices.IndexFunc(list.Items, func(j api.Judgement) bool { return j.Current })
	if old < 0 || old == made {
		old = made + 1
	}
	if old >= len(list.Items) {
		return badInput{fmt.Errorf("submission %s has no other judgement to compare with", shownText(c.Submission))}
	}
	var both api.Comparison
	path := "judgements/" + url.PathEscape(wire.Value(list.Items[old].ID)) + "/compare/" + url.PathEscape(wire.Value(list.Items[made].ID))
	if _, err := cl.do(a.ctx, apiCall{method: http.MethodGet, path: path}, &both); err != nil {
		return err
	}
	if c.JSON {
		return jsonLines(a.out).Encode(both)
	}
	before, after := both.Old.Judgement.Judgement(), both.New.Judgement.Judgement()
	if _, err := fmt.Fprintf(a.out, "%s → %s\n", outcomeText(&before), outcomeText(&after)); err != nil {
		return err
	}
	var rows [][]string
	for _, p := range both.Runs {
		mark := ""
		if p.Differs {
			mark = "differs"
		}
		oldVerdict, oldTime := runTexts(p.Old)
		newVerdict, newTime := runTexts(p.New)
		rows = append(rows, []string{shownText(p.Case), oldVerdict, newVerdict, oldTime, newTime, mark})
	}
	t := table{out: a.out, columns: []column{{title: "case"}, {title: "old"}, {title: "new"}, {title: "old CPU", right: true}, {title: "new CPU", right: true}, {title: ""}}}
	return t.all(rows)
}

func runTexts(r *wire.Run) (verdict, cpu string) {
	if r == nil {
		return "-", "-"
	}
	run := r.Run()
	return shownText(string(run.Verdict)), secondsText(run.CPUTime, run.WallTime > 0)
}

// tellRejudging says how a rejudging stands, and which verdicts it changes.
func (a *app) tellRejudging(r *api.Rejudging, asJSON bool) error {
	if asJSON {
		return jsonLines(a.out).Encode(r)
	}
	var b strings.Builder
	if r.ID == nil {
		_, _ = fmt.Fprintf(&b, "it would judge %d submissions\n", r.Counts.Total)
	} else {
		_, _ = fmt.Fprintf(&b, "rejudging %s: %s\n", idOf(r), countsText(r))
		_, _ = fmt.Fprintf(&b, "  by %s, %s: %s\n", shownText(r.ByName), whenText(r.CreatedAt), shownText(r.Reason))
	}
	for _, n := range []struct {
		n    int
		text string
	}{
		{r.Counts.Skipped, "left out, as they are being judged"},
		{r.Counts.Failed, "ended as JE, which is our fault: they stay as they are"},
		{r.Counts.Conflicts, "judged otherwise meanwhile: they stay as they are"},
		{r.Counts.Reviewed, "with a review of the old judgement, which would count no more"},
	} {
		if n.n > 0 {
			_, _ = fmt.Fprintf(&b, "  %d %s\n", n.n, n.text)
		}
	}
	if r.Trouble != nil {
		_, _ = fmt.Fprintf(&b, "  not applied by itself: %s\n", shownText(*r.Trouble))
	}
	if r.State == "judging" || r.State == "ready" {
		_, _ = fmt.Fprintf(&b, "  cancelled by itself if it is not applied by %s\n", whenText(r.ExpiresAt))
	}
	if _, err := io.WriteString(a.out, b.String()); err != nil || len(r.Pairs) == 0 {
		return err
	}
	var rows [][]string
	for _, p := range r.Pairs {
		before := "cancelled"
		if p.Old != nil {
			before = *p.Old
		}
		rows = append(rows, []string{shownText(before), shownText(p.New), fmt.Sprint(p.Count)})
	}
	t := table{out: a.out, columns: []column{{title: "old"}, {title: "new"}, {title: "submissions", right: true}}}
	return t.all(rows)
}

func countsText(r *api.Rejudging) string {
	text := fmt.Sprintf("%s, %d of %d judged", shownText(r.State), r.Counts.Judged, r.Counts.Total)
	if r.Counts.Judged > 0 {
		text += fmt.Sprintf(", %d differ", r.Counts.Changed)
	}
	if r.Counts.Applied > 0 {
		text += fmt.Sprintf(", %d applied", r.Counts.Applied)
	}
	return text
}

func idOf(r *api.Rejudging) string { return shownText(wire.Value(r.ID)) }

// shownText is a server's text on a terminal.
func shownText(text string) string { return judge.SafeText([]byte(text), maxName) }

func whenText(t *wire.Time) string {
	if t == nil {
		return "-"
	}
	return time.Time(*t).Local().Format(time.DateTime)
}
