package api

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

// Event streams, as the HTML standard's server-sent events.

// StreamInput says where a stream is to go on.
type StreamInput struct {
	LastEventID string `header:"Last-Event-ID" maxLength:"100" doc:"Go on after this event."`
	LastID      string `query:"last_event_id" maxLength:"100" doc:"The same, for who cannot send the header, which goes before."`
}

type submissionStreamInput struct {
	SubmissionPath
	StreamInput
}

type eventsInput struct {
	StreamInput

	Problem   string `query:"problem" maxLength:"64" doc:"Of this problem only."`
	Submitter string `query:"submitter" maxLength:"200" doc:"Of this person only, by id."`
	Contest   string `query:"contest" maxLength:"64" doc:"Of this contest only; with it, submitters too are told of changes of the contest itself."`
}

const streamText = `Events with id, event (the type) and data, which is JSON, as the feedback policy allows:
submission.created, judgement.started, run.judged, judgement.judged, judgement.cancelled, judgement.reviewed,
contest.updated, rejudging.applied.
Who reconnects with the id of the last event it got, as browsers do, misses none and gets none twice.
The event "reset" says that ids from before are of a database that was replaced: read the state, then go on.
A comment comes at least every 15 s. When the server stops, the stream ends: connect again.`

func (s *Server) streamRoutes() {
	op := func(id, at, summary, description string) huma.Operation {
		schema := s.schemaOf(eventType)
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: at, Tags: []string{"events"}, Summary: summary, Description: description + "\n\n" + streamText,
			Responses: map[string]*huma.Response{"200": {
				Description: http.StatusText(http.StatusOK),
				Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString, Description: "data is a StreamEvent: " + schema.Ref}}},
			}},
		}
	}
	register(s, op("stream-submission", "/submissions/{id}/events", "Follow a submission", "From its first event on, or after the last one that came."), s.streamSubmission)
	register(s, op("stream-events", "/events", "Follow all that the token may see", "From now on, or after the last event that came."), s.streamEvents)
}

func (s *Server) streamSubmission(ctx context.Context, in *submissionStreamInput) (*huma.StreamResponse, error) {
	sub, err := s.submission(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, judge.EventFilter{SubmissionID: sub.ID}, in.StreamInput)
}

func (s *Server) streamEvents(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	f, err := s.filterFor(ctx, &submissionsQuery{Problem: in.Problem, Contest: in.Contest})
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, judge.EventFilter{TokenID: f.TokenID, SubmitterID: in.Submitter, Problems: f.Problems, Contest: f.Contest, Scope: f.Scope}, in.StreamInput)
}

// position is what an id of an event may look like: opaque, but harmless.
var position = regexp.MustCompile(`^[0-9A-Za-z_-]{1,100}$`)

// LastEventID is the position to go on from that a request names, empty where it
// names none; ok is false where what it names is none.
func LastEventID(header, query string) (id string, ok bool) {
	id = header
	if id == "" {
		id = query
	}
	return id, id == "" || position.MatchString(id)
}

// stream begins a stream, or says why not. The first look is made before the
// answer begins, so that a position that is none is answered as such.
func (s *Server) stream(ctx context.Context, f judge.EventFilter, in StreamInput) (*huma.StreamResponse, error) {
	const wrong = "it is no event's id; leave it out to begin anew"
	after, ok := LastEventID(in.LastEventID, in.LastID)
	if !ok {
		return nil, wrongField("header.Last-Event-ID", wrong)
	}
	if err := s.serving(ctx); err != nil {
		return nil, fault("unavailable", "the server stops").retryAfter(time.Second)
	}
	leave, err := s.streams.enter(tokenOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	follower, err := s.hub.Follow(ctx, f, after)
	if err == nil && after != "" {
		// Asked for one submission's events of no submission: whether it is a position.
		_, err = s.Records.Events(ctx, after, judge.EventFilter{SubmissionID: noSubmission}, 1)
		if errors.Is(err, judge.ErrGone) {
			err = nil // told in the stream
		}
	}
	if err != nil {
		leave()
		if isInvalid(err) {
			err = wrongField("header.Last-Event-ID", wrong)
		}
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer leave()
		defer follower.Close()
		hc.SetHeader("Content-Type", "text/event-stream")
		hc.SetHeader("X-Accel-Buffering", "no") // nginx
		hc.SetStatus(http.StatusOK)
		out := &streaming{s: s, q: requestOf(ctx), follower: follower}
		out.run(ctx)
	}}, nil
}

// noSubmission is an id that none has.
const noSubmission = "00000000-0000-0000-0000-000000000000"
