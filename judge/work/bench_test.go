//go:build postgres

package work_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/queue"
	"judge/judge/store"
	"judge/judge/store/storetest"
	"judge/judge/work"
)

// marks hear when the phases of judgements end.
type marks struct {
	mu     sync.Mutex
	phases map[string][]time.Duration
	taken  []time.Time
	done   chan struct{}
}

func (m *marks) Taken() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken = append(m.taken, time.Now())
}
func (m *marks) Judged(judge.Verdict) { m.done <- struct{}{} }
func (m *marks) HandedBack(bool)      {}
func (m *marks) Lost()                {}
func (m *marks) Phase(name string, d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.phases[name] = append(m.phases[name], d)
}

// BenchmarkIdle is one submission after the other to an idle worker whose judging
// takes no time: what the service adds to it, in medians.
func BenchmarkIdle(b *testing.B) {
	w := &world{World: storetest.NewWorld(b)}
	var err error
	if w.records, err = newRecords(w.Store); err != nil {
		b.Fatal(err)
	}
	m := &marks{phases: map[string][]time.Duration{}, done: make(chan struct{}, 1)}
	c := config(w.records, 2, accept)
	c.Metrics = m
	worker := work.New(c)
	q, err := queue.New(queue.Config{Pool: w.Pool(), Work: worker.Next, Slots: 2})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, q) }()
	var submits, whole []time.Duration
	var created []time.Time
	for b.Loop() {
		begin := time.Now()
		err := w.Tx(b.Context(), func(tx *store.Tx) error {
			if _, _, err := tx.CreateSubmission(b.Context(), w.Submission("ada", judge.PriorityPractice)); err != nil {
				return err
			}
			return w.records.queue.Insert(b.Context(), tx.Pgx(), 1)
		})
		if err != nil {
			b.Fatal(err)
		}
		created = append(created, time.Now())
		submits = append(submits, time.Since(begin))
		<-m.done
		whole = append(whole, time.Since(begin))
	}
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	var woken []time.Duration
	for i := range created {
		woken = append(woken, m.taken[i].Sub(created[i])-m.phases["take"][i])
	}
	for name, list := range map[string][]time.Duration{
		"submit": submits, "wake": woken, "take": m.phases["take"], "write": m.phases["write"], "whole": whole,
	} {
		slices.Sort(list)
		b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, "ms-"+name)
	}
}
