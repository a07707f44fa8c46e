package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/origin"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Create makes a job. Faults, all those of the input at once: INVALID, REQUIRED,
// TAKEN (name), NOT_FOUND (group, calendar, upstream job), UNSUPPORTED.
func (s *Service) Create(ctx context.Context, actor string, in Input) (models.Job, error) {
	for try := 1; ; try++ {
		j, err := s.createOnce(ctx, actor, in)
		if try == conflictTries || !errors.Is(err, store.ErrCalendarMoved) {
			return j, err
		}
	}
}

func (s *Service) createOnce(ctx context.Context, actor string, in Input) (models.Job, error) {
	now := s.clock.Now()
	d := draft{job: &models.Job{
		ID: models.NewID(now), Enabled: valueOr(in.Enabled, true),
		Priority:    valueOr(in.Priority, models.PriorityNormal),
		Concurrency: valueOr(in.Concurrency, models.ConcurrencyAllow),
		Delivery:    valueOr(in.Delivery, models.AtLeastOnce),
		Version:     1, TriggerSince: &now, CreatedAt: now, UpdatedAt: now,
	}}
	if err := s.setGroup(ctx, &d, in.GroupID); err != nil {
		return models.Job{}, err
	}
	if err := s.findCalendar(ctx, &d, in.Trigger); err != nil {
		return models.Job{}, err
	}
	d.set(&in, now)
	if err := d.wrong.Err(); err != nil {
		return models.Job{}, err
	}
	j := *d.job
	j.LiveName = &j.Name
	j.NextFireAt = firstFire(&j, d.calendar.compiled, now)
	if err := s.store.CreateJob(ctx, j, s.record(ctx, now, actor, "job.create", &j, map[string]any{"name": j.Name}), d.upstream...); err != nil {
		return models.Job{}, err
	}
	s.notify.JobChanged(ctx, j.ID, j.GroupID)
	return j, nil
}

// set puts all fields of a new job in but its group.
func (d *draft) set(in *Input, now time.Time) {
	d.setName(in.Name)
	d.setHandler(in.Handler)
	d.setParameters(in.Parameters)
	d.setDescription(in.Description)
	d.setLabels(in.Labels)
	d.setTrigger(in.Trigger, now)
	d.setTimeout(in.Timeout)
	d.setRetry(in.Retry)
	d.setMaxRunning(in.MaxRunning)
	d.setMisfire(in.Misfire)
	d.setRouting(in.Routing)
	d.setSharding(in.Sharding)
}

// setGroup reads the group and puts it into the draft.
func (s *Service) setGroup(ctx context.Context, d *draft, id string) error {
	if id == "" {
		d.wrong.Add(fault.At("group", fault.Required, "group is missing; choose the node group that runs the job."))
		return nil
	}
	g, err := s.store.Group(ctx, id)
	if err != nil {
		g = models.NodeGroup{ID: id}
	}
	if err := d.setGroup(g, err); err != nil {
		return fmt.Errorf("reading the job's group: %w", err)
	}
	return nil
}

// Update changes a job. The change holds for every fire after this moment. Faults
// as of Create, and CONFLICT when the version differs, NOT_FOUND.
func (s *Service) Update(ctx context.Context, actor string, in Update) (models.Job, error) {
	return s.change(ctx, in.ID, in.Version, "job.update", func(j *models.Job, now time.Time) (changes, error) {
		before := *j
		d := draft{job: j, before: &before}
		if err := s.apply(ctx, &d, &in, now); err != nil {
			return changes{}, err
		}
		detail, err := s.withUpstream(ctx, &d, diff(&before, j))
		if err != nil {
			return changes{}, err
		}
		return changes{detail: detail, upstream: d.newUpstream()}, d.wrong.Err()
	}, actor)
}

// Pause stops a job's trigger; its tasks go on. Fault: NOT_FOUND.
func (s *Service) Pause(ctx context.Context, actor, id string) (models.Job, error) {
	return s.change(ctx, id, nil, "job.pause", func(j *models.Job, _ time.Time) (changes, error) {
		same := !j.Enabled
		j.Enabled = false
		return changes{none: same}, nil
	}, actor)
}

// Resume starts a paused job's trigger again from now on: nothing is made up for
// the pause. Faults: NOT_FOUND, INVALID when the trigger cannot work.
func (s *Service) Resume(ctx context.Context, actor, id string) (models.Job, error) {
	return s.change(ctx, id, nil, "job.resume", func(j *models.Job, _ time.Time) (changes, error) {
		if j.Enabled && j.InvalidReason == "" {
			return changes{none: true}, nil
		}
		known, err := s.calendarOf(ctx, j)
		if err == nil {
			_, err = timetable.Compile(j, known.Compiled)
		}
		if err != nil {
			return changes{}, resumeFault(j, err)
		}
		j.Enabled, j.InvalidReason = true, ""
		return changes{}, nil
	}, actor)
}

