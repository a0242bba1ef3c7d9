package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/docker/docker/api/types/build"

	"judge/runner"
)

// BuildProgress tells of one image that is being built.
type BuildProgress struct {
	Language string
	Step     int    // from 1; 0: not begun
	Steps    int    //
	Line     string // of the builder's output, printable; may be empty
	Done     bool   // the image is built, or Err says why not
	Err      error
}

// tailLines of a failed build's output are in its error.
const tailLines = 25

// Build builds those images of languages that are missing, at most jobs at a
// time, and goes on with the others when one fails. progress, if not nil, is
// told by one goroutine at a time. The error holds the end of the output of each
// build that failed; it wraps runner.ErrUnavailable where a base is missing.
func (im *Images) Build(ctx context.Context, languages []string, jobs int, progress func(BuildProgress)) error {
	list, err := im.List(ctx, languages)
	if err != nil {
		return err
	}
	var (
		mu   sync.Mutex
		errs []error
		wg   sync.WaitGroup
	)
	tell := func(p BuildProgress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Err != nil {
			errs = append(errs, p.Err)
		}
		if progress != nil {
			progress(p)
		}
	}
	gate := make(chan struct{}, max(jobs, 1))
	for _, i := range list {
		switch i.State {
		case ImageReady:
			continue
		case ImageBaseMissing:
			tell(BuildProgress{Language: i.Language, Done: true, Err: baseMissing(i)})
			continue
		case ImageMissing:
		}
		wg.Go(func() {
			select {
			case gate <- struct{}{}:
			case <-ctx.Done():
				return
			}
			defer func() { <-gate }()
			err := im.build(ctx, i, tell)
			tell(BuildProgress{Language: i.Language, Done: true, Err: err})
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(errs...)
}

func baseMissing(i Image) error {
	return fmt.Errorf("%w: image of %s: its base %s is missing; make images (or docker pull %s) gets it",
		runner.ErrUnavailable, i.Language, i.Missing, i.Missing)
}

// build builds one image. The classic builder is asked for: every engine from
// API 1.41 up has it, and it speaks plain lines.
func (im *Images) build(ctx context.Context, i Image, tell func(BuildProgress)) error {
	files, err := contextFiles(im.fsys, i.Language)
	if err != nil {
		return err
	}
	for _, e := range im.extras(i.Language) {
		data, err := e.Read(ctx)
		if err != nil {
			return fmt.Errorf("build image of %s: get %s: %w", i.Language, e.Name, err)
		}
		files = append(files, contextFile{name: e.Name, data: data})
	}
	tar, err := contextTar(files)
	if err != nil {
		return err
	}
	res, err := im.engine.ImageBuild(ctx, tar, build.ImageBuildOptions{
		Version: build.BuilderV1, Tags: []string{i.Ref}, Labels: map[string]string{labelLanguage: i.Language},
		Remove: true, ForceRemove: true,
	})
	if err != nil {
		return fmt.Errorf("build image of %s: %w", i.Language, err)
	}
	defer res.Body.Close() //nolint:errcheck // read to its end, or given up
	output := &buildOutput{progress: BuildProgress{Language: i.Language}, tell: tell}
	if err := output.read(res.Body); err != nil {
		return fmt.Errorf("build image of %s: %w; the output ended with\n%s", i.Language, err, strings.Join(output.tail, "\n"))
	}
	if id, err := im.id(ctx, i.Ref); err != nil || id == "" {
		return errors.Join(fmt.Errorf("build image of %s: the builder left no image %s", i.Language, i.Ref), err)
	}
	return nil
}

// buildOutput reads what the builder says.
type buildOutput struct {
	progress BuildProgress
	tell     func(BuildProgress)
	tail     []string
}

var stepLine = regexp.MustCompile(`^Step (\d+)/(\d+) : `)

// read reads the stream to its end: the build has failed when one of its
// objects says so.
func (l *buildOutput) read(r io.Reader) error {
	for objects := json.NewDecoder(r); ; {
		var o struct{ Stream, Status, Error string }
		err := objects.Decode(&o)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read build output: %w", err)
		case o.Error != "":
			return errors.New(printable(o.Error))
		}
		for line := range strings.Lines(o.Stream + o.Status) {
			l.line(strings.TrimSpace(line))
		}
	}
}

func (l *buildOutput) line(line string) {
	if line == "" {
		return
	}
	if m := stepLine.FindStringSubmatch(line); m != nil {
		l.progress.Step, _ = strconv.Atoi(m[1])
		l.progress.Steps, _ = strconv.Atoi(m[2])
	}
	line = printable(line)
	l.progress.Line = line
	l.tail = append(l.tail, line)
	if len(l.tail) > tailLines {
		l.tail = l.tail[1:]
	}
	l.tell(l.progress)
}
