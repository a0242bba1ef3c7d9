package problems

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"judge/judge"
)

// maxPoints of an entry of test_cases.
const maxPoints = 1e9

// dmojCase is a single case of test_cases, by the names of its files.
type dmojCase struct{ input, answer *yaml.Node }

// cases reads test_cases: a list, or patterns of names, or nothing, which stands
// for DMOJ's own patterns.
func (d *dmoj) cases() {
	secret := judge.TestGroup{Name: "secret", ContinueReject: true}
	list, points := d.doc.get("test_cases"), d.doc.get("points")
	var entries []*yaml.Node
	if pre := d.doc.get("pretest_test_cases"); pre != nil && pre.Kind == yaml.SequenceNode {
		entries = append(entries, pre.Content...)
	}
	switch {
	case list != nil && list.Kind == yaml.SequenceNode:
		entries = append(entries, list.Content...)
	case list == nil || isNull(list) || list.Kind == yaml.MappingNode:
		d.matched(&secret, list, points)
	default:
		d.doc.fault(BadValue, list, "test_cases is neither a list of cases nor a mapping of patterns")
	}
	if len(entries) > maxItems {
		d.doc.fault(TooMany, d.doc.root, "there are %d test cases, more than the ceiling of %d", len(entries), maxItems)
		return
	}
	for _, n := range entries {
		d.entry(&secret, n, points, len(entries))
	}
	d.score(&secret)
}

// score gives secret what its groups have together.
func (d *dmoj) score(secret *judge.TestGroup) {
	total := 0.0
	for _, g := range secret.Groups {
		total += g.Scoring.MaxScore
	}
	secret.Scoring = &judge.GroupScoring{MaxScore: total, Aggregation: judge.AggregateSum}
	if len(secret.Groups) > 0 {
		d.pkg.Problem.Root = judge.TestGroup{ContinueReject: true, Groups: []judge.TestGroup{*secret}}
	}
}

// entry reads one item of the list: a case, or a batch of cases.
func (d *dmoj) entry(secret *judge.TestGroup, n, points *yaml.Node, total int) {
	var batch, depends *yaml.Node
	var single dmojCase
	d.doc.each(n, "test_cases", fields{
		"in":           func(n *yaml.Node) { single.input = n },
		"out":          func(n *yaml.Node) { single.answer = n },
		"points":       func(n *yaml.Node) { points = n },
		"batched":      func(n *yaml.Node) { batch = n },
		"dependencies": func(n *yaml.Node) { depends = n },

		"output_limit_length": nil, "output_prefix_length": nil,
		"generator_args": func(n *yaml.Node) {
			d.doc.fault(BadType, n, "test data is not generated; put it into the archive")
		},
		"checker": func(n *yaml.Node) {
			d.doc.fault(BadType, n, "a checker for one case is not known; give one for the problem")
		},
	})
	worth, ok := 1.0, true
	if points != nil {
		worth, ok = d.doc.finite(points, "points", 0, maxPoints)
	}
	cases := []dmojCase{single}
	if batch != nil {
		if cases = nil; batch.Kind != yaml.SequenceNode || len(batch.Content) > maxItems {
			d.doc.fault(BadValue, batch, "batched is not a list of at most %d cases", maxItems)
			return
		}
		for _, item := range batch.Content {
			var c dmojCase
			d.doc.each(item, "batched", fields{
				"in":     func(n *yaml.Node) { c.input = n },
				"out":    func(n *yaml.Node) { c.answer = n },
				"points": nil, "output_limit_length": nil, "output_prefix_length": nil,
			})
			cases = append(cases, c)
		}
	}
	g := d.group(secret, n, cases, worth, len(strconv.Itoa(total)))
	if ok {
		d.add(secret, g, depends, batch != nil)
	}
}

// group makes the group of one entry.
func (d *dmoj) group(secret *judge.TestGroup, n *yaml.Node, cases []dmojCase, points float64, digits int) judge.TestGroup {
	g := judge.TestGroup{
		Name:    fmt.Sprintf("secret/%0*d", digits, len(secret.Groups)+1),
		Scoring: &judge.GroupScoring{MaxScore: points, Aggregation: judge.AggregateMin},
	}
	for i, c := range cases {
		if c.input == nil || c.answer == nil {
			d.doc.fault(MissingInput, n, "a case needs in and out, the names of its files")
			continue
		}
		input, ok := d.file(c.input, "in", MissingInput)
		answer, found := d.file(c.answer, "out", MissingAnswer)
		if ok && found {
			g.Cases = append(g.Cases, judge.TestCase{
				Name:  fmt.Sprintf("%s/%0*d", g.Name, len(strconv.Itoa(len(cases))), i+1),
				Input: input, Answer: answer,
			})
		}
	}
	return g
}

