package main

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/runner/docker"
)

func TestBuildProgress(t *testing.T) {
	var errs bytes.Buffer
	p := newBuildProgress(&app{streams: streams{err: &errs}, ctx: t.Context()})
	for _, b := range []docker.BuildProgress{
		{Language: "c", Step: 1, Steps: 2, Line: "Step 1/2 : FROM base"},
		{Language: "c", Step: 1, Steps: 2, Line: "---> 0123"},
		{Language: "go", Step: 1, Steps: 1, Line: "Step 1/1 : FROM base"},
		{Language: "c", Step: 2, Steps: 2, Line: "Step 2/2 : RUN true"},
		{Language: "go", Done: true},
		{Language: "java", Done: true, Err: errors.New("no base")},
		{Language: "c", Done: true, Err: errors.New("bad")},
	} {
		p.tell(b)
	}
	p.clear()
	want := `c  step 1/2  FROM base
go  step 1/1  FROM base
c  step 2/2  RUN true
go  built
java  failed
c  failed
`
	if diff := cmp.Diff(want, errs.String()); diff != "" {
		t.Error(diff)
	}
}
