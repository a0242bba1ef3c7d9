package judge

import (
	"path"
	"strings"
)

// MaxAlternatives is how many patterns without braces a Pattern may stand for.
const MaxAlternatives = 100

// Pattern chooses cases, groups or submissions by path, as submissions.yaml does:
// * is any text within a name, {a,b} is a or b, and all that lies below a path that
// matches matches too. The zero Pattern matches everything. It is read-only and may
// be used by several goroutines.
type Pattern struct{ alternatives []string }

// ParsePattern reads a pattern. ok is false where its braces do not pair, where it
// stands for more than MaxAlternatives, or holds **, ? or [, which the format does not
// have.
func ParsePattern(text string) (p Pattern, ok bool) {
	if text == "" {
		return Pattern{}, true
	}
	if strings.ContainsAny(text, `[]?\`) || strings.Contains(text, "**") || len(text) > 1000 {
		return Pattern{}, false
	}
	all, ok := expandBraces(text)
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], "/")
	}
	return Pattern{all}, ok
}

// Match reports whether the path, or a folder that it lies in, is chosen.
func (p Pattern) Match(name string) bool {
	if p.alternatives == nil {
		return true
	}
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if p.MatchSelf(at) {
			return true
		}
	}
	return false
}

// MatchSelf reports whether the path itself is chosen.
func (p Pattern) MatchSelf(name string) bool {
	if p.alternatives == nil {
		return true
	}
	for _, a := range p.alternatives {
		if ok, err := path.Match(a, name); ok && err == nil {
			return true
		}
	}
	return false
}

// expandBraces gives the patterns that text stands for, the first brace first.
func expandBraces(text string) (all []string, ok bool) {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return []string{text}, !strings.Contains(text, "}")
	}
	depth, from := 0, open+1
	var parts []string
	for i := open; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			parts, from = append(parts, text[from:i]), i+1
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			parts = append(parts, text[from:i])
			if len(parts) > MaxAlternatives || strings.Contains(text[:open], "}") {
				return nil, false
			}
			for _, part := range parts {
				more, ok := expandBraces(text[:open] + part + text[i+1:])
				if all = append(all, more...); !ok || len(all) > MaxAlternatives {
					return nil, false
				}
			}
			return all, true
		}
	}
	return nil, false
}
