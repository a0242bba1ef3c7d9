package api

import (
	"context"
	"time"

	"judge/judge"
)

// ContestReads are the part of Reads that is about contests.
type ContestReads interface {
	// ContestInfo leaves contestants out, and so do lists.
	ContestInfo(ctx context.Context, name string) (judge.Contest, error)
	Contests(ctx context.Context, after string, limit int) ([]judge.Contest, error)
	ContestUses(ctx context.Context, problems []string) ([]judge.ContestUse, error)
	Contestant(ctx context.Context, contest, id string) (judge.Contestant, error)
	Contestants(ctx context.Context, contest string, f judge.ContestantFilter, after string, limit int) ([]judge.Contestant, error)
	CountContestants(ctx context.Context, contest string, f judge.ContestantFilter) (int, error)
}

// ContestWrites are the part of Tx that is about contests.
type ContestWrites interface {
	CreateContest(ctx context.Context, c judge.Contest) (judge.Contest, error)
	LockContest(ctx context.Context, name string) (judge.Contest, error)
	UpdateContest(ctx context.Context, c judge.Contest) (judge.Contest, error)
	DeleteContest(ctx context.Context, name string) error
	PutContestants(ctx context.Context, contest string, all []judge.Contestant, whole bool) (changed bool, err error)
	DeleteContestant(ctx context.Context, contest, id string) error
	EnterContest(ctx context.Context, c *judge.Contest, who []judge.Contestant) ([]judge.Contestant, error)
	ContestTries(ctx context.Context, contest, contestant, problem string, at time.Time) (judge.Tries, error)
}
