// Package runner is the contract of the sandbox: slots, boxes, commands, limits
// and results. Package runner/docker implements it, runner/runnertest is its
// test suite. It knows nothing of verdicts, problems or languages.
//
// An error from any method means that the sandbox failed, and that the same
// work may succeed in another box. What a program did is in its Result.
package runner

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// Sandbox hands out slots. Its methods may be called by many goroutines.
type Sandbox interface {
	// Slots is how many slots there are.
	Slots() int
	// Acquire waits for an idle slot.
	Acquire(ctx context.Context) (Slot, error)
	// TryAcquire takes an idle slot if there is one and nobody waits for it.
	TryAcquire() (Slot, bool)
	// Close removes every box. Slots must have been released.
	Close(ctx context.Context) error
}

// Slot is one core's worth of judging. It belongs to who acquired it until
// Release; its boxes are pinned to its core. Not for concurrent use, but for
// running boxes that talk to each other.
type Slot interface {
	// CPU is the number of the core.
	CPU() int
	// Pin ties the calling goroutine to the slot's core until unpin is called
	// on the same goroutine. The judge's end of a run then wakes up where the
	// program has just ended, which saves a wake-up of another core (seen: a
	// fifth of a short run). Use it in the goroutine that runs the boxes.
	Pin() (unpin func())
	// Box takes a clean box, warm where the pool has one.
	Box(ctx context.Context, spec Spec) (Box, error)
	// Release gives the slot back. Boxes must have been released or discarded.
	Release()
}

// Class is what a box is for. A box never changes its class.
type Class string

// The classes of boxes.
const (
	Compile   Class = "compile"
	Run       Class = "run"
	Jury      Class = "jury"
	Workspace Class = "workspace"
)

// Isolation says what may reuse a box.
type Isolation string

// The modes of isolation. PerRun reuses a wiped box, PerSubmission gives each
// Tenant a box that nobody used before and nobody will use after.
const (
	PerRun        Isolation = "run"
	PerSubmission Isolation = "submission"
)

// Spec says which box is wanted.
type Spec struct {
	Image     string     // image id or reference
	Class     Class      //
	Isolation Isolation  // empty: PerRun
	Tenant    string     // who the box may be shared within: for Jury the problem version, under PerSubmission the submission
	Warmup    [][]string // run once when the box is new, outside all accounting
	Env       []string   // of the warm-up
}

// Dir is one of the two folders of a box that files are put into.
type Dir byte

// The folders of a box. Work is a program's working folder, new for each run,
// writable. Program holds what is run; runs cannot write there.
const (
	Work    Dir = 'w'
	Program Dir = 'p'
)

// Paths of the folders inside a box. A run starts in WorkPath.
const (
	ProgramPath = "/box/p"
	WorkPath    = "/box/w"
)

// File is what Put writes: Data, or what Source holds from its start. With
// os.ModeDir in Mode it is an empty folder, and the program may write to it
// where the mode says so. Folders above a name are made as needed.
type File struct {
	Name   string // slash-separated, relative, without . and ..
	Mode   os.FileMode
	Data   []byte
	Source *os.File
}

// Box is one warm container. Not for concurrent use. After an error only
// Discard is of use, but for fs.ErrNotExist from Get, which changes nothing.
type Box interface {
	// Put writes files into dir. What is put into Work is there for the next
	// Run only, unless that run keeps its files.
	Put(ctx context.Context, dir Dir, files ...File) error
	// Unpack writes the files of a tar that Pack made into dir.
	Unpack(ctx context.Context, dir Dir, tar *os.File) error
	// Pack writes a tar of the regular files in Work whose path or base name
	// matches one of the patterns (path.Match) to w. ErrTooLarge when they
	// have more than max bytes together.
	Pack(ctx context.Context, patterns []string, max int64, w io.Writer) error
	// Get reads a file below Work; ErrTooLarge when it has more than max bytes,
	// fs.ErrNotExist when there is none or when it is not a regular file of one
	// link.
	Get(ctx context.Context, name string, max int64) ([]byte, error)
	// Run runs one command. When ctx is done the run is killed and the error is
	// the context's.
	Run(ctx context.Context, cmd *Command) (Result, error)
	// Clear removes what Put and Run left in Work and in other places that runs
	// can write to, and leaves Program.
	Clear(ctx context.Context) error
	// Wipe removes all files and everything else that runs left behind,
	// Program included. An error means that the box cannot be proven clean.
	Wipe(ctx context.Context) error
	// Release wipes the box and gives it back to the pool.
	Release()
	// Discard destroys the box.
	Discard()
}

// Command is one run.
type Command struct {
	Args []string // Args[0] is a path: absolute, or relative to the working folder
	Env  []string // the whole environment

	// Stdin is handed to the program; nil is /dev/null. A regular file must be
	// mode 0444 and opened for this run only.
	Stdin *os.File
	// Stdout and Stderr: an *os.File is handed to the program itself; to any
	// other Writer the program's bytes are given as they come, by one goroutine
	// at a time; nil is /dev/null. An error of the Writer ends the run as an
	// error of Run.
	Stdout, Stderr io.Writer

	Limits Limits
	// Keep leaves the files in Work for Get, Pack and the next Run.
	Keep bool
	// Dir is the working folder: Work, or Program for a program that wants its
	// own files around it. The zero value is Work.
	Dir Dir
	// Handed, if not nil, is called once Stdin, Stdout and Stderr have been handed
	// over. Whoever closes its own ends of pipes then leaves them to the programs
	// alone: the other side is told at once when a program closes its end.
	Handed func()
}

// Limits bound one run. Zero means none, except where it says otherwise.
type Limits struct {
	CPU       time.Duration // CPU time of all processes at which the run is stopped
	Wall      time.Duration // elapsed time at which the run is stopped, less what others kept it from its core; required
	Memory    int64         // bytes
	Output    int64         // bytes of Stdout and, counted apart, of Stderr, where they are not files
	Processes int           // processes and threads at once; required
}

// Limit names the limit that stopped a run.
type Limit string

// The limits that can stop a run, or make it fail.
const (
	LimitNone      Limit = ""
	LimitCPU       Limit = "cpu"
	LimitWall      Limit = "wall"
	LimitMemory    Limit = "memory" // the kernel killed a process of the run
	LimitOutput    Limit = "output"
	LimitProcesses Limit = "processes" // a fork was refused; the run was not stopped
)

// Result is what a program did. All its processes are dead.
type Result struct {
	ExitCode int            // where Signal is 0
	Signal   syscall.Signal // that ended the main process; 0 when it exited
	Limit    Limit
	Exec     syscall.Errno // not 0: execve refused the program, nothing ran

	CPU        time.Duration // user and system time of all processes
	Wall       time.Duration
	Memory     int64 // bytes, peak of the run's cgroup, MemoryBase included
	MemoryBase int64 // bytes in the cgroup before the run
	OOMKills   int   // processes of the run that the kernel killed for memory

	// Worn: the box has had its time, because of what runs left in its cgroup
	// or of their number. Release it and take another: the memory of a next run
	// would be told wrong.
	Worn bool

	Stdout int64 // bytes given to Stdout; at most the limit + 1
	Stderr int64
}

// ErrTooLarge is wrapped when what was asked for is larger than the given
// maximum.
var ErrTooLarge = errors.New("too large")

// ErrUnavailable is wrapped when an image is missing, the engine does not answer
// or a limit is above what boxes may have here: another box would fail too.
var ErrUnavailable = errors.New("sandbox unavailable")
