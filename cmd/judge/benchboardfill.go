package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"judge/judge"
	"judge/judge/store"
	"judge/runner/bench"
)

const benchContest = "bench-board"

// boardBench is a contest with an API that answers for it.
type boardBench struct {
	cmd    *benchBoardCmd
	app    *app
	db     *database
	report func(bench.Report)

	token    judge.Token
	secret   string
	versions []judge.ProblemVersion
	worker   string
	begins   time.Time // of the contest
	api      *boardAPI
	told     int    // verdicts since
	solved   []bool // by team and problem
}

// fill makes the contest, its teams and what they handed in.
func (b *boardBench) fill(ctx context.Context) error {
	var err error
	if b.token, b.secret, err = b.db.CreateToken(ctx, judge.Token{Name: "bench", Role: judge.RoleAdmin}); err != nil {
		return err
	}
	b.worker = uuid.NewString()
	b.begins = time.Now().Add(-4*time.Hour - 30*time.Minute).UTC().Truncate(time.Second)
	c := judge.Contest{
		Name: benchContest, Title: "Bench", Kind: judge.ContestICPC, Start: b.begins, Duration: 5 * time.Hour, Freeze: time.Hour, Penalty: 20 * time.Minute, PublicBoard: true,
	}
	teams := make([]judge.Contestant, b.cmd.Teams)
	for i := range teams {
		teams[i] = judge.Contestant{ID: teamID(i), Name: fmt.Sprintf("Team number %d", i), Affiliation: fmt.Sprintf("University %d", i%700), Country: "SWE", Groups: []string{fmt.Sprintf("region %d", i%20)}}
	}
	err = b.db.Tx(ctx, func(tx *store.Tx) error {
		for i := range b.cmd.Problems {
			label := string(rune('A' + i))
			v, err := tx.CreateVersion(ctx, judge.ProblemVersion{Problem: "bench-" + fmt.Sprint(i), Digest: "bench", Manifest: []byte(`{}`)})
			if err != nil {
				return err
			}
			if err := tx.SetVersionState(ctx, v.ID, judge.Published); err != nil {
				return err
			}
			b.versions = append(b.versions, v)
			c.Problems = append(c.Problems, judge.ContestProblem{Label: label, Problem: v.Problem})
		}
		if _, err := tx.CreateContest(ctx, c); err != nil {
			return err
		}
		if _, err := tx.PutContestants(ctx, benchContest, teams, true); err != nil {
			return err
		}
		_, err := tx.Register(ctx, judge.Worker{ID: b.worker, Name: "bench", Slots: 1})
		return err
	})
	if err != nil {
		return err
	}
	return b.copyJudgements(ctx)
}

func teamID(i int) string { return fmt.Sprintf("team-%05d", i) }

// copyJudgements writes submissions that are judged, spread over four hours and a
// half, in a way that no service could be as fast at.
func (b *boardBench) copyJudgements(ctx context.Context) error {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	progress := newBar(b.app.err, 2)
	progress.show("filling", 0, 2)
	defer progress.clear()
	b.solved = make([]bool, b.cmd.Teams*len(b.versions))
	var submissions, judgements [][]any
	for i := range b.cmd.Judgements {
		at := b.begins.Add(time.Duration(float64(i) / float64(max(b.cmd.Judgements, 1)) * float64(4*time.Hour+29*time.Minute)))
		id, judgement := uuidAt(at, random), uuidAt(at, random)
		t, p, verdict := random.IntN(b.cmd.Teams), random.IntN(len(b.versions)), judge.AC
		team, problem := teamID(t), b.versions[p]
		if random.IntN(10) < 7 {
			verdict = []judge.Verdict{judge.WA, judge.TLE, judge.RE, judge.CE}[random.IntN(4)]
		}
		cell := t*len(b.versions) + p
		b.solved[cell] = b.solved[cell] || verdict == judge.AC
		submissions = append(submissions, []any{id, problem.Problem, problem.ID, "cpp", team, team, b.token.ID, judge.PriorityContest, at, judgement, verdict, benchContest, team})
		judgements = append(judgements, []any{judgement, id, problem.ID, uuid.UUID{15: byte(random.IntN(256))}, judge.PriorityContest, judge.Judged, 1, b.worker, at, at, at, verdict})
	}
	tables := []struct {
		name    string
		columns []string
		rows    [][]any
	}{
		{"submissions", []string{"id", "problem", "version_id", "language", "submitter_id", "submitter_team", "token_id", "priority", "created_at", "newest", "outcome", "contest", "contestant"}, submissions},
		{"judgements", []string{"id", "submission_id", "version_id", "person", "priority", "state", "attempt", "worker", "created_at", "started_at", "judged_at", "verdict"}, judgements},
	}
	for i, t := range tables {
		if _, err := b.db.Pool().CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("fill %s: %w", t.name, err)
		}
		progress.show("filling", i+1, 2)
	}
	if _, err := b.db.Pool().Exec(ctx, "ANALYZE submissions, judgements, contestants"); err != nil {
		return fmt.Errorf("fill database: %w", err)
	}
	return nil
}

// uuidAt is a UUIDv7 of a moment.
func uuidAt(at time.Time, random *rand.Rand) uuid.UUID {
	var id uuid.UUID
	ms := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	for i := 6; i < 16; i++ {
		id[i] = byte(random.IntN(256))
	}
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	return id
}

// boardVerdict is a verdict: of whom, for which problem, and when it was committed.
type boardVerdict struct {
	team    string
	problem int
	at      time.Time
}

// verdict hands a submission in and judges it, as a worker does. It is at a problem
// that the team has not solved, so that the board changes.
func (b *boardBench) verdict(ctx context.Context) (boardVerdict, error) {
	if _, err := b.db.Heartbeat(ctx, b.worker); err != nil {
		return boardVerdict{}, err
	}
	b.told++
	team := b.told * 7919 % b.cmd.Teams
	out := boardVerdict{team: teamID(team)}
	for out.problem = range b.versions {
		if !b.solved[team*len(b.versions)+out.problem] {
			break
		}
	}
	v := b.versions[out.problem]
	err := b.db.Tx(ctx, func(tx *store.Tx) error {
		// Before the freeze, so that the public sees it too.
		_, _, err := tx.CreateSubmission(ctx, judge.Submission{
			Problem: v.Problem, VersionID: v.ID, Language: "cpp", Submitter: judge.Submitter{ID: out.team, Team: out.team}, TokenID: b.token.ID,
			Contest: benchContest, CreatedAt: b.begins.Add(3*time.Hour + time.Duration(b.told)*time.Millisecond), Files: []judge.File{{Name: "a.cpp", Data: []byte("x")}},
		})
		return err
	})
	if err != nil {
		return out, err
	}
	task, ok, err := b.db.Take(ctx, b.worker)
	if err != nil || !ok {
		return out, fmt.Errorf("take a submission (there is one: %v): %w", ok, err)
	}
	err = b.db.Tx(ctx, func(tx *store.Tx) error {
		return tx.Finish(ctx, task.Lease, &judge.Judgement{Verdict: judge.WA})
	})
	out.at = time.Now()
	return out, err
}
