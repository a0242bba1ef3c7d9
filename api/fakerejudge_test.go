package api_test

import (
	"context"

	"judge/judge"
)

const rejudgingID = "0195f1a2-0000-7000-8000-000000000007"

// fakeRejudging is of problem mine, and ready.
func fakeRejudging() judge.Rejudging {
	return judge.Rejudging{
		ID: rejudgingID, By: "1", ByName: "admin", Reason: "r", State: judge.RejudgeReady, Concerns: []judge.RejudgingConcern{{Problem: mine}},
		Counts: judge.RejudgingCounts{Total: 1, Judged: 1, Changed: 1}, CreatedAt: created, ExpiresAt: created.Add(judge.RejudgingTime),
	}
}

func (f *fakeRecords) RejudgingChoice(_ context.Context, r judge.RejudgingRequest) (judge.RejudgingChoice, error) {
	if len(r.Query.Submissions) > 0 && r.Query.Submissions[0] != subID {
		return judge.RejudgingChoice{}, judge.ErrNotFound
	}
	if r.Query.Submitter == "nobody" {
		return judge.RejudgingChoice{Skipped: f.skipped}, nil
	}
	return judge.RejudgingChoice{Submissions: f.chosen, Concerns: []judge.RejudgingConcern{{Problem: mine}}, Unpublished: f.unpublished}, nil
}

func (f *fakeRecords) Rejudging(_ context.Context, id string) (judge.Rejudging, error) {
	if id != rejudgingID {
		return judge.Rejudging{}, judge.ErrNotFound
	}
	return fakeRejudging(), nil
}

func (f *fakeRecords) Rejudgings(_ context.Context, within judge.Scope, _ string, _ int) ([]judge.Rejudging, string, error) {
	if len(within.Problems) > 0 && within.Problems[0] != mine {
		return nil, "", nil
	}
	return []judge.Rejudging{fakeRejudging()}, "next", nil
}

func (f *fakeRecords) RejudgingPairs(context.Context, string) ([]judge.VerdictPair, error) {
	return []judge.VerdictPair{{Old: judge.WA, New: judge.AC, Count: 1}, {New: judge.AC, Count: 1}}, nil
}

func (f *fakeRecords) RejudgingChanges(ctx context.Context, _ string, _ bool, _ string, _ int) ([]judge.RejudgingChange, string, error) {
	sub, _ := f.Submission(ctx, subID)
	j, _ := f.Judgement(ctx, judgementID)
	return []judge.RejudgingChange{{Submission: sub, Old: j, New: j, Differs: true}}, "", nil
}

func (t fakeTx) CreateRejudging(_ context.Context, r judge.RejudgingRequest) (judge.Rejudging, error) {
	out := fakeRejudging()
	out.Query, out.State, out.Reason, out.Same, out.Auto = r.Query, judge.RejudgeJudging, r.Reason, r.Same, r.Auto
	return out, nil
}

func (t fakeTx) ApplyRejudging(_ context.Context, _, by, reason string, force bool) (judge.Rejudging, bool, error) {
	out := fakeRejudging()
	if t.blocked.Total > 0 && !force {
		out.Counts = t.blocked
		return out, false, judge.ErrConflict
	}
	out.State, out.EndedBy, out.EndReason, out.EndedAt = judge.RejudgeApplied, by, reason, created
	return out, true, nil
}

func (t fakeTx) CancelRejudging(_ context.Context, _, by, reason string) (judge.Rejudging, bool, error) {
	out := fakeRejudging()
	out.State, out.EndedBy, out.EndReason, out.EndedAt = judge.RejudgeCancelled, by, reason, created
	return out, true, nil
}

// rejudgeFake is how the fake answers about rejudgings.
type rejudgeFake struct {
	chosen, skipped int
	unpublished     []string
	blocked         judge.RejudgingCounts
	shadow          bool // the one judgement is one
}
