package alert

import (
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// What conditions may say, by the kind of the event.
var (
	// ofJobs are about a job and its runs, so that every scope can include them.
	ofJobs = []models.AlertEventKind{
		models.AlertAttemptFailed, models.AlertRetriesExhausted, models.AlertTimedOut, models.AlertLost, models.AlertPoison, models.AlertParked,
		models.AlertFireMissed, models.AlertFireLate, models.AlertScheduleStopped, models.AlertRunTooLong, models.AlertNotFinishedBy,
	}
	// ofServers belong to no app.
	ofServers = []models.AlertEventKind{models.AlertServerLost, models.AlertRedisDegraded, models.AlertDatabaseDegraded}
	// endTasks end a task, so that they can be counted among its job's ends.
	endTasks = []models.AlertEventKind{models.AlertRetriesExhausted, models.AlertPoison, models.AlertParked}
	// bounded have a bound of the rule's own.
	bounded = []models.AlertEventKind{models.AlertFireLate, models.AlertRunTooLong}
)

const (
	mostCounted   = 1000
	longestWindow = 7 * 24 * time.Hour
	longestBound  = 30 * 24 * time.Hour
)

// checkCondition checks one condition of a rule with a scope.
func checkCondition(path string, c *models.AlertCondition, scope models.AlertScopeKind) (wrong fault.List) {
	job := slices.Contains(ofJobs, c.Event)
	switch {
	case c.Event == models.AlertRecovered:
		return fault.List{fault.At(path+"event", fault.Invalid, "%sevent is RECOVERED, which is no problem; name what fails, and put RECOVERED into notices.", path)}
	case !job && (scope == models.ScopeJob || scope == models.ScopeLabels):
		wrong.Add(fault.At(path+"event", fault.Invalid, "%sevent is %s, which is about no job; give the rule the scope ALL, APP or GROUP.", path, c.Event))
	case slices.Contains(ofServers, c.Event) && scope != models.ScopeAll && scope != 0:
		wrong.Add(fault.At(path+"event", fault.Invalid, "%sevent is %s, which belongs to no app; give the rule the scope ALL.", path, c.Event))
	}
	wrong = append(wrong, checkCounts(path, c)...)
	wrong = append(wrong, checkBounds(path, c)...)
	return wrong
}

// checkCounts checks how many events there must be.
func checkCounts(path string, c *models.AlertCondition) (wrong fault.List) {
	c.Count = max(c.Count, 0)
	if c.Count == 0 {
		c.Count = 1
	}
	wrong.Add(check.Number(path+"count", c.Count, 1, mostCounted))
	ends, fails := slices.Contains(endTasks, c.Event), c.Event.EndsWithRecovery() && c.Event != models.AlertFireMissed
	switch {
	case c.Of != 0 && !ends:
		wrong.Add(fault.At(path+"of", fault.Invalid, "%sof is %d, but %s does not end a task; leave it out, or use window.", path, c.Of, c.Event))
	case c.Of != 0 && (c.Of < c.Count || c.Of > mostCounted):
		wrong.Add(fault.At(path+"of", fault.Invalid, "%sof is %d; it must be %d to %s.", path, c.Of, c.Count, check.Thousands(mostCounted)))
	case c.Of != 0 && c.WindowMS != 0:
		wrong.Add(fault.At(path+"of", fault.Invalid, "%sof and window are both given; keep one of them.", path))
	}
	switch {
	case c.Rate != 0 && !fails:
		wrong.Add(fault.At(path+"rate", fault.Invalid, "%srate is %g, but %s is no failure of a run; leave it out.", path, c.Rate, c.Event))
	case c.Rate < 0 || c.Rate > 1:
		wrong.Add(fault.At(path+"rate", fault.Invalid, "%srate is %g; it must be above 0 and at most 1.", path, c.Rate))
	case c.Rate > 0 && c.Of != 0:
		wrong.Add(fault.At(path+"rate", fault.Invalid, "%srate and of are both given; keep one of them.", path))
	}
	needs := c.Rate > 0 || c.Count > 1 && c.Of == 0
	switch {
	case c.WindowMS != 0:
		wrong.Add(check.Span(path+"window", ms(c.WindowMS), time.Minute, longestWindow))
		if !needs {
			wrong.Add(fault.At(path+"window", fault.Invalid, "%swindow is given without a rate and for one event; leave it out.", path))
		}
	case needs:
		wrong.Add(fault.At(path+"window", fault.Required, "%swindow is missing; say within which time, for example 1h.", path))
	}
	return wrong
}

// checkBounds checks how long, how late or how much it must be.
func checkBounds(path string, c *models.AlertCondition) (wrong fault.List) {
	only := func(field string, given bool, kinds ...models.AlertEventKind) bool {
		if given && !slices.Contains(kinds, c.Event) {
			wrong.Add(fault.At(path+field, fault.Invalid, "%s%s has no meaning for %s; leave it out.", path, field, c.Event))
		}
		return given && slices.Contains(kinds, c.Event)
	}
	if only("longerThan", c.LongerMS != 0, bounded...) {
		wrong.Add(check.Span(path+"longerThan", ms(c.LongerMS), time.Second, longestBound))
	}
	if only("factor", c.Factor != 0, models.AlertRunTooLong) && (c.Factor < 1 || c.Factor > 100) {
		wrong.Add(fault.At(path+"factor", fault.Invalid, "%sfactor is %g; it must be 1 to 100.", path, c.Factor))
	}
	if only("depth", c.Depth != 0, models.AlertQueueBacklog) && c.Depth < 0 {
		wrong.Add(fault.At(path+"depth", fault.Invalid, "%sdepth is %d; it must be above 0.", path, c.Depth))
	}
	if only("age", c.AgeMS != 0, models.AlertQueueBacklog) {
		wrong.Add(check.Span(path+"age", ms(c.AgeMS), time.Second, longestBound))
	}
	if only("by", c.By != "", models.AlertNotFinishedBy) {
		wrong = append(wrong, checkTimes(path, map[string]string{"by": c.By})...)
	}
	switch {
	case c.Event == models.AlertRunTooLong && c.LongerMS == 0 && c.Factor == 0:
		wrong.Add(fault.At(path+"longerThan", fault.Required, "%slongerThan is missing; give it, or factor for times the job's usual length.", path))
	case c.Event == models.AlertQueueBacklog && c.Depth == 0 && c.AgeMS == 0:
		wrong.Add(fault.At(path+"depth", fault.Required, "%sdepth is missing; give it, or age for how long the oldest has been due.", path))
	case c.Event == models.AlertNotFinishedBy && c.By == "":
		wrong.Add(fault.At(path+"by", fault.Required, "%sby is missing; write the local time of day, for example 06:30.", path))
	}
	return wrong
}
