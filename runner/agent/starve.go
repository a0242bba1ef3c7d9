package agent

import (
	"os"
	"strconv"
	"strings"
)

// MaxStretch bounds by what factor a wall limit is stretched for a run that
// others kept from its core.
const MaxStretch = 10

// starved is for how long, in ns, the living processes of the run could have run
// and did not get the core: that is this machine's doing, and does not count
// towards the wall limit. The kernel keeps it for each thread (run_delay, the
// second number of schedstat). Threads that wait for each other wait too, so what
// this says is bounded by the time in which the run used no CPU.
//
// It is asked only when the wall limit is reached.
func starved(wall, cpu int64) int64 {
	var sum int64
	processes, _ := os.ReadDir("/proc")
	for _, p := range processes {
		if pid, err := strconv.Atoi(p.Name()); err != nil || pid == 1 {
			continue
		}
		threads, _ := os.ReadDir("/proc/" + p.Name() + "/task")
		for _, t := range threads {
			sum += runDelay("/proc/" + p.Name() + "/task/" + t.Name() + "/schedstat")
		}
	}
	return max(0, min(sum, wall-cpu))
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
