package calendar

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Limits of a calendar; those of its days and windows are schedule's.
const (
	maxName        = 64   // characters
	maxDescription = 2000 // characters
	maxDayName     = 100  // characters
)

// Input is a new calendar.
type Input struct {
	AppID        string
	Name         string
	Description  string
	RestDays     []time.Weekday
	Days         []models.CalendarDay
	QuietWindows []Window
}

// Window is a quiet window.
type Window struct {
	Days     []time.Weekday // of its beginning; none: every day
	From, To string         // 22:00
	Rule     string         // models.QuietSkip or models.QuietDelay
}

// Update is a change of a calendar: nil stays, lists replace.
type Update struct {
	ID           string
	Version      *int // nil: not checked
	Name         *string
	Description  *string
	RestDays     *[]time.Weekday
	Days         *[]models.CalendarDay
	QuietWindows *[]Window
}

// apply puts all fields of a new calendar in.
func (in *Input) apply(c *models.Calendar) error {
	u := Update{Name: &in.Name, Description: &in.Description, RestDays: &in.RestDays, Days: &in.Days, QuietWindows: &in.QuietWindows}
	return u.apply(c)
}

// apply puts the fields that are given in and says everything that is wrong.
func (in *Update) apply(c *models.Calendar) error {
	if in.Version != nil && *in.Version != c.Version {
		return fault.At("version", fault.Conflict, "The calendar has version %d by now, not %d; read it again and repeat the change.", c.Version, *in.Version)
	}
	var wrong fault.List
	if in.Name != nil {
		c.Name = *in.Name
		wrong.Add(check.Line("name", c.Name, maxName))
	}
	if in.Description != nil {
		c.Description = *in.Description
		wrong.Add(check.Text("description", c.Description, maxDescription))
	}
	if in.RestDays != nil {
		c.RestDays = weekdaySet(*in.RestDays)
	}
	if in.Days != nil {
		wrong = append(wrong, setDays(c, *in.Days)...)
	}
	if in.QuietWindows != nil {
		wrong = append(wrong, setWindows(c, *in.QuietWindows)...)
	}
	if len(wrong) == 0 {
		wrong.Add(checkWhole(c))
	}
	return wrong.Err()
}

func weekdaySet(days []time.Weekday) int {
	set := 0
	for _, day := range days {
		set |= 1 << day
	}
	return set
}

// setDays checks the dated days and puts them in by date.
func setDays(c *models.Calendar, days []models.CalendarDay) fault.List {
	if len(days) > schedule.MaxCalendarDays {
		return fault.List{fault.At("days", fault.Invalid, "days has %s entries; keep it within %s, for example by leaving out past years.",
			check.Thousands(len(days)), check.Thousands(schedule.MaxCalendarDays))}
	}
	var wrong fault.List
	seen := make(map[string]bool, len(days))
	for i, day := range days {
		path := fmt.Sprintf("days.%d.", i)
		if err := schedule.CheckDate(day.Date); err != nil {
			wrong.Add(fault.At(path+"date", fault.Invalid, "%sdate: %s.", path, err.Error()))
		} else if seen[day.Date] {
			wrong.Add(fault.At(path+"date", fault.Invalid, "The date %s comes twice; leave one out.", day.Date))
		}
		seen[day.Date] = true
		if day.Kind != models.DayRest && day.Kind != models.DayWork {
			wrong.Add(fault.At(path+"kind", fault.Invalid, "%skind is %s; it must be REST or WORK.", path, check.Quote(day.Kind)))
		}
		if day.Name != "" {
			wrong.Add(check.Line(path+"name", day.Name, maxDayName))
		}
	}
	sorted := slices.Clone(days)
	slices.SortFunc(sorted, func(a, b models.CalendarDay) int { return strings.Compare(a.Date, b.Date) })
	c.Days = encode(sorted)
	return wrong
}

// setWindows checks the quiet windows and puts them in.
func setWindows(c *models.Calendar, windows []Window) fault.List {
	if len(windows) > schedule.MaxQuietWindows {
		return fault.List{fault.At("quietWindows", fault.Invalid, "quietWindows has %d entries; keep it within %d.", len(windows), schedule.MaxQuietWindows)}
	}
	var wrong fault.List
	rows := make([]models.QuietWindow, 0, len(windows))
	for i, w := range windows {
		path := fmt.Sprintf("quietWindows.%d.", i)
		for _, end := range []struct{ field, text string }{{"from", w.From}, {"to", w.To}} {
			if _, err := timetable.MinuteOfDay(end.text); err != nil {
				wrong.Add(fault.At(path+end.field, fault.Invalid, "%s%s: %s.", path, end.field, err.Error()))
			}
		}
		rows = append(rows, models.QuietWindow{Days: weekdaySet(w.Days), From: w.From, To: w.To, Rule: w.Rule})
	}
	c.QuietWindows = encode(rows)
	return wrong
}

// encode writes a list for its column; an empty one is NULL.
func encode[T any](list []T) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return nil // texts and numbers always marshal
	}
	return raw
}

// checkWhole checks what no single field decides.
func checkWhole(c *models.Calendar) *fault.Error {
	_, err := timetable.CompileCalendar(c)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*schedule.CalendarError](err); ok {
		return fault.At(e.Field, fault.Invalid, "%s.", strings.ToUpper(e.Message[:1])+e.Message[1:])
	}
	return fault.New(fault.Invalid, "%s.", err.Error())
}

// shownDays is how many dates an audit row names.
const shownDays = 50

// diff is what changed, as the audit log shows it.
func diff(before, after *models.Calendar) map[string]any {
	changed := map[string]any{}
	note := func(field string, from, to any) {
		if from != to {
			changed[field] = map[string]any{"from": from, "to": to}
		}
	}
	note("name", before.Name, after.Name)
	note("description", before.Description, after.Description)
	note("restDays", weekdayNames(before.RestDays), weekdayNames(after.RestDays))
	note("quietWindows", string(before.QuietWindows), string(after.QuietWindows))
	was, errWas := timetable.Days(before)
	is, errIs := timetable.Days(after)
	if errWas == nil && errIs == nil {
		for field, days := range map[string][]models.CalendarDay{"daysAdded": without(is, was), "daysRemoved": without(was, is)} {
			if len(days) > 0 {
				changed[field] = shown(days)
			}
		}
	}
	return changed
}

func weekdayNames(set int) string {
	var names []string
	for _, day := range timetable.Weekdays(set) {
		names = append(names, strings.ToUpper(day.String()))
	}
	return strings.Join(names, " ")
}

// without lists the days of a that are not in b, just so.
func without(a, b []models.CalendarDay) []models.CalendarDay {
	in := make(map[models.CalendarDay]bool, len(b))
	for _, day := range b {
		in[day] = true
	}
	left := []models.CalendarDay{}
	for _, day := range a {
		if !in[day] {
			left = append(left, day)
		}
	}
	return left
}

func shown(days []models.CalendarDay) map[string]any {
	dates := make([]string, 0, min(len(days), shownDays))
	for _, day := range days[:min(len(days), shownDays)] {
		dates = append(dates, day.Date+" "+day.Kind)
	}
	return map[string]any{"count": len(days), "first": dates}
}
