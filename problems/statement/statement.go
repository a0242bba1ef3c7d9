// Package statement is responsible for showing problem statements: a file of a
// package, which is hostile input, becomes HTML that can do nothing.
//
// Markdown is rendered here, HTML is taken as it is, TeX comes as the HTML that
// pandoc made of it in a box. Whatever of it is not on a list of harmless elements
// and attributes is dropped (clean.go), pictures are put into the page (images.go),
// and the page is served under a policy that loads nothing and runs nothing.
//
// It opens no files and runs nothing.
package statement

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// MaxSource is the largest statement that is rendered, in bytes.
const MaxSource = 1 << 20

// ErrTooLarge is wrapped where a statement has more than MaxSource bytes.
var ErrTooLarge = errors.New("statement is too large to be shown")

// Kind says how a file of a statement is shown.
type Kind string

// The kinds.
const (
	Markdown Kind = "markdown"
	HTML     Kind = "html"
	Tex      Kind = "tex"
	Text     Kind = "text"  // shown as it is
	Picture  Kind = "image" // a part of other files
	Other    Kind = ""      // a download: pdf, and whatever is not known
)

// KindOf is a file's kind by its name.
func KindOf(name string) Kind {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return Markdown
	case ".html", ".htm":
		return HTML
	case ".tex":
		return Tex
	case ".txt":
		return Text
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg":
		return Picture
	}
	return Other
}

// Body renders the source of a statement as a piece of HTML that can do nothing.
// Tex is shown as source: what pandoc made of it is rendered as HTML. Pictures are
// left as they are named, for Page. An error wraps ErrTooLarge, or is ours.
func Body(kind Kind, source []byte) (string, error) {
	if len(source) > MaxSource {
		return "", fmt.Errorf("%w: it has %d bytes, at most %d are rendered", ErrTooLarge, len(source), MaxSource)
	}
	switch kind {
	case Markdown:
		var buf bytes.Buffer
		if err := markdown().Convert(source, &buf); err != nil {
			return "", fmt.Errorf("render markdown: %w", err)
		}
		return clean(buf.Bytes()), nil
	case HTML:
		return clean(source), nil
	case Tex, Text, Picture, Other:
	}
	return "<pre>" + html.EscapeString(strings.ToValidUTF8(string(source), "\uFFFD")) + "</pre>", nil
}

// markdown is GitHub's flavour with formulas. HTML in it goes through clean as all
// else does, so it need not be refused here.
func markdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Footnote),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(mathParser{}, 150))),
		goldmark.WithRendererOptions(rawHTML(), mathRenderer()),
	)
}

// Content is what a page shows.
type Content struct {
	Title    string
	Language string // BCP 47; empty: unknown
	Body     string // of Body
	// Image gives a picture by its name in the statement's folder; nil: there are
	// none. What it says is missing is shown by its alternative text.
	Image   func(name string) (data []byte, ok bool)
	Samples []Sample
}

// Sample is a sample case as a page shows it.
type Sample struct {
	Input, Output string
	Interaction   string // of interactive problems, with < and > before lines; then the others are empty
}

// style is all the style there is. It is named by its hash in Policy.
const style = `body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1c1c1c;background:#fff}` +
	`pre,code,.math{font-family:ui-monospace,monospace}pre{background:#f4f4f4;padding:.6rem;overflow-x:auto}` +
	`table{border-collapse:collapse}th,td{border:1px solid #bbb;padding:.3rem .6rem;vertical-align:top;text-align:left}` +
	`img{max-width:100%}.sample{width:100%;table-layout:fixed}.to{color:#036}.from{color:#630}` +
	`@media(prefers-color-scheme:dark){body{color:#ddd;background:#1a1a1a}pre{background:#2a2a2a}a{color:#8bf}.to{color:#8bf}.from{color:#fb8}}`

// Policy is the Content-Security-Policy of a page: it loads nothing, runs nothing,
// and is of no origin.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups"
}

// Page is a whole page.
func Page(c Content) []byte {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<html")
	if c.Language != "" {
		b.WriteString(` lang="` + html.EscapeString(c.Language) + `"`)
	}
	title := html.EscapeString(c.Title)
	b.WriteString("><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>" + title +
		"</title><style>" + style + "</style></head><body>\n")
	if c.Title != "" {
		b.WriteString("<h1>" + title + "</h1>\n")
	}
	b.WriteString(inlineImages(c.Body, c.Image))
	for i, s := range c.Samples {
		writeSample(&b, i+1, s)
	}
	b.WriteString("\n</body></html>\n")
	return b.Bytes()
}

func writeSample(b *bytes.Buffer, n int, s Sample) {
	if s.Interaction != "" {
		fmt.Fprintf(b, "\n<h3>Sample interaction %d</h3>\n<pre>", n)
		for line := range strings.Lines(s.Interaction) {
			class := map[byte]string{'<': "from", '>': "to"}[line[0]]
			fmt.Fprintf(b, `<span class="%s">%s</span>`, class, html.EscapeString(line))
		}
		b.WriteString("</pre>")
		return
	}
	fmt.Fprintf(b, "\n<table class=\"sample\"><tr><th>Sample input %d</th><th>Sample output %d</th></tr><tr><td><pre>%s</pre></td><td><pre>%s</pre></td></tr></table>",
		n, n, html.EscapeString(s.Input), html.EscapeString(s.Output))
}
