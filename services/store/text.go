package store

import (
	"strings"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// What workers and people send must never make a write fail, or an attempt whose
// error is a page too long could not be ended. So texts are made to fit here,
// whatever the callers have checked.

const (
	lineLimit = 1000 // characters of reasons and progress messages
	nameLimit = 255  // characters of names and keys
	cutMark   = " … (cut)"
)

// cutError makes an error text fit: at most wire.MaxErrorBytes bytes, cut between
// two characters and marked as cut.
func cutError(text string) string {
	text = valid(text)
	if len(text) <= wire.MaxErrorBytes {
		return text
	}
	end := wire.MaxErrorBytes - len(cutMark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cutMark
}

// cutChars makes a text fit a column of limit characters.
func cutChars(text string, limit int) string {
	text = valid(text)
	if len(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n == limit-1 {
			if utf8.RuneCountInString(text[i:]) == 1 {
				return text
			}
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// valid replaces what is not UTF-8, which MySQL would refuse.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// document prepares a JSON document for its column: bytes in, bytes out; an empty
// one is NULL.
func document(raw []byte) any {
	if len(raw) == 0 {
		return nil
	}
	if !utf8.Valid(raw) {
		return valid(string(raw))
	}
	return string(raw)
}
