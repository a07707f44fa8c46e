package why

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/services/schedule"
)

// near is how far from a fire an instant may lie that a person types for it.
const near = time.Minute

// farthest is how far back a fire is looked for.
const farthest = 20 * 366 * 24 * time.Hour

// nearest is the fire that a person means by an instant: the nearest within a
// minute, or the one whose jitter has it start about then.
func nearest(t *schedule.Trigger, at time.Time, seed string) (time.Time, bool) {
	if t == nil {
		return time.Time{}, false
	}
	before, hasBefore := previous(t, at)
	after, hasAfter := t.Next(at.Add(-1))
	beside := func(fire time.Time) bool {
		off := at.Sub(fire)
		return off.Abs() < near || (off-t.JitterFor(fire, seed)).Abs() < near
	}
	switch {
	case hasAfter && after.Sub(at) < near && (!hasBefore || after.Sub(at) <= at.Sub(before)):
		return after, true
	case hasBefore && beside(before):
		return before, true
	case hasAfter && beside(after):
		return after, true
	}
	return time.Time{}, false
}

// previous is the last fire at or before an instant. Triggers only step forwards,
// so it looks further and further back for a span with a fire, and halves it.
func previous(t *schedule.Trigger, at time.Time) (time.Time, bool) {
	for span := time.Minute; span < farthest; span *= 8 {
		low := at.Add(-span)
		if next, ok := t.Next(low); !ok || next.After(at) {
			continue
		}
		high := at // no fire after high up to at
		for high.Sub(low) > time.Millisecond {
			middle := low.Add(high.Sub(low) / 2)
			if next, ok := t.Next(middle); ok && !next.After(at) {
				low = middle
			} else {
				high = middle
			}
		}
		next, ok := t.Next(low)
		return next, ok && !next.After(at)
	}
	return time.Time{}, false
}

// words says something in one of the languages.
func words(lang schedule.Lang, english, chinese string, args ...any) string {
	if lang == schedule.Chinese {
		return fmt.Sprintf(chinese, args...)
	}
	return fmt.Sprintf(english, args...)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func span(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
