package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"judge/judge"
	"judge/problems"
	"judge/problems/statement"
	"judge/runner"
)

// problemExportCmd writes a package in the format 2025-09.
type problemExportCmd struct {
	Package string `arg:"" help:"A package in any format: a folder or a zip."`
	Output  string `short:"o" placeholder:"FILE" help:"The zip to write; - for standard output (default: NAME.zip here)."`
	Force   bool   `short:"f" help:"Write over a file that is there."`
}

// Help is shown by judge problem export --help.
func (problemExportCmd) Help() string {
	return `Writes any problem as a zip in the ICPC's format 2025-09: from a legacy package,
Codeforces Polygon, DMOJ, or plain inputs and answers. What that format cannot say is
told on standard error; where it would be another problem, nothing is written.
Equal problems give equal bytes.

Examples:
  judge problem export polygon-package.zip
  judge problem export aplusb -o /tmp/aplusb.zip

A version on a server: GET /api/v1/problems/NAME/versions/NUMBER/package.

Exit code 0: written; 1: we failed; 2: the package cannot be read, or not be said.`
}

// Run exports one package.
func (c *problemExportCmd) Run(a *app) (err error) {
	pkg, err := openPackage(c.Package)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pkg.Close()) }()
	x, err := problems.NewExport(pkg.Exported())
	if err != nil {
		return err
	}
	for _, f := range x.Findings {
		a.notef("%s\n", f)
	}
	if !x.OK() {
		return badInput{fmt.Errorf("%s cannot be said in the format 2025-09; nothing is written", c.Package)}
	}
	if c.Output == "-" {
		return x.Write(a.out)
	}
	name := c.Output
	if name == "" {
		name = pkg.Problem.Name + ".zip"
	}
	return c.write(a, x, name)
}

func (c *problemExportCmd) write(a *app, x *problems.Export, name string) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if c.Force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o644) //nolint:gosec // a package is for others to read
	if errors.Is(err, fs.ErrExist) {
		return badInput{fmt.Errorf("%s is there already; name another with -o, or write over it with --force", name)}
	} else if err != nil {
		return readable(fmt.Errorf("write package: %w", err))
	}
	if err := errors.Join(x.Write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	_, err = fmt.Fprintln(a.out, name)
	return err
}

func openPackage(at string) (*problems.Package, error) {
	pkg, err := problems.Open(at, problems.Options{})
	if _, bad := errors.AsType[*problems.ReadError](err); bad || errors.Is(err, fs.ErrNotExist) {
		return nil, badInput{err}
	}
	return pkg, err
}

// problemStatementCmd shows a statement as a page.
type problemStatementCmd struct {
	Package string `arg:"" help:"A package: a folder or a zip."`
	File    string `placeholder:"NAME" help:"The file of the statement, as in problem.en.tex (default: the first that can be shown)."`
	Output  string `short:"o" default:"-" placeholder:"FILE" help:"The page to write; - for standard output."`
	Source  bool   `help:"Show TeX as source, without boxes."`
}

// Help is shown by judge problem statement --help.
func (problemStatementCmd) Help() string {
	return `Makes the page that contestants see: markdown and HTML, cleaned of all that could
do something, TeX by pandoc in a box (which needs root, Docker, and judge images build
_statement; without it the source is shown), pictures within the page, samples below.

Example:
  judge problem statement aplusb -o aplusb.html`
}

// Run writes the page.
func (c *problemStatementCmd) Run(a *app) (err error) {
	pkg, err := openPackage(c.Package)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pkg.Close()) }()
	s := statementSource{problem: &pkg.Problem, open: func(b judge.Blob) (io.ReadCloser, error) { return pkg.Open(b) }}
	name := c.File
	for _, d := range pkg.Statement {
		_, below, _ := strings.Cut(d.Name, "/")
		s.files = append(s.files, problems.Document{Name: below, Blob: d.Blob})
		if kind := statement.KindOf(below); name == "" && kind != statement.Other && kind != statement.Picture {
			name = below
		}
	}
	if name == "" {
		return badInput{fmt.Errorf("%s has no statement that can be shown", c.Package)}
	}
	if statement.KindOf(name) == statement.Tex && !c.Source {
		st, err := a.openStation(1, runner.PerRun)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, st.close(a.ctx)) }()
		s.tex = func(_ string, source []byte) (string, error) { return st.tex(a.ctx, source) }
	}
	html, _, err := s.page(name)
	if errors.Is(err, judge.ErrNotFound) {
		return badInput{err}
	} else if err != nil {
		return err
	}
	if c.Output == "-" {
		_, err = a.out.Write(html)
		return err
	}
	return readable(os.WriteFile(filepath.FromSlash(path.Clean(c.Output)), html, 0o644)) //nolint:gosec // a statement is for others to read
}
