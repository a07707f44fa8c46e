package store

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// desktop is a ledger in which the desk has worked for long.
type desktop struct {
	*testing.T
	*Store
	*world
	channel   models.AlertChannel
	incidents []models.Incident
}

// Some thousand incidents, most of them over, of a rule, jobs, a group and an app, with
// what else the desk keeps.
func newDesktop(t *testing.T, s *Store) *desktop {
	t.Helper()
	d := &desktop{T: t, Store: s, world: newWorld(t, s, 20), channel: alertChannel(t, s, "one")}
	const many = 1500
	b := &IncidentBooks{}
	for n := range many {
		i := incidentOf(n, fmt.Sprintf("%064d", n))
		job := &d.jobs[n%len(d.jobs)]
		i.JobID, i.GroupID, i.AppID = &job.ID, &job.GroupID, &job.AppID
		i.Event, i.Severity = models.AlertEventKinds[n%len(models.AlertEventKinds)], models.Severity(1+n%3)
		if at := i.OpenedAt.Add(time.Minute); n%30 != 0 {
			i.State, i.OpenKey, i.ResolvedAt, i.NextAt = models.IncidentResolved, nil, &at, nil
		} else if n%60 == 0 {
			i.State = models.IncidentAcknowledged
		}
		b.Made = append(b.Made, i)
		for k := range 2 {
			b.Entries = append(b.Entries, models.IncidentEntry{ID: models.NewID(t0), IncidentID: i.ID, At: t0, Kind: models.EntryOpened, Attempt: k})
		}
		b.Pending = append(b.Pending, models.AlertPending{
			ID: models.NewID(t0), IncidentID: i.ID, RuleID: i.RuleID, ChannelID: d.channel.ID, Notice: models.NoticeOpened, Severity: i.Severity,
			GroupKey: fmt.Sprint("group ", n%7), DueAt: t0.Add(time.Duration(n) * time.Second), CreatedAt: t0,
		})
		note := notification(d.channel.ID, t0.Add(time.Duration(n)*time.Second))
		note.State, note.RuleID, note.IncidentIDs = models.NotificationState(1+n%5), &i.RuleID, []string{i.ID, d.jobs[0].ID}
		b.Notifications = append(b.Notifications, note)
	}
	d.incidents = b.Made
	for at := 0; at < many; at += 500 {
		part := &IncidentBooks{
			Made: b.Made[at : at+500], Entries: b.Entries[2*at : 2*at+1000], Pending: b.Pending[at : at+500], Notifications: b.Notifications[at : at+500],
		}
		d.must(s.WorkIncidents(t.Context(), nil, IncidentKeys{}, func(*IncidentsHeld) (*IncidentBooks, error) { return part, nil }))
	}
	for range 40 {
		note := notification(d.channel.ID, t0)
		note.State = models.NotificationSent
		d.must(s.NoteTest(t.Context(), note, models.DeliveryTry{At: t0, Number: 1, Status: 200}, d.audit()))
	}
	for n := range 300 {
		ends := t0.Add(time.Duration(n-280) * time.Hour)
		row := models.Silence{ID: models.NewID(ends), Kind: models.SilenceMaintenance, Scope: models.AlertScope{Kind: models.ScopeAll}, StartsAt: ends.Add(-time.Hour), EndsAt: &ends, CreatedAt: t0}
		d.must(s.CreateSilence(t.Context(), row, t0, d.audit()))
	}
	statement := "ANALYZE"
	if s.dialect == mariadb {
		statement = "ANALYZE TABLE incidents, incident_entries, alert_pending, notifications, delivery_tries, notification_incidents, silences, alert_groups"
	}
	d.must(s.writer.WithContext(t.Context()).Exec(statement).Error)
	return d
}

func (d *desktop) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desktop) audit() models.Audit { return models.Audit{ID: models.NewID(t0), At: t0} }

// incidentFilters are all fields of the filter, alone and with others.
func (d *desktop) incidentFilters() map[string]IncidentFilter {
	from, to := t0.Add(time.Minute), t0.Add(20*time.Minute)
	all := map[string]IncidentFilter{}
	for name, f := range map[string]IncidentFilter{
		"all": {}, "time": {From: &from, To: &to},
		"app": {AppID: d.app.ID}, "group": {GroupID: d.group.ID}, "job": {JobID: d.jobs[1].ID}, "rule": {RuleID: models.DefaultAlertRule},
	} {
		for k, states := range [][]models.IncidentState{nil, {models.IncidentOpen, models.IncidentAcknowledged}, {models.IncidentResolved}} {
			for m, severities := range [][]models.Severity{nil, {models.SeverityCritical}} {
				for n, events := range [][]models.AlertEventKind{nil, {models.AlertLost, models.AlertNodeOffline}}[:2-m] {
					f.States, f.Severities, f.Events = states, severities, events
					all[fmt.Sprint(name, k, m, n)] = f
				}
			}
		}
	}
	return all
}

