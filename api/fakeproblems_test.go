package api_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"judge/api"
	"judge/judge"
)

// text is what all files of the fake problem hold.
const text = "<b>3</b>\n"

var textBlob = judge.Blob{Ref: "0123456789abcdef", Size: int64(len(text))}

func (f *fakeRecords) Problems(ctx context.Context, after string, _ int) ([]judge.ProblemInfo, error) {
	p, err := f.Problem(ctx, mine)
	if after >= mine {
		return nil, err
	}
	return []judge.ProblemInfo{p}, err
}

func (f *fakeRecords) ProblemVersion(context.Context, string) (judge.ProblemVersion, error) {
	return f.version(), nil
}

func (f *fakeRecords) Versions(context.Context, string) ([]judge.ProblemVersion, error) {
	return []judge.ProblemVersion{f.version()}, nil
}

func (f *fakeRecords) Workers(context.Context) ([]judge.Worker, error) {
	return []judge.Worker{{ID: workerID, Name: "host", State: judge.WorkerActive}}, nil
}

func (f *fakeRecords) Statistics(context.Context, time.Time, judge.Scope) (judge.Statistics, error) {
	return judge.Statistics{Submissions: judge.Tally{Total: 1, Verdicts: map[judge.Verdict]int{judge.WA: 1}}}, nil
}

func (f *fakeRecords) Lock(context.Context, string, bool) (release func(), err error) {
	return func() {}, nil
}

func (f *fakeRecords) Now(context.Context) (string, error)       { return "now", nil }
func (f *fakeRecords) Beginning(context.Context) (string, error) { return "beginning", nil }

// Events ends every stream at once.
func (f *fakeRecords) Events(context.Context, string, judge.EventFilter, int) (judge.Events, error) {
	return judge.Events{}, errors.New("no events here")
}

func (t fakeTx) EnableProblem(context.Context, string, bool) error                 { return nil }
func (t fakeTx) SetVersionState(context.Context, string, judge.VersionState) error { return nil }
func (t fakeTx) SetSettings(context.Context, string, judge.Settings) error         { return nil }
func (t fakeTx) SetWorkerState(context.Context, string, judge.WorkerState) error   { return nil }
func (t fakeTx) PutBlob(context.Context, judge.StoredBlob) (isNew bool, err error) { return true, nil }

func (t fakeTx) CreateVersion(_ context.Context, v judge.ProblemVersion) (judge.ProblemVersion, error) {
	v.ID, v.Number, v.Settings.Feedback = versionID, 2, judge.FeedbackCases
	return v, nil
}

func (p fakePackages) Summary(context.Context, string) (api.Summary, error) {
	return api.Summary{Title: "Mine", EmbargoUntil: p.embargo, Open: p.open}, nil
}

func (fakePackages) Documents(context.Context, string) (api.Documents, error) {
	return api.Documents{
		Statement:   []api.Document{{Name: "fig.svg", Blob: textBlob}, {Name: "problem.de.md", Blob: textBlob}, {Name: "problem.md", Blob: textBlob}, {Name: "problem.pdf", Blob: textBlob}},
		Attachments: []api.Document{{Name: "a.html", Blob: textBlob}, {Name: "more/b c.txt", Blob: textBlob}},
	}, nil
}

func (fakePackages) Open(_ context.Context, b judge.Blob) (io.ReadCloser, error) {
	if b != textBlob {
		return nil, errors.New("secret")
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func (fakePackages) Page(context.Context, string, string) (api.StatementPage, error) {
	return api.StatementPage{HTML: []byte("<p>"), Policy: "default-src 'none'; sandbox"}, nil
}

func (fakePackages) Export(context.Context, string) (api.Export, error) {
	return api.Export{Write: func(io.Writer) error { return nil }}, nil
}

func (fakePackages) WriteSkeleton(w io.Writer, name string) error {
	_, err := io.WriteString(w, name)
	return err
}

func (fakePackages) Receive(_ context.Context, zip io.Reader, _ api.Reception) (api.Received, error) {
	_, err := io.Copy(io.Discard, zip)
	return fakeReceived{}, err
}

type fakeReceived struct{}

func (fakeReceived) Problem() *judge.Problem { return &judge.Problem{Name: mine} }
func (fakeReceived) Findings() []api.Finding { return nil }
func (fakeReceived) Close() error            { return nil }
func (fakeReceived) Store(context.Context) (api.StoredPackage, error) {
	return api.StoredPackage{Digest: "d2", Manifest: []byte("{}")}, nil
}
