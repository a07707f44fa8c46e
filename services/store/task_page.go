package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// TaskFilter says which tasks; all its set conditions hold. The children of tasks are only
// among them when it names their parent, a node, or the beginning of an id.
type TaskFilter struct {
	JobID, AppID, GroupID string
	Within                []string // only of these apps; nil: of all
	NodeID                string   // of the latest attempt
	ParentID              string   // children of this task, by shard
	BackfillID            string   // made by this backfill
	States                []models.TaskState
	Trigger               models.TriggerKind
	// From and To bound the scheduled instant, To excluded, by the time part of
	// the id: to the millisecond, and for tasks with a request id to ten minutes.
	From, To *time.Time
	Search   string     // an id, its beginning, or a unique key, exactly
	AsOf     *time.Time // created, and if they have ended, ended, not after
}

// TaskPage answers a page of tasks by id, latest first; positions are ids. However
// many tasks there are, it reads little more than the page, by the indexes that
// shelf.go explains. It may read far when conditions beside job and states match
// only few of very many. Fault: INVALID.
func (s *Store) TaskPage(ctx context.Context, f TaskFilter, p Page) ([]models.Task, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	if apps := f.apps(); apps != nil && len(apps) == 0 {
		return nil, PageInfo{}, nil
	}
	if err := s.withinBackfill(ctx, &f); err != nil {
		return nil, PageInfo{}, err
	}
	w := f.wanted(s.dialect)
	if err := s.search(ctx, f.Search, &w); err != nil {
		return nil, PageInfo{}, err
	}
	if backward {
		w.above(p.Before)
	} else {
		w.below(p.After)
	}
	r := taskReading{
		store: s, filter: &f, wanted: w, descending: !backward, limit: n + 1,
		fewQueued: fewQueued, fewJobs: mostBranches / len(shelves), probeRows: probeRows, searchRows: searchRows,
	}
	ids, stopped, err := r.ids(ctx)
	if err != nil {
		return nil, PageInfo{}, err
	}
	ids, info := cut(ids, p, n, backward)
	if stopped != "" {
		info.stop(stopped, backward)
	}
	tasks, err := s.tasksInOrder(ctx, ids)
	return tasks, info, err
}

// conditions are joined by AND.
type conditions struct {
	sql  []string
	args []any
}

func (c *conditions) add(sql string, args ...any) {
	c.sql = append(c.sql, sql)
	c.args = append(c.args, args...)
}

// and adds all of others.
func (c *conditions) and(others conditions) {
	c.sql = append(c.sql, others.sql...)
	c.args = append(c.args, others.args...)
}

// where is the clause, empty without conditions.
func (c *conditions) where() string {
	if len(c.sql) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.sql, " AND ")
}

// wanted is what a task must fulfil besides its job and state, which decide where
// is read.
type wanted struct {
	ids    conditions // on the id alone
	key    string     // the unique key, which has an index of its own
	apps   []string   // nil where the ranges that are read are of these apps alone
	others conditions // on columns that no index holds
	family bool       // the children of tasks too
}

// rest are the conditions that are checked row by row.
func (w *wanted) rest() conditions {
	var c conditions
	if w.apps != nil {
		c.add("app_id IN ("+marks(len(w.apps))+")", anys(w.apps)...)
	}
	c.and(w.others)
	return c
}

// below and above bound the ids; an empty one bounds nothing.
func (w *wanted) below(id string) {
	if id != "" {
		w.ids.add("id < ?", id)
	}
}

func (w *wanted) above(id string) {
	if id != "" {
		w.ids.add("id > ?", id)
	}
}

// between bounds the ids to those that begin with prefix.
func (w *wanted) between(prefix string) {
	rest := idLength - len(prefix)
	w.ids.add("id >= ? AND id <= ?", prefix+strings.Repeat("0", rest), prefix+strings.Repeat("Z", rest))
}

// apps are those whose tasks are meant; nil: all.
func (f *TaskFilter) apps() []string {
	switch {
	case f.AppID == "":
		return f.Within
	case f.Within == nil || slices.Contains(f.Within, f.AppID):
		return []string{f.AppID}
	}
	return []string{}
}

