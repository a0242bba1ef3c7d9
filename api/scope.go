package api

import (
	"slices"

	"judge/judge"
)

// Who may see which problem and which submission. What a token may not see does
// not exist for it: handlers answer 404.

func scoped(t judge.Token) bool { return len(t.Scope.Problems) > 0 || len(t.Scope.Contests) > 0 }

// holds reports whether a problem is in a token's scope. A scope of contests
// alone holds no problem by itself.
func holds(t judge.Token, problem string) bool {
	return !scoped(t) || slices.Contains(t.Scope.Problems, problem)
}

// holdsContest reports whether a contest is in a token's scope. A scope of problems
// alone holds no contest by itself.
func holdsContest(t judge.Token, contest string) bool {
	return !scoped(t) || slices.Contains(t.Scope.Contests, contest)
}

// runsContest reports whether a token is staff of a contest.
func runsContest(t judge.Token, contest string) bool {
	return t.Role == judge.RoleAdmin || (t.Role == judge.RoleInstructor && holdsContest(t, contest))
}

// isStaffIn is isStaff for what was handed in for a problem in a contest; empty:
// in none.
func isStaffIn(t judge.Token, problem, contest string) bool {
	return isStaff(t, problem) || (contest != "" && runsContest(t, contest))
}

// isStaff reports whether a token sees all of a problem and its submissions.
func isStaff(t judge.Token, problem string) bool {
	return t.Role == judge.RoleAdmin || (t.Role == judge.RoleInstructor && holds(t, problem))
}

// seesSubmission reports whether a token may know of a submission.
func seesSubmission(t judge.Token, s *judge.Submission) bool {
	switch t.Role {
	case judge.RoleAdmin:
		return true
	case judge.RoleInstructor, judge.RoleViewer:
		return holds(t, s.Problem) || (s.Contest != "" && holdsContest(t, s.Contest))
	case judge.RoleSubmitter:
		return s.TokenID == t.ID
	}
	return false
}

// seesShadow reports whether a token that sees a submission sees this judgement of
// it: what a rejudging found is for staff alone until it is applied.
func seesShadow(t judge.Token, j *judge.Judgement) bool {
	return !j.Shadow || isStaffIn(t, j.Problem, j.Contest)
}

// seesSource reports whether a token may read the files of a submission that it
// may know of.
func seesSource(t judge.Token, s *judge.Submission) bool {
	return isStaffIn(t, s.Problem, s.Contest) || (t.Role == judge.RoleSubmitter && s.TokenID == t.ID)
}
