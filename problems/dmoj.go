package problems

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// DMOJ's problems: init.yml beside a zip of test data, as https://docs.dmoj.ca
// describes them. Time and memory limits are not in it: DMOJ keeps them in its
// site, here they come with the request.
//
// Each entry of test_cases becomes a group of secret: a single case gives its
// points, a batch gives them if all of it is right, which is its minimum. What
// follows a case of no points that fails is not judged, which is what RequirePass
// says.

const (
	dmojFile = "init.yml"
	// maxDMOJFile is larger than other files of settings: each case has a line in it.
	maxDMOJFile = 1 << 20 // bytes
)

// dmoj is one reading of init.yml.
type dmoj struct {
	*reader

	doc     *document
	archive *tree // of the test data; nil: the files lie in the package
	name    string
	zeros   []string // groups of no points so far
	batches []string // groups that are batches, from 1
}

func (r *reader) dmoj() {
	pr := &r.pkg.Problem
	pr.Format, pr.Scoring, pr.Title = judge.FormatDMOJ, true, pr.Name
	r.givenLimits()
	data, ok := r.bytes(r.tree.byName[dmojFile], maxDMOJFile)
	if !ok {
		return
	}
	doc, ok := parseYAML(r.rep, dmojFile, data)
	if !ok {
		return
	}
	d := dmoj{reader: r, doc: doc}
	d.read()
	if d.archive != nil {
		if err := d.archive.close(); err != nil && r.err == nil {
			r.err = err
		}
	}
	r.counted()
}

func (d *dmoj) read() {
	if n := d.doc.get("archive"); n != nil && !isNull(n) && !d.open(n) {
		return
	}
	unsupported := func(what string) func(*yaml.Node) {
		return func(n *yaml.Node) {
			if b, is := d.doc.boolean(n); !is || b {
				d.doc.fault(BadType, n, "%s is not known here: %s", n.Value, what)
			}
		}
	}
	d.doc.each(d.doc.root, "", fields{
		"archive":              nil,
		"test_cases":           nil,
		"pretest_test_cases":   nil,
		"points":               nil,
		"checker":              d.checker,
		"interactive":          d.interactive,
		"output_limit_length":  d.outputLimit,
		"output_prefix_length": nil, // how much of an output a site shows
		"unbuffered":           nil, // standard output is a pipe; who flushes is the program
		"symlinks":             unsupported("symlinks are never followed; put the files into the package"),
		"hints":                nil,
		"wall_time_factor":     nil,
		"archive_type":         nil,
		"type":                 nil,
		"custom_judge":         unsupported("custom_judge is Python that runs in DMOJ's own judge; write a bridged checker or an interactor instead"),
		"signature_grader":     unsupported("signature_grader is not read; give the driver in include/ of a package in format 2025-09"),
		"generator":            unsupported("generator is not run; put the test data into the archive"),
		"file_io":              unsupported("programs are judged by standard input and output"),
		"grader":               unsupported("grader is not read"),
		"output_prefix":        nil,
		"time_limit":           nil,
		"memory_limit":         nil,
	})
	if v := &d.pkg.Problem.Validator; !v.Custom() && v.Builtin == "" {
		v.Builtin = "standard"
	}
	d.cases()
}

// open reads the archive of the test data, a zip in the package, under the same
// ceilings as the package itself.
func (d *dmoj) open(n *yaml.Node) bool {
	name, ok := d.doc.text(n, "archive")
	if !ok {
		return false
	}
	e := d.tree.byName[path.Clean(name)]
	if e == nil {
		d.doc.fault(MissingInput, n, "the archive %q is not in the package; add it, or write the names of files that are", name)
		return false
	}
	staged, err := d.tree.copy(e)
	if !d.ok(e, err) {
		return false
	}
	sub := &report{}
	if d.archive, err = openTree(staged, d.opts, sub); err != nil {
		d.ok(e, err)
		return false
	}
	for _, f := range sub.findings {
		d.rep.add(f.Severity, f.Code, path.Join(e.name, f.File), f.Line, "%s", f.Message)
	}
	d.name = e.name
	return !sub.failed()
}

// file is a file of the test data, staged so that it outlives the archive.
func (d *dmoj) file(n *yaml.Node, key string, code Code) (judge.Blob, bool) {
	name, ok := d.doc.text(n, key)
	if !ok {
		return judge.Blob{}, false
	}
	blob, found := d.stored(name)
	if !found {
		where := "the package"
		if d.archive != nil {
			where = d.name
		}
		d.doc.fault(code, n, "%s names the file %q, which is not in %s; mend the name or add the file", key, name, where)
	}
	return blob, found
}

func (d *dmoj) stored(name string) (judge.Blob, bool) {
	clean := path.Clean(name)
	if d.archive == nil {
		e := d.tree.byName[clean]
		if e == nil {
			return judge.Blob{}, false
		}
		return d.pin(e), true
	}
	e := d.archive.byName[clean]
	if e == nil {
		return judge.Blob{}, false
	}
	ref := d.name + "/" + e.name
	if p, ok := d.tree.pinned[ref]; ok {
		return judge.Blob{Ref: ref, Size: p.entry.size}, true
	}
	err := d.tree.adopt(d.archive, e, ref)
	d.ok(e, err)
	return judge.Blob{Ref: ref, Size: e.size}, true
}

