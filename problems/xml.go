package problems

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxXMLDepth is how deep the elements of an XML file may be nested.
const maxXMLDepth = 32

// element is an element of an XML file, with its line for findings.
type element struct {
	name     string
	attrs    map[string]string
	children []*element
	text     string
	line     int
}

// parseXML reads an XML file into its elements. Entities other than XML's own five
// are refused, and nothing outside the file is ever read.
func parseXML(data []byte) (root *element, line int, err error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if !strings.EqualFold(charset, "utf-8") {
			return nil, errors.New("it is in " + strconv.Quote(charset) + "; write it in UTF-8")
		}
		return in, nil
	}
	var open []*element
	for {
		line, _ = d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root != nil {
			return root, 0, nil
		}
		if err != nil {
			return nil, line, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, attrs: map[string]string{}, line: line}
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			if len(open) == maxXMLDepth {
				return nil, line, errors.New("elements are nested more than " + strconv.Itoa(maxXMLDepth) + " deep")
			}
			if len(open) > 0 {
				above := open[len(open)-1]
				above.children = append(above.children, e)
			} else {
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(t)
			}
		}
	}
}

// at is the element along a path of names; nil where one is missing. It works on
// nil too, so that paths can be followed without asking at each step.
func (e *element) at(names ...string) *element {
	for _, name := range names {
		if e == nil {
			return nil
		}
		var next *element
		for _, c := range e.children {
			if c.name == name {
				next = c
				break
			}
		}
		e = next
	}
	return e
}

// all are the children of a name.
func (e *element) all(name string) []*element {
	var found []*element
	if e != nil {
		for _, c := range e.children {
			if c.name == name {
				found = append(found, c)
			}
		}
	}
	return found
}

func (e *element) attr(name string) string {
	if e == nil {
		return ""
	}
	return strings.TrimSpace(e.attrs[name])
}

// value is the text of an element.
func (e *element) value() string {
	if e == nil || !utf8.ValidString(e.text) {
		return ""
	}
	return strings.TrimSpace(e.text)
}
