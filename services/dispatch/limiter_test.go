package dispatch

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLimiterNeverExceedsTheRateInAnyWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(1, 200).Draw(t, "rate")
		burst := rapid.IntRange(1, 400).Draw(t, "burst")
		var l limiter
		l.set(&rate, &burst)
		now := time.Unix(1_000_000, 0)
		var released []time.Time
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 700_000).Draw(t, "µs")) * time.Microsecond)
			asked := rapid.IntRange(0, 500).Draw(t, "asked")
			n := l.room(now, asked)
			if n > asked || n > min(burst, rate) {
				t.Fatalf("room %d of %d asked, burst %d, rate %d", n, asked, burst, rate)
			}
			l.took(now, n)
			for range n {
				released = append(released, now)
			}
		}
		for i := range released {
			in := 0
			for _, at := range released[i:] {
				if at.Sub(released[i]) < releaseWindow {
					in++
				}
			}
			if in > rate {
				t.Fatalf("%d released within a second from %s, rate %d", in, released[i], rate)
			}
		}
	})
}

func TestLimiterLetsGoOnAfterItsWait(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.IntRange(1, 1000).Draw(t, "rate")
		var l limiter
		l.set(&rate, nil)
		now := time.Unix(1_000_000, 0)
		for range 10 {
			l.took(now, l.room(now, 1_000_000))
			now = now.Add(l.wait(now))
			if l.room(now, 1) != 1 {
				t.Fatalf("rate %d: nothing may go after the wait", rate)
			}
		}
	})
}

func TestNoRateNoLimit(t *testing.T) {
	t.Parallel()
	var l limiter
	l.set(nil, nil)
	if got := l.room(time.Unix(0, 0), 12345); got != 12345 {
		t.Errorf("room = %d, want all", got)
	}
}
