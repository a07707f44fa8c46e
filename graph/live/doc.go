// Package live turns hints that something changed into rows for many subscribers.
//
// One feed for each kind of row gathers the ids that hints name, reads the rows
// once, at most ten times a second, and shares them with every subscriber; so the
// ledger is asked as often for a thousand subscribers as for one. A subscriber
// holds the latest version of each changed row until it is taken. What it cannot
// hold is dropped and marked: the subscriber then reads its list again.
package live

import (
	"errors"
	"time"
)

// Bounds of a feed.
const (
	Pace           = 100 * time.Millisecond // between two readings
	gather         = 10 * time.Millisecond  // after the first hint, for those that come with it
	maxIDs         = 200                    // ids gathered for one reading; more are dropped and marked
	maxPending     = 100                    // rows held for one subscriber; more are dropped and marked
	maxSubscribers = 50_000                 // of one feed
	resyncPace     = time.Second            // a subscriber is told at most so often to read again
	retryAfter     = time.Second            // after a reading that failed
)

// ErrFull refuses a subscriber.
var ErrFull = errors.New("too many subscribers")
