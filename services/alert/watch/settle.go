package watch

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// finding is what a check came to.
type finding struct {
	holds  []models.AlertEvent       // what holds now; of several with one key the first counts
	judged func(store.WatchKey) bool // of what was told: whether it is over unless it is among holds
}

// kindJudged judges all that was told of a kind.
func kindJudged(kind models.AlertEventKind) func(store.WatchKey) bool {
	return func(k store.WatchKey) bool { return k.Kind == kind }
}

func nothing(store.WatchKey) bool { return false }

// rulesGone finds over what was told for rules that do not want it any more.
func rulesGone(l *look) finding {
	wanted := map[store.WatchKey]bool{}
	for _, c := range l.conditions {
		wanted[store.WatchKey{Kind: c.Kind, RuleID: c.RuleID}] = true
	}
	return finding{judged: func(k store.WatchKey) bool {
		return k.RuleID != "" && !wanted[store.WatchKey{Kind: k.Kind, RuleID: k.RuleID}]
	}}
}

// settle answers the events of what has begun and of what is over.
func settle(l *look, findings []finding) (opened, cleared []models.AlertEvent) {
	holds := map[store.WatchKey]bool{}
	for _, f := range findings {
		for i := range f.holds {
			e := f.holds[i]
			key := keyOf(&e)
			if holds[key] {
				continue
			}
			holds[key] = true
			if row, open := l.open[key]; open && !again(&e, &row) {
				continue
			}
			e.At = l.now
			opened = append(opened, e)
		}
	}
	for key, row := range l.open {
		over := func(f finding) bool { return f.judged(key) }
		if !holds[key] && slices.ContainsFunc(findings, over) {
			cleared = append(cleared, clearedOf(&row, l.now))
		}
	}
	slices.SortFunc(cleared, func(a, b models.AlertEvent) int {
		return cmp.Or(strings.Compare(a.Subject, b.Subject), cmp.Compare(a.Kind, b.Kind), strings.Compare(keyOf(&a).RuleID, keyOf(&b).RuleID))
	})
	return opened, cleared
}

// again says whether what was told is to be told anew: a run that is not finished counts
// each day.
func again(e *models.AlertEvent, row *models.AlertWatch) bool {
	since := e.Details().Since
	return e.Kind == models.AlertNotFinishedBy && since != nil && since.After(row.Since)
}

func keyOf(e *models.AlertEvent) store.WatchKey {
	key := store.WatchKey{Kind: e.Kind, Subject: e.Subject}
	if e.RuleID != nil {
		key.RuleID = *e.RuleID
	}
	return key
}

// clearedOf is the event that a condition which was told is over.
func clearedOf(row *models.AlertWatch, now time.Time) models.AlertEvent {
	told := models.AlertEvent{Detail: row.Detail}
	detail := told.Details()
	detail.Since = &row.Since
	e := models.AlertEvent{Kind: row.Kind, Cleared: true, At: now, Subject: row.Subject, Detail: detail.Text()}
	if row.RuleID != "" {
		e.RuleID = &row.RuleID
	}
	kind, id, _ := strings.Cut(row.Subject, ":")
	switch kind {
	case "job":
		e.JobID = &id
	case "group":
		e.GroupID = &id
	case "node":
		e.NodeID = &id
	case "server":
		e.ServerID = &id
	}
	return e
}

// about is an event about a job, for a rule; an empty rule is none.
func about(kind models.AlertEventKind, rule string, j *models.Job, d models.AlertDetail) models.AlertEvent {
	e := models.AlertEvent{
		Kind: kind, AppID: &j.AppID, GroupID: &j.GroupID, JobID: &j.ID, Subject: models.JobSubject(j.ID), Detail: d.Text(),
	}
	if rule != "" {
		e.RuleID = &rule
	}
	return e
}

// aboutGroup is an event about a group's line, for a rule.
func aboutGroup(kind models.AlertEventKind, rule string, g *models.NodeGroup, d models.AlertDetail) models.AlertEvent {
	return models.AlertEvent{
		Kind: kind, AppID: &g.AppID, GroupID: &g.ID, Subject: models.GroupSubject(g.ID), Detail: d.Text(), RuleID: &rule,
	}
}

// idOf is the id in a subject like job:ID.
func idOf(subject string) string {
	_, id, _ := strings.Cut(subject, ":")
	return id
}
