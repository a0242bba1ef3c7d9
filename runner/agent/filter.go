//go:build linux && (amd64 || arm64)

package agent

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The second seccomp filter, for programs. The container's own profile must
// allow what the agent needs; this one is stricter, is inherited and can never
// be taken off. Its rules are in filter_table.go.
//
// Since Linux 5.11 the kernel works out beforehand which numbers a filter
// allows whatever their arguments, and does not run it for those. So a rule that
// looks at an argument is a leaf of its own, and every other number is decided
// by architecture and number alone. What remains is found by a binary search.

// action is what becomes of one system call: hit when the argument's low 32
// bits, masked, are among match, else miss. Where match is empty no argument is
// looked at, and it is always miss. The kernel takes every argument that the
// table names as 32 bits or less, so that high bits cannot smuggle another.
type action struct {
	arg       uint32
	mask      uint32
	match     []uint32
	hit, miss uint32 // SECCOMP_RET_*
}

// rule gives the action for some system calls.
type rule struct {
	then *action
	nrs  []uint32
}

// span is a run of system call numbers with the same action, up to the next's.
type span struct {
	first uint32
	then  *action
}

// Offsets in the kernel's struct seccomp_data. Both architectures are
// little-endian: an argument's low half comes first.
const (
	offsetNr   = 0
	offsetArch = 4
	offsetArgs = 16
)

const returnErrno = uint32(unix.SECCOMP_RET_ERRNO)

// programFilter is the filter as classic BPF.
func programFilter() []unix.SockFilter {
	prog := []unix.SockFilter{
		load(offsetArch),
		jump(unix.BPF_JEQ, auditArch, 1, 0),
		returns(unix.SECCOMP_RET_KILL_PROCESS), // int 0x80 and other 32-bit ways in
		load(offsetNr),
	}
	return append(prog, search(spans())...)
}

// spans covers all numbers from 0, neighbours with different actions.
func spans() []span {
	var all []span
	for _, r := range rules {
		for _, nr := range r.nrs {
			all = append(all, span{nr, r.then}, span{nr + 1, allow})
		}
	}
	all = append(all, span{0, allow}, span{lastSyscall + 1, noFeature})
	all = append(all, foreignNumbers...)
	// Where two begin at one number, one of them is the allow that closed the
	// number before it, which gives way: it comes first and is overwritten.
	slices.SortStableFunc(all, func(a, b span) int {
		if a.first != b.first {
			return int(int64(a.first) - int64(b.first))
		}
		return opens(a) - opens(b)
	})
	var out []span
	for _, s := range all {
		if n := len(out); n > 0 && out[n-1].first == s.first {
			out[n-1] = s
		} else {
			out = append(out, s)
		}
	}
	return slices.CompactFunc(out, func(a, b span) bool { return a.then == b.then })
}

func opens(s span) int {
	if s.then == allow {
		return 0
	}
	return 1
}

// search finds the span of the loaded number. A jump reaches 255 instructions,
// which the larger half of the table must not exceed.
func search(s []span) []unix.SockFilter {
	if len(s) == 1 {
		return s[0].then.code()
	}
	half := len(s) / 2
	below, above := search(s[:half]), search(s[half:])
	prog := []unix.SockFilter{jump(unix.BPF_JGE, s[half].first, uint8(len(below)), 0)}
	return append(append(prog, below...), above...)
}

func (a *action) code() []unix.SockFilter {
	if len(a.match) == 0 {
		return []unix.SockFilter{returns(a.miss)}
	}
	prog := []unix.SockFilter{
		load(offsetArgs + 8*a.arg),
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: a.mask},
	}
	for i, k := range a.match {
		prog = append(prog, jump(unix.BPF_JEQ, k, uint8(len(a.match)-i), 0))
	}
	return append(prog, returns(a.miss), returns(a.hit))
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(cond uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | cond | unix.BPF_K, Jt: yes, Jf: no, K: k}
}

func returns(k uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k}
}

// newFilter makes the filter as seccomp(2) takes it. A child between vfork and
// execve may pass it on: nothing is left to compute. Keep it alive meanwhile.
func newFilter() *unix.SockFprog {
	prog := programFilter()
	return &unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
}

// installFilter puts the filter on the calling thread and all its children, for
// good. The caller must have locked its goroutine to the thread and must never
// unlock it. The flags are SECCOMP_FILTER_FLAG_*; with SPEC_ALLOW, kernels before
// 5.16 do not slow the programs down by turning speculation off.
func installFilter(flags uintptr) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	prog := newFilter()
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(prog)))
	runtime.KeepAlive(prog)
	if errno != 0 {
		return fmt.Errorf("install the seccomp filter: %w", errno)
	}
	return nil
}
