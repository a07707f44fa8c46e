package calendar

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

const (
	jobsAtOnce  = 500              // moved in one transaction
	atOnce      = 5 * time.Second  // that the request of an edit works itself
	sweepEvery  = 15 * time.Second // looks for what was left undone
	mostPasses  = 20               // over the jobs of one calendar, as some fire meanwhile
	afterBroken = time.Second
)

// An edit commits the calendar first, so that whoever plans a fire from then on
// plans by it; then the next fires of its jobs are computed anew, as they may be
// earlier now. The request of the edit does this itself as far as it goes within
// some seconds; the rest, and what a crash broke off, is the sweep's.

// Start begins to look for edits that were not finished.
func (s *Service) Start(ctx context.Context) error { return s.loop.Start(ctx) }

// Stop ends the looking.
func (s *Service) Stop(ctx context.Context) error { return s.loop.Stop(ctx) }

// Sweep finishes all edits that are not finished.
func (s *Service) Sweep(ctx context.Context) error {
	rows, err := s.store.UnappliedCalendars(ctx)
	if err != nil {
		return err
	}
	for i := range rows {
		row, err := s.store.Calendar(ctx, rows[i].ID)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, nil, &row); err != nil {
			return err
		}
	}
	return nil
}

// applyAtOnce does what an edit needs within the request, and leaves the rest to
// the sweep. The edit stands whatever comes of it.
func (s *Service) applyAtOnce(ctx context.Context, before, row *models.Calendar) {
	limited, cancel := context.WithTimeout(ctx, atOnce)
	defer cancel()
	if err := s.apply(limited, before, row); err != nil {
		s.log.InfoContext(ctx, "an edited calendar is applied in the background", "calendar", row.Name, "error", err)
		s.loop.Wake()
	}
}

// apply moves the next fires of all jobs of a calendar to what its row says.
// before is the calendar before the edit, by which the fires it took out are
// counted up to the edit; nil when that is not known any more.
func (s *Service) apply(ctx context.Context, before, row *models.Calendar) error {
	m := mover{service: s, row: row}
	var err error
	if m.calendar, err = timetable.CompileCalendar(row); err != nil {
		return err
	}
	if before != nil {
		if m.was, err = timetable.CompileCalendar(before); err != nil {
			return err
		}
		m.wasVersion = before.Version
	}
	for range mostPasses {
		left, err := m.pass(ctx)
		if err != nil {
			return err
		}
		if !left {
			return s.store.CalendarApplied(ctx, row.ID, row.Version)
		}
	}
	return fmt.Errorf("jobs of the calendar %q fire faster than their next fires can be moved", row.Name)
}

// mover moves the fires of one calendar's jobs.
type mover struct {
	service    *Service
	row        *models.Calendar
	calendar   *schedule.Calendar
	was        *schedule.Calendar // nil: unknown
	wasVersion int
}

// pass goes over the jobs that are behind and says whether some were left, as they
// were edited or fired meanwhile.
func (m *mover) pass(ctx context.Context) (left bool, err error) {
	s := m.service
	for after := ""; ; {
		jobs, err := s.store.JobsBehindCalendar(ctx, m.row.ID, m.row.Version, after, jobsAtOnce)
		if err != nil || len(jobs) == 0 {
			return left, err
		}
		after = jobs[len(jobs)-1].ID
		now := s.clock.Now()
		moves := make([]store.CalendarMove, len(jobs))
		for i := range jobs {
			moves[i] = m.move(jobs[i], now)
		}
		moved, err := s.store.MoveByCalendar(ctx, now, moves)
		if err != nil {
			return left, err
		}
		done := jobs[:0]
		for i := range moves {
			if moved[i] {
				jobs[i].NextFireAt = moves[i].Next
				done = append(done, jobs[i])
			} else {
				left = true
			}
		}
		if len(done) > 0 {
			s.notify.JobsMoved(ctx, done)
		}
	}
}

// move decides on one job: pure. What is owed from before the edit stays owed.
func (m *mover) move(j models.Job, now time.Time) store.CalendarMove {
	edited := m.row.UpdatedAt
	move := store.CalendarMove{Job: j, Version: m.row.Version, Next: j.NextFireAt, Since: edited}
	if j.TriggerSince != nil && j.TriggerSince.After(edited) {
		move.Since = *j.TriggerSince
	}
	if !j.Enabled || j.InvalidReason != "" || j.TriggerKind != models.TriggerCron {
		return move
	}
	if m.was != nil && j.CalendarVersion == m.wasVersion {
		if t, err := timetable.Compile(&j, m.was); err == nil {
			move.Skipped = timetable.TakenOut(&j, t, edited)
		}
	}
	if j.NextFireAt != nil && !j.NextFireAt.After(edited) {
		return move
	}
	t, err := timetable.Compile(&j, m.calendar)
	if err != nil {
		return move // whoever fires it marks it invalid
	}
	move.Next = nil
	if next, ok := t.Next(dealtUpTo(&j, move.Since, now)); ok {
		move.Next = &next
	}
	return move
}

// dealtUpTo is the instant after which a job's next fire is looked for: fires after
// the edit that have become tasks already are not looked at again. A fire that was
// written ahead is taken back and found anew if it still is one.
func dealtUpTo(j *models.Job, since, now time.Time) time.Time {
	if last := j.LastFireAt; last != nil && last.After(since) {
		since = *last
		if since.After(now) {
			since = now
		}
	}
	return since
}
