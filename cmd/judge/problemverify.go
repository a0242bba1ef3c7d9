package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"judge/judge"
	"judge/judge/grader"
	"judge/problems"
	"judge/problems/verify"
	"judge/runner"
)

// exitFindings is the exit code of judge problem verify where a package has errors.
const exitFindings = 3

// problemVerifyCmd verifies packages on this machine.
type problemVerifyCmd struct {
	Packages      []string          `arg:"" name:"package" help:"A folder, a zip, or a folder of packages."`
	Submission    []string          `sep:"none" short:"s" placeholder:"GLOB" help:"Judge these submissions only, by path below submissions/: accepted/*, *.py. May be given several times."`
	Prefer        map[string]string `placeholder:"EXT=ID" help:"What an extension means, as in py=pypy3."`
	TimeLimit     seconds           `placeholder:"D" help:"CPU time for each test case instead of the package's or a calibrated one."`
	All           bool              `help:"Run submissions that are too slow on all cases, not on the first that shows it."`
	NoInputs      bool              `help:"Leave input validators out."`
	NoAnswers     bool              `help:"Leave out the output validator's look at answers and examples."`
	NoSubmissions bool              `help:"Judge no submissions."`
	NoStrength    bool              `help:"Do not say what the test data miss."`
	Slots         int               `placeholder:"N" help:"Use at most N cores; else all."`
	Transcript    string            `placeholder:"DIR" help:"Write what was said in interactive problems to DIR/PACKAGE/SUBMISSION/CASE.txt."`
	Watch         bool              `short:"w" help:"Stay, and verify again what depends on what is saved."`
	JSON          bool              `help:"One judgement a line, then one line for each package with its findings."`
}

// Help is shown by judge problem verify --help.
func (problemVerifyCmd) Help() string {
	return `Says before the contest what is wrong with a package: lint; input validators over all inputs, answers and examples through the output validator; every submission of the jury against what is expected of it, for every group and score; the time limit, calibrated where none is given, with its margin on both sides; what the test data miss.

Examples:
  judge problem verify aplusb
  judge problem verify --watch aplusb                       while it is written
  judge problem verify -s 'wrong_answer/*' --no-inputs aplusb.zip
  judge problem verify --json contest/ | jq 'select(.findings) | .findings[]'

Needs root and Docker, as judge run does. A server does the same after each upload: judge problem import --wait.

Exit code 0: nothing is worse than a warning; 1: we failed; 2: a flag or path cannot be used; 3: a package has errors.`
}

// Run verifies one package after the other.
func (c *problemVerifyCmd) Run(a *app) (err error) {
	paths, err := c.paths()
	if err != nil {
		return err
	}
	st, err := a.openStation(c.Slots, runner.PerRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(a.ctx)) }()
	s := &verifySession{problemVerifyCmd: c, app: a, station: st, memo: verify.NewMemo()}
	if c.Watch {
		return s.watch(paths)
	}
	return s.all(paths)
}

// paths are the packages that the arguments name.
func (c *problemVerifyCmd) paths() ([]string, error) {
	if n := runtime.NumCPU(); c.Slots < 0 || c.Slots > n {
		return nil, badInput{fmt.Errorf("--slots %d: a slot is a core, and judge may use %d", c.Slots, n)}
	}
	if d := time.Duration(c.TimeLimit); d > judge.MaxCPU {
		return nil, badInput{fmt.Errorf("--time-limit %v: at most %v", d, judge.MaxCPU)}
	}
	for _, glob := range c.Submission {
		if _, err := path.Match(glob, ""); err != nil {
			return nil, badInput{fmt.Errorf("--submission %q: is no pattern (%w); * is anything within a name", glob, err)}
		}
	}
	var paths []string
	for _, p := range c.Packages {
		below, err := packagesIn(p)
		if err != nil {
			return nil, badInput{err}
		}
		paths = append(paths, below...)
	}
	return paths, nil
}

// verifySession is what verifying several packages, or one several times, shares.
type verifySession struct {
	*problemVerifyCmd

	app     *app
	station *station
	memo    *verify.Memo
}

