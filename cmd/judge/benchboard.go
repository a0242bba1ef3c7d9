package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"judge/runner/bench"
)

// benchBoardCmd measures a contest's board as its readers see it.
type benchBoardCmd struct {
	benchOptions

	Teams       int    `default:"10000" placeholder:"N" help:"Contestants (${default})."`
	Problems    int    `default:"13" placeholder:"N" help:"Problems, 1 to 26 (${default})."`
	Judgements  int    `default:"300000" placeholder:"N" help:"Submissions that are judged (${default})."`
	DatabaseURL string `placeholder:"URL" help:"An empty Postgres database, which is filled; else one of our own in a temporary folder."`
}

// Help is the long text of judge bench board --help.
func (*benchBoardCmd) Help() string {
	return `Fills a database of its own, runs judge api on it as another process, and reads its board
over HTTP: pages of 100 rows of the public and the jury's view (each from another place, while
the board changes), the whole board gzipped, both after each change made anew; and
how long after a verdict's commit a stream of events tells of it. load is the first
request, which reads everything. Memory is the API's, before that and after it all.
Run it as root, or with --database-url. --runs is how many updates and pages are measured.`
}

// What is wanted, in seconds.
const (
	wantBoardPage   = 0.020 // p50
	wantBoardWhole  = 0.300
	wantBoardUpdate = 0.200
)

// Run fills, starts and measures.
func (c *benchBoardCmd) Run(a *app) (err error) {
	if c.Teams < 1 || c.Problems < 1 || c.Problems > 26 || c.Judgements < 0 || c.Runs < 0 {
		return badInput{errors.New("--teams is at least 1, --problems 1 to 26, --judgements and --runs not negative")}
	}
	dir, err := os.MkdirTemp("", "judge-bench-board-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // the database's user has to pass
		return fmt.Errorf("make folder: %w", err)
	}
	own := *a
	own.Data, own.CacheDir = dir, filepath.Join(dir, "cache")
	for _, d := range []string{own.uploadsDir(), filepath.Join(dir, "blobs")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
	}
	db, err := own.openDatabase(c.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Migrate(a.ctx); err != nil {
		return err
	}
	b := &boardBench{cmd: c, app: &own, db: db, report: func(r bench.Report) { a.report(&r, c.JSON) }}
	if err := b.fill(a.ctx); err != nil {
		return err
	}
	if err := b.start(a.ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	return b.measure(a.ctx)
}

// measure reads the board in all ways.
func (b *boardBench) measure(ctx context.Context) error {
	before, err := b.memory()
	if err != nil {
		return err
	}
	began := time.Now()
	if _, err := b.read(ctx, b.path("public", 0, 1)); err != nil {
		return err
	}
	b.say("load", time.Since(began).Seconds(), 0, map[string]any{"teams": b.cmd.Teams, "problems": b.cmd.Problems, "judgements": b.cmd.Judgements})
	runs := b.cmd.orElse(200)
	for _, view := range []string{"public", "jury"} {
		if err := b.pages(ctx, view, runs); err != nil {
			return err
		}
		if err := b.whole(ctx, view, max(runs/20, 3)); err != nil {
			return err
		}
	}
	if err := b.updates(ctx, runs); err != nil {
		return err
	}
	after, err := b.memory()
	if err != nil {
		return err
	}
	b.say("memory", float64(after-before)/(1<<20), 0, map[string]any{"before_mib": before >> 20, "after_mib": after >> 20, "unit": "MiB"})
	return nil
}

// say reports a value; want: it is to be at most that, 0: no matter.
func (b *boardBench) say(name string, value, want float64, figures map[string]any) {
	r := bench.Report{Bench: "board", Case: name, Value: &value, Figures: figures}
	if want > 0 {
		r.Want = []float64{0, want}
	}
	b.report(r)
}

// pages reads pages of 100 rows, each of a version that nobody has read: a team's
// verdict changes before each.
func (b *boardBench) pages(ctx context.Context, view string, runs int) error {
	var took []time.Duration
	bytes := 0
	for i := range runs {
		if _, err := b.verdict(ctx); err != nil {
			return err
		}
		began := time.Now()
		n, err := b.read(ctx, b.path(view, i*97%max(b.cmd.Teams-100, 1), 100))
		if err != nil {
			return err
		}
		took, bytes = append(took, time.Since(began)), n
	}
	figures := map[string]any{"runs": runs, "bytes_gzipped": bytes}
	b.say("page-"+view+"-p50", quantile(took, 0.5), wantBoardPage, figures)
	b.say("page-"+view+"-p95", quantile(took, 0.95), 0, figures)
	return nil
}

// whole reads the whole board, the first time with all rows to be written.
func (b *boardBench) whole(ctx context.Context, view string, runs int) error {
	var took []time.Duration
	var first time.Duration
	bytes := 0
	for i := range runs + 1 {
		if _, err := b.verdict(ctx); err != nil {
			return err
		}
		began := time.Now()
		n, err := b.read(ctx, b.path(view, 0, b.cmd.Teams))
		if err != nil {
			return err
		}
		if bytes = n; i == 0 {
			first = time.Since(began)
			continue
		}
		took = append(took, time.Since(began))
	}
	figures := map[string]any{"runs": runs, "bytes_gzipped": bytes, "first_s": first.Seconds()}
	b.say("whole-"+view+"-p50", quantile(took, 0.5), wantBoardWhole, figures)
	b.say("whole-"+view+"-p95", quantile(took, 0.95), wantBoardWhole, figures)
	return nil
}
