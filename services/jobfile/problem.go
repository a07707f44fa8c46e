package jobfile

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	Source       string // name of the file
	Line, Column int    // from 1; Column 0: the line as a whole
	Message      string // a sentence with the value and the remedy
}

func (p Problem) String() string {
	if p.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", p.Source, p.Line, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Source, p.Line, p.Column, p.Message)
}

// Problems are all things that are wrong with files, in the order of the lines.
type Problems []Problem

// Error implements error; each problem has a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// err is nil when there are none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return p
}
