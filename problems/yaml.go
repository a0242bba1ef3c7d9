package problems

import (
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// document is a yaml file of a package. Its nodes are walked, not decoded, so
// that every fault has a line and that aliases are never expanded.
type document struct {
	rep    *report
	file   string
	root   *yaml.Node // nil: the file is empty
	strict bool       // a key that is not known is an error, as 2025-09 wants
}

// fields says what to do with each key of a mapping.
type fields map[string]func(*yaml.Node)

// maxNesting of yaml nodes; the formats need 3.
const maxNesting = 32

// parseYAML reports a file that is not one yaml document without aliases and
// double keys, and then returns false.
func parseYAML(rep *report, file string, data []byte) (*document, bool) {
	d := &document{rep: rep, file: file}
	if line := badText(data); line > 0 {
		rep.errorf(NotText, file, line, "holds bytes that are not UTF-8 text; write the file anew as UTF-8")
		return nil, false
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return d, true
	}
	if err == nil {
		if err = dec.Decode(&more); err == nil {
			rep.errorf(BadYAML, file, more.Line, "holds more than one yaml document; leave one")
			return nil, false
		}
	}
	if !errors.Is(err, io.EOF) {
		line, reason := yamlError(err)
		rep.errorf(BadYAML, file, line, "is not yaml: %s; mend the syntax", reason)
		return nil, false
	}
	if len(doc.Content) == 1 && !isNull(doc.Content[0]) {
		d.root = doc.Content[0]
	}
	return d, d.root == nil || d.check(d.root, 0)
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

func yamlError(err error) (line int, reason string) {
	text := strings.ToValidUTF8(err.Error(), "\uFFFD")
	m := yamlLine.FindStringSubmatch(text)
	line, _ = strconv.Atoi(m[1])
	return max(line, 1), strings.TrimPrefix(text, m[0]) // the parser leaves out line 1
}

// badText is the first line that is not UTF-8 or has a control character in it;
// 0: none.
func badText(data []byte) int {
	line := 1
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == '\n' {
			line++
		} else if (r == utf8.RuneError && n == 1) || control(r) {
			return line
		}
		data = data[n:]
	}
	return 0
}

func (d *document) check(n *yaml.Node, depth int) bool {
	if depth > maxNesting {
		d.fault(YAMLNesting, n, "is nested more than %d levels deep; no key of a package needs that", maxNesting)
		return false
	}
	if n.Kind == yaml.AliasNode {
		d.fault(YAMLAlias, n, "uses the alias %q; aliases are not accepted, write the value out", "*"+n.Value)
		return false
	}
	ok := true
	seen := map[string]bool{}
	for i, c := range n.Content {
		ok = d.check(c, depth+1) && ok
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			continue
		}
		if c.Kind == yaml.ScalarNode && seen[c.Value] {
			d.fault(DuplicateKey, c, "the key %q is there twice; remove one", c.Value)
			ok = false
		}
		seen[c.Value] = true
	}
	return ok
}

// errorf reports a value that its key does not take.
func (d *document) errorf(n *yaml.Node, format string, args ...any) {
	d.fault(BadValue, n, format, args...)
}

func (d *document) fault(code Code, n *yaml.Node, format string, args ...any) {
	d.rep.errorf(code, d.file, n.Line, format, args...)
}

func (d *document) warnf(code Code, n *yaml.Node, format string, args ...any) {
	d.rep.warnf(code, d.file, n.Line, format, args...)
}

// each calls the function of every key that has a value. within is the key that
// holds the mapping, for the warning about keys that nobody knows.
func (d *document) each(n *yaml.Node, within string, known fields) {
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.errorf(n, "%s is not a mapping; write lines of key: value", orText(within, "the file"))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := key.Value
		if within != "" {
			name = within + "." + name
		}
		switch use, ok := known[key.Value]; {
		case !ok || key.Kind != yaml.ScalarNode:
			d.unknown(key, name)
		case use != nil && !isNull(value):
			use(value)
		}
	}
}

func (d *document) unknown(key *yaml.Node, name string) {
	severity, effect := Warning, "and has no effect"
	if d.strict {
		severity, effect = Error, "which refuses such keys"
	}
	d.rep.add(severity, UnknownKey, d.file, key.Line, "the key %q is not known in this format %s; remove it or mend its spelling", name, effect)
}

// get is the value of a key of the root, or nil.
func (d *document) get(key string) *yaml.Node {
	if d == nil || d.root == nil || d.root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if d.root.Content[i].Value == key && !isNull(d.root.Content[i+1]) {
			return d.root.Content[i+1]
		}
	}
	return nil
}

func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// text is a scalar's text; a number or a boolean is its text too. Yaml can spell
// characters that no terminal and no argument list should meet.
func (d *document) text(n *yaml.Node, key string) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		d.errorf(n, "%s is not a string; write one value on its line", key)
		return "", false
	}
	if strings.ContainsFunc(n.Value, control) {
		d.errorf(n, "%s holds a NUL or another control character; remove it", key)
		return "", false
	}
	return n.Value, true
}

func (d *document) setText(to *string, key string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if s, ok := d.text(n, key); ok {
			*to = s
		}
	}
}

// number is a scalar above 0 and at most the ceiling, both in unit.
func (d *document) number(n *yaml.Node, key, unit string, ceiling float64) (float64, bool) {
	s, ok := d.text(n, key)
	if !ok {
		return 0, false
	}
	f, reason := parseNumber(s, unit, ceiling)
	if reason != "" {
		d.fault(BadNumber, n, "%s is %q, %s", key, s, reason)
		return 0, false
	}
	return f, true
}

var decimal = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// parseFloat is a number of the formats' grammar; beyond float64 it is infinite.
func parseFloat(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	return f, decimal.MatchString(s) && (err == nil || math.IsInf(f, 0))
}

// parseNumber reads a limit; reason, if any, ends a sentence about it.
func parseNumber(s, unit string, ceiling float64) (f float64, reason string) {
	most := strings.TrimSuffix(strconv.FormatFloat(ceiling, 'f', -1, 64)+" "+unit, " ")
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case !decimal.MatchString(s):
		return 0, "not a decimal number; write " + orText(unitText(unit), "a number") + " above 0 and at most " + most
	case f <= 0:
		return 0, "not above 0; write " + orText(unitText(unit), "a number") + " above 0 and at most " + most
	case err != nil || math.IsInf(f, 0) || f > ceiling:
		return 0, "above the ceiling of " + most
	}
	return f, ""
}

func unitText(unit string) string {
	if unit == "" {
		return ""
	}
	return "a number of " + unit
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func orText(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