// all verifies packages, those after a bad one too.
func (s *verifySession) all(paths []string) error {
	bad := false
	var ours, refused error
	for _, p := range paths {
		ok, err := s.one(s.app.ctx, p)
		switch {
		case s.app.ctx.Err() != nil:
			return s.app.ctx.Err()
		case isBadInput(err):
			refused = err
		case err != nil:
			ours = err
		}
		if err != nil {
			s.app.say(fmt.Errorf("%s: %w", p, err), s.JSON)
		}
		bad = bad || !ok
	}
	switch {
	case ours != nil:
		return exitCode(exitFailed)
	case refused != nil:
		return exitCode(exitInput)
	case bad:
		return exitCode(exitFindings)
	}
	return nil
}

// one verifies a package and tells of it; ok: it has no errors.
func (s *verifySession) one(ctx context.Context, at string) (ok bool, err error) {
	p, err := problems.Open(at, problems.Options{})
	if wrong, unreadable := errors.AsType[*problems.ReadError](err); unreadable {
		out := s.newReport(problemAt(at), &judge.Problem{})
		return false, out.finish(&verify.Report{Findings: wrong.Findings})
	}
	if err != nil {
		return false, readable(err)
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	problem := p.Problem
	if problem.Version, err = p.Version(); err != nil {
		return false, err
	}
	if d := time.Duration(s.TimeLimit); d > 0 {
		problem.Limits.CPU, problem.Limits.Wall, problem.TimeLimitSet = d, 0, true
	}
	if err := s.need(&problem); err != nil {
		return false, err
	}
	out := s.newReport(problem.Name, &problem)
	defer out.end()
	g := &juryGrader{station: s.station, data: p, prefer: s.Prefer, slots: s.Slots, name: problem.Name + "/"}
	if s.Transcript != "" {
		g.on = (&transcripts{dir: s.Transcript, problem: problem.Name, say: s.app.notef}).event
		g.transcripts, g.outputs = grader.AllTranscripts, grader.KeepBeginnings
	}
	report, err := verify.Run(ctx, verify.Config{
		Problem: &problem, Findings: p.Findings, Grader: s.memo.Grader(g, problem.Version, digests(p)),
		Open: func(b judge.Blob) (io.ReadCloser, error) { return p.Open(b) },
		Skip: map[verify.Part]bool{
			verify.Inputs: s.NoInputs, verify.Answers: s.NoAnswers, verify.Submissions: s.NoSubmissions,
			verify.Strength: s.NoStrength || s.NoSubmissions || len(s.Submission) > 0,
		},
		Only: s.only, All: s.All, Parallel: s.station.sandbox.Slots() + 1, Machine: machineName(s.station.sandbox.Slots()), On: out.event,
	})
	if err != nil {
		return false, err
	}
	return report.OK(), out.finish(report)
}

// problemAt is the name for a package that cannot be read.
func problemAt(at string) string {
	if p, err := packageAt(at); err == nil {
		return p.name
	}
	return at
}

// only reports whether a submission is to be judged.
func (s *verifySession) only(name string) bool {
	return len(s.Submission) == 0 || slices.ContainsFunc(s.Submission, func(glob string) bool {
		for _, at := range []string{name, path.Base(name), strings.SplitN(name, "/", 2)[0]} {
			if ok, _ := path.Match(glob, at); ok {
				return true
			}
		}
		return false
	})
}

// need says at once which images the submissions lack.
func (s *verifySession) need(p *judge.Problem) error {
	if s.NoSubmissions || p.SubmitAnswer {
		return nil
	}
	var jobs []*job
	for i := range p.Jury {
		if j := &p.Jury[i]; s.only(j.Name) {
			lang, _ := s.station.languages.Detect(j.Files, s.Prefer, j.Language) // what has none is a finding
			jobs = append(jobs, &job{language: lang})
		}
	}
	return s.station.need(jobs)
}

// machineName says where times are measured.
func machineName(slots int) string {
	name, err := os.Hostname()
	if err != nil {
		name = "this machine"
	}
	return fmt.Sprintf("%s, %d slots, %s", name, slots, processorName())
}

// processorName is the processor's by its own word.
var processorName = sync.OnceValue(func() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return runtime.GOARCH
})

// transcripts writes what was said in interactive runs.
type transcripts struct {
	dir, problem string
	say          func(format string, args ...any)
}

func (t *transcripts) event(s *judge.JurySubmission, e grader.Event) {
	if e.Run == nil || e.Run.Output == nil {
		return
	}
	if err := t.write(s, e.Run); err != nil {
		t.say("judge: write transcript: %v\n", err)
	}
}
