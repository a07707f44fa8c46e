package schedule

import "time"

// Policy says what becomes of fires that are overdue by more than the grace.
type Policy string

// The misfire policies. A fixed delay always fires once: skipping would leave
// it without a run whose end could start the next.
const (
	PolicySkip     Policy = "SKIP"      // none of them runs
	PolicyFireOnce Policy = "FIRE_ONCE" // one run stands for all of them
	PolicyFireAll  Policy = "FIRE_ALL"  // the newest run, up to the limit
)

// Reason says why a range of fires will not run.
type Reason string

// The reasons.
const (
	ReasonSkipped   Reason = "MISFIRE_SKIPPED"   // the policy is to skip
	ReasonLimit     Reason = "MISFIRE_LIMIT"     // beyond the limit of FIRE_ALL
	ReasonCoalesced Reason = "MISFIRE_COALESCED" // a newer fire stands for them

	ReasonRestDay Reason = "CALENDAR_REST_DAY" // the job's calendar has a rest day
	ReasonQuiet   Reason = "CALENDAR_QUIET"    // … a quiet window
)

// Defaults and bounds of misfire handling.
const (
	DefaultGrace    = time.Minute
	SkipGrace       = 15 * time.Second // default of PolicySkip: longer than a takeover, short enough to skip
	DefaultLimit    = 100
	MaxLimit        = 1_000
	DefaultMaxFires = 1_000
	MaxCounted      = 100_000 // missed cron fires are counted up to here
)

// Misfire is how a job treats missed fires. Zero fields stand for the
// defaults: FIRE_ONCE, one minute (15 seconds for SKIP), 100.
type Misfire struct {
	Policy Policy
	Grace  time.Duration // fires late by no more than this simply fire; negative: none
	Limit  int           // FIRE_ALL: how many overdue fires run at most, up to MaxLimit
}

// GraceOf is the default grace of a policy. Skipping is for fires that must not run
// late, so that its grace covers no more than another server's taking over.
func GraceOf(policy Policy) time.Duration {
	if policy == PolicySkip {
		return SkipGrace
	}
	return DefaultGrace
}

func (m Misfire) orDefaults() Misfire {
	if m.Policy == "" {
		m.Policy = PolicyFireOnce
	}
	if m.Grace == 0 {
		m.Grace = GraceOf(m.Policy)
	}
	m.Grace = max(m.Grace, 0)
	if m.Limit <= 0 {
		m.Limit = DefaultLimit
	}
	m.Limit = min(m.Limit, MaxLimit)
	return m
}

// PlanInput is everything the decision depends on.
type PlanInput struct {
	Trigger  *Trigger
	Next     time.Time // the job's stored next fire; zero: it has none
	Now      time.Time
	Horizon  time.Time // fires up to here are created; not before Now
	Misfire  Misfire
	MaxFires int    // fires created by one call at most; 0: DefaultMaxFires
	Seed     string // what jitter is drawn from

	// What a calendar took out is counted from the later of the two: since when
	// the trigger holds, and the last fire. Both zero: it is not counted.
	Since, Last time.Time
}

// Fire is a fire to create.
type Fire struct {
	At        time.Time // nominal instant
	Available time.Time // nominal instant plus jitter
	Misfire   bool      // overdue by more than the grace
}

// Missed is a range of fires that will not run.
type Missed struct {
	First, Last time.Time // nominal instants, both included
	Count       int
	AtLeast     bool // Count is a lower bound, MaxCounted
	Reason      Reason
}

// PlanResult is the decision.
type PlanResult struct {
	Fires  []Fire // in time order
	Missed []Missed
	Next   time.Time // the job's new next fire, later than any above; zero: finished
	Dealt  time.Time // the latest fire that was dealt with: it became a task or was missed; zero: none
	More   bool      // MaxFires was reached and Next is due already: plan again
}

