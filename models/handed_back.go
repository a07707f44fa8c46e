package models

import "time"

const (
	handedBackFirst   = time.Second
	handedBackLongest = time.Minute
)

// HandedBackDelay is the wait after an attempt that was refused, when so many before it
// were handed back in a row: a second for none, doubled with each, a minute at most.
// Fewer than none is no wait.
func HandedBackDelay(before int) time.Duration {
	if before < 0 {
		return 0
	}
	return min(handedBackFirst<<min(before, 6), handedBackLongest)
}

// HandedBackFor is for how long at least a task has been offered and handed back when that
// has happened so many times in a row.
func HandedBackFor(times int) (waited time.Duration) {
	for before := range min(times, 7) - 1 {
		waited += HandedBackDelay(before)
	}
	return waited + time.Duration(max(times-7, 0))*handedBackLongest
}
