package desk

import (
	"fmt"
	"time"
	"unicode/utf8"
)

const (
	maxLine  = 1000 // characters of entries, errors and resolutions
	maxTitle = 200  // characters
)

// cutLine shortens a text to a number of characters.
func cutLine(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}

// count writes a number with its word.
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Span writes a length of time as people say it: 1d 2h, 3h 5m, 12m, 40s.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < day:
		return fmt.Sprintf("%dh %dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd %dh", int(d/day), int(d.Hours())%24)
}

// clockOf writes an instant for the timeline.
func clockOf(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
