package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"judge/api"
)

// rejudgeCmd judges submissions once more, at a server.
type rejudgeCmd struct {
	Create rejudgeCreateCmd `cmd:"" help:"Judge submissions once more, behind all others; nothing changes yet."`
	List   rejudgeListCmd   `cmd:"" help:"List rejudgings."`
	Show   rejudgeShowCmd   `cmd:"" help:"Show what a rejudging would change: verdicts, submissions, a board, runs."`
	Watch  rejudgeWatchCmd  `cmd:"" help:"Wait until a rejudging has judged everything."`
	Apply  rejudgeApplyCmd  `cmd:"" help:"Make a rejudging's judgements count, all at once."`
	Cancel rejudgeCancelCmd `cmd:"" help:"Give a rejudging up; all stays as it was."`
}

type rejudgeCreateCmd struct {
	serverFlags

	Submission []string `placeholder:"ID" help:"This submission; may be given several times, as all of these may."`
	Problem    []string `short:"p" placeholder:"NAME" help:"Submissions for this problem."`
	Contest    []string `placeholder:"NAME" help:"Submissions in this contest."`
	Language   []string `short:"l" placeholder:"ID" help:"Submissions in this language."`
	Worker     []string `placeholder:"ID" help:"What this worker judged."`
	Verdict    []string `placeholder:"VERDICT" help:"What has this verdict now, as in AC or TLE."`
	Submitter  string   `placeholder:"ID" help:"Submissions of this person."`
	Since      string   `placeholder:"WHEN" help:"Handed in since then: a date (2027-01-31), a time (RFC 3339), or how long ago (90m, 3d)."`
	Until      string   `placeholder:"WHEN" help:"Handed in before then."`

	Reason      string `required:"" placeholder:"TEXT" help:"Why, for who reads it later."`
	SameVersion bool   `help:"Judge on the versions that the old judgements were made on, not on what is published now."`
	Apply       bool   `help:"Apply it by itself when all is judged, unless something is in the way."`
	DryRun      bool   `help:"Say how many it would judge, and make nothing."`
	Wait        bool   `short:"w" help:"Wait until all is judged, and show what it would change."`
	JSON        bool   `help:"One JSON object."`
}

// Help is shown by judge rejudge create --help.
func (rejudgeCreateCmd) Help() string {
	return `All conditions hold together; of one that is given several times, one of them. Submissions that are being judged just now are left out.

The new judgements are made behind all submissions, and only staff see them: until the rejudging is applied nothing changes, and after seven days it is cancelled by itself.

Examples:
  judge rejudge create --problem aplusb --reason "case 3 was wrong" --wait
  judge rejudge create --contest finals --language cpp --since 2h --reason "compiler flags" --dry-run
  judge rejudge create --worker 0195f1a2-… --reason "its disk was failing" --apply

Then:
  judge rejudge show ID
  judge rejudge apply ID --yes

Exit code 0: done, with --wait all is judged; 1: we or the server failed; 2: flags or token are refused, or they choose nothing.`
}

// Run makes a rejudging.
func (c *rejudgeCreateCmd) Run(a *app) error {
	request, err := c.request(time.Now())
	if err != nil {
		return badInput{err}
	}
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	call := apiCall{method: http.MethodPost, path: "rejudgings", once: true}
	if c.DryRun {
		call.query = map[string][]string{"dry_run": {"true"}}
	}
	if call, err = call.withJSON(request); err != nil {
		return err
	}
	var made api.Rejudging
	if _, err := cl.do(a.ctx, call, &made); err != nil {
		return err
	}
	if c.Wait && !c.DryRun {
		if !c.JSON {
			a.notef("rejudging %s: %s\n", idOf(&made), countsText(&made))
		}
		return a.watchRejudging(cl, idOf(&made), c.JSON)
	}
	return a.tellRejudging(&made, c.JSON)
}

