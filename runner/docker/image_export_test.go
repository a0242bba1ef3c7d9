package docker

import "io/fs"

// BasesOf and HashOf let tests see what names an image without an engine.
func BasesOf(fsys fs.FS, lang string) ([]string, error) {
	files, err := contextFiles(fsys, lang)
	return basesOf(files), err
}

// HashOf is the tag of an image on bases with these ids.
func HashOf(fsys fs.FS, lang string, ids ...string) (string, error) {
	files, err := contextFiles(fsys, lang)
	return hashOf(files, ids, nil), err
}
