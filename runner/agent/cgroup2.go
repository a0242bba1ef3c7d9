package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// cgroup2 is run/ on cgroup v2. The agent stays in agent/ with all its threads;
// children are born in run/ by CLONE_INTO_CGROUP.
//
// From Linux 6.12 on memory.peak can be reset through the descriptor that reads
// it; before, each run gets a fresh run/.
type cgroup2 struct {
	own   string
	dir   int
	fresh bool // peak cannot be reset

	current, peak, limit, swap, events control
	stat                               control
	pids, pidsMax, pidsEvents          control
	cpu0, oom0, fork0, base            int64
	memory                             int64
	processes                          int32
}

func newCgroup2(name string) *cgroup2 {
	return &cgroup2{own: filepath.Join(CgroupPath, name)}
}

func (c *cgroup2) enter() error {
	if err := makeLeaves(c.own); err != nil {
		return err
	}
	control := filepath.Join(c.own, "cgroup.subtree_control")
	if err := os.WriteFile(control, []byte("+memory +pids"), 0); err != nil {
		return fmt.Errorf("delegate controllers: %w", err)
	}
	if err := c.open(); err != nil {
		return err
	}
	c.fresh = c.peak.writeBytes([]byte("0")) != nil
	return nil
}

// open opens run/ and its files. memory.peak is opened for reading alone where
// it cannot be written.
func (c *cgroup2) open() (err error) {
	run := filepath.Join(c.own, "run")
	if c.dir, err = unix.Open(run, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
		return fmt.Errorf("open %s: %w", run, err)
	}
	err = openControls(run, map[string]*control{
		"rmemory.current": &c.current, "wmemory.max": &c.limit, "rmemory.events": &c.events,
		"rcpu.stat": &c.stat, "rpids.current": &c.pids, "wpids.max": &c.pidsMax, "rpids.events": &c.pidsEvents,
	})
	if err != nil {
		return err
	}
	if c.peak, err = openControl(run, "memory.peak", unix.O_RDWR); err != nil {
		if c.peak, err = openControl(run, "memory.peak", unix.O_RDONLY); err != nil {
			return err
		}
	}
	if c.swap, err = openControl(run, "memory.swap.max", unix.O_WRONLY); err == nil {
		err = c.swap.write(0)
		c.swap.close()
	} else {
		err = nil // no swap accounting, which the judge allows only where there is no swap
	}
	c.memory, c.processes = 0, 0
	return err
}

func (c *cgroup2) renew() error {
	for _, f := range []control{c.current, c.peak, c.limit, c.events, c.stat, c.pids, c.pidsMax, c.pidsEvents} {
		f.close()
	}
	_ = unix.Close(c.dir)
	run := filepath.Join(c.own, "run")
	if err := unix.Rmdir(run); err != nil {
		return fmt.Errorf("remove %s: %w", run, err)
	}
	if err := os.Mkdir(run, groupMode); err != nil {
		return fmt.Errorf("make cgroup: %w", err)
	}
	return c.open()
}

func (c *cgroup2) fd() int { return c.dir }

func (c *cgroup2) begin(memory int64, processes int32) (err error) {
	if c.fresh {
		err = c.renew()
	} else {
		err = c.peak.writeBytes([]byte("0"))
	}
	if err != nil {
		return err
	}
	if memory != c.memory {
		if err := c.limit.writeBytes(limitText(memory)); err != nil {
			return err
		}
		c.memory = memory
	}
	if processes != c.processes {
		if err := c.pidsMax.writeBytes(limitText(int64(processes))); err != nil {
			return err
		}
		c.processes = processes
	}
	return c.start()
}

func (c *cgroup2) start() (err error) {
	if c.base, err = c.current.number(); err != nil {
		return err
	}
	if c.oom0, err = c.events.field("oom_kill"); err != nil {
		return err
	}
	if c.fork0, err = c.pidsEvents.field("max"); err != nil {
		return err
	}
	c.cpu0 = 0
	c.cpu0, err = c.cpu()
	return err
}

func limitText(n int64) []byte {
	if n == 0 {
		return []byte("max")
	}
	return strconv.AppendInt(nil, n, 10)
}

// cpu: cpu.stat counts in µs.
func (c *cgroup2) cpu() (int64, error) {
	us, err := c.stat.field("usage_usec")
	return us*1000 - c.cpu0, err
}

func (c *cgroup2) left() (int64, error) { return c.current.number() }

func (c *cgroup2) others() (int, error) {
	n, err := c.pids.number()
	return int(n), err
}

func (c *cgroup2) end(r *Reply) (err error) {
	if r.CPU, err = c.cpu(); err != nil {
		return err
	}
	if r.Memory, err = c.peak.number(); err != nil {
		return err
	}
	r.Base = c.base
	oom, err := c.events.field("oom_kill")
	if err != nil {
		return err
	}
	r.OOMKills = uint32(oom - c.oom0)
	forks, err := c.pidsEvents.field("max")
	if err != nil {
		return err
	}
	if forks != c.fork0 && r.Limit == LimitNone {
		r.Limit = LimitProcesses
	}
	return nil
}
