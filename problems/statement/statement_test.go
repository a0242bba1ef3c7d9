package statement_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"judge/problems/statement"
)

var attacks = []string{
	`<script>alert(1)</script>`,
	`<ScRiPt src=//evil.example/x.js></sCrIpT>`,
	`<img src=x onerror=alert(1)>`,
	`<img src="javascript:alert(1)">`,
	`<a href="javascript:alert(1)">x</a>`,
	`<a href=" java&#10;script:alert(1)">x</a>`,
	`<a href="data:text/html,<script>alert(1)</script>">x</a>`,
	`<a href="vbscript:x">x</a>`,
	`<svg onload=alert(1)><script>alert(1)</script></svg>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>`,
	`<math href="javascript:alert(1)"><mi xlink:href="javascript:alert(1)">x</mi></math>`,
	`<form action="https://evil.example"><input name=a><button formaction="javascript:alert(1)">x</button></form>`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<object data="x.swf"></object><embed src="x.swf">`,
	`<base href="https://evil.example/">`,
	`<meta http-equiv=refresh content="0;url=https://evil.example/">`,
	`<link rel=stylesheet href=//evil.example/x.css>`,
	`<div style="background:url(//evil.example/x)">x</div>`,
	`<p onclick="alert(1)" id=location name=location>x</p>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<textarea><img src=x onerror=alert(1)></textarea>`,
	`<xmp><img src=x onerror=alert(1)></xmp>`,
	`<template><img src=x onerror=alert(1)></template>`,
	`<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=alert(1)>">`,
	`"><img src=x onerror=alert(1)>`,
	`<img alt="x` + "`" + `" src=x` + "`" + ` onerror=alert(1)>`,
	`<!--><img src=x onerror=alert(1)>-->`,
	`<![CDATA[<img src=x onerror=alert(1)>]]>`,
	"<a\x00href=javascript:alert(1)>x</a>",
	`[x](javascript:alert(1))`,
	`![x](javascript:alert(1))`,
	`<javascript:alert(1)>`,
	"```\n</code></pre><script>alert(1)</script>\n```",
	`$<script>alert(1)</script>$`,
	`<span class="math" onmouseover=alert(1)>$x$</span>`,
	`<audio src=x onerror=alert(1)></audio><video poster=javascript:alert(1)></video>`,
	`<details open ontoggle=alert(1)>x</details>`,
	`<marquee onstart=alert(1)>x</marquee>`,
	`<table background="javascript:alert(1)"><td background=x>x</td></table>`,
	`<img srcset="//evil.example/a 1x" src="//evil.example/b">`,
}

var elements = map[string]bool{}

func init() { //nolint:gochecknoinits // a set of words
	for name := range strings.FieldsSeq(`html head body meta title style h1 h2 h3 h4 h5 h6 p div span br hr blockquote pre code kbd samp var
		b strong i em u s del ins sub sup small mark q cite abbr center tt ul ol li dl dt dd figure figcaption section article header footer
		aside table caption thead tbody tfoot tr th td colgroup col a img math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt
		mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose semantics`) {
		elements[name] = true
	}
}

// harmless looks at a page as a browser would read it.
func harmless(t *testing.T, page, source string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	styles := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !elements[n.Data] {
			t.Errorf("%q leaves the element %s in\n%s", source, n.Data, page)
		}
		if n.Data == "style" {
			styles++
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "id", a.Key == "srcset", a.Key == "background", a.Key == "action":
				t.Errorf("%q leaves %s=%q", source, a.Key, a.Val)
			case a.Key == "src" && !strings.HasPrefix(value, "data:image/"):
				t.Errorf("%q loads %q", source, a.Val)
			case a.Key == "href":
				if u, err := url.Parse(value); err != nil || !slices.Contains([]string{"", "http", "https", "mailto"}, u.Scheme) {
					t.Errorf("%q links to %q", source, a.Val)
				}
			}
		}
	}
	if styles != 1 {
		t.Errorf("%q leaves %d styles", source, styles)
	}
}

func page(t *testing.T, kind statement.Kind, source string) string {
	t.Helper()
	body, err := statement.Body(kind, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	image := func(name string) ([]byte, bool) {
		return []byte("\x89PNG\r\n\x1a\n0123456789"), name == "fig/a.png"
	}
	return string(statement.Page(statement.Content{
		Title: source, Language: source, Body: body, Image: image,
		Samples: []statement.Sample{{Input: source, Output: source}, {Interaction: "<" + source + "\n>1\n"}},
	}))
}

func TestHarmless(t *testing.T) {
	for _, kind := range []statement.Kind{statement.Markdown, statement.HTML, statement.Tex, statement.Text} {
		for _, a := range attacks {
			harmless(t, page(t, kind, a), a)
		}
	}
}

func FuzzHarmless(f *testing.F) {
	for _, a := range attacks {
		f.Add(a, true)
	}
	f.Fuzz(func(t *testing.T, source string, markdown bool) {
		kind := statement.HTML
		if markdown {
			kind = statement.Markdown
		}
		if len(source) < 10_000 {
			harmless(t, page(t, kind, source), source)
		}
	})
}

func TestBody(t *testing.T) {
	for _, c := range []struct {
		kind         statement.Kind
		source, want string
	}{
		{statement.Markdown, "# A\n\n*x* and **y**", "<h1>A</h1>\n<p><em>x</em> and <strong>y</strong></p>\n"},
		{statement.Markdown, "$a_1*b_2*c$", `<p><span class="math">$a_1*b_2*c$</span></p>` + "\n"},
		{statement.Markdown, "$$a_1 < b_2$$", `<p><span class="math">$$a_1 &lt; b_2$$</span></p>` + "\n"},
		{statement.Markdown, "costs $5 or $6", "<p>costs $5 or $6</p>\n"},
		{statement.Markdown, "|a|b|\n|-|-|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n"},
		{statement.HTML, `<p class="x">a<sub>1</sub></p>`, "<p>a<sub>1</sub></p>"},
		{statement.HTML, `<math display="block"><msup><mi>x</mi><mn>2</mn></msup></math>`, `<math display="block"><msup><mi>x</mi><mn>2</mn></msup></math>`},
		{statement.Tex, `a < b \& c`, `<pre>a &lt; b \&amp; c</pre>`},
		{statement.Text, "a\xffb", "<pre>a\uFFFDb</pre>"},
	} {
		if got, err := statement.Body(c.kind, []byte(c.source)); err != nil || got != c.want {
			t.Errorf("%s %q:\n got %q, %v\nwant %q", c.kind, c.source, got, err, c.want)
		}
	}
	if _, err := statement.Body(statement.Markdown, make([]byte, statement.MaxSource+1)); !errors.Is(err, statement.ErrTooLarge) {
		t.Errorf("a large one: %v", err)
	}
}

func TestImages(t *testing.T) {
	got := page(t, statement.Markdown, "![a picture](fig/a.png) ![none](fig/b.png) ![far](https://evil.example/c.png)")
	for _, want := range []string{`src="data:image/png;base64,`, "<em>[none]</em>", "<em>[far]</em>", `alt="a picture"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
