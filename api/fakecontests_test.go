package api_test

import (
	"context"
	"time"

	"judge/judge"
)

// cup is a contest with problem mine; its staff is that of mine.
const cup = "cup"

func (f *fakeRecords) ContestInfo(_ context.Context, name string) (judge.Contest, error) {
	if name != cup {
		return judge.Contest{}, judge.ErrNotFound
	}
	return judge.Contest{
		Name: cup, Kind: judge.ContestICPC, Start: created, Duration: 5 * time.Hour, Penalty: 20 * time.Minute,
		Problems: []judge.ContestProblem{{Label: "A", Problem: mine}}, CreatedAt: created, Revision: 7,
	}, nil
}

func (f *fakeRecords) Contests(ctx context.Context, after string, _ int) ([]judge.Contest, error) {
	c, err := f.ContestInfo(ctx, cup)
	if after >= cup {
		return nil, err
	}
	return []judge.Contest{c}, err
}

func (f *fakeRecords) ContestUses(context.Context, []string) ([]judge.ContestUse, error) {
	return nil, nil
}

func (f *fakeRecords) Contestant(_ context.Context, _, id string) (judge.Contestant, error) {
	if id != "t1" {
		return judge.Contestant{}, judge.ErrNotFound
	}
	return judge.Contestant{ID: "t1"}, nil
}

func (f *fakeRecords) Contestants(context.Context, string, judge.ContestantFilter, string, int) ([]judge.Contestant, error) {
	return []judge.Contestant{{ID: "t1"}}, nil
}

func (f *fakeRecords) CountContestants(context.Context, string, judge.ContestantFilter) (int, error) {
	return 1, nil
}

func (t fakeTx) CreateContest(_ context.Context, c judge.Contest) (judge.Contest, error) {
	return c, nil
}

func (t fakeTx) LockContest(ctx context.Context, name string) (judge.Contest, error) {
	return t.ContestInfo(ctx, name)
}

func (t fakeTx) UpdateContest(_ context.Context, c judge.Contest) (judge.Contest, error) {
	c.Revision++
	return c, nil
}

func (t fakeTx) DeleteContest(context.Context, string) error            { return nil }
func (t fakeTx) DeleteContestant(context.Context, string, string) error { return nil }
func (t fakeTx) PutContestants(context.Context, string, []judge.Contestant, bool) (bool, error) {
	return true, nil
}
