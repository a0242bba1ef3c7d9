package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"judge/api"
	"judge/judge"
	"judge/judge/wire"
)

var policies = []judge.Feedback{judge.FeedbackFull, judge.FeedbackCases, judge.FeedbackFirstFailed, judge.FeedbackVerdict, judge.FeedbackNone, "unheard of"}

// Secrets are texts and numbers that stand nowhere else: if one is in what a
// submitter gets, something was let through.
const (
	secretText   = "SECRET"
	secretMemory = 7_777_777
	secretCode   = 77
	secretSignal = 66
	secretTime   = 1234567 * time.Microsecond
)

func secretRun(t *rapid.T, ordinal int) judge.Run {
	sampled := rapid.SampledFrom([]judge.Verdict{judge.AC, judge.WA, judge.RE, judge.TLE})
	r := judge.Run{
		Ordinal: ordinal, Case: fmt.Sprintf("secret/%s%d", secretText, ordinal), Verdict: sampled.Draw(t, "verdict"), Limit: secretText,
		CPUTime: secretTime, WallTime: secretTime, Memory: secretMemory, Message: secretText,
	}
	if score := float64(secretMemory); rapid.Bool().Draw(t, "scored") {
		r.Score = &score
	}
	if rapid.Bool().Draw(t, "signalled") {
		r.Signal = secretSignal
	} else {
		r.ExitCode = secretCode
	}
	return r
}

// drawn is a judgement with those of its cases and groups that are open as samples
// are.
type drawn struct {
	judgement judge.Judgement
	open      map[string]bool
}

func drawJudgement(t *rapid.T) drawn {
	j := judge.Judgement{
		ID: "j", SubmissionID: "s", State: rapid.SampledFrom([]judge.State{judge.Running, judge.Judged, judge.Cancelled}).Draw(t, "state"),
		Verdict: judge.RE, Limit: secretText, CPUTime: secretTime, WallTime: secretTime, Memory: secretMemory, Message: secretText,
		Compile: &judge.Compilation{OK: true, Output: "warning", WallTime: time.Second},
		Groups:  []judge.GroupResult{{Group: "secret/" + secretText, Verdict: judge.WA}, {Group: "sample", Verdict: judge.AC}, {Group: "secret/open", Verdict: judge.AC}},
	}
	n := rapid.IntRange(0, 4).Draw(t, "samples")
	for i := range n {
		j.Runs = append(j.Runs, judge.Run{Ordinal: i + 1, Case: fmt.Sprint("sample/", i), Verdict: judge.AC, CPUTime: time.Millisecond, WallTime: time.Millisecond, Memory: 12345, Message: "open"})
	}
	open := map[string]bool{"secret/open": true}
	for i := range rapid.IntRange(0, 5).Draw(t, "secrets") {
		if rapid.Bool().Draw(t, "open") {
			r := judge.Run{Ordinal: n + i + 1, Case: fmt.Sprint("secret/open/", i), Verdict: judge.WA, ExitCode: 5, Memory: 12345, Message: "open"}
			j.Runs, open[r.Case] = append(j.Runs, r), true
			continue
		}
		j.Runs = append(j.Runs, secretRun(t, n+i+1))
	}
	return drawn{j, open}
}

func TestFeedbackLetsNothingThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawJudgement(t)
		before := wire.FromJudgement(drawn.judgement)
		whole, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		for _, policy := range policies {
			shown := api.Feedback(before, policy, drawn.open)
			text, err := json.Marshal(shown)
			if err != nil {
				t.Fatal(err)
			}
			if policy == judge.FeedbackFull {
				if string(text) != string(whole) {
					t.Errorf("full: %s, want %s", text, whole)
				}
				continue
			}
			for _, secret := range []string{secretText, fmt.Sprint(secretMemory), "1.234567", fmt.Sprintf(`"exit_code":%d`, secretCode), fmt.Sprintf(`"signal":%d`, secretSignal)} {
				if strings.Contains(string(text), secret) {
					t.Errorf("%s lets %s through: %s", policy, secret, text)
				}
			}
			checkShown(t, policy, before, shown)
		}
		// Nothing of the original was changed on the way.
		if again, _ := json.Marshal(before); string(again) != string(whole) {
			t.Errorf("changed to %s, was %s", again, whole)
		}
	})
}

