// Package desk decides about alerts and touches nothing: which events are problems by
// which rule, what becomes of an incident, whom to tell of it, when, and together with
// what. The ledger's rows go in and come out; clocks, ids and look-ups are handed in.
//
// Three steps, each a row in the ledger in between: events become incidents and pending
// rows (Desk.Happen, Desk.Clear), time does its own (Desk.Tick), and what is pending
// becomes messages (Desk.Gather). World does all three in memory, for trials and tests.
package desk

import "time"

// How long a problem may be over and still count as the same when it comes back, and when
// it counts as flapping.
const (
	ReopenWithin = 10 * time.Minute // a problem that comes back within it opens the same incident again
	FlapWithin   = time.Hour        // so many openings …
	FlapAfter    = 5                // … within FlapWithin are flapping
	FlapCalm     = 30 * time.Minute // without a change end it
	RateEvery    = time.Minute      // between two looks at a rate that opened an incident
)
