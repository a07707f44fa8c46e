package watch

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	latePerLane = 2000 // late tasks of a group, state and priority that are looked at
	lateApart   = 20   // late jobs of a group that a rule hears of one by one; beyond it is the line
	relief      = 0.8  // a line is short again below this share of the bound that it passed
)

// late looks for due tasks that have not started within a bound, and for tasks that every
// worker hands back for as long: those are offered anew each minute, and so never due for
// long. A line in which nothing is late by its owner's word is not read. Of a line that is
// too long to be read to its end nothing is found over.
func (w *Watcher) late(ctx context.Context, l *look) (finding, error) {
	conditions := l.of(models.AlertFireLate)
	f := finding{judged: kindJudged(models.AlertFireLate)}
	if len(conditions) == 0 {
		return f, nil
	}
	shortest := conditions[0].LongerThan
	for _, c := range conditions {
		shortest = min(shortest, c.LongerThan)
	}
	lines, err := w.lateLines(ctx, l, l.now.Add(-shortest))
	if err != nil {
		return finding{}, err
	}
	for i := range lines {
		line := &lines[i]
		if line.cut {
			f.judged = nothing
		}
		ids := make([]string, len(line.tasks))
		for i := range line.tasks {
			ids[i] = line.tasks[i].JobID
		}
		jobs, err := w.jobsByID(ctx, ids)
		if err != nil {
			return finding{}, err
		}
		for _, c := range conditions {
			f.holds = append(f.holds, lateOf(&c, line.group, jobs, line.tasks, line.cut, l)...)
		}
	}
	return f, nil
}

// lateLine is what is late in a group.
type lateLine struct {
	group *models.NodeGroup
	tasks []store.LateJob
	cut   bool // there is more
}

// offeredAgain is within which time a task that was handed back is offered again.
const offeredAgain = time.Minute

// lateLines answers what has been late since an instant, by group.
func (w *Watcher) lateLines(ctx context.Context, l *look, since time.Time) ([]lateLine, error) {
	until := l.now.Add(offeredAgain)
	retrying, err := w.cfg.Ledger.RetryingGroups(ctx, until)
	if err != nil {
		return nil, err
	}
	due := map[string]bool{}
	for i := range l.lines {
		line := &l.lines[i]
		due[line.GroupID] = line.OldestDueAt != nil && !line.OldestDueAt.After(since)
	}
	groups, err := w.groupsOf(ctx, l, retrying)
	if err != nil {
		return nil, err
	}
	var all []lateLine
	for i := range groups {
		line := lateLine{group: groups[i]}
		if due[line.group.ID] {
			if line.tasks, line.cut, err = w.cfg.Ledger.LateTasks(ctx, line.group.ID, since, latePerLane); err != nil {
				return nil, err
			}
		}
		if slices.Contains(retrying, line.group.ID) {
			back, cut, err := w.cfg.Ledger.HandedBackTasks(ctx, line.group.ID, since, until, latePerLane)
			if err != nil {
				return nil, err
			}
			line.tasks, line.cut = mergeLate(line.tasks, back), line.cut || cut
		}
		if len(line.tasks) > 0 || line.cut {
			all = append(all, line)
		}
	}
	return all, nil
}

// groupsOf answers the groups with a line, and these, in order of their ids.
func (w *Watcher) groupsOf(ctx context.Context, l *look, ids []string) ([]*models.NodeGroup, error) {
	all := maps.Clone(l.groups)
	var more []string
	for _, id := range ids {
		if all[id] == nil {
			more = append(more, id)
		}
	}
	rows, err := w.cfg.Ledger.GroupsByIDs(ctx, more)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		all[rows[i].ID] = &rows[i]
	}
	groups := make([]*models.NodeGroup, 0, len(all))
	for _, id := range slices.Sorted(maps.Keys(all)) {
		groups = append(groups, all[id])
	}
	return groups, nil
}

// mergeLate joins what is due for long with what is handed back for long; a task may be
// both.
func mergeLate(due, back []store.LateJob) []store.LateJob {
	for _, b := range back {
		at := slices.IndexFunc(due, func(j store.LateJob) bool { return j.JobID == b.JobID })
		if at < 0 {
			due = append(due, b)
			continue
		}
		due[at].Tasks = max(due[at].Tasks, b.Tasks)
		if b.Oldest.Before(due[at].Oldest) {
			due[at].Oldest = b.Oldest
		}
	}
	slices.SortFunc(due, func(a, b store.LateJob) int { return strings.Compare(a.JobID, b.JobID) })
	return due
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