func (d *desktop) notificationFilters() map[string]NotificationFilter {
	all := map[string]NotificationFilter{}
	for name, f := range map[string]NotificationFilter{
		"all": {}, "time": {From: t0, To: t0.Add(time.Hour)}, "channel": {ChannelID: d.channel.ID}, "rule": {RuleID: models.DefaultAlertRule},
		"incident": {IncidentID: d.jobs[0].ID}, "channel and rule": {ChannelID: d.channel.ID, RuleID: models.DefaultAlertRule},
	} {
		for k, states := range [][]models.NotificationState{nil, {models.NotificationFailed}, {models.NotificationQueued, models.NotificationDropped}} {
			f.States = states
			all[fmt.Sprint(name, k)] = f
		}
	}
	return all
}

// reads calls all that reads incidents, what is pending, notifications and silences.
func (d *desktop) reads(ctx context.Context) {
	d.Helper()
	id, hour := d.incidents[100].ID, t0.Add(time.Hour)
	pages := []Page{{First: 50, After: id}, {Last: 50, Before: id}}
	for name, f := range d.incidentFilters() {
		for _, p := range pages {
			rows, _, err := d.IncidentPage(ctx, f, p)
			d.must(err)
			got := make([]string, len(rows))
			for i := range rows {
				got[i] = rows[i].ID
			}
			if diff := cmp.Diff(d.wantedIncidents(&f, p), got); diff != "" {
				d.Errorf("incidents %s, %+v (-want +got):\n%s", name, p, diff)
			}
		}
	}
	for _, f := range d.notificationFilters() {
		for _, p := range pages {
			_, _, err := d.NotificationPage(ctx, f, p)
			d.must(err)
		}
	}
	for name, read := range map[string]func() error{
		"entries":  func() error { _, _, err := d.IncidentEntries(ctx, id, pages[0]); return err },
		"back":     func() error { _, _, err := d.IncidentEntries(ctx, id, pages[1]); return err },
		"count":    func() error { _, err := d.CountIncidents(ctx, nil); return err },
		"by rule":  func() error { _, err := d.CountIncidentsByRule(ctx, []string{models.DefaultAlertRule}); return err },
		"open":     func() error { _, err := d.OpenIncidents(ctx, id, 200); return err },
		"due":      func() error { _, err := d.IncidentsDue(ctx, hour, 200); return err },
		"pending":  func() error { _, err := d.PendingDue(ctx, hour, 2000); return err },
		"of group": func() error { _, err := d.PendingOfGroup(ctx, "group 1", 5000); return err },
		"full":     func() error { _, err := d.CountPending(ctx, models.MaxPending); return err },
		"next":     func() error { _, err := d.NextAlert(ctx); return err },
		"ids":      func() error { _, err := d.IncidentsByIDs(ctx, []string{id}); return err },
		"silences": func() error { _, err := d.OpenSilences(ctx, t0); return err },
		"latest":   func() error { _, err := d.Silences(ctx); return err },
		"queues":   func() error { _, err := d.ChannelQueues(ctx); return err },
		"to send":  func() error { _, err := d.NotificationsDue(ctx, d.channel.ID, hour, 100); return err },
		"queued":   func() error { _, err := d.QueuedByChannel(ctx, []string{d.channel.ID}); return err },
		"tries":    func() error { _, err := d.DeliveryTries(ctx, []string{id}); return err },
		"told":     func() error { _, err := d.NotificationsOfIncidents(ctx, []string{id}, 20); return err },
	} {
		if err := read(); err != nil {
			d.Fatalf("%s: %v", name, err)
		}
	}
}

// wantedIncidents finds a page without the database.
func (d *desktop) wantedIncidents(f *IncidentFilter, p Page) []string {
	ids := []string{}
	for k := range d.incidents {
		i := &d.incidents[k]
		has := (len(f.States) == 0 || slices.Contains(f.States, i.State)) && (len(f.Severities) == 0 || slices.Contains(f.Severities, i.Severity)) &&
			(len(f.Events) == 0 || slices.Contains(f.Events, i.Event)) && (f.JobID == "" || f.JobID == *i.JobID) &&
			(f.From == nil || i.ID >= models.LowestID(*f.From)) && (f.To == nil || i.ID < models.LowestID(*f.To)) &&
			(p.After == "" || i.ID < p.After) && (p.Before == "" || i.ID > p.Before)
		if has { // all are of one app, group and rule
			ids = append(ids, i.ID)
		}
	}
	slices.Sort(ids)
	if p.Last > 0 {
		ids = ids[:min(len(ids), p.Last)]
	}
	slices.Reverse(ids)
	if p.First > 0 {
		ids = ids[:min(len(ids), p.First)]
	}
	return ids
}

