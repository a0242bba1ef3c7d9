package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"golang.org/x/term"

	"judge/judge"
	"judge/judge/grader"
	"judge/problems"
	"judge/runner/docker"
)

// The exit codes of all commands but check, whose codes are an output
// validator's.
const (
	exitOK     = 0
	exitFailed = 1 // we failed
	exitInput  = 2 // what we were given cannot be used
)

// cli is the command line: one field for each command.
type cli struct {
	globals

	Run       runCmd       `cmd:"" help:"Judge local sources, or a package's own submissions."`
	Check     checkCmd     `cmd:"" help:"Compare an output with an answer: the default output validator."`
	Images    imagesCmd    `cmd:"" help:"Build and list the images that programs run in."`
	Languages languagesCmd `cmd:"" help:"List the languages with their commands, flags and versions, and try them."`
	Doctor    doctorCmd    `cmd:"" help:"Look at this machine: what is missing, and how to mend it."`
	Sweep     sweepCmd     `cmd:"" help:"Remove what killed judges have left: containers, sockets, cgroups."`
	Worker    workerCmd    `cmd:"" help:"Judge what is queued in a database: grading only, on as many machines as you like."`
	Serve     serveCmd     `cmd:"" help:"Run the whole service on this machine: database, API, worker, scheduled jobs."`
	API       apiCmd       `cmd:"" name:"api" help:"Answer HTTP and nothing else, as any user; judge serve starts one by itself."`
	Migrate   migrateCmd   `cmd:"" help:"Bring the database's schema to this build's version."`
	Token     tokenCmd     `cmd:"" help:"Make, list and revoke tokens of the API, on the server."`
	Jobs      jobsCmd      `cmd:"" help:"List scheduled jobs, and run one by hand, on the server."`
	Backup    backupCmd    `cmd:"" help:"Write database and test data to one file."`
	Restore   restoreCmd   `cmd:"" help:"Put a backup into an empty database."`
	Problem   problemCmd   `cmd:"" help:"Make problem packages and take them to a server."`
	Contest   contestCmd   `cmd:"" help:"Make and run contests: clock, rules, problems, contestants."`
	Submit    submitCmd    `cmd:"" help:"Hand sources in at a server, and see their verdicts."`
	Webhook   webhookCmd   `cmd:"" help:"Have endpoints told of events, and see what they answered."`
	Rejudge   rejudgeCmd   `cmd:"" help:"Judge submissions once more, see what would change, and apply it."`
	Board     boardCmd     `cmd:"" help:"Show a contest's board; --watch stays, and shows each change."`
	Bench     benchCmd     `cmd:"" help:"Measure this machine: cost and accuracy of boxes."`
	Deploy    deployCmd    `cmd:"" help:"Print what operators need elsewhere: systemd units, alerts, a dashboard."`
	Ready     readyCmd     `cmd:"" help:"Ask a running service whether it is ready."`
	Version   versionCmd   `cmd:"" help:"Say which build this is."`

	Completion kongcompletion.Completion `cmd:"" help:"Say how the shell completes judge's commands: bash, zsh, fish."`
}

const description = `An online-judge grading engine: source in, verdict out.

Compiles and runs submissions in sandboxed containers against the test cases of
a problem package. Durations are like 1.5s, 300ms or 2 (seconds); CPU time is
what limits are about; sizes are in bytes or MiB, as written.

Every flag can also be given as JUDGE_FLAG_NAME in the environment or as
flag_name in /etc/judge/judge.yaml (or the file that JUDGE_CONFIG names); the
command line goes first, the file last.

Begin with:
  judge doctor
  judge images build
  judge run --problem testcases/samples/aplusb solution.cpp`

// globals are the flags of every command.
type globals struct {
	Data     string `default:"/var/lib/judge" placeholder:"DIR" help:"What must not be lost (${default})."`
	CacheDir string `default:"${cache_dir}" placeholder:"DIR" help:"What can be made again: executables, versions (${default})."`
	Verbose  bool   `short:"v" help:"Tell more on standard error."`
}

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// app is what a command works with.
type app struct {
	streams
	globals

	ctx    context.Context
	config string // path of the configuration file
}

// execute runs the command that args name, and returns its exit code.
func execute(ctx context.Context, args []string, std streams) int {
	return (&app{streams: std, ctx: ctx, config: cmp.Or(os.Getenv(configEnv), configPath)}).execute(args)
}

func (a *app) execute(args []string) int {
	var c cli
	helped := false
	config := &configFile{path: a.config}
	parser, err := kong.New(&c, append(grammar(config), kong.Writers(a.out, a.err), kong.Exit(func(int) { helped = true }))...)
	if err != nil {
		return a.fail(fmt.Errorf("read command line: %w", err), false)
	}
	// A shell that asks what could come next sets COMP_LINE.
	if kongcompletion.Register(parser); helped {
		return exitOK
	}
	asJSON := slices.Contains(args, "--json")
	if err := config.read(parser.Model); err != nil {
		return a.fail(badInput{err}, asJSON)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if helped {
		return exitOK
	}
	if err != nil {
		return a.fail(badInput{fmt.Errorf("%w (see judge --help)", err)}, asJSON)
	}
	a.globals = c.globals
	return a.fail(command.Run(a), asJSON)
}

// grammar is how a command line, the environment and a file are read.
func grammar(config *configFile) []kong.Option {
	return []kong.Option{
		kong.Name("judge"), kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{"cache_dir": docker.DefaultCacheDir},
		kong.TypeMapper(reflect.TypeFor[seconds](), kong.MapperFunc(decodeSeconds)),
		kong.DefaultEnvars("JUDGE"),
		kong.Resolvers(config),
	}
}

// fail says what went wrong, if anything, and returns the exit code for it.
func (a *app) fail(err error, asJSON bool) int {
	var code exitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case a.ctx.Err() != nil:
		err = errors.New("interrupted")
	}
	a.say(err, asJSON)
	if isBadInput(err) {
		return exitInput
	}
	return exitFailed
}

// say tells of an error, without ending anything.
func (a *app) say(err error, asJSON bool) {
	if asJSON {
		_ = jsonLines(a.err).Encode(map[string]string{"error": err.Error()}) // there is nowhere else to say it
		return
	}
	a.notef("judge: %v\n", err)
}

// notef writes to standard error.
func (a *app) notef(format string, args ...any) {
	_, _ = fmt.Fprintf(a.err, format, args...) // there is nowhere else to say it
}

func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.Verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}

// exitCode ends a command that has said all there is to say.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// badInput is the fault of who called.
type badInput struct{ error }

func (b badInput) Unwrap() error { return b.error }

func isBadInput(err error) bool {
	var b badInput
	var r *problems.ReadError
	return errors.As(err, &b) || errors.As(err, &r) || errors.Is(err, judge.ErrSource) ||
		errors.Is(err, grader.ErrProblem) || errors.Is(err, grader.ErrOptions)
}

// terminal reports whether w is one.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colours reports whether w is to be coloured (no-color.org).
func colours(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && !strings.EqualFold(os.Getenv("TERM"), "dumb")
}
