package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Contest is a contest as JSON, as whoever asks may see it.
type Contest struct {
	Name     string     `json:"name"`
	Title    string     `json:"title"`
	Kind     string     `json:"kind" enum:"icpc,ioi,practice"`
	State    string     `json:"state" enum:"before,running,paused,ended" doc:"By the contest's own clock; contestants may have other times."`
	Start    *wire.Time `json:"start" doc:"Null: not set yet."`
	End      *wire.Time `json:"end" doc:"With the pauses that are over; null: there is none."`
	Duration float64    `json:"duration_s" doc:"0: no end."`
	Pauses   []Pause    `json:"pauses"`
	Freeze   float64    `json:"freeze_s" doc:"How long before the end the public board stands still; 0: never."`
	Thawed   *wire.Time `json:"thawed_at" doc:"From when on it shows all; null: not yet."`
	Released *wire.Time `json:"released_at" doc:"From when on verdicts are not held back any more; null: not yet."`
	ContestRules

	Problems    *[]ContestProblem `json:"problems" doc:"In order of label; null: not to be seen before the start."`
	Contestants int               `json:"contestants" doc:"How many may be seen."`
	CreatedAt   wire.Time         `json:"created_at"`
	Revision    int64             `json:"revision" doc:"Counts changes; for If-Match."`
}

// ContestRules are what a contest's board and its contestants go by.
type ContestRules struct {
	Penalty         float64  `json:"penalty_s" doc:"For each attempt that costs."`
	PenaltyVerdicts []string `json:"penalty_verdicts" doc:"That cost."`
	SubtaskBest     bool     `json:"subtask_best" doc:"ioi: the sum of the best score of each subtask counts; else the best submission."`
	Practice        bool     `json:"practice" doc:"What comes after the end is judged, and is not on the board."`
	PublicBoard     bool     `json:"public_board" doc:"The public board needs no token."`
	Open            bool     `json:"open" doc:"Whoever hands in for the first time becomes a contestant."`
	Feedback        *string  `json:"feedback" enum:"full,cases,first_failed,verdict,none" doc:"Instead of the problems' own; null: theirs."`
	HoldResults     bool     `json:"hold_results" doc:"Contestants see no verdicts until they are released."`
	Languages       []string `json:"languages" doc:"That may be used, of those that each problem allows; empty: all."`
	MaxSubmissions  *int     `json:"max_submissions" doc:"Of one contestant for one problem; null: no limit."`
	PerMinute       *int     `json:"per_minute" doc:"Submissions of one contestant in any 60 s; null: no limit."`
}

// Pause is a time in which a contest's clock stands still.
type Pause struct {
	From  wire.Time  `json:"from"`
	Until *wire.Time `json:"until" doc:"Null: it lasts."`
}

// ContestProblem is a problem in a contest.
type ContestProblem struct {
	Label          string   `json:"label"`
	Problem        string   `json:"problem"`
	Color          *string  `json:"color"`
	RGB            *string  `json:"rgb" doc:"As in #ff0000."`
	Languages      []string `json:"languages" doc:"Empty: as the contest has it."`
	MaxSubmissions *int     `json:"max_submissions" doc:"Null: as the contest has it."`
	Points         *float64 `json:"points" doc:"ioi: what its full score is scaled to; null: its own."`
}

// ContestPath names a contest.
type ContestPath struct {
	Contest string `path:"contest" maxLength:"64" doc:"Name of the contest."`
}

type contestQuery struct {
	ContestPath

	Tag string `header:"If-None-Match"`
}

type contestOutput struct {
	Status       int
	Tag          string `header:"ETag"`
	CacheControl string `header:"Cache-Control"`
	Body         Contest
}

func (s *Server) contestRoutes() {
	tags := []string{"contests"}
	at := "/contests/{contest}"
	register(s, huma.Operation{OperationID: "list-contests", Method: http.MethodGet, Path: "/contests", Tags: tags, Summary: "List contests, by name", Description: "Of the token's scope."}, s.listContests)
	register(s, huma.Operation{
		OperationID: "get-contest", Method: http.MethodGet, Path: at, Tags: tags, Summary: "A contest",
		Description: "Problems are shown from the start on, to its staff always. ETag has the revision, for If-Match.",
		Responses:   map[string]*huma.Response{"304": {Description: http.StatusText(http.StatusNotModified)}},
	}, s.getContest)
	register(s, huma.Operation{
		OperationID: "list-contest-problems", Method: http.MethodGet, Path: at + "/problems", Tags: tags, Summary: "The problems of a contest, in order of label",
		Description: "404 before the start, but for its staff.",
	}, s.listContestProblems)
	s.contestWriteRoutes(tags)
	s.contestActionRoutes(tags)
	s.contestantRoutes(tags)
	s.contestFileRoutes(tags)
}

