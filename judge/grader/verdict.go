package grader

import (
	"fmt"
	"slices"
	"strings"
	"syscall"

	"judge/judge"
	"judge/runner"
)

// ruling is the verdict on one run with its reasons. An empty verdict: the run
// itself was fine, and what it printed decides.
type ruling struct {
	verdict judge.Verdict
	limit   judge.Limit
	message string
}

// rule says what a run by itself comes to. Of several causes: what went wrong
// with memory or crashed before the time limit, then the time limit, then too
// much output (ICPC problem package format; contracts, rules of judging).
func (j *judging) rule(res *runner.Result, stderr *ends) ruling {
	if res.Exec != 0 {
		return j.ruleExec(res.Exec)
	}
	stopped := res.Limit == runner.LimitCPU || res.Limit == runner.LimitWall
	late := res.CPU > j.limits.CPU
	// The kernel killed something for memory. That was before the runner stopped
	// the run, but after the time limit if it ended a run that was late already.
	if res.OOMKills > 0 || res.Limit == runner.LimitMemory {
		if stopped || !late || res.Signal != syscall.SIGKILL {
			return j.ruleMemory()
		}
	}
	switch {
	case late || res.Limit == runner.LimitCPU:
		return ruling{judge.TLE, judge.LimitCPU, fmt.Sprintf("more than %v of CPU time", j.limits.CPU)}
	case res.Limit == runner.LimitWall:
		return ruling{judge.TLE, judge.LimitWall, fmt.Sprintf("more than %v of wall time", j.limits.Wall)}
	case res.Limit == runner.LimitOutput:
		return ruling{judge.OLE, judge.LimitOutput, fmt.Sprintf("more than %d bytes of output", j.limits.Output)}
	case res.Signal != 0 || res.ExitCode != 0:
		return j.ruleFailed(res, stderr)
	}
	return ruling{}
}

// ruleExec: a program refused for its size is too large for the memory limit.
// Else, what lies in the program's folder is the submitter's, and an
// interpreter that does not start is ours.
func (j *judging) ruleExec(errno syscall.Errno) ruling {
	if errno == syscall.E2BIG || errno == syscall.ENOMEM {
		return j.ruleMemory()
	}
	name := j.program.prog.RunArgs(j.memory)[0]
	message := fmt.Sprintf("start %s: %v", name, errno)
	if strings.HasPrefix(name, runner.ProgramPath+"/") {
		return ruling{judge.RE, judge.LimitNone, message}
	}
	return ruling{judge.JE, judge.LimitNone, message}
}

func (j *judging) ruleMemory() ruling {
	return ruling{judge.MLE, judge.LimitMemory, fmt.Sprintf("more than %d bytes of memory", j.limits.Memory)}
}

// ruleFailed tells a failed allocation that the language's runtime reports by
// itself from other failures.
func (j *judging) ruleFailed(res *runner.Result, stderr *ends) ruling {
	oom := j.oom != nil && j.oom.Match(stderr.bytes()) ||
		res.Signal == 0 && slices.Contains(j.req.Language.OutOfMemory.ExitCodes, res.ExitCode)
	if oom && res.Memory >= j.memory/100*95 {
		return j.ruleMemory()
	}
	r := ruling{verdict: judge.RE, message: howEnded(res)}
	if res.Limit == runner.LimitProcesses {
		r.limit = judge.LimitProcesses
		r.message += fmt.Sprintf(" after it was refused more than %d processes and threads", j.limits.Processes)
	}
	if last := stderr.last(maxStderr); len(last) > 0 {
		r.message += "\n" + judge.SafeText(last, maxMessage)
	}
	return r
}

func howEnded(res *runner.Result) string {
	if res.Signal != 0 {
		return fmt.Sprintf("killed by signal %d (%v)", int(res.Signal), res.Signal)
	}
	return fmt.Sprintf("exited with code %d", res.ExitCode)
}

// compileOutcome: whether compiling succeeded, whether doing it again would
// come to the same, and what to say where the compiler was stopped.
func compileOutcome(res *runner.Result, l judge.Limits) (ok, keep bool, note string) {
	stopped := "compilation stopped: more than "
	switch {
	case res.Limit == runner.LimitCPU:
		note = stopped + fmt.Sprintf("%v of CPU time", l.CPU)
	case res.Limit == runner.LimitWall:
		note = stopped + fmt.Sprintf("%v of wall time", l.Wall)
	case res.Limit == runner.LimitOutput:
		note = stopped + fmt.Sprintf("%d bytes of messages", l.Output)
	case res.OOMKills > 0 || res.Limit == runner.LimitMemory:
		note = stopped + fmt.Sprintf("%d MiB of memory", l.Memory>>20)
	case res.Signal != 0:
		note = "the compiler was " + howEnded(res)
	case res.ExitCode != 0:
		return false, res.Limit == runner.LimitNone, ""
	default:
		return true, true, ""
	}
	return false, false, note + "\n"
}
