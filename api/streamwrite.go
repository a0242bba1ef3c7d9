package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"judge/judge"
	"judge/judge/wire"
)

const (
	keepAlive   = 15 * time.Second // at most between two signs of life
	streamWrite = 30 * time.Second // for a client to take what it is sent
	reconnect   = time.Second      // that a client waits before it connects again
)

// StreamEvent is the data of an event.
type StreamEvent struct {
	Type         string     `json:"type" enum:"submission.created,judgement.started,run.judged,judgement.judged,judgement.cancelled,judgement.reviewed,contest.updated,rejudging.applied"`
	At           wire.Time  `json:"at"`
	SubmissionID *string    `json:"submission_id" doc:"Null where the event is of a contest as a whole."`
	JudgementID  *string    `json:"judgement_id"`
	Attempt      int        `json:"attempt"`
	Problem      *string    `json:"problem"`
	Contest      *string    `json:"contest" doc:"Of the submission, or that the event is of; null: none."`
	Run          *wire.Run  `json:"run" doc:"Of run.judged; null where the run did not count in the end."`
	Judgement    *Judgement `json:"judgement" doc:"As it is now; null for run.judged and events of contests."`
}

var eventType = reflect.TypeFor[StreamEvent]()

// streaming is one stream on its way, for one goroutine.
type streaming struct {
	s        *Server
	q        *request
	follower *Follower
	control  *http.ResponseController
}

// run sends events until the client leaves, its token ends or the server stops.
func (o *streaming) run(ctx context.Context) {
	o.q.unhurried()
	o.control = http.NewResponseController(o.q.w)
	// The first id is where to go on from for who is cut off before an event.
	err := o.write("retry: %d\nid: %s\n\n", reconnect.Milliseconds(), o.follower.Position())
	checked := time.Now()
	for err == nil {
		if time.Since(checked) > keepAlive {
			checked = time.Now()
			if !o.welcome() {
				return
			}
		}
		err = o.next(ctx)
	}
	if ctx.Err() == nil && !errors.Is(err, errClosed) && !errors.Is(err, errGone) {
		o.s.Log.WarnContext(ctx, "stream broken off, its client may go on with another", "request_id", o.q.id, "error", err)
	}
}

// errGone is that the client does not take what it is sent.
var errGone = errors.New("the client has left")

// welcome reports whether the token is still in force.
func (o *streaming) welcome() bool {
	_, err := o.s.authenticate(o.q.r)
	refused, is := errors.AsType[*Error](err)
	return !is || refused.Status != http.StatusUnauthorized
}

// next sends what comes next, or a sign of life.
func (o *streaming) next(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, keepAlive)
	defer cancel()
	var batch []Notice
	err := o.patiently(ctx, func() (err error) {
		batch, err = o.follower.Next(waiting)
		return err
	})
	switch {
	case errors.Is(err, judge.ErrGone):
		return o.write("id: %s\nevent: reset\ndata: {\"type\":\"reset\"}\n\n", o.follower.Position())
	case waiting.Err() != nil && ctx.Err() == nil && len(batch) == 0:
		return o.write(":\n\n")
	case err != nil:
		return err
	}
	for _, n := range batch {
		var data []byte
		var ok bool
		err := o.patiently(ctx, func() (err error) {
			data, ok, err = o.data(ctx, n)
			return err
		})
		if err != nil {
			return err
		}
		if ok {
			if err := o.write("id: %s\nevent: %s\ndata: %s\n\n", n.Position, n.Type, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// patiently tries again while the database is away: a stream that ended would
// only come back, and browsers do not come back from an error.
func (o *streaming) patiently(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || ctx.Err() != nil || !o.s.Unavailable(err) {
			return err
		}
		select {
		case <-time.After(reconnect):
		case <-ctx.Done():
			return ctx.Err()
		case <-o.s.hub.closed:
			return errClosed
		}
		if err := o.write(":\n\n"); err != nil {
			return err
		}
	}
}

// data is an event as its reader may see it; false: it may not.
func (o *streaming) data(ctx context.Context, n Notice) ([]byte, bool, error) {
	if n.JudgementID == "" {
		b, err := json.Marshal(newStreamEvent(&n.Event))
		return b, n.Contest != "" || n.Problem != "", err
	}
	seen, err := o.s.see(ctx, n)
	if errors.Is(err, judge.ErrNotFound) {
		return nil, false, nil // it was removed since
	}
	if err != nil {
		return nil, false, err
	}
	v := o.s.viewOf(o.s.Records, o.q.token)
	v.policies[seen.judgement.VersionID] = seen.feedback
	if seen.judgement.Contest != "" {
		v.contests[seen.judgement.Contest] = seen.contest
	}
	out, ok, err := v.event(ctx, &n.Event, &seen.judgement)
	if err != nil || !ok {
		return nil, false, err
	}
	b, err := json.Marshal(out)
	return b, true, err
}

func newStreamEvent(e *judge.Event) StreamEvent {
	return StreamEvent{
		Type: string(e.Type), At: wire.Time(e.At), SubmissionID: wire.Known(e.SubmissionID), JudgementID: wire.Known(e.JudgementID), Attempt: e.Attempt,
		Problem: wire.Known(e.Problem), Contest: wire.Known(e.Contest),
	}
}

// event is an event of a judgement as v may see it; false: it may not.
func (v *view) event(ctx context.Context, e *judge.Event, j *judge.Judgement) (StreamEvent, bool, error) {
	out := newStreamEvent(e)
	if e.Type != judge.RunJudged {
		shown, err := v.judgement(ctx, *j)
		out.Judgement = &shown
		return out, true, err
	}
	run, found := runOf(j, e)
	shown, ok, err := v.run(ctx, j, run)
	if found {
		out.Run = &shown
	}
	return out, ok, err
}

// runOf finds the run that an event is about. It is not there where its attempt
// was given up, or an earlier case decided.
func runOf(j *judge.Judgement, e *judge.Event) (judge.Run, bool) {
	for _, r := range j.Runs {
		if r.Ordinal == e.Ordinal && j.Attempt == e.Attempt {
			return r, true
		}
	}
	return judge.Run{Ordinal: e.Ordinal}, false
}

// seen is a judgement when an event of it was told, with what tells the policy that
// holds for it.
type seen struct {
	judgement judge.Judgement
	feedback  judge.Feedback
	contest   judge.Contest // zero: none
}

// see looks a judgement up, once for all readers that are told of it together.
func (s *Server) see(ctx context.Context, n Notice) (seen, error) {
	value, err := n.sight.look(func() (any, error) {
		j, err := s.Records.Judgement(ctx, n.JudgementID)
		if err != nil {
			return nil, err
		}
		v, err := s.Records.VersionInfo(ctx, j.VersionID)
		if err != nil {
			return nil, err
		}
		out := seen{judgement: j, feedback: v.Settings.Feedback}
		if j.Contest != "" {
			out.contest, err = s.Records.ContestInfo(ctx, j.Contest)
		}
		return out, err
	})
	out, _ := value.(seen)
	return out, err
}

// write sends text at once.
func (o *streaming) write(format string, args ...any) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(streamWrite)) // a recorder has none
	_, err := fmt.Fprintf(o.q.w, format, args...)
	if err == nil {
		err = o.control.Flush()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}
