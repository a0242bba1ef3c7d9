package problems

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"judge/judge"
)

// lint looks at what was read as a whole: what a jury would want to know and what no
// single reader sees. It never refuses a package.
func (r *reader) lint() {
	r.lintFolders()
	r.lintStatements()
	r.lintInclude()
	r.lintOrder()
	r.lintData()
	p := &r.pkg.Problem
	samples := slices.ContainsFunc(p.Root.Groups, func(g judge.TestGroup) bool { return g.Name == "sample" })
	if !samples && len(p.Examples) == 0 && !r.rep.failed() {
		r.rep.infof(NoSamples, "data/sample", 0, "there are no samples; add one, so that contestants see what input and output look like")
	}
	if p.StaticValidator != nil && !r.inICPC.staticUsed {
		r.rep.warnf(UnusedStatic, p.StaticValidator.Name, 0, "is not used, because no %s has static_validation_score; add it or remove the validator", testGroupFile)
	}
	if p.Format == judge.Format2025 && len(p.InputValidators) == 0 {
		r.rep.infof(NoInputValidator, "input_validators", 0, "there is no input validator, which the format requires; add one, so that bad test data is found before the contest")
	}
}

// names of the folders of a package, in each format.
var (
	commonFolders = []string{"data", "submissions", "attachments", "include", "input_validators", "solution", "generators"}
	legacyFolders = append(slices.Clone(commonFolders), "problem_statement", "output_validators", "input_format_validators", "graders")
	icpcFolders   = append(slices.Clone(commonFolders), "statement", "output_validator", "static_validator", "input_visualizer", "output_visualizer")
)

// lintFolders finds folders whose names are nearly, or in the other format, those
// that are read.
func (r *reader) lintFolders() {
	known, other := legacyFolders, icpcFolders
	if r.pkg.Problem.Format == judge.Format2025 {
		known, other = other, known
	}
	renamed := map[string]string{
		"statement": "problem_statement", "problem_statement": "statement",
		"static_validator": "", "input_visualizer": "", "output_visualizer": "", "graders": "", "input_format_validators": "input_validators",
	}
	for _, p := range r.parts("") {
		if !p.folder || slices.Contains(known, p.name) || p.name == outputValidators || p.name == outputValidator {
			continue // of the last two the readers speak
		}
		name := strings.Join(strings.Split(p.name, "-"), "_")
		near := slices.IndexFunc(known, func(k string) bool { return singular(k) == singular(name) })
		switch {
		case slices.Contains(other, p.name) && renamed[p.name] == "":
			r.rep.warnf(Misplaced, p.name, 0, "the folder has no effect in this format of packages; remove it, or change problem_format_version")
		case slices.Contains(other, p.name):
			r.rep.warnf(Misplaced, p.name, 0, "the folder has no effect in this format of packages; its name here is %s", renamed[p.name])
		case near >= 0:
			r.rep.warnf(Misplaced, p.name, 0, "the folder has no effect; if it is meant to be %s, rename it", known[near])
		}
	}
}

func singular(name string) string { return strings.TrimSuffix(strings.ToLower(name), "s") }

// lintStatements holds the languages of statements against those of titles.
func (r *reader) lintStatements() {
	p := &r.pkg.Problem
	folder := "problem_statement"
	say := r.rep.infof
	if p.Format == judge.Format2025 {
		folder, say = "statement", r.rep.warnf
	}
	languages := map[string]bool{}
	for _, d := range r.pkg.Statement {
		stem, ext := strings.TrimSuffix(path.Base(d.Name), path.Ext(d.Name)), path.Ext(d.Name)
		if path.Dir(d.Name) != folder || !slices.Contains([]string{".tex", ".md", ".pdf"}, ext) {
			continue
		}
		if stem == "problem" {
			languages["en"] = true
		} else if language, ok := strings.CutPrefix(stem, "problem."); ok {
			languages[language] = true
		}
	}
	if len(languages) == 0 {
		say(NoStatement, folder, 0, "there is no statement; add %s/problem.en.md, .tex or .pdf", folder)
		return
	}
	for language := range p.Titles {
		if !languages[language] {
			r.rep.warnf(TitleLanguages, configFile, line(r.yaml.get("name")), "there is a name in %s and no statement in it; add %s/problem.%s.md or remove the name", language, folder, language)
		}
	}
	if p.Format != judge.Format2025 {
		return
	}
	for language := range languages {
		if _, ok := p.Titles[language]; !ok && (p.Titles != nil || language != "en") {
			r.rep.warnf(TitleLanguages, configFile, line(r.yaml.get("name")), "there is a statement in %s and no name in it; add name.%s", language, language)
		}
	}
}

