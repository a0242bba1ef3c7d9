package problems

import (
	"path"
	"slices"
	"strings"
)

// sourceExtensions are those of the languages that the package formats list, and
// those of answers that are handed in.
var sourceExtensions = strings.Fields(`
	.adb .ads .a68 .apl .sh .c .cob .cc .cpp .cxx .c++ .C .cr .cs .d .dart .ex .erl .fth .4th .forth .frt .fs .f90 .ss
	.go .hs .java .js .jl .kt .lisp .cl .lua .mod .def .nim .m .ml .odin .pas .pm .pl .php .py .py2 .py3 .rkt .rb .rs
	.scala .sim .st .sno .swift .ts .vb .zig .out .ans .txt`)

// sourceName reports whether a file's name tells a language.
func sourceName(name string) bool { return slices.Contains(sourceExtensions, path.Ext(name)) }
