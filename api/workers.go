package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Worker is one process that judges.
type Worker struct {
	ID          string    `json:"id" format:"uuid"`
	Name        string    `json:"name"`
	Slots       int       `json:"slots" doc:"Runs that it makes at once."`
	Build       string    `json:"build"`
	State       string    `json:"state" enum:"active,cordoned,draining" doc:"cordoned: it finishes what it has and takes no more; draining: it does so and ends."`
	StartedAt   wire.Time `json:"started_at"`
	HeartbeatAt wire.Time `json:"heartbeat_at"`
}

type updateWorkerInput struct {
	ID   string `path:"id" maxLength:"64" doc:"Id of the worker."`
	Body struct {
		State  string `json:"state" enum:"active,cordoned,draining"`
		Reason string `json:"reason,omitempty" maxLength:"1000"`
	}
}

func (s *Server) workerRoutes() {
	tags := []string{"workers"}
	register(s, huma.Operation{OperationID: "list-workers", Method: http.MethodGet, Path: "/workers", Tags: tags, Summary: "The workers that are not gone"}, s.listWorkers)
	register(s, huma.Operation{OperationID: "update-worker", Method: http.MethodPatch, Path: "/workers/{id}", Tags: tags, Summary: "Cordon, drain or activate a worker"}, s.updateWorker)
}

func newWorker(w judge.Worker) Worker {
	return Worker{
		ID: w.ID, Name: w.Name, Slots: w.Slots, Build: w.Build, State: string(w.State),
		StartedAt: wire.Time(w.StartedAt), HeartbeatAt: wire.Time(w.HeartbeatAt),
	}
}

func (s *Server) listWorkers(ctx context.Context, _ *struct{}) (*answer[List[Worker]], error) {
	all, err := s.Records.Workers(ctx)
	if err != nil {
		return nil, err
	}
	items := make([]Worker, 0, len(all))
	for _, w := range all {
		items = append(items, newWorker(w))
	}
	return answered(newList(items, "")), nil
}

func (s *Server) updateWorker(ctx context.Context, in *updateWorkerInput) (*answer[Worker], error) {
	state := judge.WorkerState(in.Body.State)
	entry := judge.AuditEntry{Action: "worker.update", Object: in.ID, Reason: in.Body.Reason, Detail: detail(map[string]any{"state": state})}
	var out Worker
	err := s.changed(ctx, entry, func(tx Tx) error {
		all, err := tx.Workers(ctx)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, func(w judge.Worker) bool { return w.ID == in.ID })
		if at < 0 {
			return unknown("worker", in.ID)
		}
		all[at].State = state
		out = newWorker(all[at])
		return tx.SetWorkerState(ctx, in.ID, state)
	})
	return answered(out), named(err, "worker", in.ID)
}
