package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// JoinRules decides what arrivals mean. Both functions must be pure.
type JoinRules struct {
	// Window answers the name of the window that an arrival belongs to.
	Window func(j *models.Job, a *models.Arrival) string
	// Decide answers what a window comes to.
	Decide func(w *Window) Joined
	// Keep names jobs that nobody can run now, with how many of their fires may wait,
	// 100 at most.
	Keep map[string]int
}

// Window is one window of a job with what has come to it.
type Window struct {
	Job      *models.Job
	Upstream []models.Dependency // what the job waits for now
	// Within, unless nil, are the upstream jobs that belong to the run whose root
	// asked for everything downstream; no other is waited for.
	Within  map[string]bool
	Join    models.Join // OpenedAt is zero for a new one
	Arrived []models.JoinArrival
	New     []models.Arrival // one at least, the first to end first
	Held    bool             // nobody can run the job, and enough of its fires wait
}

// Joined is what a window comes to. The zero value leaves all as it is.
type Joined struct {
	Arrived []models.JoinArrival // to be written: new or changed ones
	Task    *models.Task         // it fires this
	Inputs  []string             // ids of the upstream tasks that made Task
	Skipped string               // reason code: it closes without a task, which would be scheduled for SkippedAt
	At      time.Time            // the scheduled instant of what was skipped
}

// JoinResult says what RecordArrivals did.
type JoinResult struct {
	Joined int           // arrivals that are dealt with, also by somebody else
	Tasks  []models.Task // new ones
	Jobs   []models.Job  // that fired
}

// RecordArrivals joins arrivals in one transaction: they are taken out of the
// pending ones, their windows are written, and windows that are complete fire. The
// rules are asked under the locks of the jobs' rows, so a window fires once and by
// the definition that stands at this moment; arrivals that somebody else has dealt
// with are left alone. Errors: DeposedError.
func (s *Store) RecordArrivals(ctx context.Context, fence Fence, at time.Time, arrivals []models.Arrival, rules JoinRules) (JoinResult, error) {
	var result JoinResult
	at = clock.Cut(at)
	err := s.write(ctx, fmt.Sprintf("joining %d arrivals", len(arrivals)), func(tx *gorm.DB) error {
		result = JoinResult{Joined: len(arrivals)}
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		j := joining{s: s, tx: tx, at: at, rules: rules, result: &result}
		if err := j.begin(arrivals); err != nil {
			return err
		}
		if err := j.open(); err != nil {
			return err
		}
		if err := j.countWaiting(); err != nil {
			return err
		}
		return j.write()
	})
	return result, err
}

// joining is one run of RecordArrivals.
type joining struct {
	s        *Store
	tx       *gorm.DB
	at       time.Time
	rules    JoinRules
	result   *JoinResult
	pending  []models.Arrival
	jobs     map[string]*models.Job
	upstream map[string][]models.Dependency
	windows  []*Window
	waiting  map[string]int        // fires of the jobs in rules.Keep that wait
	before   map[string]*time.Time // last fires of the jobs as they were
}

// begin locks the jobs and takes out those of the arrivals that are still pending.
// The jobs' locks guard all that follows: whoever deals with an arrival holds its
// job's.
func (j *joining) begin(arrivals []models.Arrival) error {
	ids, jobIDs := make([]string, len(arrivals)), make([]string, len(arrivals))
	for i := range arrivals {
		ids[i], jobIDs[i] = arrivals[i].ID, arrivals[i].JobID
	}
	slices.Sort(ids)
	slices.Sort(jobIDs)
	jobIDs = slices.Compact(jobIDs)
	jobs, err := list[models.Job](j.s.locked(j.tx).Table("jobs"+j.s.dialect.byKey()).Where("id IN ?", jobIDs).Order("id"), "the jobs of arrivals")
	if err != nil {
		return err
	}
	j.jobs = make(map[string]*models.Job, len(jobs))
	for i := range jobs {
		j.jobs[jobs[i].ID] = &jobs[i]
	}
	if j.pending, err = list[models.Arrival](j.tx.Table("arrivals"+j.s.dialect.byKey()).Where("id IN ?", ids).Order("id"), "arrivals"); err != nil {
		return err
	}
	if j.upstream, err = j.s.upstreamOf(j.tx, jobIDs); err != nil {
		return err
	}
	gone := make([]any, len(j.pending))
	for i := range j.pending {
		gone[i] = j.pending[i].ID
	}
	for chunk := range chunks(gone, inLimit) {
		if _, err := exec(j.tx, j.s.dialect.deleteByKey("arrivals")+" WHERE id IN ("+marks(len(chunk))+")", chunk...); err != nil {
			return fmt.Errorf("taking out %d arrivals: %w", len(chunk), err)
		}
	}
	return nil
}

type windowKey struct{ job, window string }

