#include "textflag.h"

// func vforkTable(trap, a1, a2, a3 uintptr, table *call) (pid, errno uintptr)
//
// Clones with the given arguments. The child shares our memory and touches none
// of it but the entry at which it fails: it needs no stack at all.
TEXT ·vforkTable(SB), NOSPLIT|NOFRAME, $0-56
	MOVQ a1+8(FP), DI
	MOVQ a2+16(FP), SI
	MOVQ a3+24(FP), DX
	MOVQ table+32(FP), R13
	XORL R10, R10
	XORL R8, R8
	XORL R9, R9
	MOVQ trap+0(FP), AX
	SYSCALL
	TESTQ AX, AX
	JZ   child
	CMPQ AX, $0xfffffffffffff001
	JCC  failed
	MOVQ AX, pid+40(FP)
	MOVQ $0, errno+48(FP)
	RET

failed:
	NEGQ AX
	MOVQ $0, pid+40(FP)
	MOVQ AX, errno+48(FP)
	RET

child:
	MOVQ 0(R13), AX
	MOVQ 8(R13), DI
	MOVQ 16(R13), SI
	MOVQ 24(R13), DX
	MOVQ 32(R13), R10
	XORL R8, R8
	XORL R9, R9
	SYSCALL
	CMPQ AX, $0xfffffffffffff001
	JCC  refused
	ADDQ $48, R13
	JMP  child

refused:
	NEGQ AX
	MOVQ AX, 40(R13)
	MOVQ $127, DI
	MOVQ $231, AX // exit_group
	SYSCALL
	JMP  refused
