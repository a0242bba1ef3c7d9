package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
	"judge/judge/wire"
)

// Verification is the newest verifying of a version, by a worker.
type Verification struct {
	State     string                   `json:"state" enum:"queued,running,done,failed" doc:"failed: the server could not verify; see fault."`
	Problem   string                   `json:"problem"`
	Number    int                      `json:"number" doc:"Of the version."`
	Publish   bool                     `json:"publish" doc:"The version is published if no error is found."`
	Reason    *string                  `json:"reason"`
	CreatedBy *string                  `json:"created_by" doc:"Id of the token; null: somebody on the server."`
	CreatedAt wire.Time                `json:"created_at"`
	StartedAt *wire.Time               `json:"started_at"`
	EndedAt   *wire.Time               `json:"ended_at"`
	Attempt   int                      `json:"attempt"`
	Done      int                      `json:"done" doc:"Of the total: files that were validated, cases that were judged."`
	Total     int                      `json:"total" doc:"0: not known yet."`
	Doing     *string                  `json:"doing" doc:"The validator or submission that runs."`
	Findings  []wire.Finding           `json:"findings" doc:"Of reading the package; those of the whole are in the report."`
	Report    *wire.VerificationReport `json:"report"`
	Fault     *string                  `json:"fault" doc:"Why there is no report."`
}

