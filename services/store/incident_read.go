package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// IncidentFilter chooses incidents; empty fields choose all.
type IncidentFilter struct {
	States                        []models.IncidentState
	Severities                    []models.Severity
	Events                        []models.AlertEventKind
	AppID, GroupID, JobID, RuleID string
	Within                        []string   // only of these apps; nil: of all
	From, To                      *time.Time // opened first at or after, and before
}

// Incident answers one incident. Fault: NOT_FOUND.
func (s *Store) Incident(ctx context.Context, id string) (models.Incident, error) {
	return one[models.Incident](s.read(ctx).Where("id = ?", id), "incident "+id)
}

// IncidentsByIDs answers the incidents that exist among ids, in no order.
func (s *Store) IncidentsByIDs(ctx context.Context, ids []string) ([]models.Incident, error) {
	var all []models.Incident
	for chunk := range chunks(ids, inLimit) {
		rows, err := byIDs[models.Incident](s.read(ctx), chunk, "incidents")
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// IncidentPage answers a page of incidents, newest first; positions are ids. Fault:
// INVALID.
func (s *Store) IncidentPage(ctx context.Context, f IncidentFilter, p Page) ([]models.Incident, PageInfo, error) {
	return newestOf(ctx, s, "incidents", f.ranges(), f.restrict, p, func(i *models.Incident) string { return i.ID })
}

var (
	incidentStates = []models.IncidentState{models.IncidentOpen, models.IncidentAcknowledged, models.IncidentResolved}
	allSeverities  = []models.Severity{models.SeverityInfo, models.SeverityWarning, models.SeverityCritical}
)

// ranges are those in which the filter's incidents are found by looking at the fewest:
// those of a job or a rule, then those that are not resolved, which are few.
func (f *IncidentFilter) ranges() []ordered {
	unresolved := len(f.States) > 0 && !slices.Contains(f.States, models.IncidentResolved)
	states := orAll(f.States, incidentStates)
	switch {
	case f.JobID != "":
		return by(from("incidents_job"), "job_id", []string{f.JobID})
	case f.RuleID != "":
		return by(by(from("incidents_rule"), "rule_id", []string{f.RuleID}), "state", states)
	case len(f.Severities) > 0 && (unresolved || f.GroupID == "" && f.AppID == ""):
		return by(by(from("incidents_state"), "state", states), "severity", orAll(f.Severities, allSeverities))
	case unresolved:
		return by(from("incidents_newest"), "state", states)
	case f.GroupID != "":
		return by(from("incidents_group"), "group_id", []string{f.GroupID})
	case f.AppID != "":
		return by(from("incidents_app"), "app_id", []string{f.AppID})
	case len(f.Events) > 0:
		return by(from("incidents_event"), "event", orAll(f.Events, nil))
	case len(f.States) > 0:
		return by(from("incidents_newest"), "state", states)
	}
	return from("")
}

// restrict adds what a range does not know of the filter to its query.
func (f *IncidentFilter) restrict(q *gorm.DB, r *ordered) *gorm.DB {
	for _, c := range []struct {
		column string
		given  bool
		value  any
	}{
		{"state", len(f.States) > 0, f.States},
		{"severity", len(f.Severities) > 0, f.Severities},
		{"event", len(f.Events) > 0, f.Events},
		{"app_id", f.AppID != "", []string{f.AppID}},
		{"group_id", f.GroupID != "", []string{f.GroupID}},
		{"job_id", f.JobID != "", []string{f.JobID}},
		{"rule_id", f.RuleID != "", []string{f.RuleID}},
	} {
		if c.given && !r.knows(c.column) {
			q = q.Where(c.column+" IN ?", c.value)
		}
	}
	if f.Within != nil {
		q = q.Where("app_id IN ?", f.Within)
	}
	if f.From != nil {
		q = q.Where("id >= ?", models.LowestID(*f.From))
	}
	if f.To != nil {
		q = q.Where("id < ?", models.LowestID(*f.To))
	}
	return q
}

// IncidentEntries answers a page of an incident's timeline, oldest first; positions are
// ids. Fault: INVALID.
func (s *Store) IncidentEntries(ctx context.Context, incidentID string, p Page) ([]models.IncidentEntry, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	q := s.read(ctx).Table("incident_entries"+s.dialect.forceIndex("incident_entries_incident")).Where("incident_id = ?", incidentID).Limit(n + 1)
	if p.After != "" {
		q = q.Where("id > ?", p.After)
	}
	if p.Before != "" {
		q = q.Where("id < ?", p.Before)
	}
	order := "id"
	if backward {
		order = "id DESC"
	}
	rows, err := list[models.IncidentEntry](q.Order(order), "the timeline of an incident")
	if err != nil {
		return nil, PageInfo{}, err
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}

// IncidentCounts are how many incidents are not resolved.
type IncidentCounts struct {
	Open, Acknowledged int // by state
	Critical           int // of both
}

// CountIncidents counts the incidents that are not resolved, of some apps or, with nil, all.
func (s *Store) CountIncidents(ctx context.Context, within []string) (IncidentCounts, error) {
	var c IncidentCounts
	var where conditions
	where.add("state IN (?, ?)", models.IncidentOpen, models.IncidentAcknowledged)
	if within != nil {
		if len(within) == 0 {
			return c, nil
		}
		where.add("app_id IN ("+marks(len(within))+")", anys(within)...)
	}
	rows, err := query(s.read(ctx), "SELECT state, severity, COUNT(*) FROM incidents"+where.where()+" GROUP BY state, severity", where.args...)
	if err != nil {
		return c, fmt.Errorf("counting incidents: %w", err)
	}
	err = scan(rows, func() error {
		var state models.IncidentState
		var severity models.Severity
		var n int
		if err := rows.Scan(&state, &severity, &n); err != nil {
			return err
		}
		if state == models.IncidentOpen {
			c.Open += n
		} else {
			c.Acknowledged += n
		}
		if severity == models.SeverityCritical {
			c.Critical += n
		}
		return nil
	})
	if err != nil {
		return c, fmt.Errorf("counting incidents: %w", err)
	}
	return c, nil
}

// CountIncidentsByRule answers how many incidents of each of these rules are not resolved;
// rules without any are left out.
func (s *Store) CountIncidentsByRule(ctx context.Context, ruleIDs []string) (map[string]int, error) {
	if len(ruleIDs) == 0 {
		return map[string]int{}, nil
	}
	return counts(s.read(ctx).Model(&models.Incident{}).Select("rule_id AS k, COUNT(*) AS n").
		Where("rule_id IN ? AND state IN (?, ?)", ruleIDs, models.IncidentOpen, models.IncidentAcknowledged).Group("rule_id"), "open incidents")
}

// OpenIncidents answers the incidents that are not resolved, by id, those after the id
// after.
func (s *Store) OpenIncidents(ctx context.Context, after string, limit int) ([]models.Incident, error) {
	var all []models.Incident
	for _, state := range []models.IncidentState{models.IncidentOpen, models.IncidentAcknowledged} {
		rows, err := list[models.Incident](s.read(ctx).Table("incidents"+s.dialect.forceIndex("incidents_newest")).Where("state = ? AND id > ?", state, after).Order("id").Limit(limit), "open incidents")
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b models.Incident) int { return strings.Compare(a.ID, b.ID) })
	return all[:min(len(all), limit)], nil
}

// IncidentsDue answers the incidents with something due at an instant, the first due
// first.
func (s *Store) IncidentsDue(ctx context.Context, at time.Time, limit int) ([]models.Incident, error) {
	return list[models.Incident](s.read(ctx).Table("incidents"+s.dialect.forceIndex("incidents_next")).Where("next_at <= ?", clock.Cut(at)).Order("next_at").Limit(limit), "incidents that are due")
}

// PendingDue answers one of the pending rows of each group with something due at an
// instant, the first due first; it looks at the first scan due rows.
func (s *Store) PendingDue(ctx context.Context, at time.Time, look int) ([]models.AlertPending, error) {
	rows, err := list[models.AlertPending](s.read(ctx).Table("alert_pending"+s.dialect.forceIndex("alert_pending_due")).Where("due_at <= ?", clock.Cut(at)).Order("due_at, id").Limit(look), "what is due to be told")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(rows, func(p models.AlertPending) bool {
		if seen[p.GroupKey] {
			return true
		}
		seen[p.GroupKey] = true
		return false
	}), nil
}

// PendingOfGroup answers the pending rows of a group, the first due first.
func (s *Store) PendingOfGroup(ctx context.Context, key string, limit int) ([]models.AlertPending, error) {
	return list[models.AlertPending](s.read(ctx).Table("alert_pending"+s.dialect.forceIndex("alert_pending_group")).Where("group_key = ?", key).Order("due_at, id").Limit(limit), "what a channel is to be told")
}

// CountPending answers how many pending rows there are, up to most.
func (s *Store) CountPending(ctx context.Context, most int) (int, error) {
	var n int
	if err := queryOne(s.read(ctx), &n, "SELECT COUNT(*) FROM (SELECT 1 FROM alert_pending LIMIT ?) p", most); err != nil {
		return 0, fmt.Errorf("counting what is pending: %w", err)
	}
	return n, nil
}

// PruneIncidents deletes incidents that ended before an instant, with their timelines, the
// first ended first, up to limit, and answers how many there were.
func (s *Store) PruneIncidents(ctx context.Context, before time.Time, limit int) (int, error) {
	var pruned int
	err := s.write(ctx, "deleting old incidents", func(tx *gorm.DB) error {
		ids, err := readIDs(tx, "SELECT id FROM incidents"+s.dialect.forceIndex("incidents_resolved")+" WHERE resolved_at < ? ORDER BY resolved_at LIMIT ?", clock.Cut(before), limit)
		if err != nil {
			return err
		}
		pruned = len(ids)
		for chunk := range chunks(slices.Sorted(slices.Values(ids)), inLimit) {
			for _, statement := range []string{
				"DELETE FROM incident_entries WHERE incident_id IN (", "DELETE FROM alert_pending WHERE incident_id IN (",
				s.dialect.deleteByKey("incidents") + " WHERE id IN (",
			} {
				if _, err := exec(tx, statement+marks(len(chunk))+")", anys(chunk)...); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return pruned, err
}

// NextAlert answers when something is due for an incident or a channel, at the earliest;
// the zero time for never.
func (s *Store) NextAlert(ctx context.Context) (time.Time, error) {
	var first time.Time
	for _, statement := range []string{
		"SELECT MIN(due_at) FROM alert_pending", "SELECT MIN(next_at) FROM incidents",
	} {
		var at instant
		if err := queryOne(s.read(ctx), &at, statement); err != nil {
			return first, fmt.Errorf("looking when something is due: %w", err)
		}
		if at.at != nil && (first.IsZero() || at.at.Before(first)) {
			first = *at.at
		}
	}
	return first, nil
}
