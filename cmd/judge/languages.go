package main

import (
	"fmt"
	"slices"
	"strings"

	"judge/images"
	"judge/judge"
	"judge/judge/language"
	"judge/judge/wire"
	"judge/runner/docker"
)

// languagesCmd lists the languages and tries them.
type languagesCmd struct {
	List languagesListCmd `cmd:"" default:"withargs" help:"List the languages with their commands, flags and versions."`
	Test languagesTestCmd `cmd:"" help:"Judge the trials of languages: what each must show."`
}

type languagesListCmd struct {
	JSON bool `help:"One language a line, as JSON."`
}

// languageLine is a language as JSON.
type languageLine struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Aliases    []string          `json:"aliases"` // other ids by which it may be asked for
	Judge0     []int             `json:"judge0_ids"`
	Piston     []string          `json:"piston_names"`
	Editor     *string           `json:"editor"` // the mode of a code editor
	Example    *string           `json:"example"`
	Extensions []string          `json:"extensions"`
	Headers    []string          `json:"headers"`
	Compile    []string          `json:"compile"` // argv; empty: nothing is compiled
	Run        []string          `json:"run"`     // argv
	Defines    []string          `json:"defines"` // -D… and the like, of the compile command
	Env        map[string]string `json:"environment"`
	TimeFactor float64           `json:"time_factor"`  // by which a problem's time limit is multiplied
	TimeExtra  float64           `json:"time_extra_s"` // added to it
	Allowance  int64             `json:"memory_allowance_bytes"`
	Version    *string           `json:"version"`
	State      *string           `json:"state"` // of the image; null: the engine does not answer
	ImageID    *string           `json:"image_id"`
}

// Run lists them, without an engine too.
func (c *languagesListCmd) Run(a *app) error {
	set, err := language.Load(images.FS)
	if err != nil {
		return err
	}
	state, err := listImages(a.ctx, set)
	if err != nil && a.Verbose {
		a.say(err, c.JSON)
	}
	for _, l := range set.All() {
		line := describe(l, state[l.Image], a.versions())
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
		ID: l.ID, Name: l.Name, Aliases: orEmpty(l.Aliases), Judge0: orEmpty(l.Judge0), Piston: orEmpty(l.Piston),
		Editor: wire.Known(l.Editor), Example: wire.Known(l.Example),
		Extensions: l.Extensions, Headers: orEmpty(l.Headers), Compile: orEmpty(l.Compile), Run: l.Run,
		Defines: orEmpty(slices.Clone(l.Defines)), Env: map[string]string{},
		TimeFactor: l.TimeFactor, TimeExtra: l.TimeExtra.Seconds(), Allowance: l.MemoryAllowance,
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
		line.State = wire.Known(imageState(l, image))
	}
	if image.ID != "" {
		line.ImageID = &image.ID
		if v, ok := versions.Known(image.ID, l.Version); ok {
			line.Version = &v
		}
	}
	return line
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
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
	field("also", strings.Join(l.Aliases, " "))
	field("extensions", strings.Join(append(l.Extensions, l.Headers...), " "))
	field("compile", strings.Replace(argvText(l.Compile), "{defines}", strings.Join(l.Defines, " "), 1))
	field("run", argvText(l.Run))
	var env []string
	for name, value := range l.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	field("environment", strings.Join(env, " "))
	if l.TimeFactor != 1 || l.TimeExtra != 0 {
		field("time", fmt.Sprintf("a problem's limit × %g, and %g s", l.TimeFactor, l.TimeExtra))
	}
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
