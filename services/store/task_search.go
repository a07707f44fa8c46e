package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// searched reads ids that fulfil conditions which no index holds: among the first
// rows of the ranges, then among more of them. It stops there: a rare match among
// millions would otherwise be looked for in all of them.
func (r *taskReading) searched(ctx context.Context, branches []branch) (ids []string, stopped string, err error) {
	for _, rows := range []int{r.probeRows, r.searchRows} {
		if stopped, err = r.edge(ctx, branches, rows); err != nil {
			return nil, "", err
		}
		ids, err = r.store.taskIDs(ctx, r.upTo(branches, stopped), r.descending, r.limit)
		if err != nil || stopped == "" || len(ids) == r.limit {
			return ids, "", err
		}
	}
	return ids, stopped, nil
}

// edge answers the nearest id at which one of the ranges has its share of rows behind
// it; empty when none of them has as many. The queue's range is not asked: it is in no
// order and small by itself.
func (r *taskReading) edge(ctx context.Context, branches []branch, rows int) (string, error) {
	ordered := slices.DeleteFunc(slices.Clone(branches), func(b branch) bool { return b.index == queueIndex })
	if len(ordered) == 0 {
		return "", nil
	}
	share := max(1, rows/len(ordered))
	parts := make([]string, len(ordered))
	var args []any
	for i := range ordered {
		b := ordered[i]
		b.rest = conditions{}
		statement, of := b.statement(r.store.dialect, "id", r.descending, 1)
		parts[i] = fmt.Sprintf("SELECT id FROM (%s OFFSET ?) AS e%d", statement, i)
		args = append(append(args, of...), share-1)
	}
	ids, err := readIDs(r.store.read(ctx), strings.Join(parts, " UNION ALL ")+byID(r.descending), append(args, 1)...)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0], nil
}

// upTo bounds ranges by an edge, which is theirs still; an empty one bounds nothing.
func (r *taskReading) upTo(branches []branch, edge string) []branch {
	if edge == "" {
		return branches
	}
	bound := "id <= ?"
	if r.descending {
		bound = "id >= ?"
	}
	bounded := make([]branch, len(branches))
	for i, b := range branches {
		b.conditions = conditions{sql: slices.Clip(b.sql), args: slices.Clip(b.args)}
		b.add(bound, edge)
		bounded[i] = b
	}
	return bounded
}

// ofKey is the range of the tasks that have or had a unique key.
func (r *taskReading) ofKey() []branch {
	b := branch{index: "tasks_key", rest: r.wanted.rest()}
	b.add("unique_key = ?", r.wanted.key)
	b.and(r.wanted.ids)
	if r.filter.JobID != "" {
		b.rest.add("job_id = ?", r.filter.JobID)
	}
	if n := len(r.filter.States); n > 0 {
		b.rest.add("state IN ("+marks(n)+")", anys(r.filter.States)...)
	}
	return []branch{b}
}
