package backfill

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Create makes a backfill, which begins at once. The fires are those of the job's
// trigger as it is now; later edits do not change them. Faults, all those of the
// input at once: INVALID, NOT_FOUND (job), LIMIT.
func (s *Service) Create(ctx context.Context, actor string, in Input) (models.Backfill, error) {
	p, err := s.prepare(ctx, in)
	if err != nil {
		return models.Backfill{}, err
	}
	if wrong := p.countable(); wrong != nil {
		return models.Backfill{}, wrong
	}
	now := s.clock.Now()
	id, known, err := check.Identify(p.RequestID, now,
		func(at time.Time) string { return models.BackfillID(p.job.ID, p.RequestID, at) },
		func(ids []string) ([]models.Backfill, error) { return s.store.BackfillsByIDs(ctx, ids) })
	if err != nil || known != nil {
		return value(known), err
	}
	b := models.Backfill{
		ID: id, JobID: p.job.ID, State: models.BackfillRunning, FromAt: p.From, ToAt: p.To,
		OnlyMissing: p.OnlyMissing, PerMinute: p.PerMinute, MaxRunning: p.MaxRunning, Parameters: p.Parameters,
		Total: int64(len(p.fires)), ReleaseAt: now, NextAt: &p.fires[0], Work: true, CreatedBy: actor, CreatedAt: now,
	}
	detail := map[string]any{"backfill": b.ID, "from": p.From, "to": p.To, "fires": b.Total, "onlyMissing": b.OnlyMissing}
	b, err = s.store.CreateBackfill(ctx, b, encode(p.fires), record(now, actor, "backfill.create", b.JobID, detail))
	if err != nil {
		return models.Backfill{}, err
	}
	s.notify.BackfillChanged(ctx, b)
	s.Wake()
	return b, nil
}

func value(b *models.Backfill) models.Backfill {
	if b == nil {
		return models.Backfill{}
	}
	return *b
}

// record is the audit row of a change of a job's backfill. It stands with the job,
// among whose changes people look for it.
func record(now time.Time, actor, action, jobID string, detail map[string]any) models.Audit {
	a := models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: "job", Object: jobID}
	if raw, err := json.Marshal(detail); err == nil { // plain values always marshal
		a.Detail = raw
	}
	return a
}

// Pause stops a backfill from making tasks; those made go on. Faults: NOT_FOUND,
// CONFLICT when it has ended.
func (s *Service) Pause(ctx context.Context, actor, id string) (models.Backfill, error) {
	return s.set(ctx, actor, id, models.BackfillPaused, "backfill.pause", "")
}

// Resume has a paused backfill make tasks again. Faults as of Pause.
func (s *Service) Resume(ctx context.Context, actor, id string) (models.Backfill, error) {
	return s.set(ctx, actor, id, models.BackfillRunning, "backfill.resume", "")
}

// Cancel ends a backfill for good and cancels those of its tasks that wait; those
// that run go on. Faults as of Pause, and INVALID.
func (s *Service) Cancel(ctx context.Context, actor, id, reason string) (models.Backfill, error) {
	if err := check.Text("reason", reason, maxReason); err != nil {
		return models.Backfill{}, err
	}
	b, err := s.set(ctx, actor, id, models.BackfillCancelled, "backfill.cancel", reason)
	if err != nil {
		return b, err
	}
	if err := s.sweep(ctx, b); err != nil { // the owner goes on with it
		s.log.WarnContext(ctx, "tasks of a cancelled backfill not cancelled yet", "backfill", id, "error", err)
	}
	return s.store.Backfill(ctx, id)
}

func (s *Service) set(ctx context.Context, actor, id string, state models.BackfillState, action, reason string) (models.Backfill, error) {
	before, err := s.store.Backfill(ctx, id)
	if err != nil {
		return models.Backfill{}, err
	}
	detail := map[string]any{"backfill": id}
	if reason != "" {
		detail["reason"] = reason
	}
	now := s.clock.Now()
	b, err := s.store.SetBackfill(ctx, id, state, now, record(now, actor, action, before.JobID, detail))
	if err != nil {
		return models.Backfill{}, err
	}
	s.notify.BackfillChanged(ctx, b)
	s.Wake()
	return b, nil
}

