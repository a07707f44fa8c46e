package schedule

import (
	"math"
	"time"
)

// span is a stretch of instants in which a zone keeps one offset, as seen from
// its first instant.
type span struct {
	zone        *time.Location
	from, until int64 // Unix seconds, [from, until)
	offset      int64 // seconds east of UTC
	// peak is one more than the latest wall second the clocks had shown before
	// from, when that is recent enough to matter, else lower than any.
	peak int64
}

// offsetAt returns the zone's offset at t and an instant after t up to which
// it stays. That may be earlier than the next change, never later.
func offsetAt(zone *time.Location, t int64) (offset, until int64) {
	at := time.Unix(t, 0).In(zone)
	_, seconds := at.Zone()
	_, end := at.ZoneBounds()
	if end.IsZero() {
		return int64(seconds), math.MaxInt64 / 2
	}
	// Go answers an end in the past on the last UTC day of a leap year that
	// the zone's final rule serves (golang/go#81583). No rule changes the
	// clocks on that day.
	if until = end.Unix(); until <= t {
		until = t + 60*60
	}
	return int64(seconds), until
}

// spanAt returns the span that contains t.
func (c *Cron) spanAt(zone *time.Location, t int64) *span {
	if s := c.recent.Load(); s != nil && s.zone == zone && s.from <= t && t < s.until {
		return s
	}
	s := findSpan(zone, t)
	c.recent.Store(s)
	return s
}

// findSpan walks to t from an instant early enough that no clock change before
// it can still matter. It walks forwards because the start that Go gives for a
// zone's bounds is not always that of the change.
func findSpan(zone *time.Location, t int64) *span {
	peak := int64(math.MinInt64 / 2)
	for at := t - 2*slack; ; {
		offset, until := offsetAt(zone, at)
		if until > t {
			return &span{zone: zone, from: t, until: until, offset: offset, peak: peak}
		}
		peak = max(peak, until+offset)
		at = until
	}
}
