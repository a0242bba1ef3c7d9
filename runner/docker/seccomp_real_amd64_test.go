//go:build docker

package docker_test

import (
	"bytes"
	"encoding/binary"
)

// foreignPrograms make one call by another ABI and then end with status 42. A
// program has one thread, so that a filter which kills no more than the thread
// ends it too.
var foreignPrograms = []foreignProgram{
	{"int80", smallELF(0xb8, 20, 0, 0, 0, 0xcd, 0x80)},  // mov eax, getpid; int 0x80
	{"x32", smallELF(0xb8, 39, 0, 0, 0x40, 0x0f, 0x05)}, // mov eax, getpid with bit 30; syscall
}

// smallELF is a static program: the code, then exit(42).
func smallELF(code ...byte) []byte {
	const base, headers = 0x10000, 64 + 56
	code = append(code, 0xb8, 60, 0, 0, 0, 0xbf, 42, 0, 0, 0, 0x0f, 0x05) // mov eax, exit; mov edi, 42; syscall
	size := uint64(headers + len(code))
	var b bytes.Buffer
	b.WriteString("\x7fELF\x02\x01\x01" + string(make([]byte, 9)))
	for _, v := range []any{
		[]uint16{2, 62},
		uint32(1),
		[]uint64{base + headers, 64, 0},
		uint32(0),
		[]uint16{64, 56, 1, 0, 0, 0},
		[]uint32{1, 5},
		[]uint64{0, base, base, size, size, 0x1000},
		code,
	} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	return b.Bytes()
}
