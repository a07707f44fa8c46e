package graphtest

import (
	"bytes"
	"context"
	"sync"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// teller publishes what the services say, as a server's relay does.
type teller struct {
	bus   event.Bus
	store interface {
		TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error)
	}
}

func (t teller) JobChanged(ctx context.Context, id, group string) {
	t.bus.Publish(ctx, signal.Of(signal.Jobs, id, signal.JobChange{JobID: id, GroupID: group}))
}

func (t teller) NodeChanged(ctx context.Context, id, group string) {
	t.bus.Publish(ctx, signal.Of(signal.Nodes, id, signal.NodeChange{NodeID: id, GroupID: group}))
}

func (t teller) TaskChanged(ctx context.Context, ids []string) {
	if tasks, err := t.store.TasksByIDs(ctx, ids); err == nil { // a hint may be lost
		t.bus.Publish(ctx, signal.OfTasks("server-1", tasks)...)
	}
}

func (t teller) TasksCreated(ctx context.Context, tasks []models.Task) {
	t.bus.Publish(ctx, signal.OfTasks("server-1", tasks)...)
}

func (t teller) JobsMoved(ctx context.Context, jobs []models.Job) {
	for i := range jobs {
		t.JobChanged(ctx, jobs[i].ID, jobs[i].GroupID)
	}
}

func (t teller) BackfillChanged(ctx context.Context, b models.Backfill) {
	t.bus.Publish(ctx, signal.Of(signal.Fills, b.ID, signal.BackfillChange{ID: b.ID}))
}

func (t teller) BulkChanged(ctx context.Context, b models.BulkOperation) {
	t.bus.Publish(ctx, signal.Of(signal.Bulks, b.ID, signal.BulkChange{ID: b.ID}))
}

func (t teller) NotificationsChanged(ctx context.Context, ids []string) {
	t.bus.Publish(ctx, signal.OfNotes("server-1", ids)...)
}

func (t teller) IncidentsChanged(ctx context.Context, ids []string) {
	t.bus.Publish(ctx, signal.OfIncidents("server-1", ids)...)
}

func (t teller) AlertsEdited(context.Context)                 {}
func (t teller) NotificationsQueued(context.Context)          {}
func (t teller) GroupChanged(context.Context, string)         {}
func (t teller) TasksQueued(context.Context, []string)        {}
func (t teller) CancelRequested(context.Context, models.Task) {}

// everything owns all partitions, at the epoch they begin with.
type everything struct{}

func (everything) Partitions() map[int]int64 {
	all := make(map[int]int64, models.Partitions)
	for i := range models.Partitions {
		all[i] = 0
	}
	return all
}

func (everything) Fence(partitions ...int) (map[int]int64, bool) {
	fence := make(map[int]int64, len(partitions))
	for _, p := range partitions {
		fence[p] = 0
	}
	return fence, true
}

func (everything) Lost(...int) {}

// Log keeps what was logged.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// Count is how often text was logged.
func (l *Log) Count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.text.Bytes(), []byte(text))
}
