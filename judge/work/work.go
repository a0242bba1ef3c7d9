// Package work is responsible for a worker's loop: it takes the next judgement
// when it is woken, has it judged, and writes what comes of it, while it says by
// heartbeats that it lives and hears by them what it is meant to do.
//
// It decides neither what is judged next (the store does) nor how (the grader
// does), and knows both only by interfaces.
//
// Theory of operation. A lease (judgement, attempt, worker) is a worker's right to
// write one judgement. Every write carries it, so whoever has lost a lease can do
// no harm by not knowing yet; all else here is about losing no time and no work:
//
//   - A lease ends when the judgement is cancelled, or when the worker was not heard
//     of for so long that it counts as dead. Both are learned by the next write, and
//     by the heartbeat where a run takes long; then judging ends at once.
//   - While the database is away, judging goes on and writes are tried again. For how
//     long a lease is ours nobody can know before it is back: the first thing then is
//     to ask. A database that was away is never a reason for JE.
//   - A transaction whose answer was lost may have taken a judgement that nobody here
//     knows of. Leases that are ours in two heartbeats and are not being judged are
//     handed back.
//   - A fault of ours hands the judgement back, after a delay that grows, so that
//     others get it and no slot is blocked; what failed MaxAttempts times is JE. Where
//     this worker cannot judge at all it stops taking until it can, and that is
//     nobody's attempt.
package work

import (
	"context"
	"log/slog"
	"time"

	"judge/judge"
)

// What a worker goes by.
const (
	// HeartbeatEvery is the time between two heartbeats: several fit into what a
	// worker may be silent for.
	HeartbeatEvery = 2 * time.Second
	// MaxAttempts is how often a judgement is tried that fails for a reason of ours.
	MaxAttempts = 10
	// MaxDeaths is how many workers may die while they judge the same.
	MaxDeaths = 3
)

// Records are what a worker reads and writes. Errors wrap those of
// judge/errors.go.
type Records interface {
	Heartbeat(ctx context.Context, worker string) (judge.WorkerState, error)
	// Leases lists what a worker has under way, as the records have it.
	Leases(ctx context.Context, worker string) ([]judge.Lease, error)
	Take(ctx context.Context, worker string) (judge.Task, bool, error)
	TakeVerification(ctx context.Context, worker string) (judge.VerificationTask, bool, error)
	// Tx runs fn in a transaction, which is committed when fn returns nil.
	Tx(ctx context.Context, fn func(Tx) error) error
}

// Tx is a transaction of Records.
type Tx interface {
	Register(ctx context.Context, w judge.Worker) (requeued int, err error)
	SetWorkerState(ctx context.Context, worker string, state judge.WorkerState) error
	Progress(ctx context.Context, l judge.Lease, state judge.State, compile *judge.Compilation, runs []judge.Run) error
	Finish(ctx context.Context, l judge.Lease, j *judge.Judgement) error
	HandBack(ctx context.Context, l judge.Lease, after time.Duration) error
	RequeueDead(ctx context.Context, maxDeaths int) (requeued int, err error)
	VerificationProgress(ctx context.Context, l judge.VerificationLease, done, total int, doing string) error
	FinishVerification(ctx context.Context, l judge.VerificationLease, found judge.Verified) error
	FailVerification(ctx context.Context, l judge.VerificationLease, fault string) error
	HandBackVerification(ctx context.Context, l judge.VerificationLease, after time.Duration) error
	RequeueVerifications(ctx context.Context, anew string, maxDeaths int) (requeued int, err error)
	Load(ctx context.Context) (judge.Load, error)
	// Enqueue inserts jobs for n judgements that are ready, Refill those that are
	// missing where so many wait.
	Enqueue(ctx context.Context, n int) error
	Refill(ctx context.Context, waiting int) (inserted int, err error)
}

// Spare calls f while a slot is idle, one at a time.
type Spare func(ctx context.Context, f func(context.Context) error) error

// Queue wakes a worker: while it is started it calls Worker.Next for each job,
// in as many goroutines as there are slots.
type Queue interface {
	// Start may be called again after Stop. ctx does not end what was started.
	Start(ctx context.Context) error
	// Stop has no more jobs fetched and waits for those that run.
	Stop(ctx context.Context) error
}

// Progress tells how a judgement goes. Of Compile and Run at most one is set.
type Progress struct {
	State   judge.State // Compiling or Running
	Compile *judge.Compilation
	Run     *judge.Run
}

// Config is what a Worker works with. Worker, Records, Judge and Unavailable are
// required.
type Config struct {
	Worker  judge.Worker // ID, Name, Slots and Build
	Records Records

	// Judge judges a task. on is told of each step by one goroutine at a time, and
	// does not wait. The error wraps judge.ErrSource where the submitter can mend
	// it; Hopeless tells errors that another try would not mend; all others are
	// faults of ours that may pass.
	Judge    func(ctx context.Context, t judge.Task, on func(Progress)) (judge.Judgement, error)
	Hopeless func(error) bool // nil: none is

	// Verify verifies a version. It judges by spare only, which waits until a slot is
	// idle, and calls f again when the slot was taken back in between. on is told of
	// each step and does not wait. Errors are as those of Judge. nil: this worker
	// verifies nothing.
	Verify func(ctx context.Context, t judge.VerificationTask, spare Spare, on func(done, total int, doing string)) (judge.Verified, error)

	// Ready says why this worker may or can judge nothing at all, if so. It is asked
	// when a judgement failed, and from time to time. nil: it always can.
	Ready func(ctx context.Context) error

	// Unavailable tells errors of Records that pass by themselves.
	Unavailable func(error) bool

	Grace   time.Duration // for what runs when the worker is to end; then it is handed back
	Metrics Metrics       // nil: none
	Log     *slog.Logger  // nil: none
}

// Metrics hear of what a worker does. Their methods are called by many
// goroutines.
type Metrics interface {
	Taken()
	Judged(v judge.Verdict)
	HandedBack(fault bool) // false: the worker is ending
	Lost()                 // cancelled, or given to another worker
	// Phase is the time that a part of a judgement took: take, compile, run, write.
	Phase(name string, took time.Duration)
}
