#include "textflag.h"

// func vforkTable(trap, a1, a2, a3 uintptr, table *call) (pid, errno uintptr)
//
// Clones with the given arguments. The child shares our memory and touches none
// of it but the entry at which it fails: it needs no stack at all.
TEXT ·vforkTable(SB), NOSPLIT|NOFRAME, $0-56
	MOVD a1+8(FP), R0
	MOVD a2+16(FP), R1
	MOVD a3+24(FP), R2
	MOVD table+32(FP), R9
	MOVD $0, R3
	MOVD $0, R4
	MOVD $0, R5
	MOVD trap+0(FP), R8
	SVC
	CBZ  R0, child
	CMN  $4095, R0
	BCS  failed
	MOVD R0, pid+40(FP)
	MOVD ZR, errno+48(FP)
	RET

failed:
	NEG  R0, R0
	MOVD ZR, pid+40(FP)
	MOVD R0, errno+48(FP)
	RET

child:
	MOVD 0(R9), R8
	MOVD 8(R9), R0
	MOVD 16(R9), R1
	MOVD 24(R9), R2
	MOVD 32(R9), R3
	MOVD $0, R4
	MOVD $0, R5
	SVC
	CMN  $4095, R0
	BCS  refused
	ADD  $48, R9
	B    child

refused:
	NEG  R0, R0
	MOVD R0, 40(R9)
	MOVD $127, R0
	MOVD $94, R8 // exit_group
	SVC
	B    refused
