package graph

import (
	"context"
	"sync"
	"sync/atomic"
)

// scope is what the resolvers of one operation share. It is made when the
// operation begins and reached through its context.
type scope struct {
	// loaders serve the response under way; nil until something asks for them. A
	// subscription gets fresh ones with each batch of changes, a mutation with each
	// of its root fields: what they hold is never older than that.
	loaders atomic.Pointer[loaders]
	// resync says that changes were lost before the response under way.
	resync atomic.Bool
	// costTold says that a response has told the operation's cost.
	costTold atomic.Bool

	mu     sync.Mutex
	logged map[string]bool // texts of errors that are in the log, at most maxLogged
}

// maxLogged bounds what one operation writes into the log: fifty rows that fail
// for one reason are one line.
const maxLogged = 10

type scopeKey struct{}

// scopeOf answers the operation's scope; outside an operation a throw-away one.
func scopeOf(ctx context.Context) *scope {
	if s, ok := ctx.Value(scopeKey{}).(*scope); ok {
		return s
	}
	return &scope{}
}

// firstTime says whether an error with this text is still to be logged.
func (s *scope) firstTime(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logged[text] || len(s.logged) >= maxLogged {
		return false
	}
	if s.logged == nil {
		s.logged = map[string]bool{}
	}
	s.logged[text] = true
	return true
}
