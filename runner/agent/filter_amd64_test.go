//go:build linux

package agent_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFilterKillsX32: the bit of the x32 ABI gives getpid another number.
func TestFilterKillsX32(t *testing.T) {
	t.Parallel()
	out, err := child(t, childJob{Calls: []call{{Nr: 0x40000000 | unix.SYS_GETPID}}})
	if killedBy(err) != unix.SIGSYS {
		t.Errorf("an x32 call: %v, output %q; want death by SIGSYS", err, out)
	}
}

// TestFilterKillsInt80 runs a program that makes one 32-bit call and then ends
// with status 42.
func TestFilterKillsInt80(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "int80")
	if err := os.WriteFile(name, tinyELF([]byte{
		0xb8, 20, 0, 0, 0, // mov eax, 20: getpid of the 32-bit table
		0xcd, 0x80, // int 0x80
		0xb8, 60, 0, 0, 0, // mov eax, 60: exit
		0xbf, 42, 0, 0, 0, // mov edi, 42
		0x0f, 0x05, // syscall
	}), 0o700); err != nil {
		t.Fatal(err)
	}
	free := exec.CommandContext(t.Context(), name)
	if err := free.Run(); free.ProcessState.ExitCode() != 42 {
		t.Logf("without the filter: %v; this kernel seems to have no 32-bit calls", err)
	}
	_, err := child(t, childJob{Exec: []string{name}})
	if sig := killedBy(err); sig != unix.SIGSYS {
		t.Errorf("int 0x80: %v (signal %v), want death by SIGSYS", err, sig)
	}
}

// killedBy is the signal that ended a child.
func killedBy(err error) unix.Signal {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0
	}
	return exit.Sys().(syscall.WaitStatus).Signal()
}

// tinyELF is a static amd64 program of nothing but code.
func tinyELF(code []byte) []byte {
	const base, headers = 0x400000, 64 + 56
	var b bytes.Buffer
	b.WriteString("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	size := uint64(headers + len(code))
	for _, v := range []any{
		uint16(2), uint16(62), uint32(1), uint64(base + headers), uint64(64), uint64(0), // type, machine, version, entry, segments, sections
		uint32(0), uint16(64), uint16(56), uint16(1), uint16(0), uint16(0), uint16(0), // flags, sizes and counts
		uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(0x1000), // one segment, read and execute
	} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	b.Write(code)
	return b.Bytes()
}
