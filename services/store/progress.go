package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// AttemptProgress says what a running attempt did. Fields that are nil leave what
// is recorded.
type AttemptProgress struct {
	TaskID      string
	Attempt     int
	NodeID      string // with Incarnation, the process that says so; each empty: not checked
	Incarnation string
	StartedAt   *time.Time
	Fraction    *float64 // 0 to 1; comes with Message
	Message     string
	Checkpoint  json.RawMessage
}

// RecordProgress stores what attempts did, in one transaction, and answers for
// each item whether its attempt is the one that runs. Later items of an attempt
// overwrite earlier ones. No indexed column is touched.
func (s *Store) RecordProgress(ctx context.Context, items []AttemptProgress) ([]bool, error) {
	var accepted []bool
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].TaskID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	err := s.write(ctx, fmt.Sprintf("recording the progress of %d attempts", len(ids)), func(tx *gorm.DB) error {
		accepted = make([]bool, len(items))
		present, err := s.lockTasks(tx, ids, lightColumns)
		if err != nil {
			return err
		}
		changed := map[string]bool{}
		saved := map[string]json.RawMessage{}
		for i := range items {
			p, t := &items[i], present[items[i].TaskID]
			if t == nil || !p.concerns(t) {
				continue
			}
			accepted[i] = true
			changed[t.ID] = p.apply(t) || changed[t.ID]
			if len(p.Checkpoint) > 0 {
				saved[t.ID] = p.Checkpoint
			}
		}
		return s.writeProgress(tx, ids, present, changed, saved)
	})
	return accepted, err
}

func (p *AttemptProgress) concerns(t *models.Task) bool {
	if p.NodeID != "" && (t.NodeID == nil || *t.NodeID != p.NodeID) {
		return false
	}
	return t.State == models.TaskRunning && t.Attempt == p.Attempt && !t.Spread() && (p.Incarnation == "" || p.Incarnation == t.Incarnation)
}

// apply changes t and says whether anything but the checkpoint is new.
func (p *AttemptProgress) apply(t *models.Task) bool {
	if p.StartedAt != nil {
		t.StartedAt = cutTime(p.StartedAt)
	}
	if p.Fraction != nil && !math.IsNaN(*p.Fraction) {
		fraction := min(max(*p.Fraction, 0), 1)
		t.Progress, t.ProgressMessage = &fraction, cutChars(p.Message, lineLimit)
	}
	return p.StartedAt != nil || p.Fraction != nil
}

func (s *Store) writeProgress(tx *gorm.DB, ids []string, present map[string]*models.Task, changed map[string]bool, saved map[string]json.RawMessage) error {
	var rows, checkpoints [][]any
	for _, id := range ids {
		if changed[id] {
			t := present[id]
			rows = append(rows, []any{id, t.StartedAt, t.Progress, t.ProgressMessage})
		}
		if raw, ok := saved[id]; ok {
			checkpoints = append(checkpoints, []any{id, document(raw)})
		}
	}
	running := stateIn(models.TaskRunning)
	u := update{table: "tasks", key: "id", set: []string{"started_at", "progress", "progress_message"}, guard: running}
	if err := s.updateLocked(tx, u, rows); err != nil {
		return fmt.Errorf("writing the progress of %d attempts: %w", len(rows), err)
	}
	u = update{table: "tasks", key: "id", set: []string{"checkpoint"}, guard: running}
	if err := s.updateLocked(tx, u, checkpoints); err != nil {
		return fmt.Errorf("writing %d checkpoints: %w", len(checkpoints), err)
	}
	return nil
}

// mostRefusals bounds what a worker that repeats itself can write about one task.
const mostRefusals = 100

// RecordRefusal keeps a late report for the task's timeline, up to 100 a task;
// later ones are dropped, as is one for a task that does not exist.
func (s *Store) RecordRefusal(ctx context.Context, r models.Refusal) error {
	r.At, r.Message, r.NodeName = clock.Cut(r.At), cutChars(r.Message, lineLimit), cutChars(r.NodeName, nameLimit)
	err := s.write(ctx, "recording a refused report", func(tx *gorm.DB) error {
		// The task's lock keeps two writers from both finding the last place free.
		present, err := s.lockTasks(tx, []string{r.TaskID}, lightColumns)
		if err != nil || present[r.TaskID] == nil {
			return err
		}
		var n int64
		if err := queryOne(tx, &n, "SELECT COUNT(*) FROM refusals WHERE task_id = ?", r.TaskID); err != nil {
			return fmt.Errorf("counting refusals: %w", err)
		}
		if n >= mostRefusals {
			return nil
		}
		return tx.Create(&r).Error
	})
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return nil // a repeat
	}
	return err
}
