// Command seccomp is run inside a container by a test of the container's seccomp
// profile. It makes the system calls given as JSON in its first argument, starts
// the programs that follow, and writes what came of each.
package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

type call struct {
	Nr   uintptr
	Args [6]uintptr
}

type answer struct {
	Errnos   []int
	Statuses []string // of the programs
}

func main() {
	var calls []call
	if err := json.Unmarshal([]byte(os.Args[1]), &calls); err != nil {
		os.Exit(2)
	}
	threads()
	var a answer
	for _, c := range calls {
		_, _, errno := syscall.RawSyscall6(c.Nr, c.Args[0], c.Args[1], c.Args[2], c.Args[3], c.Args[4], c.Args[5])
		a.Errnos = append(a.Errnos, int(errno))
	}
	for _, name := range os.Args[2:] {
		cmd := exec.Command(name)
		_ = cmd.Run() // what came of it is in the state
		a.Statuses = append(a.Statuses, cmd.ProcessState.String())
	}
	if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
		os.Exit(3)
	}
}

// threads makes the runtime start some: a profile that refuses it kills us here.
func threads() {
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			runtime.LockOSThread()
			_ = syscall.Nanosleep(&syscall.Timespec{Nsec: 1e6}, nil)
		})
	}
	wg.Wait()
}
