package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// What the watcher reads: each query goes by an index and is bounded, and none locks.

// LateJob is a job with due tasks that have not started.
type LateJob struct {
	JobID  string
	Tasks  int64     // late tasks that were looked at
	Oldest time.Time // when the first of them was to start
}

// LateTasks answers the jobs of a group's queued tasks that were to start at an instant
// or before, by id. Of each state and priority at most perLane tasks are looked at, the
// oldest; cut says that there are more.
func (s *Store) LateTasks(ctx context.Context, groupID string, before time.Time, perLane int) (jobs []LateJob, cut bool, err error) {
	parts := make([]string, len(lanes))
	var args []any
	for i, lane := range lanes {
		parts[i] = fmt.Sprintf("SELECT %d AS lane, job_id, COUNT(*) AS n, MIN(available_at) AS oldest FROM (SELECT job_id, available_at FROM tasks", i) +
			s.dialect.forceIndex("tasks_queue") + " WHERE group_id = ? AND state = ? AND priority = ? AND available_at <= ? ORDER BY available_at, id LIMIT ?) late GROUP BY job_id"
		args = append(args, groupID, lane[0], lane[1], clock.Cut(before), perLane)
	}
	rows, err := query(s.read(ctx), strings.Join(parts, " UNION ALL "), args...)
	if err != nil {
		return nil, false, fmt.Errorf("reading the late tasks of a group: %w", err)
	}
	found, looked := map[string]*LateJob{}, make([]int64, len(lanes))
	err = scan(rows, func() error {
		var lane int
		var j LateJob
		var oldest instant
		if err := rows.Scan(&lane, &j.JobID, &j.Tasks, &oldest); err != nil {
			return err
		}
		j.Oldest = *oldest.at
		looked[lane] += j.Tasks
		if known := found[j.JobID]; known != nil {
			known.Tasks += j.Tasks
			known.Oldest = earlier(known.Oldest, j.Oldest)
			return nil
		}
		found[j.JobID] = &j
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("reading the late tasks of a group: %w", err)
	}
	for _, j := range found {
		jobs = append(jobs, *j)
	}
	slices.SortFunc(jobs, func(a, b LateJob) int { return strings.Compare(a.JobID, b.JobID) })
	return jobs, slices.Max(looked) >= int64(perLane), nil
}

// RetryingGroups answers the groups in which a task waits to be tried again, or to be
// offered again, until an instant at most. It looks at an entry of the index for each
// group and priority.
func (s *Store) RetryingGroups(ctx context.Context, until time.Time) ([]string, error) {
	parts := make([]string, len(models.Priorities))
	var args []any
	for i, priority := range models.Priorities {
		parts[i] = "(SELECT available_at FROM tasks" + s.dialect.forceIndex("tasks_queue") +
			" WHERE group_id = node_groups.id AND state = ? AND priority = ? ORDER BY available_at LIMIT 1) <= ?"
		args = append(args, models.TaskRetrying, priority, clock.Cut(until))
	}
	return readIDs(s.read(ctx), "SELECT id FROM node_groups WHERE "+strings.Join(parts, " OR "), args...)
}

// HandedBackTasks answers the jobs of a group's tasks that workers have refused or released
// in a row since an instant or before, and that are offered again until another at most, by
// id. Oldest is since when at least. Of each priority at most perLane tasks are looked at;
// cut says that there are more.
func (s *Store) HandedBackTasks(ctx context.Context, groupID string, since, until time.Time, perLane int) (jobs []LateJob, cut bool, err error) {
	parts := make([]string, len(models.Priorities))
	var args []any
	for i, priority := range models.Priorities {
		parts[i] = "SELECT priority, job_id, available_at, handed_back FROM tasks" + s.dialect.forceIndex("tasks_queue") +
			" WHERE group_id = ? AND state = ? AND priority = ? AND available_at <= ? ORDER BY available_at, id LIMIT ?"
		args = append(args, groupID, models.TaskRetrying, priority, clock.Cut(until), perLane)
	}
	rows, err := query(s.read(ctx), s.dialect.union(parts), args...)
	if err != nil {
		return nil, false, fmt.Errorf("reading the tasks that workers hand back: %w", err)
	}
	found, looked := map[string]*LateJob{}, map[models.Priority]int{}
	err = scan(rows, func() error {
		var priority models.Priority
		var job string
		var available instant
		var times int
		if err := rows.Scan(&priority, &job, &available, &times); err != nil {
			return err
		}
		if looked[priority]++; looked[priority] == perLane {
			cut = true
		}
		first := available.at.Add(-models.HandedBackFor(times))
		if times == 0 || first.After(since) {
			return nil
		}
		if found[job] == nil {
			found[job] = &LateJob{JobID: job, Oldest: first}
		}
		found[job].Tasks++
		found[job].Oldest = earlier(found[job].Oldest, first)
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("reading the tasks that workers hand back: %w", err)
	}
	for _, j := range found {
		jobs = append(jobs, *j)
	}
	slices.SortFunc(jobs, func(a, b LateJob) int { return strings.Compare(a.JobID, b.JobID) })
	return jobs, cut, nil
}

// BusyFixedDelays answers which of some FIXED_DELAY jobs have a task of their own under
// way, whose end sets their next fire.
func (s *Store) BusyFixedDelays(ctx context.Context, jobIDs []string) (map[string]bool, error) {
	busy := map[string]bool{}
	for chunk := range chunks(jobIDs, 50) {
		parts := make([]string, len(chunk))
		var args []any
		for i, id := range chunk {
			parts[i] = "SELECT ? AS id FROM (" + fixedDelayTasks(s.dialect) + " LIMIT 1) live" + strconv.Itoa(i)
			args = append(append(args, id), fixedDelayArgs(id)...)
		}
		ids, err := readIDs(s.read(ctx), strings.Join(parts, " UNION ALL "), args...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			busy[id] = true
		}
	}
	return busy, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// DueLines answers how the lines of groups move in which something is due, by their
// owners' word.
func (s *Store) DueLines(ctx context.Context) ([]models.GroupFlow, error) {
	return list[models.GroupFlow](s.read(ctx).Where("due > 0").Order("group_id"), "lines of groups")
}

// RunningBefore answers the attempts that began at an instant or before and still run,
// up to limit, in no order: without parameters, result and checkpoint. It reads the rows
// of all that run, which are never more than slots.
func (s *Store) RunningBefore(ctx context.Context, before time.Time, limit int) ([]models.Task, error) {
	groups, err := readIDs(s.read(ctx), "SELECT id FROM node_groups")
	if err != nil {
		return nil, err
	}
	var tasks []models.Task
	for chunk := range chunks(groups, inLimit) {
		args := append(anys(chunk), models.TaskRunning, clock.Cut(before), limit-len(tasks))
		rows, err := query(s.read(ctx), "SELECT "+lightColumns.list+" FROM tasks"+s.dialect.forceIndex("tasks_queue")+
			" WHERE group_id IN ("+marks(len(chunk))+") AND state = ? AND COALESCE(started_at, dispatched_at) <= ? LIMIT ?", args...)
		if err != nil {
			return nil, fmt.Errorf("reading long attempts: %w", err)
		}
		part, err := lightColumns.scan(rows)
		if err != nil {
			return nil, fmt.Errorf("reading long attempts: %w", err)
		}
		if tasks = append(tasks, part...); len(tasks) >= limit {
			break
		}
	}
	return tasks, nil
}

const (
	runsLooked  = 2000 // of a job's newest tasks for those that succeeded
	sinceLooked = 5000 // of a job's tasks since an instant for one that succeeded
)

// RunTimes answers how long the attempts took that made the newest tasks of a job
// succeed, up to n of those scheduled up to an instant, the newest first.
func (s *Store) RunTimes(ctx context.Context, jobID string, upTo time.Time, n int) ([]time.Duration, error) {
	rows, err := query(s.read(ctx), "SELECT started_at, finished_at FROM (SELECT id, state, started_at, finished_at FROM tasks"+
		s.dialect.forceIndex("tasks_job")+" WHERE job_id = ? AND shelf = ? AND id <= ? ORDER BY id DESC LIMIT ?) newest"+
		" WHERE state = ? AND started_at IS NOT NULL AND finished_at IS NOT NULL LIMIT ?",
		jobID, shelfMoving, models.LowestID(upTo.Add(time.Millisecond)), runsLooked, models.TaskSucceeded, n)
	if err != nil {
		return nil, fmt.Errorf("reading how long a job takes: %w", err)
	}
	var times []time.Duration
	err = scan(rows, func() error {
		var started, finished time.Time
		err := rows.Scan(&started, &finished)
		times = append(times, max(finished.Sub(started), 0))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading how long a job takes: %w", err)
	}
	return times, nil
}

// JobSince asks about a job from an instant on.
type JobSince struct {
	JobID string
	Since time.Time
}

// SucceededSince answers the ids of those jobs of which a task has succeeded that was
// scheduled at its instant or later; of each it looks at the first tasks from then on.
func (s *Store) SucceededSince(ctx context.Context, asked []JobSince) (map[string]bool, error) {
	done := map[string]bool{}
	for chunk := range chunks(asked, 50) {
		parts := make([]string, len(chunk))
		var args []any
		for i, a := range chunk {
			parts[i] = "SELECT job_id FROM (SELECT job_id, state FROM tasks" + s.dialect.forceIndex("tasks_job") +
				" WHERE job_id = ? AND shelf = ? AND id >= ? ORDER BY id LIMIT ?) since WHERE state = ? GROUP BY job_id"
			args = append(args, a.JobID, shelfMoving, models.LowestID(a.Since), sinceLooked, models.TaskSucceeded)
		}
		ids, err := readIDs(s.read(ctx), strings.Join(parts, " UNION ALL "), args...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			done[id] = true
		}
	}
	return done, nil
}

// JobsAfter answers the jobs whose ids come after one, in their order, up to limit,
// deleted ones too; without parameters.
func (s *Store) JobsAfter(ctx context.Context, after string, limit int) ([]models.Job, error) {
	return list[models.Job](s.read(ctx).Table("jobs"+s.dialect.byKey()).Omit("Parameters").Where("id > ?", after).Order("id").Limit(limit), "jobs")
}

// InhabitedGroups answers which of some groups have a node that is not offline.
func (s *Store) InhabitedGroups(ctx context.Context, groupIDs []string) (map[string]bool, error) {
	found := map[string]bool{}
	for chunk := range chunks(groupIDs, inLimit) {
		ids, err := readIDs(s.read(ctx), "SELECT DISTINCT group_id FROM nodes"+s.dialect.forceIndex("nodes_group")+
			" WHERE group_id IN ("+marks(len(chunk))+") AND state <> ?", append(anys(chunk), models.NodeOffline)...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			found[id] = true
		}
	}
	return found, nil
}
