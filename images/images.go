// Package images is the data of the languages: for each a folder with the
// Dockerfile of its image and its language.yaml. Folders that begin with "_" are
// no languages; _base holds the scripts that make an engine and the base images
// available, and is not embedded.
//
// The keys of language.yaml are the fields of judge.Language; cpp shows variants,
// java all that names and entry points may need. The tests of
// judge/language read every file.
//
// It reads nothing (judge/language does) and builds nothing (runner/docker does).
package images

import "embed"

// FS holds <language>/Dockerfile, <language>/language.yaml, what they need, and the
// trials.
//
//go:embed all:[a-z]*/* all:_jury/* all:_statement/*
var FS embed.FS

// Tools are the folders of images that are not of a language for submissions.
// _jury is what packages' build and run scripts need, _statement makes pages of
// statements in TeX.
func Tools() []string { return []string{"_jury", Statement} }

// Statement is the folder of the image that pandoc runs in.
const Statement = "_statement"
