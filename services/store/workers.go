package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// GroupsWorkers answers what the nodes of some groups that are not offline can do. Nodes
// with the names in named, by app, and those that the groups themselves pin their tasks to
// are told by name as well. Groups that do not exist are left out.
func (s *Store) GroupsWorkers(ctx context.Context, groupIDs []string, named map[string][]string) (map[string]*models.GroupWorkers, error) {
	found := make(map[string]*models.GroupWorkers, len(groupIDs))
	names := maps.Clone(named)
	for chunk := range chunks(groupIDs, inLimit) {
		pinned, err := s.groupRoutes(s.read(ctx), chunk, found)
		if err != nil {
			return nil, fmt.Errorf("reading the routing of %d groups: %w", len(chunk), err)
		}
		for app, list := range pinned {
			if names == nil {
				names = map[string][]string{}
			}
			names[app] = slices.Concat(names[app], list)
		}
		// The nodes of a group are nearly all of one program: few kinds are distinct.
		rows, err := query(s.read(ctx), "SELECT DISTINCT group_id, '', handlers, labels FROM nodes"+s.dialect.forceIndex("nodes_group")+
			" WHERE group_id IN ("+marks(len(chunk))+") AND state <> ?", append(anys(chunk), models.NodeOffline)...)
		if err == nil {
			err = scanWorkers(rows, func(w *models.GroupWorkers, _ string, k models.WorkerKind) { w.Kinds = append(w.Kinds, k) }, found)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the workers of %d groups: %w", len(chunk), err)
		}
	}
	for app, list := range names {
		for chunk := range chunks(list, inLimit) {
			rows, err := query(s.read(ctx), "SELECT group_id, name, handlers, labels FROM nodes"+s.dialect.forceIndex("nodes_name")+
				" WHERE app_id = ? AND name IN ("+marks(len(chunk))+") AND state <> ?", append(append([]any{app}, anys(chunk)...), models.NodeOffline)...)
			if err == nil {
				err = scanWorkers(rows, func(w *models.GroupWorkers, name string, k models.WorkerKind) { w.Named[name] = k }, found)
			}
			if err != nil {
				return nil, fmt.Errorf("reading %d nodes by name: %w", len(chunk), err)
			}
		}
	}
	return found, nil
}

// groupRoutes begins the answers for groups with their own routing, and answers the names
// of the nodes that they pin their tasks to, by app.
func (s *Store) groupRoutes(tx *gorm.DB, groupIDs []string, found map[string]*models.GroupWorkers) (map[string][]string, error) {
	rows, err := query(tx, "SELECT id, app_id, routing, routing_rule FROM node_groups"+s.dialect.byKey()+
		" WHERE id IN ("+marks(len(groupIDs))+")", anys(groupIDs)...)
	if err != nil {
		return nil, err
	}
	pinned := map[string][]string{}
	err = scan(rows, func() error {
		w := &models.GroupWorkers{Named: map[string]models.WorkerKind{}}
		var id, app string
		var rule []byte
		if err := rows.Scan(&id, &app, &w.Routing, &rule); err != nil {
			return err
		}
		if len(rule) > 0 {
			w.RoutingRule = rule
		}
		found[id] = w
		r, _ := models.RouteOf(&models.Job{}, w.Routing, w.RoutingRule) // one that cannot be read has no node
		if name := r.Node(); name != "" {
			pinned[app] = append(pinned[app], name)
		}
		return nil
	})
	return pinned, err
}

// scanWorkers reads nodes of the groups in found: group, name, handlers, labels.
func scanWorkers(rows *sql.Rows, add func(w *models.GroupWorkers, name string, k models.WorkerKind), found map[string]*models.GroupWorkers) error {
	return scan(rows, func() error {
		var group, name string
		var handlers, labels []byte
		if err := rows.Scan(&group, &name, &handlers, &labels); err != nil {
			return err
		}
		w := found[group]
		if w == nil {
			return nil
		}
		var names []string
		k := models.WorkerKind{Handlers: map[string]bool{}}
		_ = json.Unmarshal(handlers, &names) // a node that announced nothing has none
		_ = json.Unmarshal(labels, &k.Labels)
		for _, handler := range names {
			k.Handlers[handler] = true
		}
		add(w, name, k)
		return nil
	})
}
