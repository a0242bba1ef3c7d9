package api_test

import (
	"context"

	"judge/judge"
)

func (f *fakeRecords) Contest(ctx context.Context, name string) (judge.Contest, error) {
	c, err := f.ContestInfo(ctx, name)
	c.Contestants = []judge.Contestant{{ID: "t1", Name: "One"}}
	return c, err
}

func (f *fakeRecords) Attempts(context.Context, string, []string) ([]judge.Attempt, error) {
	return []judge.Attempt{{Submission: subID, Contestant: "t1", Problem: mine, At: created, State: judge.Judged, Verdict: judge.WA}}, nil
}
