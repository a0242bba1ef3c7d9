package api

import (
	"context"
	"slices"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

type submissionsQuery struct {
	Paging

	Problem   string    `query:"problem" maxLength:"64"`
	Submitter string    `query:"submitter" maxLength:"200" doc:"Id of the person."`
	Team      string    `query:"team" maxLength:"200"`
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
	f, some := filterFor(token, in)
	if !some {
		return answered(newList[Submission](nil, "")), nil
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
	v := newView(s.Records, token)
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

// filterFor narrows what is asked for to what a token may see; false: nothing.
func filterFor(token judge.Token, in *submissionsQuery) (judge.SubmissionFilter, bool) {
	f := judge.SubmissionFilter{
		SubmitterID: in.Submitter, Team: in.Team, Language: in.Language, State: judge.State(in.State), Verdict: judge.Verdict(in.Verdict),
		Since: in.Since, Until: in.Until,
	}
	if in.Problem != "" {
		f.Problems = []string{in.Problem}
	}
	switch {
	case token.Role == judge.RoleAdmin:
	case token.Role == judge.RoleSubmitter:
		f.TokenID = token.ID
	case scoped(token):
		if in.Problem == "" {
			f.Problems = slices.Clone(token.Scope.Problems)
		}
		return f, len(f.Problems) > 0 && (in.Problem == "" || holds(token, in.Problem))
	}
	return f, true
}

// inCursor says that a cursor is none, where that is what is wrong.
func inCursor(err error, cursor string) error {
	if cursor != "" && isInvalid(err) {
		return wrongField("query.cursor", "it is none; give the next_cursor of the page before")
	}
	return err
}
