package mask

import (
	"encoding/json"
	"slices"
	"strings"
)

// quotedMark is the mark as a value of a document.
const quotedMark = `"` + Mark + `"`

// maxPairDepth is how deep pairs of a name and a value are looked for.
const maxPairDepth = 16

// pairNames and pairValues are the keys of such pairs, as in a list of headers.
var (
	pairNames  = []string{"name", "key", "header", "field", "flag", "variable", "attribute"}
	pairValues = []string{"value", "values", "val", "data", "content"}
)

// JSON answers a valid document without its secrets; doc itself when there are
// none. Values under secret keys go as a whole, objects and lists too; texts are
// masked as Text does; in {"name": "password", "value": …} and ["--password", …]
// the name tells what the value is. The rest keeps its form and order.
func (m *Masker) JSON(doc json.RawMessage) json.RawMessage {
	if m == nil || len(doc) == 0 {
		return doc
	}
	w := walker{m: m, s: string(doc)}
	w.value(w.blank(0), false, 0)
	if w.out.from == 0 {
		return doc
	}
	w.out.s = w.s
	return json.RawMessage(w.out.done())
}

// walker goes over a valid document. On one that is not, it stops somewhere.
type walker struct {
	m   *Masker
	s   string
	out writer
}

// put replaces the part from…to.
func (w *walker) put(from, to int, text string) {
	w.out.s = w.s
	w.out.out = append(append(w.out.out, w.s[w.out.from:from]...), text...)
	w.out.from = to
}

func (w *walker) blank(i int) int {
	for i < len(w.s) && (w.s[i] == ' ' || w.s[i] == '\n' || w.s[i] == '\t' || w.s[i] == '\r') {
		i++
	}
	return i
}

// value goes over the value at i and answers where it ends. Under a secret name it
// is replaced.
func (w *walker) value(i int, secret bool, depth int) int {
	if i >= len(w.s) {
		return i
	}
	switch c := w.s[i]; {
	case secret:
		end := w.skip(i)
		switch text := w.s[i:end]; text {
		case "null", "true", "false", `""`, "{}", "[]", quotedMark:
		default:
			w.put(i, end, quotedMark)
		}
		return end
	case c == '"':
		return w.text(i)
	case c == '{':
		return w.object(i, depth)
	case c == '[':
		return w.list(i, depth)
	}
	return w.skip(i)
}

// text masks the text at i.
func (w *walker) text(i int) int {
	end := w.skip(i)
	if end-i < 2 {
		return end
	}
	inner := w.s[i+1 : end-1]
	if strings.IndexByte(inner, '\\') < 0 {
		if masked := w.m.Text(inner); masked != inner {
			w.put(i+1, end-1, masked)
		}
		return end
	}
	plain := w.decode(i, end)
	if masked := w.m.Text(plain); masked != plain {
		if raw, err := json.Marshal(masked); err == nil {
			w.put(i, end, string(raw))
		}
	}
	return end
}

// decode answers the text that is written from i to end.
func (w *walker) decode(i, end int) string {
	raw := w.s[i:end]
	if len(raw) >= 2 && strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var plain string
	if json.Unmarshal([]byte(raw), &plain) != nil {
		return raw
	}
	return plain
}

func (w *walker) object(i, depth int) int {
	paired := depth < maxPairDepth && w.paired(i)
	for i = w.blank(i + 1); i < len(w.s) && w.s[i] == '"'; {
		end := w.skip(i)
		key := w.decode(i, end)
		w.text(i)
		i = w.blank(end)
		if i >= len(w.s) || w.s[i] != ':' {
			return i
		}
		i = w.blank(i + 1)
		i = w.blank(w.value(i, w.secretKey(key, i) || paired && isOne(pairValues, key), depth+1))
		if i >= len(w.s) || w.s[i] != ',' {
			break
		}
		i = w.blank(i + 1)
	}
	return min(i+1, len(w.s))
}

// secretKey says whether the value at i is secret by its key. Numbers under plural
// names are counts.
func (w *walker) secretKey(key string, i int) bool {
	if w.m.names.secret(key) {
		return true
	}
	if n := len(key); n == 0 || key[n-1]|0x20 != 's' {
		return false
	}
	number := i < len(w.s) && (w.s[i] == '-' || w.s[i] >= '0' && w.s[i] <= '9')
	var buf [maxName]byte
	tail := tailOf(key, &buf)
	return !number && slices.ContainsFunc(pluralNames, func(p string) bool { return hasSuffix(tail, p) })
}

// paired says whether the object at i has a member such as "name": "password".
func (w *walker) paired(i int) bool {
	for i = w.blank(i + 1); i < len(w.s) && w.s[i] == '"'; {
		end := w.skip(i)
		key := w.decode(i, end)
		i = w.blank(end)
		if i >= len(w.s) || w.s[i] != ':' {
			return false
		}
		i = w.blank(i + 1)
		end = w.skip(i)
		if i < len(w.s) && w.s[i] == '"' && isOne(pairNames, key) && w.m.names.secret(w.decode(i, end)) {
			return true
		}
		i = w.blank(end)
		if i >= len(w.s) || w.s[i] != ',' {
			return false
		}
		i = w.blank(i + 1)
	}
	return false
}

func isOne(list []string, key string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return strings.EqualFold(name, key) })
}

// list goes over the list at i. A flag's name makes the next element secret, and
// in a pair any secret name does.
func (w *walker) list(i, depth int) int {
	pair := depth < maxPairDepth && w.count(i) == 2
	secret := false
	for i = w.blank(i + 1); i < len(w.s) && w.s[i] != ']'; {
		start := i
		i = w.value(i, secret, depth+1)
		secret = !secret && w.names(start, i, pair)
		if i = w.blank(i); i >= len(w.s) || w.s[i] != ',' {
			break
		}
		i = w.blank(i + 1)
	}
	return min(i+1, len(w.s))
}

// names says whether the element from i to end says that the next one is secret.
func (w *walker) names(i, end int, pair bool) bool {
	if end-i < 3 || w.s[i] != '"' {
		return false
	}
	name := w.decode(i, end)
	if !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, ":") && !pair {
		return false
	}
	return w.m.names.secret(strings.TrimRight(strings.TrimLeft(name, "-"), ": "))
}

// count answers how many elements the list at i has, 3 for more than two.
func (w *walker) count(i int) int {
	n := 0
	for i = w.blank(i + 1); i < len(w.s) && w.s[i] != ']' && n < 3; n++ {
		if i = w.blank(w.skip(i)); i < len(w.s) && w.s[i] == ',' {
			i = w.blank(i + 1)
		}
	}
	return n
}

// skip answers where the value at i ends. It always moves on, if it can.
func (w *walker) skip(i int) int {
	if i >= len(w.s) {
		return i
	}
	switch w.s[i] {
	case '"':
		for j := i + 1; j < len(w.s); j++ {
			switch w.s[j] {
			case '\\':
				j++
			case '"':
				return j + 1
			}
		}
		return len(w.s)
	case '{', '[':
		return w.skipNested(i)
	}
	j := i + 1
	for j < len(w.s) && strings.IndexByte(",]}: \n\t\r", w.s[j]) < 0 {
		j++
	}
	return j
}

func (w *walker) skipNested(i int) int {
	depth := 0
	for i < len(w.s) {
		switch w.s[i] {
		case '"':
			i = w.skip(i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}
