package api_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"judge/api"
	"judge/images"
	"judge/judge"
	"judge/judge/language"
)

// Two problems, and ids of what belongs to the first.
const (
	mine, theirs = "mine", "theirs"
	subID        = "0195f1a2-0000-7000-8000-000000000001"
	judgementID  = "0195f1a2-0000-7000-8000-000000000002"
	inspectionID = "0195f1a2-0000-7000-8000-000000000003"
	versionID    = "0195f1a2-0000-7000-8000-000000000004"
	ownerID      = "0195f1a2-0000-7000-8000-000000000005"
	workerID     = "0195f1a2-0000-7000-8000-000000000006"
)

var created = time.Date(2026, 3, 1, 12, 4, 5, 6_000_000, time.UTC)

// fakeRecords hold just enough to ask who may do what; whatever a test has no use
// for panics. What is written is accepted and forgotten.
type fakeRecords struct {
	api.Records
	rejudgeFake

	tokens   map[string]judge.Token
	disabled bool // problem mine
	feedback judge.Feedback
	state    judge.State
	failing  error // of Authenticate
}

func newFake() *fakeRecords {
	in := func(problem string) judge.Scope { return judge.Scope{Problems: []string{problem}} }
	return &fakeRecords{rejudgeFake: rejudgeFake{chosen: 2}, feedback: judge.FeedbackCases, state: judge.Judged, tokens: map[string]judge.Token{
		"admin":    {ID: "1", Role: judge.RoleAdmin},
		"staff":    {ID: "2", Role: judge.RoleInstructor, Scope: judge.Scope{Problems: []string{mine}, Contests: []string{cup}}},
		"stranger": {ID: "3", Role: judge.RoleInstructor, Scope: in(theirs)},
		"owner":    {ID: ownerID, Role: judge.RoleSubmitter},
		"other":    {ID: "5", Role: judge.RoleSubmitter, Scope: in(theirs)},
		"viewer":   {ID: "6", Role: judge.RoleViewer, Scope: judge.Scope{Problems: []string{mine}, Contests: []string{cup}}},
		"outsider": {ID: "7", Role: judge.RoleViewer, Scope: in(theirs)},
		"watcher":  {ID: "8", Role: judge.RoleViewer},
	}}
}

func (f *fakeRecords) Authenticate(_ context.Context, secret string) (judge.Token, error) {
	if t, ok := f.tokens[secret]; ok || f.failing != nil {
		return t, f.failing
	}
	return judge.Token{}, judge.ErrNotFound
}

func (f *fakeRecords) Tx(_ context.Context, fn func(api.Tx) error) error {
	return fn(fakeTx{fakeRecords: f})
}

func (f *fakeRecords) Tokens(context.Context) ([]judge.Token, error) { return nil, nil }

func (f *fakeRecords) AuditLog(context.Context, string, int) ([]judge.AuditEntry, error) {
	return nil, nil
}
func (f *fakeRecords) Check(context.Context) error            { return nil }
func (f *fakeRecords) Version(context.Context) (int64, error) { return 5, nil }
func (f *fakeRecords) Load(context.Context) (judge.Load, error) {
	return judge.Load{Ready: 1, Running: 2}, nil
}

func (f *fakeRecords) Problem(_ context.Context, name string) (judge.ProblemInfo, error) {
	if name != mine && name != theirs {
		return judge.ProblemInfo{}, judge.ErrNotFound
	}
	return judge.ProblemInfo{Name: name, Enabled: name != mine || !f.disabled, CreatedAt: created, Published: 1, PublishedID: versionID}, nil
}

func (f *fakeRecords) version() judge.ProblemVersion {
	return judge.ProblemVersion{ID: versionID, Problem: mine, Number: 1, State: judge.Published, Digest: "d1", Settings: judge.Settings{Feedback: f.feedback}, CreatedAt: created}
}

func (f *fakeRecords) VersionInfo(context.Context, string) (judge.ProblemVersion, error) {
	return f.version(), nil
}

func (f *fakeRecords) PublishedInfo(context.Context, string) (judge.ProblemVersion, error) {
	return f.version(), nil
}

func (f *fakeRecords) Submission(_ context.Context, id string) (judge.Submission, error) {
	if id != subID {
		return judge.Submission{}, judge.ErrNotFound
	}
	return judge.Submission{
		ID: subID, Problem: mine, VersionID: versionID, Language: "python3", TokenID: ownerID, Priority: judge.PriorityPractice, CreatedAt: created,
		Submitter: judge.Submitter{ID: "ada"}, Files: []judge.File{{Name: "a.py", Data: []byte("print(1)\n")}, {Name: "b.py", Data: []byte{0xff}}},
	}, nil
}

func (f *fakeRecords) Submissions(_ context.Context, filter judge.SubmissionFilter, cursor string, limit int) (judge.Page, error) {
	sub, _ := f.Submission(context.Background(), subID)
	j, _ := f.Judgement(context.Background(), judgementID)
	page := judge.Page{Items: []judge.Listed{{Submission: sub, Judgement: j}}, Next: "next"}
	if (filter.Verdict != "" && filter.Verdict != j.Verdict) || cursor == page.Next {
		return judge.Page{}, nil
	}
	return page, nil
}

