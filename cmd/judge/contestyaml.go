package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"judge/api"
)

// contest.yaml and problemset.yaml, as contest control systems that follow the
// ICPC's requirements write them, with dashes or, as in the Contest API, with
// underscores in their keys.

// maxContestFile bounds such a file, in bytes.
const maxContestFile = 1 << 20

// readContestFile adds what a file says to a contest.
func readContestFile(a *app, path string, k *newContest) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxContestFile+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if len(data) > maxContestFile {
		return fmt.Errorf("%s: it has more than %d bytes", path, maxContestFile)
	}
	ignored, err := parseContestYAML(path, data, k)
	if len(ignored) > 0 {
		a.notef("%s: left out: %s\n", safe(path), safe(strings.Join(ignored, ", ")))
	}
	return err
}

// contestYAML reads one file.
type contestYAML struct {
	path    string
	ignored []string
}

func (y *contestYAML) fail(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", y.path, n.Line, fmt.Sprintf(format, args...))
}

// parseContestYAML also returns the keys that it has no use for.
func parseContestYAML(path string, data []byte, k *newContest) ([]string, error) {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: the file is empty", path)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	y := &contestYAML{path: path}
	root := doc.Content[0]
	if root.Kind == yaml.SequenceNode { // problems.yaml is the list alone
		return nil, y.problems(root, k)
	}
	err := y.each(root, func(key string, v *yaml.Node) error { return y.field(key, v, k) })
	slices.Sort(y.ignored)
	return y.ignored, err
}

// each calls fn for each key of a mapping, written with dashes.
func (y *contestYAML) each(n *yaml.Node, fn func(key string, v *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return y.fail(n, "a mapping of keys is wanted here")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := fn(strings.ReplaceAll(n.Content[i].Value, "_", "-"), n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (y *contestYAML) field(key string, v *yaml.Node, k *newContest) (err error) {
	switch key {
	case "id", "short-name":
		if key == "id" || k.Name == "" {
			k.Name, err = y.text(v)
		}
	case "name", "formal-name":
		var title string
		if title, err = y.text(v); err == nil && (key == "formal-name" || k.Title == nil) {
			k.Title = &title
		}
	case "kind":
		k.Kind, err = y.optional(v)
	case "start-time":
		k.Start, err = y.start(v)
	case "duration":
		k.Duration, err = y.span(v, time.Second)
	case "scoreboard-freeze-duration":
		k.Freeze, err = y.span(v, time.Second)
	case "penalty-time":
		k.Penalty, err = y.span(v, time.Minute)
	case "languages":
		return y.languages(v, k)
	case "problems", "problemset":
		return y.problems(v, k)
	default:
		y.ignored = append(y.ignored, key)
	}
	return err
}

func (y *contestYAML) text(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return "", y.fail(n, "a text is wanted here")
	}
	return n.Value, nil
}

func (y *contestYAML) optional(n *yaml.Node) (*string, error) {
	text, err := y.text(n)
	return &text, err
}

func (y *contestYAML) start(n *yaml.Node) (api.OptionalTime, error) {
	if n.Tag == "!!null" {
		return api.OptionalTime{Sent: true}, nil
	}
	text, err := y.text(n)
	if err != nil {
		return api.OptionalTime{}, err
	}
	// ISO 8601 writes an hour's offset without minutes too.
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05-07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04-07", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05-07"} {
		if t, err := time.Parse(layout, text); err == nil {
			return api.OptionalTime{Sent: true, Time: t.UTC()}, nil
		}
	}
	return api.OptionalTime{}, y.fail(n, "start-time %q: write it with its offset from UTC, as 2027-01-31T10:00:00+01:00", text)
}

// span reads h:mm:ss, or a number of units.
func (y *contestYAML) span(n *yaml.Node, unit time.Duration) (*float64, error) {
	if n.Tag == "!!null" {
		return new(float64), nil
	}
	text, err := y.text(n)
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseFloat(text, 64)
	seconds *= unit.Seconds()
	if err != nil {
		d, err := parseSpan(text)
		if err != nil {
			return nil, y.fail(n, "%s", err)
		}
		seconds = d.Seconds()
	}
	if !(seconds >= 0 && seconds < 1e9) {
		return nil, y.fail(n, "%q is no length of time", text)
	}
	return &seconds, nil
}

// languages takes ids; the names that a contest.yaml may have are no ids of ours.
func (y *contestYAML) languages(n *yaml.Node, k *newContest) error {
	if n.Kind != yaml.SequenceNode {
		return y.fail(n, "languages: a list is wanted here")
	}
	var ids []string
	for _, item := range n.Content {
		id := ""
		if item.Kind == yaml.ScalarNode {
			id = item.Value
		} else if err := y.each(item, func(key string, v *yaml.Node) (err error) {
			if key == "id" {
				id, err = y.text(v)
			}
			return err
		}); err != nil {
			return err
		}
		if id == "" {
			y.ignored = append(y.ignored, "languages (they have no ids)")
			return nil
		}
		ids = append(ids, id)
	}
	k.Languages = &ids
	return nil
}

func (y *contestYAML) problems(n *yaml.Node, k *newContest) error {
	if n.Kind != yaml.SequenceNode {
		return y.fail(n, "problems: a list is wanted here")
	}
	all := []api.ContestProblemRequest{}
	for _, item := range n.Content {
		var p api.ContestProblemRequest
		var problem, short, id string
		err := y.each(item, func(key string, v *yaml.Node) (err error) {
			switch key {
			case "letter", "label":
				p.Label, err = y.text(v)
			case "problem":
				problem, err = y.text(v)
			case "short-name":
				short, err = y.text(v)
			case "id":
				id, err = y.text(v)
			case "color":
				p.Color, err = y.text(v)
			case "rgb":
				p.RGB, err = y.text(v)
			case "points":
				err = v.Decode(&p.Points)
			case "max-submissions":
				err = v.Decode(&p.MaxSubmissions)
			}
			return err
		})
		if err != nil {
			return err
		}
		if p.Problem = cmp.Or(problem, short, id); p.Problem == "" {
			return y.fail(item, "a problem has a short-name or an id, as the server names it")
		}
		all = append(all, p)
	}
	k.Problems = &all
	return nil
}
