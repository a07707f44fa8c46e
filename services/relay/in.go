package relay

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/dispatch"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/signal"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// run passes messages of other servers on until ctx ends.
func (r *Relay) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case messages, open := <-r.sub.C():
			if !open {
				return
			}
			for _, m := range messages {
				r.receive(ctx, m)
			}
		}
	}
}

// receive passes one message on. A message that cannot be read is as good as
// lost: a slow look finds what it would have said.
func (r *Relay) receive(ctx context.Context, m event.Message) {
	var err error
	switch m.Topic {
	case event.TopicResync:
		r.resync()
	case signal.Tasks:
		err = r.tasks(m)
	case signal.Jobs:
		err = r.job(m)
	case signal.Nodes:
		err = r.node(ctx, m)
	case signal.Groups:
		r.parts.Dispatcher.GroupChanged(ctx, m.Key)
	case signal.Queue:
		r.parts.Dispatcher.Queued(m.Key)
	case signal.Joins:
		if m.Key != r.serverID { // it was told at once of its own
			r.parts.Workflow.Wake()
		}
	case signal.Fills:
		err = r.fill(m)
	case signal.Bulks:
		err = r.bulk(m)
	case signal.Post:
		if m.Key != r.serverID { // it was told at once of its own
			r.parts.Deliveries.Wake()
		}
	case signal.Alerts:
		if m.Key != r.serverID { // it was told at once of its own
			r.parts.Alerts.Wake()
		}
	case signal.Frames:
		err = r.deliver(ctx, m)
	case signal.Held:
		err = r.held(ctx, m)
	default: // the others are for others
	}
	r.warn(ctx, "receiving a message", err)
}

func (r *Relay) resync() {
	r.parts.Catalog.Forget("")
	r.parts.Trigger.Wake()
	r.parts.Workflow.Wake()
	r.parts.Backfills.Wake()
	r.parts.Bulks.Wake()
	r.parts.Deliveries.Wake()
	r.parts.Alerts.Wake()
	r.parts.Dispatcher.Resync()
	r.waiters.wakeAll()
}

func (r *Relay) tasks(m event.Message) error {
	if m.Key == r.serverID {
		return nil // this server's own; it was told at once
	}
	p, err := signal.Read[signal.TaskChanges](m)
	if err != nil {
		return err
	}
	ends := make([]dispatch.Ended, 0, len(p.Changes))
	for _, c := range p.Changes {
		r.waiters.wake(c.ID)
		if c.State != models.TaskRunning && c.Attempt > 0 { // neither a start nor a new task is an end
			ends = append(ends, dispatch.Ended{TaskID: c.ID, GroupID: p.GroupID, Attempt: c.Attempt, State: c.State})
		}
	}
	r.parts.Dispatcher.Ended(ends)
	return nil
}

func (r *Relay) job(m event.Message) error {
	p, err := signal.Read[signal.JobChange](m)
	if err != nil || p.From == r.serverID || p.Fired {
		return err
	}
	r.parts.Catalog.Forget(p.JobID)
	r.parts.Trigger.Wake()
	r.parts.Dispatcher.Queued(p.GroupID)
	return nil
}

func (r *Relay) fill(m event.Message) error {
	p, err := signal.Read[signal.BackfillChange](m)
	if err == nil && p.From != r.serverID { // it was told at once of its own
		r.parts.Backfills.Wake()
	}
	return err
}

func (r *Relay) bulk(m event.Message) error {
	p, err := signal.Read[signal.BulkChange](m)
	if err == nil && p.From != r.serverID { // it was told at once of its own
		r.parts.Bulks.Wake()
	}
	return err
}

func (r *Relay) node(ctx context.Context, m event.Message) error {
	p, err := signal.Read[signal.NodeChange](m)
	if err != nil || p.From == r.serverID {
		return err
	}
	r.edited(ctx, p.NodeID)
	r.parts.Dispatcher.GroupChanged(ctx, p.GroupID)
	return nil
}

func (r *Relay) deliver(ctx context.Context, m event.Message) error {
	p, err := signal.Read[signal.Frame](m)
	if err != nil {
		return err
	}
	if len(p.Large) > 0 {
		work, err := r.parts.Dispatcher.Assignments(ctx, p.Incarnation, p.Large)
		if err != nil || len(work) == 0 {
			return err
		}
		p.Frame = wire.Frame{Kind: wire.FrameAssign, Assign: work}
	}
	r.parts.Registry.Deliver(m.Key, p.Incarnation, p.Frame)
	return nil
}

func (r *Relay) held(ctx context.Context, m event.Message) error {
	p, err := signal.Read[signal.Holding](m)
	if err != nil || p.From == r.serverID {
		return err
	}
	_, err = r.parts.Dispatcher.Holds(ctx, p.Node, p.Held)
	return err
}
