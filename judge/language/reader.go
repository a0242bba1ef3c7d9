package language

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reader gathers what is wrong with a file, so that all is told at once.
type reader struct {
	path string
	errs []error
}

type field struct {
	need  need
	value value
}

// value reads the value of the key called name.
type value func(name string, n *yaml.Node)

type fields map[string]field

type need bool

const (
	required need = true
	optional need = false
)

// fail tells of a fault once: a variant has the faults of what it is made from.
func (r *reader) fail(line int, format string, args ...any) {
	err := fmt.Errorf("%s:%d: %s", r.path, line, fmt.Sprintf(format, args...))
	if !slices.ContainsFunc(r.errs, func(have error) bool { return have.Error() == err.Error() }) {
		r.errs = append(r.errs, err)
	}
}

// document is the one document of data.
func document(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty")
	} else if err != nil {
		return nil, err
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("only one document is read; remove what follows ---")
	}
	return doc.Content[0], nil
}

// mapping reads a mapping with the given keys. name is empty for the whole file.
func (r *reader) mapping(name string, n *yaml.Node, known fields) {
	if n.Kind != yaml.MappingNode {
		r.fail(n.Line, "%s must be keys with values, not %s", cmp.Or(name, "the file"), kind(n))
		return
	}
	prefix := ""
	if name != "" {
		prefix = name + "."
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, content := n.Content[i], n.Content[i+1]
		f, ok := known[key.Value]
		switch {
		case !ok || key.Kind != yaml.ScalarNode:
			r.fail(key.Line, "unknown key %q; known are %s", prefix+key.Value, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case seen[key.Value]:
			r.fail(key.Line, "%s%s is given twice", prefix, key.Value)
		default:
			seen[key.Value] = true
			f.value(prefix+key.Value, content)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if known[key].need == required && !seen[key] {
			r.fail(n.Line, "%s%s is missing", prefix, key)
		}
	}
}

func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	case yaml.ScalarNode, yaml.DocumentNode:
	}
	return fmt.Sprintf("%q", n.Value)
}