// contest finds a contest that the caller may know of.
func (s *Server) contest(ctx context.Context, name string) (judge.Contest, error) {
	c, err := s.Records.ContestInfo(ctx, name)
	if err == nil && !runsContest(tokenOf(ctx), name) && !holdsContest(tokenOf(ctx), name) {
		err = judge.ErrNotFound
	}
	return c, named(err, "contest", name)
}

// staffContest is contest for what only its staff may.
func (s *Server) staffContest(ctx context.Context, name string) (judge.Contest, error) {
	c, err := s.contest(ctx, name)
	if err == nil && !runsContest(tokenOf(ctx), name) {
		err = unknown("contest", name)
	}
	return c, err
}

func (s *Server) getContest(ctx context.Context, in *contestQuery) (*contestOutput, error) {
	c, err := s.contest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	return s.answerContest(ctx, s.Records, &c, in.Tag)
}

func (s *Server) answerContest(ctx context.Context, reads Reads, c *judge.Contest, has string) (*contestOutput, error) {
	shown, err := s.showContest(ctx, reads, c)
	if err != nil {
		return nil, err
	}
	out := &contestOutput{Status: http.StatusOK, Tag: contestTag(c, shown.State), CacheControl: "private, no-cache", Body: shown}
	if tagged(has, out.Tag) {
		out.Status = http.StatusNotModified
	}
	return out, nil
}

// contestTag is of what one token sees of a contest: what may be seen changes with
// the state.
func contestTag(c *judge.Contest, state string) string {
	return fmt.Sprintf("%q", strconv.FormatInt(c.Revision, 10)+"-"+state)
}

// ifMatch compares the revision of a contest with what a client has seen.
func ifMatch(has string, c *judge.Contest) error {
	if has == "" || strings.TrimSpace(has) == "*" {
		return nil
	}
	for tag := range strings.SplitSeq(has, ",") {
		text, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(tag), `"`), "-")
		if revision, err := strconv.ParseInt(text, 10, 64); err == nil && revision == c.Revision {
			return nil
		}
	}
	return fault("changed", "contest %s has changed: it is at revision %d; read it, and decide anew", c.Name, c.Revision).
		in("header.If-Match", "it is at revision %d", c.Revision)
}

func (s *Server) showContest(ctx context.Context, reads Reads, c *judge.Contest) (Contest, error) {
	token, now := tokenOf(ctx), s.now()
	staff := runsContest(token, c.Name)
	n, err := reads.CountContestants(ctx, c.Name, seenContestants(staff))
	_, end := c.Window(nil)
	out := Contest{
		Name: c.Name, Title: c.Title, Kind: string(c.Kind), State: string(c.State(nil, now)), Start: moment(c.Start), End: moment(end),
		Duration: c.Duration.Seconds(), Pauses: []Pause{}, Freeze: c.Freeze.Seconds(), Thawed: moment(c.Thawed), Released: moment(c.Released),
		ContestRules: newContestRules(c), Contestants: n, CreatedAt: wire.Time(c.CreatedAt), Revision: c.Revision,
	}
	for _, p := range c.Pauses {
		out.Pauses = append(out.Pauses, Pause{wire.Time(p.From), moment(p.Until)})
	}
	if staff || c.Begun(nil, now) {
		all := newContestProblems(c)
		out.Problems = &all
	}
	return out, err
}

func newContestRules(c *judge.Contest) ContestRules {
	return ContestRules{
		Penalty: c.Penalty.Seconds(), PenaltyVerdicts: stringsOf(judge.PenaltyVerdictsOf(c)), SubtaskBest: c.SubtaskBest, Practice: c.Practice,
		PublicBoard: c.PublicBoard, Open: c.Open, Feedback: wire.Known(string(c.Feedback)), HoldResults: c.HoldResults,
		Languages: append([]string{}, c.Languages...), MaxSubmissions: wire.Known(c.MaxSubmissions), PerMinute: wire.Known(c.PerMinute),
	}
}

func stringsOf[T ~string](list []T) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

