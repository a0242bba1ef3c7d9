package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"judge/api"
	"judge/problems"
	"judge/problems/blob"
)

// maxBundleFiles is how many files a zip of several packages may have.
const maxBundleFiles = 1000

// ReceiveBundle is that of api.Packages.
func (p *packages) ReceiveBundle(ctx context.Context, zip io.Reader, most int64) (api.Bundle, error) {
	up, err := p.uploads.ReceiveBundle(ctx, zip, most, problems.Options{MaxFiles: maxBundleFiles, MaxBytes: most, MaxFile: most})
	if err != nil {
		return nil, packageError(err, most)
	}
	return bundle{up}, nil
}

// bundle is an upload of several packages.
type bundle struct{ *blob.Upload }

// Names is that of api.Bundle.
func (b bundle) Names() []string { return b.Bundle.Names() }

// Open is that of api.Bundle.
func (b bundle) Open(name string) (io.ReadCloser, error) {
	r, err := b.Bundle.Open(name)
	if err != nil {
		return nil, packageError(err, 0)
	}
	return bundled{r}, nil
}

// bundled is a file of a bundle.
type bundled struct{ io.ReadCloser }

// Read is io.Reader's.
func (b bundled) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = packageError(err, 0)
	}
	return n, err
}

// packageError is what the package is at fault for, in the words of the API; other
// errors it leaves. most is how many bytes the zip may have.
func packageError(err error, most int64) error {
	if wrong, ok := errors.AsType[*problems.ReadError](err); ok {
		return &api.PackageError{Findings: findingsWire(wrong.Findings)}
	}
	if errors.Is(err, blob.ErrTooLarge) {
		return &api.PackageError{TooLarge: true, Findings: []api.Finding{{
			Severity: string(problems.Error), Message: fmt.Sprintf("the zip has more than %d bytes; make it smaller", most),
		}}}
	}
	return err
}
