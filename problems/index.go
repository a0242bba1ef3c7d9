package problems

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// entry is a file of the tree.
type entry struct {
	name string // path in the package, the wrapping folder taken off
	raw  string // path as the source knows it
	size int64  // bytes, as the source declares them
	key  any    // the source's own
}

// index decides which of a source's names become files of the tree. It checks
// names and sizes as declared; the tree checks sizes once more against the bytes.
type index struct {
	opts  Options
	rep   *report
	files []*entry
	seen  map[string]seenName // by folded path, folders too
	count int
	total int64
}

type seenName struct {
	name string
	dir  bool
}

// full reports whether the source should stop: there are too many names.
func (x *index) full() bool { return x.count > x.opts.MaxFiles }

// add takes a name as the source has it; mode tells files, folders and what we
// refuse. It reports whether the name is kept, so that a folder is entered.
func (x *index) add(name string, mode fs.FileMode, size int64, key any) bool {
	if x.full() {
		return false
	}
	if x.count++; x.full() {
		x.rep.errorf(TooMany, "", 0, "there are more than %d files and folders; that is the ceiling for one package", x.opts.MaxFiles)
		return false
	}
	if reason := badName(name, x.opts); reason != "" {
		x.rep.errorf(BadName, name, 0, "%s", reason)
		return false
	}
	if ignored(name) {
		return false
	}
	switch {
	case mode&fs.ModeSymlink != 0:
		x.rep.errorf(LinkFile, name, 0, "is a symbolic link, even one that stays inside the package is refused; replace it by a copy of the file (cp -RL copies a folder so)")
		return false
	case !mode.IsRegular() && !mode.IsDir():
		x.rep.errorf(SpecialFile, name, 0, "is neither a file nor a folder (%s); remove it", mode)
		return false
	}
	if !x.fresh(name, mode.IsDir()) {
		return false
	}
	if !mode.IsDir() {
		return x.addFile(&entry{name: name, raw: name, size: size, key: key})
	}
	return true
}

func (x *index) addFile(e *entry) bool {
	if e.size < 0 || e.size > x.opts.MaxFile {
		x.rep.errorf(TooLarge, e.name, 0, "holds %s; the ceiling for one file is %s", bytesText(e.size), bytesText(x.opts.MaxFile))
		return false
	}
	if x.total <= x.opts.MaxBytes && x.total+e.size > x.opts.MaxBytes {
		x.rep.errorf(TooLarge, e.name, 0, "with this file the package holds more than %s unpacked, which is the ceiling", bytesText(x.opts.MaxBytes))
	}
	x.total += e.size
	x.files = append(x.files, e)
	return true
}

// fresh records a path and the folders above it and refuses what is there
// twice, differs only in case, or is both a file and a folder.
func (x *index) fresh(name string, dir bool) bool {
	for i := range len(name) {
		if name[i] == '/' && !x.once(name[:i], true) {
			return false
		}
	}
	return x.once(name, dir)
}

func (x *index) once(name string, dir bool) bool {
	folded := strings.ToLower(strings.ToUpper(name))
	old, ok := x.seen[folded]
	switch {
	case !ok:
		x.seen[folded] = seenName{name, dir}
		return true
	case old.name != name:
		x.rep.errorf(NameClash, name, 0, "differs only in upper and lower case from %q; rename one of them", old.name)
	case dir && old.dir:
		return true
	case dir != old.dir:
		x.rep.errorf(NameClash, name, 0, "is there as a file and as a folder; remove one of them")
	default:
		x.rep.errorf(NameClash, name, 0, "is there twice; remove one of them")
	}
	return false
}

// unwrap takes off a single folder in which the whole package lies, a lone
// data/ excepted. Then it is known which .timelimit is more than a hidden file.
func (x *index) unwrap() {
	if len(x.files) == 0 {
		return
	}
	top, _, _ := strings.Cut(x.files[0].name, "/")
	outside := func(e *entry) bool { return !strings.HasPrefix(e.name, top+"/") }
	if top != "data" && !slices.ContainsFunc(x.files, outside) {
		for _, e := range x.files {
			e.name = e.name[len(top)+1:]
		}
	}
	x.files = slices.DeleteFunc(x.files, func(e *entry) bool {
		return e.name != timeLimitFile && path.Base(e.name) == timeLimitFile
	})
}

var driveLetter = regexp.MustCompile(`^[A-Za-z]:`)

// badName says why a path may not be in a package; empty: it may.
func badName(name string, opts Options) string {
	switch {
	case name == "" || !utf8.ValidString(name):
		return "the name is empty or not UTF-8; rename the file, or pack with a tool that writes UTF-8 names"
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		return "the name holds a NUL or another control character; rename the file"
	case strings.Contains(name, `\`):
		return `the name holds a backslash; rename the file, or pack with a tool that separates folders by "/"`
	case strings.HasPrefix(name, "/") || driveLetter.MatchString(name):
		return "the name is an absolute path; pack with paths relative to the package's folder"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return `the name climbs out of the package by ".."; pack with paths inside the package's folder`
	case path.Clean(name) != name:
		return `the name is not a plain path (it holds "." or "//"); pack the package anew`
	case len(name) > opts.MaxName:
		return "the path is longer than " + bytesText(int64(opts.MaxName)) + ", which is the ceiling; shorten it"
	case strings.Count(name, "/") > opts.MaxDepth:
		return "lies deeper than the ceiling of " + plural(opts.MaxDepth, "folder") + "; move it up"
	}
	return ""
}

// ignored reports names that are there for somebody else: hidden files (but
// .timelimit, which is old DOMjudge's) and what macOS adds to zips.
func ignored(name string) bool {
	dir, base := path.Split(name)
	if base[0] == '.' && base != timeLimitFile {
		return true
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if part == "__MACOSX" || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return base == "__MACOSX"
}
