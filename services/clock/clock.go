// Package clock is the only place that reads the machine's wall clock. Timers
// come from the standard library and are tested under testing/synctest.
package clock

import "time"

// Clock answers the present instant.
type Clock interface {
	// Now is the present instant in UTC, cut to microseconds as the ledger stores it.
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now implements Clock.
func (System) Now() time.Time { return Cut(time.Now()) }

// Shifted is a clock that is off by a fixed length, to try what skew does.
type Shifted struct {
	Base Clock
	By   time.Duration
}

// Now implements Clock.
func (s Shifted) Now() time.Time { return s.Base.Now().Add(s.By) }

// Cut puts t into the form the ledger stores: UTC, microseconds, no monotonic
// reading. Databases differ in rounding, so every time is cut before it is
// stored or compared.
func Cut(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
