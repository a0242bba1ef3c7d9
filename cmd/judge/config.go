package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

const (
	configPath = "/etc/judge/judge.yaml"
	configEnv  = "JUDGE_CONFIG" // names another file
)

// configFile gives flags their values from a file of yaml, in which a flag
// --some-name is the key some_name. The environment goes before it.
type configFile struct {
	path   string
	values map[string]any
}

var _ kong.Resolver = (*configFile)(nil)

// Validate has nothing left to say: kong asks after it has resolved.
func (c *configFile) Validate(*kong.Application) error { return nil }

// read reads the file. A key that no command has a flag for is a mistake.
func (c *configFile) read(model *kong.Application) error {
	data, err := os.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	if len(doc.Content) == 0 {
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: write lines of the form flag_name: value", c.path, root.Line)
	}
	known := map[string]bool{}
	keys(model.Node, known)
	c.values = map[string]any{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if !known[key.Value] {
			return fmt.Errorf("%s:%d: there is no flag --%s", c.path, key.Line, strings.ReplaceAll(key.Value, "_", "-"))
		}
		v, err := plainValue(value)
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", c.path, value.Line, key.Value, err)
		}
		c.values[key.Value] = v
	}
	return nil
}

// Resolve finds a flag's value.
func (c *configFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil //nolint:nilnil // that is how kong asks for it
		}
	}
	return c.values[configKey(flag)], nil
}

func configKey(flag *kong.Flag) string { return strings.ReplaceAll(flag.Name, "-", "_") }

func keys(node *kong.Node, into map[string]bool) {
	for _, f := range node.Flags {
		if f.Name != "help" {
			into[configKey(f)] = true
		}
	}
	for _, child := range node.Children {
		keys(child, into)
	}
}

// plainValue is a value as kong takes it: text, or a list or map of text.
func plainValue(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!bool" {
			return n.Value == "true", nil
		}
		return n.Value, nil
	case yaml.SequenceNode:
		var list []any
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, errors.New("a list of plain values is wanted")
			}
			list = append(list, item.Value)
		}
		return list, nil
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = n.Content[i+1].Value
		}
		return m, nil
	case yaml.DocumentNode, yaml.AliasNode:
	}
	return nil, errors.New("a plain value, a list or a map is wanted")
}

// seconds is a duration as a flag: 1.5s, 300ms, or a number of seconds.
type seconds time.Duration

func decodeSeconds(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
		return err
	}
	d, err := parseSeconds(text)
	if err != nil {
		return err
	}
	target.SetInt(int64(d))
	return nil
}

func parseSeconds(text string) (time.Duration, error) {
	unit := ""
	if strings.Trim(text, "0123456789.") == "" {
		unit = "s"
	}
	d, err := time.ParseDuration(text + unit)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no duration above zero; write 1.5s, 300ms, or 2 for two seconds", text)
	}
	return d, nil
}
