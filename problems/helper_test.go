package problems_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"judge/judge"
	"judge/problems"
)

// files is a package as a test writes it: path to content.
type files map[string]string

func (f files) with(more files) files {
	all := maps.Clone(f)
	for name, data := range more {
		if all[name] = data; data == "-" {
			delete(all, name)
		}
	}
	return all
}

// oneCase is the least that a legacy package needs to be without errors.
var oneCase = files{
	"problem.yaml":      "name: One\n",
	"data/secret/1.in":  "1 2\n",
	"data/secret/1.ans": "3\n",
}

// folder writes a package as a folder called name.
func folder(tb testing.TB, name string, f files) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), name)
	write(tb, dir, f)
	return dir
}

func write(tb testing.TB, dir string, f files) {
	tb.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	for name, data := range f {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			tb.Fatal(err)
		}
		if err := os.Chmod(path, 0o644); err != nil { // whatever the umask
			tb.Fatal(err)
		}
	}
}

// header is an entry of a zip as a test wants it, true or not.
type header struct {
	zip.FileHeader

	data string
	raw  bool // data are the packed bytes, the header is written as it is
}

func zipBytes(tb testing.TB, entries ...header) []byte {
	tb.Helper()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for _, e := range entries {
		create := zw.CreateHeader
		if e.raw {
			create = zw.CreateRaw
		}
		w, err := create(&e.FileHeader)
		if err == nil && e.data != "" {
			_, err = io.WriteString(w, e.data)
		}
		if err != nil {
			tb.Fatalf("write zip entry %q: %v", e.Name, err)
		}
	}
	if err := zw.Close(); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func entry(name, data string) header {
	return header{FileHeader: zip.FileHeader{Name: name, Method: zip.Deflate}, data: data}
}

func entries(f files) []header {
	var all []header
	for _, name := range slices.Sorted(maps.Keys(f)) {
		all = append(all, entry(name, f[name]))
	}
	return all
}

// zipFile writes bytes as a zip called name.
func zipFile(tb testing.TB, name string, data []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		tb.Fatal(err)
	}
	return path
}

// open opens a package that must be readable, with its staged copies in a
// folder of the test's own.
func open(tb testing.TB, path string, opts problems.Options) *problems.Package {
	tb.Helper()
	if opts.TempDir == "" {
		opts.TempDir = tb.TempDir()
	}
	pkg, err := problems.Open(path, opts)
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	tb.Cleanup(func() {
		if err := pkg.Close(); err != nil {
			tb.Errorf("Close: %v", err)
		}
		if left := list(tb, opts.TempDir); len(left) > 0 {
			tb.Errorf("after Close there are still %q", left)
		}
	})
	return pkg
}

// refused opens a package that must not be readable, and returns the findings.
func refused(tb testing.TB, path string, opts problems.Options) []string {
	tb.Helper()
	return lines(faults(tb, path, opts))
}

// faults opens a package that must be refused, and must leave nothing behind.
func faults(tb testing.TB, path string, opts problems.Options) []problems.Finding {
	tb.Helper()
	opts.TempDir = tb.TempDir()
	pkg, err := problems.Open(path, opts)
	if err == nil {
		err = pkg.Close()
		tb.Fatalf("Open accepted the package (Close: %v)", err)
	}
	readErr, ok := errors.AsType[*problems.ReadError](err)
	if !ok {
		tb.Fatalf("Open: %v, want a *ReadError", err)
	}
	if left := list(tb, opts.TempDir); len(left) > 0 {
		tb.Errorf("a refused package left %q", left)
	}
	for _, f := range readErr.Findings {
		if _, known := problems.Codes()[f.Code]; !known || f.Severity != problems.Error {
			tb.Errorf("severity %s, code %q in a *ReadError: %s", f.Severity, f.Code, f)
		}
	}
	return readErr.Findings
}

// lines are the findings, but for the remarks on what tiny packages lack.
func lines(findings []problems.Finding) []string {
	var all []string
	for _, f := range findings {
		lacks := []string{problems.NoLicense, problems.NoStatement, problems.NoSamples}
		if f.Severity != problems.Info || !slices.Contains(lacks, f.Code) {
			all = append(all, f.String())
		}
	}
	return all
}

// wantEach checks that there are as many lines as wanted, and that each holds
// all parts, separated by " … ", of its counterpart.
func wantEach(tb testing.TB, got []string, want ...string) {
	tb.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		for part := range strings.SplitSeq(want[i], " … ") {
			ok = ok && strings.Contains(got[i], part)
		}
	}
	if !ok {
		tb.Errorf("findings:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func list(tb testing.TB, dir string) []string {
	tb.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// content reads a blob through the package.
func content(tb testing.TB, pkg *problems.Package, b judge.Blob) string {
	tb.Helper()
	f, err := pkg.Open(b)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	data, err := io.ReadAll(f)
	if err != nil {
		tb.Fatal(err)
	}
	if int64(len(data)) != b.Size {
		tb.Errorf("blob %s holds %d bytes, its Size is %d", b.Ref, len(data), b.Size)
	}
	return string(data)
}
