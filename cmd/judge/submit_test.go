package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"judge/judge"
	"judge/judge/wire"
)

// judgedAs are the events of a submission whose cases come to these verdicts.
func judgedAs(verdicts ...judge.Verdict) []eventInfo {
	events := []eventInfo{{Type: "submission.created"}, {Type: "judgement.started", Attempt: 1}}
	end := judge.Judgement{ID: "j", State: judge.Judged, Attempt: 1, Verdict: judge.AC, Language: "python3", CPUTime: 20e6, WallTime: 30e6, Memory: 8 << 20}
	for i, v := range verdicts {
		run := judge.Run{Ordinal: i + 1, Case: "secret/" + string(rune('a'+i)), Verdict: v, CPUTime: 20e6, WallTime: 30e6, Memory: 8 << 20}
		shape := wire.FromRun(run)
		end.Runs = append(end.Runs, run)
		events = append(events, eventInfo{Type: "run.judged", Attempt: 1, Run: &shape})
		if v != judge.AC {
			end.Verdict = v
			break
		}
	}
	shape := wire.FromJudgement(end)
	return append(events, eventInfo{Type: "judgement.judged", Attempt: 1, Judgement: &shape})
}

func accepts(int, newSubmission) []eventInfo { return judgedAs(judge.AC, judge.AC) }

func source(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, text)
	return path
}

func TestSubmit(t *testing.T) {
	one, two := source(t, "one.py", "print(1)\n"), source(t, "two.py", "\x00\xff")
	folder := filepath.Dir(source(t, "in.py", ""))
	write(t, filepath.Join(folder, "sub/other.py"), "x")
	tests := []struct {
		name string
		args []string
		want []newSubmission
	}{
		{"files", []string{one, two}, []newSubmission{
			{Problem: "p", Files: []newFile{{"one.py", []byte("print(1)\n")}}}, {Problem: "p", Files: []newFile{{"two.py", []byte("\x00\xff")}}},
		}},
		{"one of two files", []string{"--one", one, two, "-l", "pypy3", "--entry", "two.py"}, []newSubmission{
			{Problem: "p", Language: "pypy3", Entry: "two.py", Files: []newFile{{"one.py", []byte("print(1)\n")}, {"two.py", []byte("\x00\xff")}}},
		}},
		{"a folder, for somebody", []string{folder, "--submitter", "ada"}, []newSubmission{
			{Problem: "p", Files: []newFile{{"in.py", []byte{}}, {"sub/other.py", []byte("x")}}, Submitter: &submitterInfo{ID: "ada"}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeAPI(t)
			got := s.judge(append([]string{"submit", "--problem", "p"}, tt.args...)...)
			if got.code != exitOK || got.err != "" || strings.Count(got.out, "\n") != len(tt.want) {
				t.Errorf("exit code %d, %q, %s", got.code, got.out, got.err)
			}
			if diff := cmp.Diff(tt.want, s.posted); diff != "" {
				t.Error(diff)
			}
			if s.called("GET") != 0 {
				t.Errorf("calls %v", s.calls)
			}
		})
	}
}

// TestSubmitWait follows one submission over a connection that breaks after each
// event, and an answer that is lost.
func TestSubmitWait(t *testing.T) {
	s := newFakeAPI(t)
	s.events = func(int, newSubmission) []eventInfo { return judgedAs(judge.AC, judge.WA, judge.AC) }
	s.step = 1
	lost := false
	s.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || lost {
			return false
		}
		lost = true
		s.submit(w, r)
		panic(http.ErrAbortHandler)
	}
	path := source(t, "a.py", "print(1)\n")
	got := s.judge("submit", "-p", "p", "--wait", path)
	if got.code != exitOK || len(s.posted) != 1 || s.called("POST") != 2 {
		t.Errorf("exit code %d, %d posted, calls %v: %s", got.code, len(s.posted), s.calls, got.err)
	}
	want := `submission 0, 2 before it, about 2 s
    secret/a                  AC   0.020 s CPU  0.030 s wall    8.0 MiB
    secret/b                  WA   0.020 s CPU  0.030 s wall    8.0 MiB
`
	live, _, _ := strings.Cut(got.out, "submission   ") // the table's first title
	if diff := cmp.Diff(want, live); diff != "" {
		t.Error(diff)
	}
	contains(t, "table", got.out, "python3   WA       secret/b")

	got = s.judge("submit", "-p", "p", "--wait", "--json", path)
	var j map[string]any
	if err := json.Unmarshal([]byte(got.out), &j); err != nil || j["verdict"] != "WA" || j["source"] != path || j["state"] != "judged" {
		t.Errorf("%v: %s", err, got.out)
	}
}

