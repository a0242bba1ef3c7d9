package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"judge/problems"
)

func TestBenchPackage(t *testing.T) {
	data, err := benchPackage()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), benchProblem+".zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := problems.Open(path, problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close() //nolint:errcheck // read only
	if len(p.Problem.Cases()) != 3 || p.Problem.Name != benchProblem || p.Problem.Limits.CPU != time.Second {
		t.Errorf("%+v", p.Problem)
	}
	for _, f := range p.Findings {
		if f.Severity != problems.Info {
			t.Error(f)
		}
	}
}

// TestBenchSources: a fresh source is like no other, a cached one like the last.
func TestBenchSources(t *testing.T) {
	for _, kind := range benchKinds {
		mine, others := &benchLoad{id: "a"}, &benchLoad{id: "b"}
		first, next, other := mine.submission(kind, 1), mine.submission(kind, 2), others.submission(kind, 1)
		for _, s := range []newSubmission{next, other} {
			if same := bytes.Equal(first.Files[0].Data, s.Files[0].Data); same == kind.fresh {
				t.Errorf("%s: %s and %s", kind.name, first.Files[0].Data, s.Files[0].Data)
			}
		}
		if first.Submitter.ID != next.Submitter.ID || first.Submitter.ID == mine.submission(kind, benchPeople).Submitter.ID {
			t.Errorf("%s: people %v", kind.name, first.Submitter)
		}
	}
}

func TestQuantile(t *testing.T) {
	all := []time.Duration{3 * time.Second, 1 * time.Second, 2*time.Second + 4*time.Microsecond}
	for q, want := range map[float64]float64{0: 1, 0.5: 2, 0.95: 3, 1: 3} {
		if got := quantile(all, q); got != want {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
}
