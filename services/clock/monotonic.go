package clock

import "time"

// started is the zero of Monotonic.
var started = time.Now()

// Monotonic is the time since the process started by the clock that never
// jumps. Only differences mean anything. It goes on while the process is
// stopped, so what was to end meanwhile has ended.
func Monotonic() time.Duration { return time.Since(started) }
