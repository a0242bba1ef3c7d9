package checker_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge/checker"
)

func TestParseFlags(t *testing.T) {
	type want struct {
		Case, Space        bool
		Absolute, Relative string
	}
	tests := []struct {
		flags string
		want  want
	}{
		{"", want{}},
		{"case_sensitive", want{Case: true}},
		{"space_change_sensitive case_sensitive", want{Case: true, Space: true}},
		{"float_tolerance 1e-6", want{Absolute: "1e-6", Relative: "1e-6"}},
		{"float_absolute_tolerance .5", want{Absolute: ".5"}},
		{"float_relative_tolerance +1.", want{Relative: "+1."}},
		{"float_tolerance 1e-6 float_relative_tolerance 0", want{Absolute: "1e-6", Relative: "0"}},
		{"float_relative_tolerance 0 float_tolerance 1E-6", want{Absolute: "1E-6", Relative: "1E-6"}},
		{" case_sensitive\tfloat_absolute_tolerance\n 0.0001 ", want{Case: true, Absolute: "0.0001"}},
	}
	for _, tt := range tests {
		o, err := checker.ParseFlags(checker.SplitFlags(tt.flags))
		if err != nil {
			t.Errorf("ParseFlags(%q): %v", tt.flags, err)
			continue
		}
		got := want{o.CaseSensitive, o.SpaceChangeSensitive, o.Absolute.String(), o.Relative.String()}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseFlags(%q) (-want +got):\n%s", tt.flags, diff)
		}
		if o.Absolute.Set() != (got.Absolute != "") || o.Relative.Set() != (got.Relative != "") {
			t.Errorf("ParseFlags(%q): Set does not agree with String", tt.flags)
		}
	}
}

func TestParseFlagsRefuses(t *testing.T) {
	tests := []struct {
		flags []string
		want  []string // what the error says
	}{
		{[]string{"case_insensitive"}, []string{`"case_insensitive"`, "case_sensitive", "float_tolerance"}},
		{[]string{"Case_Sensitive"}, []string{"unknown flag", `"Case_Sensitive"`}},
		{[]string{""}, []string{"unknown flag", `""`}},
		{[]string{"1e-6"}, []string{"unknown flag", `"1e-6"`}},
		{[]string{"bad\x1b[31m\xff"}, []string{`"bad\x1b[31m` + "\ufffd" + `"`}},
		{[]string{"float_tolerance"}, []string{"float_tolerance has no value", "1e-6"}},
		{[]string{"case_sensitive", "float_relative_tolerance"}, []string{"float_relative_tolerance has no value"}},
		{[]string{"float_absolute_tolerance", "case_sensitive"}, []string{"float_absolute_tolerance", `"case_sensitive" is not a decimal number`}},
		{[]string{"float_tolerance", "-1e-6"}, []string{"float_tolerance", `"-1e-6" is negative`}},
		{[]string{"float_tolerance", "nan"}, []string{`"nan" is not a decimal number`}},
		{[]string{"float_tolerance", "inf"}, []string{`"inf" is not a decimal number`}},
		{[]string{"float_tolerance", "0x1p-3"}, []string{`"0x1p-3" is not a decimal number`}},
		{[]string{"float_tolerance", "1e-6f"}, []string{"is not a decimal number"}},
		{[]string{"float_tolerance", "1e"}, []string{"is not a decimal number"}},
		{[]string{"float_tolerance", "1,5"}, []string{"is not a decimal number"}},
		{[]string{"float_tolerance", ""}, []string{`"" is not a decimal number`}},
		{[]string{"float_tolerance", "."}, []string{`"." is not a decimal number`}},
		{[]string{"float_tolerance", "1e-9999999"}, []string{"exponent of more than 6 digits"}},
		{[]string{"float_tolerance", "0." + strings.Repeat("1", 400)}, []string{"402 characters", "at most 400"}},
	}
	for _, tt := range tests {
		_, err := checker.ParseFlags(tt.flags)
		if err == nil {
			t.Errorf("ParseFlags(%q) accepts", tt.flags)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("ParseFlags(%q) says %q, which lacks %q", tt.flags, err, want)
			}
		}
	}
}

func FuzzParseFlags(f *testing.F) {
	f.Add("case_sensitive float_tolerance 1e-6")
	f.Add("float_relative_tolerance -0 space_change_sensitive")
	f.Add("float_absolute_tolerance 1e999999")
	f.Fuzz(func(t *testing.T, s string) {
		flags := checker.SplitFlags(s)
		o, err := checker.ParseFlags(flags)
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Fatalf("control character in the error %q", err)
			}
			return
		}
		var again []string // the same options, written in a canonical way
		if o.CaseSensitive {
			again = append(again, "case_sensitive")
		}
		if o.SpaceChangeSensitive {
			again = append(again, "space_change_sensitive")
		}
		for name, tol := range map[string]checker.Tolerance{"float_absolute_tolerance": o.Absolute, "float_relative_tolerance": o.Relative} {
			if tol.Set() {
				if !refNumber.MatchString(tol.String()) || strings.HasPrefix(tol.String(), "-") {
					t.Fatalf("ParseFlags(%q) took the tolerance %q", flags, tol)
				}
				again = append(again, name, tol.String())
			}
		}
		o2, err := checker.ParseFlags(again)
		if err != nil {
			t.Fatalf("ParseFlags(%q): %v", again, err)
		}
		if diff := cmp.Diff(o, o2, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Fatalf("ParseFlags(%q) and ParseFlags(%q) differ:\n%s", flags, again, diff)
		}
		judge(t, again, "1.5 x", "1.25 x") // must not panic, whatever the tolerance
	})
}
