package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

type contestActionInput struct {
	ContestPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  *ReasonRequest
}

type startContestInput struct {
	ContestPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  *struct {
		At     time.Time `json:"at,omitzero" doc:"Else now."`
		Reason string    `json:"reason,omitempty" maxLength:"1000"`
	}
}

type extendContestInput struct {
	ContestPath

	Match string `header:"If-Match" doc:"ETag of the contest: 412 where it has changed since."`
	Body  struct {
		By         float64 `json:"by_s" exclusiveMinimum:"0" doc:"How much longer."`
		Contestant string  `json:"contestant,omitempty" maxLength:"255" doc:"For this one alone."`
		Reason     string  `json:"reason,omitempty" maxLength:"1000"`
	}
}

// contestActions are those that need to know no more than the time. What they
// refuse is said without the contest's name.
var contestActions = []struct {
	id, path, summary string
	do                func(c *judge.Contest, now time.Time) error
}{
	{"pause-contest", "pause", "Stop a contest's clock: nothing can be handed in", pauseContest},
	{"resume-contest", "resume", "Let a paused contest's clock go on; the end moves by as much", resumeContest},
	{"freeze-contest", "freeze", "Freeze the public board from now on", freezeContest},
	{"thaw-contest", "thaw", "Show all on the public board", thawContest},
	{"release-contest", "release", "Show contestants the verdicts that were held back", releaseContest},
}

func (s *Server) contestActionRoutes(tags []string) {
	op := func(id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodPost, Path: "/contests/{contest}/" + path, DefaultStatus: http.StatusOK, Tags: tags, Summary: summary}
	}
	register(s, op("start-contest", "start", "Start a contest that has not begun, now or at a time"), s.startContest)
	register(s, op("extend-contest", "extend", "Make a contest longer, for all or for one contestant"), s.extendContest)
	for _, a := range contestActions {
		register(s, op(a.id, a.path, a.summary), func(ctx context.Context, in *contestActionInput) (*contestOutput, error) {
			entry := judge.AuditEntry{Action: "contest." + a.path, Object: in.Contest, Reason: wire.Value(in.Body).Reason}
			return s.changeContest(ctx, in.Match, entry, func(c *judge.Contest) error { return a.do(c, s.now().UTC()) })
		})
	}
}

func refuseAction(c *judge.Contest, format string, args ...any) error {
	e := fault("conflict", format, args...)
	e.Detail = "contest " + c.Name + " " + e.Detail
	return e
}

func (s *Server) startContest(ctx context.Context, in *startContestInput) (*contestOutput, error) {
	r, now := wire.Value(in.Body), s.now().UTC()
	entry := judge.AuditEntry{Action: "contest.start", Object: in.Contest, Reason: r.Reason, Detail: detail(r)}
	return s.changeContest(ctx, in.Match, entry, func(c *judge.Contest) error {
		if c.Begun(nil, now) {
			return refuseAction(c, "began at %s; PATCH it to set another start", c.Start.Format(time.RFC3339))
		}
		if c.Start = r.At.UTC(); r.At.IsZero() {
			c.Start = now
		}
		return nil
	})
}

func (s *Server) extendContest(ctx context.Context, in *extendContestInput) (*contestOutput, error) {
	r := &in.Body
	entry := judge.AuditEntry{Action: "contest.extend", Object: in.Contest, Reason: r.Reason, Detail: detail(r)}
	if r.Contestant == "" {
		return s.changeContest(ctx, in.Match, entry, func(c *judge.Contest) error {
			if c.Duration == 0 {
				return refuseAction(c, "has no end")
			}
			c.Duration += min(secondsOf(r.By), longest)
			return nil
		})
	}
	err := s.changeContestants(ctx, in.Contest, in.Match, entry, func(tx Tx) (any, error) {
		p, err := tx.Contestant(ctx, in.Contest, r.Contestant)
		if err != nil {
			return nil, named(err, "contestant", r.Contestant)
		}
		p.Extra += min(secondsOf(r.By), longest)
		if err := judge.CheckContestants([]judge.Contestant{p}); err != nil {
			if f, ok := errors.AsType[*judge.Fault](err); ok {
				err = wrongField("body.by_s", "extra time in all: %s", f.Text)
			}
			return nil, err
		}
		_, err = tx.PutContestants(ctx, in.Contest, []judge.Contestant{p}, false)
		return r, err
	})
	if err != nil {
		return nil, err
	}
	return s.getContest(ctx, &contestQuery{ContestPath: in.ContestPath})
}

// longest is more than any contest may last, and twice it is still a duration.
const longest = 100 * 365 * 24 * time.Hour

func pauseContest(c *judge.Contest, now time.Time) error {
	if state := c.State(nil, now); state != judge.ContestRunning {
		return refuseAction(c, "is not running: it is %s", state)
	}
	c.Pauses = append(c.Pauses, judge.Pause{From: now})
	return nil
}

func resumeContest(c *judge.Contest, now time.Time) error {
	last := len(c.Pauses) - 1
	if last < 0 || !c.Pauses[last].Until.IsZero() {
		return refuseAction(c, "is not paused")
	}
	if c.Pauses[last].Until = now; !now.After(c.Pauses[last].From) {
		c.Pauses = c.Pauses[:last] // by a clock that was set back
	}
	return nil
}

func freezeContest(c *judge.Contest, now time.Time) error {
	state := c.State(nil, now)
	switch {
	case c.Duration == 0:
		return refuseAction(c, "has no end, and no freeze before it")
	case state == judge.ContestBefore:
		return refuseAction(c, "has not begun; set freeze_s to freeze it before the end")
	case state == judge.ContestEnded:
		return refuseAction(c, "has ended")
	case c.Frozen(nil, now, now):
		return refuseAction(c, "is frozen already")
	}
	if left := c.Duration - c.Elapsed(nil, now); c.Freeze < left { // else it was frozen, and thawed
		c.Freeze = left
	}
	c.Thawed = time.Time{}
	return nil
}

func thawContest(c *judge.Contest, now time.Time) error {
	if !c.Begun(nil, now) || !c.Frozen(nil, now, now) {
		return refuseAction(c, "is not frozen")
	}
	c.Thawed = now
	return nil
}

func releaseContest(c *judge.Contest, now time.Time) error {
	if !c.Held(now) {
		return refuseAction(c, "holds nothing back")
	}
	c.Released = now
	return nil
}
