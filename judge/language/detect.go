package language

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"judge/judge"
)

// Detect finds the language of a submission. id, when given, decides. Else the
// files' extensions do: prefer maps an extension, with or without its dot, to
// the id of the language it is to mean ("py" to "pypy3"); headers belong to the
// language of the other files. Errors wrap judge.ErrSource, but for a wrong
// prefer, which is not the submitter's.
func (s *Set) Detect(files []judge.File, prefer map[string]string, id string) (*judge.Language, error) {
	if id != "" {
		if l := s.byID[id]; l != nil {
			return l, nil
		}
		return nil, fmt.Errorf("%w: there is no language %q; there are %s", judge.ErrSource, id, s.ids())
	}
	preferred, err := s.preferred(prefer)
	if err != nil {
		return nil, err
	}
	var found *judge.Language
	var first string
	var headers []string
	for _, f := range files {
		ext := path.Ext(f.Name)
		l := preferred[ext]
		if l == nil {
			l = s.byExt[ext]
		}
		switch {
		case f.Name == "":
			return nil, fmt.Errorf("%w: a source without a file name needs its language named; there are %s", judge.ErrSource, s.ids())
		case l == nil && s.isHeader(ext):
			headers = append(headers, f.Name)
		case l == nil:
			return nil, fmt.Errorf("%w: %q: no language has the extension %q; known are %s",
				judge.ErrSource, f.Name, ext, strings.Join(s.extensions(), " "))
		case found != nil && found != l:
			return nil, fmt.Errorf("%w: %q is %s, but %q is %s; submit files of one language, or name the language",
				judge.ErrSource, first, found.Name, f.Name, l.Name)
		case found == nil:
			found, first = l, f.Name
		}
	}
	return checkHeaders(found, headers)
}

func checkHeaders(found *judge.Language, headers []string) (*judge.Language, error) {
	if found == nil && len(headers) > 0 {
		return nil, fmt.Errorf("%w: %q is a header, and no source comes with it", judge.ErrSource, headers[0])
	}
	if found == nil {
		return nil, fmt.Errorf("%w: no files", judge.ErrSource)
	}
	for _, h := range headers {
		if !slices.Contains(found.Headers, path.Ext(h)) {
			return nil, fmt.Errorf("%w: %q is no header of %s", judge.ErrSource, h, found.Name)
		}
	}
	return found, nil
}

func (s *Set) preferred(prefer map[string]string) (map[string]*judge.Language, error) {
	out := map[string]*judge.Language{}
	for _, ext := range slices.Sorted(maps.Keys(prefer)) {
		id := prefer[ext]
		dotted := "." + strings.TrimPrefix(ext, ".")
		l := s.byID[id]
		if l == nil {
			return nil, fmt.Errorf("prefer %s=%s: there is no language %q; there are %s", ext, id, id, s.ids())
		}
		if !slices.Contains(l.Extensions, dotted) {
			return nil, fmt.Errorf("prefer %s=%s: %s has the extensions %s", ext, id, l.Name, strings.Join(l.Extensions, " "))
		}
		out[dotted] = l
	}
	return out, nil
}

func (s *Set) isHeader(ext string) bool {
	return ext != "" && slices.ContainsFunc(s.languages, func(l *judge.Language) bool { return slices.Contains(l.Headers, ext) })
}

func (s *Set) extensions() []string { return slices.Sorted(maps.Keys(s.byExt)) }
