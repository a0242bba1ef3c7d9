package problems

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"judge/judge"
)

// Codeforces Polygon's full packages: problem.xml says everything, tests are
// generated already (a package without them is a "standard" one, which cannot be
// judged before its scripts have run). Checkers, interactors and validators speak
// testlib's protocol, and testlib.h comes with the package.

const (
	polygonFile    = "problem.xml"
	maxPolygonFile = 4 << 20 // bytes; each test has a line in it
	maxPolygonText = 1000    // bytes of a title
)

// polygon is one reading of problem.xml.
type polygon struct {
	*reader

	root    *element
	testset *element
	headers []partFile // resources that programs include
}

func (r *reader) polygon() {
	defaultLimits(&r.pkg.Problem)
	r.pkg.Problem.Format = judge.FormatPolygon
	data, ok := r.bytes(r.tree.byName[polygonFile], maxPolygonFile)
	if !ok {
		return
	}
	root, line, err := parseXML(data)
	if err != nil {
		r.rep.errorf(BadValue, polygonFile, line, "is not an XML file that can be read: %v; take the package from Polygon anew", err)
		return
	}
	if root.name != "problem" {
		r.rep.errorf(BadValue, polygonFile, root.line, "begins with <%s>, not <problem>; it is no package of Polygon", root.name)
		return
	}
	p := polygon{reader: r, root: root}
	p.titles()
	p.judging()
	p.resources()
	p.programs()
	p.tests()
	p.solutions()
	p.documents()
	r.counted()
}

// languages are Polygon's names of languages, as tags.
var polygonLanguages = map[string]string{
	"english": "en", "russian": "ru", "german": "de", "french": "fr", "spanish": "es", "polish": "pl", "ukrainian": "uk",
	"portuguese": "pt", "chinese": "zh", "japanese": "ja", "korean": "ko", "kazakh": "kk", "armenian": "hy", "georgian": "ka",
	"belarusian": "be", "azerbaijani": "az", "turkish": "tr", "italian": "it", "hungarian": "hu", "romanian": "ro",
	"czech": "cs", "slovene": "sl", "croatian": "hr", "serbian": "sr", "vietnamese": "vi", "arabic": "ar", "persian": "fa",
}

func (p *polygon) titles() {
	pr := &p.pkg.Problem
	pr.Titles = map[string]string{}
	for _, n := range p.root.at("names").all("name") {
		title := judge.SafeText([]byte(n.attr("value")), maxPolygonText)
		tag, ok := polygonLanguages[n.attr("language")]
		if title == "" || !ok {
			continue
		}
		pr.Titles[tag] = title
		if pr.Title == "" || tag == "en" {
			pr.Title = title
		}
	}
	pr.Title = orText(pr.Title, orText(judge.SafeText([]byte(p.root.attr("short-name")), maxPolygonText), pr.Name))
	pr.Source = judge.SafeText([]byte(p.root.attr("url")), maxPolygonText)
}

// judging reads the limits, and refuses what a box has not.
func (p *polygon) judging() {
	j := p.root.at("judging")
	for _, set := range j.all("testset") {
		if p.testset == nil || set.attr("name") == "tests" {
			p.testset = set
		}
	}
	if p.testset == nil {
		p.rep.errorf(NoCases, polygonFile, p.root.line, "has no <testset> in <judging>; take the package from Polygon anew")
		return
	}
	for _, name := range []string{"input-file", "output-file"} {
		if file := j.attr(name); file != "" {
			p.rep.errorf(BadType, polygonFile, j.line, "the %s is %q; programs are judged by standard input and output: leave it empty in Polygon and make the package anew", name, file)
		}
	}
	if n := j.attr("run-count"); n != "" && n != "1" {
		p.rep.errorf(BadType, polygonFile, j.line, "the problem runs a program %s times on each test, which is not known here; only once is", n)
	}
	pr := &p.pkg.Problem
	if ms, ok := p.whole(p.testset.at("time-limit"), judge.MaxCPU.Milliseconds()); ok {
		pr.Limits.CPU, pr.TimeLimitSet = time.Duration(ms)*time.Millisecond, true
	}
	if n, ok := p.whole(p.testset.at("memory-limit"), MaxMemory); ok {
		pr.Limits.Memory = n
	}
}

// whole is a whole number above 0.
func (p *polygon) whole(e *element, ceiling int64) (int64, bool) {
	if e == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(e.value(), 10, 64)
	if err != nil || n < 1 || n > ceiling {
		p.rep.errorf(BadNumber, polygonFile, e.line, "%s is %q; write a whole number from 1 to %d", e.name, e.value(), ceiling)
		return 0, false
	}
	return n, true
}

// resources are what programs include: testlib.h and what the authors wrote.
func (p *polygon) resources() {
	for _, f := range p.root.at("files", "resources").all("file") {
		name := path.Clean(f.attr("path"))
		if e := p.tree.byName[name]; e != nil && slices.Contains([]string{".h", ".hpp", ".hh", ".inc", ".pas", ".java", ".py"}, path.Ext(name)) {
			p.headers = append(p.headers, partFile{path.Base(name), e})
		}
	}
}

