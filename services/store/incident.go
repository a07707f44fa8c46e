package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// IncidentKeys says which incidents a transaction works on.
type IncidentKeys struct {
	IDs          []string
	Fingerprints []string  // the one that is open, and those that ended after Since
	Since        time.Time // of Fingerprints
	// Rules are the versions that the work is decided by; nil: none is checked.
	Rules map[string]int
	// Group is the rule and the channel whose AlertGroup is wanted.
	Group *models.AlertGroup
}

// IncidentsHeld are the incidents that a transaction works on, locked, with what is
// pending of them.
type IncidentsHeld struct {
	Incidents []models.Incident     // oldest first
	Pending   []models.AlertPending // oldest first
	Group     models.AlertGroup     // empty when it was not told anything yet
}

// IncidentBooks are what a transaction writes.
type IncidentBooks struct {
	Made, Changed []models.Incident
	Entries       []models.IncidentEntry
	Pending       []models.AlertPending
	Dropped       []string         // pending rows that are withdrawn or told
	Postponed     time.Time        // unless zero: what is pending of PostponedKey waits until then
	PostponedKey  string           //
	Handled       []string         // events that are part of incidents now
	Held          map[string]int64 // messages held back, by silence
	Group         *models.AlertGroup
	Notifications []models.Notification
	Audits        []models.Audit
}

// WorkIncidents reads incidents under locks, lets work decide, and writes its decision, in
// one transaction under the fence. Work may be called several times and starts afresh each
// time. Errors: DeposedError, ErrRulesMoved, those of work.
func (s *Store) WorkIncidents(ctx context.Context, fence Fence, keys IncidentKeys, work func(*IncidentsHeld) (*IncidentBooks, error)) error {
	return s.write(ctx, "working on incidents", func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		if err := s.checkRules(tx, keys.Rules); err != nil {
			return err
		}
		held, err := s.holdIncidents(tx, &keys)
		if err != nil {
			return err
		}
		books, err := work(held)
		if err != nil || books == nil {
			return err
		}
		return s.writeIncidents(tx, books)
	})
}

func (s *Store) holdIncidents(tx *gorm.DB, keys *IncidentKeys) (*IncidentsHeld, error) {
	held := &IncidentsHeld{}
	ranges := []struct {
		table, where string // by an index: a scan under locks would wait for whoever works on others
		keys         []string
		more         []any
	}{
		{"incidents" + s.dialect.byKey(), "id IN ?", keys.IDs, nil},
		{"incidents" + s.dialect.forceIndex("incidents_open"), "open_key IN ?", keys.Fingerprints, nil},
		{"incidents" + s.dialect.forceIndex("incidents_fingerprint"), "fingerprint IN ? AND resolved_at > ?", keys.Fingerprints, []any{clock.Cut(keys.Since)}},
	}
	seen := map[string]bool{}
	for _, r := range ranges {
		wanted := slices.Compact(slices.Sorted(slices.Values(r.keys)))
		for chunk := range chunks(wanted, inLimit) {
			rows, err := list[models.Incident](s.locked(tx).Table(r.table).Where(r.where, append([]any{chunk}, r.more...)...), "incidents")
			if err != nil {
				return nil, err
			}
			for i := range rows {
				if !seen[rows[i].ID] {
					seen[rows[i].ID] = true
					held.Incidents = append(held.Incidents, rows[i])
				}
			}
		}
	}
	slices.SortFunc(held.Incidents, func(a, b models.Incident) int { return strings.Compare(a.ID, b.ID) })
	for chunk := range chunks(slices.Sorted(maps.Keys(seen)), inLimit) {
		rows, err := list[models.AlertPending](tx.Table("alert_pending"+s.dialect.forceIndex("alert_pending_incident")).Where("incident_id IN ?", chunk), "what is pending of incidents")
		if err != nil {
			return nil, err
		}
		held.Pending = append(held.Pending, rows...)
	}
	slices.SortFunc(held.Pending, func(a, b models.AlertPending) int { return strings.Compare(a.ID, b.ID) })
	return held, s.holdGroup(tx, keys, held)
}

func (s *Store) holdGroup(tx *gorm.DB, keys *IncidentKeys, held *IncidentsHeld) error {
	if keys.Group == nil {
		return nil
	}
	rows, err := list[models.AlertGroup](s.locked(tx).Where("rule_id = ? AND channel_id = ?", keys.Group.RuleID, keys.Group.ChannelID), "what a channel was told")
	if err != nil {
		return err
	}
	held.Group = *keys.Group
	if len(rows) > 0 {
		held.Group = rows[0]
	}
	return nil
}

// writeIncidents writes what a transaction has decided.
func (s *Store) writeIncidents(tx *gorm.DB, b *IncidentBooks) error {
	if err := s.writeIncidentRows(tx, b); err != nil {
		return err
	}
	if err := s.writePending(tx, b); err != nil {
		return err
	}
	if len(b.Handled) > 0 {
		if err := s.markAlertEvents(tx, b.Handled); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.Held)) {
		if _, err := exec(tx, "UPDATE silences SET suppressed = suppressed + ? WHERE id = ?", b.Held[id], id); err != nil {
			return fmt.Errorf("counting what a silence held back: %w", err)
		}
	}
	if len(b.Notifications) > 0 {
		if err := s.AddNotifications(tx, b.Notifications); err != nil {
			return err
		}
	}
	if b.Group != nil {
		if err := s.writeAlertGroup(tx, b.Group); err != nil {
			return err
		}
	}
	for i := range b.Audits {
		if err := insertAudit(tx, &b.Audits[i]); err != nil {
			return err
		}
	}
	return nil
}

