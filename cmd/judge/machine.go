package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"judge/runner/docker"
)

// Free disk below which doctor warns: an image is up to 1 GB, and a cache of
// executables grows.
const lowDisk = 5 << 30

// examinePlaces looks at the folders that judging writes to, and for the agent.
func (a *app) examinePlaces() []finding {
	var all []finding
	for _, p := range []struct {
		name, dir string
		exec      bool
	}{{"state", docker.DefaultStateDir, false}, {"cache", a.CacheDir, true}, {"data", a.Data, false}} {
		all = append(all, examinePlace(p.name, p.dir, p.exec))
	}
	self, err := os.Executable()
	if err != nil {
		return append(all, fault("agent", "", "the running program cannot be found: %v", err))
	}
	agent := filepath.Join(filepath.Dir(self), "judge-agent")
	if info, err := os.Stat(agent); err != nil || info.Mode()&0o111 == 0 {
		return append(all, fault("agent", "make build puts it there", "%s is missing or cannot be executed", agent))
	}
	return append(all, fine("agent", "%s", agent))
}

// examinePlace looks at the folder, or at the nearest one above it that exists:
// folders are made when they are needed.
func examinePlace(name, dir string, exec bool) finding {
	at := dir
	for {
		_, err := os.Stat(at)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return fault(name, "choose another folder", "%s: %v", dir, err)
		}
		at = filepath.Dir(at)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(at, &st); err != nil {
		return fault(name, "choose another folder", "%s: %v", dir, err)
	}
	free := int64(st.Bavail) * st.Bsize
	detail := fmt.Sprintf("%s, %.1f GiB free", dir, float64(free)/(1<<30))
	switch {
	case unix.Access(at, unix.W_OK) != nil:
		return fault(name, "run as root, or choose another folder", "%s cannot be written to", at)
	case exec && st.Flags&unix.ST_NOEXEC != 0:
		return fault(name, "mount it with exec, or choose another folder with --cache-dir: boxes run the agent from it", "%s is mounted noexec", at)
	case exec && free < lowDisk:
		return warning(name, "free some; old images go with: judge images build --prune", "%s", detail)
	}
	return fine(name, "%s", detail)
}

// machine looks at the kernel's files below root.
type machine struct{ root string }

func (m machine) read(name string) string {
	b, err := os.ReadFile(filepath.Join(m.root, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (m machine) examine() []finding {
	all := append(m.examineClock(), m.examineCores()...)
	if m.read("sys/kernel/mm/ksm/run") == "1" {
		all = append(all, warning("ksm", "echo 0 > /sys/kernel/mm/ksm/run", "the kernel merges equal pages: by the time of a write one program can tell what another holds"))
	} else {
		all = append(all, fine("ksm", "off"))
	}
	if thp := chosen(m.read("sys/kernel/mm/transparent_hugepage/enabled")); thp == "always" {
		all = append(all, warning("huge pages", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
			"always: a program that touches one byte may be charged for 2 MiB, so that memory varies from run to run"))
	} else if thp != "" {
		all = append(all, fine("huge pages", "%s", thp))
	}
	return all
}

// chosen is the word in brackets of a line like "always [madvise] never".
func chosen(line string) string {
	_, rest, _ := strings.Cut(line, "[")
	word, _, _ := strings.Cut(rest, "]")
	return word
}

func (m machine) examineClock() []finding {
	source := m.read("sys/devices/system/clocksource/clocksource0/current_clocksource")
	switch {
	case !clockSteps():
		return []finding{fault("clock", "no limit can be kept on this machine", "the monotonic clock goes back")}
	case source == "hpet" || source == "acpi_pm" || source == "jiffies":
		return []finding{warning("clock", "boot with clocksource=tsc, or see dmesg for why the kernel does not trust it",
			"clock source %s: each reading of the clock is a slow device access", source)}
	case source == "":
		return []finding{fine("clock", "monotonic, source unknown")}
	}
	return []finding{fine("clock", "monotonic, source %s", source)}
}

func (m machine) examineCores() []finding {
	all := []finding{fine("cores", "%d usable, one slot each", runtime.NumCPU())}
	if m.read("sys/devices/system/cpu/smt/active") == "1" {
		all = append(all, warning("smt", "echo off > /sys/devices/system/cpu/smt/control, or give judge one thread of each core (taskset)",
			"two slots may share a core: a program's time then depends on its neighbour"))
	}
	governors, _ := filepath.Glob(filepath.Join(m.root, "sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"))
	for _, path := range governors {
		b, err := os.ReadFile(path)
		if g := strings.TrimSpace(string(b)); err == nil && g != "performance" {
			all = append(all, warning("frequency", "cpupower frequency-set -g performance",
				"governor %s: a core that is slow to speed up makes short runs look long", g))
			break
		}
	}
	return all
}
