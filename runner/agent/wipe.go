package agent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// wipeRun removes every file that a run could have made. No process of the run
// lives, so nothing changes under it. The usual case, nothing left, is proven by
// one rmdir and by reading two empty folders.
func (a *agent) wipeRun() error {
	if err := unix.Rmdir(WorkPath); err != nil {
		if !errors.Is(err, unix.ENOTEMPTY) {
			return fmt.Errorf("wipe %s: %w", WorkPath, err)
		}
		if err := a.emptyPath(WorkPath); err != nil {
			return err
		}
		if err := unix.Rmdir(WorkPath); err != nil {
			return fmt.Errorf("wipe %s: %w", WorkPath, err)
		}
	}
	// A new folder, not the old one: its times and attributes survive a wipe.
	if err := unix.Mkdir(WorkPath, 0o777); err != nil {
		return fmt.Errorf("make %s: %w", WorkPath, err)
	}
	for _, dir := range a.shared {
		if err := a.emptyShared(dir); err != nil {
			return err
		}
	}
	return nil
}

// wipeAll removes what the judge has put, too.
func (a *agent) wipeAll() error {
	if err := a.wipeRun(); err != nil {
		return err
	}
	dir, err := unix.Open(ProgramPath, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", ProgramPath, err)
	}
	defer func() { _ = unix.Close(dir) }()
	return empty(dir)
}

func (a *agent) emptyPath(path string) error {
	dir, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { _ = unix.Close(dir) }()
	return a.asRun(func() error { return empty(dir) })
}

// emptyShared empties a folder of root's and sets its times, by which a run
// could tell the next one something.
func (a *agent) emptyShared(dir int) error {
	var buf [512]byte
	names, err := entries(dir, buf[:])
	if err != nil {
		return err
	}
	if len(names) != 0 {
		if err := a.asRun(func() error { return empty(dir) }); err != nil {
			return err
		}
	}
	var zero [2]unix.Timespec
	_, _, e := unix.RawSyscall6(unix.SYS_UTIMENSAT, uintptr(dir), 0, uintptr(unsafe.Pointer(&zero[0])), 0, 0, 0)
	if e != 0 {
		return sysError("set times of a shared folder", e)
	}
	return nil
}

// empty removes all below dir without recursion and without paths: a folder
// that is not empty has its folders moved up to dir, and dir is read again. So
// neither depth nor the length of a path matters, and each folder moves once.
func empty(dir int) error {
	buf := make([]byte, 32<<10)
	for moved := 0; ; {
		names, err := entries(dir, buf)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			return nil
		}
		for _, name := range names {
			if removeEntry(dir, name) == nil {
				continue
			}
			if err := flatten(dir, name, &moved); err != nil {
				return err
			}
		}
	}
}

// removeEntry removes a file or an empty folder.
func removeEntry(dir int, name string) error {
	err := unix.Unlinkat(dir, name, 0)
	if errors.Is(err, unix.EISDIR) {
		return unix.Unlinkat(dir, name, unix.AT_REMOVEDIR)
	}
	return err
}

// removeTree removes whatever there is under a name.
func removeTree(dir int, name string) error {
	if removeEntry(dir, name) == nil {
		return nil
	}
	sub, err := openOwned(dir, name)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(sub) }()
	if err := empty(sub); err != nil {
		return err
	}
	return unix.Unlinkat(dir, name, unix.AT_REMOVEDIR)
}

// flatten removes the folder name of top after moving the folders in it to top.
func flatten(top int, name string, moved *int) error {
	sub, err := openOwned(top, name)
	if err != nil {
		return fmt.Errorf("wipe %q: %w", name, err)
	}
	defer func() { _ = unix.Close(sub) }()
	buf := make([]byte, 32<<10)
	for {
		names, err := entries(sub, buf)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			break
		}
		for _, child := range names {
			if removeEntry(sub, child) == nil {
				continue
			}
			if err := moveUp(sub, child, top, moved); err != nil {
				return fmt.Errorf("wipe %q: %w", child, err)
			}
		}
	}
	if err := unix.Unlinkat(top, name, unix.AT_REMOVEDIR); err != nil {
		return fmt.Errorf("wipe %q: %w", name, err)
	}
	return nil
}

// openOwned opens a folder whose owner may have taken all rights from itself.
func openOwned(dir int, name string) (int, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	if err := unix.Fchmodat(dir, name, 0o700, 0); err != nil {
		return -1, err
	}
	return unix.Openat(dir, name, flags, 0)
}

// moveUp moves a folder to top under a name that is free. Moving needs the right
// to write into the folder itself, whose .. changes.
func moveUp(from int, name string, top int, moved *int) error {
	if err := unix.Fchmodat(from, name, 0o700, 0); err != nil {
		return err
	}
	for {
		*moved++
		err := unix.Renameat2(from, name, top, "wipe-"+strconv.Itoa(*moved), unix.RENAME_NOREPLACE)
		if !errors.Is(err, unix.EEXIST) {
			return err
		}
	}
}

// entries lists what a folder holds but . and .., from its start, as far as buf
// allows: none only when it is empty.
func entries(dir int, buf []byte) ([]string, error) {
	if _, err := unix.Seek(dir, 0, unix.SEEK_SET); err != nil {
		return nil, fmt.Errorf("rewind folder: %w", err)
	}
	for {
		n, err := unix.Getdents(dir, buf)
		if err != nil {
			return nil, fmt.Errorf("read folder: %w", err)
		}
		if n == 0 {
			return nil, nil
		}
		names, ok := parseDirents(buf[:n])
		if !ok {
			return nil, errors.New("read folder: malformed entries")
		}
		if len(names) > 0 {
			return names, nil
		}
	}
}

// parseDirents reads struct linux_dirent64: ino, off, reclen, type, name. What
// it cannot read must not pass for an empty folder: then ok is false.
func parseDirents(b []byte) (names []string, ok bool) {
	const header = 8 + 8 + 2 + 1
	for len(b) > 0 {
		size := 0
		if len(b) > header {
			size = int(binary.NativeEndian.Uint16(b[16:]))
		}
		if size <= header || size > len(b) {
			return nil, false
		}
		name := b[header:size]
		for i, c := range name {
			if c == 0 {
				name = name[:i]
				break
			}
		}
		if s := string(name); s != "." && s != ".." {
			names = append(names, s)
		}
		b = b[size:]
	}
	return names, true
}
