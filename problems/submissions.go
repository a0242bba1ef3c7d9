package problems

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// What a folder of submissions/ says of those in it. The first seven are of the
// legacy format or its users; rejected and brute_force come from 2025-09. A
// folder with no verdicts says nothing: the sources must.
var expectations = map[string][]judge.Verdict{
	"accepted":              {judge.AC},
	"wrong_answer":          {judge.WA},
	"time_limit_exceeded":   {judge.TLE},
	"run_time_error":        {judge.RE},
	"runtime_error":         {judge.RE},
	"partially_accepted":    {judge.AC}, // accepted, short of the best score
	"slow_accepted":         {judge.AC},
	"memory_limit_exceeded": {judge.MLE},
	"output_limit_exceeded": {judge.OLE},
	"compile_error":         {judge.CE},
	"compiler_error":        {judge.CE},
	"rejected":              {judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE},
	"brute_force":           {judge.AC, judge.TLE, judge.MLE, judge.RE},
	"mixed":                 nil,
}

// verdictNames are the names in @EXPECTED_RESULTS@: DOMjudge's, the ICPC's, and
// the short ones, all with "-" between words.
var verdictNames = map[string]judge.Verdict{
	"CORRECT": judge.AC, "ACCEPTED": judge.AC, "AC": judge.AC,
	"WRONG-ANSWER": judge.WA, "WA": judge.WA, "NO-OUTPUT": judge.WA, "PRESENTATION-ERROR": judge.WA,
	"TIMELIMIT": judge.TLE, "TIME-LIMIT-EXCEEDED": judge.TLE, "TLE": judge.TLE,
	"RUN-ERROR": judge.RE, "RUN-TIME-ERROR": judge.RE, "RUNTIME-ERROR": judge.RE, "RTE": judge.RE, "RE": judge.RE,
	"MEMORY-LIMIT": judge.MLE, "MEMORY-LIMIT-EXCEEDED": judge.MLE, "MLE": judge.MLE,
	"OUTPUT-LIMIT": judge.OLE, "OUTPUT-LIMIT-EXCEEDED": judge.OLE, "OLE": judge.OLE,
	"COMPILER-ERROR": judge.CE, "COMPILE-ERROR": judge.CE, "CE": judge.CE,
}

// maxJury is how many submissions a package may bring.
const maxJury = 1000

// submissions reads the jury's submissions: each file and each folder in
// submissions/<folder>/ is one.
func (r *reader) submissions() {
	accepted := false
	for _, folder := range r.parts("submissions") {
		if !folder.folder {
			if !documentation(folder.name) {
				r.rep.warnf(Misplaced, folder.files[0].e.name, 0, "lies in no folder of submissions/ and is left out; move it to submissions/accepted/ or another that says what is expected")
			}
			continue
		}
		for _, p := range r.parts(path.Join("submissions", folder.name)) {
			if !p.folder && documentation(p.name) {
				continue
			}
			if len(r.pkg.Problem.Jury) == maxJury {
				r.rep.errorf(TooMany, p.files[0].e.name, 0, "with this submission there are more than %d, which is the ceiling for one package", maxJury)
				return
			}
			r.submission(folder.name, p)
			accepted = accepted || folder.name == "accepted"
		}
	}
	if !accepted {
		r.rep.infof(NoAccepted, "submissions/accepted", 0, "there is no accepted jury submission, so nothing shows that the problem can be solved; add one")
	}
}

