package api

import (
	"context"

	"judge/judge"
)

// Wait returns when the newest judgement of a submission has ended, judged or
// cancelled, which it may have before; else with ctx's error, the store's, or
// that the hub was closed.
func (h *Hub) Wait(ctx context.Context, submission string) error {
	// The seat is taken before the look, so that no end is missed between them.
	s := h.sit(judge.EventFilter{SubmissionID: submission})
	defer func() { h.leave(s) }()
	for {
		newest, err := h.newest(ctx, submission)
		if err != nil || ended(newest.State) {
			return err
		}
		if again, err := h.waitEnd(ctx, s, newest.ID); !again {
			return err
		}
		if _, ok := s.take(); !ok {
			h.leave(s)
			s = h.sit(s.filter)
		}
	}
}

func (h *Hub) newest(ctx context.Context, submission string) (judge.Judgement, error) {
	all, err := h.source.Judgements(ctx, submission)
	if err != nil || len(all) == 0 {
		return judge.Judgement{State: judge.Cancelled}, err // there is nothing to wait for
	}
	return all[0], nil
}

// waitEnd waits for the end of a judgement. again: look once more, because
// something else happened to the submission.
func (h *Hub) waitEnd(ctx context.Context, s *seat, judgement string) (again bool, err error) {
	for {
		select {
		case <-s.signal:
		case <-ctx.Done():
			return false, ctx.Err()
		case <-h.closed:
			return false, errClosed
		}
		queue, ok := s.take()
		if !ok {
			return true, nil
		}
		for _, n := range queue {
			switch {
			case n.JudgementID != judgement && n.Type != judge.RunJudged:
				again = true
			case n.Type == judge.JudgementJudged || n.Type == judge.JudgementCancelled:
				return again, nil
			}
		}
		if again {
			return true, nil
		}
	}
}

func ended(s judge.State) bool { return s == judge.Judged || s == judge.Cancelled }
