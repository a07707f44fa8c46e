package workerapi

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// maxClaims bounds the memory of claims; past it the memory starts afresh.
const maxClaims = 20_000

// claim says that a process reports about an attempt.
type claim struct {
	incarnation string
	ref         wire.AttemptRef
}

// claims remembers which processes may write into the logs of which attempts, so that
// the ledger is asked once an attempt. Safe for concurrent use.
type claims struct {
	mu   sync.Mutex
	held map[claim]struct{} // at most maxClaims
}

func (c *claims) has(one claim) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.held[one]
	return ok
}

func (c *claims) add(one claim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil || len(c.held) >= maxClaims {
		c.held = map[claim]struct{}{}
	}
	c.held[one] = struct{}{}
}

// ownLogs takes the log items out of a batch whose attempts are not their reporter's.
// Ends and progress are compared with the ledger as they are written; logs are not,
// and without this one app could write into the logs of another.
func (a *API) ownLogs(ctx context.Context, app models.App, req *wire.Report, b *reportBatch) error {
	var ids []string
	for _, at := range b.logsAt {
		if ref := req.Items[at].AttemptRef; !a.claims.has(claim{req.Incarnation, ref}) {
			ids = append(ids, ref.Task)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	tasks, err := a.cfg.Ledger.TasksByIDs(ctx, slices.Compact(ids))
	if err != nil {
		return fmt.Errorf("reading the tasks of %d logs: %w", len(ids), err)
	}
	known := make(map[string]*models.Task, len(tasks))
	for i := range tasks {
		if tasks[i].AppID == app.ID {
			known[tasks[i].ID] = &tasks[i]
		}
	}
	logs, logsAt := b.logs[:0], b.logsAt[:0]
	for i, at := range b.logsAt {
		one := claim{req.Incarnation, req.Items[at].AttemptRef}
		if !a.claims.has(one) {
			if ack := mayLog(one, known[one.ref.Task]); ack.Status != wire.AckAccepted {
				b.acks[at] = ack
				continue
			}
			a.claims.add(one)
		}
		logs, logsAt = append(logs, b.logs[i]), append(logsAt, at)
	}
	b.logs, b.logsAt = logs, logsAt
	return nil
}

// mayLog says whether a process may write into the log of an attempt: of its own, also
// when it has ended since. The last words of an attempt that was given to others are
// kept too: they may be why.
func mayLog(c claim, t *models.Task) wire.Ack {
	switch {
	case t == nil:
		return invalid("there is no task %s", c.ref.Task)
	case c.ref.Attempt > t.Attempt || t.Spread():
		return invalid("task %s has no attempt %d", t.ID, c.ref.Attempt)
	case c.ref.Attempt == t.Attempt && c.incarnation != t.Incarnation:
		return wire.Ack{Status: wire.AckStale, Message: "The attempt is another process's."}
	}
	return wire.Ack{Status: wire.AckAccepted}
}
