package agent

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// MaxStretch bounds by what factor a wall limit is stretched for a run that
// others kept from its core.
const MaxStretch = 10

// grace is what does not count towards a run's wall limit, in ns. It is asked
// only when the limit is reached.
type grace struct {
	starved int64 // time without the core
	waited  int64 // given for waits for the disk and for the kernel
	read    int64 // bytes that the run had fetched from disks when last asked
}

func (g *grace) total() int64 { return g.starved + g.waited }

// look finds out for how long the living processes of the run could have run and
// did not get the core: the kernel keeps it for each thread (run_delay, the second
// number of schedstat). Threads of a run that wait for each other wait too, which
// only makes a limit that is about sleeping more generous.
//
// Programs write to no disk, and what they read from one is their interpreter,
// which this machine had in memory and has dropped. How long that takes the
// kernel does not say: as long as more is being read, half a limit is given.
//
// The same is given while the run does nothing but wait inside the kernel where no
// signal reaches it: for locks in fork, exec and exit that others hold while they
// make containers, say. A program can put itself there by vfork, but then another
// process of its own sleeps, or has the core.
func (a *agent) look(g *grace, wall, cpu, limit int64) {
	var delay, read int64
	var states threadStates
	processes, _ := os.ReadDir("/proc")
	for _, p := range processes {
		if pid, err := strconv.Atoi(p.Name()); err != nil || pid == 1 {
			continue
		}
		dir := "/proc/" + p.Name()
		threads, _ := os.ReadDir(dir + "/task")
		for _, t := range threads {
			delay += runDelay(dir + "/task/" + t.Name() + "/schedstat")
			states.count(dir + "/task/" + t.Name() + "/stat")
		}
		read += a.fetched(dir + "/io")
	}
	g.starved = max(0, min(delay, wall-cpu))
	if read > g.read || states.onlyWaiting() {
		g.waited += limit / 2
	}
	g.read = read
}

// threadStates counts the living threads of a run by what they do.
type threadStates struct{ waiting, others int }

// count reads the state from a thread's stat: D, waiting and not interruptible, or
// another. It stands after the program's name, which may hold anything.
func (s *threadStates) count(path string) {
	b, _ := os.ReadFile(path) // a thread that has just ended is none of the living
	i := bytes.LastIndexByte(b, ')')
	if i < 0 || len(b) < i+3 {
		return
	}
	switch b[i+2] {
	case 'D':
		s.waiting++
	case 'Z', 'X', 'R': // has ended; or is owed what run_delay says
	default:
		s.others++
	}
}

func (s threadStates) onlyWaiting() bool { return s.waiting > 0 && s.others == 0 }

// fetched is how many bytes a process had read from disks. Only its own user is
// told.
func (a *agent) fetched(path string) (n int64) {
	_ = a.asRun(func() error { // a process that has just ended is none of the living
		b, err := os.ReadFile(path)
		if _, after, ok := strings.Cut(string(b), "\nread_bytes: "); ok {
			n, _ = leadingNumber([]byte(after))
		}
		return err
	})
	return n
}

func runDelay(path string) int64 {
	b, _ := os.ReadFile(path) // a thread that has just ended is none of the living
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(f[1], 10, 64)
	return n
}
