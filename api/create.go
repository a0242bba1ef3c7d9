package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"judge/judge"
)

// CreateInput is a request whose body is JSON or a form: reading it is ours
// (reading.go), as huma reads only one of them.
type CreateInput struct {
	Key     string `header:"Idempotency-Key" maxLength:"255" doc:"Made up by the client: the same request with the same key is done once, and answered the same again."`
	RawBody []byte
}

type waitingInput struct {
	CreateInput

	Wait string `query:"wait" maxLength:"16" doc:"Answer when it is judged, or after this time, as in 30s or 1.5; the server may have a shorter limit." example:"30s"`
}

type createdOutput struct {
	Replayed string `header:"Idempotent-Replayed" doc:"true where this answers a request that was done before."`
	Location string `header:"Location"`
	Body     json.RawMessage
}

func (s *Server) createRoutes(tags []string) {
	one := map[string]*huma.MediaType{
		"application/json":    {Schema: s.schemaOf(reflect.TypeFor[SubmissionRequest]())},
		"multipart/form-data": {Schema: formSchema()},
	}
	many := map[string]*huma.MediaType{"application/json": {Schema: s.schemaOf(reflect.TypeFor[BatchRequest]())}}
	body := &huma.RequestBody{}
	register(s, huma.Operation{
		OperationID: "create-submission", Method: http.MethodPost, Path: "/submissions", DefaultStatus: http.StatusCreated, Tags: tags,
		Summary:     "Hand in a submission",
		Description: "What is answered 201 is kept and will be judged. With wait, the answer comes when it has been.",
		RequestBody: body, Responses: s.responseOf(reflect.TypeFor[Submission]()),
	}, s.createSubmission)
	body.Required, body.Content = true, one // huma has made up its own for RawBody
	body = &huma.RequestBody{}
	register(s, huma.Operation{
		OperationID: "create-submissions", Method: http.MethodPost, Path: "/submissions/batch", DefaultStatus: http.StatusCreated, Tags: tags,
		Summary:     "Hand in up to 100 submissions, all or none",
		Description: "It counts as that many requests.",
		RequestBody: body, Responses: s.responseOf(reflect.TypeFor[BatchAnswer]()),
	}, s.createBatch)
	body.Required, body.Content = true, many
}

// BatchAnswer is what a batch is answered, in the order of its items.
type BatchAnswer struct {
	Items []Submission `json:"items"`
}

func (s *Server) createSubmission(ctx context.Context, in *waitingInput) (*createdOutput, error) {
	wait, err := waitOf(in.Wait)
	if err != nil {
		return nil, err
	}
	requests, err := s.readOne(contentType(ctx), in.RawBody)
	if err != nil {
		return nil, err
	}
	if wait > 0 {
		leave, err := s.waiting.enter(tokenOf(ctx).ID)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	out, err := s.create(ctx, in.Key, requests, func(all []Submission) any { return all[0] })
	if err != nil {
		return nil, err
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(out.Body, &made); err != nil {
		return nil, err
	}
	out.Location = base + "/submissions/" + made.ID
	if wait == 0 {
		return out, nil
	}
	return out, s.awaited(ctx, made.ID, min(wait, s.Limits.Wait), out)
}

// awaited waits for a submission's verdict and puts how it then stands into out.
func (s *Server) awaited(ctx context.Context, id string, wait time.Duration, out *createdOutput) error {
	requestOf(ctx).unhurried()
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	// That the time is over is no failure, and none of the hub's is the client's:
	// the submission is kept, and how it stands is the answer.
	if err := s.hub.Wait(waiting, id); err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	sub, err := s.Records.Submission(ctx, id)
	if err != nil {
		return err
	}
	now, err := s.answerSubmission(ctx, &sub)
	if err != nil {
		return err
	}
	out.Body, err = json.Marshal(now.Body)
	return err
}

var plainSeconds = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

func waitOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	if plainSeconds.MatchString(text) {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, wrongField("query.wait", "%.16q is no time; write 30s, 1.5s, or 2 for two seconds", text)
	}
	return d, nil
}

func (s *Server) createBatch(ctx context.Context, in *CreateInput) (*createdOutput, error) {
	requests, err := s.readBatch(contentType(ctx), in.RawBody)
	if err != nil {
		return nil, err
	}
	return s.create(ctx, in.Key, requests, func(all []Submission) any { return BatchAnswer{all} })
}

var goodKey = regexp.MustCompile(`^[\x21-\x7e]{1,255}$`)

// create hands in submissions, all or none, and once for a key. body makes of them
// what is answered, and kept for the key.
func (s *Server) create(ctx context.Context, key string, requests []SubmissionRequest, body func([]Submission) any) (*createdOutput, error) {
	q := requestOf(ctx)
	if key != "" && !goodKey.MatchString(key) {
		return nil, wrongField("header.Idempotency-Key", "it has 1 to 255 letters, digits and signs of ASCII, no space")
	}
	people := map[string]int{}
	for i := range requests {
		if id := requests[i].person().ID; id != "" { // else it is the token, which has limits of its own
			people[id]++
		}
	}
	if err := s.limiter.submissions(q.w.Header(), q.token.ID, len(requests), people); err != nil {
		return nil, err
	}
	subs, invalid := s.accept(ctx, q.token, requests)
	if invalid != nil && key == "" {
		return nil, invalid
	}
	hash, err := hashOf(q.operation, requests)
	if err != nil {
		return nil, err
	}
	var out createdOutput
	err = s.Records.Tx(ctx, func(tx Tx) error {
		if key != "" {
			before, err := tx.Claim(ctx, q.token.ID, key, hash)
			if errors.Is(err, judge.ErrConflict) {
				return fault("key-reused", "the Idempotency-Key %.255s was used with another request; make up a new one for each", key)
			}
			if err != nil {
				return err
			}
			if before != nil {
				out.Body, out.Replayed = before.Body, "true"
				return nil
			}
		}
		// Only now: a request that was done before is answered as it was then.
		if invalid != nil {
			return invalid
		}
		out.Body, err = s.write(ctx, tx, subs, body)
		if err != nil || key == "" {
			return err
		}
		return tx.Answer(ctx, q.token.ID, key, judge.Answer{Status: http.StatusCreated, Body: out.Body})
	})
	return &out, err
}

func (s *Server) write(ctx context.Context, tx Tx, subs []judge.Submission, body func([]Submission) any) ([]byte, error) {
	v := s.viewOf(tx, tokenOf(ctx))
	all := make([]Submission, 0, len(subs))
	admitted, err := s.beginAdmission(ctx, tx, subs)
	if err != nil {
		return nil, err
	}
	for i := range subs {
		if err := admitted.admit(ctx, tx, &subs[i], s.now()); err != nil {
			return nil, inItem(err, i, len(subs) > 1)
		}
		sub, j, err := tx.CreateSubmission(ctx, subs[i])
		if err != nil {
			return nil, err
		}
		shown, err := v.submission(ctx, &sub, j)
		if err != nil {
			return nil, err
		}
		all = append(all, shown)
	}
	if err := tx.Enqueue(ctx, len(subs)); err != nil {
		return nil, err
	}
	return json.Marshal(body(all))
}

func hashOf(operation string, requests []SubmissionRequest) ([]byte, error) {
	b, err := json.Marshal(requests)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append([]byte(operation+"\n"), b...))
	return sum[:], nil
}

// priorityOf reads a class; empty is practice.
func priorityOf(text string) (judge.Priority, bool) {
	for p, name := range priorities {
		if name == cmp.Or(text, "practice") {
			return p, p != judge.PriorityRejudge
		}
	}
	return 0, false
}
