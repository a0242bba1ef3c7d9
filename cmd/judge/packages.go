package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"judge/api"
	"judge/judge"
	"judge/judge/store"
	"judge/problems"
	"judge/problems/blob"
)

// packages are what the API knows of problem packages: the versions on record,
// whose files are blobs, and uploads.
type packages struct {
	store    *store.Store
	blobs    *blob.Store
	uploads  *blob.Uploads
	versions recent[version]
	briefs   recent[api.Summary]
}

// version is what is kept in memory of one.
type version struct {
	problem   *judge.Problem
	documents api.Documents
}

// keptSummaries is how many problems can be listed without a look into each.
const keptSummaries = 10_000

func newPackages(s *store.Store, blobs *blob.Store, uploads *blob.Uploads) *packages {
	return &packages{store: s, blobs: blobs, uploads: uploads, briefs: recent[api.Summary]{most: keptSummaries}}
}

// Problem is that of api.Packages.
func (p *packages) Problem(ctx context.Context, versionID string) (*judge.Problem, error) {
	v, err := p.version(ctx, versionID)
	return v.problem, err
}

// Documents is that of api.Packages.
func (p *packages) Documents(ctx context.Context, versionID string) (api.Documents, error) {
	v, err := p.version(ctx, versionID)
	return v.documents, err
}

// Summary is that of api.Packages. No file is opened for it.
func (p *packages) Summary(ctx context.Context, versionID string) (api.Summary, error) {
	if s, ok := p.briefs.get(versionID); ok {
		return s, nil
	}
	m, err := p.manifest(ctx, versionID)
	if err != nil {
		return api.Summary{}, err
	}
	s := api.Summary{Title: m.Title, EmbargoUntil: m.EmbargoUntil, Open: m.Open()}
	p.briefs.put(versionID, s)
	return s, nil
}

// version reads a version, which never changes.
func (p *packages) version(ctx context.Context, id string) (version, error) {
	if v, ok := p.versions.get(id); ok {
		return v, nil
	}
	m, err := p.manifest(ctx, id)
	if err != nil {
		return version{}, err
	}
	v := version{documents: api.Documents{Statement: documents(m.Statement), Attachments: documents(m.Attachments)}}
	if v.problem, err = m.Problem(ctx, p.blobs); err != nil {
		return version{}, err
	}
	p.versions.put(id, v)
	return v, nil
}

func (p *packages) manifest(ctx context.Context, versionID string) (*blob.Manifest, error) {
	row, err := p.store.ProblemVersion(ctx, versionID)
	if err != nil {
		return nil, err
	}
	m, err := blob.ReadManifest(row.Manifest)
	if err != nil {
		return nil, fmt.Errorf("version %d of problem %s: %w", row.Number, row.Problem, err)
	}
	return m, nil
}

// documents are files without the folder that holds all of their kind.
func documents(files []blob.File) []api.Document {
	out := make([]api.Document, 0, len(files))
	for _, f := range files {
		_, name, _ := strings.Cut(f.Name, "/")
		out = append(out, api.Document{Name: name, Blob: judge.Blob{Ref: f.SHA256, Size: f.Size}})
	}
	return out
}

// Open is that of api.Packages.
func (p *packages) Open(ctx context.Context, b judge.Blob) (io.ReadCloser, error) {
	return p.blobs.Get(ctx, blob.Ref{SHA256: b.Ref, Size: b.Size})
}

// WriteSkeleton is that of api.Packages.
func (p *packages) WriteSkeleton(w io.Writer, name string) error {
	return problems.WriteSkeleton(w, name)
}

// Receive is that of api.Packages.
func (p *packages) Receive(ctx context.Context, zip io.Reader, r api.Reception) (api.Received, error) {
	up, err := p.uploads.Receive(ctx, zip, r.Zip, problems.Options{Name: r.Name, MaxBytes: r.Unpacked})
	if err != nil {
		return nil, packageError(err, r.Zip)
	}
	return received{up, p.blobs}, nil
}

// received is an upload.
type received struct {
	*blob.Upload

	blobs *blob.Store
}

// Problem is that of api.Received.
func (r received) Problem() *judge.Problem { return &r.Package.Problem }

// ZipSHA256 is that of api.Received.
func (r received) ZipSHA256() string { return r.SHA256 }

// Digest is that of api.Received.
func (r received) Digest() (string, error) { return r.Package.Version() }

// Findings is that of api.Received.
func (r received) Findings() []api.Finding { return findingsWire(r.Package.Findings) }

// Store is that of api.Received.
func (r received) Store(ctx context.Context) (api.StoredPackage, error) {
	m, err := blob.Import(ctx, r.blobs, r.Package)
	if err != nil {
		return api.StoredPackage{}, err
	}
	out := api.StoredPackage{Digest: m.Version}
	if out.Manifest, err = json.Marshal(m); err != nil {
		return out, err
	}
	for _, ref := range m.Refs() {
		out.Blobs = append(out.Blobs, judge.StoredBlob{SHA256: ref.SHA256, Size: ref.Size})
	}
	return out, nil
}
