// Package relay carries what happened from who did it to who must know: at once
// to the parts in this process, and as hints over the bus to the other servers
// and to the subscribers of the API. It decides nothing and keeps nothing but who
// waits for which task.
package relay

import (
	"context"
	"log/slog"
	"sync"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/dispatch"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/signal"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Dispatcher is what the relay tells of queues, nodes and ends.
type Dispatcher interface {
	Queued(groupIDs ...string)
	Ended(ends []dispatch.Ended)
	GroupChanged(ctx context.Context, groupID string)
	Holds(ctx context.Context, n models.Node, held []wire.AttemptRef) (owned bool, err error)
	Cancel(ctx context.Context, t *models.Task, cause string)
	Assignments(ctx context.Context, incarnation string, ids []string) ([]wire.Assignment, error)
	Resync()
}

// Trigger is woken when a job may be due earlier than it knew.
type Trigger interface{ Wake() }

// Workflow is woken when ends have arrived at dependent jobs.
type Workflow interface{ Wake() }

// Backfills is woken when a backfill has changed, or a task of one has ended.
type Backfills interface{ Wake() }

// Bulks is woken when a bulk operation is new or has changed.
type Bulks interface{ Wake() }

// Alerts is woken when alert events were written, or rules and silences have changed.
type Alerts interface{ Wake() }

// Deliveries is woken when something waits to be sent.
type Deliveries interface{ Wake() }

// Registry holds the streams of this server.
type Registry interface {
	Deliver(nodeID, incarnation string, f wire.Frame) bool
	NodeEdited(n models.Node)
}

// Rescue ends the attempts of processes that are no more.
type Rescue interface {
	NodeGone(ctx context.Context, n models.Node, outcome models.Outcome) error
}

// Catalog forgets definitions that changed.
type Catalog interface{ Forget(jobID string) }

// Ledger reads what hints do not carry.
type Ledger interface {
	TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error)
	Node(ctx context.Context, id string) (models.Node, error)
}

// Parts are the parts of this process; they are set before Start.
type Parts struct {
	Dispatcher Dispatcher
	Trigger    Trigger
	Workflow   Workflow
	Backfills  Backfills
	Bulks      Bulks
	Alerts     Alerts
	Deliveries Deliveries
	Registry   Registry
	Rescue     Rescue
	Catalog    Catalog
}

// Relay is started after and stopped before the parts.
type Relay struct {
	serverID string
	bus      event.Bus
	ledger   Ledger
	logger   *slog.Logger
	parts    Parts
	waiters  waiters

	cancel context.CancelFunc
	sub    *event.Subscription
	done   sync.WaitGroup
}

// New makes a Relay for the server with the given id.
func New(serverID string, bus event.Bus, ledger Ledger, logger *slog.Logger) *Relay {
	return &Relay{serverID: serverID, bus: bus, ledger: ledger, logger: logger}
}

// Connect sets the parts; it is called once, before Start.
func (r *Relay) Connect(p Parts) { r.parts = p }

// Start begins to pass on what other servers say.
func (r *Relay) Start(ctx context.Context) error {
	ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.sub = r.bus.Subscribe(signal.Tasks, signal.Jobs, signal.Nodes, signal.Groups, signal.Queue, signal.Frames, signal.Held, signal.Joins, signal.Fills, signal.Bulks, signal.Post, signal.Alerts)
	r.done.Go(func() { r.run(ctx) })
	return nil
}

// Stop ends the passing on.
func (r *Relay) Stop(context.Context) error {
	if r.cancel != nil {
		r.cancel()
		r.sub.Close()
	}
	r.done.Wait()
	return nil
}

// warn logs a failure that the next slow look will heal.
func (r *Relay) warn(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		r.logger.WarnContext(ctx, "hint not passed on", "what", what, "error", err)
	}
}
