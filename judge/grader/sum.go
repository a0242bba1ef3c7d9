package grader

import (
	"errors"

	"judge/judge"
	"judge/runner"
)

// result begins a judgement with what does not depend on how it went.
func (j *judging) result(v judge.Verdict) judge.Judgement {
	out := judge.Judgement{
		State: judge.Judged, Verdict: v,
		Problem: j.req.Problem.Name, ProblemVersion: j.req.Problem.Version,
	}
	if j.program != nil {
		out.Language, out.Compile = j.req.Language.ID, j.program.compilation
		out.LanguageVersion, out.ImageID = j.program.image.Version, j.program.image.ID
	} else if j.req.Language != nil {
		out.Language = j.req.Language.ID
	}
	return out
}

func (j *judging) compileError() judge.Judgement { return j.result(judge.CE) }

// failed is JE where boxes failed again and again; other failures may be mended
// before the judgement is tried again.
func (j *judging) failed(err error) (judge.Judgement, error) {
	if _, ok := errors.AsType[boxFailure](err); !ok || errors.Is(err, runner.ErrUnavailable) {
		return judge.Judgement{}, err
	}
	out := j.result(judge.JE)
	out.Message = judge.SafeText([]byte(err.Error()), maxMessage)
	return out, nil
}

// sum makes a judgement of the runs that count and what they come to: times and
// memory are the runs' maxima. Of some of the cases only, there is no score.
func (j *judging) sum(runs []judge.Run, r result) judge.Judgement {
	out := j.result(r.verdict)
	out.Runs, out.Limit = runs, r.limit
	for _, run := range runs {
		out.CPUTime = max(out.CPUTime, run.CPUTime)
		out.WallTime = max(out.WallTime, run.WallTime)
		out.Memory = max(out.Memory, run.Memory)
	}
	if r.verdict == judge.JE || r.aside {
		out.Message = r.message
	}
	if j.req.Problem.Scoring && len(j.req.Cases) == 0 && r.verdict != judge.JE {
		out.Score, out.Groups = &r.score, r.groups
	}
	return out
}
