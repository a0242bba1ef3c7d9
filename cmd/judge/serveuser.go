package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is who the API runs as.
type account struct {
	name     string
	uid, gid uint32
	switched bool // we are root, and it is not
}

// apiAccount finds who the API runs as: the user named; else judge, if there is
// one, else nobody. Whoever is not root has no choice.
func apiAccount(wanted string) (account, error) {
	if uid := os.Geteuid(); uid != 0 {
		if wanted != "" {
			return account{}, badInput{fmt.Errorf("--api-user %s: only root may start the API as another user; leave it out", wanted)}
		}
		return account{name: "uid " + strconv.Itoa(uid), uid: uint32(uid), gid: uint32(os.Getegid())}, nil
	}
	names := []string{"judge", "nobody"}
	if wanted != "" {
		names = []string{wanted}
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if _, unknown := errors.AsType[user.UnknownUserError](err); unknown {
			continue
		}
		if err != nil {
			return account{}, fmt.Errorf("look up user %s: %w", name, err)
		}
		return newAccount(u)
	}
	return account{}, badInput{fmt.Errorf("--api-user: there is no user %s; useradd --system judge makes one", strings.Join(names, " or "))}
}

func newAccount(u *user.User) (account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("look up user %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("look up user %s: %w", u.Username, err)
	}
	if uid == 0 || gid == 0 {
		return account{}, badInput{fmt.Errorf("--api-user %s: the API must be neither of user nor of group root; useradd --system judge makes a user for it", u.Username)}
	}
	return account{name: u.Username, uid: uint32(uid), gid: uint32(gid), switched: true}, nil
}

// may reports whether the account has a right (4 read, 2 write, 1 enter) to what
// info is of, by its mode.
func (u account) may(info fs.FileInfo, right fs.FileMode) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case ok && st.Uid == u.uid:
		return info.Mode()&(right<<6) != 0
	case ok && st.Gid == u.gid:
		return info.Mode()&(right<<3) != 0
	}
	return info.Mode()&right != 0
}

// harmless refuses an account that is a way to what the API is kept from: the
// engine, which is root on this machine, and the files of our own Postgres.
func (u account) harmless(engine, cluster string) error {
	if !u.switched {
		return nil
	}
	const remedy = "useradd --system judge makes a user that is good for it"
	if info, err := os.Stat(engine); err == nil && u.may(info, 2) {
		return badInput{fmt.Errorf("--api-user %s: this user may use the engine's socket %s, and so is root: %s", u.name, engine, remedy)}
	}
	info, err := os.Stat(cluster)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the database is another's
	}
	if err != nil {
		return fmt.Errorf("look at cluster: %w", err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid == u.uid {
		return badInput{fmt.Errorf("--api-user %s: Postgres runs as this user, and owns %s: %s", u.name, cluster, remedy)}
	}
	return nil
}

// engineSocket is where the engine listens; empty where it is no file.
func engineSocket() string {
	host := os.Getenv("DOCKER_HOST")
	if host == "" {
		return "/var/run/docker.sock"
	}
	path, ok := strings.CutPrefix(host, "unix://")
	if !ok {
		return ""
	}
	return path
}

// own makes a folder the account's, with all that is in it, and makes it if it is
// not there. It follows no link: what lies there may be somebody's who is not to
// be believed.
func (u account) own(dir string) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o711); err != nil { //nolint:gosec // others pass through, to what is theirs
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if !u.switched {
		return nil
	}
	return errors.Join(u.give(dir), u.reach(dir))
}

// give makes a folder the account's with what is in it, unless the folder is
// already.
func (u account) give(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return badInput{fmt.Errorf("%s is no folder: remove it, or name another place", dir)}
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid == u.uid && st.Gid == u.gid {
		return nil
	}
	return u.giveAll(dir)
}

// giveAll changes the owner of all that is in a folder, and of the folder last.
func (u account) giveAll(dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	err = fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		return root.Lchown(path, int(u.uid), int(u.gid))
	})
	if err != nil {
		return fmt.Errorf("give %s to user %s: %w", dir, u.name, err)
	}
	return root.Lchown(".", int(u.uid), int(u.gid))
}

// reach says which folder on the way to dir the account may not enter.
func (u account) reach(dir string) error {
	path, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for up := filepath.Dir(path); ; up = filepath.Dir(up) {
		info, err := os.Stat(up)
		if err != nil {
			return err
		}
		if !u.may(info, 1) {
			return badInput{fmt.Errorf("user %s, as whom the API runs, cannot reach %s: %s is closed to it; chmod o+x %s, or choose another place with --data", u.name, dir, up, up)}
		}
		if up == "/" {
			return nil
		}
	}
}
