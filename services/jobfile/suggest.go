package jobfile

import "strings"

// suggest proposes what a name that is no field may mean.
func (s *shape) suggest(wrong string) string {
	best, least := "", 3
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
		if d := distance(strings.ToLower(wrong), strings.ToLower(f.name)); d < least {
			best, least = f.name, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "it has " + strings.Join(names, ", ")
}

// distance is how many letters must be changed, added or left out to make b of a.
func distance(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for k := range len(b) {
			cost := before
			if a[i] != b[k] {
				cost++
			}
			before = row[k+1]
			row[k+1] = min(cost, row[k]+1, row[k+1]+1)
		}
	}
	return row[len(b)]
}
