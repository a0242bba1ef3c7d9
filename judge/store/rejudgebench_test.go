//go:build postgres

package store_test

import (
	"testing"
	"time"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// BenchmarkRejudging makes, counts, pages through and applies rejudgings of 2,000
// and of as many submissions as one may have, in a database of 100,000.
func BenchmarkRejudging(b *testing.B) {
	ctx := b.Context()
	w := storetest.NewWorld(b)
	other, _, err := w.CreateToken(ctx, judge.Token{Name: "other", Role: judge.RoleSubmitter})
	if err != nil {
		b.Fatal(err)
	}
	seed(b, w, 100_000, other.ID)
	for _, size := range []int{2000, judge.MaxRejudging} {
		var r judge.Rejudging
		clock := func(name string, want float64, do func() error) {
			b.Helper()
			start := time.Now()
			if err := do(); err != nil {
				b.Fatal(name, err)
			}
			report(b, map[string]any{"bench": "rejudging", "case": name, "submissions": r.Counts.Total, "value": round(time.Since(start).Seconds()), "want": []float64{0, want}, "unit": "s"})
		}
		// The seeded submissions are a second apart, the last of yesterday.
		query := judge.RejudgingQuery{Since: time.Now().Add(-24*time.Hour - time.Duration(size)*time.Second*96/100)}
		clock("create", 10, func() error {
			return w.Tx(ctx, func(tx *store.Tx) (err error) {
				r, err = tx.CreateRejudging(ctx, judge.RejudgingRequest{By: w.Token.ID, Reason: "bench", Query: query, Same: true})
				return err
			})
		})
		exec(b, w.Store, "UPDATE judgements SET state = 'judged', verdict = CASE WHEN hashtext(id::text) % 4 = 0 THEN 'WA' ELSE 'AC' END, judged_at = now() WHERE rejudging_id = $1", r.ID)
		clock("count", 1, func() error {
			_, err := w.Rejudging(ctx, r.ID)
			return err
		})
		clock("page of changes", 1, func() error {
			_, _, err := w.RejudgingChanges(ctx, r.ID, false, "", 200)
			return err
		})
		clock("apply", 30, func() error {
			return w.Tx(ctx, func(tx *store.Tx) error {
				_, _, err := tx.ApplyRejudging(ctx, r.ID, w.Token.ID, "bench", true)
				return err
			})
		})
	}
}
