package statement

import "bytes"

// TexArgs is the command line of pandoc, in the image judge/statement, that reads
// TexSource's TeX from standard input and writes HTML. --sandbox keeps it from
// files; raw.lua shows as source what it does not understand.
func TexArgs() []string {
	return []string{
		"/usr/bin/pandoc", "--sandbox", "--from=latex+raw_tex", "--to=html5", "--mathml", "--wrap=preserve",
		"--shift-heading-level-by=1", "--lua-filter=/usr/lib/judge/raw.lua",
	}
}

// macros are those of problem packages (Kattis' problemtools, DOMjudge), as far as
// they say something that a page can show.
const macros = `\newcommand{\problemname}[1]{}
\newcommand{\illustration}[3]{\begin{figure}\includegraphics{#2}\caption{#3}\end{figure}}
\newenvironment{Input}{\section*{Input}}{}
\newenvironment{Output}{\section*{Output}}{}
\newenvironment{Interaction}{\section*{Interaction}}{}
\newcommand{\nextsample}{}
\newcommand{\remainingsamples}{}
\newcommand{\Photo}[1]{#1}
`

// TexSource is a statement in TeX with the macros of problem packages before it.
func TexSource(source []byte) []byte {
	return append([]byte(macros), bytes.ToValidUTF8(source, []byte("\uFFFD"))...)
}

// ImageNames are the names that a picture may have in its folder where a statement
// calls it name: TeX leaves extensions out.
func ImageNames(name string) []string {
	if KindOf(name) == Picture {
		return []string{name}
	}
	var names []string
	for _, ext := range []string{".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp"} {
		names = append(names, name+ext)
	}
	return names
}