func (r *reader) submission(folder string, p part) {
	name := path.Join(folder, p.name)
	expected, known := expectations[folder]
	if !known && !slices.ContainsFunc(r.rules, func(u *rule) bool { return u.submissions.Match(name) }) {
		r.rep.warnf(UnknownExpectation, "submissions/"+folder, 0, "the folder's name is not known, so that nothing is expected of what is in it; rename it (accepted, wrong_answer, time_limit_exceeded, run_time_error …) or write @EXPECTED_RESULTS@ in the sources")
	}
	files, ok := r.load(p.files)
	if !ok {
		return
	}
	for _, f := range p.files {
		if err := judge.CheckFileName(f.name); err != nil {
			r.rep.warnf(BadName, f.e.name, 0, "cannot be judged under this name (%v); rename it", err)
		}
	}
	if !slices.ContainsFunc(p.files, func(f partFile) bool { return sourceName(f.name) }) {
		r.rep.warnf(UnknownLanguage, "submissions/"+name, 0, "is in no language that its name tells; give its source the usual extension, as .cpp, .java or .py")
	}
	s := judge.JurySubmission{Name: name, Files: files, Expected: slices.Clone(expected)}
	for i, f := range files {
		r.annotations(&s, p.files[i].e.name, f.Data, expected)
	}
	if folder == "partially_accepted" && s.Score == nil {
		s.Score = r.partial()
	}
	switch {
	case folder == "slow_accepted" || folder == "partially_accepted":
	case slices.Equal(s.Expected, []judge.Verdict{judge.AC}):
		s.Timing = judge.TimingAccepted
	case slices.Equal(s.Expected, []judge.Verdict{judge.TLE}):
		s.Timing = judge.TimingTooSlow
	}
	r.pkg.Problem.Jury = append(r.pkg.Problem.Jury, s)
}

// annotations are what a source says of its submission for itself.
func (r *reader) annotations(s *judge.JurySubmission, file string, data []byte, expected []judge.Verdict) {
	if score, line, ok := mark(data, scoreMark); ok {
		f, ok := parseFloat(score)
		if !ok || math.IsInf(f, 0) {
			r.rep.warnf(BadNumber, file, line, "@EXPECTED_SCORE@ is %.40q, which is no number; write one", score)
		} else {
			s.Score = &judge.Range{Low: f, High: f}
		}
	}
	annotated, line := r.annotation(file, data)
	if len(annotated) == 0 {
		return
	}
	if len(expected) > 0 && !slices.ContainsFunc(annotated, func(v judge.Verdict) bool { return slices.Contains(expected, v) }) {
		r.rep.warnf(ExpectationClash, file, line, "@EXPECTED_RESULTS@ says other than the folder, so both are expected; move the submission or change the annotation")
	}
	for _, v := range annotated {
		if !slices.Contains(s.Expected, v) {
			s.Expected = append(s.Expected, v)
		}
	}
}

const (
	annotationMark = "@EXPECTED_RESULTS@:"
	scoreMark      = "@EXPECTED_SCORE@:"
)

// mark is the text after a mark in a comment of one line.
func mark(data []byte, mark string) (text string, line int, found bool) {
	before, after, found := bytes.Cut(data, []byte(mark))
	if !found {
		return "", 0, false
	}
	rest, _, _ := bytes.Cut(after, []byte("\n"))
	text = string(rest)
	for _, end := range []string{"*/", "-->", "*)", "-}"} {
		text, _, _ = strings.Cut(text, end)
	}
	return strings.TrimSpace(text), bytes.Count(before, []byte("\n")) + 1, true
}

// annotation finds the verdicts that a source names for itself.
func (r *reader) annotation(file string, data []byte) (verdicts []judge.Verdict, line int) {
	text, line, found := mark(data, annotationMark)
	if !found {
		return nil, 0
	}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.ToUpper(strings.TrimSpace(word))
		name := strings.NewReplacer("_", "-", " ", "-").Replace(word)
		if v, ok := verdictNames[name]; ok {
			verdicts = append(verdicts, v)
		} else {
			r.rep.warnf(UnknownExpectation, file, line, "@EXPECTED_RESULTS@ names %.40q, which is no verdict; write CORRECT, WRONG-ANSWER, TIMELIMIT, RUN-ERROR, MEMORY-LIMIT, OUTPUT-LIMIT or COMPILER-ERROR", word)
		}
	}
	return verdicts, line
}
