package problems

import (
	"math"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Values of more than one line or of a kind of their own.

// maxItems of a list in a configuration file.
const maxItems = 1000

// texts is a list of strings; where one is enough, a string stands for a list of it.
func (d *document) texts(n *yaml.Node, key string, single bool) ([]string, bool) {
	if single && n.Kind == yaml.ScalarNode {
		s, ok := d.text(n, key)
		return []string{s}, ok
	}
	if n.Kind != yaml.SequenceNode {
		d.errorf(n, "%s is not a list; write it as [a, b]", key)
		return nil, false
	}
	if len(n.Content) > maxItems {
		d.fault(TooMany, n, "%s has %d items, more than the ceiling of %d", key, len(n.Content), maxItems)
		return nil, false
	}
	all := []string{} // an empty list is not the same as none
	for _, item := range n.Content {
		s, ok := d.text(item, key)
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

func (d *document) setTexts(to *[]string, key string, single bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if all, ok := d.texts(n, key, single); ok {
			*to = all
		}
	}
}

// setList is one string, or several that become one.
func (d *document) setList(to *string, key string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if all, ok := d.texts(n, key, true); ok {
			*to = strings.Join(all, ", ")
		}
	}
}

func (d *document) setBool(to *bool, key string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if b, ok := d.boolean(n); ok {
			*to = b
		} else {
			d.errorf(n, "%s is neither true nor false; write one of them", key)
		}
	}
}

func (*document) boolean(n *yaml.Node) (value, ok bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		return false, false
	}
	err := n.Decode(&value)
	return value, err == nil
}

// pairs calls use for each key and value of a mapping whose keys are the author's.
func (d *document) pairs(n *yaml.Node, key string, use func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		d.errorf(n, "%s is not a mapping; write lines of key: value", key)
		return
	}
	if len(n.Content) > 2*maxItems {
		d.fault(TooMany, n, "%s has %d keys, more than the ceiling of %d", key, len(n.Content)/2, maxItems)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode {
			use(k, n.Content[i+1])
		} else {
			d.errorf(k, "a key in %s is not a string; write key: value", key)
		}
	}
}

// finite is a decimal number within the bounds, both included.
func (d *document) finite(n *yaml.Node, key string, low, high float64) (float64, bool) {
	s, ok := d.text(n, key)
	if !ok {
		return 0, false
	}
	f, ok := parseFloat(s)
	if !ok || math.IsInf(f, 0) || f < low || f > high {
		d.fault(BadNumber, n, "%s is %.40q; write a decimal number from %g to %g", key, s, low, high)
		return 0, false
	}
	return f, true
}

// whole is a whole number within the bounds, both included.
func (d *document) whole(n *yaml.Node, key string, low, high int64) (int64, bool) {
	s, ok := d.text(n, key)
	if !ok {
		return 0, false
	}
	f, ok := parseFloat(s)
	if !ok || f != math.Trunc(f) || f < float64(low) || f > float64(high) {
		d.fault(BadNumber, n, "%s is %.40q; write a whole number from %d to %d", key, s, low, high)
		return 0, false
	}
	return int64(f), true
}