// open sorts the arrivals into windows and reads what these hold already. Arrivals
// from jobs that are no longer waited for are dropped.
func (j *joining) open() error {
	found := map[windowKey]*Window{}
	for i := range j.pending {
		a := &j.pending[i]
		job := j.jobs[a.JobID]
		waits := slices.ContainsFunc(j.upstream[a.JobID], func(d models.Dependency) bool { return d.UpstreamID == a.UpstreamID })
		if job == nil || job.DeletedAt != nil || !waits {
			continue
		}
		key := windowKey{a.JobID, j.rules.Window(job, a)}
		w := found[key]
		if w == nil {
			w = &Window{Job: job, Upstream: j.upstream[a.JobID], Join: models.Join{JobID: key.job, Window: key.window, Downstream: a.Downstream}}
			found[key] = w
			j.windows = append(j.windows, w)
		}
		w.New = append(w.New, *a)
	}
	if err := j.readJoins(found); err != nil {
		return err
	}
	for _, w := range j.windows {
		slices.SortStableFunc(w.New, func(a, b models.Arrival) int { return a.EndedAt.Compare(b.EndedAt) })
		if w.New[0].Downstream == models.DownstreamAll && len(w.Upstream) > 1 {
			within, err := j.s.within(j.tx, w.New[0].RootID, w.Upstream)
			if err != nil {
				return err
			}
			w.Within = within
		}
	}
	return nil
}

// readJoins reads the rows of windows that were opened before.
func (j *joining) readJoins(found map[windowKey]*Window) error {
	const one = "(job_id = ? AND window_key = ?)"
	for chunk := range chunks(j.windows, 100) {
		args := make([]any, 0, 2*len(chunk))
		for _, w := range chunk {
			args = append(args, w.Join.JobID, w.Join.Window)
		}
		where := one + strings.Repeat(" OR "+one, len(chunk)-1)
		joins, err := list[models.Join](j.tx.Where(where, args...), "the windows of arrivals")
		if err != nil {
			return err
		}
		arrived, err := list[models.JoinArrival](j.tx.Where(where, args...), "the windows of arrivals")
		if err != nil {
			return err
		}
		for _, row := range joins {
			found[windowKey{row.JobID, row.Window}].Join = row
		}
		for _, row := range arrived {
			w := found[windowKey{row.JobID, row.Window}]
			w.Arrived = append(w.Arrived, row)
		}
	}
	return nil
}

// countWaiting counts what waits of the jobs that nobody can run.
func (j *joining) countWaiting() error {
	until := map[string]time.Time{}
	for _, w := range j.windows {
		if j.rules.Keep[w.Job.ID] == 0 {
			continue
		}
		at := until[w.Job.ID]
		if at.IsZero() {
			at = j.at
		}
		if last := w.Job.LastFireAt; last != nil && last.After(at) {
			at = *last // upstream tasks end in any order: what waits may be later than these
		}
		for _, a := range w.New {
			if a.ScheduledAt.After(at) {
				at = a.ScheduledAt
			}
		}
		until[w.Job.ID] = at
	}
	var asked []waitingOf
	for _, id := range slices.Sorted(maps.Keys(until)) {
		asked = append(asked, waitingOf{id, until[id]})
	}
	var err error
	j.waiting, err = j.s.waitingFires(j.tx, asked)
	return err
}

// held says whether enough fires wait of the job of a window that nobody can run. What
// somebody asked for is never held.
func (j *joining) held(w *Window) bool {
	keep, limited := j.rules.Keep[w.Job.ID]
	return limited && j.waiting[w.Job.ID] >= keep && w.Join.Downstream != models.DownstreamAll
}

// write asks the rules about each window and writes what they say.
func (j *joining) write() error {
	var joins, arrived [][]any
	var tasks []*models.Task
	inputs := map[string][]string{}
	skipped := map[skipKey]*models.SkippedFires{}
	j.before = make(map[string]*time.Time, len(j.jobs))
	for id, job := range j.jobs {
		j.before[id] = job.LastFireAt
	}
	for _, w := range j.windows {
		w.Held = j.held(w)
		said := j.rules.Decide(w)
		if said.Task == nil && said.Skipped == "" && len(said.Arrived) == 0 {
			continue
		}
		if w.Join.OpenedAt.IsZero() {
			w.Join.OpenedAt = j.at
		}
		switch {
		case said.Task != nil:
			w.Join.FiredAt, w.Join.TaskID = &j.at, &said.Task.ID
			tasks = append(tasks, said.Task)
			inputs[said.Task.ID] = said.Inputs
			j.waiting[w.Job.ID]++
			j.fired(w.Job, said.Task.ScheduledAt)
		case said.Skipped != "":
			w.Join.Reason = said.Skipped
			j.skip(skipped, w.Job, &said)
		}
		joins = append(joins, []any{
			w.Join.JobID, w.Join.Window, w.Join.Downstream, clock.Cut(w.Join.OpenedAt), cutTime(w.Join.FiredAt), w.Join.TaskID, w.Join.Reason,
		})
		for _, a := range said.Arrived {
			arrived = append(arrived, []any{
				a.JobID, a.Window, a.UpstreamID, a.TaskID, a.Attempt, a.State, clock.Cut(a.ScheduledAt), clock.Cut(a.EndedAt),
			})
		}
	}
	if err := j.writeWindows(joins, arrived); err != nil {
		return err
	}
	return j.fire(tasks, inputs, j.runs(skipped))
}

