package store

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"
)

// notes is what a transaction has written that somebody wants to be told of after its
// commit. A transaction is one goroutine's.
type notes struct {
	parts  map[int]bool // partitions of the jobs that arrivals were written for
	alerts bool         // alert events were written
}

// notesKey is where a transaction's context holds its notes.
type notesKey struct{}

// takeNotes makes the context of a transaction; tell says after its commit what it has
// written.
func (s *Store) takeNotes(ctx context.Context) (inner context.Context, tell func()) {
	if s.arrived == nil && s.alerted == nil {
		return ctx, func() {}
	}
	n := &notes{}
	return context.WithValue(ctx, notesKey{}, n), func() {
		if len(n.parts) > 0 && s.arrived != nil {
			s.arrived(ctx, slices.Sorted(maps.Keys(n.parts)))
		}
		if n.alerts && s.alerted != nil {
			s.alerted(ctx)
		}
	}
}

// notesOf are those of a transaction; nil when nobody wants to know.
func notesOf(tx *gorm.DB) *notes {
	n, _ := tx.Statement.Context.Value(notesKey{}).(*notes)
	return n
}

func (n *notes) arrived(part int) {
	if n == nil {
		return
	}
	if n.parts == nil {
		n.parts = map[int]bool{}
	}
	n.parts[part] = true
}

func (n *notes) alerted() {
	if n != nil {
		n.alerts = true
	}
}
