package agent

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// archRules are the calls that only this architecture has.
var archRules = []rule{
	{noRight, []uint32{unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_IOPL, unix.SYS_IOPERM}},
	{nodes(1), []uint32{unix.SYS_MKNOD}},
	// 16-bit segments are for Wine; kernels can be built without.
	{noFeature, []uint32{unix.SYS_INOTIFY_INIT, unix.SYS_MODIFY_LDT, unix.SYS_USELIB}},
}

// foreignNumbers: x32 has the same architecture and bit 30 in the number. A
// negative number is no system call.
var foreignNumbers = []span{{0x40000000, kill}, {0x80000000, noFeature}}
