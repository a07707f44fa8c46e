package jobfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Head is the first line of a written file: with it editors check the file against
// the schema (see Schema) when that lies beside it.
const Head = "# yaml-language-server: $schema=belfry-jobs.schema.json\n"

// Write writes documents as YAML: fields in the order of the format, defaults left
// out, jobs in the order given. What it writes Read reads as the same jobs.
func Write(documents []Document) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(Head)
	for i, d := range documents {
		if i > 0 {
			b.WriteString("---\n")
		}
		fmt.Fprintf(&b, "version: %d\napp: %s\n", version, scalarText(d.App))
		if d.Group != "" {
			fmt.Fprintf(&b, "group: %s\n", scalarText(d.Group))
		}
		if len(d.Jobs) == 0 {
			b.WriteString("jobs: []\n")
			continue
		}
		b.WriteString("jobs:\n")
		for k, j := range d.Jobs {
			if k > 0 {
				b.WriteString("\n")
			}
			if err := writeJob(&b, j.Short(d.App, d.Group)); err != nil {
				return nil, fmt.Errorf("writing the job %q: %w", j.Name, err)
			}
		}
	}
	return b.Bytes(), nil
}

func writeJob(b *bytes.Buffer, j Job) error {
	for line := range strings.Lines(j.Comment) {
		b.WriteString("  # " + strings.TrimRight(printable(line), " \n") + "\n")
	}
	raw, err := json.Marshal(j)
	if err != nil {
		return err
	}
	var tree map[string]any
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber()
	if err := numbers.Decode(&tree); err != nil {
		return err
	}
	w := writer{b}
	var inner bytes.Buffer
	writer{&inner}.object(&jobFormat, tree, 4)
	text := inner.String()
	w.b.WriteString("  - " + strings.TrimPrefix(text, "    "))
	return nil
}

func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return ' '
	}, s)
}

// writer writes block-style YAML.
type writer struct{ b *bytes.Buffer }

// object writes the fields of an object that the format knows, in its order.
func (w writer) object(s *shape, tree map[string]any, indent int) {
	for _, f := range s.fields {
		if v, ok := tree[f.name]; ok {
			w.field(f.name, &f.shape, v, indent)
		}
	}
}

// field writes a named value.
func (w writer) field(name string, s *shape, v any, indent int) {
	blanks := strings.Repeat(" ", indent)
	w.b.WriteString(blanks + scalarText(name) + ":")
	if s == nil {
		s = &shape{kind: anything}
	}
	switch tree := v.(type) {
	case map[string]any:
		if len(tree) == 0 {
			w.b.WriteString(" {}\n")
			return
		}
		w.b.WriteString("\n")
		if s.kind == object {
			w.object(s, tree, indent+2)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(tree)) {
			w.field(key, nil, tree[key], indent+2)
		}
	case []any:
		w.list(s, tree, indent)
	case string:
		w.b.WriteString(" " + textAt(tree, indent+2) + "\n")
	default:
		w.b.WriteString(" " + scalar(v) + "\n")
	}
}

// list writes a list: short ones of plain values on one line.
func (w writer) list(s *shape, values []any, indent int) {
	if line, ok := flow(values); ok {
		w.b.WriteString(" " + line + "\n")
		return
	}
	w.b.WriteString("\n")
	for _, v := range values {
		w.b.WriteString(strings.Repeat(" ", indent+2) + "- ")
		tree, ok := v.(map[string]any)
		if !ok || len(tree) == 0 {
			w.entry(v, indent+4)
			continue
		}
		var inner bytes.Buffer
		if s.of != nil {
			writer{&inner}.object(s.of, tree, indent+4)
		} else {
			for _, key := range slices.Sorted(maps.Keys(tree)) {
				writer{&inner}.field(key, nil, tree[key], indent+4)
			}
		}
		w.b.WriteString(strings.TrimPrefix(inner.String(), strings.Repeat(" ", indent+4)))
	}
}

// entry writes an entry of a list that is no object with fields; lists within lists
// are written as JSON, which YAML is too.
func (w writer) entry(v any, indent int) {
	if text, ok := v.(string); ok {
		w.b.WriteString(textAt(text, indent) + "\n")
		return
	}
	w.b.WriteString(scalar(v) + "\n")
}

const flowLength = 100 // characters of a list on one line

func flow(values []any) (string, bool) {
	parts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case map[string]any, []any:
			return "", false
		case string:
			if strings.Contains(v, "\n") {
				return "", false
			}
			parts[i] = jsonText(v)
		default:
			parts[i] = scalar(v)
		}
	}
	line := "[" + strings.Join(parts, ", ") + "]"
	return line, len(line) <= flowLength
}

// scalar writes anything as JSON on one line.
func scalar(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // the values came from JSON
		return "null"
	}
	return strings.TrimSpace(b.String())
}

func jsonText(s string) string { return scalar(s) }

// plainText are texts that need no quotes in any YAML reader, old ones included.
var (
	plainText = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./+-]*( [A-Za-z0-9_./+(-][A-Za-z0-9_./+()-]*)*$`)
	plainSpan = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(h|m|s|ms))+$`)
	notPlain  = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n|nan|inf)$`)
)

// scalarText writes a text on one line.
func scalarText(s string) string {
	if plainText.MatchString(s) && !notPlain.MatchString(s) || plainSpan.MatchString(s) {
		return s
	}
	return jsonText(s)
}

// textAt writes a text whose further lines, if it has any, begin with so many blanks.
func textAt(s string, indent int) string {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || !blockable(body) {
		return scalarText(s)
	}
	head := "|-"
	if body != s {
		head = "|"
	}
	blanks := "\n" + strings.Repeat(" ", indent)
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = blanks + line
		} else {
			lines[i] = "\n"
		}
	}
	return head + strings.Join(lines, "")
}

// blockable says whether a text of several lines can be written as it is.
func blockable(s string) bool {
	for i, line := range strings.Split(s, "\n") {
		if i == 0 && (line == "" || line[0] == ' ') || line != strings.TrimRight(line, " \t") {
			return false
		}
		if strings.ContainsFunc(line, func(c rune) bool { return c != '\t' && !unicode.IsPrint(c) }) {
			return false
		}
	}
	return true
}
