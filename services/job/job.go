// Package job keeps the definitions of work: it checks what people enter, says
// everything that is wrong with it at once, works out the next fire, and writes
// each change with its audit row. It fires nothing; that is trigger's.
package job

import (
	"context"
	"log/slog"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Notifier tells others, after the commit, that a job changed. It is a hint and
// may be lost; it must return quickly.
type Notifier interface {
	JobChanged(ctx context.Context, jobID, groupID string)
}

// Handlers knows which handlers the nodes of a group have registered.
type Handlers interface {
	// Handlers answers the handler names that at least one node of the group
	// that is not offline has, and how many such nodes there are.
	Handlers(ctx context.Context, groupID string) (known map[string]bool, nodesOnline int, err error)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
	Handlers Handlers // nil: the nodes table
}

// Service creates, changes and answers jobs.
type Service struct {
	store     *store.Store
	clock     clock.Clock
	log       *slog.Logger
	notify    Notifier
	handlers  Handlers
	calendars *timetable.Calendars
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, notify: c.Notifier, handlers: c.Handlers, calendars: &timetable.Calendars{Ledger: c.Store}}
	if s.handlers == nil {
		s.handlers = nodesTable{c.Store}
	}
	return s
}