// adopt stages a file of another tree, to be opened as ref.
func (t *tree) adopt(from *tree, e *entry, ref string) error {
	staged, err := t.copyFrom(from, e)
	if err != nil {
		return err
	}
	t.pinned[ref] = pin{entry: e, staged: staged}
	return nil
}

func (d *dmoj) outputLimit(n *yaml.Node) {
	if v, ok := d.doc.whole(n, "output_limit_length", 1, MaxOutput); ok {
		d.pkg.Problem.Limits.Output = v
	}
}

// checker is a name, or a mapping with a name and args.
func (d *dmoj) checker(n *yaml.Node) {
	name, args := "", &yaml.Node{Kind: yaml.MappingNode}
	if n.Kind == yaml.MappingNode {
		d.doc.each(n, "checker", fields{
			"name": d.doc.setText(&name, "checker.name"),
			"args": func(n *yaml.Node) { args = n },
		})
	} else if !isNull(n) {
		d.doc.setText(&name, "checker")(n)
	}
	v := &d.pkg.Problem.Validator
	switch {
	case name == "bridged":
		v.Programs, v.Protocol = d.bridged(args, "checker.args")
	case strings.HasSuffix(name, ".py"):
		d.doc.fault(BadType, n, "the checker %s is Python that runs in DMOJ's own judge; write a bridged checker instead", name)
	default:
		v.Builtin = name
		v.Flags = d.flags(args)
	}
}

// flags are the arguments of a built-in checker as judge/checker reads them.
func (d *dmoj) flags(args *yaml.Node) []string {
	var flags []string
	if isNull(args) {
		return nil
	}
	d.doc.pairs(args, "checker.args", func(key, value *yaml.Node) {
		if value.Kind == yaml.SequenceNode {
			if all, ok := d.doc.texts(value, key.Value, false); ok {
				flags = append(flags, key.Value, strings.Join(all, ","))
			}
		} else if s, ok := d.doc.text(value, key.Value); ok {
			flags = append(flags, key.Value, s)
		}
	})
	return flags
}

// protocols are the contracts that DMOJ's bridged programs may follow. default's
// exit codes are the first two of testlib's.
var protocols = map[string]judge.Protocol{
	"": judge.ProtocolTestlib, "default": judge.ProtocolTestlib, "testlib": judge.ProtocolTestlib,
	"coci": judge.ProtocolCOCI, "peg": judge.ProtocolPEG,
}

// bridged is a program of the package: its files are those that are named, with
// the headers beside them.
func (d *dmoj) bridged(n *yaml.Node, within string) ([]judge.JuryProgram, judge.Protocol) {
	var names []string
	kind := ""
	ignored := func(n *yaml.Node) {
		d.doc.warnf(UselessKey, n, "this key of %s has no effect here; the language goes by the file's extension, limits are the validation's", within)
	}
	d.doc.each(n, within, fields{
		"files": d.doc.setTexts(&names, within+".files", true),
		"type":  d.doc.setText(&kind, within+".type"),
		"lang":  nil, "time_limit": nil, "memory_limit": nil, "compiler_time_limit": nil, "feedback": nil, "cached": nil,
		"preprocessing_time": nil,
		"flags":              ignored,
		"args": func(n *yaml.Node) {
			d.doc.fault(BadType, n, "arguments of its own are not known for a bridged program")
		},
	})
	protocol, ok := protocols[kind]
	if !ok {
		d.doc.fault(BadType, n, "%s.type is %q; default, testlib, coci and peg are known", within, kind)
	}
	var parts []partFile
	for _, name := range names {
		e := d.tree.byName[path.Clean(name)]
		if e == nil {
			d.doc.fault(MissingValidator, n, "%s.files names %q, which is not in the package", within, name)
			return nil, protocol
		}
		parts = append(parts, partFile{path.Base(e.name), e})
	}
	if len(parts) == 0 {
		d.doc.fault(MissingValidator, n, "%s names no files", within)
		return nil, protocol
	}
	for _, e := range d.tree.files {
		header := slices.Contains([]string{".h", ".hpp"}, path.Ext(e.name)) && path.Dir(e.name) == path.Dir(parts[0].e.name)
		if header && !slices.ContainsFunc(parts, func(p partFile) bool { return p.e == e }) {
			parts = append(parts, partFile{path.Base(e.name), e})
		}
	}
	if !d.named(parts) {
		return nil, protocol
	}
	files, ok := d.load(parts)
	if !ok {
		return nil, protocol
	}
	return []judge.JuryProgram{{Name: parts[0].e.name, Files: files}}, protocol
}

func (d *dmoj) interactive(n *yaml.Node) {
	if isNull(n) {
		return
	}
	pr := &d.pkg.Problem
	pr.Interactive = true
	pr.Validator.Programs, pr.Validator.Protocol = d.bridged(n, "interactive")
}
