package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
)

const (
	// probeRows are the latest tasks among which those of an app or group are
	// looked for first. Most apps that are looked at have a page among them.
	probeRows = 2000
	// searchRows are the tasks among which conditions that no index holds are looked
	// for in one page: about ten milliseconds.
	searchRows = 10_000
	// fewQueued is how many queued tasks are sorted by id rather than looked for
	// on the shelf that they share with everything that succeeded.
	fewQueued = 20_000
	// mostBranches bounds the ranges that one statement merges.
	mostBranches = 120
	// queueIndex holds what is queued, by group and state and not in order of id.
	queueIndex = "tasks_queue"
	// movingStates share a shelf: WAITING, RUNNING, SUCCEEDED.
	movingStates = 3
)

// taskReading chooses from which ranges of which index a page is read.
type taskReading struct {
	store      *Store
	filter     *TaskFilter
	wanted     wanted
	descending bool
	limit      int
	fewQueued  int // see the constant
	fewJobs    int // jobs of an app that are so few that each is asked for
	probeRows  int // see the constant
	searchRows int // see the constant
}

// ids reads the ids of the page. stopped is not empty when the search ended there
// although the ranges go on.
func (r *taskReading) ids(ctx context.Context) (ids []string, stopped string, err error) {
	scoped := r.filter.JobID == "" && (r.wanted.apps != nil || r.filter.GroupID != "")
	// No index leads to the tasks of apps or a group. They are looked for among
	// the latest tasks; then job by job, if these are few; else among all.
	if scoped && r.wanted.key == "" && len(r.filter.States) == 0 {
		statement, args := r.probe()
		ids, err := readIDs(r.store.read(ctx), statement, args...)
		if err != nil || len(ids) == r.limit {
			return ids, "", err
		}
	}
	branches, err := r.branches(ctx, scoped)
	if err != nil {
		return nil, "", err
	}
	if !slices.ContainsFunc(branches, func(b branch) bool { return len(b.rest.sql) > 0 && b.index != queueIndex }) {
		ids, err = r.store.taskIDs(ctx, branches, r.descending, r.limit)
		return ids, "", err
	}
	return r.searched(ctx, branches)
}

// branches chooses the ranges to read.
func (r *taskReading) branches(ctx context.Context, scoped bool) ([]branch, error) {
	if r.wanted.key != "" {
		return r.ofKey(), nil
	}
	if r.filter.JobID != "" {
		return r.ofJobs(ctx, []string{r.filter.JobID})
	}
	if scoped {
		jobs, few, err := r.jobsOfApp(ctx)
		if err != nil {
			return nil, err
		}
		if few {
			r.wanted.apps = nil
			return r.ofJobs(ctx, jobs)
		}
	}
	return r.ofAll(ctx)
}

// ofJobs are the ranges of the tasks of some jobs.
func (r *taskReading) ofJobs(ctx context.Context, jobs []string) ([]branch, error) {
	branches, states, err := r.queued(ctx, jobs)
	if err != nil {
		return nil, err
	}
	if len(states) > 0 || len(r.filter.States) == 0 {
		for _, job := range jobs {
			branches = append(branches, jobBranches(job, states, r.wanted)...)
		}
	}
	return branches, nil
}

// ofAll are the ranges of the tasks of all jobs.
func (r *taskReading) ofAll(ctx context.Context) ([]branch, error) {
	branches, states, err := r.queued(ctx, nil)
	if err != nil {
		return nil, err
	}
	switch {
	case len(r.filter.States) == 0 && r.wanted.family:
		branches = append(branches, branch{conditions: r.wanted.ids, rest: r.wanted.rest()})
	case len(r.filter.States) == 0 || len(states) > 0:
		branches = append(branches, shelfBranches("tasks_shelf", conditions{}, states, r.wanted)...)
	}
	return branches, nil
}

// probe is the query for matches among the first rows of the range only.
func (r *taskReading) probe() (string, []any) {
	latest := branch{conditions: r.wanted.ids}
	const columns = "id, app_id, group_id, node_id, parent_id, trigger_kind, backfill_id"
	inner, args := latest.statement(r.store.dialect, columns, r.descending, r.probeRows)
	rest := r.wanted.rest()
	if !r.wanted.family {
		rest.add("parent_id IS NULL")
	}
	statement := "SELECT id FROM (" + inner + ") AS latest" + rest.where() + byID(r.descending)
	return statement, append(append(args, rest.args...), r.limit)
}

