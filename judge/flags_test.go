package judge_test

import (
	"slices"
	"testing"

	"judge/judge"
)

func TestFlags(t *testing.T) {
	v := judge.OutputValidator{Flags: []string{"all"}}
	by := judge.FlagsFor{"a": {"x"}, "b.py": {"y"}, "default": {"d"}}
	none := []string{}
	for _, tc := range []struct {
		name          string
		c             judge.TestCase
		g             judge.TestGroup
		program       string
		output, input []string
	}{
		{"none", judge.TestCase{}, judge.TestGroup{}, "v/a.py", []string{"all"}, nil},
		{"the group's", judge.TestCase{}, judge.TestGroup{ValidatorFlags: []string{"g"}, InputFlags: []string{"i"}, Args: []string{"1"}}, "v/a.py", []string{"all", "g"}, []string{"i", "1"}},
		{"the case's", judge.TestCase{ValidatorFlags: none, InputFlags: []string{"c"}, Args: none}, judge.TestGroup{ValidatorFlags: []string{"g"}, InputFlagsFor: by, Args: []string{"1"}}, "v/a.py", []string{"all"}, []string{"c"}},
		{"by program", judge.TestCase{}, judge.TestGroup{ValidatorFor: by, InputFlagsFor: by}, "v/a.py", []string{"all", "x"}, []string{"x"}},
		{"by whole name", judge.TestCase{InputFlagsFor: by}, judge.TestGroup{ValidatorFor: by}, "v/b.py", []string{"all", "y"}, []string{"y"}},
		{"not named", judge.TestCase{InputFlagsFor: by, InputFlags: []string{"c"}}, judge.TestGroup{ValidatorFor: by}, "v/z", []string{"all"}, nil},
		{"default validator", judge.TestCase{}, judge.TestGroup{ValidatorFor: by}, "", []string{"all", "d"}, nil},
	} {
		c := judge.CaseInGroup{TestCase: tc.c, Group: &tc.g}
		if got := c.OutputFlags(v, tc.program); !slices.Equal(got, tc.output) {
			t.Errorf("%s: output flags %q, want %q", tc.name, got, tc.output)
		}
		if got := c.InputFlagsOf(tc.program); !slices.Equal(got, tc.input) {
			t.Errorf("%s: input flags %q, want %q", tc.name, got, tc.input)
		}
	}
	if by.Equal(nil) || !by.Equal(judge.FlagsFor{"default": {"d"}, "b.py": {"y"}, "a": {"x"}}) || by.Equal(judge.FlagsFor{"a": {"x"}}) {
		t.Error("Equal")
	}
	check := judge.DataCheck{InputFlags: []string{"f"}, Args: []string{"1"}}
	if got := check.InputFlagsOf("a"); !slices.Equal(got, []string{"f", "1"}) {
		t.Errorf("flags of a check %q", got)
	}
}
