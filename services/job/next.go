package job

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Reason codes of fires that an edit took away before they had become tasks.
const (
	ReasonPaused = models.ReasonPaused // the job was paused before they were made
	ReasonEdited = "EDITED"            // the trigger was changed before they were made
)

// firstFire is when a job whose trigger begins at now fires first; nil for never.
func firstFire(j *models.Job, c *schedule.Calendar, now time.Time) *time.Time {
	if !j.Enabled || j.InvalidReason != "" {
		return nil
	}
	switch j.TriggerKind {
	case models.TriggerFixedDelay:
		return &now
	case models.TriggerCron, models.TriggerFixedRate:
		return fireAfter(j, c, now)
	case models.TriggerDelay, models.TriggerManual, models.TriggerAPI, models.TriggerDependency, models.TriggerBackfill:
	}
	return nil
}

// fireAfter is the first nominal fire after at of a trigger that answers to the
// clock; nil when there is none.
func fireAfter(j *models.Job, c *schedule.Calendar, at time.Time) *time.Time {
	t, err := timetable.Compile(j, c)
	if err != nil {
		return nil // such a trigger is marked invalid by whoever fires it
	}
	next, ok := t.Next(at)
	if !ok {
		return nil
	}
	return &next
}

// edit is a job before and after an edit, with the calendars of both.
type edit struct {
	before, after            *models.Job
	calendarBefore, calendar *schedule.Calendar
	now                      time.Time
}

// reschedule sets when the edited job fires next, and answers the fires that were
// due already, had not become tasks yet, and now never will. Fires that an
// unchanged trigger still owes stay owed.
func (e *edit) reschedule() []models.SkippedFires {
	before, after, now := e.before, e.after, e.now
	owes := before.Enabled && before.NextFireAt != nil && !before.NextFireAt.After(now)
	goesOn := before.Enabled && after.Enabled && before.InvalidReason == after.InvalidReason && sameKind(before, after)
	switch {
	case goesOn && sameTrigger(before, after):
		if owes || after.TriggerKind == models.TriggerFixedDelay {
			after.NextFireAt = before.NextFireAt
			return nil
		}
		after.NextFireAt = firstFire(after, e.calendar, now)
		return nil
	case goesOn && after.TriggerKind == models.TriggerFixedDelay:
		// The new delay counts at the latest from now. No next fire means that a
		// run is under way, whose end decides; see store.UpdateJob.
		if at := before.NextFireAt; at != nil {
			after.NextFireAt = new(earlier(*at, now.Add(time.Duration(after.EveryMS)*time.Millisecond)))
		}
		return nil
	}
	after.NextFireAt, after.TriggerSince = firstFire(after, e.calendar, now), &now
	skipped := takenOut(before, e.calendarBefore, now)
	if !owes {
		return skipped
	}
	reason := ReasonEdited
	if !after.Enabled {
		reason = ReasonPaused
	}
	return append(skipped, owed(before, e.calendarBefore, now, reason))
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

const mostOwed = 1000 // fires that are counted one by one

// owed records the fires of j from its stored next one to now.
func owed(j *models.Job, c *schedule.Calendar, now time.Time, reason string) models.SkippedFires {
	s := models.SkippedFires{
		ID: models.NewID(now), JobID: j.ID, FirstAt: *j.NextFireAt, LastAt: *j.NextFireAt, Count: 1, Reason: reason, RecordedAt: now,
	}
	for next := fireAfter(j, c, s.LastAt); next != nil && !next.After(now); next = fireAfter(j, c, s.LastAt) {
		if s.Count == mostOwed {
			s.LastAt, s.AtLeast = now, true
			break
		}
		s.LastAt = *next
		s.Count++
	}
	return s
}

func sameKind(a, b *models.Job) bool { return a.TriggerKind == b.TriggerKind }

// sameTrigger says whether two jobs fire alike, as long as their calendars do.
func sameTrigger(a, b *models.Job) bool {
	x, y := timetable.SpecOf(a, nil), timetable.SpecOf(b, nil)
	sameBounds := x.StartAt.Equal(y.StartAt) && x.EndAt.Equal(y.EndAt)
	x.StartAt, x.EndAt, y.StartAt, y.EndAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	sameCalendar := valueOr(a.CalendarID, "") == valueOr(b.CalendarID, "") && a.OnRestDay == b.OnRestDay
	return sameBounds && sameCalendar && x == y
}
