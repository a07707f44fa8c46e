package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

func architecture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPathOfATask keeps the promise that six files tell a task's life.
func TestPathOfATask(t *testing.T) {
	t.Parallel()
	files := regexp.MustCompile("(?m)^\\d\\. `([^`]+)`:").FindAllStringSubmatch(architecture(t), -1)
	if len(files) != 6 {
		t.Fatalf("the path has %d files, want 6", len(files))
	}
	for _, f := range files {
		text, err := os.ReadFile(f[1])
		if err != nil {
			t.Errorf("the path leads to a file that is not there: %v", err)
			continue
		}
		if lines := strings.Count(string(text), "\n"); lines > 400 {
			t.Errorf("%s has %d lines: a newcomer should read it in one go", f[1], lines)
		}
	}
}

// TestStateDiagramIsTheTable compares the drawn states with those the code allows.
func TestStateDiagramIsTheTable(t *testing.T) {
	t.Parallel()
	var drawn []string
	for _, arrow := range regexp.MustCompile(`(?m)^\s+([A-Z]+) --> ([A-Z]+): ([A-Z]+)$`).FindAllStringSubmatch(architecture(t), -1) {
		drawn = append(drawn, strings.Join(arrow[1:], " "))
	}
	var legal []string
	for _, tr := range models.Transitions {
		for _, from := range tr.From {
			legal = append(legal, fmt.Sprintf("%s %s %s", from, tr.To, tr.Event))
		}
	}
	slices.Sort(drawn)
	slices.Sort(legal)
	if !slices.Equal(drawn, legal) {
		t.Errorf("drawn:\n%s\nlegal:\n%s", strings.Join(drawn, "\n"), strings.Join(legal, "\n"))
	}
}
