package docker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/docker/docker/client"
	"golang.org/x/sys/unix"

	"judge/runner"
)

// Host is what the machine and its engine offer.
type Host struct {
	Engine     string // version
	API        string // version agreed on
	Kernel     string
	Driver     string // cgroup driver: cgroupfs or systemd
	Cgroup     int    // version: 1 or 2
	Memory     int64  // bytes
	CPUs       int
	mounts     map[string]string // controller → mount point; v2: "" → the tree
	everywhere []string          // mount points of all hierarchies
	Faults     []Fault
}

// Fault is something that boxes cannot do without.
type Fault struct {
	What   string
	Remedy string
}

// minimum versions: openat2 and CLONE_INTO_CGROUP came in 5.6 and 5.7,
// close_range in 5.9.
const (
	minKernelMajor = 5
	minKernelMinor = 9
	minAPI         = "1.41"
)

// InspectHost is Inspect on a connection of its own.
func InspectHost(ctx context.Context) (*Host, error) {
	engine, err := Connect(ctx)
	if err != nil {
		return nil, err
	}
	h, err := Inspect(ctx, engine)
	return h, errors.Join(err, engine.Close())
}

// Inspect looks at the host. What is lacking is in Faults; the error is for an
// engine that does not answer.
func Inspect(ctx context.Context, engine *client.Client) (*Host, error) {
	info, err := engine.Info(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: ask the engine: %w", runner.ErrUnavailable, err)
	}
	h := &Host{
		Engine: info.ServerVersion, API: engine.ClientVersion(), Kernel: info.KernelVersion,
		Driver: info.CgroupDriver, Memory: info.MemTotal, CPUs: info.NCPU, Cgroup: 1,
	}
	if info.CgroupVersion == "2" {
		h.Cgroup = 2
	}
	if !slices.ContainsFunc(info.SecurityOptions, func(o string) bool { return strings.Contains(o, "name=seccomp") }) {
		h.fault("the engine has no seccomp", "use a kernel with CONFIG_SECCOMP_FILTER and an engine built with seccomp: boxes are walled by system call filters")
	}
	for _, o := range info.SecurityOptions {
		switch {
		case strings.Contains(o, "name=userns"):
			h.fault("the engine remaps user namespaces", "remove userns-remap from /etc/docker/daemon.json: limits are set on host users")
		case strings.Contains(o, "name=rootless"):
			h.fault("the engine runs rootless", "use an engine of root's: a rootless one cannot give boxes their cgroups")
		}
	}
	if h.Driver != "cgroupfs" && h.Driver != "systemd" {
		h.fault(fmt.Sprintf("the engine's cgroup driver is %q", h.Driver), "use cgroupfs or systemd")
	}
	h.checkKernel()
	h.checkSystemd()
	return h, h.checkCgroups()
}

func (h *Host) fault(what, remedy string) { h.Faults = append(h.Faults, Fault{what, remedy}) }

// Err is nil when nothing is lacking.
func (h *Host) Err() error {
	if len(h.Faults) == 0 {
		return nil
	}
	var all []error
	for _, f := range h.Faults {
		all = append(all, fmt.Errorf("%s: %s", f.What, f.Remedy))
	}
	return fmt.Errorf("%w: this host cannot hold boxes: %w", runner.ErrUnavailable, errors.Join(all...))
}

func (h *Host) checkKernel() {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return
	}
	var major, minor int
	_, _ = fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor)
	if major < minKernelMajor || (major == minKernelMajor && minor < minKernelMinor) {
		h.fault(fmt.Sprintf("the kernel is Linux %d.%d", major, minor),
			fmt.Sprintf("at least %d.%d is needed: openat2, clone into a cgroup, close_range", minKernelMajor, minKernelMinor))
	}
}

// checkCgroups finds the hierarchies where they are mounted.
func (h *Host) checkCgroups() error {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return fmt.Errorf("find cgroups: %w", err)
	}
	defer func() { _ = f.Close() }()
	delegate, err := h.readMounts(f)
	if err != nil {
		return fmt.Errorf("find cgroups: %w", err)
	}
	if h.Cgroup == 2 {
		h.checkUnified(delegate)
	} else {
		h.checkLegacy()
	}
	h.checkWhole()
	return nil
}

// readMounts reads a mountinfo. Of several mounts of one hierarchy the first
// counts, as for dockerd. delegate is whether the v2 tree has nsdelegate.
func (h *Host) readMounts(mountinfo io.Reader) (delegate bool, err error) {
	h.mounts = map[string]string{}
	lines := bufio.NewScanner(mountinfo)
	for lines.Scan() {
		kind, point, options := mountLine(lines.Text())
		switch kind {
		case "cgroup":
			h.everywhere = append(h.everywhere, point)
			for _, o := range options {
				if h.mounts[o] == "" {
					h.mounts[o] = point
				}
			}
		case "cgroup2":
			h.everywhere = append(h.everywhere, point)
			if h.Cgroup == 2 && h.mounts[""] == "" {
				h.mounts[""] = point
				delegate = slices.Contains(options, "nsdelegate")
			}
		}
	}
	return delegate, lines.Err()
}

