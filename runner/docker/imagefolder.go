package docker

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// contextFile is a file that the builder gets.
type contextFile struct {
	name string // below the language's folder
	exec bool
	data []byte
}

// What of a folder is for others: how programs are compiled and run, and the
// programs by which that is tried. No image changes with them.
const settingsName = "language.yaml"

var trialsNames = []string{"trials", "testdata"}

// contextFiles reads a language's folder, in order of name, without what the
// image is not made of. Of the modes only whether a file can be executed counts:
// an embedded file system knows no others.
func contextFiles(fsys fs.FS, lang string) ([]contextFile, error) {
	if !fs.ValidPath(lang) || lang == "." || strings.Contains(lang, "/") {
		return nil, fmt.Errorf("read image folder: %q is not the name of a folder", lang)
	}
	var files []contextFile
	err := fs.WalkDir(fsys, lang, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path.Dir(name) == lang && slices.ContainsFunc(trialsNames, func(t string) bool { return strings.HasPrefix(d.Name(), t) }):
			return fs.SkipDir
		case d.IsDir() || name == lang+"/"+settingsName:
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		files = append(files, contextFile{strings.TrimPrefix(name, lang+"/"), info.Mode()&0o111 != 0, data})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read image folder %s: %w", lang, err)
	}
	if dockerfile(files) == nil {
		return nil, fmt.Errorf("read image folder %s: it holds no %s", lang, dockerfileName)
	}
	return files, nil
}

const dockerfileName = "Dockerfile"

func dockerfile(files []contextFile) []byte {
	for _, f := range files {
		if f.name == dockerfileName {
			return f.data
		}
	}
	return nil
}

// basesOf are the images that the Dockerfile begins with, its own stages and
// scratch left out.
func basesOf(files []contextFile) []string {
	var bases []string
	stages := map[string]bool{"scratch": true}
	for line := range strings.Lines(string(dockerfile(files))) {
		words := strings.Fields(line)
		if len(words) < 2 || !strings.EqualFold(words[0], "FROM") {
			continue
		}
		words = words[1:]
		for len(words) > 1 && strings.HasPrefix(words[0], "--") {
			words = words[1:]
		}
		if !stages[words[0]] {
			bases = append(bases, words[0])
		}
		if len(words) == 3 && strings.EqualFold(words[1], "AS") {
			stages[words[2]] = true
		}
	}
	return bases
}

// hashDigits of a SHA-256 name an image: enough for the few that a host has, and
// short enough to read.
const hashDigits = 12

// hashOf names what an image is made of: its folder, the ids of its bases, and
// what else is got for it.
func hashOf(files []contextFile, bases []string, extras []Extra) string {
	h := sha256.New()
	for _, id := range bases {
		h.Write(fmt.Appendf(nil, "base %d %s\n", len(id), id))
	}
	for _, f := range files {
		h.Write(fmt.Appendf(nil, "file %d %s %t %d\n", len(f.name), f.name, f.exec, len(f.data)))
		h.Write(f.data)
	}
	for _, e := range extras {
		h.Write(fmt.Appendf(nil, "extra %d %s %d %s\n", len(e.Name), e.Name, len(e.Digest), e.Digest))
	}
	return hex.EncodeToString(h.Sum(nil))[:hashDigits]
}

// contextTar packs the files for the builder.
func contextTar(files []contextFile) (io.Reader, error) {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, f := range files {
		mode := int64(0o644)
		if f.exec {
			mode = 0o755
		}
		err := w.WriteHeader(&tar.Header{Name: path.Clean(f.name), Mode: mode, Size: int64(len(f.data)), Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, fmt.Errorf("pack build context: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack build context: %w", err)
	}
	return &buf, nil
}
