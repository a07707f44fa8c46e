package report

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// instantOn is when a report of a day is sent: its local time, or when that is left out
// by a clock change, as much later as the clocks jump.
func instantOn(day time.Time, hour, minute int, zone *time.Location) time.Time {
	y, m, d := day.Date()
	at := time.Date(y, m, d, hour, minute, 0, 0, zone)
	if at.Hour() != hour || at.Minute() != minute { // the time is left out: take what follows the gap
		before := time.Date(y, m, d, hour, minute, 0, 0, time.UTC)
		_, offset := at.Add(-3 * time.Hour).Zone()
		at = before.Add(-time.Duration(offset) * time.Second).In(zone)
	}
	return at.UTC()
}

// next is the first instant after after at which a schedule's report is sent; nil for
// none. There is one for each date that its weekdays hold.
func next(r *models.ReportSchedule, after time.Time) *time.Time {
	zone, err := schedule.LoadZone(r.Zone)
	at, errTime := time.Parse("15:04", r.AtTime)
	if err != nil || errTime != nil || !r.Enabled || r.Days == 0 {
		return nil
	}
	y, m, d := after.In(zone).Date()
	for i := -1; i <= 14; i++ {
		day := time.Date(y, m, d+i, 12, 0, 0, 0, time.UTC)
		if r.Days&(1<<day.Weekday()) == 0 {
			continue
		}
		when := instantOn(day, at.Hour(), at.Minute(), zone)
		if when.In(zone).Day() != day.Day() {
			continue // the date itself is left out, as in Samoa in 2011
		}
		if when.After(after) {
			return &when
		}
	}
	return nil
}

// latest is the last instant not after now at which the report was due, for one that is
// due since from: after an outage only that is sent.
func latest(r *models.ReportSchedule, from, now time.Time) time.Time {
	last := from
	for {
		n := next(r, last)
		if n == nil || n.After(now) {
			return last
		}
		last = *n
	}
}

// span is what a report is about that is sent at an instant, for a local time of the day:
// from the same time of the day before, both cut to quarters of an hour, as the ledger's
// sums are. In every zone of today those are quarters of the local clock too.
func span(at time.Time, hour, minute int, zone *time.Location) (from, to time.Time) {
	y, m, d := at.In(zone).Date()
	before := instantOn(time.Date(y, m, d-1, 12, 0, 0, 0, time.UTC), hour, minute, zone)
	return before.Truncate(models.JobHourStep), at.UTC().Truncate(models.JobHourStep)
}
