package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"judge/judge"
	"judge/judge/wire"
)

const (
	feedLength = 64 // tidings that wait to be shown, before the reading of them waits
	following  = 4  // submissions whose events are read at a time
)

// delivery takes entries to the server, in their order, and learns what becomes
// of them.
type delivery struct {
	cmd     *submitCmd
	app     *app
	client  *client
	entries []*entry
}

// tidings are what happens to a submission: it begins, or begins again, or a
// case has fallen.
type tidings struct {
	attempt int
	run     *judge.Run // nil: it begins
}

// post hands one entry in. The key makes tries after a lost answer one submission.
func (d *delivery) post(e *entry) error {
	id, err := uuid.NewRandom()
	if err != nil {
		return fmt.Errorf("make idempotency key: %w", err)
	}
	r, err := apiCall{
		method: http.MethodPost, path: "submissions", header: http.Header{"Idempotency-Key": {id.String()}},
	}.withJSON(d.cmd.body(e))
	if err != nil {
		return err
	}
	if _, err := d.client.do(d.app.ctx, r, &e.info); err != nil {
		return err
	}
	e.language = &judge.Language{ID: e.info.Language}
	return nil
}

// postAll hands all entries in, one after the other, so that they are judged in
// that order.
func (d *delivery) postAll() {
	var none error // why no more can be handed in
	for _, e := range d.entries {
		if e.err = firstError(d.app.ctx.Err(), none); e.err == nil {
			e.err = d.post(e)
			none = forAll(e.err)
		}
		close(e.posted)
	}
}

// forAll is err if it would be that of any submission.
func forAll(err error) error {
	if r, ok := errors.AsType[*refusal](err); ok && (r.status == http.StatusUnauthorized || r.status == http.StatusForbidden) {
		return err
	}
	if isBadInput(err) {
		return nil
	}
	return err
}

// handIn hands all in and waits for no verdict.
func (d *delivery) handIn() error {
	go d.postAll()
	if <-d.entries[0].posted; forAll(d.entries[0].err) != nil {
		return d.entries[0].err
	}
	t := tally{app: d.app, total: len(d.entries)}
	for _, e := range d.entries {
		<-e.posted
		t.add(e.job)
		switch {
		case d.app.ctx.Err() != nil:
			continue
		case e.err != nil:
			d.app.say(fmt.Errorf("%s: %w", e.title, e.err), d.cmd.JSON)
		case d.cmd.JSON:
			if err := jsonLines(d.app.out).Encode(e.info); err != nil {
				return err
			}
		default:
			if _, err := fmt.Fprintf(d.app.out, "%s  %s  %s\n", e.info.ID, e.info.Language, e.title); err != nil {
				return err
			}
		}
	}
	return t.code(false)
}

// watch hands all in, shows verdicts as they fall, and then the table.
func (d *delivery) watch(start time.Time) error {
	show := d.newLive()
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(d.postAll)
	if <-d.entries[0].posted; forAll(d.entries[0].err) != nil {
		return d.entries[0].err
	}
	line := make(chan *entry)
	for range min(len(d.entries), following) {
		wg.Go(func() {
			for e := range line {
				if <-e.posted; e.err == nil {
					e.err = d.follow(e)
				}
				close(e.feed)
			}
		})
	}
	wg.Go(func() {
		defer close(line)
		for _, e := range d.entries {
			line <- e
		}
	})
	for _, e := range d.entries {
		show.entry(e)
	}
	if d.app.ctx.Err() != nil {
		return d.left()
	}
	return d.table(start)
}

// left says what goes on without us.
func (d *delivery) left() error {
	n := 0
	for _, e := range d.entries {
		if e.info.ID != "" && e.judgement.State != judge.Judged {
			n++
		}
	}
	if n > 0 && !d.cmd.JSON {
		d.app.notef("judge: %d submissions are on the server and will be judged\n", n)
	}
	return d.app.ctx.Err()
}

// follow reads a submission's events until it is judged.
func (d *delivery) follow(e *entry) error {
	path := "submissions/" + e.info.ID
	err := d.client.follow(d.app.ctx, path+"/events", func(s serverEvent) (bool, error) {
		if s.kind == "reset" { // events are gone: the database was restored
			return d.ended(e, nil)
		}
		var event eventInfo
		if err := json.Unmarshal([]byte(s.data), &event); err != nil {
			return false, fmt.Errorf("event of %s: %w", path, err)
		}
		news := tidings{attempt: event.Attempt}
		switch judge.EventType(cmp.Or(event.Type, s.kind)) {
		case judge.JudgementJudged, judge.JudgementCancelled:
			return d.ended(e, event.Judgement)
		case judge.RunJudged:
			if event.Run == nil {
				return false, nil // the feedback policy does not show it
			}
			run := event.Run.Run()
			news.run = &run
		case judge.JudgementStarted:
		case judge.SubmissionCreated, judge.JudgementReviewed, judge.RejudgingApplied, judge.ContestUpdated, judge.WebhookPing:
			return false, nil
		default: // of a newer server
			return false, nil
		}
		select {
		case e.feed <- news:
			return false, nil
		case <-d.app.ctx.Done():
			return false, d.app.ctx.Err()
		}
	})
	return err
}

// ended takes a judgement for the submission's last word, or asks the server
// for it. It reports whether it is one.
func (d *delivery) ended(e *entry, last *wire.Judgement) (bool, error) {
	if last == nil {
		if _, err := d.client.do(d.app.ctx, apiCall{method: http.MethodGet, path: "submissions/" + e.info.ID}, &e.info); err != nil {
			return false, err
		}
		last = &e.info.Judgement
	}
	j := last.Judgement()
	j.Source = e.source
	switch j.State {
	case judge.Judged:
		e.judgement = j
		return true, nil
	case judge.Cancelled:
		return true, errors.Join(errors.New("it was cancelled"), reason(j.Message))
	case judge.Queued, judge.Compiling, judge.Running:
	}
	return false, nil
}

func reason(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// table reports all entries as judge run does.
func (d *delivery) table(start time.Time) error {
	jobs := make([]*job, 0, len(d.entries))
	for _, e := range d.entries {
		jobs = append(jobs, e.job)
	}
	out := (&runCmd{JSON: d.cmd.JSON}).newReport(d.app, jobs, start)
	for _, j := range jobs {
		out.judged(j)
	}
	return out.finish()
}
