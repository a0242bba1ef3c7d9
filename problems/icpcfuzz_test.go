package problems_test

import (
	"testing"

	"judge/problems"
)

// fuzzIn puts the bytes into a file of the package and wants it read or refused.
func fuzzIn(f *testing.F, base files, name string, seeds ...string) {
	f.Helper()
	for _, m := range icpcMalformed() {
		if s, ok := m.change[name]; ok {
			seeds = append(seeds, s)
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		survive(t, folder(t, "p", base.with(files{name: string(data)})), problems.Options{MaxSource: 1 << 20})
	})
}

func FuzzICPCProblemYAML(f *testing.F) {
	fuzzIn(f, one2025, "problem.yaml", whole2025["problem.yaml"])
}

func FuzzTestGroupYAML(f *testing.F) {
	fuzzIn(f, scored, groupA, whole2025["data/secret/g2/test_group.yaml"], whole2025["data/sample/test_group.yaml"])
}

func FuzzSubmissionsYAML(f *testing.F) {
	fuzzIn(f, scored.with(files{"submissions/wrong_answer/w.py": "pass\n"}), rules, whole2025[rules])
}

func FuzzCaseYAML(f *testing.F) {
	fuzzIn(f, one2025, "data/secret/1.yaml", whole2025["data/sample/2.yaml"], whole2025["data/secret/g2/1.yaml"])
}
