package problems

import (
	"errors"

	"judge/judge"
)

// configFile tells several formats apart and is read once for all of them.
const configFile = "problem.yaml"

// format is one package format. detect looks at the tree and at problem.yaml;
// the first format in the list that knows the package reads it.
type format struct {
	detect func(r *reader) bool
	read   func(r *reader)
}

func formats() []format {
	return []format{
		{detect2025, (*reader).icpc},
		{detectLegacy, (*reader).legacy},
		{func(r *reader) bool { return r.tree.has(polygonFile) }, (*reader).polygon},
		{func(r *reader) bool { return r.tree.has(dmojFile) }, (*reader).dmoj},
		{func(*reader) bool { return true }, (*reader).plain},
	}
}

// reader is one reading of a package. Faults go to the report, the first
// failure of ours or the system's to err, and reading goes on where it can.
type reader struct {
	pkg     *Package
	tree    *tree
	opts    Options
	rep     *report
	yaml    *document // problem.yaml; nil: there is none
	sources int64     // bytes of programs kept in memory so far
	err     error

	constants   map[string]string // to be put into programs and settings
	customMeant bool              // a custom validator is declared, whether it is there or not
	rules       []*rule           // of submissions.yaml and the format; nil: the format has none

	inLegacy legacyReading
	inICPC   icpcReading
}

func readPackage(pkg *Package, opts Options, rep *report) error {
	r := &reader{pkg: pkg, tree: pkg.tree, opts: opts, rep: rep}
	if !r.readConfig() {
		return r.err
	}
	for _, f := range formats() {
		if !f.detect(r) {
			continue
		}
		f.read(r)
		break
	}
	return r.err
}

// readConfig reads problem.yaml if there is one; false: it cannot be used.
func (r *reader) readConfig() bool {
	if !r.tree.has(configFile) {
		return true
	}
	data, ok := r.config(configFile)
	if !ok {
		return false
	}
	r.yaml, ok = parseYAML(r.rep, configFile, data)
	return ok
}

// config reads a small file if it is there.
func (r *reader) config(name string) ([]byte, bool) {
	e := r.tree.byName[name]
	if e == nil {
		return nil, false
	}
	return r.bytes(e, r.opts.MaxConfig)
}

func (r *reader) bytes(e *entry, limit int64) ([]byte, bool) {
	data, err := r.tree.read(e, limit)
	return data, r.ok(e, err)
}

func (r *reader) pin(e *entry) judge.Blob {
	b, err := r.tree.pin(e)
	r.ok(e, err)
	return b
}

// documents lists the files below a folder, in order of path.
func (r *reader) documents(folder string) []Document {
	var all []Document
	for _, e := range r.tree.under(folder) {
		all = append(all, Document{Name: e.name, Blob: r.pin(e)})
	}
	return all
}

// keep counts bytes of a file that stay in memory, against the ceiling for programs.
func (r *reader) keep(e *entry, n int64) bool {
	if r.sources+n > r.opts.MaxSource {
		r.rep.errorf(TooLarge, e.name, 0, "with this file (%s) the package's programs and settings hold more than %s, which is the ceiling; remove what is not source", bytesText(n), bytesText(r.opts.MaxSource))
		return false
	}
	r.sources += n
	return true
}

// ok sorts an error about a file: a fault is the package's, the rest is not.
func (r *reader) ok(e *entry, err error) bool {
	if f, is := errors.AsType[fault](err); is {
		r.rep.errorf(f.code, e.name, 0, "%s", f)
	} else if err != nil && r.err == nil {
		r.err = err
	}
	return err == nil
}
