package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// MaxCalendars is how many calendars an app may have.
const MaxCalendars = 200

// ErrCalendarMoved says that a job's calendar was edited between being read and
// the job being written: read it again and repeat.
var ErrCalendarMoved = errors.New("the job's calendar has just been changed")

// CreateCalendar makes a calendar. Faults: NOT_FOUND (app), TAKEN (name), LIMIT.
func (s *Store) CreateCalendar(ctx context.Context, c models.Calendar, audit models.Audit) error {
	return s.write(ctx, "creating a calendar", func(tx *gorm.DB) error {
		app, err := s.lockApp(tx, c.AppID)
		if fault.Is(err, fault.NotFound) {
			return fault.At("app", fault.NotFound, "There is no app %q; choose one of the list.", c.AppID)
		}
		if err != nil {
			return err
		}
		var n int64
		if err := tx.Model(&models.Calendar{}).Where("app_id = ?", c.AppID).Count(&n).Error; err != nil {
			return err
		}
		if n >= MaxCalendars {
			return fault.At("app", fault.Limit, "The app %q has %d calendars, the most there can be; delete one first.", app.Name, n)
		}
		if err := tx.Create(&c).Error; err != nil {
			return taken(err, c.Name, "another calendar of the app")
		}
		return insertAudit(tx, &audit)
	})
}

// UpdateCalendar lets edit change a calendar under a lock, counts its version up
// and answers it. An error of edit changes nothing. Faults: NOT_FOUND, TAKEN
// (name), those of edit.
func (s *Store) UpdateCalendar(ctx context.Context, id string, edit func(*models.Calendar) (models.Audit, error)) (models.Calendar, error) {
	var c models.Calendar
	err := s.write(ctx, "changing a calendar", func(tx *gorm.DB) error {
		var err error
		if c, err = s.lockCalendar(tx, id); err != nil {
			return err
		}
		was := stateOf(&c)
		audit, err := edit(&c)
		if err != nil {
			return err
		}
		c.Version++
		const set = `UPDATE calendars SET name = ?, description = ?, rest_days = ?, days = ?, quiet_windows = ?,
			version = ?, updated_at = ? WHERE id = ?`
		_, err = exec(tx, set, c.Name, c.Description, c.RestDays, document(c.Days), document(c.QuietWindows), c.Version, c.UpdatedAt, id)
		if err != nil {
			return taken(err, c.Name, "another calendar of the app")
		}
		audit.Was = was
		return insertAudit(tx, &audit)
	})
	return c, err
}

// lockCalendar reads a calendar and keeps others from changing or deleting it.
// Fault: NOT_FOUND.
func (s *Store) lockCalendar(tx *gorm.DB, id string) (models.Calendar, error) {
	return one[models.Calendar](s.locked(tx).Where("id = ?", id), "calendar "+id)
}

// namedJobs is how many jobs a refusal names.
const namedJobs = 5

// DeleteCalendar deletes a calendar. Faults: NOT_FOUND, CONFLICT while jobs use it.
func (s *Store) DeleteCalendar(ctx context.Context, id string, audit models.Audit) (models.Calendar, error) {
	var c models.Calendar
	err := s.changing(ctx, "deleting a calendar", &audit, func(tx *gorm.DB) error {
		var err error
		if c, err = s.lockCalendar(tx, id); err != nil {
			return err
		}
		var names []string
		err = tx.Model(&models.Job{}).Where("calendar_id = ? AND live_name IS NOT NULL", id).
			Order("live_name").Limit(namedJobs+1).Pluck("live_name", &names).Error
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return calendarInUse(&c, names)
		}
		if _, err := exec(tx, "DELETE FROM calendars WHERE id = ?", id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return c, err
}

func calendarInUse(c *models.Calendar, names []string) error {
	list, more := "", ""
	if len(names) > namedJobs {
		names, more = names[:namedJobs], " and others"
	}
	for i, name := range names {
		if i > 0 {
			list += ", "
		}
		list += strconv.Quote(name)
	}
	return fault.New(fault.Conflict, "The calendar %q is used by %s%s; give these jobs another calendar or none first.", c.Name, list, more)
}

// Calendar answers one calendar. Fault: NOT_FOUND.
func (s *Store) Calendar(ctx context.Context, id string) (models.Calendar, error) {
	return one[models.Calendar](s.read(ctx).Where("id = ?", id), "calendar "+id)
}

// CalendarByName answers one calendar of an app. Fault: NOT_FOUND.
func (s *Store) CalendarByName(ctx context.Context, appID, name string) (models.Calendar, error) {
	return one[models.Calendar](s.read(ctx).Where("app_id = ? AND name = ?", appID, name), "calendar "+name)
}

// Calendars answers the calendars of one app, or of all for an empty id, by name,
// without their dated days; at most 1,000.
func (s *Store) Calendars(ctx context.Context, appID string) ([]models.Calendar, error) {
	q := s.read(ctx).Omit("days").Order("name, id").Limit(mostListed)
	if appID != "" {
		q = q.Where("app_id = ?", appID)
	}
	return list[models.Calendar](q, "calendars")
}

// CalendarsByIDs answers the calendars that exist among ids, in no order.
func (s *Store) CalendarsByIDs(ctx context.Context, ids []string) ([]models.Calendar, error) {
	return byIDs[models.Calendar](s.read(ctx), ids, "calendars")
}

// CalendarVersions answers the present version of those calendars that exist.
func (s *Store) CalendarVersions(ctx context.Context, ids []string) (map[string]int, error) {
	if len(ids) == 0 {
		return map[string]int{}, nil
	}
	return counts(s.read(ctx).Model(&models.Calendar{}).Select("id AS k, version AS n").Where("id IN ?", ids), "calendar versions")
}

// CountJobsByCalendar answers how many jobs use each of these calendars; calendars
// without any are left out.
func (s *Store) CountJobsByCalendar(ctx context.Context, ids []string) (map[string]int, error) {
	return s.countJobsBy(ctx, "calendar_id", ids)
}

// JobsByCalendar answers the first jobs by id, not deleted, that use each calendar.
func (s *Store) JobsByCalendar(ctx context.Context, ids []string, perCalendar int) (map[string][]models.Job, error) {
	all := make(map[string][]models.Job, len(ids))
	for _, id := range ids { // an index range each, as with skipped fires
		rows, err := list[models.Job](s.read(ctx).Where("calendar_id = ? AND live_name IS NOT NULL", id).Order("id").Limit(perCalendar), "jobs of a calendar")
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			all[id] = rows
		}
	}
	return all, nil
}

// checkCalendarOf keeps the calendar of a job from being changed or deleted
// meanwhile and compares its version with the one by which the job's next fire was
// computed. Errors: NOT_FOUND, ErrCalendarMoved.
func (s *Store) checkCalendarOf(tx *gorm.DB, j *models.Job) error {
	if j.CalendarID == nil {
		return nil
	}
	var version int
	err := queryOne(tx, &version, "SELECT version FROM calendars WHERE id = ?"+s.dialect.lockShared(), *j.CalendarID)
	switch {
	case err != nil:
		return fmt.Errorf("reading the job's calendar: %w", err)
	case version == 0:
		return fault.At("trigger.cron.calendar", fault.NotFound, "The calendar was deleted meanwhile; choose another or none.")
	case version != j.CalendarVersion:
		return ErrCalendarMoved
	}
	return nil
}
