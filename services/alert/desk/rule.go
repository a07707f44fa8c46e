package desk

import (
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Rule is a rule made ready for use.
type Rule struct {
	models.AlertRule
	zone    *time.Location
	windows []window
	routes  []route
}

type window struct {
	span
	severity models.Severity
}

type route struct {
	models.AlertRoute
	digests []int // minutes of the day
}

// Compile makes a rule ready. It fails on a row that somebody wrote by hand.
func Compile(row models.AlertRule) (*Rule, error) {
	zone, err := time.LoadLocation(row.Spec.Zone)
	if err != nil {
		return nil, fmt.Errorf("reading the zone of the alert rule %q: %w", row.Name, err)
	}
	r := &Rule{AlertRule: row, zone: zone}
	for _, w := range row.Spec.Windows {
		s, err := spanOf(w.Days, w.From, w.To)
		if err != nil {
			return nil, fmt.Errorf("reading the windows of the alert rule %q: %w", row.Name, err)
		}
		r.windows = append(r.windows, window{span: s, severity: w.Severity})
	}
	for _, way := range row.Spec.Routes {
		compiled := route{AlertRoute: way}
		for _, text := range way.DigestAt {
			minute, err := timetable.MinuteOfDay(text)
			if err != nil {
				return nil, fmt.Errorf("reading the digests of the alert rule %q: %w", row.Name, err)
			}
			compiled.digests = append(compiled.digests, minute)
		}
		r.routes = append(r.routes, compiled)
	}
	return r, nil
}

func spanOf(days int, from, to string) (span, error) {
	first, err := timetable.MinuteOfDay(from)
	if err != nil {
		return span{}, err
	}
	last, err := timetable.MinuteOfDay(to)
	if err != nil {
		return span{}, err
	}
	return span{days: days, from: first, to: last}, nil
}

// SeverityAt is how bad a problem is at an instant: the first window that holds decides.
func (r *Rule) SeverityAt(at time.Time) models.Severity {
	for _, w := range r.windows {
		if w.holds(at, r.zone) {
			return w.severity
		}
	}
	return r.Spec.Severity
}

// Tells says whether the rule tells people on an occasion; escalations and flapping are
// not chosen.
func (r *Rule) Tells(n models.AlertNotice) bool {
	return n > models.NoticeRecovered || slices.Contains(r.Spec.Notices, n)
}

// wait is the time that the first message of a group waits for more.
func (r *Rule) wait() time.Duration { return ms(r.Spec.GroupWaitMS) }

// interval is the least time between two messages of a group.
func (r *Rule) interval() time.Duration { return ms(r.Spec.GroupIntervalMS) }

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// due is when a route tells of something that is known at an instant.
func (w *route) due(r *Rule, now time.Time) (at time.Time, digest bool) {
	if len(w.digests) == 0 {
		return now.Add(r.wait()), false
	}
	for _, minute := range w.digests {
		if t := next(now, r.zone, minute); at.IsZero() || t.Before(at) {
			at = t
		}
	}
	return at, true
}

// AllChannels are the channels that the rule may tell, by all of its routes.
func (r *Rule) AllChannels(known []Channel) []string {
	d := Desk{Channels: known}
	var all []string
	for i := range r.routes {
		for _, ch := range d.channels(r.routes[i].Channels) {
			if !slices.Contains(all, ch) {
				all = append(all, ch)
			}
		}
	}
	return all
}
