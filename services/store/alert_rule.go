package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// ErrRulesMoved says that a rule was edited, switched or deleted between being read and
// the incidents being written: read the rules again and repeat.
var ErrRulesMoved = errors.New("an alert rule has just been changed")

// CreateAlertRule makes a rule. Faults: TAKEN (name), LIMIT.
func (s *Store) CreateAlertRule(ctx context.Context, r models.AlertRule, audit models.Audit) error {
	return s.write(ctx, "creating an alert rule", func(tx *gorm.DB) error {
		var n int64
		if err := tx.Model(&models.AlertRule{}).Count(&n).Error; err != nil {
			return err
		}
		if n >= models.MaxAlertRules {
			return fault.New(fault.Limit, "There are %d alert rules, the most there can be; delete one first.", n)
		}
		if err := tx.Create(&r).Error; err != nil {
			return taken(err, r.Name, "another alert rule")
		}
		return insertAudit(tx, &audit)
	})
}

// RuleEdit is what an edit of a rule comes to.
type RuleEdit struct {
	Audit models.Audit
	// Over answers why an open incident of the rule is none by the new one, or nothing;
	// nil: all stay.
	Over func(*models.Incident) string
	At   time.Time
}

// UpdateAlertRule lets edit change a rule under a lock, counts its version up, closes the
// incidents that it does not know any more, and answers it with the incidents that were
// closed. An error of edit changes nothing. Faults: NOT_FOUND, TAKEN (name), those of edit.
func (s *Store) UpdateAlertRule(ctx context.Context, id string, edit func(*models.AlertRule) (RuleEdit, error)) (models.AlertRule, []string, error) {
	var r models.AlertRule
	var closed []string
	err := s.write(ctx, "changing an alert rule", func(tx *gorm.DB) error {
		closed = nil
		var err error
		if r, err = s.lockAlertRule(tx, id); err != nil {
			return err
		}
		was := stateOf(&r)
		change, err := edit(&r)
		if err != nil {
			return err
		}
		r.Version++
		spec, err := json.Marshal(r.Spec)
		if err != nil {
			return fmt.Errorf("writing the rule's document: %w", err)
		}
		const set = "UPDATE alert_rules SET name = ?, description = ?, enabled = ?, spec = ?, version = ?, updated_at = ? WHERE id = ?"
		if _, err = exec(tx, set, r.Name, r.Description, r.Enabled, document(spec), r.Version, clock.Cut(r.UpdatedAt), id); err != nil {
			return taken(err, r.Name, "another alert rule")
		}
		if change.Over != nil {
			if closed, err = s.closeIncidents(tx, id, change.At, change.Over); err != nil {
				return err
			}
		}
		change.Audit.Was = was
		return insertAudit(tx, &change.Audit)
	})
	return r, closed, err
}

// DeleteAlertRule deletes a rule, closes its open incidents and answers them. Fault:
// NOT_FOUND.
func (s *Store) DeleteAlertRule(ctx context.Context, id string, at time.Time, why string, audit models.Audit) (models.AlertRule, []string, error) {
	var r models.AlertRule
	var closed []string
	err := s.changing(ctx, "deleting an alert rule", &audit, func(tx *gorm.DB) error {
		var err error
		if r, err = s.lockAlertRule(tx, id); err != nil {
			return err
		}
		if closed, err = s.closeIncidents(tx, id, at, func(*models.Incident) string { return why }); err != nil {
			return err
		}
		if err := s.deleteSilencesOf(tx, id); err != nil {
			return err
		}
		for _, statement := range []string{"DELETE FROM alert_groups WHERE rule_id = ?", "DELETE FROM alert_rules WHERE id = ?"} {
			if _, err := exec(tx, statement, id); err != nil {
				return err
			}
		}
		return insertAudit(tx, &audit)
	})
	return r, closed, err
}

func (s *Store) lockAlertRule(tx *gorm.DB, id string) (models.AlertRule, error) {
	return one[models.AlertRule](s.locked(tx).Where("id = ?", id), "alert rule "+id)
}

// closeIncidents resolves the open incidents of a rule, for the reasons that over gives,
// withdraws what is pending of them, and answers their ids.
func (s *Store) closeIncidents(tx *gorm.DB, ruleID string, at time.Time, over func(*models.Incident) string) ([]string, error) {
	rows, err := list[models.Incident](s.locked(tx).Table("incidents"+s.dialect.forceIndex("incidents_rule")).
		Where("rule_id = ? AND state IN (?, ?)", ruleID, models.IncidentOpen, models.IncidentAcknowledged), "open incidents")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b models.Incident) int { return strings.Compare(a.ID, b.ID) })
	at = clock.Cut(at)
	books := &IncidentBooks{}
	var ids []string
	for i := range rows {
		why := over(&rows[i])
		if why == "" {
			continue
		}
		row := &rows[i]
		row.State, row.OpenKey, row.ResolvedAt, row.Resolution = models.IncidentResolved, nil, &at, why
		row.EscalateAt, row.RepeatAt, row.CheckAt, row.NextAt, row.Flapping = nil, nil, nil, nil, false
		row.Entries++
		ids = append(ids, row.ID)
		books.Changed = append(books.Changed, *row)
		books.Entries = append(books.Entries, models.IncidentEntry{ID: models.NewID(at), IncidentID: row.ID, At: at, Kind: models.EntryResolved, Message: why})
	}
	for chunk := range chunks(ids, inLimit) {
		if _, err := exec(tx, "DELETE FROM alert_pending WHERE incident_id IN ("+marks(len(chunk))+")", anys(chunk)...); err != nil {
			return nil, fmt.Errorf("withdrawing what is pending: %w", err)
		}
	}
	return ids, s.writeIncidents(tx, books)
}

// AlertRule answers one rule. Fault: NOT_FOUND.
func (s *Store) AlertRule(ctx context.Context, id string) (models.AlertRule, error) {
	return one[models.AlertRule](s.read(ctx).Where("id = ?", id), "alert rule "+id)
}

// AlertRules answers all rules by name; there are at most models.MaxAlertRules.
func (s *Store) AlertRules(ctx context.Context) ([]models.AlertRule, error) {
	return list[models.AlertRule](s.read(ctx).Order("name, id").Limit(mostListed), "alert rules")
}

// AlertRulesByIDs answers the rules that exist among ids, in no order.
func (s *Store) AlertRulesByIDs(ctx context.Context, ids []string) ([]models.AlertRule, error) {
	return byIDs[models.AlertRule](s.read(ctx), ids, "alert rules")
}

// checkRules keeps rules from being changed meanwhile and compares their versions with
// those that the caller decided by. Error: ErrRulesMoved.
func (s *Store) checkRules(tx *gorm.DB, versions map[string]int) error {
	if len(versions) == 0 {
		return nil
	}
	rows, err := query(tx, "SELECT id, version FROM alert_rules"+s.dialect.lockShared()) // all of them: there are few, and the order is one
	if err != nil {
		return fmt.Errorf("checking alert rules: %w", err)
	}
	found := 0
	moved := false
	err = scan(rows, func() error {
		var id string
		var version int
		if err := rows.Scan(&id, &version); err != nil {
			return err
		}
		if known, used := versions[id]; used {
			found++
			moved = moved || known != version
		}
		return nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("checking alert rules: %w", err)
	case moved || found < len(versions):
		return ErrRulesMoved
	}
	return nil
}
