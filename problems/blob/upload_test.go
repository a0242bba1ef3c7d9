package blob_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"judge/problems"
	"judge/problems/blob"
)

func zipped(tb testing.TB, files map[string]string) []byte {
	tb.Helper()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := zw.Create(name)
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func uploads(tb testing.TB) (*blob.Uploads, string) {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "uploads")
	u, err := blob.OpenUploads(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return u, dir
}

func names(tb testing.TB, dir string) []string {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestReceive(t *testing.T) {
	u, dir := uploads(t)
	data := zipped(t, whole)
	up, err := u.Receive(t.Context(), iotest.OneByteReader(bytes.NewReader(data)), int64(len(data)), problems.Options{Name: "given"})
	if err != nil {
		t.Fatal(err)
	}
	if up.Size != int64(len(data)) || up.SHA256 != sumOf(data) || up.Package.Problem.Name != "given" {
		t.Errorf("%d bytes, SHA-256 %s, name %s", up.Size, up.SHA256, up.Package.Problem.Name)
	}
	if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("the folder of uploads: %v, %v", fi.Mode(), err)
	}
	s := fileStore(t).open(t)
	m := imported(t, s, up.Package)
	unpacked := imported(t, s, openPackage(t, folder(t, "given", whole)))
	if m.Version != unpacked.Version || !slices.Equal(sums(m), sums(unpacked)) {
		t.Error("the zip and the folder make two manifests")
	}
	// A clean-up finds nothing as long as it is open.
	if n, err := u.Sweep(time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	if err := errors.Join(up.Close(), up.Close()); err != nil {
		t.Error(err)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// A bundle is received as a package is, and goes with its folder.
func TestReceiveBundle(t *testing.T) {
	u, dir := uploads(t)
	data := zipped(t, map[string]string{"contest.json": "{}", "problems/a.zip": "x"})
	up, err := u.ReceiveBundle(t.Context(), bytes.NewReader(data), int64(len(data)), problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := up.Bundle.Names(); len(got) != 2 || up.Package != nil {
		t.Errorf("%q, %v", got, up.Package)
	}
	if err := up.Close(); err != nil {
		t.Error(err)
	}
	if _, err := u.ReceiveBundle(t.Context(), bytes.NewReader(data), int64(len(data))-1, problems.Options{}); !errors.Is(err, blob.ErrTooLarge) {
		t.Error(err)
	}
	_, err = u.ReceiveBundle(t.Context(), strings.NewReader("no zip"), 100, problems.Options{})
	if wrong, ok := errors.AsType[*problems.ReadError](err); !ok || strings.Contains(wrong.Error(), dir) {
		t.Error(err)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func TestReceiveRefuses(t *testing.T) {
	data := zipped(t, whole)
	limit := int64(len(data))
	broken := errors.New("the line is cut")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	isReadError := func(err error) bool {
		readErr, ok := errors.AsType[*problems.ReadError](err)
		return ok && len(readErr.Findings) > 0
	}
	is := func(want error) func(error) bool {
		return func(err error) bool { return errors.Is(err, want) }
	}
	bad := maps.Clone(whole)
	bad["data/secret/5.in"] = "no answer"
	for _, tt := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
		ok   func(error) bool
	}{
		{"too large", t.Context(), io.MultiReader(bytes.NewReader(data), strings.NewReader("x")), is(blob.ErrTooLarge)},
		{"endless", t.Context(), endless{}, is(blob.ErrTooLarge)},
		{"cut", t.Context(), io.MultiReader(bytes.NewReader(data[:100]), iotest.ErrReader(broken)), is(broken)},
		{"cancelled", cancelled, bytes.NewReader(data), is(context.Canceled)},
		{"half", t.Context(), bytes.NewReader(data[:len(data)/2]), isReadError},
		{"empty", t.Context(), strings.NewReader(""), isReadError},
		{"no zip", t.Context(), strings.NewReader("hello"), isReadError},
		{"bad package", t.Context(), bytes.NewReader(zipped(t, bad)), isReadError},
	} {
		u, dir := uploads(t)
		if tt.name == "bad package" {
			limit += 1 << 10
		}
		_, err := u.Receive(tt.ctx, tt.r, limit, problems.Options{Name: "p"})
		if err == nil || !tt.ok(err) {
			t.Errorf("%s: %v", tt.name, err)
		} else if isReadError(err) && strings.Contains(err.Error(), dir) {
			t.Errorf("%s: the sender is told where it lies: %v", tt.name, err)
		}
		if left := names(t, dir); len(left) > 0 {
			t.Errorf("%s: left %q", tt.name, left)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestSweepUploads(t *testing.T) {
	u, dir := uploads(t)
	// What a process that was killed leaves: its locks are free.
	for _, name := range []string{"upload-1/lock", "upload-1/package.zip", "upload-1/judge-package-9/1", "upload-2/package.zip", "kept/x"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := u.Sweep(time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("swept %d that may be young, %v", n, err)
	}
	if n, err := u.Sweep(time.Now().Add(time.Hour)); n != 2 || err != nil {
		t.Errorf("swept %d, %v; want 2", n, err)
	}
	if left := names(t, dir); !slices.Equal(left, []string{"kept"}) {
		t.Errorf("left %q", left)
	}
}
