package verify

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"judge/judge"
	"judge/problems"
)

// strength says what the runs of wrong submissions, and the inputs themselves, tell
// about the test data.
func (v *verification) strength() error {
	fails := map[string]bool{} // cases that fail a wrong submission
	wrong := 0
	for i := range v.report.Results {
		r := &v.report.Results[i]
		if !rejected(r) {
			continue
		}
		wrong++
		v.onlySamples(r, fails)
	}
	if wrong > 0 {
		var idle []string
		secret := 0
		for _, c := range v.cases {
			if c.Sample {
				continue
			}
			secret++
			if !fails[c.Name] {
				idle = append(idle, c.Name)
			}
		}
		if len(idle) > 0 {
			v.find(problems.Info, CodeIdleCases, "data/secret", "%d of %d secret cases fail none of the %d wrong submissions: %s", len(idle), secret, wrong, some(idle))
		}
	}
	return v.duplicates()
}

// rejected reports whether a submission is wrong, is meant to be, and ran.
func rejected(r *Result) bool {
	v := r.Judgement.Verdict
	return r.Refused == "" && v != judge.AC && v != judge.CE && v != judge.JE && !slices.Contains(r.Submission.Expected, judge.AC)
}

// onlySamples notes which cases fail a wrong submission, and finds it if all of
// them are samples.
func (v *verification) onlySamples(r *Result, fails map[string]bool) {
	sample, secret := "", false
	samples := map[string]bool{}
	for _, c := range v.cases {
		samples[c.Name] = c.Sample
	}
	for i := range r.Judgement.Runs {
		run := &r.Judgement.Runs[i]
		if run.Verdict == judge.AC {
			continue
		}
		fails[run.Case] = true
		if !samples[run.Case] {
			secret = true
		} else if sample == "" {
			sample = run.Case
		}
	}
	if sample != "" && !secret && r.Whole {
		v.find(problems.Warning, CodeOnlySamples, "submissions/"+r.Submission.Name, "fails on %s and on no secret case: whoever special-cases the samples gets away with it; add a secret case that it fails on", sample)
	}
}

// duplicates finds inputs that one group of tests has twice.
func (v *verification) duplicates() error {
	if slices.ContainsFunc(v.report.Findings, func(f Finding) bool { return f.Code == CodeDuplicateInput }) {
		return nil // reading found them already
	}
	bySize := map[int64][]judge.CaseInGroup{}
	for _, c := range v.cases {
		if len(c.Args) == 0 && len(c.Files) == 0 {
			bySize[c.Input.Size] = append(bySize[c.Input.Size], c)
		}
	}
	same := map[string][]string{} // by group, input and answer
	for _, list := range bySize {
		if len(list) < 2 {
			continue
		}
		for _, c := range list {
			in, err := v.digest(c.Input)
			if err != nil {
				return err
			}
			key := c.Group.Name + "\x00" + in
			same[key] = append(same[key], c.Name)
		}
	}
	var pairs []string
	for _, names := range same {
		if len(names) > 1 {
			slices.Sort(names)
			pairs = append(pairs, strings.Join(names, " = "))
		}
	}
	if len(pairs) > 0 {
		slices.Sort(pairs)
		v.find(problems.Info, CodeDuplicateInput, "data", "inputs that are equal within their group: %s", some(pairs))
	}
	return nil
}

func (v *verification) digest(b judge.Blob) (string, error) {
	f, err := v.Open(b)
	if err != nil {
		return "", fmt.Errorf("compare inputs: %w", err)
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("compare inputs: %w", err)
	}
	return string(h.Sum(nil)), nil
}

// some names the first of many.
func some(names []string) string {
	if len(names) <= manyNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:manyNames], ", "), len(names)-manyNames)
}
