package agent

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// archRules are the calls that only this architecture has: none that matter.
var archRules []rule

// foreignNumbers: the 32-bit calls have an architecture of their own.
var foreignNumbers []span
