package main

import (
	"fmt"
	"slices"
	"strings"

	"judge/images"
	"judge/judge"
	"judge/judge/language"
	"judge/runner/docker"
)

// languagesCmd lists the languages.
type languagesCmd struct {
	JSON bool `help:"One language a line, as JSON."`
}

// languageLine is a language as JSON.
type languageLine struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Extensions []string          `json:"extensions"`
	Headers    []string          `json:"headers"`
	Compile    []string          `json:"compile"` // argv; empty: nothing is compiled
	Run        []string          `json:"run"`     // argv
	Defines    []string          `json:"defines"` // -D… and the like, of the compile command
	Env        map[string]string `json:"environment"`
	Allowance  int64             `json:"memory_allowance_bytes"`
	Version    *string           `json:"version"`
	State      *string           `json:"state"` // of the image; null: the engine does not answer
	ImageID    *string           `json:"image_id"`
}

// Run lists them, without an engine too.
func (c *languagesCmd) Run(a *app) error {
	set, err := language.Load(images.FS)
	if err != nil {
		return err
	}
	state, err := listImages(a.ctx, set)
	if err != nil && a.Verbose {
		a.say(err, c.JSON)
	}
	for _, l := range set.All() {
		line := describe(l, state[l.ID], a.versions())
		if c.JSON {
			err = jsonLines(a.out).Encode(line)
		} else {
			_, err = fmt.Fprint(a.out, line.text())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func describe(l *judge.Language, image docker.Image, versions docker.Versions) languageLine {
	line := languageLine{
		ID: l.ID, Name: l.Name, Extensions: l.Extensions, Headers: orEmpty(l.Headers), Compile: orEmpty(l.Compile), Run: l.Run,
		Defines: []string{}, Env: map[string]string{}, Allowance: l.MemoryAllowance,
	}
	for _, e := range l.Env {
		name, value, _ := strings.Cut(e, "=")
		line.Env[name] = value
	}
	for _, arg := range l.Compile {
		if strings.HasPrefix(arg, "-D") {
			line.Defines = append(line.Defines, arg)
		}
	}
	if image.State != "" {
		line.State = (*string)(&image.State)
	}
	if image.ID != "" {
		line.ImageID = &image.ID
		if v, ok := versions.Known(image.ID, l.Version); ok {
			line.Version = &v
		}
	}
	return line
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// text is a language for people, as lines of a name and what belongs to it.
func (l *languageLine) text() string {
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			_, _ = fmt.Fprintf(&b, "    %-12s %s\n", name, value)
		}
	}
	_, _ = fmt.Fprintf(&b, "%s  %s\n", l.ID, l.Name)
	if l.Version != nil {
		field("version", judge.SafeText([]byte(*l.Version), maxName))
	}
	field("extensions", strings.Join(append(l.Extensions, l.Headers...), " "))
	field("compile", argvText(l.Compile))
	field("run", argvText(l.Run))
	var env []string
	for name, value := range l.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	field("environment", strings.Join(env, " "))
	if l.Allowance > 0 {
		field("memory", fmt.Sprintf("%d MiB are added to a problem's limit for the runtime", l.Allowance>>20))
	}
	state := "unknown: the engine does not answer"
	if l.State != nil {
		state = *l.State
	}
	field("image", state)
	return b.String()
}

// argvText is a command line on one line: arguments of several lines are
// shortened.
func argvText(argv []string) string {
	var out []string
	for _, a := range argv {
		if first, _, more := strings.Cut(a, "\n"); more {
			a = "'" + first + " …'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}
