package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

var errTooLarge = errors.New("too large")

// file does one of the verbs on files. fd stays the caller's.
func (a *agent) file(verb Verb, op *FileOp, fd int) error {
	dir := WorkPath
	if op.Dir == 'p' {
		dir = ProgramPath
	} else if op.Dir != 'w' {
		return fmt.Errorf("%w: folder %q", errMessage, op.Dir)
	}
	name := string(op.Name)
	if verb == VerbPut && strings.HasSuffix(name, "/") {
		fd = a.null // a folder has no bytes
	}
	stream, err := dupFile(fd)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	do := map[Verb]func() error{
		VerbPut:    func() error { return a.put(dir, name, op.Mode, fromStart(stream)) },
		VerbUnpack: func() error { return a.unpack(dir, fromStart(stream)) },
		VerbPack:   func() error { return a.pack(dir, op, stream) },
		VerbGet:    func() error { return a.get(dir, name, op.Max, stream) },
	}[verb]
	if op.Dir == 'p' {
		return do() // root's, so that runs cannot write there
	}
	return a.asRun(do)
}

func dupFile(fd int) (*os.File, error) {
	n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("take descriptor: %w", err)
	}
	return os.NewFile(uintptr(n), "stream"), nil
}

// fromStart reads a file from its start and leaves its offset alone, which the
// judge may share with other boxes. What cannot seek is read as it comes.
func fromStart(f *os.File) io.Reader {
	if _, err := unix.Seek(int(f.Fd()), 0, unix.SEEK_CUR); err != nil {
		return f
	}
	return io.NewSectionReader(f, 0, math.MaxInt64)
}

// put writes one file, or makes a folder.
func (a *agent) put(dir, name string, mode uint32, src io.Reader) error {
	name, isDir := strings.CutSuffix(name, "/")
	if err := a.mkdirs(dir, path.Dir(name), 0o755); err != nil {
		return err
	}
	if isDir {
		return a.mkdir(dir, name, mode)
	}
	return a.write(dir, name, mode, src)
}

func (a *agent) write(dir, name string, mode uint32, src io.Reader) error {
	out, err := a.openBeneath(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
	if errors.Is(err, fs.ErrExist) {
		if err := a.remove(dir, name); err != nil {
			return err
		}
		out, err = a.openBeneath(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
	}
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	if _, err := io.Copy(out, src); err != nil {
		if errors.Is(err, unix.ENOSPC) {
			return fmt.Errorf("write %s: %w for the box", name, errTooLarge)
		}
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := unix.Fchmod(int(out.Fd()), mode&0o777); err != nil {
		return fmt.Errorf("set mode of %s: %w", name, err)
	}
	return nil
}

// at does f with a descriptor of the folder that name lies in.
func (a *agent) at(dir, name string, f func(parent int, base string) error) error {
	if name == "" || !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("%w: name %q", errMessage, name)
	}
	parent, err := a.openBeneath(dir, path.Dir(name), unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return err
	}
	defer func() { _ = parent.Close() }()
	return f(int(parent.Fd()), path.Base(name))
}

func (a *agent) remove(dir, name string) error {
	return a.at(dir, name, func(parent int, base string) error {
		if err := removeTree(parent, base); err != nil {
			return fmt.Errorf("replace %s: %w", name, err)
		}
		return nil
	})
}

func (a *agent) mkdir(dir, name string, mode uint32) error {
	return a.at(dir, name, func(parent int, base string) error {
		err := unix.Mkdirat(parent, base, mode&0o777)
		if errors.Is(err, unix.EEXIST) {
			err = retake(parent, base, mode)
		}
		if err != nil {
			return fmt.Errorf("make folder %s: %w", name, err)
		}
		return nil
	})
}

// retake makes a folder where a run whose files were kept has left something: a
// folder stays and may be written to again, anything else gives way.
func retake(parent int, base string, mode uint32) error {
	var st unix.Stat_t
	if err := unix.Fstatat(parent, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		if err := unix.Unlinkat(parent, base, 0); err != nil {
			return err
		}
		return unix.Mkdirat(parent, base, mode&0o777)
	}
	if st.Mode&0o700 == 0o700 {
		return nil
	}
	return unix.Fchmodat(parent, base, st.Mode&0o7777|0o700, 0)
}

func (a *agent) mkdirs(dir, name string, mode uint32) error {
	if name == "." {
		return nil
	}
	for i, c := range name {
		if c == '/' {
			if err := a.mkdir(dir, name[:i], mode); err != nil {
				return err
			}
		}
	}
	return a.mkdir(dir, name, mode)
}

// get copies a regular file of one link to dst.
func (a *agent) get(dir, name string, limit int64, dst io.Writer) error {
	f, size, err := a.openRegular(dir, name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if size > limit {
		return fmt.Errorf("get %s: %d bytes: %w", name, size, errTooLarge)
	}
	if _, err := io.CopyN(dst, f, size); err != nil {
		return fmt.Errorf("get %s: %w", name, err)
	}
	return nil
}

// openRegular opens a file below dir. What is not a regular file of
// one link does not exist for us.
func (a *agent) openRegular(dir, name string) (*os.File, int64, error) {
	if !fs.ValidPath(name) {
		return nil, 0, fmt.Errorf("get %q: %w", name, fs.ErrNotExist)
	}
	f, err := a.openBeneath(dir, name, unix.O_RDONLY)
	if withheld(err) {
		return nil, 0, fmt.Errorf("get %s: %w (%w)", name, fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("get: %w", err)
	}
	var st unix.Stat_t
	err = unix.Fstat(int(f.Fd()), &st)
	if err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Nlink != 1 {
		_ = f.Close()
		return nil, 0, fmt.Errorf("get %s: %w: not a regular file of one link", name, fs.ErrNotExist)
	}
	return f, st.Size, nil
}

// withheld reports whether an open failed because of what the program made of
// the name, and not for want of something of ours.
func withheld(err error) bool {
	return slices.ContainsFunc([]unix.Errno{
		unix.ENOENT, unix.ENOTDIR, unix.ELOOP, unix.EXDEV, unix.EACCES, unix.ENAMETOOLONG, unix.ENXIO,
	}, func(e unix.Errno) bool { return errors.Is(err, e) })
}