func checkShown(t *rapid.T, policy judge.Feedback, before, shown wire.Judgement) {
	secrets, samples := 0, 0
	for _, r := range shown.Runs {
		if r.Case != nil {
			samples++
			if diff := cmp.Diff(before.Runs[r.Ordinal-1], r); diff != "" {
				t.Errorf("%s: a sample is not shown in full: %s", policy, diff)
			}
			continue
		}
		secrets++
		was := before.Runs[r.Ordinal-1]
		want := wire.Run{Ordinal: was.Ordinal, Verdict: was.Verdict, CPUTime: new(1.23), WallTime: new(1.23)}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("%s: %s", policy, diff)
		}
	}
	wantSecrets, wantSamples, firstFailed, failed := 0, 0, 0, false
	groups := 2
	for _, r := range before.Runs {
		switch {
		case strings.HasPrefix(*r.Case, "sample"):
			wantSamples++
		case strings.HasPrefix(*r.Case, "secret/open"):
			wantSamples++
			failed = true
		default:
			wantSecrets++
			if *r.Verdict != "AC" && *before.State == "judged" && !failed {
				firstFailed, failed = 1, true
			}
		}
	}
	switch policy {
	case judge.FeedbackCases:
	case judge.FeedbackFirstFailed:
		wantSecrets = firstFailed
	case judge.FeedbackFull, judge.FeedbackVerdict, judge.FeedbackNone:
		wantSecrets, wantSamples, groups = 0, 0, 0
	default:
		wantSecrets, wantSamples, groups = 0, 0, 0
	}
	if len(shown.Groups) != groups {
		t.Errorf("%s: %d groups, want %d", policy, len(shown.Groups), groups)
	}
	if secrets != wantSecrets || samples != wantSamples {
		t.Errorf("%s in state %s: %d secret runs and %d samples, want %d and %d", policy, *before.State, secrets, samples, wantSecrets, wantSamples)
	}
	if told := shown.Verdict != nil || shown.CPUTime != nil || shown.Memory != nil || shown.Compile != nil; told != (policy != judge.FeedbackNone && policy != "unheard of") {
		t.Errorf("%s: verdict, times and compilation told: %v", policy, told)
	}
	if shown.Memory != nil && (*shown.Memory%(1<<20) != 0 || math.Abs(float64(*shown.Memory-secretMemory)) > 1<<19) {
		t.Errorf("memory %d of %d", *shown.Memory, secretMemory)
	}
}

// A run that is told of by itself tells no more than the judgement will.
func TestFeedbackRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawJudgement(t)
		j := wire.FromJudgement(drawn.judgement)
		for _, policy := range policies {
			whole := map[int]wire.Run{}
			for _, r := range api.Feedback(j, policy, drawn.open).Runs {
				whole[r.Ordinal] = r
			}
			for _, r := range j.Runs {
				shown, ok := api.FeedbackRun(r, policy, drawn.open)
				if !ok {
					continue
				}
				if diff := cmp.Diff(whole[r.Ordinal], shown); diff != "" {
					t.Errorf("%s: %s", policy, diff)
				}
			}
		}
	})
}

// What staff changed is told as the verdict that counts; what was found, and why,
// is staff's.
func TestListDoesNotBetrayVerdicts(t *testing.T) {
	for _, policy := range policies {
		f := newFake()
		f.feedback = policy
		s := newServer(t, f, nil)
		for who, staff := range map[string]bool{"admin": true, "staff": true, "owner": false, "viewer": false} {
			w := ask(s, who, "GET", v1+"/submissions?verdict=WA", "")
			var page struct {
				Items []struct {
					Judgement struct{ Verdict *string }
				}
				NextCursor *string `json:"next_cursor"`
			}
			if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
				t.Fatal(err, w.Body)
			}
			told := staff || (policy != judge.FeedbackNone && policy != "unheard of")
			if (len(page.Items) > 0) != told {
				t.Errorf("%s by %s: %d items, told %v", policy, who, len(page.Items), told)
			}
			// For who may not know, a verdict that is there and one that is not look the same.
			if other := ask(s, who, "GET", v1+"/submissions?verdict=TLE", ""); !told && other.Body.String() != w.Body.String() {
				t.Errorf("%s by %s: WA is answered %s, TLE %s", policy, who, w.Body, other.Body)
			}
		}
	}
}
