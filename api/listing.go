package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

type submissionsQuery struct {
	Paging

	Problem   string    `query:"problem" maxLength:"64"`
	Submitter string    `query:"submitter" maxLength:"200" doc:"Id of the person."`
	Team      string    `query:"team" maxLength:"200"`
	Contest   string    `query:"contest" maxLength:"64"`
	Language  string    `query:"language" maxLength:"64"`
	State     string    `query:"state" enum:"queued,compiling,running,judged,cancelled" doc:"Of the newest judgement."`
	Verdict   string    `query:"verdict" enum:"AC,WA,TLE,MLE,OLE,RE,CE,JE" doc:"Of the newest judgement, as it counts."`
	Since     time.Time `query:"since" doc:"Created at or after."`
	Until     time.Time `query:"until" doc:"Created before."`
}

// pagesLooked bounds how much one request reads to find a page of a verdict that
// the database may not be asked for.
const pagesLooked = 10

func (s *Server) listSubmissions(ctx context.Context, in *submissionsQuery) (*answer[List[Submission]], error) {
	token := tokenOf(ctx)
	f, err := s.filterFor(ctx, in)
	if refused, ok := errors.AsType[*Error](err); ok && refused.Status == http.StatusNotFound {
		return answered(newList[Submission](nil, "")), nil
	}
	if err != nil {
		return nil, err
	}
	// Who is not staff must not find out by this filter what the feedback policy
	// hides, not even by how long a page is: the verdict that is compared is the
	// one shown.
	hidden := f.Verdict
	if token.Role == judge.RoleAdmin || token.Role == judge.RoleInstructor {
		hidden = ""
	} else {
		f.Verdict = ""
	}
	v := s.viewOf(s.Records, token)
	items, cursor := []Submission{}, in.Cursor
	for range pagesLooked {
		page, err := s.Records.Submissions(ctx, f, cursor, in.Limit-len(items))
		if err != nil {
			return nil, inCursor(err, cursor)
		}
		for i := range page.Items {
			shown, err := v.submission(ctx, &page.Items[i].Submission, page.Items[i].Judgement)
			if err != nil {
				return nil, err
			}
			if hidden == "" || wire.Value(shown.Judgement.Verdict) == string(hidden) {
				items = append(items, shown)
			}
		}
		cursor = page.Next
		if cursor == "" || len(items) == in.Limit {
			break
		}
	}
	return answered(newList(items, cursor)), nil
}

// filterFor narrows what is asked for to what the caller may see; an error that is
// 404 where that is nothing.
func (s *Server) filterFor(ctx context.Context, in *submissionsQuery) (judge.SubmissionFilter, error) {
	token := tokenOf(ctx)
	f := judge.SubmissionFilter{
		SubmitterID: in.Submitter, Team: in.Team, Contest: in.Contest, Language: in.Language,
		State: judge.State(in.State), Verdict: judge.Verdict(in.Verdict), Since: in.Since, Until: in.Until,
	}
	if in.Problem != "" {
		f.Problems = []string{in.Problem}
	}
	if in.Contest != "" {
		if _, err := s.contest(ctx, in.Contest); err != nil {
			return f, err
		}
	}
	switch {
	case token.Role == judge.RoleAdmin:
	case token.Role == judge.RoleSubmitter:
		f.TokenID = token.ID
	case scoped(token) && (in.Contest == "" || !holdsContest(token, in.Contest)) && (in.Problem == "" || !holds(token, in.Problem)):
		if in.Problem != "" && len(token.Scope.Contests) == 0 {
			return f, unknown("problem", in.Problem)
		}
		f.Scope = token.Scope
	}
	return f, nil
}

// inCursor says that a cursor is none, where that is what is wrong.
func inCursor(err error, cursor string) error {
	if cursor != "" && isInvalid(err) {
		return wrongField("query.cursor", "it is none; give the next_cursor of the page before")
	}
	return err
}
