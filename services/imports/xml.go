package imports

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// element is an element of an XML document, without regard to name spaces.
type element struct {
	name     string // in lower case
	line     int
	text     string // its own text, blanks at the ends left out
	comment  string // the comment right above it
	children []*element

	parts []string // of the text, while it is read
}

const deepestElement = 200

// parseXML reads a document, or several one behind the other, in UTF-8 or UTF-16. What
// could be read before an error is answered with it.
func parseXML(source []byte) (*element, error) {
	text := decodeText(source)
	root := &element{}
	stack := []*element{root}
	defer func() { // after an error: what was not closed
		for _, e := range stack {
			e.end()
		}
	}()
	comment := ""
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = true
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return root, err
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(stack) > deepestElement {
				return root, fmt.Errorf("line %d: it is nested too deep", line)
			}
			child := &element{name: strings.ToLower(t.Name.Local), line: line, comment: comment}
			comment = ""
			top.children = append(top.children, child)
			stack = append(stack, child)
		case xml.EndElement:
			top.end()
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.parts = append(top.parts, string(t))
		case xml.Comment:
			comment = strings.TrimSpace(string(t))
		}
	}
}

// end joins the text, once: to add each part to what there is copies it over and over.
func (e *element) end() {
	if e.parts != nil {
		e.text, e.parts = strings.TrimSpace(strings.Join(e.parts, "")), nil
	}
}

// decodeText makes UTF-8 of UTF-8 or UTF-16, and takes XML declarations away, whose
// encoding would no longer hold.
func decodeText(source []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(source, []byte{0xff, 0xfe}):
		order, source = binary.LittleEndian, source[2:]
	case bytes.HasPrefix(source, []byte{0xfe, 0xff}):
		order, source = binary.BigEndian, source[2:]
	case len(source) > 3 && source[0] == '<' && source[1] == 0:
		order = binary.LittleEndian
	case len(source) > 3 && source[0] == 0 && source[1] == '<':
		order = binary.BigEndian
	}
	text := validUTF8(source)
	if order != nil {
		units := make([]uint16, len(source)/2)
		for i := range units {
			units[i] = order.Uint16(source[2*i:])
		}
		text = strings.ToValidUTF8(strings.ReplaceAll(string(utf16.Decode(units)), "\ufeff", ""), "\ufffd")
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "<?xml ")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		head, after, closed := strings.Cut(rest, "?>")
		if !closed {
			return b.String()
		}
		b.WriteString(strings.Repeat("\n", strings.Count(head, "\n"))) // lines keep their numbers
		text = after
	}
}

// child is the first child of a name; a missing one is an empty element.
func (e *element) child(path ...string) *element {
	for _, name := range path {
		found := &element{line: e.line}
		for _, c := range e.children {
			if c.name == name {
				found = c
				break
			}
		}
		e = found
	}
	return e
}

// has says whether there is a child of a name.
func (e *element) has(name string) bool { return e.child(name).name != "" }

// all are the children of a name.
func (e *element) all(name string) []*element {
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		}
	}
	return found
}

// find are all elements of a name anywhere within, outermost only.
func (e *element) find(name string) []*element {
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		} else {
			found = append(found, c.find(name)...)
		}
	}
	return found
}
