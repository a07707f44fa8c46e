package worker

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Start is what a process knows when it begins to work.
type Start struct {
	Node        string // the name under which it is registered
	Group       string
	Incarnation string // of this process
	// Previous is the process that had the node's name before, as the server knows it;
	// nil if there was none, or if the answer that told of it was lost.
	Previous *Previous
}

// Previous is the process that had the node's name before.
type Previous struct {
	Incarnation string
	LastSeenAt  time.Time // its last heartbeat, by the server's clock
	// Left says that it ended in good order: it said good-bye.
	Left bool
}

// previousOf translates what a registration was answered.
func previousOf(p *wire.Previous) *Previous {
	if p == nil {
		return nil
	}
	return &Previous{Incarnation: p.Incarnation, LastSeenAt: p.LastSeenAt, Left: p.Left}
}

// onStart calls the program's hook, once, after the first registration and before
// anything is assigned; it reports whether the worker may begin.
func (s *session) onStart(ctx context.Context) bool {
	if s.cfg.OnStart == nil {
		return true
	}
	s.vital.starting.Store(true)
	defer s.vital.starting.Store(false)
	err := s.callOnStart(ctx)
	if err != nil && ctx.Err() == nil {
		s.fail(fmt.Errorf("Config.OnStart: %w", err))
	}
	return err == nil
}

func (s *session) callOnStart(ctx context.Context) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: string(debug.Stack())}
		}
	}()
	return s.cfg.OnStart(ctx, Start{
		Node: s.cfg.Name, Group: s.cfg.Group, Incarnation: s.incarnation, Previous: s.previous.Load(),
	})
}
