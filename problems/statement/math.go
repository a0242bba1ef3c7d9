package statement

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Formulas between $ and $ or $$ and $$ are left as they stand: markdown would take
// their underscores and stars for emphasis.

// math is a formula with its dollars.
type math struct {
	ast.BaseInline

	source []byte
}

var mathKind = ast.NewNodeKind("Math")

func (m *math) Kind() ast.NodeKind { return mathKind }

func (m *math) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

type mathParser struct{}

func (mathParser) Trigger() []byte { return []byte{'$'} }

// Parse takes a formula that ends in the same paragraph's line. As in pandoc, an
// opening dollar has no space after it and a closing one none before and no digit
// after, so that prices are left alone.
func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	mark := []byte("$")
	if bytes.HasPrefix(line, []byte("$$")) {
		mark = []byte("$$")
	}
	n := len(mark)
	if len(line) <= 2*n || (n == 1 && util.IsSpace(line[n])) {
		return nil
	}
	for at := n + 1; at+n <= len(line); at++ {
		if line[at-1] == '\\' || !bytes.HasPrefix(line[at:], mark) {
			continue
		}
		end := at + n
		if n == 1 && (util.IsSpace(line[at-1]) || (end < len(line) && line[end] >= '0' && line[end] <= '9')) {
			continue
		}
		block.Advance(end)
		return &math{source: bytes.Clone(line[:end])}
	}
	return nil
}

type mathHTML struct{}

func (mathHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(mathKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		m, ok := n.(*math)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString(`<span class="math">`) // it fails at Flush
		_, _ = w.Write(util.EscapeHTML(m.source))
		_, _ = w.WriteString("</span>")
		return ast.WalkContinue, nil
	})
}

func mathRenderer() renderer.Option {
	return renderer.WithNodeRenderers(util.Prioritized(mathHTML{}, 500))
}

// rawHTML lets HTML in markdown through, to be cleaned with all else.
func rawHTML() renderer.Option { return html.WithUnsafe() }
