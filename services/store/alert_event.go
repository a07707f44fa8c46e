package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// OnAlertEvents has told called after each commit that wrote alert events. It must return
// quickly, and is set once, before the store is used.
func (s *Store) OnAlertEvents(told func(ctx context.Context)) { s.alerted = told }

// alertErrorLimit is how many characters of an error an event keeps.
const alertErrorLimit = 1000

var alertEventColumns = []string{
	"id", "kind", "cleared", "at", "app_id", "group_id", "job_id", "task_id", "node_id", "server_id", "attempt", "subject", "error", "detail", "rule_id",
}

// insertAlertEvents writes events in the transaction that causes them, and gives them
// their ids in the order of their instants.
func (s *Store) insertAlertEvents(tx *gorm.DB, events []models.AlertEvent) error {
	if len(events) == 0 {
		return nil
	}
	slices.SortStableFunc(events, func(a, b models.AlertEvent) int { return a.At.Compare(b.At) })
	rows := make([][]any, len(events))
	for i, id := range s.events.Next(s.clock.Now(), len(events)) {
		e := &events[i]
		e.ID, e.At, e.Error = id, clock.Cut(e.At), cutChars(e.Error, alertErrorLimit)
		rows[i] = []any{
			e.ID, e.Kind, e.Cleared, e.At, e.AppID, e.GroupID, e.JobID, e.TaskID, e.NodeID, e.ServerID, e.Attempt,
			e.Subject, e.Error, cmp.Or(e.Detail, "{}"), e.RuleID,
		}
	}
	if err := s.insertRows(tx, "alert_events", alertEventColumns, rows, ""); err != nil {
		return fmt.Errorf("writing %d alert events: %w", len(rows), err)
	}
	notesOf(tx).alerted()
	return nil
}

// UnhandledAlertEvents answers events that are not part of incidents yet, the first
// written first.
func (s *Store) UnhandledAlertEvents(ctx context.Context, limit int) ([]models.AlertEvent, error) {
	return list[models.AlertEvent](s.read(ctx).Table("alert_events"+s.dialect.forceIndex("alert_events_unhandled")).
		Where("unhandled = 1").Order("id").Limit(limit), "alert events to be handled")
}

// markAlertEvents notes that events are part of incidents now, in the transaction that
// made them so.
func (s *Store) markAlertEvents(tx *gorm.DB, ids []string) error {
	ids = slices.Sorted(slices.Values(ids))
	for chunk := range chunks(ids, inLimit) {
		_, err := exec(tx, "UPDATE alert_events"+s.dialect.byKey()+" SET unhandled = NULL WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return fmt.Errorf("marking %d alert events as handled: %w", len(ids), err)
		}
	}
	return nil
}

// AlertEventsBetween answers events, handled or not, that were written from an instant
// on and before another, in order of their ids, those after the id after.
func (s *Store) AlertEventsBetween(ctx context.Context, from, to time.Time, after string, limit int) ([]models.AlertEvent, error) {
	after = max(after, models.LowestID(from))
	return list[models.AlertEvent](s.read(ctx).Table("alert_events"+s.dialect.byKey()).
		Where("id > ? AND id < ?", after, models.LowestID(to)).Order("id").Limit(limit), "alert events")
}

// PruneAlertEvents deletes the oldest events that were written before an instant, up to
// limit, and answers how many there were.
func (s *Store) PruneAlertEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	var pruned int
	err := s.write(ctx, "deleting old alert events", func(tx *gorm.DB) error {
		ids, err := readIDs(tx, "SELECT id FROM alert_events"+s.dialect.byKey()+" WHERE id < ? ORDER BY id LIMIT ?", models.LowestID(before), limit)
		if err != nil {
			return err
		}
		for chunk := range chunks(ids, inLimit) {
			_, err := exec(tx, s.dialect.deleteByKey("alert_events")+" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
			if err != nil {
				return err
			}
		}
		pruned = len(ids)
		return nil
	})
	return pruned, err
}
