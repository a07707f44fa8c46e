package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	maxCause    = 1024 // characters of the reason why a stuck handler was to stop
	maxStuckFor = 366 * 24 * time.Hour
	taskIDBytes = 26
)

// checkStuck checks what a heartbeat tells of stuck handlers: that it can be kept.
func checkStuck(list []wire.StuckAttempt) error {
	if len(list) > wire.MaxStuckListed {
		return refuse(wire.CodeInvalid, "stuckAttempts", "%d stuck attempts are listed: list at most %d.", len(list), wire.MaxStuckListed)
	}
	for i, s := range list {
		if len(s.Task) != taskIDBytes || s.Attempt < 1 || s.ForMS < 0 || utf8.RuneCountInString(s.Handler) > maxShown {
			return refuse(wire.CodeInvalid, fmt.Sprintf("stuckAttempts.%d", i),
				"It names no attempt: give the task's id, its attempt from 1, the handler with at most %d characters, and forMs from 0.", maxShown)
		}
	}
	return nil
}

// setStuck notes which handlers of a node do not end, when that has changed, and says
// whether it has. It is rare, so it has a write of its own. The instant of each stays
// what was noted first: heartbeats say how long, by clocks of their own.
func (r *Registry) setStuck(ctx context.Context, n *models.Node, list []wire.StuckAttempt) (changed bool, err error) {
	if len(list) == 0 && len(n.StuckAttempts) == 0 {
		return false, nil
	}
	var noted []models.StuckAttempt
	_ = json.Unmarshal(n.StuckAttempts, &noted) // what was written here; nothing means none
	before := make(map[wire.AttemptRef]models.StuckAttempt, len(noted))
	for _, s := range noted {
		before[wire.AttemptRef{Task: s.TaskID, Attempt: s.Attempt}] = s
	}
	now := make([]models.StuckAttempt, 0, len(list))
	same := len(list) == len(noted)
	for _, s := range list {
		old, known := before[wire.AttemptRef{Task: s.Task, Attempt: s.Attempt}]
		if !known || old.Stack == "" && s.Stack != "" {
			same = false
			old = r.stuckOf(s)
		}
		now = append(now, old)
	}
	if same {
		return false, nil
	}
	var text json.RawMessage
	if len(now) > 0 {
		text, _ = json.Marshal(now) // texts, numbers and instants always marshal
	}
	if _, err := r.cfg.Ledger.SetNodeStuck(ctx, n.ID, n.Incarnation, text); err != nil {
		return false, fmt.Errorf("noting the stuck handlers of node %s: %w", n.Name, err)
	}
	n.StuckAttempts = text
	return true, nil
}

func (r *Registry) stuckOf(s wire.StuckAttempt) models.StuckAttempt {
	return models.StuckAttempt{
		TaskID: s.Task, Attempt: s.Attempt, Handler: s.Handler,
		Since: r.cfg.Clock.Now().Add(-min(time.Duration(s.ForMS)*time.Millisecond, maxStuckFor)).UTC(),
		Cause: r.cfg.Mask(cutTo(s.Cause, maxCause)), Stack: r.cfg.Mask(cutTo(s.Stack, wire.MaxStuckStack)),
	}
}
