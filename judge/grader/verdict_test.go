package grader_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"judge/judge"
	"judge/runner"
)

const mib = 1 << 20

// TestVerdict: limits are 1 s of CPU time, 3 s of wall time, 100 MiB (and 10 MiB
// of allowance in the script language), 1000 bytes of output.
func TestVerdict(t *testing.T) {
	type result = runner.Result
	const second = time.Second
	kill, segv := syscall.SIGKILL, syscall.SIGSEGV
	tests := []struct {
		name    string
		res     result
		out     string // what is printed; the answer is "42"
		stderr  string
		script  bool
		want    judge.Verdict
		limit   judge.Limit
		message string // part of it
	}{
		{name: "accepted", out: "42", want: judge.AC},
		{name: "wrong", out: "43", want: judge.WA, message: "43"},
		{name: "prints nothing", want: judge.WA},
		{name: "non-zero exit whatever was printed", res: result{ExitCode: 1}, out: "42", want: judge.RE, message: "exited with code 1"},
		{name: "signal", res: result{Signal: segv}, out: "42", want: judge.RE, message: "killed by signal 11 (segmentation fault)"},
		{name: "stderr is told", res: result{ExitCode: 1}, stderr: "Trace\x1b[0m\nKeyError", want: judge.RE, message: "exited with code 1\nTrace\\x1b[0m\nKeyError"},
		{name: "stderr alone is no failure", out: "42", stderr: "bad_alloc", want: judge.AC},

		{name: "at the CPU limit", res: result{CPU: second}, out: "42", want: judge.AC},
		{name: "a near miss", res: result{CPU: second + 1}, out: "42", want: judge.TLE, limit: judge.LimitCPU, message: "more than 1s of CPU time"},
		{name: "stopped for CPU time", res: result{CPU: 1100 * time.Millisecond, Signal: kill, Limit: runner.LimitCPU}, out: "43", want: judge.TLE, limit: judge.LimitCPU},
		{name: "stopped for CPU time by a clock that lags", res: result{CPU: second, Signal: kill, Limit: runner.LimitCPU}, want: judge.TLE, limit: judge.LimitCPU},
		{name: "idle until the wall limit", res: result{Wall: 3 * second, Signal: kill, Limit: runner.LimitWall}, want: judge.TLE, limit: judge.LimitWall, message: "more than 3s of wall time"},
		{name: "wall limit with the CPU limit passed", res: result{CPU: 1050 * time.Millisecond, Signal: kill, Limit: runner.LimitWall}, want: judge.TLE, limit: judge.LimitCPU},
		{name: "crash after the CPU limit", res: result{CPU: second + 1, Signal: segv}, want: judge.TLE, limit: judge.LimitCPU},
		{name: "crash before it", res: result{CPU: second - 1, Signal: segv}, want: judge.RE},
		{name: "exits non-zero after the CPU limit", res: result{CPU: second + 1, ExitCode: 1}, want: judge.TLE, limit: judge.LimitCPU},
		{name: "wrong and late", res: result{CPU: second + 1}, out: "43", want: judge.TLE, limit: judge.LimitCPU},
		{name: "the language's factor", script: true, res: result{CPU: 2 * second}, out: "42", want: judge.AC},
		{name: "beyond the language's factor", script: true, res: result{CPU: 2*second + 1}, out: "42", want: judge.TLE, limit: judge.LimitCPU, message: "more than 2s"},

		{name: "oom kill", res: result{OOMKills: 1, Signal: kill, Limit: runner.LimitMemory}, want: judge.MLE, limit: judge.LimitMemory, message: "more than 104857600 bytes of memory"},
		{name: "oom kill that the runner names no limit for", res: result{OOMKills: 1, Signal: kill}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "a child's oom kill, right answer", res: result{OOMKills: 1}, out: "42", want: judge.MLE, limit: judge.LimitMemory},
		{name: "a child's oom kill, exit 1", res: result{OOMKills: 1, ExitCode: 1}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "a child's oom kill, then stopped for time", res: result{OOMKills: 1, CPU: 1100 * time.Millisecond, Signal: kill, Limit: runner.LimitCPU}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "a child's oom kill, then stopped for wall time", res: result{OOMKills: 1, Signal: kill, Limit: runner.LimitWall}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "oom kill before too much output", res: result{OOMKills: 1, Signal: kill, Limit: runner.LimitOutput}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "oom kill after the CPU limit", res: result{OOMKills: 1, CPU: second + 1, Signal: kill, Limit: runner.LimitMemory}, want: judge.TLE, limit: judge.LimitCPU},
		{name: "peak alone is nothing", res: result{Memory: 100 * mib}, out: "42", want: judge.AC},
		{name: "allowance is told", script: true, res: result{OOMKills: 1, Signal: kill}, want: judge.MLE, limit: judge.LimitMemory, message: "more than 115343360 bytes"},

		{name: "failed allocation near the limit", res: result{Signal: syscall.SIGABRT, Memory: 95 * mib}, stderr: "what(): std::bad_alloc", want: judge.MLE, limit: judge.LimitMemory},
		{name: "failed allocation far from it", res: result{Signal: syscall.SIGABRT, Memory: 95*mib - 1}, stderr: "what(): std::bad_alloc", want: judge.RE},
		{name: "near the limit without the pattern", res: result{ExitCode: 1, Memory: 99 * mib}, stderr: "oops", want: judge.RE},
		{name: "out-of-memory exit code", res: result{ExitCode: 77, Memory: 96 * mib}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "out-of-memory exit code by the way", res: result{ExitCode: 77, Memory: 5 * mib}, want: judge.RE},
		{name: "a pattern behind much else", res: result{ExitCode: 1, Memory: 96 * mib}, stderr: strings.Repeat("debug\n", 50000) + "bad_alloc", want: judge.MLE, limit: judge.LimitMemory},
		{name: "a pattern in the last 32 KiB", res: result{ExitCode: 1, Memory: 96 * mib}, stderr: strings.Repeat("debug\n", 47500) + "bad_alloc" + strings.Repeat("at f\n", 6000), want: judge.MLE, limit: judge.LimitMemory},
		{name: "a pattern before much else", res: result{ExitCode: 1, Memory: 96 * mib}, stderr: "bad_alloc" + strings.Repeat("debug\n", 50000), want: judge.MLE, limit: judge.LimitMemory},
		{name: "failed allocation after the CPU limit", res: result{CPU: second + 1, ExitCode: 77, Memory: 96 * mib}, want: judge.TLE, limit: judge.LimitCPU},

		{name: "too much output", res: result{Signal: kill, Limit: runner.LimitOutput, Stdout: 1001}, out: "42", want: judge.OLE, limit: judge.LimitOutput, message: "more than 1000 bytes of output"},
		{name: "too much output, late", res: result{CPU: second + 1, Signal: kill, Limit: runner.LimitOutput}, want: judge.TLE, limit: judge.LimitCPU},

		{name: "refused processes, failed", res: result{ExitCode: 1, Limit: runner.LimitProcesses}, want: judge.RE, limit: judge.LimitProcesses, message: "more than 64 processes"},
		{name: "refused processes, did well", res: result{Limit: runner.LimitProcesses}, out: "42", want: judge.AC},
		{name: "refused processes, wrong", res: result{Limit: runner.LimitProcesses}, out: "43", want: judge.WA},

		{name: "too large for execve", res: result{Exec: syscall.ENOMEM}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "E2BIG", res: result{Exec: syscall.E2BIG}, want: judge.MLE, limit: judge.LimitMemory},
		{name: "executable in a foreign format", res: result{Exec: syscall.ENOEXEC}, want: judge.RE, message: "start /box/p/main: exec format error"},
		{name: "executable with an interpreter of its own choice", res: result{Exec: syscall.ENOENT}, want: judge.RE},
		{name: "image without the interpreter", script: true, res: result{Exec: syscall.ENOENT}, want: judge.JE, message: "start /usr/bin/s: no such file"},
		{name: "interpreter too large for the limit", script: true, res: result{Exec: syscall.ENOMEM}, want: judge.MLE, limit: judge.LimitMemory},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t, 1)
			s.run = func(c *call) (runner.Result, error) {
				c.print(tt.out)
				for piece := range slices.Chunk([]byte(tt.stderr), 1000) {
					c.warn(string(piece))
				}
				if tt.res.Wall == 0 {
					tt.res.Wall = time.Millisecond
				}
				return tt.res, nil
			}
			p := problem("secret/1")
			p.Root.Groups[0].Cases[0].Answer.Ref = "42\n"
			p.Limits = judge.Limits{CPU: second, Wall: 3 * second, Memory: 100 * mib, Output: 1000}
			l := lang
			if tt.script {
				l = script
			}
			j := mustJudge(t, newGrader(s), request(t, p, &l))
			if len(j.Runs) != 1 {
				t.Fatalf("%d runs", len(j.Runs))
			}
			r := j.Runs[0]
			if r.Verdict != tt.want || r.Limit != tt.limit || !strings.Contains(r.Message, tt.message) {
				t.Errorf("run %s, limit %q, message %q; want %s, %q, %q", r.Verdict, r.Limit, r.Message, tt.want, tt.limit, tt.message)
			}
			if j.Verdict != r.Verdict || j.Limit != r.Limit {
				t.Errorf("judgement %s, limit %q differs from its only run's", j.Verdict, j.Limit)
			}
			code := tt.res.ExitCode
			if tt.res.Exec != 0 {
				code = -1
			}
			if r.Signal != int(tt.res.Signal) || r.ExitCode != code || r.CPUTime != tt.res.CPU || r.WallTime != tt.res.Wall || r.Memory != tt.res.Memory {
				t.Errorf("run %+v does not say what the result does: %+v", r, tt.res)
			}
		})
	}
}
