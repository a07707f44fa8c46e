package dispatch

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

const (
	lineWindow = 10 * time.Second // the pace is that of so long
	lineTrend  = 5 * time.Second  // whether a line grows is judged after so long
	lineFirst  = 2 * time.Second  // before, nothing is said unless a rate says it
)

// line is how many tasks were due lately, oldest first, since there was a line; the
// last lineWindow, one sample a look.
type line struct{ samples []sample }

type sample struct {
	at    time.Time
	due   int64
	total int64 // dispatched by then
}

// add takes in what is so now.
func (l *line) add(s sample) {
	if s.due == 0 {
		l.samples = append(l.samples[:0], s)
		return
	}
	l.samples = append(l.samples, s)
	for len(l.samples) > 2 && s.at.Sub(l.samples[0].at) > lineWindow {
		l.samples = l.samples[1:]
	}
}

// last is the latest sample.
func (l *line) last() sample {
	if len(l.samples) == 0 {
		return sample{}
	}
	return l.samples[len(l.samples)-1]
}

// outlook is how long until nothing is due, at the pace of the last seconds and if no
// more came; nil with a sentence when that cannot be said.
func (l *line) outlook(limit models.GroupLimit, rate *int) (*time.Duration, string) {
	now := l.last()
	if now.due == 0 {
		return new(time.Duration(0)), ""
	}
	if limit == models.LimitNoNodes {
		return nil, "No node is online that could run them."
	}
	first := l.samples[0]
	if first.due == 0 && len(l.samples) > 1 {
		first = l.samples[1] // when the line was seen first
	}
	elapsed := now.at.Sub(first.at)
	begun := now.total - first.total
	switch {
	case elapsed < lineFirst && limit == models.LimitReleaseRate && rate != nil:
		return after(now.due, float64(*rate)), ""
	case elapsed < lineFirst:
		return nil, "It is too early to say."
	case begun == 0:
		return nil, fmt.Sprintf("None has begun within the last %s.", elapsed.Round(time.Second))
	}
	pace := float64(begun) / elapsed.Seconds()
	if elapsed >= lineTrend && now.due >= first.due {
		return nil, fmt.Sprintf("The line does not get shorter: about %.0f a second begin, and as many or more come.", pace)
	}
	return after(now.due, pace), ""
}

// after is how long a number of tasks takes at a pace a second.
func after(due int64, pace float64) *time.Duration {
	const longest = 365 * 24 * time.Hour
	d := time.Duration(min(float64(due)/pace, longest.Seconds()) * float64(time.Second))
	return &d
}
