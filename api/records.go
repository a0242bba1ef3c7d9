package api

import (
	"context"
	"time"

	"judge/judge"
)

// Records keep what is kept: *store.Store and the queue behind one interface.
// Methods mean what they mean there; errors wrap those of judge/errors.go.
type Records interface {
	Reads

	// Tx runs fn in a transaction, which is committed when fn returns nil. Inside,
	// only the Tx is to be used.
	Tx(ctx context.Context, fn func(Tx) error) error
	Listen(ctx context.Context, wake func()) error
	// Version is the schema's version; Check says whether this build may work on it.
	Version(ctx context.Context) (int64, error)
	Check(ctx context.Context) error
	// Lock takes a lock that is known by name to all processes, alone or shared.
	Lock(ctx context.Context, name string, shared bool) (release func(), err error)
}

// Reads are what reads, in a transaction or not.
type Reads interface {
	BoardReads

	Authenticate(ctx context.Context, secret string) (judge.Token, error)
	Tokens(ctx context.Context) ([]judge.Token, error)
	AuditLog(ctx context.Context, object string, limit int) ([]judge.AuditEntry, error)

	Problem(ctx context.Context, name string) (judge.ProblemInfo, error)
	Problems(ctx context.Context, after string, limit int) ([]judge.ProblemInfo, error)
	ProblemVersion(ctx context.Context, id string) (judge.ProblemVersion, error)
	PublishedVersion(ctx context.Context, problem string) (judge.ProblemVersion, error)
	// VersionInfo and PublishedInfo leave manifest and blobs out.
	VersionInfo(ctx context.Context, id string) (judge.ProblemVersion, error)
	PublishedInfo(ctx context.Context, problem string) (judge.ProblemVersion, error)
	Versions(ctx context.Context, problem string) ([]judge.ProblemVersion, error)
	Verification(ctx context.Context, version string) (judge.Verification, error)
	VerificationStep(ctx context.Context, version string) (id string, step int64, err error)

	Submission(ctx context.Context, id string) (judge.Submission, error)
	Submissions(ctx context.Context, f judge.SubmissionFilter, cursor string, limit int) (judge.Page, error)
	Judgement(ctx context.Context, id string) (judge.Judgement, error)
	Judgements(ctx context.Context, submission string) ([]judge.Judgement, error)
	Runs(ctx context.Context, judgement string) ([]judge.Run, error)
	Place(ctx context.Context, judgement string) (judge.Place, error)
	Load(ctx context.Context) (judge.Load, error)
	Workers(ctx context.Context) ([]judge.Worker, error)
	RunOutput(ctx context.Context, judgement string, ordinal int) (judge.RunOutput, error)
	Inspection(ctx context.Context, id string) (judge.Inspection, error)
	Statistics(ctx context.Context, since time.Time, of judge.Scope) (judge.Statistics, error)

	Webhook(ctx context.Context, id string) (judge.Webhook, error)
	Webhooks(ctx context.Context) ([]judge.Webhook, error)
	Delivery(ctx context.Context, id string) (judge.Delivery, error)
	Deliveries(ctx context.Context, webhook string, state judge.DeliveryState, before string, limit int) ([]judge.Delivery, error)
	DeliveryTries(ctx context.Context, delivery string) ([]judge.DeliveryTry, error)

	ContestReads

	RejudgingReads

	Now(ctx context.Context) (string, error)
	Beginning(ctx context.Context) (string, error)
	Events(ctx context.Context, after string, f judge.EventFilter, limit int) (judge.Events, error)
}

// Tx is a transaction, for one goroutine.
type Tx interface {
	Reads
	RejudgingWrites

	// Enqueue says that there are n more judgements to take, once this commits.
	Enqueue(ctx context.Context, n int) error
	Audit(ctx context.Context, e judge.AuditEntry) error
	Claim(ctx context.Context, token, key string, bodyHash []byte) (*judge.Answer, error)
	Answer(ctx context.Context, token, key string, a judge.Answer) error

	CreateToken(ctx context.Context, t judge.Token) (token judge.Token, secret string, err error)
	RevokeToken(ctx context.Context, id string) error

	CreateSubmission(ctx context.Context, s judge.Submission) (judge.Submission, judge.Judgement, error)
	Cancel(ctx context.Context, judgement string) error
	SetReview(ctx context.Context, judgement string, r judge.Review) error
	CreateInspection(ctx context.Context, judgement string, ordinal int, by string) (judge.Inspection, error)

	ContestWrites

	EnableProblem(ctx context.Context, problem string, enabled bool) error
	CreateVersion(ctx context.Context, v judge.ProblemVersion) (judge.ProblemVersion, error)
	SetVersionState(ctx context.Context, id string, to judge.VersionState) error
	SetSettings(ctx context.Context, id string, s judge.Settings) error
	CreateVerification(ctx context.Context, v judge.Verification) (judge.Verification, error)
	PutBlob(ctx context.Context, b judge.StoredBlob) (isNew bool, err error)
	SetWorkerState(ctx context.Context, id string, state judge.WorkerState) error

	CreateWebhook(ctx context.Context, w judge.Webhook) (judge.Webhook, error)
	ChangeWebhook(ctx context.Context, w judge.Webhook) error
	DeleteWebhook(ctx context.Context, id string) error
	Ping(ctx context.Context, webhook string) (judge.Delivery, error)
	Redeliver(ctx context.Context, delivery string) (judge.Delivery, error)
}

// Languages are the languages that submissions may be written in.
type Languages interface {
	// Detect finds the language of files, by id if that is not empty. Errors that
	// wrap judge.ErrSource say what the submitter can mend.
	Detect(files []judge.File, prefer map[string]string, id string) (*judge.Language, error)
	All() []*judge.Language
}

// Limits bound what is asked of a server. Zero fields take the default that is
// beside them.
type Limits struct {
	Requests    Rate // of one token: 6000 in a minute
	Writes      Rate // requests that change something, submissions not counted: 600 in a minute
	Submissions Rate // of one token, each of a batch counts: 6000 in a minute
	Person      Rate // submissions of one person of a token: 60 in a minute
	Uploads     Rate // of packages, of one token: 120 in a minute
	Failures    Rate // of one address to show a token that is none: 30 in a minute

	Waiters         int // requests that wait for a verdict at once: 10000
	WaitersPerToken int // 1000
	Streams         int // event streams at once: 10000
	StreamsPerToken int // 100

	Body       int64         // bytes of a request's body, where the route says nothing else: 1 MiB
	Submission int64         // bytes of a submission's request: 8 MiB
	Batch      int64         // bytes of a batch's request: 64 MiB
	Upload     int64         // bytes of a package: 2 GiB
	Wait       time.Duration // longest ?wait: 60 s

	Package PackageLimits
}

// PackageLimits are the ceilings for what a problem's package asks for; only an
// admin may go beyond them. Zero fields take the default that is beside them.
type PackageLimits struct {
	CPU      time.Duration // of a run: 60 s
	Memory   int64         // bytes of a run: 4 GiB
	Output   int64         // bytes of a run: 256 MiB
	Code     int64         // bytes: 1 MiB
	Cases    int           // 1000
	Judging  time.Duration // cases times wall limit: 2 h
	Helper   time.Duration // CPU time of compiling, and of validating one run: 5 min
	Unpacked int64         // bytes of all files: 8 GiB
}

// Rate is so many in so much time, all of which may come at once.
type Rate struct {
	Count int
	Per   time.Duration
}