// program reads the source that an element names, with the headers beside it.
func (p *polygon) program(e *element, what string) (judge.JuryProgram, bool) {
	source := e.at("source")
	name := path.Clean(source.attr("path"))
	file := p.tree.byName[name]
	if source == nil || file == nil {
		p.rep.errorf(MissingValidator, polygonFile, e.line, "the %s's source %q is not in the package; take a full package from Polygon", what, source.attr("path"))
		return judge.JuryProgram{}, false
	}
	parts := []partFile{{path.Base(name), file}}
	for _, h := range p.headers {
		if h.name != path.Base(name) {
			parts = append(parts, h)
		}
	}
	if !p.named(parts) {
		return judge.JuryProgram{}, false
	}
	files, ok := p.load(parts)
	return judge.JuryProgram{Name: name, Files: files}, ok
}

func (p *polygon) programs() {
	pr, assets := &p.pkg.Problem, p.root.at("assets")
	pr.Validator.Protocol = judge.ProtocolTestlib
	checker, hasChecker := judge.JuryProgram{}, false
	if c := assets.at("checker"); c != nil {
		if kind := c.attr("type"); kind != "" && kind != "testlib" {
			p.rep.errorf(BadType, polygonFile, c.line, "the checker is of type %q; only testlib is known", kind)
		}
		checker, hasChecker = p.program(c, "checker")
	}
	if i := assets.at("interactor"); i != nil {
		pr.Interactive = true
		if program, ok := p.program(i, "interactor"); ok {
			pr.Validator.Programs = []judge.JuryProgram{program}
		}
		if hasChecker {
			pr.Validator.Checker = &checker
		}
	} else if hasChecker {
		pr.Validator.Programs = []judge.JuryProgram{checker}
	} else if assets.at("checker") == nil {
		p.rep.warnf(MissingValidator, polygonFile, p.root.line, "there is no checker; outputs are compared token by token")
		pr.Validator.Protocol = judge.ProtocolICPC
	}
	for _, v := range assets.at("validators").all("validator") {
		if program, ok := p.program(v, "validator"); ok {
			pr.InputValidators = append(pr.InputValidators, program)
		}
	}
}

// solutionTags are Polygon's tags, and which verdicts are as expected.
var solutionTags = map[string][]judge.Verdict{
	"main":                            {judge.AC},
	"accepted":                        {judge.AC},
	"wrong-answer":                    {judge.WA},
	"presentation-error":              {judge.WA},
	"time-limit-exceeded":             {judge.TLE},
	"time-limit-exceeded-or-accepted": {judge.TLE, judge.AC},
	"time-limit-exceeded-or-memory-limit-exceeded": {judge.TLE, judge.MLE},
	"memory-limit-exceeded":                        {judge.MLE},
	"rejected":                                     {judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE},
	"failed":                                       {judge.WA, judge.TLE, judge.MLE, judge.OLE, judge.RE},
}

func (p *polygon) solutions() {
	accepted := 0
	for _, s := range p.root.at("assets", "solutions").all("solution") {
		tag := s.attr("tag")
		expected, ok := solutionTags[tag]
		if !ok {
			if tag != "do-not-run" {
				p.rep.warnf(UnknownExpectation, polygonFile, s.line, "the tag %q of a solution is not known; it is left out", tag)
			}
			continue
		}
		name := path.Clean(s.at("source").attr("path"))
		e := p.tree.byName[name]
		if e == nil {
			p.rep.errorf(UnmatchedPattern, polygonFile, s.line, "the solution %q is not in the package", s.at("source").attr("path"))
			continue
		}
		parts := []partFile{{path.Base(name), e}}
		if !p.named(parts) {
			continue
		}
		files, ok := p.load(parts)
		if !ok {
			continue
		}
		j := judge.JurySubmission{Name: path.Join(tag, path.Base(name)), Files: files, Expected: expected, Model: tag == "main"}
		switch {
		case slices.Equal(expected, []judge.Verdict{judge.AC}):
			j.Timing = judge.TimingAccepted
			accepted++
		case slices.Equal(expected, []judge.Verdict{judge.TLE}):
			j.Timing = judge.TimingTooSlow
		}
		p.pkg.Problem.Jury = append(p.pkg.Problem.Jury, j)
	}
	slices.SortFunc(p.pkg.Problem.Jury, func(a, b judge.JurySubmission) int { return strings.Compare(a.Name, b.Name) })
	if accepted == 0 {
		p.rep.warnf(NoAccepted, polygonFile, 0, "there is no solution with the tag main or accepted; nothing shows that the problem can be solved")
	}
}

// documents are the statements, with the pictures beside them, and attachments.
// Polygon's HTML lies in hidden folders, which are not read; its TeX is shown.
func (p *polygon) documents() {
	folders := map[string]bool{}
	for _, s := range p.root.at("statements").all("statement") {
		if name := path.Clean(s.attr("path")); p.tree.has(name) {
			folders[path.Dir(name)] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		for _, d := range p.reader.documents(folder) {
			if path.Ext(d.Name) != ".ftl" && path.Base(d.Name) != "problem-properties.json" && path.Ext(d.Name) != ".sty" {
				p.pkg.Statement = append(p.pkg.Statement, d)
			}
		}
	}
	for _, a := range p.root.at("files", "attachments").all("file") {
		if e := p.tree.byName[path.Clean(a.attr("path"))]; e != nil {
			p.pkg.Attachments = append(p.pkg.Attachments, Document{Name: e.name, Blob: p.pin(e)})
		}
	}
}
