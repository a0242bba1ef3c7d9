package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"judge/images"
	"judge/judge"
	"judge/judge/grader"
	"judge/judge/language"
	"judge/runner"
	"judge/runner/docker"
)

// closePatience is how long boxes may take to go when a command ends.
const closePatience = time.Minute

// station is all that judging needs: languages, images, a sandbox, a grader.
type station struct {
	languages *language.Set
	sandbox   *docker.Sandbox
	grader    *grader.Grader

	isolation runner.Isolation
	versions  docker.Versions
	asking    sync.Mutex // held while a version command runs

	looking  sync.Mutex              // held while images are looked for
	images   map[string]docker.Image // by folder
	lookedAt time.Time
}

// openStation opens the sandbox and looks for the images at once: each waits for
// the engine.
func (a *app) openStation(slots int, isolation runner.Isolation) (*station, error) {
	return a.openStationWith(docker.Options{Slots: slots, CacheDir: a.CacheDir, Log: a.log()}, isolation)
}

func (a *app) openStationWith(options docker.Options, isolation runner.Isolation) (*station, error) {
	s := &station{isolation: isolation, versions: a.versions(), lookedAt: time.Now()}
	var imagesErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		if s.languages, imagesErr = language.Load(images.FS); imagesErr == nil {
			s.images, imagesErr = listImages(a.ctx, s.languages)
		}
	})
	var err error
	s.sandbox, err = docker.New(a.ctx, options)
	wg.Wait()
	if err != nil {
		return nil, err
	}
	cache, err := grader.NewCache(filepath.Join(a.CacheDir, "executables"))
	if err := errors.Join(imagesErr, err); err != nil {
		return nil, errors.Join(err, s.close(a.ctx))
	}
	s.grader = grader.New(grader.Config{
		Sandbox: s.sandbox, Cache: cache, Isolation: isolation, Image: s.image,
		JuryLanguage: func(files []judge.File) (*judge.Language, error) { return s.languages.Detect(files, nil, "") },
	})
	return s, nil
}

func (a *app) versions() docker.Versions {
	return docker.Versions{Dir: filepath.Join(a.CacheDir, "versions")}
}

// close removes all boxes, when ctx is done too.
func (s *station) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closePatience)
	defer cancel()
	return s.sandbox.Close(ctx)
}

// listImages finds the images of all languages, by folder.
func listImages(ctx context.Context, languages *language.Set) (map[string]docker.Image, error) {
	im, err := docker.OpenImages(ctx, images.FS, npmPackages(languages))
	if err != nil {
		return nil, err
	}
	list, err := im.List(ctx, imageFolders(languages))
	if err := errors.Join(err, im.Close()); err != nil {
		return nil, err
	}
	out := map[string]docker.Image{}
	for _, i := range list {
		out[i.Language] = i
	}
	return out, nil
}

func ids(languages *language.Set) []string {
	var out []string
	for _, l := range languages.All() {
		out = append(out, l.ID)
	}
	return out
}

// lookAgain is how often a service looks whether a missing image was built.
const lookAgain = 5 * time.Second

// find is the image of a language. One that is missing is looked for again: who
// stays is not to be started anew for it.
func (s *station) find(ctx context.Context, lang *judge.Language) (docker.Image, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	i := s.images[lang.Image]
	if i.State == docker.ImageReady || time.Since(s.lookedAt) < lookAgain {
		return i, nil
	}
	list, err := listImages(ctx, s.languages)
	if err != nil {
		return i, err
	}
	s.images, s.lookedAt = list, time.Now()
	return list[lang.Image], nil
}

// image finds the image of a language for the grader.
func (s *station) image(ctx context.Context, lang *judge.Language) (grader.Image, error) {
	i, err := s.find(ctx, lang)
	if err != nil {
		return grader.Image{}, err
	}
	switch i.State {
	case docker.ImageReady:
	case docker.ImageBaseMissing:
		return grader.Image{}, fmt.Errorf("%w: %s and the image are missing; make images gets both", runner.ErrUnavailable, i.Missing)
	case docker.ImageMissing:
		return grader.Image{}, fmt.Errorf("%w: the image is missing; judge images build %s makes it", runner.ErrUnavailable, lang.Image)
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	version, err := s.versions.Ask(ctx, s.sandbox, i.ID, lang.Version, lang.Env)
	if err != nil {
		return grader.Image{}, fmt.Errorf("find version: %w", err)
	}
	return grader.Image{Ref: i.ID, ID: i.ID, Version: version}, nil
}

// need says at once, and once, which images the jobs lack.
func (s *station) need(jobs []*job) error {
	missing := map[string]bool{}
	for _, j := range jobs {
		if j.language != nil && s.images[j.language.Image].State != docker.ImageReady {
			missing[j.language.Image] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list := strings.Join(slices.Sorted(maps.Keys(missing)), " ")
	return fmt.Errorf("%w: no images of %s; judge images build %s makes them", runner.ErrUnavailable, list, list)
}

// warm makes boxes for the runs of a submission while it is compiled.
func (s *station) warm(lang *judge.Language, boxes int) {
	s.looking.Lock()
	image := grader.Image{Ref: s.images[lang.Image].ID}
	s.looking.Unlock()
	s.sandbox.Warm(grader.BoxSpec(lang, image, runner.Run, s.isolation), boxes)
}
