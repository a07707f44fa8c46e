package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// WatchKey is the key of a condition in alert_watch.
type WatchKey struct {
	Kind    models.AlertEventKind
	Subject string
	RuleID  string // empty: of no rule
}

// AlertWatches answers all conditions that were told and are not over. There are as many
// as things are wrong.
func (s *Store) AlertWatches(ctx context.Context) ([]models.AlertWatch, error) {
	return list[models.AlertWatch](s.read(ctx).Order("kind, subject, rule_id"), "conditions that were told")
}

// RecordAlerts writes what a watcher has found in one transaction: opened conditions with
// their events, and cleared ones with theirs. A condition that is open already is told
// again only when it has begun anew since; one that is not open is not cleared. So it may
// be repeated, and of two watchers one tells. Errors: DeposedError.
func (s *Store) RecordAlerts(ctx context.Context, fence Fence, opened, cleared []models.AlertEvent) error {
	if len(opened)+len(cleared) == 0 {
		return nil
	}
	return s.write(ctx, fmt.Sprintf("recording %d conditions", len(opened)+len(cleared)), func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		known, err := s.lockWatches(tx, append(watchKeysOf(opened), watchKeysOf(cleared)...))
		if err != nil {
			return err
		}
		var events []models.AlertEvent
		var rows []models.AlertWatch
		var gone []WatchKey
		for i := range opened {
			e := opened[i]
			if row, open := known[watchKeyOf(&e)]; !open || sinceOf(&e).After(row.Since) {
				events = append(events, e)
				rows = append(rows, watchOf(&e))
			}
		}
		for i := range cleared {
			e := cleared[i]
			if _, open := known[watchKeyOf(&e)]; open {
				events = append(events, e)
				gone = append(gone, watchKeyOf(&e))
			}
		}
		if err := s.closeWatches(tx, gone); err != nil {
			return err
		}
		if err := s.openWatches(tx, rows); err != nil {
			return err
		}
		return s.insertAlertEvents(tx, events)
	})
}

func watchKeysOf(events []models.AlertEvent) []WatchKey {
	keys := make([]WatchKey, len(events))
	for i := range events {
		keys[i] = watchKeyOf(&events[i])
	}
	return keys
}

func watchKeyOf(e *models.AlertEvent) WatchKey {
	key := WatchKey{Kind: e.Kind, Subject: e.Subject}
	if e.RuleID != nil {
		key.RuleID = *e.RuleID
	}
	return key
}

// watchOf is the condition that an event opens.
func watchOf(e *models.AlertEvent) models.AlertWatch {
	key := watchKeyOf(e)
	return models.AlertWatch{Kind: key.Kind, Subject: key.Subject, RuleID: key.RuleID, Since: sinceOf(e), Detail: e.Detail}
}

func sortWatchKeys(keys []WatchKey) {
	slices.SortFunc(keys, func(a, b WatchKey) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Subject, b.Subject), strings.Compare(a.RuleID, b.RuleID))
	})
}

// watchesAtOnce bounds the keys in one statement.
const watchesAtOnce = 100

// eachWatch calls do with a condition on the key and its arguments, some keys at a time.
func eachWatch(keys []WatchKey, do func(where string, args []any) error) error {
	sortWatchKeys(keys)
	const one = "(kind = ? AND subject = ? AND rule_id = ?)"
	for chunk := range chunks(slices.Compact(keys), watchesAtOnce) {
		args := make([]any, 0, 3*len(chunk))
		for _, k := range chunk {
			args = append(args, k.Kind, k.Subject, k.RuleID)
		}
		if err := do(one+strings.Repeat(" OR "+one, len(chunk)-1), args); err != nil {
			return err
		}
	}
	return nil
}

// lockWatches answers those of some conditions that are open, and locks their rows.
func (s *Store) lockWatches(tx *gorm.DB, keys []WatchKey) (map[WatchKey]models.AlertWatch, error) {
	found := map[WatchKey]models.AlertWatch{}
	err := eachWatch(keys, func(where string, args []any) error {
		rows, err := query(tx, "SELECT kind, subject, rule_id, since, detail FROM alert_watch"+s.dialect.byKey()+" WHERE "+where+s.dialect.lockRows(), args...)
		if err != nil {
			return err
		}
		return scan(rows, func() error {
			var w models.AlertWatch
			err := rows.Scan(&w.Kind, &w.Subject, &w.RuleID, &w.Since, &w.Detail)
			w.Since = w.Since.UTC()
			found[WatchKey{w.Kind, w.Subject, w.RuleID}] = w
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for conditions that were told: %w", err)
	}
	return found, nil
}

func (s *Store) openWatches(tx *gorm.DB, watches []models.AlertWatch) error {
	slices.SortFunc(watches, func(a, b models.AlertWatch) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Subject, b.Subject), strings.Compare(a.RuleID, b.RuleID))
	})
	rows := make([][]any, len(watches))
	for i, w := range watches {
		rows[i] = []any{w.Kind, w.Subject, w.RuleID, clock.Cut(w.Since), cmp.Or(w.Detail, "{}")}
	}
	columns := []string{"kind", "subject", "rule_id", "since", "detail"}
	if err := s.insertRows(tx, "alert_watch", columns, rows, s.dialect.onConflict("kind, subject, rule_id", anew(columns[3:])...)); err != nil {
		return fmt.Errorf("noting %d conditions: %w", len(rows), err)
	}
	return nil
}

func (s *Store) closeWatches(tx *gorm.DB, keys []WatchKey) error {
	err := eachWatch(keys, func(where string, args []any) error {
		_, err := exec(tx, s.dialect.deleteByKey("alert_watch")+" WHERE "+where, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("taking %d conditions out: %w", len(keys), err)
	}
	return nil
}