// mountLine reads a line of mountinfo: the file system's type, where it is
// mounted, and its super options. Parts of a hierarchy that are mounted somewhere
// are not it.
func mountLine(line string) (kind, point string, options []string) {
	before, after, ok := strings.Cut(line, " - ")
	fields, rest := strings.Fields(before), strings.Fields(after)
	if !ok || len(fields) < 5 || len(rest) < 3 || !atTop(fields[3]) {
		return "", "", nil
	}
	return rest[0], fields[4], strings.Split(rest[2], ",")
}

// atTop reports whether what is mounted may be a whole hierarchy. In a cgroup
// namespace of our own, as containers have it on v2, the host's is "/../..", so
// many levels up, and our own cgroup is "/": checkWhole tells them apart.
func atTop(mounted string) bool { return strings.Trim(mounted, "/.") == "" }

// inContainer is the remedy for what a judge in a container lacks of its host.
const inContainer = "a judge in a container needs the host's %s mounted at the same path, read-write; see docker-compose.yml"

// checkWhole: what is mounted must be the hierarchy itself and writable. A
// container that is given nothing else sees its own cgroup there.
func (h *Host) checkWhole() {
	for _, point := range h.hierarchy("", 0).controllers() {
		switch {
		case point == "": // said already
		case !whole(point, h.Cgroup):
			h.fault("a part of the cgroup hierarchy is mounted at "+point, fmt.Sprintf(inContainer, "/sys/fs/cgroup"))
		case unix.Access(point, unix.W_OK) != nil:
			h.fault(point+" cannot be written to", fmt.Sprintf(inContainer, "/sys/fs/cgroup"))
		}
	}
}

// whole tells by a file that only the root of a hierarchy has (v1), or that only
// it lacks (v2).
func whole(point string, version int) bool {
	if version == 2 {
		_, err := os.Lstat(filepath.Join(point, "cgroup.type"))
		return errors.Is(err, os.ErrNotExist)
	}
	_, err := os.Lstat(filepath.Join(point, "cgroup.sane_behavior"))
	return err == nil
}

// checkSystemd: with its driver, systemd has to be told of slices.
func (h *Host) checkSystemd() {
	if h.Driver != "systemd" {
		return
	}
	if _, err := exec.LookPath("systemctl"); err != nil {
		h.fault("the engine's cgroup driver is systemd, and there is no systemctl", "install systemd's systemctl, also in a container that judges")
	}
	if unix.Access(unitDir, unix.W_OK) != nil {
		h.fault("the engine's cgroup driver is systemd, and "+unitDir+" cannot be written to", fmt.Sprintf(inContainer, "/run/systemd"))
	}
}

func (h *Host) checkUnified(delegate bool) {
	root := h.mounts[""]
	if root == "" {
		h.fault("the cgroup v2 tree is not mounted", "mount it at /sys/fs/cgroup; "+fmt.Sprintf(inContainer, "/sys/fs/cgroup"))
		return
	}
	if !delegate {
		h.fault("cgroup v2 is mounted without nsdelegate", "mount -o remount,nsdelegate "+root+
			" (systemd does so by itself): without it a program that took over a box could raise its limits")
	}
	have, _ := os.ReadFile(filepath.Join(root, "cgroup.controllers"))
	for _, c := range []string{"memory", "pids", "cpuset"} {
		if !slices.Contains(strings.Fields(string(have)), c) {
			h.fault("cgroup v2 has no "+c+" controller", "boot with cgroup_enable="+c)
		}
	}
}

func (h *Host) checkLegacy() {
	for _, c := range []string{"memory", "cpuacct", "pids"} {
		if h.mounts[c] == "" {
			h.fault("the cgroup controller "+c+" is not mounted", "mount it under /sys/fs/cgroup or boot with cgroup_enable="+c+
				"; "+fmt.Sprintf(inContainer, "/sys/fs/cgroup"))
		}
	}
	memory := h.mounts["memory"]
	if memory == "" {
		return
	}
	if b, err := os.ReadFile(filepath.Join(memory, "memory.use_hierarchy")); err == nil && strings.TrimSpace(string(b)) == "0" {
		h.fault("memory cgroups are not hierarchical", "write 1 to "+filepath.Join(memory, "memory.use_hierarchy"))
	}
	if _, err := os.Stat(filepath.Join(memory, "memory.memsw.limit_in_bytes")); err != nil && swapOn() {
		h.fault("there is swap, and no account of it", "boot with swapaccount=1 or swapoff -a: otherwise a program swaps past its memory limit")
	}
}

func swapOn() bool {
	b, err := os.ReadFile("/proc/swaps")
	return err == nil && strings.Count(strings.TrimSpace(string(b)), "\n") > 0
}

func readNumber(path string) (int64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
}
