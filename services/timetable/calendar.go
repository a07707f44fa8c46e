package timetable

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// CalendarSpec is a calendar row in the schedule's terms. The error says that the
// row's documents cannot be read.
func CalendarSpec(row *models.Calendar) (schedule.CalendarSpec, error) {
	spec := schedule.CalendarSpec{Name: row.Name, RestDays: Weekdays(row.RestDays)}
	days, err := Days(row)
	if err != nil {
		return spec, err
	}
	for _, day := range days {
		spec.Days = append(spec.Days, schedule.CalendarDay{Date: day.Date, Work: day.Kind == models.DayWork, Name: day.Name})
	}
	windows, err := QuietWindows(row)
	if err != nil {
		return spec, err
	}
	for _, w := range windows {
		from, errFrom := MinuteOfDay(w.From)
		to, errTo := MinuteOfDay(w.To)
		if errFrom != nil || errTo != nil {
			return spec, fmt.Errorf("the quiet window of calendar %q from %q to %q has no times of day", row.Name, w.From, w.To)
		}
		spec.Quiet = append(spec.Quiet, schedule.QuietWindow{
			Days: Weekdays(w.Days), From: from, To: to, Rule: schedule.QuietRule(w.Rule),
		})
	}
	return spec, nil
}

// CompileCalendar compiles a calendar row. Errors as of CalendarSpec and
// schedule.NewCalendar.
func CompileCalendar(row *models.Calendar) (*schedule.Calendar, error) {
	spec, err := CalendarSpec(row)
	if err != nil {
		return nil, err
	}
	return schedule.NewCalendar(spec)
}

// Days are the dated days of a calendar row, by date; empty, not nil, for none.
func Days(row *models.Calendar) ([]models.CalendarDay, error) {
	return document[models.CalendarDay](row, row.Days)
}

// QuietWindows are the quiet windows of a calendar row; empty, not nil, for none.
func QuietWindows(row *models.Calendar) ([]models.QuietWindow, error) {
	return document[models.QuietWindow](row, row.QuietWindows)
}

func document[T any](row *models.Calendar, raw json.RawMessage) ([]T, error) {
	all := []T{}
	if len(raw) == 0 {
		return all, nil
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("reading the calendar %q: %w", row.Name, err)
	}
	return all, nil
}

// Weekdays lists the weekdays of a set: bit w is weekday w, 0 = Sunday.
func Weekdays(set int) []time.Weekday {
	var days []time.Weekday
	for day := time.Sunday; day <= time.Saturday; day++ {
		if set>>day&1 == 1 {
			days = append(days, day)
		}
	}
	return days
}

// MinuteOfDay reads a time of day, 00:00 to 23:59.
func MinuteOfDay(text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, fmt.Errorf("%q is no time of day; write it like 22:00", text)
	}
	return at.Hour()*60 + at.Minute(), nil
}

// CalendarLedger reads calendars.
type CalendarLedger interface {
	// CalendarVersions answers the present version of those that exist.
	CalendarVersions(ctx context.Context, ids []string) (map[string]int, error)
	// CalendarsByIDs answers those that exist, in no order.
	CalendarsByIDs(ctx context.Context, ids []string) ([]models.Calendar, error)
}

// keptCalendars bounds Calendars; past it the cache starts afresh.
const keptCalendars = 1_000

// Calendars answers compiled calendars in their present version. What was compiled
// once is kept by id and version. It is safe for concurrent use; the zero value
// with a Ledger is ready.
type Calendars struct {
	Ledger CalendarLedger

	mu   sync.Mutex
	kept map[string]KnownCalendar
}

// KnownCalendar is a compiled calendar with its version.
type KnownCalendar struct {
	Version  int
	Compiled *schedule.Calendar
}

// Of answers the calendars that some jobs name, by id, in at most two statements,
// and none when no job names one. One that does not exist or cannot be read is left
// out: a job without its calendar must not fire.
func (c *Calendars) Of(ctx context.Context, jobs ...models.Job) (map[string]KnownCalendar, error) {
	var ids []string
	seen := map[string]bool{}
	for i := range jobs {
		if id := jobs[i].CalendarID; id != nil && !seen[*id] {
			seen[*id] = true
			ids = append(ids, *id)
		}
	}
	return c.ByIDs(ctx, ids)
}

// ByIDs is Of by the calendars' ids.
func (c *Calendars) ByIDs(ctx context.Context, ids []string) (map[string]KnownCalendar, error) {
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // reading from a nil map is fine
	}
	versions, err := c.Ledger.CalendarVersions(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading the jobs' calendars: %w", err)
	}
	found := make(map[string]KnownCalendar, len(ids))
	var missing []string
	c.mu.Lock()
	for id, version := range versions {
		if known, ok := c.kept[id]; ok && known.Version == version {
			found[id] = known
		} else {
			missing = append(missing, id)
		}
	}
	c.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	rows, err := c.Ledger.CalendarsByIDs(ctx, missing)
	if err != nil {
		return nil, fmt.Errorf("reading the jobs' calendars: %w", err)
	}
	for i := range rows {
		if known, ok := c.keep(&rows[i]); ok {
			found[rows[i].ID] = known
		}
	}
	return found, nil
}

func (c *Calendars) keep(row *models.Calendar) (KnownCalendar, bool) {
	compiled, err := CompileCalendar(row)
	if err != nil {
		return KnownCalendar{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.kept[row.ID]; ok && known.Version == row.Version {
		return known, true // another goroutine was faster; one object a version
	}
	if c.kept == nil || len(c.kept) >= keptCalendars {
		c.kept = map[string]KnownCalendar{}
	}
	c.kept[row.ID] = KnownCalendar{Version: row.Version, Compiled: compiled}
	return c.kept[row.ID], true
}

// For answers the calendar of one job among those found; ok is false when the job
// names one that is not there.
func For(found map[string]KnownCalendar, j *models.Job) (known KnownCalendar, ok bool) {
	if j.CalendarID == nil {
		return KnownCalendar{}, true
	}
	known, ok = found[*j.CalendarID]
	return known, ok
}
