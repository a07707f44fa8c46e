package watch

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// servers looks for servers that are not heard of, and at what the others say of
// themselves. After an outage of the ledger all are silent: silence counts when this
// server has itself read the ledger well for as long.
func (w *Watcher) servers(ctx context.Context, l *look) (finding, error) {
	rows, err := w.cfg.Ledger.Servers(ctx, time.Unix(0, 0))
	if err != nil {
		return finding{}, err
	}
	f := finding{holds: degradedOf(rows, l.now, w.cfg.DeadAfter)}
	sure := l.now.Sub(w.healthySince) >= w.cfg.DeadAfter
	if sure {
		f.holds = append(f.holds, lostOf(rows, l.now, w.cfg.DeadAfter)...)
	}
	f.judged = func(k store.WatchKey) bool {
		switch k.Kind {
		case models.AlertServerLost:
			return sure
		case models.AlertRedisDegraded, models.AlertDatabaseDegraded:
			return true
		default:
			return false
		}
	}
	return f, nil
}

// lostOf answers the servers that have been silent for too long. One that was started
// again, under its name, is not lost; one that stopped in good order has no row.
func lostOf(rows []models.Server, now time.Time, deadAfter time.Duration) (holds []models.AlertEvent) {
	live := map[string]bool{}
	for i := range rows {
		if now.Sub(rows[i].LastSeenAt) <= deadAfter {
			live[rows[i].Name] = true
		}
	}
	for i := range rows {
		s := &rows[i]
		if silent := now.Sub(s.LastSeenAt); silent > deadAfter && !live[s.Name] {
			d := models.AlertDetail{Server: s.Name, Since: &s.LastSeenAt, LateMS: silent.Milliseconds()}
			holds = append(holds, models.AlertEvent{
				Kind: models.AlertServerLost, ServerID: &s.ID, Subject: models.ServerSubject(s.ID), Detail: d.Text(),
			})
		}
	}
	return holds
}

// degradedOf answers whether live servers do without Redis or have trouble with the
// database, each as one condition with all their sentences.
func degradedOf(rows []models.Server, now time.Time, deadAfter time.Duration) (holds []models.AlertEvent) {
	for _, of := range []struct {
		kind           models.AlertEventKind
		subject, begin string
	}{
		{models.AlertRedisDegraded, models.SubjectRedis, models.TroubleRedis},
		{models.AlertDatabaseDegraded, models.SubjectDatabase, models.TroubleDatabase},
	} {
		d := models.AlertDetail{Since: &now}
		var first *models.Server
		for i := range rows {
			var troubles []string
			if now.Sub(rows[i].LastSeenAt) > deadAfter || json.Unmarshal(rows[i].Degraded, &troubles) != nil {
				continue
			}
			for _, sentence := range troubles {
				if !strings.HasPrefix(sentence, of.begin) {
					continue
				}
				if first == nil {
					first = &rows[i]
				}
				d.Sentences = append(d.Sentences, rows[i].Name+": "+sentence)
			}
		}
		if first != nil {
			d.Server = first.Name
			holds = append(holds, models.AlertEvent{Kind: of.kind, ServerID: &first.ID, Subject: of.subject, Detail: d.Text()})
		}
	}
	return holds
}

// nodes finds over what was told of nodes and groups and was not cleared where it ended:
// the group was deleted, or a node came at the very moment at which the last one went.
func (w *Watcher) nodes(ctx context.Context, l *look) (finding, error) {
	over := map[store.WatchKey]bool{}
	var nodes, groups []string
	for key := range l.open {
		switch key.Kind {
		case models.AlertNodeOffline:
			nodes = append(nodes, idOf(key.Subject))
		case models.AlertGroupEmpty:
			groups = append(groups, idOf(key.Subject))
		default:
		}
	}
	f := finding{judged: func(k store.WatchKey) bool { return over[k] }}
	offline, err := w.cfg.Ledger.NodesByIDs(ctx, nodes)
	if err != nil {
		return finding{}, err
	}
	away := map[string]bool{}
	for i := range offline {
		away[offline[i].ID] = offline[i].State == models.NodeOffline
	}
	for _, id := range nodes {
		over[store.WatchKey{Kind: models.AlertNodeOffline, Subject: models.NodeSubject(id)}] = !away[id]
	}
	inhabited, err := w.cfg.Ledger.InhabitedGroups(ctx, groups)
	if err != nil {
		return finding{}, err
	}
	there, err := w.cfg.Ledger.GroupsByIDs(ctx, groups)
	if err != nil {
		return finding{}, err
	}
	exists := map[string]bool{}
	for i := range there {
		exists[there[i].ID] = true
	}
	for _, id := range groups {
		over[store.WatchKey{Kind: models.AlertGroupEmpty, Subject: models.GroupSubject(id)}] = inhabited[id] || !exists[id]
	}
	return f, nil
}