func newContestProblems(c *judge.Contest) []ContestProblem {
	out := make([]ContestProblem, 0, len(c.Problems))
	for _, p := range c.Problems {
		out = append(out, ContestProblem{
			Label: p.Label, Problem: p.Problem, Color: wire.Known(p.Color), RGB: wire.Known(p.RGB), Languages: append([]string{}, p.Languages...),
			MaxSubmissions: wire.Known(p.MaxSubmissions), Points: wire.Known(p.Points),
		})
	}
	return out
}

func (s *Server) listContests(ctx context.Context, in *Paging) (*answer[List[Contest]], error) {
	token := tokenOf(ctx)
	after, err := readCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	items := []Contest{}
	for range pagesLooked {
		page, err := s.Records.Contests(ctx, after, in.Limit)
		if err != nil {
			return nil, err
		}
		for i := range page {
			if len(items) == in.Limit {
				return answered(newList(items, cursorOf(after))), nil
			}
			after = page[i].Name
			if !runsContest(token, page[i].Name) && !holdsContest(token, page[i].Name) {
				continue
			}
			shown, err := s.showContest(ctx, s.Records, &page[i])
			if err != nil {
				return nil, err
			}
			items = append(items, shown)
		}
		if len(page) < in.Limit {
			return answered(newList(items, "")), nil
		}
	}
	return answered(newList(items, cursorOf(after))), nil
}

type contestProblemsQuery struct {
	ContestPath
	ReaderQuery
}

func (s *Server) listContestProblems(ctx context.Context, in *contestProblemsQuery) (*answer[List[ContestProblem]], error) {
	c, err := s.contest(ctx, in.Contest)
	if err != nil {
		return nil, err
	}
	begun, err := s.begun(ctx, &c, in.Contestant, s.now())
	if err != nil {
		return nil, err
	}
	if !begun && !runsContest(tokenOf(ctx), c.Name) {
		return nil, fault("not-found", "contest %s: its problems are shown from its start on", c.Name)
	}
	return answered(newList(newContestProblems(&c), "")), nil
}

// begun reports whether a contest has begun for a contestant; empty: for whoever
// has no start of its own.
func (s *Server) begun(ctx context.Context, c *judge.Contest, contestant string, now time.Time) (bool, error) {
	if contestant == "" {
		return c.Begun(nil, now), nil
	}
	p, err := s.Records.Contestant(ctx, c.Name, contestant)
	if errors.Is(err, judge.ErrNotFound) {
		return c.Begun(nil, now), nil
	}
	return c.Begun(&p, now), err
}

// showProblems says of each problem whether the caller may know of it. Who is not
// staff may where it is published, and open to everybody, or in a contest of the
// token's scope that has begun. One that is in a contest which is yet to begin, or
// under embargo, is open to nobody.
func (s *Server) showProblems(ctx context.Context, all []judge.ProblemInfo, contestant string) ([]bool, error) {
	token, out := tokenOf(ctx), make([]bool, len(all))
	names := make([]string, 0, len(all))
	for i := range all {
		if out[i] = isStaff(token, all[i].Name); !out[i] {
			names = append(names, all[i].Name)
		}
	}
	uses, err := s.Records.ContestUses(ctx, names)
	if err != nil {
		return nil, err
	}
	through, before := map[string]bool{}, map[string]bool{}
	for _, u := range uses {
		held := holdsContest(token, u.Contest)
		begun := judge.Contest{Start: u.Start}
		is := begun.Begun(nil, s.now())
		if held && contestant != "" {
			c, err := s.Records.ContestInfo(ctx, u.Contest)
			if err == nil {
				is, err = s.begun(ctx, &c, contestant, s.now())
			}
			if err != nil {
				return nil, err
			}
		}
		through[u.Problem] = through[u.Problem] || runsContest(token, u.Contest) || (held && is)
		before[u.Problem] = before[u.Problem] || !is
	}
	for i := range all {
		p := &all[i]
		open := holds(token, p.Name) && p.Enabled && !before[p.Name]
		if out[i] || p.Published == 0 || (!open && !through[p.Name]) {
			continue
		}
		if out[i] = through[p.Name]; !out[i] {
			summary, err := s.Packages.Summary(ctx, p.PublishedID)
			if err != nil {
				return nil, err
			}
			out[i] = !s.now().Before(summary.EmbargoUntil)
		}
	}
	return out, nil
}
