// Package page reads Relay page arguments and writes cursors. A cursor is opaque
// to clients: a version, the name of the list's order and the key of an entry in
// that order, in base64url. It is a keyset position, so a page costs the same
// wherever it lies and no entry is shown twice while new ones arrive.
package page

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Sizes of a page of a connection, in entries.
const (
	DefaultSize = 20
	MaxSize     = 100
)

// version leads every cursor, so that a later form can be told apart.
const version = "1"

// maxCursor bounds what is decoded, in bytes: far above the longest key.
const maxCursor = 2048

// Count estimates how many entries a list has; nil means that it would be dear.
// It is asked only when a client selects totalCount.
type Count func(ctx context.Context) (*int, error)

// Args are the page arguments as a client gave them; nil means absent.
type Args struct {
	First  *int
	After  *string
	Last   *int
	Before *string
}

// Window is what to read: the First entries after key After, or the Last
// entries before key Before. Exactly one of First and Last is above 0; an empty
// key means the list's end on that side.
type Window struct {
	First  int
	After  string
	Last   int
	Before string
}

// Read checks the arguments for a list in the named order. Errors: INVALID for
// arguments that contradict each other and for foreign cursors, LIMIT for a page
// above MaxSize.
func Read(order string, a Args) (Window, error) {
	forward := a.First != nil || a.After != nil
	backward := a.Last != nil || a.Before != nil
	if forward && backward {
		return Window{}, fault.New(fault.Invalid, "first and after cannot be combined with last and before: ask in one direction.")
	}
	if backward {
		last, err := Size("last", a.Last, DefaultSize, MaxSize)
		if err != nil {
			return Window{}, err
		}
		before, err := key("before", order, a.Before)
		return Window{Last: last, Before: before}, err
	}
	first, err := Size("first", a.First, DefaultSize, MaxSize)
	if err != nil {
		return Window{}, err
	}
	after, err := key("after", order, a.After)
	return Window{First: first, After: after}, err
}

// Size checks one size argument, 1 to most. Errors: INVALID below 1, LIMIT above.
func Size(arg string, n *int, normal, most int) (int, error) {
	switch {
	case n == nil:
		return normal, nil
	case *n < 1:
		return 0, fault.At(arg, fault.Invalid, "%s is %d: give 1 to %d.", arg, *n, most)
	case *n > most:
		return 0, fault.At(arg, fault.Limit, "%s is %d, and at most %d are answered at once: read page by page with cursors.", arg, *n, most)
	default:
		return *n, nil
	}
}

// Cursor writes the cursor of the entry with the given key.
func Cursor(order, key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(version + ":" + order + ":" + key))
}

// key reads the key out of a cursor; an absent cursor is the empty key.
func key(arg, order string, cursor *string) (string, error) {
	if cursor == nil {
		return "", nil
	}
	if len(*cursor) <= maxCursor {
		if raw, err := base64.RawURLEncoding.DecodeString(*cursor); err == nil {
			if k, ok := strings.CutPrefix(string(raw), version+":"+order+":"); ok && k != "" {
				return k, nil
			}
		}
	}
	return "", fault.At(arg, fault.Invalid, "%s is no cursor of this list in this order: take endCursor or startCursor of one of its pages.", arg)
}
