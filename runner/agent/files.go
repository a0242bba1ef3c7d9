package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
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
	defer stream.Close()
	do := map[Verb]func() error{
		VerbPut:    func() error { return a.put(dir, name, op.Mode, fromStart(stream)) },
		VerbUnpack: func() error { return a.unpack(dir, fromStart(stream)) },
		VerbPack:   func() error { return a.pack(op, stream) },
		VerbGet:    func() error { return a.get(name, op.Max, stream) },
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
	defer out.Close()
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
	defer parent.Close()
	return f(int(parent.Fd()), path.Base(name))
}

func (a *agent) remove(dir, name string) error {
	return a.at(dir, name, func(parent int, base string) error {
		if err := unix.Unlinkat(parent, base, 0); err != nil {
			return fmt.Errorf("replace %s: %w", name, err)
		}
		return nil
	})
}

func (a *agent) mkdir(dir, name string, mode uint32) error {
	return a.at(dir, name, func(parent int, base string) error {
		if err := unix.Mkdirat(parent, base, mode&0o777); err != nil && err != unix.EEXIST {
			return fmt.Errorf("make folder %s: %w", name, err)
		}
		return nil
	})
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
func (a *agent) get(name string, limit int64, dst io.Writer) error {
	f, size, err := a.openRegular(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if size > limit {
		return fmt.Errorf("get %s: %d bytes: %w", name, size, errTooLarge)
	}
	if _, err := io.CopyN(dst, f, size); err != nil {
		return fmt.Errorf("get %s: %w", name, err)
	}
	return nil
}

// openRegular opens a file in the working folder. What is not a regular file of
// one link does not exist for us.
func (a *agent) openRegular(name string) (*os.File, int64, error) {
	if !fs.ValidPath(name) {
		return nil, 0, fmt.Errorf("get %q: %w", name, fs.ErrNotExist)
	}
	f, err := a.openBeneath(WorkPath, name, unix.O_RDONLY)
	if err != nil {
		return nil, 0, fmt.Errorf("get %s: %w (%w)", name, fs.ErrNotExist, err)
	}
	var st unix.Stat_t
	err = unix.Fstat(int(f.Fd()), &st)
	if err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Nlink != 1 {
		f.Close()
		return nil, 0, fmt.Errorf("get %s: %w: not a regular file of one link", name, fs.ErrNotExist)
	}
	return f, st.Size, nil
}
