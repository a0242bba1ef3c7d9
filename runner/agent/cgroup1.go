package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// cgroup1 is run/ on cgroup v1: three hierarchies, and the spawning thread a
// member of run/ in each.
type cgroup1 struct {
	own map[string]string // controller → the container's cgroup

	usage, peak, limit, oom    control // memory
	swap                       control // memory and swap; file -1 without swap accounting
	cpuUsage                   control
	pids, pidsMax, pidsEvents  control
	memoryLimit                int64
	processes                  int32
	cpu0, thread0, oom0, fork0 int64
	base                       int64
}

// unlimited is what v1 takes for "no limit".
const unlimited = -1

func newCgroup1(name string) *cgroup1 {
	c := &cgroup1{own: map[string]string{}}
	for _, controller := range []string{"memory", "cpuacct", "pids"} {
		c.own[controller] = filepath.Join(CgroupPath, controller, name)
	}
	return c
}

func (c *cgroup1) enter() error {
	for _, own := range c.own {
		if err := makeLeaves(own); err != nil {
			return err
		}
		tasks := filepath.Join(own, "run", "tasks")
		if err := os.WriteFile(tasks, []byte(strconv.Itoa(unix.Gettid())), 0); err != nil {
			return fmt.Errorf("enter run's cgroup: %w", err)
		}
	}
	run := func(controller string) string { return filepath.Join(c.own[controller], "run") }
	c.memoryLimit, c.processes = unlimited, unlimited
	err := openControls(run("memory"), map[string]*control{
		"rmemory.usage_in_bytes": &c.usage, "+memory.max_usage_in_bytes": &c.peak,
		"wmemory.limit_in_bytes": &c.limit, "rmemory.oom_control": &c.oom,
	})
	if err != nil {
		return err
	}
	if c.swap, err = openControl(run("memory"), "memory.memsw.limit_in_bytes", unix.O_WRONLY); err != nil {
		c.swap.file = -1 // without swap accounting there is no swap either: the judge refuses a host that has
	}
	if err := openControls(run("cpuacct"), map[string]*control{"rcpuacct.usage": &c.cpuUsage}); err != nil {
		return err
	}
	err = openControls(run("pids"), map[string]*control{
		"rpids.current": &c.pids, "wpids.max": &c.pidsMax, "rpids.events": &c.pidsEvents,
	})
	if err != nil {
		return err
	}
	if c.oom0, err = c.oom.field("oom_kill"); err != nil {
		return err
	}
	c.fork0, err = c.pidsEvents.field("max")
	return err
}

func (c *cgroup1) fd() int { return -1 }

func (c *cgroup1) begin(memory int64, processes int32) (err error) {
	if memory == 0 {
		memory = unlimited
	}
	if memory != c.memoryLimit {
		if err := c.setMemory(memory); err != nil {
			return err
		}
	}
	if processes != c.processes {
		if err := c.setProcesses(processes); err != nil {
			return err
		}
	}
	if err := c.peak.writeBytes([]byte{'0'}); err != nil {
		return err
	}
	if c.base, err = c.usage.number(); err != nil {
		return err
	}
	c.thread0 = threadTime()
	c.cpu0, err = c.cpuUsage.number()
	return err
}

// setMemory writes both limits in the order that keeps memory ≤ memory+swap.
func (c *cgroup1) setMemory(memory int64) error {
	raised := memory == unlimited || (c.memoryLimit != unlimited && memory > c.memoryLimit)
	order := []control{c.limit, c.swap}
	if raised {
		order = []control{c.swap, c.limit}
	}
	for _, f := range order {
		if f.file < 0 {
			continue
		}
		if err := f.write(memory); err != nil {
			return err
		}
	}
	c.memoryLimit = memory
	return nil
}

// setProcesses allows one more than the run's: this thread lives there too.
func (c *cgroup1) setProcesses(processes int32) error {
	var err error
	if processes == 0 {
		err = c.pidsMax.writeBytes([]byte("max"))
	} else {
		err = c.pidsMax.write(int64(processes) + 1)
	}
	if err == nil {
		c.processes = processes
	}
	return err
}

// cpu: the thread's clock is read first, because that brings the cgroup's
// account of the running thread up to date.
func (c *cgroup1) cpu() (int64, error) {
	t := threadTime()
	u, err := c.cpuUsage.number()
	return max(0, (u-c.cpu0)-(t-c.thread0)), err
}

func (c *cgroup1) left() (int64, error) { return c.usage.number() }

func (c *cgroup1) others() (int, error) {
	n, err := c.pids.number()
	return int(n) - 1, err
}

func (c *cgroup1) end(r *Reply) (err error) {
	if r.CPU, err = c.cpu(); err != nil {
		return err
	}
	if r.Memory, err = c.peak.number(); err != nil {
		return err
	}
	r.Base = c.base
	oom, err := c.oom.field("oom_kill")
	if err != nil {
		return err
	}
	r.OOMKills, c.oom0 = uint32(oom-c.oom0), oom
	forks, err := c.pidsEvents.field("max")
	if err != nil {
		return err
	}
	if forks != c.fork0 && r.Limit == LimitNone {
		r.Limit = LimitProcesses
	}
	c.fork0 = forks
	return nil
}

// threadTime is the calling thread's CPU time in ns.
func threadTime() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return ts.Nano()
}

// monotonic is the time by which runs are measured, in ns.
func monotonic() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}
