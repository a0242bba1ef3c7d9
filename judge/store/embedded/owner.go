package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner is who runs the server and owns the cluster.
type owner struct {
	name     string
	uid, gid int
	switched bool // we are root, the server is not
}

// findOwner follows the rule of Options.User.
func findOwner(wanted, cluster string) (owner, error) {
	if uid := os.Geteuid(); uid != 0 {
		return owner{name: "uid " + strconv.Itoa(uid), uid: uid, gid: os.Getegid()}, nil
	}
	info, err := os.Stat(cluster)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return owner{}, err
	}
	if err == nil && wanted == "" {
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok || st.Uid == 0 {
			return owner{}, fmt.Errorf("the cluster %s belongs to root, as whom Postgres does not run: chown -R it to who is to run it", cluster)
		}
		return owner{name: "uid " + strconv.Itoa(int(st.Uid)), uid: int(st.Uid), gid: int(st.Gid), switched: true}, nil
	}
	names := []string{"postgres", "nobody"}
	if wanted != "" {
		names = []string{wanted}
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if _, unknown := errors.AsType[user.UnknownUserError](err); unknown {
			continue
		}
		if err != nil {
			return owner{}, fmt.Errorf("look up user %s: %w", name, err)
		}
		return newOwner(u)
	}
	return owner{}, fmt.Errorf("no user %v to run Postgres as: make one (useradd --system postgres), or do not start as root", names)
}

func newOwner(u *user.User) (owner, error) {
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return owner{}, fmt.Errorf("look up user %s: %w", u.Username, err)
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return owner{}, fmt.Errorf("look up user %s: %w", u.Username, err)
	}
	if uid == 0 {
		return owner{}, fmt.Errorf("user %s is root, as whom Postgres does not run: name another", u.Username)
	}
	return owner{name: u.Username, uid: uid, gid: gid, switched: true}, nil
}

// runAs makes a command the owner's, in a session of its own: what a terminal
// sends to us must not reach the server, which we stop in our own time.
func (o owner) runAs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if o.switched {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(o.uid), Gid: uint32(o.gid)}
	}
	cmd.Dir = "/" // ours may be closed to the owner
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"}
}

func (o owner) makeDir(path string, mode fs.FileMode) error {
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return errors.Join(os.Chmod(path, mode), o.give(path))
}

func (o owner) writeFile(path, text string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	return o.give(path)
}

func (o owner) give(path string) error {
	if !o.switched {
		return nil
	}
	return os.Lchown(path, o.uid, o.gid)
}

// takeLock takes the lock that says who owns a folder, and writes our number in
// it for people.
func takeLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			pid := make([]byte, 20)
			n, _ := f.ReadAt(pid, 0) // short at its end; an empty one only says less
			err = fmt.Errorf("%w by process %s: stop it, choose another folder, or share its database with --database-url", ErrInUse, pid[:n])
		}
		return nil, errors.Join(err, f.Close())
	}
	if err := f.Truncate(0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
