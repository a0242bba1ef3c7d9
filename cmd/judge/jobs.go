package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"judge/judge"
	"judge/problems"
)

// openPackages opens the packages that the flags name.
func (c *runCmd) openPackages() ([]*problems.Package, error) {
	var paths []string
	for _, p := range c.Problem {
		below, err := packagesIn(p)
		if err != nil {
			return nil, badInput{err}
		}
		paths = append(paths, below...)
	}
	if len(c.Sources) > 0 && len(paths) > 1 {
		return nil, badInput{fmt.Errorf("sources are judged on one package; --problem names %d: %s", len(paths), strings.Join(paths, ", "))}
	}
	var packs []*problems.Package
	for _, path := range paths {
		p, err := problems.Open(path, problems.Options{})
		if err != nil {
			return packs, readable(err)
		}
		packs = append(packs, p)
		if c.TimeLimit > 0 {
			if d := time.Duration(c.TimeLimit); d > judge.MaxCPU {
				return packs, badInput{fmt.Errorf("--time-limit %v: at most %v", d, judge.MaxCPU)}
			}
			p.Problem.Limits.CPU, p.Problem.Limits.Wall = time.Duration(c.TimeLimit), 0
		}
	}
	return packs, nil
}

// readable makes an error about a file that is not there, or is not ours to
// read, the fault of who named it.
func readable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return badInput{err}
	}
	return err
}

// packagesIn is path itself where it is a package, else the packages that lie
// in it.
func packagesIn(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("find package: %w", err)
	}
	if !info.IsDir() || isPackage(path) {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("look for packages: %w", err)
	}
	var below []string
	for _, e := range entries {
		if sub := filepath.Join(path, e.Name()); e.IsDir() && isPackage(sub) {
			below = append(below, sub)
		}
	}
	if len(below) == 0 {
		return []string{path}, nil // whatever it is, its reader knows what it lacks
	}
	return below, nil
}

// isPackage looks for what lies at the top of packages in every format.
func isPackage(dir string) bool {
	for _, name := range []string{"problem.yaml", "problem.xml", "init.yml", "domjudge-problem.ini", "data"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// jobs lists what is to be judged, in order.
func (c *runCmd) jobs(st *station, packs []*problems.Package) ([]*job, error) {
	var jobs []*job
	for _, path := range c.Sources {
		j, err := c.sourceJob(st, packs[0], path)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	if len(c.Sources) > 0 {
		return jobs, nil
	}
	for _, p := range packs {
		for _, s := range p.Problem.Jury {
			j := &job{
				pack: p, title: s.Name, source: s.Name, jury: true,
				expected: s.Expected, files: s.Files, entry: s.Entry, done: make(chan struct{}),
			}
			if len(packs) > 1 {
				j.title = p.Problem.Name + "/" + s.Name
			}
			if !p.Problem.SubmitAnswer {
				j.language, j.err = st.languages.Detect(s.Files, c.Prefer, s.Language)
			}
			if c.Language == "" || (j.language != nil && j.language.ID == c.Language) {
				jobs = append(jobs, j)
			}
		}
	}
	if len(jobs) == 0 {
		return nil, badInput{fmt.Errorf("%s: no submissions of its own%s; name the sources to judge", strings.Join(c.Problem, ", "), in(c.Language))}
	}
	return jobs, nil
}

func in(language string) string {
	if language == "" {
		return ""
	}
	return " in " + language
}

func (c *runCmd) sourceJob(st *station, p *problems.Package, path string) (*job, error) {
	limit := p.Problem.Code
	if limit == 0 {
		limit = judge.DefaultCode
	}
	if p.Problem.SubmitAnswer {
		limit = p.Problem.Limits.WithDefaults().Output * int64(max(len(p.Problem.Cases()), 1))
	}
	files, err := problems.ReadSource(path, limit)
	if err != nil {
		return nil, readable(err)
	}
	var lang *judge.Language // none where what is handed in are outputs
	if !p.Problem.SubmitAnswer {
		if lang, err = st.languages.Detect(files, c.Prefer, c.Language); err != nil {
			return nil, badInput{fmt.Errorf("%s: %w", path, err)}
		}
	}
	return &job{pack: p, title: path, source: path, files: files, language: lang, done: make(chan struct{})}, nil
}
