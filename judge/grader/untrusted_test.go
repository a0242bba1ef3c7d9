package grader_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"judge/judge"
	"judge/judge/grader"
	"judge/runner"
)

// What jury programs write is a stranger's: whatever it is, there is a verdict that
// follows from it, and numbers are numbers.

func finite(n *float64) bool { return n == nil || !(math.IsNaN(*n) || math.IsInf(*n, 0)) }

func FuzzParseScore(f *testing.F) {
	for _, s := range []string{"1", " 2.5\n", ".25", "5.", "1e3", "-1", "+1", "nan", "inf", "0x10", "1_0", "1e400", "1e-400", "١", "", "1 2", strings.Repeat("9", 400)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := grader.ParseScore("score.txt", []byte(text))
		if (n == nil) == (err == nil) || !finite(n) {
			t.Fatalf("%q: %v, %v", text, n, err)
		}
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("%q: an error of %d bytes", text, len(err.Error()))
		}
		if word := strings.Trim(text, " \t\r\n"); err == nil && strings.ContainsFunc(word, func(r rune) bool { return !strings.ContainsRune("0123456789.eE+-", r) }) {
			t.Errorf("%q is read as %v", text, *n)
		}
	})
}

func FuzzGrade(f *testing.F) {
	for _, s := range []string{"AC 10\n", "WA 0", "RTE 1.5\r\n", "TLE -3", "JE 1", "AC", "AC 1\nWA 2\n", "AC 1 2", "AC nan", "ac 1", "\x00", "AC\u00a01"} {
		f.Add(0, []byte(s))
	}
	f.Add(1, []byte("AC 10"))
	f.Fuzz(func(t *testing.T, exit int, stdout []byte) {
		verdict, score, why := grader.Grade(exit, stdout)
		if why != "" {
			if verdict != "" || score != 0 {
				t.Errorf("%q is %s %v and refused: %s", stdout, verdict, score, why)
			}
			return
		}
		words := strings.Fields(string(stdout))
		if exit != 0 || len(words) != 2 || !finite(&score) || !slices.Contains([]judge.Verdict{judge.AC, judge.WA, judge.RE, judge.TLE}, verdict) {
			t.Errorf("exit code %d, %q: %s %v", exit, stdout, verdict, score)
		}
	})
}

func FuzzHeard(f *testing.F) {
	for _, p := range []string{"testlib", "coci", "peg"} {
		for _, code := range []int{0, 1, 2, 3, 4, 7, 8, 16, 66, 116, 117, 255} {
			f.Add(p, code, []byte("1\n2\n"), []byte("points 7.5 well"))
			f.Add(p, code, []byte("3\r\n0\r\n"), []byte("partial 3/4\n"))
		}
	}
	f.Fuzz(func(t *testing.T, p string, code int, stdout, stderr []byte) {
		protocol := judge.Protocol(p)
		if !slices.Contains([]judge.Protocol{judge.ProtocolTestlib, judge.ProtocolCOCI, judge.ProtocolPEG}, protocol) {
			return
		}
		verdict, score, factor := grader.Heard(protocol, code, stdout, stderr)
		if !slices.Contains([]judge.Verdict{judge.AC, judge.WA, judge.JE}, verdict) {
			t.Errorf("verdict %q", verdict)
		}
		if verdict != judge.AC && (score != nil || factor != nil) {
			t.Errorf("%s with score %v, factor %v", verdict, score, factor)
		}
		if !finite(score) || !finite(factor) || factor != nil && (*factor < 0 || *factor > 1) {
			t.Errorf("score %v, factor %v", score, factor)
		}
		if verdict == judge.AC && code != 0 && score == nil && factor == nil {
			t.Errorf("exit code %d accepts without points: %q %q", code, stdout, stderr)
		}
	})
}

// FuzzFeedback: whatever lies in the feedback folder, each pass ends in a verdict of
// the validator's or in JE, and what is kept of it can be shown.
func FuzzFeedback(f *testing.F) {
	f.Add(42, []byte("m"), []byte("team"), []byte("1"), []byte(nil), []byte(nil))
	f.Add(42, []byte("\x1b[1m\xff\x00"), []byte("\x00"), []byte(nil), []byte("0.5"), []byte("next"))
	f.Add(43, []byte(nil), []byte(nil), []byte("0"), []byte("1"), []byte(""))
	f.Add(0, []byte(nil), []byte(nil), []byte("nan"), []byte("2"), []byte("x"))
	f.Fuzz(func(t *testing.T, code int, judgeSays, teamSays, score, factor, next []byte) {
		s := newSandbox(t, 1)
		s.jury = func(c *call) (runner.Result, error) {
			if c.cmd.Args[0] == "/bin/rm" {
				delete(c.box.work, "feedback/nextpass.in")
				return exit(0), nil
			}
			for name, text := range map[string][]byte{"judgemessage.txt": judgeSays, "teammessage.txt": teamSays, "score.txt": score, "score_multiplier.txt": factor, "nextpass.in": next} {
				if len(text) > 0 {
					c.box.work["feedback/"+name] = text
				}
			}
			return exit(code), nil
		}
		p := withValidators("v.s")
		p.Format, p.Scoring, p.MultiPass, p.Passes = judge.Format2025, true, true, 3
		p.Root.Groups[0].Scoring = &judge.GroupScoring{MaxScore: 10, Aggregation: judge.AggregateSum}
		req := request(t, p, &script)
		req.Outputs = grader.KeepFull
		j := mustJudge(t, newGrader(s), req)
		want := map[int]judge.Verdict{42: judge.AC, 43: judge.WA}[code]
		if j.Verdict != judge.JE && j.Verdict != want {
			t.Errorf("exit code %d: %s", code, j.Verdict)
		}
		if len(next) > 0 && j.Verdict != judge.JE {
			t.Errorf("there is always another pass, and the verdict is %s", j.Verdict)
		}
		if len(score) > 0 && len(factor) > 0 && j.Verdict != judge.JE {
			t.Errorf("both files with a score, and the verdict is %s", j.Verdict)
		}
		if j.Score != nil && (*j.Score < 0 || *j.Score > 10 || !finite(j.Score)) {
			t.Errorf("score %v", *j.Score)
		}
		for _, r := range j.Runs {
			for _, text := range []string{r.Message, j.Message} {
				if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b") {
					t.Errorf("message %q", text)
				}
			}
		}
	})
}
