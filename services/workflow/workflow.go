// Package workflow fires jobs when the jobs they depend on have ended. The end of a
// task writes an arrival for each dependent in its own transaction; the owner of a
// dependent's partition joins arrivals by their windows and fires a window once, when
// it is complete. What a window comes to is a pure function (decide.go), asked inside
// the transaction that writes it.
package workflow

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Ledger is what the service needs of the store.
type Ledger interface {
	PendingArrivals(ctx context.Context, partitions []int, limit int) ([]models.Arrival, error)
	RecordArrivals(ctx context.Context, fence store.Fence, at time.Time, arrivals []models.Arrival, rules store.JoinRules) (store.JoinResult, error)
	ForgetJoins(ctx context.Context, before time.Time, limit int) (int, error)
	DependencyJobs(ctx context.Context, after string, limit int) ([]string, error)
	TrimJoins(ctx context.Context, jobID string, keep, limit int) (int, error)
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Jobs knows job definitions and who can run them.
type Jobs interface {
	Jobs(ctx context.Context, ids []string) (map[string]*models.Job, error)
	// Unserved answers the ids of those jobs that nobody can run.
	Unserved(ctx context.Context, jobs []*models.Job) (map[string]bool, error)
}

// Watcher is told what was written after the commit.
type Watcher interface {
	TasksQueued(ctx context.Context, groupIDs []string)
	JobsFired(ctx context.Context, jobs []models.Job)
}

// Config sets up a Workflow.
type Config struct {
	Ledger  Ledger
	Owner   Owner
	Jobs    Jobs
	Watcher Watcher
	Clock   clock.Clock
	Logger  *slog.Logger
}

const (
	atOnce     = 200             // arrivals in one transaction
	longest    = 2 * time.Second // between two looks, lest a hint is lost
	afterError = 500 * time.Millisecond
)

// Workflow is started once. Its Pass may also be called by tests.
type Workflow struct {
	cfg     Config
	loop    *lifecycle.Loop
	forgets time.Time // when to forget next
}

// New makes a Workflow. It fails on a configuration that a loop cannot run with.
func New(cfg Config) (*Workflow, error) {
	w := &Workflow{cfg: cfg}
	var err error
	w.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "workflow", Run: w.round, Every: longest, MinBackoff: afterError, MaxBackoff: afterError, Logger: cfg.Logger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the loop of the workflow: %w", err)
	}
	return w, nil
}

// Start begins to join arrivals.
func (w *Workflow) Start(ctx context.Context) error { return w.loop.Start(ctx) }

// Stop ends the joining; what is pending stays in the ledger.
func (w *Workflow) Stop(ctx context.Context) error { return w.loop.Stop(ctx) }

// Wake makes the workflow look at once: something has arrived.
func (w *Workflow) Wake() { w.loop.Wake() }

func (w *Workflow) round(ctx context.Context) (time.Duration, error) {
	err := w.Pass(ctx)
	if err == nil {
		err = w.tidy(ctx)
	}
	if err != nil {
		return afterError, w.failed(err)
	}
	return longest, nil
}

// failed passes an error on; a deposed owner's is none.
func (w *Workflow) failed(err error) error { return store.GiveWay(err, w.cfg.Owner.Lost) }

// Pass joins all arrivals that are pending for this server's partitions.
func (w *Workflow) Pass(ctx context.Context) error {
	for {
		owned := w.cfg.Owner.Partitions()
		if len(owned) == 0 {
			return nil
		}
		arrivals, err := w.cfg.Ledger.PendingArrivals(ctx, slices.Sorted(maps.Keys(owned)), atOnce)
		if err != nil {
			return fmt.Errorf("reading arrivals: %w", err)
		}
		if len(arrivals) == 0 {
			return nil
		}
		if err := w.join(ctx, owned, arrivals); err != nil {
			return err
		}
	}
}

// join deals with some arrivals and tells who must know.
func (w *Workflow) join(ctx context.Context, owned map[int]int64, arrivals []models.Arrival) error {
	fence := store.Fence{}
	for i := range arrivals {
		fence[arrivals[i].Partition] = owned[arrivals[i].Partition]
	}
	keep, err := w.keep(ctx, arrivals)
	if err != nil {
		return err
	}
	now := w.cfg.Clock.Now()
	result, err := w.cfg.Ledger.RecordArrivals(ctx, fence, now, arrivals, store.JoinRules{
		Window: windowOf,
		Decide: func(window *store.Window) store.Joined { return decide(window, now) },
		Keep:   keep,
	})
	if err != nil {
		return fmt.Errorf("joining %d arrivals: %w", len(arrivals), err)
	}
	groups := map[string]bool{}
	for i := range result.Tasks {
		groups[result.Tasks[i].GroupID] = true
	}
	if len(groups) > 0 {
		w.cfg.Watcher.TasksQueued(ctx, slices.Sorted(maps.Keys(groups)))
	}
	if len(result.Jobs) > 0 {
		w.cfg.Watcher.JobsFired(ctx, result.Jobs)
	}
	return nil
}

// keep answers for those jobs that nobody can run now how many of their fires may wait.
func (w *Workflow) keep(ctx context.Context, arrivals []models.Arrival) (map[string]int, error) {
	ids := map[string]bool{}
	for i := range arrivals {
		ids[arrivals[i].JobID] = true
	}
	jobs, err := w.cfg.Jobs.Jobs(ctx, slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return nil, err
	}
	unserved, err := w.cfg.Jobs.Unserved(ctx, slices.Collect(maps.Values(jobs)))
	if err != nil {
		return nil, err
	}
	keep := make(map[string]int, len(unserved))
	for id := range unserved {
		keep[id] = jobs[id].FiresKept()
	}
	return keep, nil
}
