package docker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"

	"judge/runner"
)

// labelLanguage is on every image of a language, and holds its id.
const labelLanguage = "judge.language"

// repository is what an image of a folder is called. Names of images do not begin
// with an underscore, as folders do that are no languages.
func repository(folder string) string { return "judge/" + strings.TrimPrefix(folder, "_") }

// ImageState says whether boxes can be made of an image.
type ImageState string

// The states of an image.
const (
	ImageReady       ImageState = "ready"
	ImageMissing     ImageState = "missing"      // Build makes it
	ImageBaseMissing ImageState = "base missing" // what it is built from is not there
)

// Image is what the engine has for one folder of the images.
type Image struct {
	Language string // the folder's name
	State    ImageState
	Ref      string // judge/<language>:<hash of folder and base>; empty where a base is missing
	ID       string // of the image; empty unless ready
	Size     int64  // bytes, the base included; 0 unless ready
	Missing  string // the base that is missing
}

// Images finds and builds the images that boxes are made of. Each is named by
// what it is made of, so that a change of its folder or of its base makes
// another image, and boxes are never of an old one. Its methods may be called by
// many goroutines.
type Images struct {
	engine *client.Client
	fsys   fs.FS
	extras func(folder string) []Extra
}

// Extra is a file of a build's context that does not come from the folder.
type Extra struct {
	Name   string // in the context
	Digest string // of what it holds: part of the image's name
	// Read is called for a build only. Its error may wrap runner.ErrUnavailable.
	Read func(context.Context) ([]byte, error)
}

// OpenImages returns the images whose folders, each with a Dockerfile, are in
// fsys. extras, if not nil, says what else a folder's build gets. The error wraps
// runner.ErrUnavailable where the engine does not answer.
func OpenImages(ctx context.Context, fsys fs.FS, extras func(folder string) []Extra) (*Images, error) {
	engine, err := Connect(ctx)
	if err != nil {
		return nil, err
	}
	if extras == nil {
		extras = func(string) []Extra { return nil }
	}
	return &Images{engine: engine, fsys: fsys, extras: extras}, nil
}

// Close ends the connection to the engine.
func (im *Images) Close() error { return im.engine.Close() }

// List says how the engine stands with the images of languages, in their order.
func (im *Images) List(ctx context.Context, languages []string) ([]Image, error) {
	have, err := im.built(ctx)
	if err != nil {
		return nil, err
	}
	bases := map[string]string{}
	out := make([]Image, 0, len(languages))
	for _, lang := range languages {
		i, err := im.describe(ctx, lang, bases)
		if err != nil {
			return nil, err
		}
		if s, ok := have[i.Ref]; ok && i.State == ImageMissing {
			i.State, i.ID, i.Size = ImageReady, s.ID, s.Size
		}
		out = append(out, i)
	}
	return out, nil
}

// describe names the image of a language. bases keeps the ids of the bases that
// were looked up; empty: it is missing.
func (im *Images) describe(ctx context.Context, lang string, bases map[string]string) (Image, error) {
	files, err := contextFiles(im.fsys, lang)
	if err != nil {
		return Image{}, err
	}
	var ids []string
	for _, base := range basesOf(files) {
		id, ok := bases[base]
		if !ok {
			if id, err = im.id(ctx, base); err != nil {
				return Image{}, err
			}
			bases[base] = id
		}
		if id == "" {
			return Image{Language: lang, State: ImageBaseMissing, Missing: base}, nil
		}
		ids = append(ids, id)
	}
	return Image{Language: lang, State: ImageMissing, Ref: repository(lang) + ":" + hashOf(files, ids, im.extras(lang))}, nil
}

// id is the id of the image called ref, empty when there is none.
func (im *Images) id(ctx context.Context, ref string) (string, error) {
	info, err := im.engine.ImageInspect(ctx, ref)
	if errdefs.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("%w: inspect image %s: %w", runner.ErrUnavailable, ref, err)
	}
	return info.ID, nil
}

// built lists the images of languages by their references.
func (im *Images) built(ctx context.Context) (map[string]image.Summary, error) {
	list, err := im.engine.ImageList(ctx, image.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelLanguage))})
	if err != nil {
		return nil, fmt.Errorf("%w: list images: %w", runner.ErrUnavailable, err)
	}
	out := map[string]image.Summary{}
	for _, s := range list {
		for _, ref := range s.RepoTags {
			out[ref] = s
		}
	}
	return out, nil
}

// Prune removes the images of languages that are not those of the folders as
// they are now, and returns their references. What a box still uses stays.
func (im *Images) Prune(ctx context.Context, languages []string) ([]string, error) {
	now, err := im.List(ctx, languages)
	if err != nil {
		return nil, err
	}
	have, err := im.built(ctx)
	if err != nil {
		return nil, err
	}
	var removed []string
	var errs []error
	for ref, s := range have {
		i := slices.IndexFunc(now, func(i Image) bool { return i.Language == s.Labels[labelLanguage] })
		// Of a language whose base is missing nobody can say which image is old.
		if i < 0 || now[i].Ref == ref || now[i].State != ImageReady || !strings.HasPrefix(ref, repository(now[i].Language)+":") {
			continue
		}
		_, err := im.engine.ImageRemove(ctx, ref, image.RemoveOptions{PruneChildren: true})
		switch {
		case err == nil:
			removed = append(removed, ref)
		case !errdefs.IsConflict(err) && !errdefs.IsNotFound(err):
			errs = append(errs, fmt.Errorf("remove image %s: %w", ref, err))
		}
	}
	slices.SortFunc(removed, cmp.Compare)
	return removed, errors.Join(errs...)
}
