package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// writerKind is what kind of transaction changes a counter. Transactions of
// different kinds run at the same time all day; each kind has rows of its own, so
// that none waits for another's commit.
type writerKind int

const (
	byEnqueue writerKind = iota
	byDispatch
	byEnd
	byPeople
)

// counterServers is how many rows each kind spreads over; a store picks one at
// random when it is opened. Two servers on the same one merely wait now and then.
const counterServers = 16

// countedStates are the states whose tasks are counted: those that can be left.
var countedStates = [...]models.TaskState{models.TaskWaiting, models.TaskRunning, models.TaskRetrying, models.TaskFailed}

func counted(s models.TaskState) bool { return slices.Contains(countedStates[:], s) }

type counterKey struct {
	group string
	state models.TaskState
}

// tally gathers a transaction's changes of counters.
type tally map[counterKey]int64

// move notes that a task of a group went from one state to another; zero means
// that it did not exist before.
func (c tally) move(group string, from, to models.TaskState) {
	if counted(from) {
		c[counterKey{group, from}]--
	}
	if counted(to) {
		c[counterKey{group, to}]++
	}
}

// writeCounters adds a tally to the counters. It comes last in a transaction, so
// that a row is locked only while the commit is under way.
func (s *Store) writeCounters(tx *gorm.DB, kind writerKind, c tally) error {
	rows := make([][]any, 0, len(c))
	keys := make([]counterKey, 0, len(c))
	for key, n := range c {
		if n != 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b counterKey) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.state, b.state))
	})
	for _, key := range keys {
		rows = append(rows, []any{key.group, key.state, int(kind)*counterServers + s.slot, c[key]})
	}
	err := s.insertRows(tx, "counters", []string{"group_id", "state", "slot", "n"}, rows,
		s.dialect.onConflict("group_id, state, slot", "n = n + new(n)"))
	if err != nil {
		return fmt.Errorf("counting: %w", err)
	}
	return nil
}

// Counters answers how many tasks of each group are WAITING, RUNNING, RETRYING
// and FAILED. Groups that never had a task are missing.
func (s *Store) Counters(ctx context.Context) (map[string]map[models.TaskState]int64, error) {
	rows, err := query(s.read(ctx), "SELECT group_id, state, SUM(n) FROM counters GROUP BY group_id, state")
	if err != nil {
		return nil, fmt.Errorf("reading the counters: %w", err)
	}
	sums := map[string]map[models.TaskState]int64{}
	err = scan(rows, func() error {
		var group string
		var state models.TaskState
		var n int64
		if err := rows.Scan(&group, &state, &n); err != nil {
			return err
		}
		if sums[group] == nil {
			sums[group] = map[models.TaskState]int64{}
		}
		sums[group][state] = n
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the counters: %w", err)
	}
	return sums, nil
}