// add puts a group into secret, with what it waits for.
func (d *dmoj) add(secret *judge.TestGroup, g judge.TestGroup, depends *yaml.Node, batch bool) {
	g.RequirePass = slices.Clone(d.zeros)
	if depends != nil {
		if numbers, ok := d.doc.texts(depends, "dependencies", true); ok {
			for _, s := range numbers {
				i, err := strconv.Atoi(s)
				if err != nil || i < 1 || i > len(d.batches) {
					d.doc.fault(UnknownGroup, depends, "dependencies names batch %q; batches are counted from 1, and only those before this one can be named (%d here)", s, len(d.batches))
					continue
				}
				g.RequirePass = append(g.RequirePass, d.batches[i-1])
			}
		}
	}
	if g.Scoring.MaxScore == 0 {
		d.zeros = append(d.zeros, g.Name)
	}
	if batch {
		d.batches = append(d.batches, g.Name)
	}
	secret.Groups = append(secret.Groups, g)
}

// DMOJ's own patterns ask that a name have .in (or .out) in it, or begin with the
// word, by a look ahead that Go's regular expressions have not.
var caseNumbers = regexp.MustCompile(`^.*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$`)

// namePattern finds batch and case in a name.
type namePattern struct {
	word string // of DMOJ's own pattern
	re   *regexp.Regexp
}

// match gives batch (-1: none) and case.
func (p namePattern) match(name string) (batch, number int, ok bool) {
	if p.word != "" && !strings.Contains(name, "."+p.word) && !strings.HasPrefix(name, p.word) {
		return 0, 0, false
	}
	m := p.re.FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false
	}
	batch = -1
	for i, group := range p.re.SubexpNames() {
		n, err := strconv.Atoi(m[i])
		switch {
		case group == "case" && err == nil:
			number, ok = n, true
		case group == "batch" && err == nil:
			batch = n
		}
	}
	return batch, number, ok
}

// matched finds the cases by the names of the files.
func (d *dmoj) matched(secret *judge.TestGroup, n, points *yaml.Node) {
	patterns := [2]namePattern{{"in", caseNumbers}, {"out", caseNumbers}}
	if n != nil && n.Kind == yaml.MappingNode {
		d.doc.each(n, "test_cases", fields{
			"input_format":  d.pattern(&patterns[0], "test_cases.input_format"),
			"output_format": d.pattern(&patterns[1], "test_cases.output_format"),
			"case_points":   func(n *yaml.Node) { points = n },
		})
	}
	if d.rep.failed() {
		return
	}
	entries := d.matches(patterns)
	next := d.pointsOf(points)
	for _, e := range entries {
		d.add(secret, d.group(secret, d.doc.root, e.cases, next(), len(strconv.Itoa(len(entries)))), nil, e.batch)
	}
}

// pattern reads a regular expression.
func (d *dmoj) pattern(to *namePattern, key string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		s, ok := d.doc.text(n, key)
		if !ok {
			return
		}
		re, err := regexp.Compile(s)
		if err != nil {
			d.doc.fault(BadValue, n, "%s is no regular expression that can be read here (%v); Go's have no look-around: list the test cases instead", key, err)
			return
		}
		*to = namePattern{re: re}
	}
}

// dmojEntry is a case, or a batch of cases, that patterns have found.
type dmojEntry struct {
	batch bool
	cases []dmojCase
}

// matches lists what the patterns find: single cases first, then batches, each by
// number.
func (d *dmoj) matches(patterns [2]namePattern) []dmojEntry {
	type key struct{ batch, number int }
	found := map[key]*[2]string{}
	from := d.tree
	if d.archive != nil {
		from = d.archive
	}
	for _, e := range from.files {
		for i, p := range patterns {
			batch, number, ok := p.match(e.name)
			if !ok {
				continue
			}
			k := key{batch, number}
			if found[k] == nil {
				found[k] = &[2]string{}
			}
			if other := found[k][i]; other != "" {
				d.rep.errorf(NameClash, e.name, 0, "is the same case as %s by test_cases' patterns; rename one, or list the test cases", other)
				continue
			}
			found[k][i] = e.name
		}
	}
	keys := slices.SortedFunc(maps.Keys(found), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.batch, b.batch), cmp.Compare(a.number, b.number))
	})
	node := func(name string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name} }
	var entries []dmojEntry
	last := -1
	for _, k := range keys {
		if found[k][0] == "" || found[k][1] == "" {
			continue
		}
		c := dmojCase{node(found[k][0]), node(found[k][1])}
		if n := len(entries); k.batch >= 0 && k.batch == last {
			entries[n-1].cases = append(entries[n-1].cases, c)
		} else {
			entries = append(entries, dmojEntry{k.batch >= 0, []dmojCase{c}})
		}
		last = k.batch
	}
	return entries
}

// pointsOf gives points to one entry after the other: all the same, or from a list.
func (d *dmoj) pointsOf(n *yaml.Node) func() float64 {
	if n == nil {
		return func() float64 { return 1 }
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	i := 0
	return func() float64 {
		if n.Kind == yaml.SequenceNode && i >= len(items) {
			if i++; i == len(items)+1 {
				d.doc.fault(MissingScore, n, "case_points has %d numbers, fewer than there are cases and batches", len(items))
			}
			return 0
		}
		item := items[min(i, len(items)-1)]
		i++
		f, ok := d.doc.finite(item, "case_points", 0, maxPoints)
		if !ok {
			return 0
		}
		return math.Abs(f) // no negative zero
	}
}
