package grader

import (
	"judge/judge"
	"judge/runner"
)

// What reads bytes of jury programs, for fuzz tests.

// ParseScore reads a score.
var ParseScore = parseScore

// Grade is what a grader's line says, or why it says nothing.
func Grade(exit int, stdout []byte) (verdict judge.Verdict, score float64, why string) {
	f, why := readGrade(&runner.Result{ExitCode: exit}, stdout)
	return f.verdict, f.score, why
}

// Heard is what a checker says that is no validator of ICPC. Score and factor are
// nil where it says none.
func Heard(p judge.Protocol, exit int, stdout, stderr []byte) (verdict judge.Verdict, score, factor *float64) {
	h := heardByCode(p, &runner.Result{ExitCode: exit}, stdout, stderr)
	return h.verdict, h.claim.score, h.claim.factor
}