// Plan decides which fires of a job to create now, which will not run and
// why, and when the job fires next. It is the trigger service's whole
// judgement, and pure: the same input gives the same answer.
//
// The new next fire is computed from the last fire dealt with, never from the
// clock, so that a clock that wakes early or twice cannot repeat or lose one.
// The work is bounded by the limits, not by the length of an outage.
//
// A stored next fire that is none by the trigger's present calendar is passed over.
// Fires that the calendar took out are recorded with the fire after them, so that
// nothing is recorded that has not come.
func Plan(in PlanInput) PlanResult {
	if in.Next.IsZero() || in.Next.After(later(in.Now, in.Horizon)) {
		return PlanResult{Next: in.Next}
	}
	p := planner{PlanInput: in, rules: in.Misfire.orDefaults(), slot: in.Next, more: true}
	if in.Trigger.Kind() == KindFixedDelay {
		p.rules.Policy = PolicyFireOnce
	}
	p.Horizon = later(in.Now, in.Horizon)
	if p.MaxFires <= 0 {
		p.MaxFires = DefaultMaxFires
	}
	if in.Trigger.kept != nil {
		p.slot, p.more = in.Trigger.Next(p.slot.Add(-1))
	}
	p.deal()
	p.result.Missed = append(p.result.Missed, p.takenOut()...)
	return p.result
}

// deal decides on every fire up to the horizon.
func (p *planner) deal() {
	if !p.more {
		p.result.Dealt = p.Next // it was the last one and is none any more
		return
	}
	if cutoff := p.Now.Add(-p.rules.Grace); p.slot.Before(cutoff) {
		p.overdue(cutoff)
	}
	for p.more && !p.slot.After(p.Horizon) && len(p.result.Fires) < p.MaxFires {
		p.fire(false)
	}
	if p.more {
		p.result.Next = p.slot
		p.result.More = !p.slot.After(p.Horizon)
	}
}

// takenOut counts what the calendar took out up to the latest fire dealt with.
func (p *planner) takenOut() []Missed {
	from := later(p.Since, p.Last)
	if from.IsZero() || p.result.Dealt.IsZero() {
		return nil
	}
	return p.Trigger.TakenOut(from, p.result.Dealt)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// planner holds a decision in the making.
type planner struct {
	PlanInput
	rules  Misfire
	result PlanResult
	slot   time.Time // the next fire to deal with
	more   bool      // there is one
}

// fire creates the current fire and steps to the one after it.
func (p *planner) fire(misfire bool) {
	p.result.Fires = append(p.result.Fires, Fire{
		At:        p.slot,
		Available: p.slot.Add(p.Trigger.JitterFor(p.slot, p.Seed)),
		Misfire:   misfire,
	})
	p.result.Dealt = p.slot
	p.slot, p.more = p.Trigger.Next(p.slot)
}

// overdue deals with the fires before cutoff: the newest few run as misfires
// if the policy says so, the others are recorded as missed.
func (p *planner) overdue(cutoff time.Time) {
	run := missedRun{trigger: p.Trigger, first: p.slot, end: cutoff}
	keep := p.keep(cutoff)
	if newest := run.newest(keep + 1); len(newest) > keep {
		last := newest[0]
		p.result.Missed = append(p.result.Missed, run.upTo(last, p.reason()))
		p.result.Dealt = last
		p.slot, p.more = p.Trigger.Next(last)
	}
	for p.more && p.slot.Before(cutoff) && len(p.result.Fires) < p.MaxFires {
		p.fire(true)
	}
}

// keep is how many fires before cutoff run. Late fires within the grace run
// anyway: they stand for the missed ones when once is enough, and count
// towards the limit when all shall run.
func (p *planner) keep(cutoff time.Time) int {
	switch p.rules.Policy {
	case PolicyFireOnce:
		return 1 - p.lateWithin(cutoff, 1)
	case PolicyFireAll:
		return p.rules.Limit - p.lateWithin(cutoff, p.rules.Limit)
	case PolicySkip:
	}
	return 0
}

// lateWithin counts fires from cutoff to now, up to limit.
func (p *planner) lateWithin(cutoff time.Time, limit int) int {
	count := 0
	for at := cutoff.Add(-1); count < limit; count++ {
		next, ok := p.Trigger.Next(at)
		if !ok || next.After(p.Now) {
			break
		}
		at = next
	}
	return count
}

func (p *planner) reason() Reason {
	switch p.rules.Policy {
	case PolicyFireOnce:
		return ReasonCoalesced
	case PolicyFireAll:
		return ReasonLimit
	case PolicySkip:
	}
	return ReasonSkipped
}
