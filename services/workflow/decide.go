package workflow

import (
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
)

// windowOf names the window that an arrival belongs to: the root task's id, or a
// part of the calendar in the job's zone, in which the upstream task's scheduled
// instant lies. A run that asked for everything downstream is always a window of its
// own. The names of the two kinds cannot be equal.
func windowOf(j *models.Job, a *models.Arrival) string {
	zone, err := schedule.LoadZone(j.Zone)
	if err != nil {
		zone = time.UTC // saved when this zone was known; decide refuses to fire
	}
	if a.Downstream == models.DownstreamAll {
		return a.RootID
	}
	at := a.ScheduledAt.In(zone)
	switch j.DependencyWindow {
	case models.WindowHour:
		return at.Format("2006-01-02T15Z07:00") // an hour that comes twice is two hours
	case models.WindowDay:
		return at.Format(time.DateOnly)
	case models.WindowWeek:
		year, week := at.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case models.WindowMonth:
		return at.Format("2006-01")
	case models.WindowRun:
	}
	return a.RootID
}

// decide answers what a window comes to at an instant. An upstream job counts from
// the first of its ends in the window that meets its condition, whatever ends follow;
// until then its latest end is kept, for people. A window that has closed stays so.
func decide(w *store.Window, now time.Time) store.Joined {
	if w.Join.Closed() {
		return store.Joined{}
	}
	said := store.Joined{}
	arrived := make(map[string]models.JoinArrival, len(w.Upstream))
	for _, a := range w.Arrived {
		arrived[a.UpstreamID] = a
	}
	for i := range w.New {
		a := &w.New[i]
		condition, waits := conditionOf(w.Upstream, a.UpstreamID)
		have, known := arrived[a.UpstreamID]
		if !waits || known && (condition.Met(have.State) || older(a, &have) && !condition.Met(a.State)) {
			continue
		}
		row := models.JoinArrival{
			JobID: w.Join.JobID, Window: w.Join.Window, UpstreamID: a.UpstreamID, TaskID: a.TaskID,
			Attempt: a.Attempt, State: a.State, ScheduledAt: a.ScheduledAt, EndedAt: a.EndedAt,
		}
		arrived[a.UpstreamID] = row
		said.Arrived = append(slices.DeleteFunc(said.Arrived, func(r models.JoinArrival) bool { return r.UpstreamID == a.UpstreamID }), row)
		if inputs, complete := completes(w, arrived); complete {
			finish(&said, w, a, inputs, now)
			return said
		}
	}
	return said
}

func conditionOf(upstream []models.Dependency, id string) (models.DependencyCondition, bool) {
	for _, d := range upstream {
		if d.UpstreamID == id {
			return d.On, true
		}
	}
	return 0, false
}

// older says whether a ended before what has arrived already. Of one task's ends the
// attempt decides, since clocks may differ; a failed task can still be cancelled.
func older(a *models.Arrival, have *models.JoinArrival) bool {
	switch {
	case a.TaskID != have.TaskID:
		return a.EndedAt.Before(have.EndedAt)
	case a.Attempt != have.Attempt:
		return a.Attempt < have.Attempt
	}
	return have.State == models.TaskCancelled
}

// completes answers the arrivals by which a window is complete.
func completes(w *store.Window, arrived map[string]models.JoinArrival) (inputs []models.JoinArrival, complete bool) {
	needed := 0
	for _, d := range w.Upstream {
		if w.Within != nil && !w.Within[d.UpstreamID] {
			continue
		}
		needed++
		if a, ok := arrived[d.UpstreamID]; ok && d.On.Met(a.State) {
			inputs = append(inputs, a)
		}
	}
	if w.Job.DependencyMode == models.DependencyAny {
		return inputs, len(inputs) > 0
	}
	return inputs, needed > 0 && len(inputs) == needed
}

// finish closes a window that the arrival last has completed: with a task, or with
// the reason why there is none.
func finish(said *store.Joined, w *store.Window, last *models.Arrival, inputs []models.JoinArrival, now time.Time) {
	at := inputs[0].ScheduledAt
	for _, a := range inputs[1:] {
		if a.ScheduledAt.After(at) {
			at = a.ScheduledAt
		}
	}
	if said.Skipped = refused(w); said.Skipped != "" {
		said.At = at
		return
	}
	for _, a := range inputs {
		said.Inputs = append(said.Inputs, a.TaskID)
	}
	said.Task = taskOf(w, last, at, now)
}

// refused answers why a job does not fire though its window is complete.
func refused(w *store.Window) string {
	j := w.Job
	_, err := schedule.LoadZone(j.Zone)
	switch {
	case !j.Enabled:
		return models.ReasonPaused
	case j.InvalidReason != "" || err != nil || j.TriggerKind != models.TriggerDependency:
		return models.ReasonInvalidTrigger
	case w.Held:
		return models.ReasonNoWorker
	}
	return ""
}

// taskOf is what a window fires. It stands for the latest instant among its upstream
// tasks, so that a chain of jobs stays within one day, and runs at once.
func taskOf(w *store.Window, last *models.Arrival, at, now time.Time) *models.Task {
	j := w.Job
	return &models.Task{
		ID: models.JoinID(j.ID, w.Join.Window, at), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID,
		State: models.TaskWaiting, Trigger: models.TriggerDependency, Priority: j.Priority,
		ScheduledAt: at, AvailableAt: now, CreatedAt: now,
		MaxAttempts: j.MaxAttempts, TimeoutMS: j.TimeoutMS, Parameters: j.Parameters,
		RootID: &last.RootID, Downstream: last.Downstream,
	}
}