// sweep cancels the tasks of a cancelled backfill that wait.
func (s *Service) sweep(ctx context.Context, b models.Backfill) error {
	for {
		cancelled, err := s.store.CancelBackfillTasks(ctx, b, s.clock.Now(), sweepBatch)
		if err != nil {
			return err
		}
		if len(cancelled) > 0 {
			ids := make([]string, len(cancelled))
			for i := range cancelled {
				ids[i] = cancelled[i].ID
			}
			s.notify.TaskChanged(ctx, ids)
		}
		if len(cancelled) < sweepBatch {
			return nil
		}
	}
}

// Backfill answers one backfill. Fault: NOT_FOUND.
func (s *Service) Backfill(ctx context.Context, id string) (models.Backfill, error) {
	return s.store.Backfill(ctx, id)
}

// ByIDs answers the backfills that exist among ids, in no order.
func (s *Service) ByIDs(ctx context.Context, ids []string) ([]models.Backfill, error) {
	return s.store.BackfillsByIDs(ctx, ids)
}

// Page answers a page of backfills, newest first, of one job unless jobID is empty;
// positions are ids. Fault: INVALID.
func (s *Service) Page(ctx context.Context, jobID string, p Page) ([]models.Backfill, PageInfo, error) {
	return s.store.BackfillPage(ctx, jobID, p)
}

// Preview is what a backfill would do.
type Preview struct {
	Total    int64
	AtLeast  bool  // Total is a lower bound: there are more than a backfill can have
	Present  int64 // fires that have run
	First    *time.Time
	Last     *time.Time
	Sample   []time.Time   // the first few that would be made up for
	Duration time.Duration // at the given rate, if the tasks themselves keep up
	Warnings []string
	Err      *fault.Error // why it would be refused; the first reason
}

const sampleSize = 10

// Preview tells what a backfill would do and makes nothing. What is refused is no
// fault but Preview.Err.
func (s *Service) Preview(ctx context.Context, in Input) (Preview, error) {
	shown := Preview{Sample: []time.Time{}, Warnings: []string{}}
	p, err := s.prepare(ctx, in)
	if err != nil {
		if all := fault.All(err); len(all) > 0 {
			shown.Err = all[0]
			return shown, nil
		}
		return shown, err
	}
	shown.Total, shown.AtLeast, shown.Err = int64(len(p.fires)), p.more, p.countable()
	if len(p.fires) == 0 {
		return shown, nil
	}
	shown.First, shown.Last = &p.fires[0], &p.fires[len(p.fires)-1]
	for i := 0; i < len(p.fires); i += perStep {
		part := p.fires[i:min(i+perStep, len(p.fires))]
		ran, err := s.ranAt(ctx, p.job.ID, part)
		if err != nil {
			return shown, err
		}
		for _, at := range part {
			if ran[at] {
				shown.Present++
			}
			if len(shown.Sample) < sampleSize && (!p.OnlyMissing || !ran[at]) {
				shown.Sample = append(shown.Sample, at)
			}
		}
	}
	making := shown.Total
	if p.OnlyMissing {
		making -= shown.Present
	}
	if making > 1 {
		shown.Duration = time.Duration(making-1) * interval(p.PerMinute)
	}
	shown.Warnings = warnings(p, &shown, making)
	return shown, nil
}

func warnings(p *plan, shown *Preview, making int64) []string {
	list := []string{}
	if p.job.Concurrency != models.ConcurrencyAllow {
		list = append(list, fmt.Sprintf("The job does not overlap with itself (%s): its backfill tasks run one at a time, between its ordinary runs.", p.job.Concurrency))
	} else if p.job.MaxRunning != nil && *p.job.MaxRunning < p.MaxRunning {
		list = append(list, fmt.Sprintf("At most %d tasks of the job run at once, fewer than the %d that this backfill may have under way.", *p.job.MaxRunning, p.MaxRunning))
	}
	if !p.job.Enabled {
		list = append(list, "The job is paused; its backfills run all the same.")
	}
	if shown.Present > 0 && !p.OnlyMissing {
		list = append(list, fmt.Sprintf("%s of these fires have run already and will run again; leave them out with onlyMissing.", check.Thousands(int(shown.Present))))
	}
	if making == 0 {
		list = append(list, "All of these fires have run: nothing would be made.")
	}
	return list
}

// ranAt says which of some fires, in order, have run.
func (s *Service) ranAt(ctx context.Context, jobID string, fires []time.Time) (map[time.Time]bool, error) {
	return s.store.RanAt(ctx, jobID, fires[0], fires[len(fires)-1].Add(time.Microsecond))
}
