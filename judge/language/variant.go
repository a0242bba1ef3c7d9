package language

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// own are the keys that a variant has of its own or not at all.
var own = []string{"id", "name", "default", "aliases", "judge0", "piston", "variants"}

// variants is the language of the file and each of its variants as if it stood in
// a file of its own: a key of the variant replaces that of the language, in
// compile, run and the like key by key. Lines stay what they are in the file.
func (r *reader) variants(root *yaml.Node) []*yaml.Node {
	if root.Kind != yaml.MappingNode {
		return []*yaml.Node{root}
	}
	base := *root
	base.Content = nil
	var list *yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "variants" && list == nil {
			list = root.Content[i+1]
			continue
		}
		base.Content = append(base.Content, root.Content[i], root.Content[i+1])
	}
	nodes := []*yaml.Node{&base}
	switch {
	case list == nil:
	case list.Kind != yaml.SequenceNode || len(list.Content) == 0:
		r.fail(list.Line, "variants must be a list of languages, each with what it has other than this one, not %s", kind(list))
	default:
		for _, v := range list.Content {
			if v.Kind != yaml.MappingNode {
				r.fail(v.Line, "a variant must be keys with values, not %s", kind(v))
				continue
			}
			nodes = append(nodes, overlay(&base, v, own))
		}
	}
	return nodes
}

// overlay is base with what v says instead; the keys without are v's alone.
func overlay(base, v *yaml.Node, without []string) *yaml.Node {
	out := *v
	out.Content = slices.Clone(v.Content)
	for i := 0; i+1 < len(base.Content); i += 2 {
		key, value := base.Content[i], base.Content[i+1]
		if slices.Contains(without, key.Value) {
			continue
		}
		at := 0
		for at+1 < len(out.Content) && out.Content[at].Value != key.Value {
			at += 2
		}
		switch {
		case at+1 >= len(out.Content):
			out.Content = append(out.Content, key, value)
		case value.Kind == yaml.MappingNode && out.Content[at+1].Kind == yaml.MappingNode:
			out.Content[at+1] = overlay(value, out.Content[at+1], nil)
		}
	}
	return &out
}
