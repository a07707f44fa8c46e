package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// books gathers what follows from a transaction's transitions: unique keys to
// release, the next fires of FIXED_DELAY jobs, arrivals at dependents, alert events,
// roll-ups, backfills and counters. They are written last and always in one order, whatever
// the transaction does.
type books struct {
	kind  writerKind
	keys  []models.TaskKey     // to be released
	fixed map[string]time.Time // FIXED_DELAY job → the latest end of a task of it
	ended []ended              // that dependents may wait for
	rolls rollups
	alert alertBooks
	fills map[string]*filled // by backfill
	tally tally

	families map[string]time.Time // parent of ended children → the latest end
	parents  []models.Task        // that ended with the last of their children
}

func newBooks(kind writerKind) *books {
	return &books{kind: kind, fixed: map[string]time.Time{}, tally: tally{}}
}

// moved notes that t has gone from one state to its present one by an event.
//
// A child is a part of a run and no run of its own: only its parent's end goes by it.
func (b *books) moved(t *models.Task, from models.TaskState, e models.Event, at time.Time) {
	if t.Child() {
		if !t.State.Live() {
			b.familyMoved(*t.ParentID, at)
		}
		return
	}
	b.tally.move(t.GroupID, from, t.State)
	b.fill(t, from, at)
	if t.State.Live() && e != models.EventRetry {
		return
	}
	b.rolls.add(t, e, at)
	b.alert.moved(t, e, at)
	if arrives(t, e) {
		b.ended = append(b.ended, ended{t, at})
	}
	if t.State.Final() && t.UniqueKey != nil {
		b.keys = append(b.keys, models.TaskKey{JobID: t.JobID, UniqueKey: *t.UniqueKey, TaskID: t.ID})
	}
	if t.Trigger == models.TriggerFixedDelay && !t.State.Live() && at.After(b.fixed[t.JobID]) {
		b.fixed[t.JobID] = at
	}
}

// settle writes the books.
func (s *Store) settle(tx *gorm.DB, b *books) error {
	if err := s.endFamilies(tx, b); err != nil {
		return err
	}
	if err := s.writeArrivals(tx, b); err != nil {
		return err
	}
	if err := s.releaseKeys(tx, b.keys); err != nil {
		return err
	}
	if err := s.restartFixedDelays(tx, b.fixed); err != nil {
		return err
	}
	if err := s.writeAlerts(tx, &b.alert); err != nil {
		return err
	}
	if err := s.writeRollups(tx, &b.rolls); err != nil {
		return err
	}
	if err := s.writeBackfills(tx, b.fills); err != nil {
		return err
	}
	return s.writeCounters(tx, b.kind, b.tally)
}

// releaseKeys frees unique keys, each only if it is still held by the same task.
func (s *Store) releaseKeys(tx *gorm.DB, keys []models.TaskKey) error {
	slices.SortFunc(keys, func(a, b models.TaskKey) int {
		return cmp.Or(strings.Compare(a.JobID, b.JobID), strings.Compare(a.UniqueKey, b.UniqueKey))
	})
	const one = "(job_id = ? AND unique_key = ? AND task_id = ?)"
	for chunk := range chunks(keys, 100) {
		args := make([]any, 0, 3*len(chunk))
		for _, k := range chunk {
			args = append(args, k.JobID, k.UniqueKey, k.TaskID)
		}
		_, err := exec(tx, s.dialect.deleteByKey("task_keys")+" WHERE "+one+strings.Repeat(" OR "+one, len(chunk)-1), args...)
		if err != nil {
			return fmt.Errorf("releasing %d unique keys: %w", len(chunk), err)
		}
	}
	return nil
}

// restartFixedDelays sets the next fire of FIXED_DELAY jobs whose task has ended,
// unless another task of theirs is under way, whose own end will do so. The job's
// row is locked before the others are looked at: of two ends at the same time the
// later one sees the earlier.
func (s *Store) restartFixedDelays(tx *gorm.DB, ended map[string]time.Time) error {
	ids := make([]string, 0, len(ended))
	for id := range ended {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for chunk := range chunks(ids, inLimit) {
		args := append(anys(chunk), models.TriggerFixedDelay)
		rows, err := query(tx, "SELECT id, every_ms FROM jobs"+s.dialect.byKey()+" WHERE id IN ("+marks(len(chunk))+`)
			AND trigger_kind = ? AND enabled AND deleted_at IS NULL AND next_fire_at IS NULL ORDER BY id`+s.dialect.lockRows(), args...)
		if err != nil {
			return fmt.Errorf("locking FIXED_DELAY jobs: %w", err)
		}
		every := map[string]time.Duration{}
		var idle []string
		err = scan(rows, func() error {
			var id string
			var ms int64
			if err := rows.Scan(&id, &ms); err != nil {
				return err
			}
			every[id] = time.Duration(ms) * time.Millisecond
			idle = append(idle, id)
			return nil
		})
		if err != nil {
			return fmt.Errorf("reading FIXED_DELAY jobs: %w", err)
		}
		for _, id := range idle {
			if err := s.restartFixedDelay(tx, id, ended[id].Add(every[id])); err != nil {
				return err
			}
		}
	}
	return nil
}

// newestLooked is how many of a job's newest tasks are looked at for one that is
// under way. A FIXED_DELAY job's only live task of its own is among the newest;
// more than these could only be runs that people have delayed far into the future.
const newestLooked = 100

// fixedDelayTasks is a query of the live tasks of a FIXED_DELAY job's own.
func fixedDelayTasks(d dialect) string {
	index := d.forceIndex("tasks_job")
	return `SELECT state FROM (
			SELECT state, trigger_kind FROM (SELECT state, trigger_kind FROM tasks` + index + `
				WHERE job_id = ? AND shelf = ? ORDER BY id DESC LIMIT ?) moving
			UNION ALL
			SELECT state, trigger_kind FROM (SELECT state, trigger_kind FROM tasks` + index + `
				WHERE job_id = ? AND shelf = ? ORDER BY id DESC LIMIT ?) retrying
		) newest WHERE trigger_kind = ? AND state IN (?, ?, ?)`
}

func fixedDelayArgs(job string) []any {
	return []any{
		job, shelfMoving, newestLooked, job, shelfOf(models.TaskRetrying), newestLooked,
		models.TriggerFixedDelay, models.TaskWaiting, models.TaskRunning, models.TaskRetrying,
	}
}

func (s *Store) restartFixedDelay(tx *gorm.DB, job string, next time.Time) error {
	var busy int64
	err := queryOne(tx, &busy, "SELECT COUNT(*) FROM ("+fixedDelayTasks(s.dialect)+") live", fixedDelayArgs(job)...)
	if err != nil {
		return fmt.Errorf("looking for live tasks of a FIXED_DELAY job: %w", err)
	}
	if busy > 0 {
		return nil
	}
	if _, err := exec(tx, "UPDATE jobs SET next_fire_at = ? WHERE id = ? AND next_fire_at IS NULL", clock.Cut(next), job); err != nil {
		return fmt.Errorf("setting the next fire of a FIXED_DELAY job: %w", err)
	}
	return nil
}
