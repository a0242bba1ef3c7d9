//go:build postgres

package store_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// stored is for who tries the benchmark itself.
var stored = flag.Int("stored", 1_000_000, "submissions that BenchmarkMillion stores")

const (
	little   = 2_000 // submissions, as many as fill every page that is listed
	rounds   = 201
	maxRatio = 1.5
)

// side is one of the two databases that are compared.
type side struct {
	*storetest.World

	worker string
	other  judge.Token
	n      int
	middle string // cursor
}

func newSide(b *testing.B) *side {
	b.Helper()
	s := &side{World: storetest.NewWorld(b)}
	s.worker = worker(b, s.Store, 1)
	var err error
	if s.other, _, err = s.CreateToken(b.Context(), judge.Token{Name: "other", Role: judge.RoleSubmitter}); err != nil {
		b.Fatal(err)
	}
	return s
}

func (s *side) submit(b *testing.B) {
	b.Helper()
	s.n++
	in(b, s.Store, func(tx *store.Tx) error {
		_, _, err := tx.CreateSubmission(b.Context(), s.Submission(fmt.Sprint("p", s.n%50), judge.PriorityContest))
		return err
	})
}

func (s *side) live(b *testing.B) {
	b.Helper()
	if _, err := s.Heartbeat(b.Context(), s.worker); err != nil {
		b.Fatal(err)
	}
}

// compare takes turns between the two, so that whatever else the machine does
// counts for both, and prints the ratio of the medians. before, which may be nil,
// is not timed.
func compare(b *testing.B, empty, full *side, name string, before, op func(*side)) {
	b.Helper()
	line, ratio := measure(empty, full, before, op)
	line["bench"], line["case"], line["want"] = "store", name, []float64{0, maxRatio}
	report(b, line)
	if ratio > maxRatio {
		b.Errorf("%s: %.2f times as long with a million submissions, at most %.1f is allowed", name, ratio, maxRatio)
	}
}

