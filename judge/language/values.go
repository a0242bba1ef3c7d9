package language

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Bounds against typing errors; no language needs more.
const (
	maxProcesses = 4096
	maxExitCode  = 255
	maxForeignID = 10000
	maxMebibytes = 1 << 20
	maxSeconds   = 3600
	maxFactor    = 100
)

func (r *reader) text(dst *string) value {
	return func(name string, n *yaml.Node) {
		if s, ok := r.str(name, n); ok && s == "" {
			r.fail(n.Line, "%s is empty", name)
		} else {
			*dst = s
		}
	}
}

// str takes only what YAML itself reads as a string: an unquoted 1 or yes in a
// list of arguments is a mistake more often than not.
func (r *reader) str(name string, n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		r.fail(n.Line, "%s must be text, not %s; quote it if it is meant as text", name, kind(n))
		return "", false
	}
	if strings.ContainsRune(n.Value, 0) {
		r.fail(n.Line, "%s holds a NUL byte", name)
		return "", false
	}
	return n.Value, true
}

func (r *reader) matching(dst *string, re *regexp.Regexp, want string) value {
	return func(name string, n *yaml.Node) {
		if s, ok := r.str(name, n); ok && !re.MatchString(s) {
			r.fail(n.Line, "%s %q must be %s", name, s, want)
		} else {
			*dst = s
		}
	}
}

func (r *reader) boolean(dst *bool) value {
	return func(name string, n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Decode(dst) != nil {
			r.fail(n.Line, "%s must be true or false, not %s", name, kind(n))
		}
	}
}

// pattern reads a regular expression that has at least groups groups.
func (r *reader) pattern(dst *string, groups int) value {
	return func(name string, n *yaml.Node) {
		s, ok := r.str(name, n)
		if !ok {
			return
		}
		re, err := regexp.Compile(s)
		switch {
		case err != nil:
			r.fail(n.Line, "%s: %v", name, err)
		case s == "":
			r.fail(n.Line, "%s is empty; leave it out", name)
		case re.NumSubexp() < groups:
			r.fail(n.Line, "%s needs a group in parentheses", name)
		default:
			*dst = s
		}
	}
}

func (r *reader) list(name string, n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		r.fail(n.Line, "%s must be a list, not %s", name, kind(n))
		return nil
	}
	if len(n.Content) == 0 {
		r.fail(n.Line, "%s is an empty list", name)
	}
	var out []string
	for _, c := range n.Content {
		if s, ok := r.str(name, c); ok {
			out = append(out, s)
		}
	}
	return out
}

// extensions reads file name extensions; line, if not nil, gets where they stand.
func (r *reader) extensions(dst *[]string, line *int) value {
	return func(name string, n *yaml.Node) {
		if line != nil {
			*line = n.Line
		}
		seen := map[string]bool{}
		for _, ext := range r.list(name, n) {
			if !extPattern.MatchString(ext) {
				r.fail(n.Line, "%s: %q must be a dot and then letters, digits, + _ or -", name, ext)
			} else if seen[ext] {
				r.fail(n.Line, "%s: %s is given twice", name, ext)
			}
			seen[ext] = true
			*dst = append(*dst, ext)
		}
	}
}

func (r *reader) globs(dst *[]string) value {
	return func(name string, n *yaml.Node) {
		for _, g := range r.list(name, n) {
			if _, err := path.Match(g, ""); err != nil || g == "" {
				r.fail(n.Line, "%s: %q is no file pattern", name, g)
			}
			*dst = append(*dst, g)
		}
	}
}

var (
	placeholder = regexp.MustCompile(`\{([a-z_]+)\}`)

	// A shell that interprets a submission's file is an interpreter like others.
	shellCommand = regexp.MustCompile(`^-[a-z]*c`)
	shells       = []string{"sh", "bash", "dash", "zsh", "ksh", "busybox"}
)

