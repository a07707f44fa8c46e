package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// heartbeat tells the servers that the process lives and what it really runs.
type heartbeat struct {
	*session
	stream *stream
	load   load
}

// loop beats until ctx ends.
func (h *heartbeat) loop(ctx context.Context) {
	quiet, last := quietly{log: h.cfg.Logger}, time.Now()
	timer := time.NewTimer(h.settings.Load().heartbeat)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-h.changed:
		case <-ctx.Done():
			return
		}
		stamp(&h.vital.beat)
		h.book.trim()
		set := h.settings.Load()
		if h.registered() {
			epoch := h.epoch.Load()
			err := h.once(ctx, set)
			switch {
			case err == nil:
				if gone := time.Since(last); gone > set.offline {
					h.cfg.Logger.Warn("was out of touch for so long that attempts may have been given to other nodes", "for", gone)
				}
				quiet, last = quietly{log: h.cfg.Logger}, time.Now()
			case ctx.Err() == nil:
				quiet.warn("a heartbeat got no answer", err)
				h.heed(ctx, err, epoch)
			}
		}
		timer.Reset(h.pause(set, last))
	}
}

// pause is the time to the next beat: the interval after one that was answered, a
// fraction of it otherwise, so that another server hears of us before the node
// counts as offline.
func (h *heartbeat) pause(set *settings, last time.Time) time.Duration {
	if time.Since(last) < set.heartbeat {
		return set.heartbeat
	}
	return max(set.heartbeat/5, 50*time.Millisecond)
}

// once sends one heartbeat and follows the corrections of its answer.
func (h *heartbeat) once(ctx context.Context, set *settings) error {
	present := h.stream.number() // a stream that opens meanwhile is not the one that is missed
	beat := h.book.beat()
	beat.Node, beat.Group, beat.Incarnation = h.cfg.Name, h.cfg.Group, h.incarnation
	beat.CPU, beat.Memory = h.load.read()
	body, err := json.Marshal(beat)
	if err != nil {
		return fmt.Errorf("encoding a heartbeat: %w", err)
	}
	var answer wire.HeartbeatAnswer
	// A server that hangs must not keep us from telling another one in time.
	timeout := min(max(set.heartbeat, time.Second), callTimeout)
	if err := h.link.Post(ctx, timeout, wire.PathHeartbeat, body, &answer); err != nil {
		return err
	}
	h.refused.Store(0)
	if answer.Settings != nil {
		h.apply(*answer.Settings)
	}
	h.drain(answer.Draining)
	h.cancelAll(answer.Cancel)
	if answer.Reconnect {
		h.stream.drop(present)
	}
	return nil
}
