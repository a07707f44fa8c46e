package jobfile

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Differences lists the fields in which two jobs differ, in the order of the format.
// Either may be nil. Both should be Normal. The name is left out.
func Differences(before, after *Job) []FieldChange {
	a, b := flat(before), flat(after)
	paths := map[string]bool{}
	for _, leaves := range []map[string]any{a, b} {
		for path := range leaves {
			paths[path] = true
		}
	}
	var all []FieldChange
	for _, path := range slices.SortedFunc(maps.Keys(paths), comparePaths) {
		was, had := a[path]
		is, has := b[path]
		if had && has && same(was, is) {
			continue
		}
		c := FieldChange{Path: path, Hidden: path == "parameters" || strings.HasPrefix(path, "parameters.")}
		if had {
			c.Before = new(scalar(was))
		}
		if has {
			c.After = new(scalar(is))
		}
		all = append(all, c)
	}
	return all
}

// flat are the values of a job by their path.
func flat(j *Job) map[string]any {
	leaves := map[string]any{}
	if j == nil {
		return leaves
	}
	raw, err := json.Marshal(j)
	if err != nil { // texts, numbers and valid JSON always marshal
		return leaves
	}
	var tree map[string]any
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber()
	if numbers.Decode(&tree) != nil {
		return leaves
	}
	delete(tree, "name")
	for name, v := range tree {
		flatten(leaves, name, v)
	}
	return leaves
}

func flatten(leaves map[string]any, path string, v any) {
	switch tree := v.(type) {
	case map[string]any:
		if len(tree) > 0 {
			for name, inner := range tree {
				flatten(leaves, path+"."+escape.Replace(name), inner)
			}
			return
		}
	case []any:
		if len(tree) > 0 {
			for i, inner := range tree {
				flatten(leaves, path+"."+strconv.Itoa(i), inner)
			}
			return
		}
	}
	leaves[path] = v
}

// escape keeps dots within names apart from those between them.
var escape = strings.NewReplacer(`\`, `\\`, ".", `\.`)

// same compares leaves; numbers by their value: databases write 1.0 as 1.
func same(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, areNumbers := b.(json.Number)
	if isNumber && areNumbers {
		return x == y || sameNumber(string(x), string(y))
	}
	return scalar(a) == scalar(b)
}

const longestNumber = 400 // digits that are compared by value: the exponent of a float64

func sameNumber(x, y string) bool {
	p, err1 := strconv.ParseFloat(x, 64)
	q, err2 := strconv.ParseFloat(y, 64)
	if err1 != nil || err2 != nil || p != q {
		return false
	}
	if p == 0 {
		return true // or so small that an exact value would take all memory
	}
	if len(x) > longestNumber || len(y) > longestNumber {
		return true
	}
	a, ok1 := new(big.Rat).SetString(x)
	b, ok2 := new(big.Rat).SetString(y)
	return ok1 && ok2 && a.Cmp(b) == 0
}

// comparePaths orders paths as the format does; what it does not know by name, list
// entries by number.
func comparePaths(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	s := &jobFormat
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			s = inside(s, x[i])
			continue
		}
		if p, q := placeIn(s, x[i]), placeIn(s, y[i]); p != q {
			return p - q
		}
		return strings.Compare(x[i], y[i])
	}
	return len(x) - len(y)
}

func inside(s *shape, name string) *shape {
	if s == nil {
		return nil
	}
	if s.of != nil {
		return s.of
	}
	if f, ok := s.named(name); ok {
		return &f.shape
	}
	return nil
}

func placeIn(s *shape, name string) int {
	if n, err := strconv.Atoi(name); err == nil {
		return n
	}
	if s != nil {
		for i, f := range s.fields {
			if f.name == name {
				return i
			}
		}
	}
	return 1 << 20
}
