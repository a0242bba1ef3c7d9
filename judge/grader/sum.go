package grader

import (
	"errors"

	"judge/judge"
	"judge/runner"
)

// result begins a judgement with what does not depend on how it went.
func (j *judging) result(v judge.Verdict) judge.Judgement {
	return judge.Judgement{
		State: judge.Judged, Verdict: v,
		Problem: j.req.Problem.Name, ProblemVersion: j.req.Problem.Version,
		Language: j.req.Language.ID, LanguageVersion: j.program.image.Version, ImageID: j.program.image.ID,
		Compile: j.program.compilation,
	}
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

// sum makes a judgement of the runs that count: the verdict of the first that
// was not accepted, and the runs' maxima.
func (j *judging) sum(runs []judge.Run) judge.Judgement {
	out := j.result(judge.AC)
	out.Runs = runs
	for _, r := range runs {
		out.CPUTime = max(out.CPUTime, r.CPUTime)
		out.WallTime = max(out.WallTime, r.WallTime)
		out.Memory = max(out.Memory, r.Memory)
		if out.Verdict == judge.AC && r.Verdict != judge.AC {
			out.Verdict, out.Limit = r.Verdict, r.Limit
			if r.Verdict == judge.JE {
				out.Message = r.Message
			}
		}
	}
	return out
}
