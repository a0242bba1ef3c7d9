//go:build linux && (amd64 || arm64)

package agent_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"judge/runner/agent"
)

// seccompData is what the kernel shows to a filter.
type seccompData struct {
	nr, arch uint32
	args     [6]uint64
}

// simulate runs a filter as linux/kernel/seccomp.c and net/core/filter.c define
// it, for the instructions that ours may have. looked says whether the outcome
// hung on more than number and architecture, which would keep the kernel from
// working it out beforehand.
func simulate(t *testing.T, prog []unix.SockFilter, d seccompData) (ret uint32, looked bool) {
	t.Helper()
	var acc uint32
	for pc := 0; pc < len(prog); pc++ {
		in := prog[pc]
		skip := func(yes bool) {
			if yes {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		}
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			switch {
			case in.K == 0:
				acc = d.nr
			case in.K == 4:
				acc = d.arch
			case in.K >= 16 && in.K < 64 && in.K%8 == 0:
				acc, looked = uint32(d.args[(in.K-16)/8]), true
			default:
				t.Fatalf("instruction %d loads offset %d", pc, in.K)
			}
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			acc &= in.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			skip(acc == in.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			skip(acc >= in.K)
		case unix.BPF_RET | unix.BPF_K:
			return in.K, looked
		default:
			t.Fatalf("instruction %d has code %#x", pc, in.Code)
		}
	}
	t.Fatal("ran off the end of the filter")
	return 0, false
}

// wanted is the outcome by the table, found without a search.
func wanted(d seccompData, rules map[uint32]agent.Rule) uint32 {
	r, named := rules[d.nr]
	switch {
	case d.arch != agent.AuditArch:
		return unix.SECCOMP_RET_KILL_PROCESS
	case d.arch == unix.AUDIT_ARCH_X86_64 && d.nr>>30 == 1:
		return unix.SECCOMP_RET_KILL_PROCESS
	case d.nr > agent.LastSyscall:
		return unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	case !named:
		return unix.SECCOMP_RET_ALLOW
	case slices.Contains(r.Match, uint32(d.args[r.Arg])&r.Mask):
		return r.Hit
	}
	return r.Miss
}

func ruleMap(t *testing.T) map[uint32]agent.Rule {
	t.Helper()
	rules := make(map[uint32]agent.Rule)
	for _, r := range agent.Rules() {
		if _, twice := rules[r.Nr]; twice {
			t.Errorf("the table names system call %d twice", r.Nr)
		}
		rules[r.Nr] = r
	}
	return rules
}

// TestFilterMatchesTable compares the program with the table for every number
// and foreign architecture, and around every argument the table knows.
func TestFilterMatchesTable(t *testing.T) {
	t.Parallel()
	prog, rules := agent.ProgramFilter(), ruleMap(t)
	numbers := []uint32{0x3fffffff, 0x40000000, 0x40000027, 0x7fffffff, 0x80000000, 0xffffffff}
	for nr := range uint32(601) {
		numbers = append(numbers, nr, 0x40000000+nr)
	}
	archs := []uint32{unix.AUDIT_ARCH_X86_64, unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_AARCH64, unix.AUDIT_ARCH_ARM, 0}
	for _, nr := range numbers {
		values := []uint64{0, 1, 2, 0x7fffffff, 1 << 63, ^uint64(0)}
		for _, m := range rules[nr].Match {
			values = append(values, uint64(m), uint64(m)-1, uint64(m)+1, 0xdead<<32|uint64(m))
		}
		for bit := range 64 {
			values = append(values, 1<<bit)
		}
		for _, v := range values {
			for _, arch := range archs {
				d := seccompData{nr: nr, arch: arch, args: [6]uint64{v, v, v, v, v, v}}
				got, looked := simulate(t, prog, d)
				if want := wanted(d, rules); got != want {
					t.Fatalf("number %d, arch %#x, arguments %#x: %#x, want %#x", nr, arch, v, got, want)
				}
				if looked && len(rules[nr].Match) == 0 {
					t.Fatalf("number %d is not decided by number and architecture alone", nr)
				}
			}
		}
	}
}

// FuzzFilter looks for a number, architecture or argument that the search
// decides otherwise than the table.
func FuzzFilter(f *testing.F) {
	f.Add(uint32(56), agent.AuditArch, uint64(0x10000011))
	f.Add(uint32(41), agent.AuditArch, uint64(1)<<32|1)
	f.Fuzz(func(t *testing.T, nr, arch uint32, arg uint64) {
		d := seccompData{nr: nr, arch: arch, args: [6]uint64{arg, rand.Uint64(), arg, arg, rand.Uint64(), arg}}
		prog, rules := agent.ProgramFilter(), ruleMap(t)
		if got, _ := simulate(t, prog, d); got != wanted(d, rules) {
			t.Errorf("%+v: %#x, want %#x", d, got, wanted(d, rules))
		}
	})
}

// TestFilterIsCheap bounds what a filtered call costs: instructions, not time.
func TestFilterIsCheap(t *testing.T) {
	t.Parallel()
	prog := agent.ProgramFilter()
	if len(prog) > 512 {
		t.Errorf("the filter has %d instructions", len(prog))
	}
	for nr := range agent.LastSyscall + 2 {
		steps, pc := 0, 0
		for prog[pc].Code != unix.BPF_RET|unix.BPF_K {
			in := prog[pc]
			steps++
			pc++
			if in.Code == unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K && nr >= in.K || in.Code == unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K && in.K == agent.AuditArch {
				pc += int(in.Jt)
			}
		}
		if steps > 20 {
			t.Errorf("system call %d takes %d instructions", nr, steps)
		}
	}
}

// BenchmarkFilter compares the cost of a system call without and with the
// filter: getpid and write are allowed by number, ioctl by its argument, clone3
// is denied.
func BenchmarkFilter(b *testing.B) {
	null, err := unix.Open("/dev/null", unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		b.Fatal(err)
	}
	calls := []struct {
		name string
		nr   uintptr
		args [3]uintptr
	}{
		{"getpid", unix.SYS_GETPID, [3]uintptr{}},
		{"write", unix.SYS_WRITE, [3]uintptr{uintptr(null), 0, 0}},
		{"ioctl", unix.SYS_IOCTL, [3]uintptr{uintptr(null), unix.TCGETS, 0}},
		{"fcntl", unix.SYS_FCNTL, [3]uintptr{uintptr(null), unix.F_GETFL, 0}},
		{"clone3", unix.SYS_CLONE3, [3]uintptr{}},
	}
	for _, c := range calls {
		for _, filtered := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/filtered=%t", c.name, filtered), func(b *testing.B) {
				onOwnThread(b, filtered, func() {
					b.ResetTimer()
					for range b.N {
						_, _, _ = unix.RawSyscall(c.nr, c.args[0], c.args[1], c.args[2])
					}
					b.StopTimer()
				})
			})
		}
	}
}