func (f *TaskFilter) wanted(d dialect) wanted {
	w := wanted{apps: f.apps()}
	if f.From != nil {
		w.ids.add("id >= ?", models.LowestID(*f.From))
	}
	if f.To != nil {
		w.below(models.LowestID(*f.To))
	}
	if f.ParentID != "" {
		low, high := models.ChildIDs(f.ParentID)
		w.ids.add("id >= ? AND id <= ?", low, high)
	}
	w.family = f.ParentID != "" || f.NodeID != ""
	for _, same := range []struct{ column, value string }{
		{unindexed(d, "group_id"), f.GroupID},
		{"node_id", f.NodeID},
		{"backfill_id", f.BackfillID},
	} {
		if same.value != "" {
			w.others.add(same.column+" = ?", same.value)
		}
	}
	if f.Trigger != 0 {
		w.others.add("trigger_kind = ?", f.Trigger)
	}
	if f.AsOf != nil {
		w.others.add("created_at <= ? AND (finished_at IS NULL OR finished_at <= ?)", *f.AsOf, *f.AsOf)
	}
	return w
}

// unindexed keeps SQLite from reading a whole group in the queue's index and then
// sorting it; MySQL is told by FORCE INDEX.
func unindexed(d dialect, column string) string {
	if d == sqlite {
		return "+" + column
	}
	return column
}

const ulidText = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// search adds the condition that a search text stands for. A text that begins the
// id of some task means those; any other is a unique key.
func (s *Store) search(ctx context.Context, text string, w *wanted) error {
	if text == "" {
		return nil
	}
	prefix := strings.ToUpper(text)
	if prefix[0] <= '7' && len(prefix) <= idLength && strings.Trim(prefix, ulidText) == "" {
		var begins wanted
		begins.between(prefix)
		ids, err := s.taskIDs(ctx, []branch{{conditions: begins.ids}}, true, 1)
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			w.between(prefix)
			w.family = true
			return nil
		}
	}
	w.key = text
	return nil
}

// branch is one range of an index from which ids are read in order.
type branch struct {
	index      string // empty: the primary key
	conditions        // on what the index is ordered by
	rest       conditions
}

// from is the table, read by the branch's index.
func (b *branch) from(d dialect) string {
	switch {
	case b.index != "":
		return " FROM tasks" + d.forceIndex(b.index)
	case d == sqlite: // its planner takes the primary key by itself
		return " FROM tasks"
	}
	return " FROM tasks" + d.forceIndex("PRIMARY")
}

// statement reads up to limit rows of the branch in order of id.
func (b *branch) statement(d dialect, columns string, descending bool, limit int) (string, []any) {
	all := conditions{sql: slices.Clip(b.sql), args: slices.Clip(b.args)}
	all.and(b.rest)
	return "SELECT " + columns + b.from(d) + all.where() + byID(descending), append(all.args, limit)
}

func byID(descending bool) string {
	if descending {
		return " ORDER BY id DESC LIMIT ?"
	}
	return " ORDER BY id LIMIT ?"
}

// taskIDs merges branches: up to limit ids in order.
func (s *Store) taskIDs(ctx context.Context, branches []branch, descending bool, limit int) ([]string, error) {
	if len(branches) == 0 {
		return nil, nil
	}
	parts := make([]string, len(branches))
	var args []any
	for i := range branches {
		statement, of := branches[i].statement(s.dialect, "id", descending, limit)
		parts[i] = fmt.Sprintf("SELECT id FROM (%s) AS b%d", statement, i)
		args = append(args, of...)
	}
	return readIDs(s.read(ctx), strings.Join(parts, " UNION ALL ")+byID(descending), append(args, limit)...)
}

// readIDs reads one column of ids.
func readIDs(q *gorm.DB, statement string, args ...any) ([]string, error) {
	rows, err := query(q, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("reading ids of tasks: %w", err)
	}
	var ids []string
	err = scan(rows, func() error {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading ids of tasks: %w", err)
	}
	return ids, nil
}
