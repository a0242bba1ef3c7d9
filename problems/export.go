package problems

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"judge/judge"
)

// Exported is what Export writes as a package.
type Exported struct {
	Problem     *judge.Problem
	Statement   []Document
	Attachments []Document
	Solution    []Document
	// Open opens a file of test data or a document.
	Open func(judge.Blob) (io.ReadCloser, error)
}

// Exported is the package as Export writes it.
func (p *Package) Exported() Exported {
	return Exported{
		Problem: &p.Problem, Statement: p.Statement, Attachments: p.Attachments, Solution: p.Solution,
		Open: func(b judge.Blob) (io.ReadCloser, error) { return p.Open(b) },
	}
}

// Export is a problem, whichever format it came from, as a zip in the format
// 2025-09. Equal problems give equal bytes.
type Export struct {
	// Findings tell what the format cannot say, or says in another way. With one that
	// is an Error there is no zip, because it would be another problem.
	Findings []Finding

	files *exporter
}

// NewExport makes an export. It reads no test data yet.
func NewExport(from Exported) (*Export, error) {
	x := &exporter{from: from, rep: &report{}, files: map[string]exportFile{}, problem: *from.Problem}
	x.conform()
	x.config()
	x.programs()
	x.data(&x.problem.Root)
	x.checks()
	x.submissions()
	x.documents()
	return &Export{Findings: x.rep.findings, files: x}, x.err
}

// OK reports whether there is a zip to write.
func (e *Export) OK() bool { return !e.files.rep.failed() }

// Write writes the zip. It reads the test data while it writes.
func (e *Export) Write(w io.Writer) error {
	if !e.OK() {
		return errors.New("write package: the problem cannot be said in format " + string(judge.Format2025))
	}
	return e.files.write(w)
}

// exporter collects the files of a package before they are written in order.
type exporter struct {
	from    Exported
	problem judge.Problem // as the format can say it
	rep     *report
	files   map[string]exportFile
	err     error
}

// exportFile is data, or a blob.
type exportFile struct {
	data []byte
	blob *judge.Blob
	mode bool // may be run
}

func (x *exporter) add(name string, data []byte)      { x.put(name, exportFile{data: data}) }
func (x *exporter) addBlob(name string, b judge.Blob) { x.put(name, exportFile{blob: &b}) }

func (x *exporter) put(name string, f exportFile) {
	if _, ok := x.files[name]; ok {
		x.rep.errorf(NameClash, name, 0, "would be there twice in the exported package; rename one in the problem")
		return
	}
	x.files[name] = f
}

func (x *exporter) maybe(name string, b *judge.Blob) {
	if b != nil {
		x.addBlob(name, *b)
	}
}

// write writes the zip: names in order, no times, no owners, so that equal
// problems give equal bytes.
func (x *exporter) write(w io.Writer) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.DefaultCompression)
	})
	for _, name := range slices.Sorted(maps.Keys(x.files)) {
		f := x.files[name]
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		if f.mode {
			h.SetMode(0o755)
		}
		to, err := z.CreateHeader(h)
		if err == nil {
			err = x.copy(to, f)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write zip: %w", err)
	}
	return nil
}

func (x *exporter) copy(w io.Writer, f exportFile) error {
	if f.blob == nil {
		_, err := w.Write(f.data)
		return err
	}
	r, err := x.from.Open(*f.blob)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, r.Close())
}

// documents writes statements under the names that the format wants,
// statement/problem.LANGUAGE.EXT, and the pictures and other files beside them.
func (x *exporter) documents() {
	for _, d := range x.from.Statement {
		x.addBlob("statement/"+x.statementName(d.Name), d.Blob)
	}
	for _, d := range x.from.Attachments {
		x.addBlob("attachments/"+strings.TrimPrefix(d.Name, "attachments/"), d.Blob)
	}
	for _, d := range x.from.Solution {
		x.addBlob("solution/"+strings.TrimPrefix(d.Name, "solution/"), d.Blob)
	}
	for _, v := range x.problem.Visualizers {
		folder, _, _ := strings.Cut(v.Name, "/")
		x.program(folder, v)
	}
	for _, language := range slices.Sorted(maps.Keys(x.problem.Include)) {
		for _, f := range x.problem.Include[language] {
			x.add(path.Join("include", language, f.Name), f.Data)
		}
	}
}

func (x *exporter) statementName(name string) string {
	for _, folder := range []string{"statement/", "problem_statement/"} {
		if rest, ok := strings.CutPrefix(name, folder); ok {
			name = rest
		}
	}
	if language, rest, ok := strings.Cut(strings.TrimPrefix(name, "statements/"), "/"); ok && x.problem.Format == judge.FormatPolygon {
		if name = rest; strings.HasPrefix(rest, "problem.") && polygonLanguages[language] != "" {
			return "problem." + polygonLanguages[language] + path.Ext(rest)
		}
		return language + "/" + name
	}
	if ext := path.Ext(name); name == "problem"+ext { // legacy: no language is English
		return "problem.en" + ext
	}
	return name
}
