package judge_test

import (
	"strings"
	"testing"

	"judge/judge"
)

func TestPattern(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		yes, no []string
	}{
		{"", []string{"a", "secret/1"}, nil},
		{"accepted", []string{"accepted", "accepted/a.py", "accepted/d/e.py"}, []string{"accept", "accepted.py", "x/accepted"}},
		{"*/a.{py,cpp}", []string{"accepted/a.py", "x/a.cpp"}, []string{"a.py", "x/y/a.py", "x/a.c"}},
		{"{simple,com{plex,mon}}.py", []string{"simple.py", "complex.py", "common.py"}, []string{"com.py"}},
		{"secret/*-hard", []string{"secret/1-hard", "secret/x-hard/1"}, []string{"secret/g/1-hard"}},
		{"a{,b}", []string{"a", "ab"}, []string{"b"}},
		{"secret/", []string{"secret/1"}, []string{"sample/1"}},
		{"a.b", []string{"a.b"}, []string{"axb"}},
	} {
		p, ok := judge.ParsePattern(tc.pattern)
		if !ok {
			t.Errorf("%q is refused", tc.pattern)
		}
		for _, name := range tc.yes {
			if !p.Match(name) {
				t.Errorf("%q does not match %q", tc.pattern, name)
			}
		}
		for _, name := range tc.no {
			if p.Match(name) {
				t.Errorf("%q matches %q", tc.pattern, name)
			}
		}
	}
	for _, bad := range []string{"{", "}", "a{b", "a}b{c}", "{{}", "a**", "[a]", "a?", `\a`, strings.Repeat("{a,b}", 8), strings.Repeat("{", 400)} {
		if _, ok := judge.ParsePattern(bad); ok {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("{a,b}/*.{py,cpp}", "a/x.py")
	f.Add("{{{", "a")
	f.Fuzz(func(_ *testing.T, pattern, name string) {
		if p, ok := judge.ParsePattern(pattern); ok {
			p.Match(name)
		}
	})
}
