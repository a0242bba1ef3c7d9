package statement

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// policy is the list of what a statement may hold. Style, script, forms, frames,
// event handlers and addresses other than http, https and mailto are not on it.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(
		"h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "br", "hr", "blockquote", "pre", "code", "kbd", "samp", "var",
		"b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "q", "cite", "abbr", "center", "tt",
		"ul", "dl", "dt", "dd", "figure", "figcaption", "section", "article", "header", "footer", "aside",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "colgroup", "col",
	)
	p.AllowLists()
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(math|math inline|math display)$`)).OnElements("span")
	p.AllowAttrs("colspan", "rowspan", "span").Matching(bluemonday.Integer).OnElements("td", "th", "col", "colgroup")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`(?i)^(left|right|center)$`)).OnElements("td", "th", "p", "div")

	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.AllowAttrs("href").OnElements("a")
	p.RequireNoReferrerOnLinks(true)
	p.RequireNoFollowOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)

	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowAttrs("width", "height").Matching(bluemonday.NumberOrPercent).OnElements("img")

	// What pandoc makes of formulas. mglyph, malignmark, annotation-xml, maction and
	// links are left out: they are how MathML turns into something else.
	p.AllowNoAttrs().OnElements(
		"math", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot",
		"mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose", "semantics",
	)
	p.AllowAttrs("display").Matching(regexp.MustCompile(`^(block|inline)$`)).OnElements("math")
	p.AllowAttrs("stretchy", "accent", "fence", "separator", "form", "displaystyle", "mathvariant", "columnalign", "linethickness").
		Matching(regexp.MustCompile(`^[a-z0-9 -]{1,40}$`)).OnElements("mo", "mi", "mover", "munder", "mstyle", "mtable", "mtd", "mfrac")
	p.SkipElementsContent("annotation", "annotation-xml", "title", "template", "svg", "select", "object", "noembed", "noframes", "xmp", "plaintext")
	return p
})

// clean drops whatever is not on the list.
func clean(source []byte) string { return policy().SanitizeReader(bytes.NewReader(source)).String() }
