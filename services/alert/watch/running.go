package watch

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	runningRead = 10_000           // attempts that are looked at in one pass
	usualRuns   = 100              // of a job's newest runs, for what it usually takes
	usualLeast  = 20               // fewer say nothing
	usualFor    = 10 * time.Minute // how long that is remembered
	usualAt1    = 50               // jobs whose runs are read in one pass
	keptUsual   = 10_000           // jobs that are remembered; past it the memory starts afresh
)

// usual is what 95 of 100 runs of a job take at most; 0: it has too few.
type usual struct {
	p95  time.Duration
	till time.Time
}

// tooLong looks for attempts that run longer than a bound, or than their jobs usually do.
// Those younger than the pause between two looks are never seen.
func (w *Watcher) tooLong(ctx context.Context, l *look) (finding, error) {
	conditions := l.of(models.AlertRunTooLong)
	f := finding{judged: kindJudged(models.AlertRunTooLong)}
	if len(conditions) == 0 {
		return f, nil
	}
	tasks, err := w.cfg.Ledger.RunningBefore(ctx, l.now.Add(-every), runningRead)
	if err != nil {
		return finding{}, err
	}
	if len(tasks) == runningRead {
		f.judged = nothing // what is over may run beyond them
	}
	slices.SortFunc(tasks, func(a, b models.Task) int { return begun(&a).Compare(begun(&b)) }) // the longest first
	seen := map[string]bool{}
	var ids []string
	for i := range tasks {
		if id := tasks[i].JobID; !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	jobs, err := w.jobsByID(ctx, ids)
	if err != nil {
		return finding{}, err
	}
	p95, unknown, err := w.usually(ctx, conditions, ids, jobs, l.now)
	if err != nil {
		return finding{}, err
	}
	for _, c := range conditions {
		f.holds = append(f.holds, tooLongOf(&c, tasks, jobs, p95, l.now)...)
	}
	if judged := f.judged; len(unknown) > 0 {
		f.judged = func(k store.WatchKey) bool { return judged(k) && !unknown[idOf(k.Subject)] }
	}
	return f, nil
}

// begun is when an attempt began to run.
func begun(t *models.Task) time.Time {
	switch {
	case t.StartedAt != nil:
		return *t.StartedAt
	case t.DispatchedAt != nil:
		return *t.DispatchedAt
	}
	return t.AvailableAt
}

// tooLongOf answers, for each job in scope, its longest attempt if that passes the bound.
// Tasks are in order of their beginnings.
func tooLongOf(c *Condition, tasks []models.Task, jobs map[string]*models.Job, p95 map[string]time.Duration, now time.Time) (holds []models.AlertEvent) {
	told := map[string]bool{}
	for i := range tasks {
		t := &tasks[i]
		j := jobs[t.JobID]
		if j == nil || told[j.ID] || c.Jobs != nil && !c.Jobs(j) {
			continue
		}
		told[j.ID] = true
		ran, bound := now.Sub(begun(t)), boundOf(c, p95[j.ID])
		if bound == 0 || ran <= bound {
			continue
		}
		d := models.AlertDetail{
			Since: new(begun(t).Add(bound)), RunningMS: ran.Milliseconds(), BoundMS: bound.Milliseconds(), Node: t.NodeName,
			ScheduledAt: &t.ScheduledAt, Tries: t.Tries(), MaxAttempts: t.MaxAttempts,
		}
		if c.Factor > 0 {
			d.P95MS = p95[j.ID].Milliseconds()
		}
		e := about(models.AlertRunTooLong, c.RuleID, j, d)
		e.TaskID, e.NodeID, e.Attempt = &t.ID, t.NodeID, t.Attempt
		holds = append(holds, e)
	}
	return holds
}

// boundOf is how long a run may take: the shorter of the condition's two bounds; 0 when
// it has none for this job.
func boundOf(c *Condition, p95 time.Duration) time.Duration {
	bound := max(c.LongerThan, 0)
	if c.Factor > 0 && p95 > 0 {
		own := time.Duration(math.Min(float64(p95)*c.Factor, math.MaxInt64/2))
		if bound == 0 || own < bound {
			bound = own
		}
	}
	return bound
}

// usually answers what jobs usually take, where a condition asks for it. Of those that
// are not known yet some are read, and the others are unknown until a later pass.
func (w *Watcher) usually(ctx context.Context, conditions []Condition, ids []string, jobs map[string]*models.Job, now time.Time) (p95 map[string]time.Duration, unknown map[string]bool, err error) {
	p95, unknown = map[string]time.Duration{}, map[string]bool{}
	read := 0
	for _, id := range ids {
		j := jobs[id]
		asks := func(c Condition) bool { return c.Factor > 0 && (c.Jobs == nil || c.Jobs(j)) }
		if j == nil || !slices.ContainsFunc(conditions, asks) {
			continue
		}
		known, ok := w.usual[id]
		if !ok || now.After(known.till) {
			if read++; read > usualAt1 {
				unknown[id] = true
				continue
			}
			times, err := w.cfg.Ledger.RunTimes(ctx, id, now, usualRuns)
			if err != nil {
				return nil, nil, err
			}
			if len(w.usual) >= keptUsual {
				clear(w.usual)
			}
			known = usual{p95: percentile95(times), till: now.Add(usualFor)}
			w.usual[id] = known
		}
		p95[id] = known.p95
	}
	return p95, unknown, nil
}

// percentile95 is the smallest of some durations that 95 of 100 do not exceed; 0 for too
// few of them.
func percentile95(times []time.Duration) time.Duration {
	if len(times) < usualLeast {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return max(sorted[(len(sorted)*95+99)/100-1], 1)
}
