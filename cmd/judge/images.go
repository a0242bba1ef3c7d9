package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"judge/images"
	"judge/judge/language"
	"judge/judge/wire"
	"judge/runner"
	"judge/runner/docker"
)

// imagesCmd builds and lists images.
type imagesCmd struct {
	Build imagesBuildCmd `cmd:"" help:"Build the images that are missing."`
	List  imagesListCmd  `cmd:"" help:"List the images and their state."`
}

type imagesBuildCmd struct {
	Languages []string `arg:"" optional:"" name:"lang" help:"Languages by id; none: all."`
	Jobs      int      `default:"2" placeholder:"N" help:"Build at most N at a time (${default})."`
	Prune     bool     `help:"Remove the images of these languages that older builds left."`
}

// Help is shown by judge images build --help.
func (imagesBuildCmd) Help() string {
	return `An image is named by what is in its folder and by its base (debian:trixie-slim, which make images gets), so that what has not changed is not built again. A first build needs a mirror of Debian packages and takes a minute or two for each language.

Example:
  judge images build cpp python3`
}

// Run builds, and then runs each version command once.
func (c *imagesBuildCmd) Run(a *app) error {
	set, err := language.Load(images.FS)
	if err != nil {
		return err
	}
	langs := c.Languages
	if len(langs) == 0 {
		langs = ids(set)
	}
	for _, id := range langs {
		if _, ok := set.Get(id); !ok {
			return badInput{fmt.Errorf("there is no language %q; there are %s", id, strings.Join(ids(set), ", "))}
		}
	}
	im, err := docker.OpenImages(a.ctx, images.FS)
	if err != nil {
		return err
	}
	p := newBuildProgress(a)
	err = im.Build(a.ctx, langs, c.Jobs, p.tell)
	p.clear()
	if err == nil && c.Prune {
		var removed []string
		removed, err = im.Prune(a.ctx, langs)
		for _, ref := range removed {
			a.notef("%s  removed\n", ref)
		}
	}
	if err := errors.Join(err, im.Close()); err != nil {
		return err
	}
	return a.askVersions(set, langs)
}

// askVersions fills the file of versions, so that the first judging need not.
func (a *app) askVersions(set *language.Set, langs []string) (err error) {
	state, err := listImages(a.ctx, set)
	if err != nil {
		return err
	}
	versions := a.versions()
	unknown := slices.DeleteFunc(slices.Clone(langs), func(id string) bool {
		l, _ := set.Get(id)
		_, known := versions.Known(state[id].ID, l.Version)
		return known
	})
	if len(unknown) == 0 {
		return nil
	}
	st, err := a.openStation(0, runner.PerRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(a.ctx)) }()
	for _, id := range unknown {
		l, _ := set.Get(id)
		i, err := st.image(a.ctx, l)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		a.notef("%s  %s\n", id, i.Version)
	}
	return nil
}

type imagesListCmd struct {
	JSON bool `help:"One image a line, as JSON; sizes in bytes."`
}

type imageLine struct {
	Language string  `json:"language"`
	State    string  `json:"state"`
	Ref      *string `json:"ref"`
	ImageID  *string `json:"image_id"`
	Size     *int64  `json:"size_bytes"`
	Version  *string `json:"version"`
}

// Run lists the images of all languages.
func (c *imagesListCmd) Run(a *app) error {
	set, err := language.Load(images.FS)
	if err != nil {
		return err
	}
	state, err := listImages(a.ctx, set)
	if err != nil {
		return err
	}
	var lines []imageLine
	for _, l := range set.All() {
		i := state[l.ID]
		line := imageLine{Language: l.ID, State: string(i.State), Ref: wire.Known(i.Ref), ImageID: wire.Known(i.ID), Size: wire.Known(i.Size)}
		if v, ok := a.versions().Known(i.ID, l.Version); ok {
			line.Version = &v
		}
		lines = append(lines, line)
	}
	return c.print(a, lines)
}

func (c *imagesListCmd) print(a *app, lines []imageLine) error {
	if c.JSON {
		for _, l := range lines {
			if err := jsonLines(a.out).Encode(l); err != nil {
				return err
			}
		}
		return nil
	}
	t := &table{out: a.out, columns: []column{{title: "language"}, {title: "state"}, {title: "size", right: true}, {title: "image"}, {title: "version"}}}
	var rows [][]string
	for _, l := range lines {
		size := "-"
		if l.Size != nil {
			size = fmt.Sprintf("%d MB", *l.Size/1e6)
		}
		rows = append(rows, []string{l.Language, l.State, size, text(l.Ref), text(l.Version)})
	}
	return t.all(rows)
}

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}