var incidentColumns = []string{
	"id", "rule_id", "rule_name", "event", "condition_data", "subject", "fingerprint", "open_key", "title", "severity", "state", "flapping",
	"silence_id", "app_id", "group_id", "job_id", "node_id", "server_id", "opened_at", "last_at", "count", "event_entries", "entries",
	"acknowledged_at", "acknowledged_by", "resolved_at", "resolution", "recovered", "last_task_id", "last_attempt", "last_error", "last_detail",
	"told", "flips", "escalate_at", "repeat_at", "check_at", "next_at",
}

func incidentValues(i *models.Incident) []any {
	return []any{
		i.ID, i.RuleID, cutChars(i.RuleName, nameLimit), i.Event, encoded(i.Condition), cutChars(i.Subject, nameLimit), i.Fingerprint, i.OpenKey,
		cutChars(i.Title, nameLimit), i.Severity, i.State, i.Flapping, i.SilenceID, i.AppID, i.GroupID, i.JobID, i.NodeID, i.ServerID,
		clock.Cut(i.OpenedAt), clock.Cut(i.LastAt), i.Count, i.EventEntries, i.Entries, cutTime(i.AcknowledgedAt), cutChars(i.AcknowledgedBy, nameLimit),
		cutTime(i.ResolvedAt), cutChars(i.Resolution, lineLimit), i.Recovered, i.LastTaskID, i.LastAttempt, cutChars(i.LastError, lineLimit), valid(i.LastDetail),
		encoded(i.Told), encoded(i.Flips), cutTime(i.EscalateAt), cutTime(i.RepeatAt), cutTime(i.CheckAt), cutTime(i.NextAt),
	}
}

// encoded is a value as a JSON document in its column.
func encoded(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // texts, numbers and instants always marshal
	}
	return string(raw)
}

func (s *Store) writeIncidentRows(tx *gorm.DB, b *IncidentBooks) error {
	made := make([][]any, 0, len(b.Made))
	for i := range b.Made {
		made = append(made, incidentValues(&b.Made[i]))
	}
	if err := s.insertRows(tx, "incidents", incidentColumns, made, ""); err != nil {
		return fmt.Errorf("writing %d incidents: %w", len(made), err)
	}
	slices.SortFunc(b.Changed, func(x, y models.Incident) int { return strings.Compare(x.ID, y.ID) })
	for i := range b.Changed {
		set := strings.Join(incidentColumns[1:], " = ?, ") + " = ?"
		values := incidentValues(&b.Changed[i])
		if _, err := exec(tx, "UPDATE incidents SET "+set+" WHERE id = ?", append(values[1:], values[0])...); err != nil {
			return fmt.Errorf("writing an incident: %w", err)
		}
	}
	entries := make([][]any, 0, len(b.Entries))
	for i := range b.Entries {
		e := &b.Entries[i]
		entries = append(entries, []any{e.ID, e.IncidentID, clock.Cut(e.At), e.Kind, cutChars(e.Message, lineLimit), e.TaskID, e.Attempt, e.NodeID, cutChars(e.Actor, nameLimit)})
	}
	columns := []string{"id", "incident_id", "at", "kind", "message", "task_id", "attempt", "node_id", "actor"}
	if err := s.insertRows(tx, "incident_entries", columns, entries, ""); err != nil {
		return fmt.Errorf("writing %d entries of incidents: %w", len(entries), err)
	}
	return nil
}

func (s *Store) writePending(tx *gorm.DB, b *IncidentBooks) error {
	for chunk := range chunks(slices.Sorted(slices.Values(b.Dropped)), inLimit) {
		if _, err := exec(tx, s.dialect.deleteByKey("alert_pending")+" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...); err != nil {
			return fmt.Errorf("deleting what is pending: %w", err)
		}
	}
	rows := make([][]any, 0, len(b.Pending))
	for i := range b.Pending {
		p := &b.Pending[i]
		rows = append(rows, []any{p.ID, p.IncidentID, p.RuleID, p.ChannelID, p.Notice, p.Severity, p.Digest, p.GroupKey, clock.Cut(p.DueAt), encoded(p.People), clock.Cut(p.CreatedAt)})
	}
	columns := []string{"id", "incident_id", "rule_id", "channel_id", "notice", "severity", "digest", "group_key", "due_at", "people", "created_at"}
	if err := s.insertRows(tx, "alert_pending", columns, rows, ""); err != nil {
		return fmt.Errorf("writing what is pending: %w", err)
	}
	if b.Postponed.IsZero() {
		return nil
	}
	at := clock.Cut(b.Postponed)
	if _, err := exec(tx, "UPDATE alert_pending SET due_at = ? WHERE group_key = ? AND due_at < ?", at, b.PostponedKey, at); err != nil {
		return fmt.Errorf("putting off what is pending: %w", err)
	}
	return nil
}

func (s *Store) writeAlertGroup(tx *gorm.DB, g *models.AlertGroup) error {
	row := [][]any{{g.RuleID, g.ChannelID, encoded(g.Last), encoded(g.Sent), g.Suppressed}}
	suffix := s.dialect.onConflict("rule_id, channel_id", "last = new(last)", "sent = new(sent)", "suppressed = new(suppressed)")
	if err := s.insertRows(tx, "alert_groups", []string{"rule_id", "channel_id", "last", "sent", "suppressed"}, row, suffix); err != nil {
		return fmt.Errorf("noting what a channel was told: %w", err)
	}
	return nil
}