// writeWindows writes rows that nobody else writes: the jobs are locked.
func (j *joining) writeWindows(joins, arrived [][]any) error {
	columns := []string{"job_id", "window_key", "downstream", "opened_at", "fired_at", "task_id", "reason"}
	err := j.s.insertRows(j.tx, "joins", columns, joins, j.s.dialect.onConflict("job_id, window_key", anew(columns[4:])...))
	if err != nil {
		return fmt.Errorf("writing %d windows: %w", len(joins), err)
	}
	columns = []string{"job_id", "window_key", "upstream_id", "task_id", "attempt", "state", "scheduled_at", "ended_at"}
	err = j.s.insertRows(j.tx, "join_arrivals", columns, arrived, j.s.dialect.onConflict("job_id, window_key, upstream_id", anew(columns[3:])...))
	if err != nil {
		return fmt.Errorf("writing %d arrivals of windows: %w", len(arrived), err)
	}
	return nil
}

// anew answers assignments of the new values.
func anew(columns []string) []string {
	set := make([]string, len(columns))
	for i, c := range columns {
		set[i] = c + " = new(" + c + ")"
	}
	return set
}

// fired notes a job's latest fire.
func (j *joining) fired(job *models.Job, at time.Time) {
	if job.LastFireAt == nil || at.After(*job.LastFireAt) {
		job.LastFireAt = &at
	}
	if !slices.ContainsFunc(j.result.Jobs, func(known models.Job) bool { return known.ID == job.ID }) {
		j.result.Jobs = append(j.result.Jobs, *job)
	}
}

// fire writes the tasks with what made them, and the fires that became none.
func (j *joining) fire(tasks []*models.Task, inputs map[string][]string, skipped []skippedRun) error {
	if len(tasks)+len(skipped) == 0 {
		return nil
	}
	b := newBooks(byEnqueue)
	for i := range skipped {
		b.rolls.skipped(&skipped[i].SkippedFires)
	}
	if err := j.s.recordSkipped(j.tx, b, skipped); err != nil {
		return err
	}
	existing, err := j.s.insertTasks(j.tx, tasks, b)
	if err != nil {
		return err
	}
	var rows [][]any
	for _, t := range tasks {
		if existing[t.ID] {
			continue // a window that was forgotten had made it long ago
		}
		j.result.Tasks = append(j.result.Tasks, *t)
		for _, input := range slices.Sorted(slices.Values(inputs[t.ID])) {
			rows = append(rows, []any{t.ID, input})
		}
	}
	if err := j.s.insertRows(j.tx, "task_inputs", []string{"task_id", "upstream_id"}, rows, ""); err != nil {
		return fmt.Errorf("writing what made %d tasks: %w", len(tasks), err)
	}
	last := make([][]any, len(j.result.Jobs))
	for i := range j.result.Jobs {
		job := &j.result.Jobs[i]
		job.LastFireAt = j.jobs[job.ID].LastFireAt
		last[i] = []any{job.ID, cutTime(job.LastFireAt)}
	}
	slices.SortFunc(last, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	if err := j.s.updateLocked(j.tx, update{table: "jobs", key: "id", set: []string{"last_fire_at"}}, last); err != nil {
		return fmt.Errorf("noting the last fires: %w", err)
	}
	return j.s.settle(j.tx, b)
}

type skipKey struct{ job, reason string }

// skip adds to the record of what a job does not run, one row a transaction.
func (j *joining) skip(all map[skipKey]*models.SkippedFires, job *models.Job, said *Joined) {
	key := skipKey{job.ID, said.Skipped}
	f := all[key]
	if f == nil {
		f = &models.SkippedFires{ID: models.NewID(j.at), JobID: job.ID, FirstAt: said.At, LastAt: said.At, Reason: said.Skipped, RecordedAt: j.at}
		all[key] = f
	}
	f.Count++
	if said.At.Before(f.FirstAt) {
		f.FirstAt = said.At
	}
	if said.At.After(f.LastAt) {
		f.LastAt = said.At
	}
}

// runs answers the records of what was skipped, in order of the jobs.
func (j *joining) runs(all map[skipKey]*models.SkippedFires) []skippedRun {
	list := make([]skippedRun, 0, len(all))
	for key, f := range all {
		fired := slices.ContainsFunc(j.result.Jobs, func(job models.Job) bool { return job.ID == key.job })
		list = append(list, skippedRun{SkippedFires: *f, last: j.before[key.job], fired: fired, anyOrder: true})
	}
	slices.SortFunc(list, func(a, b skippedRun) int {
		return cmp.Or(strings.Compare(a.JobID, b.JobID), strings.Compare(a.ID, b.ID))
	})
	return list
}