// argv reads a command line as a list; no shell ever sees a name that a
// submitter chose. known are the placeholders that it may hold.
func (r *reader) argv(dst *[]string, known []string) value {
	return func(name string, n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			r.fail(n.Line, "%s is one text; write a list of arguments, [/usr/bin/cc, -o, main], as no shell splits it", name)
			return
		}
		args := r.list(name, n)
		if len(args) == 0 {
			return
		}
		if !path.IsAbs(args[0]) {
			r.fail(n.Line, "%s: the program %q must be an absolute path", name, args[0])
		}
		if slices.Contains(shells, path.Base(args[0])) && slices.ContainsFunc(args, func(a string) bool { return shellCommand.MatchString(a) }) {
			r.fail(n.Line, "%s: %s would split a command of text; call the program itself", name, args[0])
		}
		for _, a := range args {
			r.placeholders(name, n.Line, a, known)
		}
		*dst = args
	}
}

func (r *reader) placeholders(name string, line int, arg string, known []string) {
	for _, m := range placeholder.FindAllStringSubmatch(arg, -1) {
		switch {
		case !slices.Contains(known, m[1]) && len(known) == 0:
			r.fail(line, "%s: %s: no placeholder has a meaning here", name, m[0])
		case !slices.Contains(known, m[1]):
			r.fail(line, "%s: unknown placeholder %s; known are {%s}", name, m[0], strings.Join(known, "} {"))
		case m[1] == "sources" && arg != m[0]:
			r.fail(line, "%s: {sources} must be an argument of its own, not part of %q", name, arg)
		}
	}
}

func (r *reader) commands(dst *[][]string) value {
	return func(name string, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.fail(n.Line, "%s must be a list of commands, not %s", name, kind(n))
			return
		}
		for _, c := range n.Content {
			var args []string
			r.argv(&args, nil)(name, c)
			*dst = append(*dst, args)
		}
	}
}

func (r *reader) environment(dst *[]string) value {
	return func(name string, n *yaml.Node) {
		if n.Kind != yaml.MappingNode {
			r.fail(n.Line, "%s must be NAME: value lines, not %s", name, kind(n))
			return
		}
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			s, ok := r.str(name+"."+key.Value, n.Content[i+1])
			switch {
			case !envPattern.MatchString(key.Value):
				r.fail(key.Line, "%s: %q is no name of a variable", name, key.Value)
			case seen[key.Value]:
				r.fail(key.Line, "%s.%s is given twice", name, key.Value)
			case ok:
				*dst = append(*dst, key.Value+"="+s)
			}
			seen[key.Value] = true
		}
	}
}

func (r *reader) number(name string, n *yaml.Node, lo, hi float64) (float64, bool) {
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || (n.Tag != "!!int" && n.Tag != "!!float") || err != nil || math.IsNaN(v) || v < lo || v > hi {
		r.fail(n.Line, "%s must be a number from %s to %s, not %s", name, decimal(lo), decimal(hi), kind(n))
		return 0, false
	}
	return v, true
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// integer reads a whole number from 1 to hi.
func (r *reader) integer(dst *int, hi int) value {
	return func(name string, n *yaml.Node) {
		v, ok := r.number(name, n, 1, float64(hi))
		if ok && v != math.Trunc(v) {
			r.fail(n.Line, "%s must be a whole number, not %s", name, n.Value)
			return
		}
		*dst = int(v)
	}
}

// numbers reads a list of whole numbers from 1 to hi.
func (r *reader) numbers(dst *[]int, hi int) value {
	return func(name string, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
			r.fail(n.Line, "%s must be a list of numbers, not %s", name, kind(n))
			return
		}
		for _, c := range n.Content {
			var v int
			r.integer(&v, hi)(name, c)
			*dst = append(*dst, v)
		}
	}
}

func (r *reader) mebibytes(dst *int64) value {
	return func(name string, n *yaml.Node) {
		var v int
		r.integer(&v, maxMebibytes)(name, n)
		*dst = int64(v) << 20
	}
}

func (r *reader) seconds(dst *time.Duration) value {
	return func(name string, n *yaml.Node) {
		v, _ := r.number(name, n, 0.001, maxSeconds)
		*dst = time.Duration(v * float64(time.Second))
	}
}

func (r *reader) factor(dst *float64) value {
	return func(name string, n *yaml.Node) {
		if v, ok := r.number(name, n, 1, maxFactor); ok {
			*dst = v
		}
	}
}