// resumeFault says why the trigger cannot work; the input has no field for it.
func resumeFault(j *models.Job, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		e = triggerFault(j, err)
	}
	return fault.New(e.Code, "%s", e.Message)
}

// Delete takes a job away: its name is free again, its queued tasks are cancelled,
// what runs goes on and its history stays. Faults: NOT_FOUND, CONFLICT while other
// jobs depend on it.
func (s *Service) Delete(ctx context.Context, actor, id string) (models.Job, error) {
	j, err := s.live(ctx, id)
	if err != nil {
		return models.Job{}, err
	}
	now := s.clock.Now()
	cancelled, err := s.store.DeleteJob(ctx, id, now, s.record(ctx, now, actor, "job.delete", &j, map[string]any{"name": j.Name}))
	if err != nil {
		return models.Job{}, err
	}
	s.log.InfoContext(ctx, "job deleted", "job_id", id, "cancelled", cancelled)
	s.notify.JobChanged(ctx, id, j.GroupID)
	return s.store.Job(ctx, id)
}

// live answers a job that is not deleted.
func (s *Service) live(ctx context.Context, id string) (models.Job, error) {
	j, err := s.store.Job(ctx, id)
	if err == nil && j.DeletedAt != nil {
		return j, fault.New(fault.NotFound, "The job %q was deleted.", j.Name)
	}
	return j, err
}

// changes is what an edit did to a job.
type changes struct {
	none     bool                // nothing: no new version, no audit row
	detail   map[string]any      // for the audit row
	upstream []models.Dependency // what it waits for from now on; nil: as before
}

const conflictTries = 10 // edits that came too late and are made again

// change reads a job, edits it and writes it with its audit row. When it fired
// meanwhile, or somebody else was faster, the edit is made again on what is there
// now; the latter not if the caller asked for a certain version.
func (s *Service) change(ctx context.Context, id string, version *int, action string,
	edit func(*models.Job, time.Time) (changes, error), actor string,
) (models.Job, error) {
	for try := 1; ; try++ {
		before, err := s.live(ctx, id)
		if err != nil {
			return models.Job{}, err
		}
		if version != nil && *version != before.Version {
			return models.Job{}, fault.At("version", fault.Conflict,
				"The job has version %d by now, not %d; read it again and repeat the change.", before.Version, *version)
		}
		after, err := s.changeOnce(ctx, before, action, edit, actor)
		moved := errors.Is(err, store.ErrFireMoved) || errors.Is(err, store.ErrCalendarMoved) || version == nil && fault.Is(err, fault.Conflict)
		if try < conflictTries && moved {
			continue
		}
		return after, err
	}
}

func (s *Service) changeOnce(ctx context.Context, before models.Job, action string,
	edit func(*models.Job, time.Time) (changes, error), actor string,
) (models.Job, error) {
	now := s.clock.Now()
	after := before
	did, err := edit(&after, now)
	if err != nil {
		return models.Job{}, err
	}
	if did.none {
		return before, nil
	}
	after.UpdatedAt = now
	after.LiveName = &after.Name
	skipped, err := s.reschedule(ctx, &before, &after, now)
	if err != nil {
		return models.Job{}, err
	}
	saved, err := s.store.UpdateJob(ctx, store.JobEdit{
		Job: after, ExpectVersion: before.Version, ExpectNext: before.NextFireAt, Skipped: skipped, Upstream: did.upstream,
		Audit: s.record(ctx, now, actor, action, &after, did.detail),
	})
	if err != nil {
		return models.Job{}, err
	}
	s.notify.JobChanged(ctx, saved.ID, saved.GroupID)
	if before.GroupID != saved.GroupID {
		s.notify.JobChanged(ctx, saved.ID, before.GroupID)
	}
	return saved, nil
}

// reschedule sets when after fires next; see edit.reschedule.
func (s *Service) reschedule(ctx context.Context, before, after *models.Job, now time.Time) ([]models.SkippedFires, error) {
	found, err := s.calendars.Of(ctx, *before, *after)
	if err != nil {
		return nil, err
	}
	known, _ := timetable.For(found, after) // one that is gone is refused when it is saved
	was, _ := timetable.For(found, before)
	after.CalendarVersion = known.Version
	e := edit{before: before, after: after, calendarBefore: was.Compiled, calendar: known.Compiled, now: now}
	return e.reschedule(), nil
}

func (s *Service) record(ctx context.Context, now time.Time, actor, action string, j *models.Job, detail map[string]any) models.Audit {
	a := models.Audit{ActorKind: origin.Of(ctx).Kind, ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: "job", Object: j.ID}
	if len(detail) > 0 {
		raw, err := json.Marshal(detail)
		if err == nil { // plain values always marshal
			a.Detail = raw
		}
	}
	return a
}