func (f *fakeRecords) Judgement(_ context.Context, id string) (judge.Judgement, error) {
	if id != judgementID {
		return judge.Judgement{}, judge.ErrNotFound
	}
	return judge.Judgement{
		ID: judgementID, SubmissionID: subID, State: f.state, Current: !f.shadow, Shadow: f.shadow, Problem: mine, ProblemVersion: "d1", VersionID: versionID, Verdict: judge.WA, Message: "secret word",
		Runs: []judge.Run{{Ordinal: 1, Case: "sample/1", Verdict: judge.AC, Message: "open word"}, {Ordinal: 2, Case: "secret/word", Verdict: judge.WA, ExitCode: 3, Message: "secret word"}},
	}, nil
}

func (f *fakeRecords) Judgements(ctx context.Context, _ string) ([]judge.Judgement, error) {
	j, err := f.Judgement(ctx, judgementID)
	j.Runs = nil
	return []judge.Judgement{j}, err
}

func (f *fakeRecords) Runs(ctx context.Context, id string) ([]judge.Run, error) {
	j, err := f.Judgement(ctx, id)
	return j.Runs, err
}

func (f *fakeRecords) Place(context.Context, string) (judge.Place, error) {
	return judge.Place{Ahead: 3, Wait: 1500 * time.Millisecond}, nil
}

func (f *fakeRecords) RunOutput(context.Context, string, int) (judge.RunOutput, error) {
	return judge.RunOutput{Stdout: []byte("a\x1b[31m\xff\x00"), StdoutSize: 8}, nil
}

func (f *fakeRecords) Inspection(_ context.Context, id string) (judge.Inspection, error) {
	if id != inspectionID {
		return judge.Inspection{}, judge.ErrNotFound
	}
	return judge.Inspection{ID: id, Problem: mine, State: judge.Judged, CreatedAt: created, Run: &judge.Run{Output: &judge.RunOutput{Stdout: []byte("whole")}}}, nil
}

// fakeTx reads as its records do; what only a transaction has lies deeper, so that
// it does not hide that.
type fakeTx struct {
	*fakeRecords
	deeper
}

type deeper struct{ deepest }

type deepest struct{ api.Tx }

func (t fakeTx) Enqueue(context.Context, int) error                    { return nil }
func (t fakeTx) Audit(context.Context, judge.AuditEntry) error         { return nil }
func (t fakeTx) RevokeToken(context.Context, string) error             { return nil }
func (t fakeTx) SetReview(context.Context, string, judge.Review) error { return nil }
func (t fakeTx) CreateToken(_ context.Context, n judge.Token) (judge.Token, string, error) {
	return n, "judge_secret", nil
}

func (t fakeTx) Cancel(context.Context, string) error {
	if t.state == judge.Judged {
		return judge.ErrConflict
	}
	return nil
}

func (t fakeTx) CreateInspection(_ context.Context, j string, ordinal int, by string) (judge.Inspection, error) {
	return judge.Inspection{ID: inspectionID, JudgementID: j, Ordinal: ordinal, By: by, State: judge.Queued, CreatedAt: created}, nil
}

func (t fakeTx) CreateSubmission(_ context.Context, s judge.Submission) (judge.Submission, judge.Judgement, error) {
	s.ID, s.CreatedAt = subID, created
	return s, judge.Judgement{ID: judgementID, SubmissionID: subID, State: judge.Queued, Problem: s.Problem, ProblemVersion: "d1", VersionID: s.VersionID}, nil
}

// fakePackages hold one problem.
type fakePackages struct {
	api.Packages

	embargo time.Time
	open    map[string]bool
}

func (fakePackages) Problem(context.Context, string) (*judge.Problem, error) {
	return &judge.Problem{Name: mine, Code: 1000, Root: judge.TestGroup{Groups: []judge.TestGroup{
		{Name: "sample", Cases: []judge.TestCase{{Name: "sample/1", Sample: true, Input: textBlob, Answer: textBlob}}},
		{Name: "secret", Cases: []judge.TestCase{{Name: "secret/word", Input: judge.Blob{Ref: "secret"}}}},
	}}}, nil
}

func testLanguages(tb testing.TB) *language.Set {
	tb.Helper()
	set, err := language.Load(images.FS)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// newServer makes a server over records; change may be nil.
func newServer(tb testing.TB, records api.Records, change func(*api.Config)) *api.Server {
	tb.Helper()
	c := api.Config{
		Records: records, Packages: fakePackages{}, Languages: testLanguages(tb), Endpoints: testEndpoints(tb), Unavailable: func(error) bool { return false },
		Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Build: "test",
	}
	if testing.Verbose() && os.Getenv("JUDGE_TEST_LOG") != "" {
		c.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	if change != nil {
		change(&c)
	}
	s, err := api.New(c)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// ask sends a request; a secret that is empty is not sent.
func ask(h http.Handler, secret, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(body, "zip") {
		r.Header.Set("Content-Type", "application/zip")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
