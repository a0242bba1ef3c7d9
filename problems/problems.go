// Package problems reads problem packages: a folder or a zip in one of several
// formats becomes a judge.Problem with findings for people, and its test data
// can be opened for the sandbox. A package is hostile input: names, links,
// sizes and numbers are checked before anything is believed.
//
// The guarded tree of files (tree.go) knows nothing of formats; each format
// (legacy.go, icpc.go, polygon.go, dmoj.go, plain.go) is a reader next to the others
// that sees only the tree. lint.go looks at the whole. Every finding has a code from
// the table in code.go.
//
// It does not run anything, does not calibrate time limits and does not store
// packages.
package problems

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"judge/judge"
)

// Package is a problem package that is open. Its methods may be called from
// several goroutines at once; Close must come after the last of them.
type Package struct {
	Problem  judge.Problem
	Findings []Finding // warnings and remarks; errors are in a *ReadError instead

	Statement   []Document // in all its languages and forms, and what belongs to it, as pictures
	Attachments []Document // for contestants
	Solution    []Document // how the problem is solved; for staff

	tree    *tree
	version func() (string, error)
}

// Open reads the package at path, a folder or a zip. Faults of the package are
// a *ReadError that holds all of them; any other error is ours or the system's.
func Open(path string, opts Options) (*Package, error) {
	opts = opts.withDefaults()
	rep := &report{}
	name, ok := problemName(path, opts.Name)
	if !ok {
		rep.errorf(BadName, "", 0, "problem name %q is not valid; rename the package so that its name matches [a-z0-9][a-z0-9._-]{0,63}", name)
	}
	t, err := openTree(path, opts, rep)
	if err != nil {
		return nil, fmt.Errorf("open package %s: %w", path, err)
	}
	pkg := &Package{Problem: judge.Problem{Name: name}, tree: t}
	if !rep.failed() {
		err = readPackage(pkg, opts, rep)
	}
	if err == nil && rep.failed() {
		err = &ReadError{Path: path, Findings: rep.errors()}
	} else if err != nil {
		err = fmt.Errorf("read package %s: %w", path, err)
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	pkg.Findings = rep.findings
	pkg.version = sync.OnceValues(pkg.hash)
	return pkg, nil
}

// Document is a file of a package that people read and judging does not need.
type Document struct {
	Name string     // path in the package
	Blob judge.Blob // for Package.Open
}

// Open opens a blob of the package's problem or documents for reading. Each call gives an
// open file description of its own, which the caller closes. Others may read
// the file but not write it, so a program under any uid may open it anew
// through /dev/stdin.
func (p *Package) Open(b judge.Blob) (*os.File, error) {
	f, err := p.tree.openPinned(b.Ref)
	if err != nil {
		return nil, fmt.Errorf("open test data %s: %w", b.Ref, err)
	}
	return f, nil
}

// Version is the hex SHA-256 of all that judging depends on: test data,
// validators, flags, included files and limits, not jury submissions, names or
// statements. A folder and its zip have the same. The first call reads all
// data; later ones are free. Problem.Version is left to the caller, who may not
// want to wait for it.
func (p *Package) Version() (string, error) { return p.version() }

// Close releases what the package holds open and removes its staged copies.
// Files that Open gave stay open.
func (p *Package) Close() error {
	if err := p.tree.close(); err != nil {
		return fmt.Errorf("close package: %w", err)
	}
	return nil
}

var validName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

func problemName(path, override string) (string, bool) {
	name := override
	if name == "" {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		name = filepath.Base(path)
		for _, ext := range []string{".zip", ".kpp"} {
			if strings.EqualFold(filepath.Ext(name), ext) {
				name = name[:len(name)-len(ext)]
			}
		}
		name = strings.ToLower(name)
	}
	return name, validName.MatchString(name)
}
