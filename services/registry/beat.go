package registry

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Heartbeat takes a node's sign of life and answers corrections. Refusals:
// NOT_REGISTERED, REPLACED (a newer process has the name).
func (r *Registry) Heartbeat(ctx context.Context, app models.App, beat wire.Heartbeat) (wire.HeartbeatAnswer, error) {
	if err := checkCounts(&beat); err != nil {
		return wire.HeartbeatAnswer{}, err
	}
	node, group, err := r.lookup(ctx, app, beat.Group, beat.Node, beat.Incarnation)
	if err != nil {
		return wire.HeartbeatAnswer{}, err
	}
	state, server, deaf := r.stateOf(&node, beat)
	if err := r.setDeaf(ctx, &node, group, deaf); err != nil {
		return wire.HeartbeatAnswer{}, err
	}
	stuck, err := r.setStuck(ctx, &node, beat.StuckAttempts)
	if err != nil {
		return wire.HeartbeatAnswer{}, err
	}
	r.note(store.NodeBeat{ID: node.ID, Incarnation: node.Incarnation, Running: len(beat.Held) + beat.Lingering, Slots: beat.Slots, Stuck: beat.Stuck, Lingering: beat.Lingering, At: r.cfg.Clock.Now()})
	if stuck || state != node.State || beat.Slots != node.Slots || beat.Stuck != node.Stuck || beat.Lingering != node.Lingering {
		if err := r.changed(ctx, node, group, state, server, &beat); err != nil {
			return wire.HeartbeatAnswer{}, err
		}
	}
	r.cfg.Watcher.NodeHolds(ctx, node, beat.Held)
	settings := r.settings(&group)
	return wire.HeartbeatAnswer{Draining: node.Draining, Reconnect: state == models.NodeSuspect, Settings: &settings}, nil
}

// stateOf answers the state that a beating node is in and the server that holds
// its stream. A node whose stream is on another server keeps the state it has
// there, except that one thought dead is alive after all, and that a server which is
// cut off from the ledger holds its streams for nothing: what the others give to its
// nodes never arrives there. Deaf says whether it lives but does not receive; without
// proof of either it is as before.
func (r *Registry) stateOf(n *models.Node, beat wire.Heartbeat) (state models.NodeState, server string, deaf bool) {
	deaf = n.DeafSince != nil
	r.mu.Lock()
	s := r.streams[n.ID]
	r.mu.Unlock()
	if s != nil && s.incarnation == n.Incarnation {
		silent, hears := s.deaf(beat.LastSeq)
		if silent {
			s.close() // it lives but does not receive
			return models.NodeSuspect, "", true
		}
		return openState(n.Draining || beat.Draining), r.cfg.ServerID, deaf && !hears
	}
	if n.State == models.NodeOffline || n.ServerID == "" || n.ServerID == r.cfg.ServerID || r.cfg.Dead(n.ServerID) {
		return models.NodeSuspect, "", deaf
	}
	return n.State, n.ServerID, deaf
}

// setDeaf notes and tells that a node has begun or ceased not to receive.
func (r *Registry) setDeaf(ctx context.Context, n *models.Node, g models.NodeGroup, deaf bool) error {
	if deaf == (n.DeafSince != nil) {
		return nil
	}
	n.DeafSince = nil
	if deaf {
		n.DeafSince = new(r.cfg.Clock.Now())
		r.cfg.Logger.WarnContext(ctx, "node lives but does not receive: it is asked to reconnect", "node", n.Name)
	}
	if _, err := r.cfg.Ledger.SetNodeDeaf(ctx, n.ID, n.Incarnation, n.DeafSince); err != nil {
		return fmt.Errorf("noting whether node %s receives: %w", n.Name, err)
	}
	r.remember(*n, g)
	r.cfg.Watcher.NodeChanged(ctx, *n)
	return nil
}

func openState(draining bool) models.NodeState {
	if draining {
		return models.NodeDraining
	}
	return models.NodeOnline
}

// changed keeps and tells a change that a heartbeat brought.
func (r *Registry) changed(ctx context.Context, n models.Node, g models.NodeGroup, state models.NodeState, server string, beat *wire.Heartbeat) error {
	if err := r.flush(ctx); err != nil {
		return err
	}
	if _, err := r.cfg.Ledger.SetNodeState(ctx, n.ID, n.Incarnation, state, server); err != nil {
		return fmt.Errorf("setting node %s %s: %w", n.Name, state, err)
	}
	n.State, n.ServerID = state, server
	n.Slots, n.Stuck, n.Lingering = beat.Slots, beat.Stuck, beat.Lingering
	r.remember(n, g)
	r.cfg.Watcher.NodeChanged(ctx, n)
	return nil
}

// Leave takes the good-bye of a process that has ended in good order.
func (r *Registry) Leave(ctx context.Context, app models.App, leave wire.Leave) error {
	node, _, err := r.lookup(ctx, app, leave.Group, leave.Node, leave.Incarnation)
	if err != nil {
		return err
	}
	r.mu.Lock()
	s := r.streams[node.ID]
	delete(r.beats, node.ID)
	r.mu.Unlock()
	if s != nil && s.incarnation == node.Incarnation {
		s.close()
	}
	if _, err := r.cfg.Ledger.SetNodeState(ctx, node.ID, node.Incarnation, models.NodeOffline, ""); err != nil {
		return fmt.Errorf("setting node %s offline: %w", node.Name, err)
	}
	r.forget(node.AppID, node.Name)
	node.State, node.ServerID = models.NodeOffline, ""
	r.cfg.Watcher.NodeChanged(ctx, node)
	r.cfg.Watcher.NodeLeft(ctx, node)
	return nil
}

// note keeps a heartbeat for the next write; only the latest of a node matters.
func (r *Registry) note(b store.NodeBeat) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beats[b.ID] = b
}

func (r *Registry) flushLoop(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := r.flush(ctx); err != nil && ctx.Err() == nil {
				r.cfg.Logger.WarnContext(ctx, "heartbeats not written", "error", err)
			}
			if err := r.refresh(ctx); err != nil && ctx.Err() == nil {
				r.cfg.Logger.WarnContext(ctx, "rows of nodes not read again", "error", err)
			}
		}
	}
}

// flush writes the noted heartbeats in one statement; on an error they are kept
// unless newer ones have come.
func (r *Registry) flush(ctx context.Context) error {
	r.mu.Lock()
	beats := make([]store.NodeBeat, 0, len(r.beats))
	for _, b := range r.beats {
		beats = append(beats, b)
	}
	clear(r.beats)
	r.mu.Unlock()
	if len(beats) == 0 {
		return nil
	}
	err := r.cfg.Ledger.BeatNodes(ctx, beats)
	if err == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range beats {
		if _, newer := r.beats[b.ID]; !newer {
			r.beats[b.ID] = b
		}
	}
	return fmt.Errorf("writing %d heartbeats: %w", len(beats), err)
}