type verifyInput struct {
	VersionPath

	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"1000"`
	}
}

type verificationStreamInput struct {
	VersionPath
	StreamInput
}

func (s *Server) verificationRoutes() {
	tags := []string{"problems"}
	const at = "/problems/{problem}/versions/{number}/verification"
	register(s, huma.Operation{
		OperationID: "get-verification", Method: http.MethodGet, Path: at, Tags: tags, Summary: "How verifying a version goes, and what it found",
		Description: "A worker verifies each upload: validators, the jury's submissions against what is expected of them, the time limit, the test data.",
	}, s.getVerification)
	register(s, huma.Operation{
		OperationID: "verify-version", Method: http.MethodPost, Path: at, Tags: tags, DefaultStatus: http.StatusAccepted, Summary: "Verify a version again",
		Description: "Its state stays, and it is not published by that. 409: it is being verified already.",
	}, s.verifyVersion)
	register(s, huma.Operation{
		OperationID: "stream-verification", Method: http.MethodGet, Path: at + "/events", Tags: tags, Summary: "Follow the verifying of a version",
		Description: "Events with id, event and data, a Verification as JSON: verification.progress while it goes on, at most one a second; verification.ended with its report, after which the stream ends. " +
			"Who comes back with the id of the last event goes on there; 204: nothing comes after it.",
		Responses: map[string]*huma.Response{"200": {
			Description: http.StatusText(http.StatusOK),
			Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{
				Type: huma.TypeString, Description: "data is a Verification: " + s.schemaOf(reflect.TypeFor[Verification]()).Ref,
			}}},
		}},
	}, s.streamVerification)
}

func newVerification(of *judge.ProblemVersion, v *judge.Verification) (Verification, error) {
	out := Verification{
		State: string(v.State), Problem: of.Problem, Number: of.Number, Publish: v.Publish, Reason: wire.Known(v.Reason), CreatedBy: wire.Known(v.By),
		CreatedAt: wire.Time(v.CreatedAt), StartedAt: moment(v.StartedAt), EndedAt: moment(v.EndedAt), Attempt: v.Attempt,
		Done: v.Done, Total: v.Total, Doing: wire.Known(v.Doing), Findings: []wire.Finding{}, Fault: wire.Known(v.Fault),
	}
	if err := json.Unmarshal(v.Findings, &out.Findings); err != nil {
		return out, fmt.Errorf("read findings of verification %s: %w", v.ID, err)
	}
	if v.Report != nil {
		out.Report = &wire.VerificationReport{}
		if err := json.Unmarshal(v.Report, out.Report); err != nil {
			return out, fmt.Errorf("read report of verification %s: %w", v.ID, err)
		}
	}
	return out, nil
}

func (s *Server) getVerification(ctx context.Context, in *VersionPath) (*answer[Verification], error) {
	v, err := s.findVersion(ctx, in)
	if err != nil {
		return nil, err
	}
	found, err := s.Records.Verification(ctx, v.ID)
	if err != nil {
		return nil, named(err, "verification of version", strconv.Itoa(in.Number))
	}
	out, err := newVerification(v, &found)
	return answered(out), err
}

func (s *Server) verifyVersion(ctx context.Context, in *verifyInput) (*answer[Verification], error) {
	v, err := s.findVersion(ctx, &in.VersionPath)
	if err != nil {
		return nil, err
	}
	var made judge.Verification
	entry := judge.AuditEntry{Action: "version.verify", Object: in.Problem, Reason: in.Body.Reason, Detail: detail(map[string]any{"number": v.Number})}
	err = s.changed(ctx, entry, func(tx Tx) error {
		again := judge.Verification{VersionID: v.ID, By: tokenOf(ctx).ID, Reason: in.Body.Reason}
		// What reading the package found stays as it was.
		switch before, err := tx.Verification(ctx, v.ID); {
		case err == nil:
			again.Findings = before.Findings
		case !errors.Is(err, judge.ErrNotFound):
			return err
		}
		var err error
		if made, err = tx.CreateVerification(ctx, again); err != nil {
			return err
		}
		return tx.Enqueue(ctx, 1)
	})
	if errors.Is(err, judge.ErrConflict) {
		return nil, fault("conflict", "version %d of problem %s is being verified; wait for that", v.Number, v.Problem)
	}
	if err != nil {
		return nil, err
	}
	out, err := newVerification(v, &made)
	return answered(out), err
}

// mayPublish refuses to publish a version that is not verified without errors.
func mayPublish(ctx context.Context, tx Tx, v *judge.ProblemVersion) error {
	const field, remedy = "body.state", "mend the package and upload it, or give override with a reason"
	found, err := tx.Verification(ctx, v.ID)
	switch {
	case errors.Is(err, judge.ErrNotFound):
		return fault("conflict", "version %d was never verified; POST …/verification does that, or give override with a reason", v.Number).in(field, "not verified")
	case err != nil:
		return err
	case found.State == judge.VerificationDone && found.OK:
		return nil
	case found.State == judge.VerificationFailed:
		return fault("conflict", "version %d could not be verified: %s; verify it again, or give override with a reason", v.Number, found.Fault).in(field, "not verified")
	case found.State != judge.VerificationDone:
		return fault("conflict", "version %d is being verified; wait for that, or give override with a reason", v.Number).in(field, "not verified yet")
	}
	seen, err := newVerification(v, &found)
	if err != nil {
		return err
	}
	e := fault("conflict", "version %d was verified, and has errors; %s", v.Number, remedy)
	for _, f := range seen.Report.Findings {
		if f.Severity == "error" {
			e = e.in(at(f.File, f.Line), "%s", f.Message)
		}
	}
	return e
}

// at is where in a package something is.
func at(file string, line int) string {
	where := packageField
	if file != "" {
		where += "/" + file
	}
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	return where
}

// followEvery is the time between two looks at a verification that is followed.
const followEvery = time.Second

func (s *Server) streamVerification(ctx context.Context, in *verificationStreamInput) (*huma.StreamResponse, error) {
	v, err := s.findVersion(ctx, &in.VersionPath)
	if err != nil {
		return nil, err
	}
	after, ok := LastEventID(in.LastEventID, in.LastID)
	if !ok {
		return nil, wrongField("header.Last-Event-ID", "it is no event's id; leave it out to begin anew")
	}
	found, err := s.Records.Verification(ctx, v.ID)
	if err != nil {
		return nil, named(err, "verification of version", strconv.Itoa(in.Number))
	}
	if verificationEnded(found.State) && after == verificationEvent(found.ID, found.Step) {
		return &huma.StreamResponse{Body: func(hc huma.Context) { hc.SetStatus(http.StatusNoContent) }}, nil
	}
	if err := s.serving(ctx); err != nil {
		return nil, fault("unavailable", "the server stops").retryAfter(time.Second)
	}
	leave, err := s.streams.enter(tokenOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer leave()
		hc.SetHeader("Content-Type", "text/event-stream")
		hc.SetHeader("X-Accel-Buffering", "no") // nginx
		hc.SetStatus(http.StatusOK)
		out := &streaming{s: s, q: requestOf(ctx)}
		out.followVerification(ctx, v, after)
	}}, nil
}

func verificationEnded(s judge.VerificationState) bool {
	return s == judge.VerificationDone || s == judge.VerificationFailed
}

func verificationEvent(id string, step int64) string { return fmt.Sprintf("%s_%d", id, step) }

// followVerification sends what is new of a version's verification until it has
// ended, the client leaves, its token ends or the server stops.
func (o *streaming) followVerification(ctx context.Context, v *judge.ProblemVersion, after string) {
	o.q.unhurried()
	o.control = http.NewResponseController(o.q.w)
	err := o.write("retry: %d\n\n", reconnect.Milliseconds())
	for said := time.Now(); err == nil; {
		var id string
		var over bool
		if id, over, err = o.tellVerification(ctx, v, after); err != nil || over {
			return
		}
		if id != after {
			after, said = id, time.Now()
		} else if time.Since(said) > keepAlive {
			said = time.Now()
			if !o.welcome() {
				return
			}
			err = o.write(":\n\n")
		}
		select {
		case <-time.After(followEvery):
		case <-ctx.Done():
			return
		case <-o.s.hub.closed:
			return
		}
	}
}

// tellVerification sends an event if there is something new after an id. over:
// nothing will follow.
func (o *streaming) tellVerification(ctx context.Context, v *judge.ProblemVersion, after string) (id string, over bool, err error) {
	var found judge.Verification
	err = o.patiently(ctx, func() error {
		key, step, err := o.s.Records.VerificationStep(ctx, v.ID)
		if id = verificationEvent(key, step); err != nil || id == after {
			return err
		}
		found, err = o.s.Records.Verification(ctx, v.ID)
		id = verificationEvent(found.ID, found.Step)
		return err
	})
	if err != nil || id == after {
		return id, false, err
	}
	name := "verification.progress"
	if over = verificationEnded(found.State); over {
		name = "verification.ended"
	}
	out, err := newVerification(v, &found)
	if err != nil {
		return id, over, err
	}
	data, err := json.Marshal(out)
	if err != nil {
		return id, over, fmt.Errorf("write event: %w", err)
	}
	return id, over, o.write("id: %s\nevent: %s\ndata: %s\n\n", id, name, data)
}
