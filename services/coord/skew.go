package coord

import (
	"context"
	"fmt"
	"time"
)

const (
	// WarnOffset is the difference between this server's clock and the database's
	// from which on it is warned of.
	WarnOffset = 500 * time.Millisecond
	// MaxOffset is the difference from which on a server does not lead: it would
	// fire too early or too late.
	MaxOffset = 2 * time.Second
	// compareTries is how often one measurement asks at most, and sharpEnough the doubt
	// with which it is content.
	compareTries = 3
	sharpEnough  = 2 * time.Millisecond
	// patience is the share of a beat, one in so many, after which it asks no more.
	patience = 8
	// measureEvery is how many beats there are to a measurement of the clock.
	measureEvery = 5
	// warnEvery bounds how often the same trouble is logged.
	warnEvery = time.Minute
	// slowWrite is how long a beat's write must take to be told of, and slowFor how long
	// it is told.
	slowWrite = time.Second
	slowFor   = 30 * time.Second
)

// skew is how this server's clock differs from the database's.
type skew struct {
	measured bool
	offset   time.Duration // positive: this server is ahead
	doubt    time.Duration // half of the last round trip: what it said may be wrong by so much
	trust    time.Duration // the doubt of the measurement that the offset is from
	beats    int           // since the start
	warned   time.Duration // when it was last warned of, by Elapsed; 0: never
}

// beyond says that the offset is certainly more than limit.
func (s skew) beyond(limit time.Duration) bool { return s.measured && s.offset.Abs()-s.doubt > limit }

// Offset is how far this server's clock is ahead of the database's (negative:
// behind), measured with half of the round trip taken off. 0 before the first
// measurement.
func (o *Ownership) Offset() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.skew.offset
}

// beat is a round of the loop that shows the others that this server lives. A
// server that does not lead for want of fitness shows nothing, so that its share
// goes to others.
func (o *Ownership) beat(ctx context.Context) (time.Duration, error) {
	from := o.cfg.Elapsed()
	first, err := o.measure(ctx)
	if err != nil {
		return 0, err
	}
	wrote := o.cfg.Elapsed()
	if !o.hasResigned() {
		err = o.cfg.Ledger.BeatServer(ctx, o.self())
	}
	now := o.cfg.Elapsed()
	o.mu.Lock()
	if now-wrote >= slowWrite { // one that failed has waited for its end too
		o.slowBeat, o.slowAt = now-wrote, now
	}
	if err == nil {
		o.beatAt = from
	}
	o.mu.Unlock()
	if first {
		o.passes.Wake() // it waits for the measurement
	}
	return max(o.cfg.Beat-(o.cfg.Elapsed()-from), 1), err
}

// measure compares the clocks at the first beat and then now and again. It says
// whether this was the first time.
func (o *Ownership) measure(ctx context.Context) (first bool, err error) {
	o.mu.Lock()
	s := o.skew
	o.skew.beats++
	o.mu.Unlock()
	if s.measured && s.beats%measureEvery != 0 {
		return false, nil
	}
	offset, doubt, err := o.compare(ctx)
	if err != nil {
		return false, fmt.Errorf("comparing clocks: %w", err)
	}
	o.mu.Lock()
	o.skew.believe(offset, doubt)
	o.mu.Unlock()
	o.warn()
	return !s.measured, nil
}

// believe takes a measurement in. One that is no sharper than that which is believed and
// does not contradict it changes nothing, and neither does a first one that allows for a
// right clock: on a busy machine the answer is late, not the clock wrong, and half of its
// way would be taken for an offset. Were it compared with the last one, the second of two
// late answers would do away with what a quick one had said. A clock that drifts contradicts
// it sooner or later.
func (s *skew) believe(offset, doubt time.Duration) {
	sharper := s.measured && doubt < s.trust
	if sharper || (offset-s.offset).Abs() > doubt {
		s.offset, s.trust = offset, doubt
	} else if !s.measured {
		s.trust = doubt
	}
	s.measured, s.doubt = true, doubt
}

// compare asks for the database's time, again when the answer took long, and answers
// what the quickest of them says.
func (o *Ownership) compare(ctx context.Context) (offset, doubt time.Duration, err error) {
	begun := o.cfg.Elapsed()
	for try := range compareTries {
		from, here := o.cfg.Elapsed(), o.cfg.Clock.Now()
		there, err := o.cfg.Ledger.Now(ctx)
		if err != nil {
			return 0, 0, err
		}
		half := (o.cfg.Elapsed() - from) / 2
		if try == 0 || half < doubt {
			offset, doubt = here.Add(half).Sub(there), half
		}
		// A ledger that is slow with everything must not make the beat late.
		if doubt <= sharpEnough || o.cfg.Elapsed()-begun > o.cfg.Beat/patience {
			break
		}
	}
	return offset, doubt, nil
}

// warn logs a clock that is off, not more than once a minute.
func (o *Ownership) warn() {
	o.mu.Lock()
	now, s := o.cfg.Elapsed(), o.skew
	tell := s.beyond(WarnOffset) && (s.warned == 0 || now-s.warned >= warnEvery)
	if tell {
		o.skew.warned = now
	}
	o.mu.Unlock()
	if tell {
		o.cfg.Logger.Warn("this server's clock differs from the database's; synchronise both, for example with chrony",
			"ahead", s.offset, "leads", !s.beyond(MaxOffset))
	}
}

// databaseNow is the database's clock as far as this server can tell.
func (o *Ownership) databaseNow() time.Time { return o.cfg.Clock.Now().Add(-o.Offset()) }
