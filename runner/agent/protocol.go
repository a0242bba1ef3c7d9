package agent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// MaxMessage bounds one message, in bytes: of the request with all arguments
// and the environment, and of the answer. The kernel's default send buffer
// (net.core.wmem_default, 212,992 bytes) holds it.
const MaxMessage = 64 << 10

// Verb is what the judge asks for.
type Verb byte

// The verbs. Every verb but Kill is answered by one Reply.
const (
	VerbInit   Verb = 'i' // Init; first and once
	VerbRun    Verb = 'r' // Run; descriptors: those that its flags name
	VerbKill   Verb = 'k' // while a run is on: end it; else ignored
	VerbPut    Verb = 'p' // FileOp; descriptor: the bytes
	VerbUnpack Verb = 'u' // FileOp; descriptor: the tar
	VerbPack   Verb = 'a' // FileOp; descriptor: a pipe for the tar
	VerbGet    Verb = 'g' // FileOp; descriptor: a pipe for the bytes
	VerbClear  Verb = 'c' // no body: what runs could write goes
	VerbWipe   Verb = 'w' // no body: everything that runs and puts have left goes
)

// Init tells the agent what it is to find. Strings are joined for the wire, so
// none of them may hold a NUL.
type Init struct {
	Cgroup  string     // name of the container's own cgroup below CgroupPath
	Unified bool       // cgroup v2
	UID     int        // of runs
	Env     []string   // of the warm-up
	Warmup  [][]string // commands to run once, outside every run's accounting
}

// Flags of a run.
const (
	FlagStdin uint32 = 1 << iota
	FlagStdout
	FlagStderr
	FlagKeep
	FlagInProgram // working folder is ProgramPath
)

// Run is the request for one run. Times are in ns, memory in bytes.
type Run struct {
	Flags     uint32
	CPU       int64 // 0: none
	Wall      int64 // 0: none
	Memory    int64 // 0: none
	Processes int32 // 0: none
	Args, Env []string
}

// FileOp is the request of the verbs on files.
type FileOp struct {
	Dir      byte   // 'w' or 'p', as runner.Dir
	Name     []byte // relative, of any bytes; a final slash asks Put for a folder
	Mode     uint32 // permission bits
	Max      int64  // bytes
	Patterns []string
}

// Status is how a verb ended.
type Status byte

// Statuses. Failed means that the box is not to be trusted any more.
const (
	OK Status = iota
	Failed
	NotExist // Get
	TooLarge // Get, Pack, Put
	Refused  // run: execve failed with Result.Exec
)

// Limits that ended a run, in Result.Limit.
const (
	LimitNone byte = iota
	LimitCPU
	LimitWall
	LimitProcesses // a fork was refused; the run went on
	LimitKilled    // by VerbKill
)

// Reply answers every verb; the figures are a run's.
type Reply struct {
	Status   Status
	Limit    byte
	Exec     uint16
	Wait     uint32 // wait status of the main process
	OOMKills uint32
	CPU      int64 // ns
	Wall     int64 // ns
	Memory   int64 // bytes
	Base     int64 // bytes in run/ before
	Left     int64 // bytes in run/ after a wipe: Clear's, Wipe's, or that of a run that keeps nothing
	Message  string
}

var errMessage = errors.New("malformed message")

const runHeader = 1 + 4 + 8 + 8 + 8 + 4 + 2 + 2

// AppendRun appends the message of a run to b.
func AppendRun(b []byte, r *Run) ([]byte, error) {
	if len(r.Args) == 0 {
		return nil, errors.New("encode run: no arguments: the first is the program's path")
	}
	le := binary.LittleEndian
	b = append(b, byte(VerbRun))
	b = le.AppendUint32(b, r.Flags)
	b = le.AppendUint64(b, uint64(r.CPU))
	b = le.AppendUint64(b, uint64(r.Wall))
	b = le.AppendUint64(b, uint64(r.Memory))
	b = le.AppendUint32(b, uint32(r.Processes))
	b = le.AppendUint16(b, uint16(len(r.Args)))
	b = le.AppendUint16(b, uint16(len(r.Env)))
	for _, list := range [][]string{r.Args, r.Env} {
		for _, s := range list {
			if strings.IndexByte(s, 0) >= 0 {
				return nil, fmt.Errorf("encode run: NUL in %q", s)
			}
			b = append(append(b, s...), 0)
		}
	}
	return b, checkSize(b)
}

func checkSize(b []byte) error {
	if len(b) > MaxMessage {
		return fmt.Errorf("encode message: %d bytes, at most %d fit (arguments and environment are too long)", len(b), MaxMessage)
	}
	return nil
}

// runRequest is a run as it lies in the received message: no copies are made.
type runRequest struct {
	flags             uint32
	cpu, wall, memory int64
	processes         int32
	argc, envc        int
	strings           []byte // argc + envc strings, each ended by a NUL
}

func parseRun(b []byte) (r runRequest, err error) {
	if len(b) < runHeader {
		return r, errMessage
	}
	le := binary.LittleEndian
	r.flags = le.Uint32(b[1:])
	r.cpu = int64(le.Uint64(b[5:]))
	r.wall = int64(le.Uint64(b[13:]))
	r.memory = int64(le.Uint64(b[21:]))
	r.processes = int32(le.Uint32(b[29:]))
	r.argc = int(le.Uint16(b[33:]))
	r.envc = int(le.Uint16(b[35:]))
	r.strings = b[runHeader:]
	n := 0
	for _, c := range r.strings {
		if c == 0 {
			n++
		}
	}
	if r.argc == 0 || n != r.argc+r.envc || (n > 0 && r.strings[len(r.strings)-1] != 0) ||
		r.cpu < 0 || r.wall < 0 || r.memory < 0 || r.processes < 0 {
		return r, errMessage
	}
	return r, nil
}

// AppendReply appends r to b.
func AppendReply(b []byte, r *Reply) []byte {
	le := binary.LittleEndian
	b = append(b, byte(r.Status), r.Limit)
	b = le.AppendUint16(b, r.Exec)
	b = le.AppendUint32(b, r.Wait)
	b = le.AppendUint32(b, r.OOMKills)
	for _, v := range [...]int64{r.CPU, r.Wall, r.Memory, r.Base, r.Left} {
		b = le.AppendUint64(b, uint64(v))
	}
	return append(b, r.Message[:min(len(r.Message), 4096)]...)
}

// ParseReply reads what a box answered. The box is not trusted: figures out of
// range are an error.
func ParseReply(b []byte) (r Reply, err error) {
	const header = 2 + 2 + 4 + 4 + 5*8
	if len(b) < header {
		return r, errMessage
	}
	le := binary.LittleEndian
	r.Status, r.Limit = Status(b[0]), b[1]
	r.Exec = le.Uint16(b[2:])
	r.Wait = le.Uint32(b[4:])
	r.OOMKills = le.Uint32(b[8:])
	for i, p := range [...]*int64{&r.CPU, &r.Wall, &r.Memory, &r.Base, &r.Left} {
		*p = int64(le.Uint64(b[12+8*i:]))
		if *p < 0 {
			return r, errMessage
		}
	}
	if r.Status > Refused || r.Limit > LimitKilled {
		return r, errMessage
	}
	r.Message = string(b[header:])
	return r, nil
}
