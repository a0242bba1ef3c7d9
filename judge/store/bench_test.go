//go:build postgres

package store_test

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

var seeded = flag.Int("seeded", 0, "submissions that BenchmarkStore finds in the database")

// seed fills the database with submissions of a thousand people that are judged,
// with two runs each.
func seed(b *testing.B, w *storetest.World, n int) {
	b.Helper()
	sql := `CREATE FUNCTION v7(n bigint) RETURNS uuid LANGUAGE sql AS
			$$ SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid $$;
		INSERT INTO submissions (id, problem, version_id, language, submitter_id, token_id, priority, created_at)
			SELECT v7(i), 'aplusb', '@version', 'python3', 'p' || i % 1000, '@token', 1, now() - interval '1 day' FROM generate_series(1, @n) i;
		INSERT INTO submission_files SELECT v7(i), 0, 'a.py', 'print(1)' FROM generate_series(1, @n) i;
		INSERT INTO judgements (id, submission_id, version_id, person, priority, state, attempt, worker, started_at, judged_at, verdict)
			SELECT v7(i), v7(i), '@version', md5('p' || i % 1000)::uuid, 1, 'judged', 1, '@token', now() - interval '2 day', now() - interval '1 day', 'AC'
			FROM generate_series(1, @n) i;
		INSERT INTO runs (judgement_id, ordinal, "case", verdict, exit_code, signal, cpu_ns, wall_ns, memory_bytes)
			SELECT v7(i), o, 'secret/' || o, 'AC', 0, 0, 1, 1, 1 FROM generate_series(1, @n) i, generate_series(1, 2) o;
		INSERT INTO shares SELECT DISTINCT person, extract(epoch FROM now()) * ln(2) / 60 FROM judgements;`
	sql = strings.NewReplacer("@version", w.Version.ID, "@token", w.Token.ID, "@n", strconv.Itoa(n)).Replace(sql)
	conn, err := w.Pool().Acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Release()
	for _, text := range []string{sql, "VACUUM ANALYZE", "CHECKPOINT"} {
		if _, err := conn.Conn().PgConn().Exec(b.Context(), text).ReadAll(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStore measures what lies on a submission's way. Run it with -seeded 0
// and with -seeded 1000000: the figures are to be within 1.5 of each other.
func BenchmarkStore(b *testing.B) {
	w := storetest.NewWorld(b)
	seed(b, w, *seeded)
	id := worker(b, w.Store, 1)
	ctx := b.Context()
	submit := func(who string) error {
		return w.Tx(ctx, func(tx *store.Tx) error {
			_, _, err := tx.CreateSubmission(ctx, w.Submission(who, judge.Contest))
			return err
		})
	}
	live := func() {
		if _, err := w.Heartbeat(ctx, id); err != nil {
			b.Fatal(err)
		}
	}
	check := func(b *testing.B, err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("commit", func(b *testing.B) { // the least that anything durable costs
		for b.Loop() {
			exec(b, w.Store, "UPDATE workers SET heartbeat_at = now()")
		}
	})
	b.Run("submit", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			check(b, submit(fmt.Sprint("p", n%50)))
		}
	})
	drain(b, w, id, live)
	b.Run("take", func(b *testing.B) {
		n := 0
		for b.Loop() {
			b.StopTimer()
			n++
			live()
			check(b, submit(fmt.Sprint("p", n%50)))
			b.StartTimer()
			task := take(b, w.Store, id)
			b.StopTimer()
			finish(b, w.Store, task.Lease, judge.AC)
			b.StartTimer()
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			_, err := w.Submissions(ctx, judge.SubmissionFilter{TokenID: w.Token.ID, SubmitterID: "p7"}, "", 50)
			check(b, err)
		}
	})
	check(b, w.Tx(ctx, func(tx *store.Tx) error { return fill(ctx, tx, w, 5000, 1) }))
	check(b, w.Tx(ctx, func(tx *store.Tx) error { return fill(ctx, tx, w, 1000, 500) }))
	b.Run("take of 6000 waiting", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			live()
			b.StartTimer()
			task := take(b, w.Store, id)
			b.StopTimer()
			finish(b, w.Store, task.Lease, judge.AC)
			b.StartTimer()
		}
	})
}

func drain(b *testing.B, w *storetest.World, id string, live func()) {
	b.Helper()
	for {
		live()
		task, ok, err := w.Take(b.Context(), id)
		if err != nil {
			b.Fatal(err)
		}
		if !ok {
			return
		}
		finish(b, w.Store, task.Lease, judge.AC)
	}
}

// fill queues n submissions of some people.
func fill(ctx context.Context, tx *store.Tx, w *storetest.World, n, people int) error {
	for i := range n {
		if _, _, err := tx.CreateSubmission(ctx, w.Submission(fmt.Sprint("q", i%people), judge.Contest)); err != nil {
			return err
		}
	}
	return nil
}
