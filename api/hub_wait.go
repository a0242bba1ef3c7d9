package api

import (
	"context"
	"slices"

	"judge/judge"
)

// Wait returns when the judgement of a submission that counts has ended, judged or
// cancelled, which it may have before; else with ctx's error, the store's, or
// that the hub was closed.
func (h *Hub) Wait(ctx context.Context, submission string) error {
	// The seat is taken before the look, so that no end is missed between them.
	s := h.sit(judge.EventFilter{SubmissionID: submission})
	defer func() { h.leave(s) }()
	for {
		all, err := h.source.Judgements(ctx, submission)
		if err != nil {
			return err
		}
		current, ok := counting(all)
		if !ok || ended(current.State) {
			return nil
		}
		if again, err := h.waitEnd(ctx, s, current.ID); !again {
			return err
		}
		if _, ok := s.take(); !ok {
			h.leave(s)
			s = h.sit(s.filter)
		}
	}
}

// counting finds the one of a submission's judgements that counts.
func counting(all []judge.Judgement) (judge.Judgement, bool) {
	i := slices.IndexFunc(all, func(j judge.Judgement) bool { return j.Current })
	if i < 0 {
		return judge.Judgement{}, false
	}
	return all[i], true
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
