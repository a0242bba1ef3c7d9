package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"judge/judge"
	"judge/problems"
)

// writers is how many blobs an import stores at once: enough to hide a network,
// few enough for one processor to compress.
const writers = 4

// Import stores all files of a package that are not in the store yet and lists
// them in a manifest. When it fails, blobs that were stored stay there and
// nothing refers to them. The package may be closed afterwards.
func Import(ctx context.Context, s *Store, pkg *problems.Package) (*Manifest, error) {
	in := &importing{store: s, pkg: pkg, data: map[judge.Blob]Blob{}}
	if err := in.storeAll(ctx); err != nil {
		return nil, fmt.Errorf("store files of problem %s: %w", pkg.Problem.Name, err)
	}
	m := in.manifest()
	version, err := problems.VersionOf(&pkg.Problem, func(b judge.Blob) (string, error) { return in.data[b].SHA256, nil })
	if err != nil {
		return nil, err
	}
	m.Version = version
	return m, nil
}

type importing struct {
	store *Store
	pkg   *problems.Package
	mu    sync.Mutex
	data  map[judge.Blob]Blob // what the package's blobs hold
}

// todo is a file to be stored.
type todo struct {
	name string
	open func() (io.ReadCloser, error)
	size int64
	keep func(Ref)
}

func (in *importing) storeAll(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan todo)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for t := range work {
				if err := in.put(ctx, t); err != nil {
					cancel(fmt.Errorf("%s: %w", t.name, err))
				}
			}
		})
	}
	for _, t := range slices.Concat(in.blobs(), in.sources()) {
		if ctx.Err() != nil {
			break
		}
		work <- t
	}
	close(work)
	wg.Wait()
	return context.Cause(ctx)
}

func (in *importing) put(ctx context.Context, t todo) error {
	r, err := t.open()
	if err != nil {
		return err
	}
	ref, err := in.store.Put(ctx, r, t.size)
	if err := errors.Join(err, r.Close()); err != nil {
		return err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	t.keep(ref)
	return nil
}

// blobs are the files that the package opens for us.
func (in *importing) blobs() []todo {
	var all []todo
	for b, name := range packageBlobs(in.pkg) {
		all = append(all, todo{
			name: name, size: b.Size,
			open: func() (io.ReadCloser, error) { return in.pkg.Open(b) },
			keep: func(r Ref) { in.data[b] = Blob{r.SHA256, r.Size} },
		})
	}
	return all
}

// sources are the files that the package holds in memory, each content once.
func (in *importing) sources() []todo {
	p := &in.pkg.Problem
	groups := slices.Collect(maps.Values(p.Include))
	for _, v := range juryPrograms(p) {
		groups = append(groups, v.Files)
	}
	for _, j := range p.Jury {
		groups = append(groups, j.Files)
	}
	byKey := map[string]todo{}
	for _, f := range slices.Concat(groups...) {
		byKey[blobOf(f.Data).SHA256] = todo{
			name: f.Name, size: int64(len(f.Data)),
			open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Data)), nil },
			keep: func(Ref) {},
		}
	}
	return slices.Collect(maps.Values(byKey))
}

func blobOf(data []byte) Blob {
	sum := sha256.Sum256(data)
	return Blob{SHA256: hexOf(sum[:]), Size: int64(len(data))}
}

func (in *importing) manifest() *Manifest {
	p := &in.pkg.Problem
	m := &Manifest{
		Format: ManifestFormat, Name: p.Name,
		Title: p.Title, License: p.License, Source: p.Source, Author: p.Author,
		Limits: limitsOf(p.Limits), Code: p.Code, Compilation: limitsOf(p.Compilation), Validation: limitsOf(p.Validation),
		TimeLimitSet: p.TimeLimitSet, Timing: Factors{p.Timing.Multiplier, p.Timing.SafetyMargin, Seconds(p.Timing.Resolution)},
		Validator: Validator{
			Flags: p.Validator.Flags, Programs: programsOf(p.Validator.Programs), Builtin: p.Validator.Builtin,
			Protocol: p.Validator.Protocol, Checker: programOf(p.Validator.Checker),
		},
		Data: in.group(&p.Root), About: aboutOf(p), Kind: in.kind(p), Solution: in.documents(in.pkg.Solution),
		Statement: in.documents(in.pkg.Statement), Attachments: in.documents(in.pkg.Attachments),
	}
	if len(p.Include) > 0 {
		m.Include = map[string][]File{}
	}
	for lang, files := range p.Include {
		m.Include[lang] = filesOf(files)
	}
	for i := range p.Jury {
		m.Jury = append(m.Jury, juryOf(&p.Jury[i]))
	}
	return m
}

func (in *importing) group(g *judge.TestGroup) Group {
	out := Group{Name: g.Name, ContinueReject: g.ContinueReject, Flags: g.ValidatorFlags, GroupExtras: groupExtras(g)}
	for _, c := range g.Cases {
		out.Cases = append(out.Cases, Case{c.Name, c.Sample, in.data[c.Input], in.data[c.Answer], in.caseExtras(&c)})
	}
	for i := range g.Groups {
		out.Groups = append(out.Groups, in.group(&g.Groups[i]))
	}
	return out
}

func (in *importing) documents(all []problems.Document) []File {
	var out []File
	for _, d := range all {
		out = append(out, File{d.Name, in.data[d.Blob]})
	}
	return out
}

func filesOf(files []judge.File) []File {
	var out []File
	for _, f := range files {
		out = append(out, File{f.Name, blobOf(f.Data)})
	}
	return out
}

func limitsOf(l judge.Limits) Limits {
	return Limits{Seconds(l.CPU), Seconds(l.Wall), l.Memory, l.Output, l.Processes}
}

func (l Limits) limits() judge.Limits {
	return judge.Limits{
		CPU: time.Duration(l.CPU), Wall: time.Duration(l.Wall),
		Memory: l.Memory, Output: l.Output, Processes: l.Processes,
	}
}