// writes calls all that writes them.
func (d *desktop) writes(ctx context.Context) {
	d.Helper()
	keys := IncidentKeys{
		IDs: []string{d.incidents[0].ID}, Fingerprints: []string{d.incidents[30].Fingerprint, d.incidents[31].Fingerprint}, Since: t0.Add(-time.Hour),
		Rules: map[string]int{models.DefaultAlertRule: 1}, Group: &models.AlertGroup{RuleID: models.DefaultAlertRule, ChannelID: d.channel.ID},
	}
	d.must(d.WorkIncidents(ctx, nil, keys, func(h *IncidentsHeld) (*IncidentBooks, error) {
		if len(h.Incidents) != 3 || len(h.Pending) != 3 {
			return nil, fmt.Errorf("%d incidents and %d pending rows are held", len(h.Incidents), len(h.Pending))
		}
		return &IncidentBooks{
			Changed: h.Incidents, Dropped: []string{h.Pending[0].ID}, Postponed: t0.Add(time.Hour), PostponedKey: "group 1", Group: &h.Group,
			Held: map[string]int64{models.NewID(t0): 1}, Handled: []string{models.NewID(t0)},
		}, nil
	}))
	notes, err := d.NotificationsDue(ctx, d.channel.ID, t0.Add(time.Hour), 3)
	d.must(err)
	must := func(_ int, err error) { d.Helper(); d.must(err) }
	d.must(d.SettleDelivery(ctx, nil, DeliveryOutcome{
		NotificationID: notes[0].ID, ChannelID: d.channel.ID, State: models.NotificationSent, Try: models.DeliveryTry{At: t0, Status: 200},
	}))
	d.must(d.MergeNotifications(ctx, nil, []string{notes[1].ID, notes[2].ID}, notification(d.channel.ID, t0), "merged"))
	must(d.CloseQueue(ctx, nil, d.channel.ID, t0.Add(time.Hour), models.NotificationDropped, "old", 10))
	must(d.PruneNotifications(ctx, nil, t0.Add(time.Hour), 5))
	must(d.PruneIncidents(ctx, t0.Add(time.Hour), 20))
	must(d.PruneSilences(ctx, t0.Add(-270*time.Hour)))
	row := models.Silence{ID: models.NewID(t0), Kind: models.SilenceMaintenance, Scope: models.AlertScope{Kind: models.ScopeAll}, StartsAt: t0, EndsAt: &t0, CreatedAt: t0}
	d.must(d.CreateSilence(ctx, row, t0, d.audit()))
	d.must(d.RemindSilence(ctx, nil, row.ID, t0, nil))
	_, _, err = d.UpdateAlertRule(ctx, models.DefaultAlertRule, func(*models.AlertRule) (RuleEdit, error) {
		return RuleEdit{Audit: d.audit(), At: t0, Over: func(*models.Incident) string { return "edited" }}, nil
	})
	d.must(err)
	_, _, err = d.DeleteAlertRule(ctx, models.DefaultAlertRule, t0, "deleted", d.audit())
	d.must(err)
}

// TestAlertStatementsUseTheirIndexes looks at the plan of every statement by which the desk,
// the deliveries and people read and write: none may read a whole table of those that
// grow, and none may sort.
func TestAlertStatementsUseTheirIndexes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		watch(t, s)
		d := newDesktop(t, s)
		r := &recorder{}
		ctx := context.WithValue(t.Context(), recorderKey{}, r)
		d.reads(ctx)
		plans := map[string]string{}
		look := func() {
			for _, q := range r.list {
				shape := regexp.MustCompile(`(\?,)+`).ReplaceAllString(q.statement, "")
				if plans[shape] == "" && !strings.HasPrefix(q.statement, "INSERT") {
					plans[shape] = explain(t, s, q.statement, q.args...)
				}
			}
			r.list = nil
		}
		look()
		d.writes(ctx)
		look()
		if len(plans) < 60 {
			t.Errorf("only %d kinds of statements ran", len(plans))
		}
		for statement, plan := range plans {
			if err := wholeOrSorted(statement, plan); err != nil {
				t.Errorf("%v: %.300s\n%s", err, statement, plan)
			}
		}
	})
}

var (
	// Tables of a bounded size, whole queues that are counted up to a bound, and the one
	// list without a filter, of what a person deletes with a rule.
	mayScan = regexp.MustCompile(`(FROM|UPDATE|JOIN) (alert_rules|alert_channels|partitions|report_schedules)\b|SELECT 1 FROM alert_pending LIMIT|FROM silences WHERE rule_id`)
	// SQLite reads a whole table or an index that covers nothing.
	sqliteScan = regexp.MustCompile(`detail=SCAN (incidents|incident_entries|alert_\w+|notifications|notification_incidents|delivery_tries|silences)\b`)
	// An index read in its order up to a limit or an end is no scan.
	inOrder = regexp.MustCompile(`ORDER BY id( DESC)? LIMIT`)
)

// wholeOrSorted answers what is wrong with a plan.
func wholeOrSorted(statement, plan string) error {
	if mayScan.MatchString(statement) {
		return nil
	}
	ordered := inOrder.MatchString(statement) && !strings.Contains(plan, "TEMP B-TREE")
	for line := range strings.Lines(plan) {
		whole := strings.Contains(line, "type=ALL") || (strings.Contains(line, "type=index ") || sqliteScan.MatchString(line)) && !ordered
		if whole && !strings.Contains(line, "table=<") {
			return errors.New("it reads a whole table")
		}
		if sorts(line) && !strings.Contains(statement, "GROUP BY") {
			return errors.New("it sorts")
		}
	}
	return nil
}
