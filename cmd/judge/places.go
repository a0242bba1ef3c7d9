package main

import (
	"fmt"
	"net/url"
	"path/filepath"
)

// blobsURL is where test data are kept: the URL given, else a folder of ours.
func (a *app) blobsURL(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	dir, err := filepath.Abs(filepath.Join(a.Data, "blobs"))
	if err != nil {
		return "", fmt.Errorf("find folder of blobs: %w", err)
	}
	return (&url.URL{Scheme: "file", Path: dir}).String(), nil
}

// blobsFolder is the folder that a URL of test data is of, if it is of one.
func blobsFolder(blobs string) (dir string, ok bool) {
	u, err := url.Parse(blobs)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return filepath.FromSlash(u.Path), true
}

// uploadsDir is where the API receives packages.
func (a *app) uploadsDir() string { return filepath.Join(a.Data, "uploads") }
