package problems

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// What files of a plain collection are called. Whether one is an input or an answer
// is said by its folder (input/1.txt, output/1.txt), else by its extension (1.in,
// 1.out), else by its first word (input1.txt, output1.txt, in.1, out.1). A file of
// which nothing says it is the input of the answer that is called like it, and more
// (01 and 01.a).

var (
	inputFolders  = []string{"input", "inputs", "in"}
	answerFolders = []string{"output", "outputs", "out", "answer", "answers", "ans"}
	inputExts     = []string{".in", ".inp", ".input"}
	answerExts    = []string{".out", ".ans", ".output", ".answer", ".sol", ".a", ".ok"}
	textExts      = []string{".txt", ".dat", ".tst"}

	wordFirst   = regexp.MustCompile(`^(input|in|output|out|answer|ans|sol)(?:[._-]?([0-9][0-9a-z._-]*))?$`)
	letterFirst = regexp.MustCompile(`^([io])\.([0-9]+)$`)
	sampleFirst = regexp.MustCompile(`^(?i:sample|example)s?[._-]?[0-9]*[a-z]?$`)
	digits      = regexp.MustCompile(`[0-9]+`)
)

// plainFile is a file that is an input or an answer.
type plainFile struct {
	e     *entry
	input bool
	dir   string // that its group is called after
	stem  string // what its case is called
	other string // what it is called where nothing else has stem
}

// plainPairs finds the cases of each group.
func (r *reader) plainPairs() map[string]map[string]*pair {
	p := plainPairing{r: r, groups: map[string]map[string]*pair{}, loose: map[string]*entry{}}
	var files []plainFile
	for _, e := range r.tree.files {
		if f, ok := plainNamed(e); ok {
			files = append(files, f)
		} else {
			p.loose[e.name] = e
		}
	}
	half := map[*entry]plainFile{}
	for _, f := range files {
		p.add(f, f.stem)
		half[f.e] = f
	}
	for _, name := range slices.Sorted(maps.Keys(p.groups)) {
		p.rename(name, half)
		p.find(name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.loose)) {
		r.rep.infof(UnusedFile, name, 0, "is neither an input nor an answer and has no effect; cases are 1.in with 1.out or 1.ans, or input/1.txt with output/1.txt")
	}
	return p.groups
}

// plainNamed tells what a file is by its name; false: that says nothing.
func plainNamed(e *entry) (plainFile, bool) {
	dir, base := path.Split(e.name)
	f := plainFile{e: e, dir: path.Clean(dir)}
	ext := strings.ToLower(path.Ext(base))
	f.stem = base[:len(base)-len(ext)]
	f.other = numbered(f.stem)
	folder := strings.ToLower(path.Base(f.dir))
	word := strings.ToLower(base)
	if slices.Contains(textExts, ext) {
		word = strings.ToLower(f.stem)
	}
	switch m := slices.Concat(wordFirst.FindStringSubmatch(word), letterFirst.FindStringSubmatch(word)); {
	case slices.Contains(inputFolders, folder), slices.Contains(answerFolders, folder):
		f.input, f.dir = slices.Contains(inputFolders, folder), path.Dir(f.dir)
	case slices.Contains(inputExts, ext), slices.Contains(answerExts, ext):
		f.input = slices.Contains(inputExts, ext)
	case len(m) > 0:
		f.input = strings.HasPrefix(m[1], "i")
		if f.stem = m[2]; f.stem == "" {
			f.stem = "1"
		}
		f.other = f.stem
	default:
		return f, false
	}
	return f, f.stem != ""
}

// numbered takes off the word in input00.txt and output00.txt.
func numbered(stem string) string {
	if m := wordFirst.FindStringSubmatch(strings.ToLower(stem)); m != nil {
		if m[2] == "" {
			return "1"
		}
		return m[2]
	}
	return stem
}

// plainPairing is on its way from files to cases.
type plainPairing struct {
	r      *reader
	groups map[string]map[string]*pair
	loose  map[string]*entry // files whose names say nothing
}

// add makes a file a part of the case stem.
func (p *plainPairing) add(f plainFile, stem string) {
	group := plainGroup(f.dir)
	if top, _, _ := strings.Cut(f.dir, "/"); sampleFirst.MatchString(stem) && !strings.EqualFold(top, "secret") {
		_, below, _ := strings.Cut(group, "/")
		group = path.Join("sample", below)
	}
	if p.groups[group] == nil {
		p.groups[group] = map[string]*pair{}
	}
	p.put(pairOf(p.groups[group], stem), f, path.Join(group, stem))
}

func (p *plainPairing) put(to *pair, f plainFile, name string) {
	place := &to.answer
	if f.input {
		place = &to.input
	}
	if *place != nil {
		p.r.rep.errorf(NameClash, f.e.name, 0, "says the same as %s: both belong to the case %s; remove one", (*place).name, name)
		return
	}
	*place = f.e
}

// rename brings inputs and answers together that lack the other half, but for the
// words in their names.
func (p *plainPairing) rename(name string, named map[*entry]plainFile) {
	group, again := p.groups[name], map[string]*pair{}
	for _, stem := range slices.Sorted(maps.Keys(group)) {
		whole := group[stem]
		if (whole.input == nil) == (whole.answer == nil) {
			continue
		}
		f := named[whole.input]
		if whole.input == nil {
			f = named[whole.answer]
		}
		if taken := group[f.other]; f.other != stem && taken != nil && taken.input != nil && taken.answer != nil {
			continue
		}
		delete(group, stem)
		p.put(pairOf(again, f.other), f, path.Join(name, f.other))
	}
	for stem, made := range again {
		if made.input == nil || made.answer == nil { // as it was, for who is told of it
			f := named[made.input]
			if made.input == nil {
				f = named[made.answer]
			}
			stem = f.stem
		}
		group[stem] = made
	}
}

// find looks for the inputs of answers among files whose names say nothing.
func (p *plainPairing) find(name string) {
	group := p.groups[name]
	for _, stem := range slices.Sorted(maps.Keys(group)) {
		a := group[stem]
		if a.input != nil {
			continue
		}
		at := strings.TrimSuffix(a.answer.name, path.Ext(a.answer.name))
		for _, ext := range append([]string{""}, textExts...) {
			e := p.loose[at+ext]
			if e == nil {
				continue
			}
			p.put(a, plainFile{e: e, input: true}, path.Join(name, stem))
			delete(p.loose, e.name)
		}
	}
}

// evenNumbers gives numbers in names that are alike but for them the same length, so
// that what is called 10 comes after what is called 2. Names stay as they are where
// that would make two of them the same.
func evenNumbers(names []string) map[string]string {
	const longest = 9 // digits; what is longer is no count
	alike := map[string][]string{}
	for _, n := range names {
		shape := digits.ReplaceAllString(n, "0")
		alike[shape] = append(alike[shape], n)
	}
	out := map[string]string{}
	for _, list := range alike {
		width := map[int]int{}
		for _, n := range list {
			for i, d := range digits.FindAllString(n, -1) {
				width[i] = max(width[i], len(d))
			}
		}
		seen := map[string]bool{}
		for _, n := range list {
			i := -1
			even := digits.ReplaceAllStringFunc(n, func(d string) string {
				if i++; width[i] > longest {
					return d
				}
				return strings.Repeat("0", width[i]-len(d)) + d
			})
			out[n], seen[even] = even, true
		}
		if len(seen) < len(list) {
			for _, n := range list {
				out[n] = n
			}
		}
	}
	return out
}
