// Package language reads the languages that submissions may be written in, one
// folder with a language.yaml each, and finds which of them a submission is in.
//
// It does not build images, expand command lines (judge.Program does) or run
// anything.
package language

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// fileName is what a language's folder must hold, beside a Dockerfile.
const fileName = "language.yaml"

// trialsDir is where a folder has its trials.
const trialsDir = "trials"

// Set is a set of languages in which no two share an id, and of those that
// share an extension one is its default. It may be used by many goroutines.
type Set struct {
	languages []*judge.Language
	byID      map[string]*judge.Language
	byExt     map[string]*judge.Language // the default of each extension
	trials    map[string]Trials
}

// Load reads <id>/language.yaml of every folder of fsys whose name does not
// begin with "_" or ".". The error names all that is wrong, one line each, with
// file and line.
func Load(fsys fs.FS) (*Set, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	s := &Set{byID: map[string]*judge.Language{}, byExt: map[string]*judge.Language{}, trials: map[string]Trials{}}
	defaults := map[string]*file{}
	var errs []error
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), "_") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		files, err := load(fsys, e.Name())
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, f := range files {
			errs = append(errs, s.add(f, defaults)...)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if len(s.languages) == 0 {
		return nil, fmt.Errorf("no folder holds a %s", fileName)
	}
	slices.SortFunc(s.languages, func(a, b *judge.Language) int { return cmp.Compare(a.ID, b.ID) })
	return s, nil
}

func load(fsys fs.FS, dir string) ([]*file, error) {
	if _, err := fs.Stat(fsys, path.Join(dir, "Dockerfile")); err != nil {
		return nil, fmt.Errorf("%s: no Dockerfile beside %s: %w", dir, fileName, err)
	}
	data, err := fs.ReadFile(fsys, path.Join(dir, fileName))
	if err != nil {
		return nil, fmt.Errorf("read language %s: %w", dir, err)
	}
	files, err := parse(dir, data)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := f.readExample(fsys, dir); err != nil {
			return nil, fmt.Errorf("%s: example: %w", f.path, err)
		}
	}
	return files, nil
}

// readExample reads the example: the file that is named, else the trial that says
// hello, if there is one.
func (f *file) readExample(fsys fs.FS, dir string) error {
	name := f.example
	if name == "" {
		hello, err := fs.Glob(fsys, path.Join(cmp.Or(f.trials.Dir, path.Join(dir, trialsDir)), "hello.*"))
		if err != nil || len(hello) == 0 {
			return err
		}
		name = hello[0]
	}
	text, err := fs.ReadFile(fsys, name)
	f.language.Example = string(text)
	return err
}

// add takes a language into the set. Ids, aliases and extensions must be no
// other's.
func (s *Set) add(f *file, defaults map[string]*file) []error {
	var errs []error
	for _, id := range append([]string{f.language.ID}, f.language.Aliases...) {
		if other := s.byID[id]; other != nil {
			errs = append(errs, fmt.Errorf("%s: %s is an id or alias of %s already", f.path, id, other.ID))
			continue
		}
		s.byID[id] = f.language
	}
	s.languages = append(s.languages, f.language)
	s.trials[f.language.ID] = f.trials
	if !f.isDefault {
		return errs
	}
	for _, ext := range f.language.Extensions {
		if other := defaults[ext]; other != nil {
			errs = append(errs, fmt.Errorf("%s:%d: extension %s belongs to %s already; write default: false here or there",
				f.path, f.extensionsLine, ext, other.language.ID))
			continue
		}
		defaults[ext] = f
		s.byExt[ext] = f.language
	}
	return errs
}

// All lists the languages in order of id. The languages must not be changed.
func (s *Set) All() []*judge.Language { return slices.Clone(s.languages) }

// Trials is what the language called id says of its trials.
func (s *Set) Trials(id string) Trials { return s.trials[id] }

// Images lists the folders whose images the languages called ids run in, each
// once; all folders where there are no ids.
func (s *Set) Images(ids ...string) []string {
	var out []string
	for _, l := range s.languages {
		if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return s.byID[id] == l }) {
			continue
		}
		if !slices.Contains(out, l.Image) {
			out = append(out, l.Image)
		}
	}
	return out
}

// Get is the language with that id or alias, and whether there is one.
func (s *Set) Get(id string) (*judge.Language, bool) {
	l, ok := s.byID[id]
	return l, ok
}

// Default is the language that files ending in ext, with the dot, are in when
// nothing else is preferred; nil when there is none.
func (s *Set) Default(ext string) *judge.Language { return s.byExt[ext] }

func (s *Set) ids() string {
	var ids []string
	for _, l := range s.languages {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, ", ")
}
