package watch

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	latePerLane = 2000 // late tasks of a group, state and priority that are looked at
	lateApart   = 20   // late jobs of a group that a rule hears of one by one; beyond it is the line
	relief      = 0.8  // a line is short again below this share of the bound that it passed
)

// late looks for due tasks that have not started within a bound. A line in which nothing
// is late by its owner's word is not read. Of a line that is too long to be read to its
// end nothing is found over.
func (w *Watcher) late(ctx context.Context, l *look) (finding, error) {
	conditions := l.of(models.AlertFireLate)
	shortest, any := time.Duration(0), false
	for _, c := range conditions {
		if !any || c.LongerThan < shortest {
			shortest, any = c.LongerThan, true
		}
	}
	f := finding{judged: kindJudged(models.AlertFireLate)}
	if !any {
		return f, nil
	}
	before := l.now.Add(-shortest)
	for i := range l.lines {
		line := &l.lines[i]
		group := l.groups[line.GroupID]
		if group == nil || line.OldestDueAt == nil || line.OldestDueAt.After(before) {
			continue
		}
		tasks, cut, err := w.cfg.Ledger.LateTasks(ctx, line.GroupID, before, latePerLane)
		if err != nil {
			return finding{}, err
		}
		if cut {
			f.judged = nothing
		}
		ids := make([]string, len(tasks))
		for i := range tasks {
			ids[i] = tasks[i].JobID
		}
		jobs, err := w.jobsByID(ctx, ids)
		if err != nil {
			return finding{}, err
		}
		for _, c := range conditions {
			f.holds = append(f.holds, lateOf(&c, group, jobs, tasks, cut, l)...)
		}
	}
	return f, nil
}

func (w *Watcher) jobsByID(ctx context.Context, ids []string) (map[string]*models.Job, error) {
	rows, err := w.cfg.Ledger.JobsByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	jobs := make(map[string]*models.Job, len(rows))
	for i := range rows {
		jobs[rows[i].ID] = &rows[i]
	}
	return jobs, nil
}

// lateOf answers what a condition finds late in a group: some jobs one by one, or, when
// there are more than lateApart, the line, and those jobs alone that were told before.
func lateOf(c *Condition, group *models.NodeGroup, jobs map[string]*models.Job, tasks []store.LateJob, cut bool, l *look) (holds []models.AlertEvent) {
	before := l.now.Add(-c.LongerThan)
	var total int64
	oldest := l.now
	for i := range tasks {
		t := &tasks[i]
		j := jobs[t.JobID]
		if j == nil || t.Oldest.After(before) || c.Jobs != nil && !c.Jobs(j) {
			continue
		}
		total += t.Tasks
		if t.Oldest.Before(oldest) {
			oldest = t.Oldest
		}
		holds = append(holds, about(models.AlertFireLate, c.RuleID, j, models.AlertDetail{
			Since: &t.Oldest, ScheduledAt: &t.Oldest, LateMS: l.now.Sub(t.Oldest).Milliseconds(), BoundMS: c.LongerThan.Milliseconds(),
			Count: t.Tasks, AtLeast: cut,
		}))
	}
	if len(holds) <= lateApart {
		return holds
	}
	line := []models.AlertEvent{aboutGroup(models.AlertFireLate, c.RuleID, group, models.AlertDetail{
		Since: &oldest, LateMS: l.now.Sub(oldest).Milliseconds(), BoundMS: c.LongerThan.Milliseconds(), Count: total, AtLeast: cut,
	})}
	for i := range holds {
		if _, told := l.open[keyOf(&holds[i])]; told {
			line = append(line, holds[i])
		}
	}
	return line
}

// backlog looks for lines that are too long, or whose oldest task is due for too long.
func (w *Watcher) backlog(_ context.Context, l *look) (finding, error) {
	f := finding{judged: kindJudged(models.AlertQueueBacklog)}
	for _, c := range l.of(models.AlertQueueBacklog) {
		for i := range l.lines {
			line := &l.lines[i]
			group := l.groups[line.GroupID]
			if group == nil || c.Groups != nil && !c.Groups(group) {
				continue
			}
			_, told := l.open[store.WatchKey{Kind: c.Kind, Subject: models.GroupSubject(group.ID), RuleID: c.RuleID}]
			if !tooLongLine(&c, line, l.now, told) {
				continue
			}
			f.holds = append(f.holds, aboutGroup(c.Kind, c.RuleID, group, models.AlertDetail{
				Since: &l.now, Count: line.Due, Depth: c.Depth, LateMS: ageOf(line, l.now).Milliseconds(), BoundMS: c.Age.Milliseconds(),
			}))
		}
	}
	return f, nil
}

// tooLongLine says whether a line passes a bound of c. One that was told has to fall well
// below, lest a line that hovers about the bound is told each time.
func tooLongLine(c *Condition, line *models.GroupFlow, now time.Time, told bool) bool {
	depth, age := float64(c.Depth), float64(c.Age)
	if told {
		depth, age = depth*relief, age*relief
	}
	return c.Depth > 0 && float64(line.Due) >= depth || c.Age > 0 && float64(ageOf(line, now)) >= age
}

// ageOf is since when the first of a line's tasks has been due.
func ageOf(line *models.GroupFlow, now time.Time) time.Duration {
	if line.Due == 0 || line.OldestDueAt == nil {
		return 0
	}
	return max(now.Sub(*line.OldestDueAt), 0)
}
