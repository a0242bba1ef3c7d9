package problems

import (
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// parts splits what lies in a folder into its direct children: a file, or a
// folder with all its files. Names of files are relative to the part, in order.
func (r *reader) parts(folder string) []part {
	var all []part
	for _, e := range r.tree.under(folder) {
		rel := strings.TrimPrefix(e.name, folder+"/")
		top, below, deep := strings.Cut(rel, "/")
		if n := len(all); deep && n > 0 && all[n-1].name == top {
			all[n-1].files = append(all[n-1].files, partFile{below, e})
			continue
		}
		if !deep {
			below = top
		}
		all = append(all, part{name: top, folder: deep, files: []partFile{{below, e}}})
	}
	return all
}

type part struct {
	name   string
	folder bool
	files  []partFile
}

type partFile struct {
	name string
	e    *entry
}

// load keeps files in memory, within the ceiling for all of a package.
func (r *reader) load(files []partFile) ([]judge.File, bool) {
	var out []judge.File
	for _, f := range files {
		if r.sources+f.e.size > r.opts.MaxSource {
			r.rep.errorf(TooLarge, f.e.name, 0, "with this file (%s) the package's programs hold more than %s, which is the ceiling; remove what is not source", bytesText(f.e.size), bytesText(r.opts.MaxSource))
			return nil, false
		}
		data, ok := r.bytes(f.e, r.opts.MaxSource)
		if !ok {
			return nil, false
		}
		data, ok = r.substitute(data, r.opts.MaxSource-r.sources)
		if !ok {
			r.rep.errorf(TooLarge, f.e.name, 0, "with the problem's constants put in, the package's programs hold more than %s, which is the ceiling; shorten the constants", bytesText(r.opts.MaxSource))
			return nil, false
		}
		r.sources += int64(len(data))
		out = append(out, judge.File{Name: f.name, Data: data})
	}
	return out, true
}

// programs reads a folder of jury programs: each file and each folder in it is
// one. Headers beside the files belong to every file.
func (r *reader) programs(folder string) []judge.JuryProgram {
	var headers []partFile
	parts := slices.DeleteFunc(r.parts(folder), func(p part) bool {
		header := !p.folder && slices.Contains([]string{".h", ".hpp", ".hh"}, strings.ToLower(path.Ext(p.name)))
		if header {
			headers = append(headers, p.files...)
		}
		return header || (!p.folder && documentation(p.name))
	})
	var all []judge.JuryProgram
	for _, p := range parts {
		if !p.folder {
			p.files = append(p.files, headers...)
		}
		if r.named(p.files) {
			if files, ok := r.load(p.files); ok {
				all = append(all, judge.JuryProgram{Name: path.Join(folder, p.name), Files: files})
			}
		}
	}
	return all
}

// named refuses names that a box would not take.
func (r *reader) named(files []partFile) bool {
	ok := true
	for _, f := range files {
		if err := judge.CheckFileName(f.name); err != nil {
			r.rep.errorf(BadName, f.e.name, 0, "cannot be compiled or run under this name (%v); rename it", err)
			ok = false
		}
	}
	return ok
}

// documentation tells files that people leave beside programs.
func documentation(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains([]string{".md", ".txt", ".pdf", ".tex", ".yaml", ".yml"}, path.Ext(name)) ||
		name == "readme" || name == "license"
}

// include reads the files that are laid beside a submission, by language.
func (r *reader) include() {
	for _, p := range r.parts("include") {
		if !p.folder {
			r.rep.warnf(Misplaced, p.files[0].e.name, 0, "lies in no folder of include/ and has no effect; move it to include/<language>/ or include/default/")
			continue
		}
		if !r.named(p.files) {
			continue
		}
		if files, ok := r.load(p.files); ok {
			if r.pkg.Problem.Include == nil {
				r.pkg.Problem.Include = map[string][]judge.File{}
			}
			r.pkg.Problem.Include[p.name] = files
		}
	}
}
