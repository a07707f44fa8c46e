package calendar

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Format is how a list of holidays is written.
type Format string

// The formats.
const (
	FormatICS  Format = "ICS"  // iCalendar, RFC 5545: all-day events
	FormatList Format = "LIST" // a line a day
)

// maxText is the longest text that is read, in bytes.
const maxText = 1 << 20

// Import asks to add the days of a text to a calendar.
type Import struct {
	ID          string
	Format      Format
	Text        string
	ReplaceYear *int // days of that year which the text lacks are removed
	DryRun      bool // change nothing, only say what would change
}

// Imported is what an import changed, or would.
type Imported struct {
	Calendar  models.Calendar
	Added     []models.CalendarDay // new, or with another kind or name than before
	Removed   []models.CalendarDay // no longer there, or so before
	Unchanged int                  // days of the text that were there already
}

// Import adds the days of a text to a calendar. Faults: INVALID (also with the line
// at fault), NOT_FOUND.
func (s *Service) Import(ctx context.Context, actor string, in Import) (Imported, error) {
	days, err := in.read(s.clock.Now())
	if err != nil {
		return Imported{}, err
	}
	if in.DryRun {
		c, err := s.store.Calendar(ctx, in.ID)
		if err != nil {
			return Imported{}, err
		}
		after := c
		done, err := in.merge(&after, days)
		done.Calendar = c
		return done, err
	}
	var done Imported
	c, err := s.change(ctx, in.ID, func(c *models.Calendar, now time.Time) (models.Audit, error) {
		before := *c
		var err error
		if done, err = in.merge(c, days); err != nil {
			return models.Audit{}, err
		}
		return record(now, actor, "calendar.import", c.ID, diff(&before, c)), nil
	})
	done.Calendar = c
	return done, err
}

// read reads the text; of several entries for a date the last counts, but a
// working day wins over a rest day.
func (in *Import) read(now time.Time) ([]models.CalendarDay, error) {
	if len(in.Text) > maxText {
		return nil, fault.At("text", fault.Invalid, "text has %s bytes; keep it within %s.", check.Thousands(len(in.Text)), check.Thousands(maxText))
	}
	var days []models.CalendarDay
	var err error
	switch in.Format {
	case FormatICS:
		days, err = parseICS(in.Text, now.Year())
	case FormatList:
		days, err = parseList(in.Text)
	default:
		return nil, fault.At("format", fault.Invalid, "format is %s; it must be ICS or LIST.", check.Quote(string(in.Format)))
	}
	if err == nil && len(days) == 0 {
		return nil, fault.At("text", fault.Required, "text has no days; give at least one, see the format's description.")
	}
	byDate := map[string]models.CalendarDay{}
	for _, day := range days {
		if known, ok := byDate[day.Date]; ok && known.Kind == models.DayWork && day.Kind == models.DayRest {
			continue
		}
		day.Name = cutName(day.Name)
		byDate[day.Date] = day
	}
	return sorted(byDate), err
}

// cutName makes a name of somebody else's file fit for ours.
func cutName(name string) string {
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, name)
	if chars := []rune(name); len(chars) > maxDayName {
		name = strings.TrimSpace(string(chars[:maxDayName-1])) + "…"
	}
	return strings.TrimSpace(name)
}

func sorted(byDate map[string]models.CalendarDay) []models.CalendarDay {
	days := make([]models.CalendarDay, 0, len(byDate))
	for _, day := range byDate {
		days = append(days, day)
	}
	slices.SortFunc(days, func(a, b models.CalendarDay) int { return strings.Compare(a.Date, b.Date) })
	return days
}

// merge puts days into a calendar.
func (in *Import) merge(c *models.Calendar, days []models.CalendarDay) (Imported, error) {
	before, err := timetable.Days(c)
	if err != nil {
		return Imported{}, err
	}
	after := map[string]models.CalendarDay{}
	for _, day := range before {
		if in.ReplaceYear == nil || !strings.HasPrefix(day.Date, strconv.Itoa(*in.ReplaceYear)+"-") {
			after[day.Date] = day
		}
	}
	for _, day := range days {
		after[day.Date] = day
	}
	all := sorted(after)
	u := Update{Days: &all}
	if err := u.apply(c); err != nil {
		return Imported{}, inText(err)
	}
	return Imported{
		Added: without(all, before), Removed: without(before, all), Unchanged: len(days) - len(without(days, before)),
	}, nil
}

// inText blames the text for what is wrong with the days that it makes.
func inText(err error) error {
	var wrong fault.List
	for _, e := range fault.All(err) {
		wrong.Add(fault.At("text", e.Code, "%s", e.Message))
	}
	if len(wrong) == 0 {
		return err
	}
	return wrong.Err()
}