func measure(empty, full *side, before, op func(*side)) (line map[string]any, ratio float64) {
	var took [2][]float64
	for round := range rounds {
		for i, s := range []*side{empty, full} {
			if before != nil {
				before(s)
			}
			start := time.Now()
			op(s)
			if round > 0 { // the first prepares statements
				took[i] = append(took[i], time.Since(start).Seconds()*1000)
			}
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	at := func(i, percent int) float64 { return took[i][len(took[i])*percent/100] }
	ratio = at(1, 50) / at(0, 50)
	return map[string]any{
		"ratio": round(ratio), "empty_p50_ms": round(at(0, 50)), "empty_p95_ms": round(at(0, 95)),
		"million_p50_ms": round(at(1, 50)), "million_p95_ms": round(at(1, 95)),
	}, ratio
}

func round(x float64) float64 { return float64(int(x*1000+0.5)) / 1000 }

func report(b *testing.B, line map[string]any) {
	b.Helper()
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkMillion holds what lies on a submission's way, and lists by every
// filter, in a database with a million submissions against one that is empty, or,
// for lists, has a page of each kind.
func BenchmarkMillion(b *testing.B) {
	ctx := b.Context()
	empty, full := newSide(b), newSide(b)
	start := time.Now()
	seed(b, full.World, *stored, full.other.ID)
	b.Logf("seeded in %v", time.Since(start).Round(time.Second))

	// The least that anything durable costs; it is the disk's and nothing is wanted of
	// it. The first round also waits for what seeding left to write.
	line, _ := measure(empty, full, nil, func(s *side) { s.live(b) })
	line["bench"], line["case"] = "store", "commit"
	report(b, line)
	compare(b, empty, full, "submit", nil, func(s *side) { s.submit(b) })
	for _, s := range []*side{empty, full} {
		drain(b, s)
	}
	tasks := map[*side]judge.Task{}
	takes := func(name string, before func(*side)) {
		compare(b, empty, full, name, func(s *side) {
			before(s)
			s.live(b)
		}, func(s *side) { tasks[s] = take(b, s.Store, s.worker) })
	}
	end := func(s *side) {
		if t, ok := tasks[s]; ok {
			finish(b, s.Store, t.Lease, judge.AC)
			delete(tasks, s)
		}
	}
	takes("take", func(s *side) {
		end(s)
		s.submit(b)
	})
	for _, s := range []*side{empty, full} {
		end(s)
	}
	compare(b, empty, full, "finish", func(s *side) {
		s.submit(b)
		s.live(b)
		tasks[s] = take(b, s.Store, s.worker)
	}, end)
	for _, s := range []*side{empty, full} {
		in(b, s.Store, func(tx *store.Tx) error { return fill(ctx, tx, s.World, 5000, 1) })
		in(b, s.Store, func(tx *store.Tx) error { return fill(ctx, tx, s.World, 1000, 500) })
	}
	takes("take of 6000 waiting", end)
	lists(b, empty, full)
}

func lists(b *testing.B, empty, full *side) {
	b.Helper()
	ctx := b.Context()
	seed(b, empty.World, little, empty.other.ID)
	since := time.Now().Add(-24*time.Hour - little*time.Second/2)
	for _, tt := range []struct {
		name string
		f    judge.SubmissionFilter
	}{
		{"all", judge.SubmissionFilter{}},
		{"problem", judge.SubmissionFilter{Problems: []string{"p3"}}},
		{"rare problem", judge.SubmissionFilter{Problems: []string{"rare"}}},
		{"two problems", judge.SubmissionFilter{Problems: []string{"p3", "rare"}}},
		{"token", judge.SubmissionFilter{TokenID: "mine"}},
		{"token with few", judge.SubmissionFilter{TokenID: "other"}},
		{"person", judge.SubmissionFilter{TokenID: "mine", SubmitterID: "who7"}},
		{"team", judge.SubmissionFilter{Team: "team7"}},
		{"small team", judge.SubmissionFilter{Team: "few"}},
		{"language", judge.SubmissionFilter{Language: "cpp"}},
		{"rare language", judge.SubmissionFilter{Language: "cobol"}},
		{"verdict", judge.SubmissionFilter{Verdict: judge.WA}},
		{"rare verdict", judge.SubmissionFilter{Verdict: judge.MLE}},
		{"queued", judge.SubmissionFilter{State: judge.Queued}},
		{"running", judge.SubmissionFilter{State: judge.Compiling}},
		{"judged", judge.SubmissionFilter{State: judge.Judged, Until: since.Add(time.Hour)}},
		{"cancelled", judge.SubmissionFilter{State: judge.Cancelled}},
		{"since", judge.SubmissionFilter{Since: since}},
		{"until", judge.SubmissionFilter{Until: since}},
		{"problem and verdict", judge.SubmissionFilter{Problems: []string{"p3"}, Verdict: judge.TLE}},
	} {
		list := func(s *side, cursor string) judge.Page {
			f := tt.f
			switch f.TokenID {
			case "mine":
				f.TokenID = s.Token.ID
			case "other":
				f.TokenID = s.other.ID
			}
			page, err := s.Submissions(ctx, f, cursor, 50)
			if err != nil {
				b.Fatal(err)
			}
			return page
		}
		first, second := list(empty, ""), list(full, "")
		if len(first.Items) != len(second.Items) {
			b.Fatalf("%s: pages of %d and %d", tt.name, len(first.Items), len(second.Items))
		}
		compare(b, empty, full, "list: "+tt.name, nil, func(s *side) { list(s, "") })
		empty.middle, full.middle = first.Next, second.Next
		if first.Next != "" && second.Next != "" && len(list(empty, first.Next).Items) == len(list(full, second.Next).Items) {
			compare(b, empty, full, "list: "+tt.name+", next page", nil, func(s *side) { list(s, s.middle) })
		}
	}
	// What no index knows, and what reads much, has a bound of its own.
	bounded(b, "list: problem and rare language", 0.3, func() error {
		_, err := full.Submissions(ctx, judge.SubmissionFilter{Problems: []string{"p3"}, Language: "cobol"}, "", 50)
		return err
	})
	bounded(b, "list: person and verdict", 0.05, func() error {
		_, err := full.Submissions(ctx, judge.SubmissionFilter{TokenID: full.Token.ID, SubmitterID: "who7", Verdict: judge.MLE}, "", 50)
		return err
	})
	bounded(b, "statistics of all", 1, func() error {
		_, err := full.Statistics(ctx, time.Time{}, judge.Scope{})
		return err
	})
}

// bounded prints the median of some calls, in seconds.
func bounded(b *testing.B, name string, most float64, op func() error) {
	b.Helper()
	var took []float64
	for range 11 {
		start := time.Now()
		if err := op(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start).Seconds())
	}
	slices.Sort(took)
	report(b, map[string]any{"bench": "store", "case": name, "value": round(took[5]), "unit": "s", "want": []float64{0, most}})
	if took[5] > most {
		b.Errorf("%s: %.3f s, at most %.1f s is allowed", name, took[5], most)
	}
}

func drain(b *testing.B, s *side) {
	b.Helper()
	for {
		s.live(b)
		task, ok, err := s.Take(b.Context(), s.worker)
		if err != nil {
			b.Fatal(err)
		}
		if !ok {
			return
		}
		finish(b, s.Store, task.Lease, judge.AC)
	}
}
