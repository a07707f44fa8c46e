package task

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/origin"
)

// Limits of a run that is asked for.
const (
	MaxItems    = 1000 // runs in one request
	maxWait     = 10 * check.Year
	maxKey      = 200 // characters
	rerunPrefix = "rerun:"
)

// NewTask asks for one run of a job.
type NewTask struct {
	AppID      string          // only a job of this app; empty: of any
	Job        string          // the job's id; or, within AppID, its name
	Parameters json.RawMessage // nil: the job's
	Delay      *time.Duration
	RunAt      *time.Time     // instead of Delay; past means now
	UniqueKey  string         // empty: none
	OnKeyHeld  models.KeyRule // what becomes of the unfinished task that holds it; zero: KEEP
	Priority   *models.Priority
	RequestID  string // empty: none
	Downstream models.DownstreamRule
}

// request is a NewTask that passed its checks.
type request struct {
	NewTask
	kind  models.TriggerKind // MANUAL or API, DELAY when it lies ahead
	actor string             // a person or token; empty for an app's programs
	from  origin.Origin      // where the request came from
	now   time.Time
	dueAt time.Time // never before now
	id    string    // the TaskId that its request id stands for; empty without one
	// earlier are the ids under which a repeat of a request id may have been
	// stored; empty when id alone is enough.
	earlier []string
	// move and moves are the same for the record that the request moved the
	// holder of its key.
	move  string
	moves []string

	// Of a rerun: the task that it repeats, the one that began the chain, and the
	// instant it stands for. Its parameters are exactly those given, even none.
	repeats     string
	rootID      *string
	scheduledAt *time.Time
}

// prepare checks n and says everything that is wrong with it.
func prepare(n NewTask, kind models.TriggerKind, actor string, now time.Time) (request, error) {
	var wrong fault.List
	if n.Job == "" {
		wrong.Add(fault.At("job", fault.Required, "job is missing; name the job to run."))
	}
	wrong.Add(check.JSON("parameters", n.Parameters, check.MaxJSON))
	wrong.Add(checkKey(n.UniqueKey))
	if n.OnKeyHeld > models.KeyKeep && n.UniqueKey == "" {
		wrong.Add(fault.At("onKeyHeld", fault.Invalid, "onKeyHeld is %s, but there is no uniqueKey; give one, or leave onKeyHeld out.", n.OnKeyHeld))
	}
	wrong.Add(check.RequestID(n.RequestID))
	dueAt, err := When{n.Delay, n.RunAt}.due(now)
	wrong.Add(err)
	if len(wrong) > 0 {
		return request{}, wrong
	}
	n.Parameters = check.Compact(n.Parameters)
	r := request{NewTask: n, kind: kind, actor: actor, now: now, dueAt: dueAt}
	if dueAt.After(now) {
		r.kind = models.TriggerDelay
	}
	return r, nil
}

// When says from when a run may start: after Delay, or at RunAt; at once when both
// are nil or RunAt is past.
type When struct {
	Delay *time.Duration
	RunAt *time.Time
}

// due is the instant that w means at now, never before now.
func (w When) due(now time.Time) (time.Time, *fault.Error) {
	switch {
	case w.Delay != nil && w.RunAt != nil:
		return now, fault.At("runAt", fault.Invalid, "delay and runAt are both set; give one of them.")
	case w.Delay != nil:
		if *w.Delay < 0 || *w.Delay > maxWait {
			return now, fault.At("delay", fault.Invalid, "delay is %s; it must be 0s to %s.", *w.Delay, check.Words(maxWait))
		}
		return now.Add(*w.Delay).Truncate(time.Microsecond), nil
	case w.RunAt != nil:
		if w.RunAt.After(now.Add(maxWait)) {
			return now, fault.At("runAt", fault.Invalid, "runAt is %s; it must lie within the next %s.", w.RunAt.UTC().Format(time.RFC3339), check.Words(maxWait))
		}
		if w.RunAt.After(now) {
			return w.RunAt.UTC().Truncate(time.Microsecond), nil
		}
	}
	return now, nil
}

func checkKey(key string) *fault.Error {
	switch n := utf8.RuneCountInString(key); {
	case n > maxKey:
		return fault.At("uniqueKey", fault.Invalid, "uniqueKey has %d characters; shorten it to %d.", n, maxKey)
	case !check.Plain(key):
		return fault.At("uniqueKey", fault.Invalid, "uniqueKey %s has control characters or is not valid UTF-8; leave them out.", check.Quote(key))
	case strings.HasPrefix(key, rerunPrefix):
		return fault.At("uniqueKey", fault.Invalid, "uniqueKey %s begins with %q, which stands for runs repeated by people; begin it otherwise.", check.Quote(key), rerunPrefix)
	}
	return nil
}

// identify gives r the TaskId that its request id stands for within the app. What
// the repeat of a request with a ULID has in common with the first is its runAt, or
// its delay after the instant in the ULID.
func (r *request) identify(appID string) {
	if r.RequestID == "" {
		return
	}
	times, exact := check.RequestTimes(r.RequestID, r.now)
	r.move = models.MoveID(appID, r.RequestID, times[0])
	for i, at := range times {
		r.moves = append(r.moves, models.MoveID(appID, r.RequestID, at))
		if i > 0 {
			r.earlier = append(r.earlier, models.RequestID(appID, r.RequestID, at))
		}
	}
	due := times[0]
	switch {
	case exact && r.RunAt != nil:
		due = r.RunAt.UTC()
	case exact && r.Delay != nil:
		due = due.Add(*r.Delay)
	}
	r.id = models.RequestID(appID, r.RequestID, due)
}
