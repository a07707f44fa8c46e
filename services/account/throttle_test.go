package account

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/internal/testledger"
)

func newTestThrottle() (*throttle, *testledger.Clock) {
	c := testledger.NewClock(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC))
	return newThrottle(c), c
}

func TestFailuresSlowDown(t *testing.T) {
	t.Parallel()
	th, c := newTestThrottle()
	for i := range freePerPair {
		if wait := th.begin("ada", "192.0.2.1"); wait != 0 {
			t.Fatalf("try %d waits %v", i+1, wait)
		}
	}
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		want *= time.Second
		if wait := th.begin("ada", "192.0.2.1"); wait != want {
			t.Fatalf("waits %v, want %v", wait, want)
		}
		if wait := th.begin("ada", "192.0.2.2"); wait != 0 {
			t.Fatal("her account is closed to her elsewhere")
		}
		th.succeed("ada", "192.0.2.2")
		c.Advance(want)
		if wait := th.begin("ada", "192.0.2.1"); wait != 0 {
			t.Fatalf("still waits %v", wait)
		}
	}
	c.Advance(forgetAfter + time.Second)
	for range freePerPair {
		if wait := th.begin("ada", "192.0.2.1"); wait != 0 {
			t.Fatal("old failures are not forgotten")
		}
	}
}

func TestSuccessForgets(t *testing.T) {
	t.Parallel()
	th, _ := newTestThrottle()
	for range 20 {
		for range freePerPair {
			if wait := th.begin("ada", "192.0.2.1"); wait != 0 {
				t.Fatalf("waits %v", wait)
			}
		}
		th.succeed("ada", "192.0.2.1")
	}
}

func TestOneAddressGuessingManyNames(t *testing.T) {
	t.Parallel()
	th, c := newTestThrottle()
	if th.begin("ada", "192.0.2.1") != 0 {
		t.Fatal("waits at once")
	}
	th.succeed("ada", "192.0.2.1")
	admitted := 0
	for i := range 1000 {
		if th.begin(fmt.Sprint("guess", i), "192.0.2.1") == 0 {
			admitted++
		}
	}
	if admitted > freePerAddress {
		t.Errorf("%d guesses at once from one address", admitted)
	}
	if wait := th.begin("ada", "192.0.2.1"); wait != 0 {
		t.Errorf("somebody known there is kept out for %v", wait)
	}
	if th.begin("bob", "192.0.2.2") != 0 {
		t.Error("another address is kept out")
	}
	hour := 0
	for range 3600 {
		c.Advance(time.Second)
		if th.begin(fmt.Sprint("guess", hour), "192.0.2.1") == 0 {
			hour++
		}
	}
	if hour > 80 {
		t.Errorf("%d guesses an hour from one address", hour)
	}
}

func TestThrottleIsBounded(t *testing.T) {
	t.Parallel()
	th, c := newTestThrottle()
	for i := range 3 * throttleSize {
		c.Advance(time.Microsecond)
		th.begin(fmt.Sprint(i), fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255))
	}
	if len(th.pairs) > throttleSize || len(th.addresses) > throttleSize {
		t.Errorf("%d pairs, %d addresses", len(th.pairs), len(th.addresses))
	}
}

func TestBlock(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "192.0.2.1:443": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "[::ffff:192.0.2.1]:80": "192.0.2.1",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "[2001:db8:1:2::9]:80": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "": "", "unix": "unix",
	} {
		if got := block(address); got != want {
			t.Errorf("block(%q) = %q, want %q", address, got, want)
		}
	}
}

// TestThrottleNeverLocksOut: whatever others do from other addresses, a person who
// has never failed here is let in at once.
func TestThrottleNeverLocksOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		th, c := newTestThrottle()
		for range rapid.IntRange(0, 200).Draw(t, "tries") {
			c.Advance(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
			address := fmt.Sprint("198.51.100.", rapid.IntRange(1, 20).Draw(t, "from"))
			if th.begin("ada", address) == 0 && rapid.Bool().Draw(t, "right") {
				th.succeed("ada", address)
			}
		}
		if wait := th.begin("ada", "192.0.2.1"); wait != 0 {
			t.Fatalf("ada waits %v at home", wait)
		}
	})
}
