package schedule

import (
	"math"
	"sync"
	"sync/atomic"
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

// utcSpan is the only span of UTC.
var utcSpan = span{zone: time.UTC, from: math.MinInt64 / 2, until: math.MaxInt64 / 2, peak: math.MinInt64 / 2}

// spanAt returns the span that contains t, from firstInstant on. It allocates nothing
// once the stretch of the zone is known, so that a schedule which fires once a year costs
// as little as one that fires each second.
func (c *Cron) spanAt(zone *time.Location, t int64) *span {
	if zone == time.UTC {
		return &utcSpan
	}
	if s := c.recent.Load(); s != nil && s.zone == zone && s.from <= t && t < s.until {
		return s
	}
	var s *span
	if known, ok := spans.Load(zone); ok {
		s = known.(*zoneSpans).at(t)
	} else { // not one of LoadZone's
		s = new(findSpan(zone, t))
	}
	c.recent.Store(s)
	return s
}

// findSpan walks to t from an instant early enough that no clock change before
// it can still matter. It walks forwards because the start that Go gives for a
// zone's bounds is not always that of the change.
func findSpan(zone *time.Location, t int64) span {
	peak := int64(math.MinInt64 / 2)
	for at := t - 2*slack; ; {
		offset, until := offsetAt(zone, at)
		if until > t {
			return span{zone: zone, from: t, until: until, offset: offset, peak: peak}
		}
		peak = max(peak, until+offset)
		at = until
	}
}

// spans holds what is known of each zone that LoadZone has answered, some 600.
var spans sync.Map // *time.Location → *zoneSpans

const (
	blockBits = 31                                   // a block is 2^31 seconds, 68 years
	blocks    = 10_000*366*daySeconds>>blockBits + 1 // from year 1 to the last one
)

// zoneSpans are the spans of a zone in blocks of 68 years, each worked out when it is
// first asked for: some 140 spans, 7 KiB.
type zoneSpans struct {
	zone   *time.Location
	blocks [blocks]atomic.Pointer[[]span]
}

// at returns the span that contains t, which is not before firstInstant.
func (z *zoneSpans) at(t int64) *span {
	n := (t - firstInstant) >> blockBits
	block := z.blocks[n].Load()
	if block == nil {
		list := z.block(firstInstant + n<<blockBits)
		block = &list
		z.blocks[n].Store(block) // another goroutine may do the same; both are right
	}
	low, high := 0, len(*block)-1
	for low < high {
		middle := (low + high + 1) / 2
		if (*block)[middle].from <= t {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return &(*block)[low]
}

// block works out the spans from an instant on. The last one may reach into the next
// block.
func (z *zoneSpans) block(from int64) []span {
	last := findSpan(z.zone, from)
	var list []span
	for end := from + 1<<blockBits; last.until < end; {
		offset, until := offsetAt(z.zone, last.until)
		if offset == last.offset {
			last.until = until
			continue
		}
		list = append(list, last)
		last = span{zone: z.zone, from: last.until, until: until, offset: offset, peak: max(last.peak, last.until+last.offset)}
	}
	return append(list, last)
}
