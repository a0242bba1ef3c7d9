package statement

import (
	"encoding/base64"
	"net/http"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// Bounds of the pictures of one page, in bytes.
const (
	MaxImage  = 2 << 20
	maxImages = 16 << 20
)

// inlineImages puts pictures into the page, as data, and drops those that it has
// not, so that a page loads nothing from anywhere. body is clean.
func inlineImages(body string, image func(string) ([]byte, bool)) string {
	var out strings.Builder
	z := html.NewTokenizer(strings.NewReader(body))
	room := maxImages
	for {
		switch z.Next() {
		case html.ErrorToken:
			return out.String()
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := string(z.Raw())
			if t := z.Token(); t.Data == "img" {
				out.WriteString(inlineImage(t, image, &room))
			} else {
				out.WriteString(raw)
			}
		case html.TextToken, html.EndTagToken, html.CommentToken, html.DoctypeToken:
			out.Write(z.Raw())
		}
	}
}

func inlineImage(t html.Token, image func(string) ([]byte, bool), room *int) string {
	kept := t.Attr[:0]
	source, alt := "", ""
	for _, a := range t.Attr {
		switch a.Key {
		case "src":
			source = a.Val
		case "alt":
			alt = a.Val
			kept = append(kept, a)
		default:
			kept = append(kept, a)
		}
	}
	name := path.Clean(strings.TrimPrefix(source, "./"))
	var data []byte
	ok := false
	if image != nil && name != "." {
		data, ok = image(name)
	}
	kind := pictureType(name, data)
	if !ok || kind == "" || len(data) > min(MaxImage, *room) {
		return "<em>" + html.EscapeString("["+alt+"]") + "</em>"
	}
	*room -= len(data)
	t.Attr = append(kept, html.Attribute{Key: "src", Val: "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)})
	return t.String()
}

// pictureType is the media type of a picture by what it holds; SVG, which has no
// mark of its own, by its name. As a picture an SVG runs no script.
func pictureType(name string, data []byte) string {
	if strings.EqualFold(path.Ext(name), ".svg") {
		return "image/svg+xml"
	}
	switch kind := http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return kind
	}
	return ""
}