func (c *rejudgeCreateCmd) request(now time.Time) (api.RejudgingRequest, error) {
	r := api.RejudgingRequest{
		Reason: c.Reason, Apply: c.Apply, Version: "current",
		RejudgingQuery: api.RejudgingQuery{
			Submissions: c.Submission, Problems: c.Problem, Contests: c.Contest, Languages: c.Language, Workers: c.Worker, Submitter: c.Submitter,
		},
	}
	if c.SameVersion {
		r.Version = "same"
	}
	for _, v := range c.Verdict {
		r.Verdicts = append(r.Verdicts, strings.ToUpper(v))
	}
	if len(c.Submission)+len(c.Problem)+len(c.Contest)+len(c.Language)+len(c.Worker)+len(c.Verdict) == 0 && c.Submitter == "" && c.Since == "" && c.Until == "" {
		return r, errors.New("which submissions? Name them by --submission, --problem, --contest, --language, --worker, --verdict, --submitter, --since or --until")
	}
	var err error
	if r.Since, err = parsePast("--since", c.Since, now); err != nil {
		return r, err
	}
	r.Until, err = parsePast("--until", c.Until, now)
	return r, err
}

// parsePast reads a moment that lies behind; zero where nothing is written.
func parsePast(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days.MatchString(text) {
		var n int
		if _, err := fmt.Sscanf(text, "%dd", &n); err == nil {
			return now.AddDate(0, 0, -n).UTC(), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d).UTC(), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s %q: write a date (2027-01-31: at its begin, UTC), a time (2027-01-31T12:00:00Z), or how long ago (90m, 3d)", flag, text)
}

type rejudgeListCmd struct {
	serverFlags

	JSON bool `help:"One rejudging a line, as JSON."`
}

// Run lists them, newest first.
func (c *rejudgeListCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	lines := jsonLines(a.out)
	var rows [][]string
	err = listAll(a.ctx, cl, "rejudgings", func(r api.Rejudging) error {
		if c.JSON {
			return lines.Encode(r)
		}
		rows = append(rows, []string{
			idOf(&r), shownText(r.State), fmt.Sprintf("%d/%d", r.Counts.Judged, r.Counts.Total), fmt.Sprint(r.Counts.Changed), fmt.Sprint(r.Counts.Failed),
			whenText(r.CreatedAt), shownText(r.ByName), shownText(r.Reason),
		})
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	t := table{out: a.out, columns: []column{{title: "id"}, {title: "state"}, {title: "judged", right: true}, {title: "changed", right: true}, {title: "JE", right: true}, {title: "made"}, {title: "by"}, {title: "reason"}}}
	return t.all(rows)
}

type rejudgeWatchCmd struct {
	serverFlags

	ID   string `arg:"" name:"id" help:"The rejudging's id, as judge rejudge list shows it."`
	JSON bool   `help:"One JSON object, at the end."`
}

// Run waits, and shows what it came to.
func (c *rejudgeWatchCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	return a.watchRejudging(cl, c.ID, c.JSON)
}

// rejudgeWait is the time between two looks at a rejudging.
const rejudgeWait = time.Second

// watchRejudging waits until a rejudging has judged everything, or has ended.
func (a *app) watchRejudging(cl *client, id string, asJSON bool) error {
	b := newBar(a.err, 0)
	defer b.clear()
	for {
		r, err := cl.rejudging(a, id)
		if err != nil {
			return err
		}
		// One that is applied by itself is waited for until it is, or cannot be.
		if r.State != "judging" && (r.State != "ready" || !r.Apply || r.Trouble != nil) {
			b.clear()
			return a.tellRejudging(&r, asJSON)
		}
		b.show("judging", r.Counts.Total-r.Counts.Queued-r.Counts.Running, r.Counts.Total)
		select {
		case <-a.ctx.Done():
			return a.ctx.Err()
		case <-time.After(rejudgeWait):
		}
	}
}

func (c *client) rejudging(a *app, id string) (r api.Rejudging, err error) {
	_, err = c.do(a.ctx, apiCall{method: http.MethodGet, path: "rejudgings/" + url.PathEscape(id)}, &r)
	return r, err
}
