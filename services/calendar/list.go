package calendar

import (
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// The simple list: a line a day or a range of days, then its name. The word work
// or rest before the name says what it is; rest is the default. What follows # is a
// comment.
//
//	2026-10-01 National Day
//	2026-10-01..2026-10-07 National Day
//	2026-10-10 work Make-up day

const longestRange = 366 // days of one line or event

// parseList reads the simple list. Faults: INVALID, each with its line.
func parseList(text string) ([]models.CalendarDay, error) {
	var days []models.CalendarDay
	var wrong fault.List
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line == "" {
			continue
		}
		more, problem := parseListLine(line)
		if problem != "" {
			wrong.Add(fault.At("text", fault.Invalid, "Line %d, %s: %s.", number, check.Quote(line), problem))
			if len(wrong) == mostProblems {
				break
			}
			continue
		}
		if days = append(days, more...); len(days) > mostRead {
			return nil, tooMany()
		}
	}
	return days, wrong.Err()
}

const (
	mostProblems = 20     // lines that are complained of at once
	mostRead     = 20_000 // days, before they are put together
)

func tooMany() error {
	return fault.At("text", fault.Invalid, "text has more than %s days; split it and leave out past years.", check.Thousands(mostRead))
}

func parseListLine(line string) (days []models.CalendarDay, problem string) {
	dates, name, _ := strings.Cut(line, " ")
	if tab := strings.IndexByte(dates, '\t'); tab >= 0 {
		dates, name = line[:tab], line[tab:]
	}
	from, to, isRange := strings.Cut(dates, "..")
	if !isRange {
		to = from
	}
	for _, date := range []string{from, to} {
		if err := schedule.CheckDate(date); err != nil {
			return nil, err.Error()
		}
	}
	day := models.CalendarDay{Kind: models.DayRest, Name: strings.TrimSpace(name)}
	word, rest, _ := strings.Cut(day.Name, " ")
	switch strings.ToLower(word) {
	case "work":
		day.Kind, day.Name = models.DayWork, strings.TrimSpace(rest)
	case "rest":
		day.Name = strings.TrimSpace(rest)
	}
	return daysFrom(from, to, day)
}

// daysFrom makes a day of each date from one to another.
func daysFrom(from, to string, like models.CalendarDay) (days []models.CalendarDay, problem string) {
	first, errFirst := time.Parse(time.DateOnly, from)
	last, errLast := time.Parse(time.DateOnly, to)
	switch {
	case errFirst != nil || errLast != nil:
		return nil, "it has no dates"
	case last.Before(first):
		return nil, "the range ends before it begins; exchange the dates"
	case last.Sub(first) >= longestRange*24*time.Hour:
		return nil, "the range is longer than a year; split it"
	}
	for at := first; !at.After(last); at = at.AddDate(0, 0, 1) {
		like.Date = at.Format(time.DateOnly)
		days = append(days, like)
	}
	return days, ""
}
