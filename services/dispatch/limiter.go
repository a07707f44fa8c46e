package dispatch

import "time"

// releaseWindow is the window in which the release rate is never exceeded.
const releaseWindow = time.Second

// limiter keeps a group's release rate: at one instant at most burst tasks, and
// in any window of one second at most rate tasks. The bucket smooths, the window
// guarantees. It holds one entry a pass of the last second.
type limiter struct {
	rate, burst int
	tokens      float64
	filledAt    time.Time
	recent      []release // oldest first, all within the last window
	inWindow    int
}

type release struct {
	at time.Time
	n  int
}

// set takes the group's limits; no rate means no limit.
func (l *limiter) set(rate, burst *int) {
	was := l.burst
	if rate == nil {
		*l = limiter{}
		return
	}
	l.rate, l.burst = *rate, *rate
	if burst != nil {
		l.burst = min(*burst, *rate)
	}
	if was == 0 {
		l.tokens = float64(l.burst)
	}
}

// room is how many of the asked tasks may be released at now.
func (l *limiter) room(now time.Time, asked int) int {
	if l.rate == 0 {
		return asked
	}
	if !l.filledAt.IsZero() {
		l.tokens += max(0, now.Sub(l.filledAt).Seconds()) * float64(l.rate)
	}
	l.tokens = min(l.tokens, float64(l.burst))
	l.filledAt = now
	l.forget(now)
	return max(0, min(asked, l.rate-l.inWindow, int(l.tokens)))
}

// took counts n releases at now.
func (l *limiter) took(now time.Time, n int) {
	if l.rate == 0 || n == 0 {
		return
	}
	l.tokens -= float64(n)
	l.recent = append(l.recent, release{at: now, n: n})
	l.inWindow += n
}

// wait is how long until room may answer more than zero again.
func (l *limiter) wait(now time.Time) time.Duration {
	if l.rate == 0 {
		return 0
	}
	wait := time.Duration((1 - min(l.tokens, 1)) / float64(l.rate) * float64(time.Second))
	if l.inWindow >= l.rate && len(l.recent) > 0 {
		wait = max(wait, l.recent[0].at.Add(releaseWindow).Sub(now))
	}
	return wait + time.Millisecond
}

// forget drops releases that have left the window.
func (l *limiter) forget(now time.Time) {
	i := 0
	for ; i < len(l.recent) && now.Sub(l.recent[i].at) > releaseWindow; i++ {
		l.inWindow -= l.recent[i].n
	}
	l.recent = l.recent[i:]
}
