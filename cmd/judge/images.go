package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"judge/images"
	"judge/judge"
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
	Languages []string `arg:"" optional:"" name:"lang" help:"Languages by id; none: all that are tried, and _jury, which packages' scripts run in."`
	Language  []string `short:"l" sep:"," placeholder:"ID" help:"The same as a flag; may be given several times."`
	Jobs      int      `default:"2" placeholder:"N" help:"Build at most N at a time (${default})."`
	Prune     bool     `help:"Remove the images of these languages that older builds left."`
}

// Help is shown by judge images build --help.
func (imagesBuildCmd) Help() string {
	return `An image is named by what is in its folder and by its base (debian:trixie-slim or bookworm-slim, which make images gets), so that what has not changed is not built again. A first build needs a mirror of Debian packages, and npm for the languages that take packages of its registry; it takes from seconds to a minute for each language. Variants, as cpp17 and cpp20, share one image.

Examples:
  judge images build cpp python3
  judge images build --language cpp`
}

// Run builds, and then runs each version command once.
func (c *imagesBuildCmd) Run(a *app) error {
	set, err := language.Load(images.FS)
	if err != nil {
		return err
	}
	folders, err := c.folders(set)
	if err != nil {
		return err
	}
	im, err := docker.OpenImages(a.ctx, images.FS, npmPackages(set))
	if err != nil {
		return err
	}
	p := newBuildProgress(a)
	err = im.Build(a.ctx, folders, c.Jobs, p.tell)
	p.clear()
	if err == nil && c.Prune {
		var removed []string
		removed, err = im.Prune(a.ctx, folders)
		for _, ref := range removed {
			a.notef("%s  removed\n", ref)
		}
	}
	// One that cannot be built is no reason to leave the others without a version.
	return errors.Join(err, im.Close(), a.askVersions(set, folders))
}

// folders are those whose images are asked for.
func (c *imagesBuildCmd) folders(set *language.Set) ([]string, error) {
	wanted := slices.Concat(c.Languages, c.Language)
	for _, id := range wanted {
		if _, ok := set.Get(id); !ok && !slices.Contains(imageFolders(set), id) {
			return nil, badInput{fmt.Errorf("there is no language %q; there are %s", id, strings.Join(slices.Concat(ids(set), images.Tools()), ", "))}
		}
	}
	var out []string
	for _, folder := range imageFolders(set) {
		asked := slices.ContainsFunc(wanted, func(id string) bool {
			l, ok := set.Get(id)
			return id == folder || ok && l.Image == folder
		})
		if asked || len(wanted) == 0 && untried(set, folder) == "" {
			out = append(out, folder)
		}
	}
	return out, nil
}

// imageFolders are the folders of all images that boxes are made of.
func imageFolders(set *language.Set) []string { return slices.Concat(set.Images(), images.Tools()) }

// untried is why a folder is defined but not tried; empty: it is.
func untried(set *language.Set, folder string) string {
	for _, l := range set.All() {
		if l.Image == folder {
			return l.Untried
		}
	}
	return ""
}

// askVersions fills the file of versions, so that the first judging need not.
func (a *app) askVersions(set *language.Set, folders []string) (err error) {
	state, err := listImages(a.ctx, set)
	if err != nil {
		return err
	}
	versions := a.versions()
	var unknown []*judge.Language
	for _, l := range set.All() {
		i := state[l.Image]
		_, known := versions.Known(i.ID, l.Version)
		if slices.Contains(folders, l.Image) && i.State == docker.ImageReady && !known {
			unknown = append(unknown, l)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	st, err := a.openStation(0, runner.PerRun)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.close(a.ctx)) }()
	for _, l := range unknown {
		i, err := st.image(a.ctx, l)
		if err != nil {
			return fmt.Errorf("%s: %w", l.ID, err)
		}
		a.notef("%s  %s\n", l.ID, i.Version)
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
		i := state[l.Image]
		line := imageLine{Language: l.ID, State: imageState(l, i), Ref: wire.Known(i.Ref), ImageID: wire.Known(i.ID), Size: wire.Known(i.Size)}
		if v, ok := a.versions().Known(i.ID, l.Version); ok {
			line.Version = &v
		}
		lines = append(lines, line)
	}
	return c.print(a, lines)
}

// imageState is the state of a language's image, for people.
func imageState(l *judge.Language, i docker.Image) string {
	if l.Untried != "" && i.State != docker.ImageReady {
		return "defined, not tried"
	}
	return string(i.State)
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
