package clock

import "time"

var started = time.Now()

// century keeps readings above 0, so that 0 can stand for "never": in the bubbles
// of testing/synctest it is the year 2000.
const century = 100 * 365 * 24 * time.Hour

// Monotonic is a reading of the clock that never jumps; only differences mean
// anything. It is above 0 and goes on while the process is stopped, so what was
// to end meanwhile has ended.
func Monotonic() time.Duration { return century + time.Since(started) }
