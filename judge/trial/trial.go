// Package trial is what every language must show: the same small problems, judged
// with programs that each language's folder brings (images/<folder>/trials). It
// says what a program must come to, reads the programs, makes the problems' packages
// and holds judgements against them.
//
// It does not judge: who calls it gives it a grader.
package trial

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"judge/judge"
	"judge/judge/language"
)

// Kind is one trial, the same in every language.
type Kind struct {
	Name    string // of the program, without extension: trials/<name>.<ext>, or a folder of several files
	Title   string // for people
	Package string // the problem that it is judged on
	Want    judge.Verdict
	Limit   judge.Limit // that must have stopped it, where the verdict is TLE
	Exit    int         // the exit code that it must have had; 0: any
	Line    bool        // the compiler must name the line in which the word MISTAKE stands
	Warning bool        // the compiler must say something although it succeeds
}

// mistake marks the line that a compiler must name.
const mistake = "MISTAKE"

// attackPrefix begins the names of programs that attack the compiler. They end as a
// compile error, if the language's settings do not say otherwise.
const attackPrefix = "attack-"

// Kinds are the trials of every language, in the order of their table.
var Kinds = []Kind{
	{Name: "hello", Title: "says hello", Package: "hello", Want: judge.AC},
	{Name: "sums", Title: "A+B on 100,000 lines", Package: "sums", Want: judge.AC},
	{Name: "stdin", Title: "opens /dev/stdin", Package: "sums", Want: judge.AC},
	{Name: "wrong", Title: "wrong answer", Package: "hello", Want: judge.WA},
	{Name: "exit", Title: "exits with 3", Package: "hello", Want: judge.RE, Exit: 3},
	{Name: "exception", Title: "the language's own exception", Package: "hello", Want: judge.RE},
	{Name: "loop", Title: "loops", Package: "endless", Want: judge.TLE, Limit: judge.LimitCPU},
	{Name: "sleep", Title: "sleeps", Package: "endless", Want: judge.TLE, Limit: judge.LimitWall},
	{Name: "memory", Title: "allocates", Package: "memory", Want: judge.MLE},
	{Name: "mistake", Title: "compile error names its line", Package: "hello", Want: judge.CE, Line: true},
	{Name: "output", Title: "10 MiB of output", Package: "output", Want: judge.AC},
	{Name: "utf8", Title: "UTF-8 in and out", Package: "utf8", Want: judge.AC},
	{Name: "files", Title: "a program of two files", Package: "hello", Want: judge.AC},
	{Name: "recursion", Title: "recursion 100,000 deep", Package: "recursion", Want: judge.AC},
	{Name: "threads", Title: "four threads", Package: "threads", Want: judge.AC},
	{Name: "warning", Title: "warnings are shown", Package: "hello", Want: judge.AC, Warning: true},
}

// optional are trials that a language need not say anything of.
var optional = []string{"warning"}

// Trial is one trial in one language.
type Trial struct {
	Kind

	Language *judge.Language
	Files    []judge.File
	Missing  string // what is wrong with the folder; the trial fails
	Without  string // why the language has not this one
}

// Of lists the trials of a language: of every kind, and its attacks. fsys has the
// languages' folders.
func Of(set *language.Set, fsys fs.FS, lang *judge.Language) ([]Trial, error) {
	said := set.Trials(lang.ID)
	dir := path.Join(lang.Image, "trials")
	if said.Dir != "" {
		dir = said.Dir
	}
	programs, err := read(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("trials of %s: %w", lang.ID, err)
	}
	var out []Trial
	for _, k := range Kinds {
		t := Trial{Kind: k, Language: lang, Files: programs[k.Name], Without: said.Without[k.Name]}
		delete(programs, k.Name)
		switch {
		case t.Files == nil && t.Without == "" && slices.Contains(optional, k.Name):
			continue
		case t.Files == nil && t.Without == "":
			t.Missing = fmt.Sprintf("%s/%s.* is missing; where the language cannot, language.yaml says why below trials.without", dir, k.Name)
		case t.Files != nil && t.Without != "":
			t.Missing = fmt.Sprintf("language.yaml says that there is no trial %s, but there is one in %s", k.Name, dir)
		}
		out = append(out, t.wanted(said))
	}
	for _, name := range sortedNames(programs) {
		t := Trial{Language: lang, Files: programs[name], Kind: Kind{Name: name, Title: "attacks the compiler", Package: "hello", Want: judge.CE}}
		if !strings.HasPrefix(name, attackPrefix) {
			t.Missing = fmt.Sprintf("%s/%s is no trial that is known", dir, name)
		}
		out = append(out, t.wanted(said))
	}
	return out, nil
}

func sortedNames(programs map[string][]judge.File) []string {
	var names []string
	for name := range programs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// wanted is the trial as the language's settings want it.
func (t Trial) wanted(said language.Trials) Trial {
	if v, ok := said.Want[t.Name]; ok && v != t.Want {
		t.Want, t.Limit, t.Exit, t.Line = v, "", 0, false
	}
	return t
}

// Attack reports whether the program attacks the compiler.
func (t *Trial) Attack() bool { return strings.HasPrefix(t.Name, attackPrefix) }

// read reads the programs of a folder by their names.
func read(fsys fs.FS, dir string) (map[string][]judge.File, error) {
	out := map[string][]judge.File{}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() {
			data, err := fs.ReadFile(fsys, path.Join(dir, name))
			if err != nil {
				return nil, fmt.Errorf("read: %w", err)
			}
			// Without a name, as one that was typed into a form: the language names it.
			stem := strings.TrimSuffix(name, path.Ext(name))
			out[stem] = append(out[stem], judge.File{Data: data})
			continue
		}
		err := fs.WalkDir(fsys, path.Join(dir, name), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(fsys, p)
			out[name] = append(out[name], judge.File{Name: strings.TrimPrefix(p, path.Join(dir, name)+"/"), Data: data})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
	}
	return out, nil
}