// jobsOfApp answers the jobs, also deleted ones, of the apps that the filter names
// themselves or by a group, if they are so few that each can be asked for.
func (r *taskReading) jobsOfApp(ctx context.Context) (ids []string, few bool, err error) {
	q := r.store.read(ctx).Model(&models.Job{}).Order("id").Limit(r.fewJobs + 1)
	if r.wanted.apps != nil {
		q = q.Where("app_id IN ?", r.wanted.apps)
	}
	if r.filter.AppID == "" && r.filter.GroupID != "" {
		// All of the app's: a job may have been in the group and moved on.
		q = q.Where("app_id = (SELECT app_id FROM node_groups WHERE id = ?)", r.filter.GroupID)
	}
	if err := q.Pluck("id", &ids).Error; err != nil {
		return nil, false, fmt.Errorf("reading the jobs of an app: %w", err)
	}
	return ids, len(ids) <= r.fewJobs, nil
}

// queued answers the range of waiting and running tasks within the queue, to be
// sorted by id, when they are few: on their shelf they may lie far below what
// succeeded since. It also answers the states that are left to be read elsewhere.
func (r *taskReading) queued(ctx context.Context, jobs []string) ([]branch, []models.TaskState, error) {
	states := r.filter.States
	inQueue := func(state models.TaskState) bool { return state == models.TaskWaiting || state == models.TaskRunning }
	if slices.Contains(states, models.TaskSucceeded) || !slices.ContainsFunc(states, inQueue) {
		return nil, states, nil // that shelf is read anyway, or nothing of it is wanted
	}
	wanted := slices.DeleteFunc(slices.Clone(states), func(state models.TaskState) bool { return !inQueue(state) })
	groups, total, err := r.groupsWith(ctx, wanted)
	if err != nil {
		return nil, nil, err
	}
	if total > r.fewQueued {
		return nil, states, nil
	}
	rest := slices.DeleteFunc(slices.Clone(states), inQueue)
	if len(groups) == 0 {
		return nil, rest, nil
	}
	b := branch{index: queueIndex, rest: r.wanted.rest()}
	if !r.wanted.family {
		b.rest.add("parent_id IS NULL")
	}
	b.add("group_id IN ("+marks(len(groups))+")", anys(groups)...)
	b.add("state IN ("+marks(len(wanted))+")", anys(wanted)...)
	if len(jobs) > 0 {
		b.add("job_id IN ("+marks(len(jobs))+")", anys(jobs)...)
	}
	b.and(r.wanted.ids)
	return []branch{b}, rest, nil
}

// groupsWith answers the groups that have tasks in these states, and how many
// tasks those are.
func (r *taskReading) groupsWith(ctx context.Context, states []models.TaskState) (groups []string, total int, err error) {
	all, err := counts(r.store.read(ctx).Table("counters").Select("group_id AS k, SUM(n) AS n").
		Where("state IN ?", states).Group("group_id"), "tasks by state")
	if err != nil {
		return nil, 0, err
	}
	for group, n := range all {
		if n > 0 && (r.filter.GroupID == "" || r.filter.GroupID == group) {
			groups = append(groups, group)
			total += n
		}
	}
	slices.Sort(groups)
	return groups, total, nil
}

// jobBranches are the ranges of a job's tasks in these states; none means all.
func jobBranches(job string, states []models.TaskState, w wanted) []branch {
	return shelfBranches("tasks_job", conditions{sql: []string{"job_id = ?"}, args: []any{job}}, states, w)
}

// shelfBranches are the ranges of an index that hold these states; none means all.
// first are the conditions on what the index has before the shelf.
func shelfBranches(index string, first conditions, states []models.TaskState, w wanted) []branch {
	var moving []models.TaskState
	on := map[int]bool{}
	for _, state := range states {
		on[shelfOf(state)] = true
		if shelfOf(state) == shelfMoving {
			moving = append(moving, state)
		}
	}
	var branches []branch
	for _, shelf := range shelves {
		if len(states) > 0 && !on[shelf] {
			continue
		}
		b := branch{index: index}
		b.and(first)
		b.add("shelf = ?", shelf)
		b.and(w.ids)
		if n := len(moving); shelf == shelfMoving && n > 0 && n < movingStates {
			b.rest.add("state IN ("+marks(n)+")", anys(moving)...)
		}
		b.rest.and(w.rest())
		branches = append(branches, b)
	}
	if w.family {
		b := branch{index: index}
		b.and(first)
		b.add("shelf = ?", shelfChildren)
		b.and(w.ids)
		if len(states) > 0 {
			b.rest.add("state IN ("+marks(len(states))+")", anys(states)...)
		}
		b.rest.and(w.rest())
		branches = append(branches, b)
	}
	return branches
}
