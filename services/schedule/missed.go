package schedule

import (
	"slices"
	"time"
)

// missedRun is a trigger's fires in [first, end). first is itself a fire,
// whether or not the trigger would compute it.
type missedRun struct {
	trigger    *Trigger
	first, end time.Time
}

// after lists up to limit fires of the run strictly after an instant.
func (m missedRun) after(at time.Time, limit int) []time.Time {
	var fires []time.Time
	for len(fires) < limit {
		next, ok := m.trigger.Next(at)
		if !ok || !next.Before(m.end) {
			break
		}
		fires = append(fires, next)
		at = next
	}
	return fires
}

// newest lists the last n fires of the run in time order, fewer if it is
// shorter; n is at least 1. Triggers only step forwards, so it searches for
// the latest millisecond that still has n fires after it: some 40 probes of at
// most n steps for an outage of decades.
func (m missedRun) newest(n int) []time.Time {
	if head := m.after(m.first, n); len(head) < n {
		return append([]time.Time{m.first}, head...)
	}
	low, high := m.first, m.end // n fires after low, fewer after high
	for high.Sub(low) > time.Millisecond {
		middle := low.Add(high.Sub(low) / 2)
		if len(m.after(middle, n)) < n {
			high = middle
		} else {
			low = middle
		}
	}
	// A fixed rate may have two fires within a millisecond of low.
	fires := m.after(low, n+2)
	return slices.Clone(fires[max(len(fires)-n, 0):])
}

// upTo records the run up to last, one of its fires, as missed.
func (m missedRun) upTo(last time.Time, reason Reason) Missed {
	missed := Missed{First: m.first, Last: last, Reason: reason}
	if m.trigger.spec.Kind == KindFixedRate {
		every := m.trigger.spec.Every.Microseconds()
		missed.Count = int((last.UnixMicro()-m.first.UnixMicro()+every-1)/every) + 1
		return missed
	}
	missed.Count = 1
	for at := m.first; at.Before(last); missed.Count++ {
		if missed.Count == MaxCounted {
			missed.AtLeast = true
			break
		}
		next, ok := m.trigger.Next(at)
		if !ok {
			break
		}
		at = next
	}
	return missed
}