// lintInclude finds jury submissions of which a file is overwritten.
func (r *reader) lintInclude() {
	p := &r.pkg.Problem
	for language, files := range p.Include {
		if len(p.Languages) > 0 && language != "default" && !slices.Contains(p.Languages, language) {
			r.rep.warnf(Misplaced, path.Join("include", language), 0, "the folder has no effect, because languages in problem.yaml does not have %s; add it or remove the folder", language)
		}
		for _, f := range files {
			for _, s := range r.pkg.Problem.Jury {
				if slices.ContainsFunc(s.Files, func(g judge.File) bool { return g.Name == f.Name }) {
					r.rep.infof(IncludeOverwrites, path.Join("include", language, f.Name), 0, "overwrites the file of this name in submissions/%s, and in any submission that has one; rename it if that is not meant", s.Name)
					break
				}
			}
		}
	}
}

// lintOrder finds groups in which case 10 is judged before case 2.
func (r *reader) lintOrder() {
	var walk func(g *judge.TestGroup)
	walk = func(g *judge.TestGroup) {
		shortest, longest := "", ""
		for _, c := range g.Cases {
			name := path.Base(c.Name)
			if strings.Trim(name, "0123456789") != "" {
				continue
			}
			if shortest == "" || len(name) < len(shortest) {
				shortest = name
			}
			if len(name) > len(longest) {
				longest = name
			}
		}
		if len(shortest) < len(longest) && !strings.HasPrefix(longest, "0") {
			r.rep.infof(OrderSurprise, path.Join("data", g.Name), 0, "cases are judged in the order of their names as text, so that %s may come before %s; give all numbers the same length if the order matters", longest, shortest)
		}
		for i := range g.Groups {
			walk(&g.Groups[i])
		}
	}
	walk(&r.pkg.Problem.Root)
}

// lintHead is how much of a file of test data is looked at.
const lintHead = 4 << 10

// lintData looks at the beginnings and ends of inputs and answers: line ends of
// Windows and a last line without its end have surprised contestants.
func (r *reader) lintData() {
	found := map[string][]string{}
	for _, c := range r.pkg.Problem.Cases() {
		for _, b := range []judge.Blob{c.Input, c.Answer} {
			if b.Size == 0 || r.rep.failed() || r.err != nil {
				continue
			}
			if what := r.lineEnds(b); what != "" {
				found[what] = append(found[what], b.Ref)
			}
		}
	}
	for _, what := range []string{"has lines that end with CR LF", "has no newline at its end", "begins with a byte-order mark"} {
		if all := found[what]; len(all) > 1 {
			r.rep.infof(LineEnds, all[0], 0, "%s, as do %s; programs that read line by line may stumble", what, plural(len(all)-1, "other file"))
		} else if len(all) == 1 {
			r.rep.infof(LineEnds, all[0], 0, "%s; programs that read line by line may stumble", what)
		}
	}
}

func (r *reader) lineEnds(b judge.Blob) string {
	f, err := r.tree.openPinned(b.Ref)
	if err != nil {
		r.ok(r.tree.byName[b.Ref], err)
		return ""
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	head, last := make([]byte, min(b.Size, lintHead)), make([]byte, 1)
	if _, err = f.ReadAt(head, 0); err == nil {
		_, err = f.ReadAt(last, b.Size-1)
	}
	if err != nil {
		r.ok(r.tree.byName[b.Ref], faultf(Changed, "could not be read whole (%v); leave the folder alone while it is read", err))
		return ""
	}
	text := string(head)
	switch {
	case !utf8.ValidString(text) && b.Size <= lintHead, strings.Contains(text, "\x00"):
		return "" // binary
	case strings.HasPrefix(text, "\ufeff"):
		return "begins with a byte-order mark"
	case strings.Contains(text, "\r\n"):
		return "has lines that end with CR LF"
	case last[0] != '\n':
		return "has no newline at its end"
	}
	return ""
}
