//go:build postgres

package work_test

import (
	"testing"
	"time"

	"judge/judge"
)

func TestGone(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	n := start(t, config(w.records, 1, b.judge))
	id := w.submit(t, "ada", judge.PriorityContest).ID
	<-b.begun
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerGone); err != nil {
		t.Fatal(err)
	}
	<-b.ended
	again := <-b.begun
	if again.JudgementID != id || again.Attempt != 2 {
		t.Errorf("taken again: %+v", again.Lease)
	}
	close(b.let)
	if j := w.await(t, id); j.Verdict != judge.AC || j.Attempt != 2 {
		t.Errorf("%+v", j)
	}

	for _, s := range []judge.WorkerState{judge.WorkerCordoned, judge.WorkerGone} {
		if err := w.SetWorkerState(t.Context(), n.id, s); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the worker is cordoned", func() bool { return w.state(t, n.id) == judge.WorkerCordoned })
		if s == judge.WorkerCordoned {
			waitBeat(t, w, n.id)
			waitBeat(t, w, n.id)
		}
	}
}

func waitBeat(t *testing.T, w *world, id string) {
	t.Helper()
	at := func() time.Time {
		list, err := w.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if x.ID == id {
				return x.HeartbeatAt
			}
		}
		return time.Time{}
	}
	before := at()
	eventually(t, "a heartbeat comes", func() bool { return at().After(before) })
}

func TestCordon(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	n := start(t, config(w.records, 1, b.judge))
	first := w.submit(t, "ada", judge.PriorityContest).ID
	<-b.begun
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerCordoned); err != nil {
		t.Fatal(err)
	}
	second := w.submit(t, "ada", judge.PriorityContest).ID
	close(b.let)
	if j := w.await(t, first); j.Verdict != judge.AC {
		t.Errorf("%+v", j)
	}
	waitBeat(t, w, n.id)
	waitBeat(t, w, n.id)
	if j, err := w.Judgement(t.Context(), second); err != nil || j.State != judge.Queued {
		t.Fatalf("a cordoned worker took one: %+v, %v", j, err)
	}
	other := start(t, config(w.records, 1, accept))
	if j := w.await(t, second); j.Worker != other.id {
		t.Errorf("judged by %s", j.Worker)
	}
	other.stop()
	<-other.ended
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerActive); err != nil {
		t.Fatal(err)
	}
	if j := w.await(t, w.submit(t, "ada", judge.PriorityContest).ID); j.Worker != n.id {
		t.Errorf("judged by %s", j.Worker)
	}
}

func TestDrain(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	c := config(w.records, 1, b.judge)
	c.Grace = time.Nanosecond
	n := start(t, c)
	first := w.submit(t, "ada", judge.PriorityContest).ID
	second := w.submit(t, "ada", judge.PriorityContest).ID
	<-b.begun
	if err := w.SetWorkerState(t.Context(), n.id, judge.WorkerDraining); err != nil {
		t.Fatal(err)
	}
	waitBeat(t, w, n.id)
	close(b.let)
	<-n.ended
	if s := w.state(t, n.id); s != judge.WorkerGone {
		t.Errorf("the worker is %s", s)
	}
	if j := w.await(t, first); j.Verdict != judge.AC {
		t.Errorf("%+v", j)
	}
	if j, err := w.Judgement(t.Context(), second); err != nil || j.State != judge.Queued {
		t.Errorf("%+v, %v", j, err)
	}
	start(t, config(w.records, 1, accept))
	w.await(t, second)
}

func TestStop(t *testing.T) {
	w := newWorld(t)
	b := newBlocked()
	patient := start(t, config(w.records, 1, b.judge))
	id := w.submit(t, "ada", judge.PriorityContest).ID
	<-b.begun
	patient.stop()
	close(b.let)
	<-patient.ended
	if j := w.await(t, id); j.Verdict != judge.AC || j.Worker != patient.id {
		t.Errorf("%+v", j)
	}

	b = newBlocked()
	c := config(w.records, 2, b.judge)
	c.Grace = time.Millisecond
	hasty := start(t, c)
	ids := []string{w.submit(t, "ada", judge.PriorityContest).ID, w.submit(t, "bob", judge.PriorityContest).ID}
	<-b.begun
	<-b.begun
	hasty.stop()
	<-hasty.ended
	if s := w.state(t, hasty.id); s != judge.WorkerGone {
		t.Errorf("the worker is %s", s)
	}
	other := start(t, config(w.records, 1, accept))
	for _, id := range ids {
		if j := w.await(t, id); j.Verdict != judge.AC || j.Worker != other.id || j.Attempt != 2 {
			t.Errorf("%+v", j)
		}
	}
}
