package backfill

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// What reads take and answer; the shapes are the ledger's.
type (
	// Page says which part of a list: by the positions before and after it.
	Page = store.Page
	// PageInfo says whether the list goes on at either end.
	PageInfo = store.PageInfo
)

// shortest is the least rest between two passes: what a fast backfill may make
// meanwhile is made at once.
const shortest = 20 * time.Millisecond

// Pass does for all backfills of this server's partitions what may be done now, and
// answers how long it may rest.
func (s *Service) Pass(ctx context.Context) (time.Duration, error) {
	owned := s.owner.Partitions()
	if len(owned) == 0 {
		return longest, nil
	}
	todo, err := s.store.BackfillsToDo(ctx, slices.Sorted(maps.Keys(owned)), perPass)
	if err != nil || len(todo) == 0 {
		return longest, err
	}
	jobs, err := s.jobsOf(ctx, todo)
	if err != nil {
		return 0, err
	}
	rest := longest
	for i := range todo {
		b := &todo[i]
		j := jobs[b.JobID]
		epoch, ours := int64(0), false
		if j != nil {
			epoch, ours = owned[j.Partition]
		}
		if !ours {
			continue // its group has moved meanwhile
		}
		next, err := s.work(ctx, store.Fence{j.Partition: epoch}, b, j)
		if err != nil {
			return 0, store.GiveWay(err, s.owner.Lost)
		}
		rest = min(rest, next)
	}
	return max(rest, shortest), nil
}

func (s *Service) jobsOf(ctx context.Context, todo []models.Backfill) (map[string]*models.Job, error) {
	ids := make([]string, len(todo))
	for i := range todo {
		ids[i] = todo[i].JobID
	}
	slices.Sort(ids)
	rows, err := s.store.JobsByIDs(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	jobs := make(map[string]*models.Job, len(rows))
	for i := range rows {
		jobs[rows[i].ID] = &rows[i]
	}
	return jobs, nil
}

// work does for one backfill what may be done now and answers when there is more.
func (s *Service) work(ctx context.Context, fence store.Fence, b *models.Backfill, j *models.Job) (time.Duration, error) {
	if b.State == models.BackfillCancelled {
		s.forget(b.ID)
		if err := s.sweep(ctx, *b); err != nil {
			return 0, err
		}
		return longest, s.store.CloseBackfill(ctx, b.ID)
	}
	n, rest := allowed(b, s.clock.Now())
	if n == 0 {
		return rest, nil
	}
	step, err := s.next(ctx, b, j, n)
	if err != nil {
		return 0, err
	}
	after, err := s.store.AdvanceBackfill(ctx, fence, *step)
	if errors.Is(err, store.ErrBackfillMoved) {
		return lifecycle.AtOnce, nil
	}
	if err != nil {
		return 0, err
	}
	if len(step.Tasks) > 0 {
		s.notify.TasksQueued(ctx, []string{j.GroupID})
		s.notify.TasksCreated(ctx, step.Tasks)
	}
	s.notify.BackfillChanged(ctx, after)
	if after.Done() == after.Total {
		s.forget(b.ID)
		return longest, nil
	}
	_, rest = allowed(&after, s.clock.Now())
	return rest, nil
}

// interval is the time between two tasks of a backfill.
func interval(perMinute int) time.Duration { return time.Minute / time.Duration(perMinute) }

// burst is how many tasks a backfill makes at once when it was held up: what a
// second may have, one at least.
func burst(perMinute int) int { return max(perMinute/60, 1) }

// allowed answers how many tasks a backfill may make at an instant; when none, how
// long to wait. While too many of its tasks are under way the end of one wakes the
// owner.
func allowed(b *models.Backfill, now time.Time) (n int, rest time.Duration) {
	left, room := b.Total-b.Done(), int64(b.MaxRunning)-(b.Created-b.Ended())
	if b.State != models.BackfillRunning || left <= 0 || room <= 0 {
		return 0, longest
	}
	base := accruesFrom(b, now)
	if base.After(now) {
		return 0, base.Sub(now)
	}
	accrued := 1 + int64(now.Sub(base)/interval(b.PerMinute))
	return int(min(accrued, room, left, perStep)), 0
}

// accruesFrom is the instant from which tasks accrue: at most a burst of them.
func accruesFrom(b *models.Backfill, now time.Time) time.Time {
	earliest := now.Add(-time.Duration(burst(b.PerMinute)-1) * interval(b.PerMinute))
	if b.ReleaseAt.Before(earliest) {
		return earliest
	}
	return b.ReleaseAt
}

// next chooses the next fires of a backfill: up to n to be made, and those between
// them that are left out because they have run.
func (s *Service) next(ctx context.Context, b *models.Backfill, j *models.Job, n int) (*store.BackfillStep, error) {
	fires, err := s.instants(ctx, b)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	ahead := fires[b.Done():]
	var ran map[time.Time]bool
	if b.OnlyMissing {
		ahead = ahead[:min(len(ahead), perStep)]
		if ran, err = s.ranAt(ctx, b.JobID, ahead); err != nil {
			return nil, err
		}
	}
	step := &store.BackfillStep{ID: b.ID, Done: b.Done(), At: now}
	for _, at := range ahead {
		if ran[at] {
			step.Present++
			continue
		}
		if len(step.Tasks) == n {
			break
		}
		step.Tasks = append(step.Tasks, taskOf(b, j, at, now))
	}
	if rest := fires[b.Done()+step.Present+int64(len(step.Tasks)):]; len(rest) > 0 {
		step.NextAt = &rest[0]
	}
	step.ReleaseAt = accruesFrom(b, now).Add(time.Duration(len(step.Tasks)) * interval(b.PerMinute))
	return step, nil
}

// taskOf is the task that makes up for a fire. It is one step less urgent than the
// job's own, which go first.
func taskOf(b *models.Backfill, j *models.Job, at, now time.Time) models.Task {
	parameters := j.Parameters
	if b.Parameters != nil {
		parameters = b.Parameters
	}
	return models.Task{
		ID: models.BackfillTaskID(b.ID, at), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID,
		State: models.TaskWaiting, Trigger: models.TriggerBackfill, Priority: max(j.Priority-1, models.PriorityLow),
		ScheduledAt: at, AvailableAt: now, CreatedAt: now, MaxAttempts: j.MaxAttempts, TimeoutMS: j.TimeoutMS,
		Parameters: parameters, BackfillID: &b.ID,
	}
}
