//go:build postgres

package store_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"judge/judge"
	"judge/judge/store"
	"judge/judge/store/storetest"
)

// rare is how many of the seeded submissions have what few have.
const rare = 100

// seeding fills the database with submissions of people who have 200 each, on ten
// problems and a rare one, in two languages and a rare one, judged and of all
// verdicts, one of them rare, some cancelled. One a second, the last yesterday.
const seeding = `SET session_replication_role = replica;
INSERT INTO problems (name) SELECT 'p' || i FROM generate_series(0, 9) i UNION ALL SELECT 'rare';
CREATE TEMPORARY TABLE seed AS SELECT i, i % (@n / @rare) AS r, (lpad(to_hex(ms), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid AS id,
		to_timestamp(ms / 1000.0) AS at, 'who' || i % (@n / 200) AS who
	FROM (SELECT i, (extract(epoch FROM now()) * 1000)::bigint - 86400000 - (@n - i) * 1000 AS ms FROM generate_series(1, @n) i) t;
ALTER TABLE seed ADD COLUMN verdict text;
UPDATE seed SET verdict = CASE WHEN r = 1 THEN 'MLE' ELSE (ARRAY['AC','WA','AC','TLE','AC','RE','WA','AC','CE','AC'])[1 + i * 7 / 3 % 10] END;
INSERT INTO submissions (id, problem, version_id, language, submitter_id, submitter_team, token_id, priority, created_at, newest, outcome)
	SELECT id, CASE r WHEN 2 THEN 'rare' ELSE 'p' || i % 10 END, '@version', CASE WHEN r = 3 THEN 'cobol' WHEN i % 3 = 0 THEN 'cpp' ELSE 'python3' END,
		who, CASE r WHEN 4 THEN 'few' ELSE 'team' || i % 20 END, CASE r WHEN 6 THEN '@other' ELSE '@token' END::uuid, 1, at, id,
		CASE r WHEN 5 THEN 'cancelled' ELSE verdict END FROM seed;
INSERT INTO submission_files SELECT id, 0, 'a.py', 'print(1)' FROM seed;
INSERT INTO judgements (id, submission_id, version_id, person, priority, state, attempt, worker, created_at, started_at, judged_at, verdict)
	SELECT id, id, '@version', md5(who)::uuid, 1, CASE r WHEN 5 THEN 'cancelled' ELSE 'judged' END, 1, '@token', at, at, at, CASE r WHEN 5 THEN '' ELSE verdict END
	FROM seed;
INSERT INTO runs (judgement_id, ordinal, "case", verdict, exit_code, signal, cpu_ns, wall_ns, memory_bytes)
	SELECT id, o, 'secret/' || o, verdict, 0, 0, 1, 1, 1 FROM seed, generate_series(1, 2) o;
INSERT INTO run_outputs SELECT id, 1, '3', '', 1, 0, '', '', '' FROM seed;
INSERT INTO events (type, submission_id, judgement_id, attempt, ordinal, problem, token_id, submitter_id, at)
	SELECT 'judgement.judged', id, id, 1, 0, 'p' || i % 10, '@token', who, at FROM seed;
INSERT INTO shares SELECT DISTINCT person, extract(epoch FROM now()) * ln(2) / 60 FROM judgements ON CONFLICT DO NOTHING;
DROP TABLE seed;
RESET session_replication_role;`

// seed stores n submissions, of which other's token has some.
func seed(tb testing.TB, w *storetest.World, n int, other string) {
	tb.Helper()
	sql := strings.NewReplacer("@version", w.Version.ID, "@token", w.Token.ID, "@other", other,
		"@n", strconv.Itoa(n), "@rare", strconv.Itoa(rare)).Replace(seeding)
	conn, err := w.Pool().Acquire(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Release()
	for _, text := range []string{sql, "VACUUM ANALYZE", "CHECKPOINT"} {
		if _, err := conn.Conn().PgConn().Exec(tb.Context(), text).ReadAll(); err != nil {
			tb.Fatal(err)
		}
	}
}

// fill queues n submissions of some people.
func fill(ctx context.Context, tx *store.Tx, w *storetest.World, n, people int) error {
	for i := range n {
		if _, _, err := tx.CreateSubmission(ctx, w.Submission(fmt.Sprint("q", i%people), judge.PriorityContest)); err != nil {
			return err
		}
	}
	return nil
}
