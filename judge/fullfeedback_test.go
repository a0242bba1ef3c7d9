package judge_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
)

func TestOpen(t *testing.T) {
	one := func(name string, full bool) judge.TestCase {
		return judge.TestCase{Name: name, FullFeedback: full, Sample: name == "sample/1"}
	}
	cases := func(all ...judge.TestCase) []judge.TestCase { return all }
	sample := judge.TestGroup{Name: "sample", Cases: cases(one("sample/1", false))}
	for name, tc := range map[string]struct {
		secret judge.TestGroup
		want   []string
	}{
		"nothing": {judge.TestGroup{Cases: cases(one("secret/1", false))}, nil},
		"a case":  {judge.TestGroup{Cases: cases(one("secret/1", true), one("secret/2", false))}, []string{"secret/1"}},
		"cases make a group": {
			judge.TestGroup{Cases: cases(one("secret/1", true), one("secret/2", true))}, []string{"secret", "secret/1", "secret/2"},
		},
		"a group has its cases": {
			judge.TestGroup{FullFeedback: true, Cases: cases(one("secret/1", false))}, []string{"secret", "secret/1"},
		},
		"a group is no more open than what lies in it": {
			judge.TestGroup{FullFeedback: true, Groups: []judge.TestGroup{
				{Name: "secret/a", FullFeedback: true, Cases: cases(one("secret/a/1", false))},
				{Name: "secret/b", Cases: cases(one("secret/b/1", false), one("secret/b/2", true))},
			}}, []string{"secret/a", "secret/a/1", "secret/b/2"},
		},
		"of static validation alone": {
			judge.TestGroup{Groups: []judge.TestGroup{{Name: "secret/a", Static: true}, {Name: "secret/b", Static: true, FullFeedback: true}}}, []string{"secret/b"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.secret.Name = "secret"
			root := judge.TestGroup{Groups: []judge.TestGroup{sample, tc.secret}}
			if diff := cmp.Diff(tc.want, slices.Sorted(maps.Keys(root.Open()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
