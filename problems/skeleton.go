package problems

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"judge/judge"
)

//go:embed all:skeleton
var skeleton embed.FS

// What stands for the problem's title and UUID in the skeleton's files.
const (
	skeletonTitle = "{title}"
	skeletonUUID  = "{uuid}"
)

// ValidName reports whether name may be a problem's.
func ValidName(name string) bool { return validName.MatchString(name) }

// Skeleton lists the files of a new package in the format 2025-09, in order of
// path: a whole problem of one sample and one secret case, which its author writes over.
// judge.ErrInvalid: name is none that a problem may have.
func Skeleton(name string) ([]judge.File, error) {
	if !ValidName(name) {
		return nil, fmt.Errorf("problem name %.80q is not valid, as it must match %s: %w", name, validName, judge.ErrInvalid)
	}
	var files []judge.File
	root, err := fs.Sub(skeleton, "skeleton")
	if err != nil {
		return nil, fmt.Errorf("make skeleton: %w", err)
	}
	err = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		data = bytes.ReplaceAll(data, []byte(skeletonTitle), []byte(titleOf(name)))
		data = bytes.ReplaceAll(data, []byte(skeletonUUID), []byte(derivedUUID(name)))
		files = append(files, judge.File{Name: path, Data: data})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("make skeleton: %w", err)
	}
	return files, nil
}

// titleOf is a name as a title: some-name becomes Some name.
func titleOf(name string) string {
	words := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return ' '
		}
		return r
	}, name)
	return strings.ToUpper(words[:1]) + words[1:]
}

// WriteSkeleton writes the package of Skeleton as a zip. Equal names give equal
// bytes.
func WriteSkeleton(w io.Writer, name string) error {
	files, err := Skeleton(name)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, f := range files {
		to, err := z.Create(f.Name)
		if err == nil {
			_, err = to.Write(f.Data)
		}
		if err != nil {
			return fmt.Errorf("write skeleton: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write skeleton: %w", err)
	}
	return nil
}
