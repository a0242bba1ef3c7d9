package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"judge/judge"
	"judge/runner/bench"
)

// benchSubmitCmd measures the service as its clients see it.
type benchSubmitCmd struct {
	serverFlags
	databaseFlags
	benchOptions
}

// Help is the long text of judge bench submit --help.
func (*benchSubmitCmd) Help() string {
	return `To be run as root on the machine of a judge serve that does nothing else. Imports
the problem ` + benchProblem + ` (A+B, three cases) and submits to it over HTTP, in Python and C++:
the same source each time (its executable is cached), and another each time.

p50 and p95 are seconds from POST ?wait to the final verdict, one submission after
the other; rate is submissions a second with more of them waiting than there
are slots. commit is what Postgres takes for one small transaction, measured in
between, so under the same conditions: no submission can be faster than some of them.`
}

const (
	benchProblem = "bench-aplusb"
	benchPeople  = 40 // submissions of one person, below the usual limit per minute
	benchRuns    = 60
)

// benchKind is one way to submit A+B.
type benchKind struct {
	name, file, source string
	comment            string  // begins one in the language
	fresh              bool    // another source each time
	most               float64 // seconds that p50 and p95 may take; 0: no matter
	share              int     // of the usual runs, one in so many
}

const (
	benchPython = "a, b = map(int, input().split())\nprint(a + b)\n"
	benchCPP    = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n"
)

var benchKinds = []benchKind{
	{name: "python", file: "sum.py", source: benchPython, comment: "#", most: 0.060, share: 1},
	{name: "cpp", file: "sum.cpp", source: benchCPP, comment: "//", most: 0.040, share: 1},
	{name: "python-fresh", file: "sum.py", source: benchPython, comment: "#", fresh: true, share: 1},
	{name: "cpp-fresh", file: "sum.cpp", source: benchCPP, comment: "//", fresh: true, share: 4},
}

// benchLoad submits.
type benchLoad struct {
	client *client
	commit *commits
	id     string // of this bench: its sources are of no other
	slots  int    // of all active workers
	posted int
}

// Run measures all kinds.
func (c *benchSubmitCmd) Run(a *app) (err error) {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return fmt.Errorf("make id: %w", err)
	}
	b := &benchLoad{client: cl, id: id.String()}
	if err := b.prepare(a.ctx); err != nil {
		return err
	}
	if _, err := os.Stat(a.postgresDir()); c.DatabaseURL == "" && err != nil {
		return badInput{fmt.Errorf("--database-url: the time of a commit is measured too, and the server's database is not below %s: %w", a.Data, err)}
	}
	if b.commit, err = a.openCommits(c.DatabaseURL); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.commit.close(a.ctx)) }()
	for _, kind := range benchKinds {
		if err := b.measure(a, c, kind); err != nil {
			return err
		}
	}
	return nil
}

// prepare imports the problem and counts the slots.
func (b *benchLoad) prepare(ctx context.Context) error {
	pack, err := benchPackage()
	if err != nil {
		return err
	}
	r := apiCall{
		method: http.MethodPost, path: "problems", query: url.Values{"name": {benchProblem}, "publish": {"now"}, "reason": {"judge bench submit"}},
		header: http.Header{"Content-Type": {"application/zip"}}, length: int64(len(pack)),
		body: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(pack)), nil },
	}
	if _, err := b.client.do(ctx, r, nil); err != nil {
		return fmt.Errorf("import %s: %w", benchProblem, err)
	}
	err = listAll(ctx, b.client, "workers", func(w workerInfo) error {
		if w.State == judge.WorkerActive {
			b.slots += w.Slots
		}
		return nil
	})
	if err == nil && b.slots == 0 {
		err = errors.New("no worker is active; judge serve runs one, judge worker too")
	}
	return err
}

// benchPackage is A+B with three cases, as a zip.
func benchPackage() ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range [][2]string{
		{"problem.yaml", "problem_format_version: legacy\nname: A + B (bench)\nlimits:\n  memory: 256\n"},
		{".timelimit", "1\n"},
		{"data/sample/1.in", "1 2\n"},
		{"data/sample/1.ans", "3\n"},
		{"data/secret/1.in", "-5 5\n"},
		{"data/secret/1.ans", "0\n"},
		{"data/secret/2.in", "1000000000 2000000000\n"},
		{"data/secret/2.ans", "3000000000\n"},
	} {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			return nil, fmt.Errorf("make package: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("make package: %w", err)
	}
	return out.Bytes(), nil
}

// submission is the nth of this bench.
func (b *benchLoad) submission(kind benchKind, n int) newSubmission {
	source := kind.source
	if kind.fresh {
		source += fmt.Sprintf("%s %s %d\n", kind.comment, b.id, n)
	}
	return newSubmission{
		Problem: benchProblem, Files: []newFile{{kind.file, []byte(source)}},
		Submitter: &submitterInfo{ID: "bench " + strconv.Itoa(n/benchPeople) + " of " + b.id},
	}
}

// submit hands one in and waits for its verdict, which is AC.
func (b *benchLoad) submit(ctx context.Context, kind benchKind, n int) error {
	r, err := apiCall{
		method: http.MethodPost, path: "submissions", query: url.Values{"wait": {"60s"}},
		header: http.Header{"Idempotency-Key": {b.id + "-" + strconv.Itoa(n)}},
	}.withJSON(b.submission(kind, n))
	if err != nil {
		return err
	}
	var got submissionInfo
	if _, err := b.client.do(ctx, r, &got); err != nil {
		return err
	}
	if j := got.Judgement.Judgement(); j.Verdict != judge.AC || len(j.Runs) != 3 {
		return fmt.Errorf("submission %s in %s: %s %s after %d runs, where 3 that are accepted belong", got.ID, kind.name, j.State, orDash(j.Verdict), len(j.Runs))
	}
	return nil
}

func (b *benchLoad) measure(a *app, c *benchSubmitCmd, kind benchKind) error {
	runs := max(c.orElse(benchRuns)/kind.share, 1)
	idle, err := b.idle(a.ctx, kind, runs)
	if err != nil {
		return err
	}
	commits := b.commit.take()
	for _, p := range []struct {
		name string
		q    float64
	}{{"p50", 0.5}, {"p95", 0.95}} {
		value := quantile(idle, p.q)
		r := &bench.Report{Bench: "submit", Case: kind.name + "-" + p.name, Value: &value, Figures: map[string]any{
			"runs": runs, "commit_p50_s": quantile(commits, 0.5), "commit_p95_s": quantile(commits, 0.95),
		}}
		if kind.most > 0 {
			r.Want = []float64{0, kind.most}
		}
		a.report(r, c.JSON)
	}
	runs = max(4*runs, 4*b.slots)
	took, err := b.busy(a.ctx, kind, runs)
	if err != nil {
		return err
	}
	value := float64(runs) / took.Seconds()
	a.report(&bench.Report{Bench: "submit", Case: kind.name + "-rate", Value: &value, Figures: map[string]any{
		"submissions": runs, "slots": b.slots, "makespan_s": took.Seconds(),
	}}, c.JSON)
	return nil
}

// quantile of durations in seconds, rounded to 10 µs. It sorts them.
func quantile(all []time.Duration, q float64) float64 {
	slices.Sort(all)
	return all[min(len(all)-1, int(q*float64(len(all))))].Round(10 * time.Microsecond).Seconds()
}
