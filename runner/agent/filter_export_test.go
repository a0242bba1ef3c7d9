//go:build linux && (amd64 || arm64)

package agent

import "golang.org/x/sys/unix"

// What the filter's tests see of it.
const (
	AuditArch   = uint32(auditArch)
	LastSyscall = uint32(lastSyscall)
)

// Rule is one line of the table for one system call.
type Rule struct {
	Nr, Arg, Mask uint32
	Match         []uint32
	Hit, Miss     uint32
}

// Rules is the table, one entry for each system call that it names.
func Rules() []Rule {
	var all []Rule
	for _, r := range rules {
		for _, nr := range r.nrs {
			all = append(all, Rule{nr, r.then.arg, r.then.mask, r.then.match, r.then.hit, r.then.miss})
		}
	}
	return all
}

// ProgramFilter is programFilter.
func ProgramFilter() []unix.SockFilter { return programFilter() }

// InstallFilter is installFilter.
func InstallFilter(flags uintptr) error { return installFilter(flags) }