func TestSubmitSeveral(t *testing.T) {
	s := newFakeAPI(t)
	s.events = func(n int, _ newSubmission) []eventInfo {
		switch n {
		case 0:
			return judgedAs(judge.AC, judge.AC)
		case 1: // its worker dies; then it does not compile
			e := judgedAs()
			d := *e[2].Judgement
			ce := "CE"
			d.Verdict = &ce
			e[2].Judgement = &d
			return []eventInfo{e[0], e[1], {Type: "run.judged", Attempt: 1, Run: judgedAs(judge.AC)[2].Run}, {Type: "judgement.started", Attempt: 2}, e[2]}
		case 2: // its policy shows nothing of runs
			e := judgedAs()
			return append(e[:2:2], eventInfo{Type: "run.judged", Attempt: 1}, e[2])
		}
		return append(judgedAs()[:2], eventInfo{Type: "judgement.cancelled"})
	}
	var args []string
	for _, name := range []string{"a.py", "b.py", "c.py", "d.py"} {
		args = append(args, source(t, name, name))
	}
	got := s.judge(append([]string{"submit", "-p", "p", "--wait"}, args...)...)
	if got.code != exitFailed { // one was cancelled
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
	contains(t, "stdout", got.out, args[0]+"  AC AC\n", args[1]+"  AC again: CE\n", args[2]+"  AC\n", args[3]+"  not judged\n",
		"it was cancelled", "4 submissions, 2 AC, 1 CE")
}

// TestSubmitPackage holds verdicts against what folders name.
func TestSubmitPackage(t *testing.T) {
	s := newFakeAPI(t)
	dir := t.TempDir()
	judgeIn(t, "", "", "problem", "init", "mine", "--dir", dir)
	right := func(_ int, in newSubmission) []eventInfo {
		if strings.Contains(in.Files[0].Name, "wrong") || strings.Contains(string(in.Files[0].Data), "wrong") {
			return judgedAs(judge.AC, judge.WA)
		}
		return judgedAs(judge.AC, judge.AC)
	}
	s.events = right
	got := s.judge("submit", "--package", filepath.Join(dir, "mine"), "--json")
	n := 0
	for line := range strings.Lines(got.out) {
		n++
		var j struct {
			Verdict, Package, Source string
			Expected                 []string
			OK                       bool
		}
		if err := json.Unmarshal([]byte(line), &j); err != nil {
			t.Fatal(err)
		}
		if j.Package != "mine" || len(j.Expected) == 0 || j.OK != (j.Expected[0] == j.Verdict) {
			t.Errorf("%s", line)
		}
	}
	if n < 2 || n != len(s.posted) || s.posted[0].Submitter.ID != "jury of mine" || s.posted[0].Problem != "mine" {
		t.Errorf("%d lines, %+v", n, s.posted)
	}
	s.events = accepts
	got = s.judge("submit", "--package", filepath.Join(dir, "mine"))
	if got.code != exitFailed {
		t.Errorf("a wrong answer is accepted: exit code %d", got.code)
	}
	contains(t, "stdout", got.out, "NO\n", "1 as expected")
}

func TestSubmitFaults(t *testing.T) {
	s := newFakeAPI(t)
	path := source(t, "a.py", "")
	for args, want := range map[string]string{
		path:                           "--problem NAME",
		"-p p":                         "name the files",
		"--package x " + path:          "give it neither files",
		"--package /none":              "no such file",
		"-p p /none":                   "no such file",
		"-p p --token none " + path:    "judge takes it from JUDGE_TOKEN",
		"-p p -w --token none " + path: "judge takes it from JUDGE_TOKEN",
	} {
		got := s.judge(append([]string{"submit"}, strings.Fields(args)...)...)
		if got.code != exitInput {
			t.Errorf("%s: exit code %d", args, got.code)
		}
		contains(t, args, got.out+got.err, want)
	}
	if len(s.posted) != 0 {
		t.Errorf("posted %v", s.posted)
	}
	calls := len(s.calls)
	got := s.judge("submit", "-p", "p", "--wait", "--token", "none", path, path, path)
	if strings.Count(got.err, "\n") != 1 || len(s.calls) != calls+1 || got.out != "" {
		t.Errorf("what is true of all submissions is told once: %q, %v", got.err, s.calls[calls:])
	}
}
