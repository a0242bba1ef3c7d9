package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"judge/problems"
)

// ErrTooLarge is wrapped by errors about an upload that is longer than allowed.
var ErrTooLarge = errors.New("upload too large")

const (
	uploadPrefix = "upload-"
	uploadLock   = "lock"
	uploadZip    = "package.zip"
)

// Uploads is a private folder for packages that are being received. Several
// processes may use one folder at once.
type Uploads struct{ dir string }

// OpenUploads makes the folder, of mode 0700, if it is not there.
func OpenUploads(dir string) (*Uploads, error) {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.Chmod(dir, 0o700) // #nosec G302 -- a folder
	}
	if err != nil {
		return nil, fmt.Errorf("open folder of uploads: %w", err)
	}
	return &Uploads{dir}, nil
}

// Upload is a zip that was received whole and could be read.
type Upload struct {
	Package *problems.Package // nil: it is a bundle
	Bundle  *problems.Bundle  // nil: it is a package
	SHA256  string            // of the zip
	Size    int64             // of the zip, in bytes

	dir  string
	lock *os.File
	once sync.Once
	err  error
}

// Receive takes a zip of at most limit bytes and opens it as a package; opts must
// name the problem, and its TempDir is not used. What is not taken leaves
// nothing. Errors wrap ErrTooLarge, or are a *problems.ReadError where the
// package is at fault; when the sender goes away, r's error is in them.
func (u *Uploads) Receive(ctx context.Context, r io.Reader, limit int64, opts problems.Options) (*Upload, error) {
	return u.take(ctx, r, limit, func(up *Upload, path string) (err error) {
		opts.TempDir = up.dir
		up.Package, err = problems.Open(path, opts)
		return err
	})
}

// ReceiveBundle is Receive for a zip of files that are no package.
func (u *Uploads) ReceiveBundle(ctx context.Context, r io.Reader, limit int64, opts problems.Options) (*Upload, error) {
	return u.take(ctx, r, limit, func(up *Upload, path string) (err error) {
		opts.TempDir = up.dir
		up.Bundle, err = problems.OpenBundle(path, opts)
		return err
	})
}

func (u *Uploads) take(ctx context.Context, r io.Reader, limit int64, open func(up *Upload, path string) error) (_ *Upload, err error) {
	up := &Upload{}
	if err := u.begin(up); err != nil {
		return nil, fmt.Errorf("receive package: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, up.Close())
		}
	}()
	if err := up.receive(reading(ctx, r), limit); err != nil {
		return nil, fmt.Errorf("receive package: %w", err)
	}
	err = open(up, filepath.Join(up.dir, uploadZip))
	if readErr, ok := errors.AsType[*problems.ReadError](err); ok {
		readErr.Path = "the uploaded package" // where it lies is nobody's business
		return nil, readErr
	} else if err != nil {
		return nil, err
	}
	return up, nil
}

// begin makes the upload's folder, which is ours while the lock in it is held.
func (u *Uploads) begin(up *Upload) (err error) {
	if up.dir, err = os.MkdirTemp(u.dir, uploadPrefix); err != nil {
		return err
	}
	up.lock, err = os.OpenFile(filepath.Join(up.dir, uploadLock), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = flock(up.lock, syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		return errors.Join(err, up.Close())
	}
	return nil
}

func (up *Upload) receive(r io.Reader, limit int64) (err error) {
	f, err := os.OpenFile(filepath.Join(up.dir, uploadZip), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	up.Size, err = io.Copy(io.MultiWriter(h, f), io.LimitReader(r, limit+1))
	if err != nil {
		return err
	}
	if up.Size > limit {
		return fmt.Errorf("%w: at most %d bytes are allowed", ErrTooLarge, limit)
	}
	up.SHA256 = hexOf(h.Sum(nil))
	return nil
}

// Close closes the package and removes all that was received. It may be called
// again.
func (up *Upload) Close() error {
	up.once.Do(func() {
		if up.Package != nil {
			up.err = up.Package.Close()
		}
		if up.Bundle != nil {
			up.err = up.Bundle.Close()
		}
		up.err = errors.Join(up.err, os.RemoveAll(up.dir))
		if up.lock != nil {
			up.err = errors.Join(up.err, up.lock.Close())
		}
	})
	return up.err
}

// Sweep removes uploads that were begun before the given time and that no
// process holds open any more.
func (u *Uploads) Sweep(before time.Time) (removed int, err error) {
	entries, err := os.ReadDir(u.dir)
	if err != nil {
		return 0, fmt.Errorf("sweep uploads: %w", err)
	}
	var errs []error
	for _, e := range entries {
		fi, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(e.Name(), uploadPrefix) {
			continue
		}
		if err == nil && fi.ModTime().Before(before) {
			var gone bool
			if gone, err = abandoned(filepath.Join(u.dir, e.Name())); gone {
				removed++
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("sweep uploads: %w", err))
		}
	}
	return removed, errors.Join(errs...)
}

// abandoned removes a folder if its lock is free or was never made.
func abandoned(dir string) (bool, error) {
	f, err := os.Open(filepath.Join(dir, uploadLock))
	if err == nil {
		defer f.Close() //nolint:errcheck // opened for its lock only
		err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return false, err
	}
	return true, nil
}
