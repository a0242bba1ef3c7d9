package api

import (
	"context"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

// Judgement is a judgement as whoever asks may see it. Verdict and score are those
// that count.
type Judgement struct {
	wire.Judgement

	Current     bool    `json:"current" doc:"It is the one that counts for its submission."`
	RejudgingID *string `json:"rejudging_id,omitempty" doc:"The rejudging that it was made for, if any; only for staff."`
	Review      *Review `json:"review,omitempty" doc:"What staff said of it; only for staff."`
}

// Review is what staff said of a judgement, and what judging had found.
type Review struct {
	Verified     bool      `json:"verified"`
	Ignored      bool      `json:"ignored"`
	Reason       string    `json:"reason"`
	By           string    `json:"by" doc:"Id of the token."`
	At           wire.Time `json:"at"`
	FoundVerdict string    `json:"found_verdict"`
	FoundScore   *float64  `json:"found_score"`
}

// view is who looks, with the feedback policies of the versions that were looked
// up for them: for one request or stream, and one goroutine. Settings may change,
// so it is not to be kept for long.
type view struct {
	reads    Reads
	packages Packages
	token    judge.Token
	now      time.Time
	policies map[string]judge.Feedback // by id of the version
	contests map[string]judge.Contest  // by name, without contestants
}

// viewOf is how who speaks sees what reads gives.
func (s *Server) viewOf(reads Reads, token judge.Token) *view {
	return &view{reads: reads, packages: s.Packages, token: token, now: s.now(), policies: map[string]judge.Feedback{}, contests: map[string]judge.Contest{}}
}

// policy is what v may see of a judgement: what the version that it is on allows,
// unless its contest has rules of its own.
func (v *view) policy(ctx context.Context, j *judge.Judgement) (judge.Feedback, error) {
	if isStaffIn(v.token, j.Problem, j.Contest) {
		return judge.FeedbackFull, nil
	}
	if j.Contest != "" {
		c, err := v.contest(ctx, j.Contest)
		if err != nil {
			return judge.FeedbackNone, err
		}
		if p := contestFeedback(&c, v.token.Role, j.HandedIn, v.now); p != "" {
			return p, nil
		}
	}
	return v.versionPolicy(ctx, j.VersionID)
}

// contest is a contest without its contestants.
func (v *view) contest(ctx context.Context, name string) (judge.Contest, error) {
	if c, ok := v.contests[name]; ok {
		return c, nil
	}
	c, err := v.reads.ContestInfo(ctx, name)
	if err == nil {
		v.contests[name] = c
	}
	return c, err
}

func (v *view) versionPolicy(ctx context.Context, versionID string) (judge.Feedback, error) {
	if p, ok := v.policies[versionID]; ok {
		return p, nil
	}
	info, err := v.reads.VersionInfo(ctx, versionID)
	if err != nil {
		return judge.FeedbackNone, err
	}
	v.policies[versionID] = info.Settings.Feedback
	return info.Settings.Feedback, nil
}

// open is what a policy shows of a version beside its samples.
func (v *view) open(ctx context.Context, versionID string, policy judge.Feedback) (open, error) {
	if policy != judge.FeedbackCases && policy != judge.FeedbackFirstFailed {
		return nil, nil // all or nothing
	}
	summary, err := v.packages.Summary(ctx, versionID)
	return summary.Open, err
}

// judgement is j as v may see it.
func (v *view) judgement(ctx context.Context, j judge.Judgement) (Judgement, error) {
	policy, err := v.policy(ctx, &j)
	if err != nil {
		return Judgement{}, err
	}
	out := Judgement{Current: j.Current}
	if isStaffIn(v.token, j.Problem, j.Contest) {
		out.RejudgingID = wire.Known(j.RejudgingID)
	}
	if r := j.Review; r != nil {
		if isStaffIn(v.token, j.Problem, j.Contest) {
			out.Review = &Review{
				Verified: r.Verified, Ignored: r.Ignored, Reason: r.Reason, By: r.By, At: wire.Time(r.At),
				FoundVerdict: string(j.Verdict), FoundScore: j.Score,
			}
		}
		if r.Verdict != "" {
			j.Verdict = r.Verdict
		}
		if r.Score != nil {
			j.Score = r.Score
		}
	}
	var also open
	if len(j.Runs) > 0 || len(j.Groups) > 0 {
		if also, err = v.open(ctx, j.VersionID, policy); err != nil {
			return Judgement{}, err
		}
	}
	out.Judgement = feedback(wire.FromJudgement(j), policy, also)
	return out, nil
}

// run is a run of j as v may see it; false: it may not.
func (v *view) run(ctx context.Context, j *judge.Judgement, r judge.Run) (wire.Run, bool, error) {
	policy, err := v.policy(ctx, j)
	if err != nil {
		return wire.Run{}, false, err
	}
	also, err := v.open(ctx, j.VersionID, policy)
	if err != nil {
		return wire.Run{}, false, err
	}
	shown, ok := feedbackRun(wire.FromRun(r), policy, also)
	return shown, ok, nil
}
