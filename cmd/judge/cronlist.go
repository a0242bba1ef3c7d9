package main

import (
	"context"
	"errors"
	"time"

	"judge/judge/grader"
	"judge/judge/work"
	"judge/problems/blob"
	"judge/runner/docker"
)

const (
	// abandoned is after how long nobody comes back to what was begun: an upload, a
	// blob that no problem refers to, a request that might be repeated.
	abandoned = 24 * time.Hour
	// batch is how much is removed in one transaction.
	batch = 1000
)

// choreParts are what chores work on; each needs some of them (choreNeeds).
type choreParts struct {
	cacheFlags
	keepFlags

	records records
	blobs   *blob.Store
	uploads *blob.Uploads

	sandbox     *docker.Sandbox
	executables *grader.Cache
	testdata    *blob.Cache
}

// allChores lists the chores, to be done on p.
func allChores(p choreParts) []chore {
	return []chore{
		{"boxes", "Containers, sockets and cgroups that killed workers left.", 10 * time.Minute, perNode, needsEngine, true, p.sweepBoxes},
		{"executables", "The compile cache over its budget (--executables).", 10 * time.Minute, perNode, needsCaches, true, p.evictExecutables},
		{"testdata", "The cache of test data over its budget (--testdata).", 10 * time.Minute, perNode, needsCaches, true, p.trimTestdata},
		{"uploads", "Uploads that were begun a day ago and abandoned.", time.Hour, perNode, needsRecords, true, p.sweepUploads},
		{"blobs", "Test data that no problem refers to, a day after.", 6 * time.Hour, perCluster, needsRecords, false, p.collectBlobs},
		{"dead-workers", "Judgements of dead workers are queued again.", 15 * time.Second, perCluster, needsRecords, false, p.requeueDead},
		{"queue", "Waiting judgements get the jobs that they lack.", time.Minute, perCluster, needsRecords, false, p.refillQueue},
		{"keys", "Idempotency keys after a day.", time.Hour, perCluster, needsRecords, true, p.pruneKeys},
		{"events", "Events after --keep-events.", 10 * time.Minute, perCluster, needsRecords, true, p.pruneEvents},
		{"webhooks", "Webhooks get the jobs that they lack, or end with their tokens.", 5 * time.Second, perCluster, needsRecords, false, p.wakeSenders},
		{"deliveries", "Deliveries of webhooks after --keep-deliveries.", time.Hour, perCluster, needsRecords, false, p.pruneDeliveries},
		{"rejudgings", "Rejudgings are applied by themselves where so wanted, and cancelled after seven days.", 5 * time.Second, perCluster, needsRecords, false, p.endRejudgings},
		{"inspections", "Cases run again for staff, after --keep-inspections.", time.Hour, perCluster, needsRecords, false, p.pruneInspections},
		{"outputs", "What runs said, after --keep-outputs (else never).", time.Hour, perCluster, needsRecords, false, p.pruneOutputs},
		{"submissions", "Submissions with their judgements, after --keep-submissions (else never).", time.Hour, perCluster, needsRecords, false, p.pruneSubmissions},
	}
}

func (p choreParts) sweepBoxes(ctx context.Context, _ bool) (int, error) {
	return 0, p.sandbox.Sweep(ctx) // which logs what it finds
}

func (p choreParts) evictExecutables(context.Context, bool) (int, error) {
	out, err := p.executables.Evict(p.Executables << 20)
	return out.Entries, err
}

func (p choreParts) trimTestdata(context.Context, bool) (int, error) {
	_, err := p.testdata.Trim()
	return 0, err
}

func (p choreParts) sweepUploads(ctx context.Context, _ bool) (int, error) {
	n, err := p.uploads.Sweep(time.Now().Add(-abandoned))
	if err != nil {
		return n, err
	}
	halves, err := p.blobs.Sweep(ctx, time.Now().Add(-abandoned))
	return n + halves, err
}

// requeueDead is work.Rescue's first half: workers do it by themselves, but there
// may be none left, and then what they had is not under way any more.
func (p choreParts) requeueDead(ctx context.Context, dry bool) (n int, err error) {
	err = p.change(ctx, dry, func(tx recordsTx) error {
		if n, err = tx.RequeueDead(ctx, work.MaxDeaths); err != nil {
			return err
		}
		return tx.Enqueue(ctx, n)
	})
	return n, err
}

// refillQueue is its second half.
func (p choreParts) refillQueue(ctx context.Context, dry bool) (n int, err error) {
	err = p.change(ctx, dry, func(tx recordsTx) error {
		load, err := tx.Load(ctx)
		if err != nil {
			return err
		}
		n, err = tx.Refill(ctx, load.Ready+load.Delayed)
		return err
	})
	return n, err
}

// errDry rolls a transaction back whose effects were only to be counted.
var errDry = errors.New("dry run")

func (p choreParts) change(ctx context.Context, dry bool, f func(tx recordsTx) error) error {
	err := p.records.tx(ctx, func(tx recordsTx) error {
		if err := f(tx); err != nil || !dry {
			return err
		}
		return errDry
	})
	if errors.Is(err, errDry) {
		return nil
	}
	return err
}

func (p choreParts) pruneKeys(ctx context.Context, _ bool) (int, error) {
	return p.records.PruneKeys(ctx, abandoned)
}

func (p choreParts) pruneEvents(ctx context.Context, _ bool) (int, error) {
	return inBatches(func() (int, error) { return p.records.PruneEvents(ctx, time.Duration(p.KeepEvents), batch) })
}

func (p choreParts) pruneInspections(ctx context.Context, dry bool) (int, error) {
	return p.prune(ctx, p.KeepInspections, dry, p.records.PruneInspections)
}

func (p choreParts) pruneOutputs(ctx context.Context, dry bool) (int, error) {
	return p.prune(ctx, p.KeepOutputs, dry, p.records.PruneOutputs)
}

func (p choreParts) pruneSubmissions(ctx context.Context, dry bool) (int, error) {
	return p.prune(ctx, p.KeepSubmissions, dry, p.records.PruneSubmissions)
}

// maxCount is how much a dry run counts at most.
const maxCount = 10_000_000

func (p choreParts) prune(ctx context.Context, keep seconds, dry bool, f func(context.Context, time.Duration, int, bool) (int, error)) (int, error) {
	switch {
	case keep <= 0: // no policy
		return 0, nil
	case dry:
		return f(ctx, time.Duration(keep), maxCount, true)
	}
	return inBatches(func() (int, error) { return f(ctx, time.Duration(keep), batch, false) })
}

// inBatches calls f until it does less than a batch.
func inBatches(f func() (int, error)) (done int, err error) {
	for {
		n, err := f()
		done += n
		if err != nil || n < batch {
			return done, err
		}
	}
}
