package store

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

// explain answers how the database would run a query: the indexes, and whether it
// sorts rows or reads the whole table.
func explain(t *testing.T, s *Store, statement string, args ...any) string {
	t.Helper()
	prefix := "EXPLAIN "
	if s.dialect == sqlite {
		prefix = "EXPLAIN QUERY PLAN "
	}
	rows, err := query(s.read(t.Context()), prefix+statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	err = scan(rows, func() error {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			if v.Valid && columns[i] != "possible_keys" {
				fmt.Fprintf(&plan, "%s=%s ", columns[i], v.String)
			}
		}
		plan.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

// sorts says whether a plan sorts rows, and scans whether it reads a whole table.
func sorts(plan string) bool {
	return strings.Contains(plan, "filesort") || strings.Contains(plan, "TEMP B-TREE")
}

func scansAll(plan string) bool {
	return strings.Contains(plan, "type=ALL") || strings.Contains(plan, "detail=SCAN tasks ") && !strings.Contains(plan, "INDEX")
}

// TestTaskPagesReadInOrderOfAnIndex looks at the plan of every range that any
// filter leads to: none may sort or read the whole table but the queue, which is
// read only while it is short.
func TestTaskPagesReadInOrderOfAnIndex(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyTasks(in)
		for name, f := range taskFilters(all) {
			for _, few := range []int{0, 1000} {
				for _, descending := range []bool{true, false} {
					w := f.wanted(s.dialect)
					in.must(s.search(t.Context(), f.Search, &w))
					if descending {
						w.below(all[10].ID)
					} else {
						w.above(all[490].ID)
					}
					r := taskReading{store: s, filter: &f, wanted: w, descending: descending, limit: 51, fewQueued: few, fewJobs: few, probeRows: 10, searchRows: 50}
					branches, err := r.branches(t.Context(), f.JobID == "" && (f.AppID != "" || f.GroupID != "" || f.Within != nil))
					in.must(err)
					for _, b := range branches {
						statement, args := b.statement(s.dialect, "id", descending, 51)
						wantPlan(t, s, name, b.index, statement, args)
					}
					statement, args := r.probe()
					if plan := explain(t, s, statement, args...); scansAll(plan) && !strings.Contains(plan, "table=<derived") {
						t.Errorf("%s, probe:\n%s\n%s", name, statement, plan)
					}
				}
			}
		}
	})
}

func wantPlan(t *testing.T, s *Store, name, index, statement string, args []any) {
	t.Helper()
	plan := explain(t, s, statement, args...)
	if strings.Contains(plan, "Impossible WHERE") {
		return // nothing is read at all
	}
	key := index
	if key == "" && s.dialect == mariadb {
		key = "PRIMARY"
	}
	if key == "" {
		key = "sqlite_autoindex_tasks_1"
	}
	if !strings.Contains(plan, key) || scansAll(plan) || sorts(plan) && index != "tasks_queue" {
		t.Errorf("%s: want the index %s in its order:\n%s\n%s", name, key, statement, plan)
	}
}

// TestOtherTaskQueriesUseAnIndex looks at the plans of the remaining queries on
// tasks of this part of the store.
func TestOtherTaskQueriesUseAnIndex(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyTasks(in)
		j := all[0].JobID
		group := all[0].GroupID
		for statement, args := range map[string][]any{
			"SELECT " + fullColumns.list + " FROM tasks WHERE id IN (?, ?)": {all[0].ID, all[1].ID},
			"SELECT id FROM tasks WHERE id IN (?, ?)":                       {all[0].ID, all[1].ID},
			"SELECT id FROM tasks WHERE group_id = ? AND state = ? LIMIT 1": {group, models.TaskWaiting},
			"SELECT id FROM tasks" + s.dialect.forceIndex("tasks_queue") + ` WHERE group_id IN (
				SELECT id FROM node_groups WHERE app_id = (SELECT app_id FROM jobs WHERE id = ?)
			) AND state IN (?, ?) AND job_id = ? LIMIT ?`: {j, models.TaskWaiting, models.TaskRetrying, j, 10},
			"SELECT id FROM tasks" + s.dialect.forceIndex("tasks_job") + " WHERE job_id = ? AND shelf = ? AND id >= ? AND id < ? ORDER BY id": {
				j, shelfMoving, all[400].ID, all[10].ID,
			},
		} {
			plan := explain(t, s, statement, args...)
			if scansAll(plan) || sorts(plan) {
				t.Errorf("%s\n%s", statement, plan)
			}
		}
	})
}
