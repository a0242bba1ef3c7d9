package api_test

import (
	"context"

	"judge/judge"
)

// fakeVerified has ended with an error.
var fakeVerified = judge.Verification{
	ID: versionID, VersionID: versionID, State: judge.VerificationDone, Step: 7, Findings: []byte("[]"),
	Report: []byte(`{"package":"mine","ok":false,"findings":[{"severity":"error","code":"answer-rejected","file":"data/secret/1.ans","line":3,"message":"wrong"}],"results":[]}`),
}

func (f *fakeRecords) Verification(context.Context, string) (judge.Verification, error) {
	return fakeVerified, nil
}

func (f *fakeRecords) VerificationStep(context.Context, string) (id string, step int64, err error) {
	return fakeVerified.ID, fakeVerified.Step, nil
}

func (t fakeTx) CreateVerification(_ context.Context, v judge.Verification) (judge.Verification, error) {
	v.ID, v.State = versionID, judge.VerificationQueued
	if v.Findings == nil {
		v.Findings = []byte("[]")
	}
	return v, nil
}
