package judge

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Program is a submission ready for a box: its files as they are to be named
// there, and the command lines of the language expanded for them.
type Program struct {
	Language *Language
	Files    []File
	Entry    string   // name of the file that holds the entry point
	Compile  []string // argv; empty where nothing is compiled
}

// ErrSource is wrapped by every error that the submitter can mend.
var ErrSource = errors.New("bad source")

// NewProgram names the files of a submission as the language wants them, finds
// the entry point and expands the compile command. entry names the file to
// start; empty means that it is found.
//
// In Compile and Run, an argument may hold {entry} (file name), {stem} (without
// extension), {main} (stem, slashes as dots; where the language has packages, the
// declared package and the base name, or what the language calls a main class) and
// {memory_mib} (the limit without the runtime's allowance), {total_mib} (with it); an argument that is
// {sources} becomes one argument for each source file, {defines} the language's
// defines.
func NewProgram(lang *Language, files []File, entry string) (*Program, error) {
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: no files", ErrSource)
	}
	p := &Program{Language: lang, Files: slices.Clone(files)}
	if err := p.name(); err != nil {
		return nil, err
	}
	if err := p.findEntry(entry); err != nil {
		return nil, err
	}
	p.Compile = p.expand(lang.Compile, lang.CompileLimits.Memory)
	return p, nil
}

// RunArgs is the command line of a run whose memory limit, the language's
// allowance not included, is memory bytes.
func (p *Program) RunArgs(memory int64) []string { return p.expand(p.Language.Run, memory) }

func (p *Program) name() error {
	seen := map[string]bool{}
	for i := range p.Files {
		f := &p.Files[i]
		if f.Name == "" {
			if len(p.Files) > 1 {
				return fmt.Errorf("%w: file %d has no name; name every file when there are several", ErrSource, i+1)
			}
			f.Name = p.Language.SourceName
		}
		if err := CheckFileName(f.Name); err != nil {
			return err
		}
		if m := p.Language.nameFrom(f); m != "" {
			f.Name = path.Join(path.Dir(f.Name), m+path.Ext(f.Name))
		}
		if seen[f.Name] {
			return fmt.Errorf("%w: two files are called %q", ErrSource, f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

func (l *Language) nameFrom(f *File) string {
	if l.NamePattern == "" || !slices.Contains(l.Extensions, path.Ext(f.Name)) {
		return ""
	}
	re, err := regexp.Compile(l.NamePattern)
	if err != nil {
		return ""
	}
	return firstGroup(re, f.Data)
}

func firstGroup(re *regexp.Regexp, data []byte) string {
	m := re.FindSubmatch(data)
	for i := 1; i < len(m); i++ {
		if len(m[i]) > 0 {
			return string(m[i])
		}
	}
	return ""
}

// mainName is what {main} stands for. Where an entry file declares no package
// its folder says nothing: the compiler goes by the declaration alone.
func (p *Program) mainName() string {
	l := p.Language
	s := stem(p.Entry)
	if l.PackagePattern == "" && l.MainPattern == "" && l.MainSuffix == "" {
		return strings.ReplaceAll(s, "/", ".")
	}
	base := p.inEntry(l.MainPattern)
	if base == "" {
		if base = path.Base(s); l.MainSuffix != "" {
			base = strings.ToUpper(base[:1]) + base[1:] + l.MainSuffix
		}
	}
	if pkg := p.inEntry(l.PackagePattern); pkg != "" {
		return strings.Join(strings.Fields(pkg), "") + "." + base
	}
	return base
}

// inEntry is the first group of pattern that matches in the entry file; empty
// when there is none.
func (p *Program) inEntry(pattern string) string {
	re, err := regexp.Compile(pattern)
	if pattern == "" || err != nil {
		return ""
	}
	for _, f := range p.Files {
		if f.Name == p.Entry {
			return firstGroup(re, f.Data)
		}
	}
	return ""
}

func (p *Program) findEntry(entry string) error {
	if entry != "" {
		if !slices.ContainsFunc(p.Files, func(f File) bool { return f.Name == entry }) {
			return fmt.Errorf("%w: the entry point %q is not among the files", ErrSource, entry)
		}
		p.Entry = entry
		return nil
	}
	var sources []File
	for _, f := range p.Files {
		if slices.Contains(p.Language.Extensions, path.Ext(f.Name)) {
			sources = append(sources, f)
		}
	}
	if len(sources) == 0 {
		return fmt.Errorf("%w: no file ends in %s, as %s sources do", ErrSource,
			strings.Join(p.Language.Extensions, " or "), p.Language.Name)
	}
	p.Entry = sources[0].Name
	for _, f := range sources {
		if stem(f.Name) == stem(p.Language.SourceName) || slices.Contains(p.Language.EntryNames, path.Base(f.Name)) {
			p.Entry = f.Name
			return nil
		}
	}
	if p.Language.EntryPattern != "" {
		re, err := regexp.Compile(p.Language.EntryPattern)
		if err != nil {
			return fmt.Errorf("compile entry pattern of %s: %w", p.Language.ID, err)
		}
		for _, f := range sources {
			if re.Match(f.Data) {
				p.Entry = f.Name
				return nil
			}
		}
	}
	return nil
}

func (p *Program) expand(argv []string, memory int64) []string {
	s := stem(p.Entry)
	r := strings.NewReplacer(
		"{entry}", p.Entry,
		"{stem}", s,
		"{main}", p.mainName(),
		"{memory_mib}", strconv.FormatInt(max(memory>>20, 1), 10),
		"{total_mib}", strconv.FormatInt(max((memory+p.Language.MemoryAllowance)>>20, 1), 10),
	)
	var out []string
	for _, a := range argv {
		switch a {
		case "{sources}":
		case "{defines}":
			out = append(out, p.Language.Defines...)
			continue
		default:
			out = append(out, r.Replace(a))
			continue
		}
		for _, f := range p.Files {
			if slices.Contains(p.Language.Extensions, path.Ext(f.Name)) {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

var fileName = regexp.MustCompile(`^[A-Za-z0-9_+][A-Za-z0-9_+.\-]*$`)

// CheckFileName refuses names that are not plain relative paths: an argument
// that looks like an option, a hidden file, a step upwards.
func CheckFileName(name string) error {
	if len(name) > 200 {
		return fmt.Errorf("%w: file name of %d bytes, at most 200 are allowed", ErrSource, len(name))
	}
	parts := strings.Split(name, "/")
	if len(parts) > 8 {
		return fmt.Errorf("%w: file name %q is more than 8 folders deep", ErrSource, name)
	}
	for _, part := range parts {
		if !fileName.MatchString(part) {
			return fmt.Errorf("%w: file name %q: each part may hold letters, digits, _ + . - and starts with neither . nor -", ErrSource, name)
		}
	}
	return nil
}
