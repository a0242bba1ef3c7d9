package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// readyTime is how long all checks of /readyz may take together.
const readyTime = 2 * time.Second

// Health says that the process answers, and which build it is.
type Health struct {
	Status string `json:"status" enum:"ok"`
	Build  string `json:"build"`
}

// Readiness says whether requests are to be sent here.
type Readiness struct {
	Status string           `json:"status" enum:"ready,not_ready"`
	Build  string           `json:"build"`
	Schema *int64           `json:"schema_version" doc:"Of the database; null: it cannot be asked."`
	Checks []ReadinessCheck `json:"checks"`
}

// ReadinessCheck is one thing that must be so.
type ReadinessCheck struct {
	Name  string  `json:"name"`
	OK    bool    `json:"ok"`
	Error *string `json:"error" doc:"Why not."`
}

type readyOutput struct {
	Status int
	Body   Readiness
}

func (s *Server) healthRoutes() {
	tags := []string{"server"}
	register(s, huma.Operation{OperationID: "healthz", Method: http.MethodGet, Path: "//healthz", Summary: "Does the process answer?", Tags: tags}, s.health)
	register(s, huma.Operation{
		OperationID: "readyz", Method: http.MethodGet, Path: "//readyz", Summary: "Can requests be sent here? Why not?", Tags: tags,
		Description: "503 where not, with the same body.",
	}, s.ready)
}

func (s *Server) health(context.Context, *struct{}) (*answer[Health], error) {
	return answered(Health{Status: "ok", Build: s.Build}), nil
}

func (s *Server) ready(ctx context.Context, _ *struct{}) (*readyOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	checks := append([]Check{{"schema", s.Records.Check}, {"serving", s.serving}}, s.Ready...)
	out := &readyOutput{Status: http.StatusOK, Body: Readiness{Status: "ready", Build: s.Build, Checks: make([]ReadinessCheck, len(checks))}}
	var all sync.WaitGroup
	for i, c := range checks {
		all.Go(func() {
			err := c.Ask(ctx)
			out.Body.Checks[i] = ReadinessCheck{Name: c.Name, OK: err == nil}
			if err != nil {
				text := err.Error()
				out.Body.Checks[i].Error = &text
			}
		})
	}
	if v, err := s.Records.Version(ctx); err == nil {
		out.Body.Schema = &v
	}
	all.Wait()
	for _, c := range out.Body.Checks {
		if !c.OK {
			out.Status, out.Body.Status = http.StatusServiceUnavailable, "not_ready"
		}
	}
	return out, nil
}
