package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"judge/problems/blob"
)

// choreFlags are those of all that runs scheduled jobs.
type choreFlags struct {
	JobEvery map[string]string `placeholder:"NAME=D" help:"Run this scheduled job so often, or off; judge jobs list shows them. May be given several times."`
}

// cacheFlags are those of jobs where there is a worker.
type cacheFlags struct {
	Executables int64 `default:"10240" placeholder:"MIB" help:"MiB on disk that compiled submissions may have (${default})."`
}

// keepFlags are those of jobs where there is an API.
type keepFlags struct {
	KeepEvents      seconds `default:"168h" placeholder:"D" help:"How long readers of events can be away and miss none (${default})."`
	KeepDeliveries  seconds `default:"720h" placeholder:"D" help:"Forget what webhooks were sent, and what waits for those that are switched off, after so long (${default})."`
	KeepInspections seconds `default:"720h" placeholder:"D" help:"Forget cases that were run again for staff after so long; they can be run once more (${default})."`
	KeepOutputs     seconds `placeholder:"D" help:"Forget what runs said after so long, as in 2160h; verdicts stay. Else never."`
	KeepSubmissions seconds `placeholder:"D" help:"Forget submissions with their judgements after so long. Else never. See what it would do: judge jobs run submissions --dry-run."`
}

// intervals are those of all chores; 0: never by itself.
func (f *choreFlags) intervals() (map[string]time.Duration, error) {
	all := map[string]time.Duration{}
	for _, c := range allChores(choreParts{}) {
		all[c.name] = c.every
	}
	for name, text := range f.JobEvery {
		if _, known := all[name]; !known {
			return nil, badInput{fmt.Errorf("--job-every %s: there is no such job; there are %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))}
		}
		if text == "off" {
			all[name] = 0
			continue
		}
		d, err := parseSeconds(text)
		if err != nil {
			return nil, badInput{fmt.Errorf("--job-every %s: %w, or off", name, err)}
		}
		all[name] = d
	}
	return all, nil
}

// startAPIChores runs what belongs to processes that have an API, until stop is
// called. uploads is the folder where this process receives packages.
func (f *choreFlags) startAPIChores(ctx context.Context, keep keepFlags, r records, blobs *blob.Store, uploads *blob.Uploads, m prometheus.Registerer, log *slog.Logger) (stop func(), err error) {
	return f.startChores(ctx, choreParts{keepFlags: keep, records: r, blobs: blobs, uploads: uploads}, m, log, needsRecords)
}

// startWorkerChores runs what belongs to processes that judge, until stop is
// called.
func (f *choreFlags) startWorkerChores(ctx context.Context, caches cacheFlags, p workerParts, m prometheus.Registerer, log *slog.Logger) (stop func(), err error) {
	parts := choreParts{cacheFlags: caches, records: p.records, sandbox: p.sandbox, executables: p.executables, testdata: p.testdata}
	return f.startChores(ctx, parts, m, log, needsEngine, needsCaches)
}

func (f *choreFlags) startChores(ctx context.Context, p choreParts, m prometheus.Registerer, log *slog.Logger, needs ...choreNeeds) (stop func(), err error) {
	every, err := f.intervals()
	if err != nil {
		return nil, err
	}
	meter, err := newChoreMeter(m)
	if err != nil {
		return nil, err
	}
	chores := slices.DeleteFunc(allChores(p), func(c chore) bool { return !slices.Contains(needs, c.needs) })
	return (&scheduler{locks: p.records, meter: meter, log: log}).start(ctx, chores, every)
}
