package judge

import (
	"fmt"
	"path"
	"slices"
)

// NewProgram makes a submission's files a program of this problem: it holds
// them to the problem's code limit, lays the problem's include files over them
// (they overwrite, and count after the limit) and expands the language's
// commands. An include file that is named as the language names its main source
// is the entry point: a driver. Errors wrap ErrSource where the submitter can
// mend them.
func (p *Problem) NewProgram(lang *Language, files []File, entry string) (*Program, error) {
	if err := p.checkCode(files); err != nil {
		return nil, err
	}
	include := p.includeFor(lang)
	if len(include) == 0 {
		return NewProgram(lang, files, entry)
	}
	files = slices.Clone(files)
	if len(files) == 1 && files[0].Name == "" {
		files[0].Name = lang.SourceName
	}
	for _, f := range include {
		if err := CheckFileName(f.Name); err != nil {
			return nil, fmt.Errorf("include file of problem %s: %v", p.Name, err) //nolint:errorlint // not the submitter's fault: must not be ErrSource
		}
		if i := slices.IndexFunc(files, func(g File) bool { return g.Name == f.Name }); i >= 0 {
			files[i] = f
		} else {
			files = append(files, f)
		}
		if stem(f.Name) == stem(lang.SourceName) && slices.Contains(lang.Extensions, path.Ext(f.Name)) {
			entry = f.Name
		}
	}
	return NewProgram(lang, files, entry)
}

func (p *Problem) checkCode(files []File) error {
	limit := p.Code
	if limit == 0 {
		limit = DefaultCode
	}
	var size int64
	for _, f := range files {
		size += int64(len(f.Data))
	}
	if size > limit {
		return fmt.Errorf("%w: %d bytes of source, at most %d are allowed", ErrSource, size, limit)
	}
	return nil
}

// includeFor is what the package holds in include/<language>, else in
// include/default.
func (p *Problem) includeFor(lang *Language) []File {
	if files, ok := p.Include[lang.ID]; ok {
		return files
	}
	return p.Include["default"]
}
