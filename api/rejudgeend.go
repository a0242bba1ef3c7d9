package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// ApplyRequest says why a rejudging is applied, and how.
type ApplyRequest struct {
	ReasonRequest

	Force bool `json:"force,omitempty" doc:"Apply what can be: submissions that are not judged yet, ended as JE or were judged otherwise meanwhile stay as they are."`
}

type applyInput struct {
	RejudgingPath

	Body *ApplyRequest
}

type cancelRejudgingInput struct {
	RejudgingPath

	Body *ReasonRequest
}

func (s *Server) rejudgingEndRoutes(tags []string) {
	register(s, huma.Operation{
		OperationID: "apply-rejudging", Method: http.MethodPost, Path: "/rejudgings/{id}/apply", DefaultStatus: http.StatusOK, Tags: tags,
		Summary: "Make a rejudging's judgements count, all at once",
		Description: "What staff said of the old judgements stays with those, and counts no more. Applied already, it does nothing. " +
			"It is refused (409) while something is not judged, ended as JE or was judged otherwise meanwhile.",
	}, s.applyRejudging)
	register(s, huma.Operation{
		OperationID: "cancel-rejudging", Method: http.MethodPost, Path: "/rejudgings/{id}/cancel", DefaultStatus: http.StatusOK, Tags: tags,
		Summary: "Give a rejudging up", Description: "What of it is queued or under way is stopped; all stays as it was. Cancelled already, it does nothing.",
	}, s.cancelRejudging)
}

func (s *Server) applyRejudging(ctx context.Context, in *applyInput) (*answer[Rejudging], error) {
	asked := wire.Value(in.Body)
	return s.endRejudging(ctx, in.ID, "rejudging.apply", asked.Reason, func(tx Tx) (judge.Rejudging, bool, error) {
		return tx.ApplyRejudging(ctx, in.ID, tokenOf(ctx).ID, asked.Reason, asked.Force)
	})
}

func (s *Server) cancelRejudging(ctx context.Context, in *cancelRejudgingInput) (*answer[Rejudging], error) {
	reason := wire.Value(in.Body).Reason
	return s.endRejudging(ctx, in.ID, "rejudging.cancel", reason, func(tx Tx) (judge.Rejudging, bool, error) {
		return tx.CancelRejudging(ctx, in.ID, tokenOf(ctx).ID, reason)
	})
}

// endRejudging ends a rejudging, on record unless it had ended so before.
func (s *Server) endRejudging(ctx context.Context, id, action, reason string, end func(Tx) (judge.Rejudging, bool, error)) (*answer[Rejudging], error) {
	var out Rejudging
	err := s.Records.Tx(ctx, func(tx Tx) error {
		if _, err := s.rejudging(ctx, tx, id); err != nil {
			return err
		}
		r, done, err := end(tx)
		if errors.Is(err, judge.ErrConflict) {
			return notEnded(&r)
		}
		if err != nil {
			return err
		}
		pairs, err := tx.RejudgingPairs(ctx, id)
		if err != nil {
			return err
		}
		if out = newRejudging(&r, pairs); !done {
			return nil
		}
		return audit(ctx, tx, judge.AuditEntry{Action: action, Object: id, Reason: reason, Detail: detail(out.Counts)})
	})
	return answered(out), err
}

// notEnded says why a rejudging cannot be ended so.
func notEnded(r *judge.Rejudging) error {
	if r.State.Ended() {
		return fault("conflict", "rejudging %s is %s; that is final", r.ID, r.State)
	}
	return fault("conflict", "%s; wait, or judge those anew, or apply with force, which leaves them as they are", r.Counts.Obstacles())
}
