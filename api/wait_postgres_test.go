//go:build postgres

package api_test

import (
	"testing"
	"time"

	"judge/api"
	"judge/judge"
)

// A submission that is judged while its request waits is answered as judged, as
// soon as it is; one that is not, as it stands when the time is over.
func TestWait(t *testing.T) {
	w := newWorld(t, nil)
	answers := make(chan api.Submission)
	go func() {
		var s api.Submission
		w.ask("owner", "POST", v1+"/submissions?wait=60s", submitJSON, 201, &s)
		answers <- s
	}()
	for w.submissions() == 0 {
		time.Sleep(time.Millisecond)
	}
	w.judge(judge.AC)
	if s := <-answers; s.Judgement.Verdict == nil || *s.Judgement.Verdict != "AC" {
		t.Errorf("%+v", s)
	}
	var s api.Submission
	w.ask("owner", "POST", v1+"/submissions?wait=0.05", submitJSON, 201, &s)
	if *s.Judgement.State != "queued" {
		t.Errorf("%+v", s)
	}
}

func TestWaiters(t *testing.T) {
	w := newWorld(t, func(c *api.Config) { c.Limits.WaitersPerToken = 1 })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.ask("owner", "POST", v1+"/submissions?wait=60", submitJSON, 201, nil)
	}()
	for w.submissions() == 0 {
		time.Sleep(time.Millisecond)
	}
	res := w.ask("owner", "POST", v1+"/submissions?wait=60", submitJSON, 429, nil)
	if res.Get("Retry-After") == "" || w.submissions() != 1 {
		t.Errorf("%v, %d submissions", res, w.submissions())
	}
	w.judge(judge.AC)
	<-ended
}

// A server that is told to end answers those who wait with how it stands, and does
// not keep them until their time is over.
func TestStopWhileWaiting(t *testing.T) {
	w := newWorld(t, nil)
	at, stop := w.start(w.store, nil)
	w.url = at
	answers := make(chan api.Submission)
	go func() {
		var s api.Submission
		w.ask("owner", "POST", v1+"/submissions?wait=60s", submitJSON, 201, &s)
		answers <- s
	}()
	for w.submissions() == 0 {
		time.Sleep(time.Millisecond)
	}
	stopped := make(chan struct{})
	go func() { defer close(stopped); stop() }()
	if s := <-answers; *s.Judgement.State != "queued" {
		t.Errorf("%+v", s)
	}
	<-stopped
}
