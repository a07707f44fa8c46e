package account

import (
	"net/netip"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// A sign-in is slowed down for one account from one address, and for one address
// whatever the account; never for an account as such, or anybody could lock its
// owner out. An address behind which somebody misbehaves does not stop those who
// have signed in from there before: they are only slowed down for their own
// failures.
const (
	freePerPair    = 5                // failures of an account from an address that cost nothing
	freePerAddress = 30               // failures from an address that cost nothing
	longestWait    = time.Minute      // between two tries
	forgetAfter    = 15 * time.Minute // without a failure
	goodFor        = 30 * 24 * time.Hour
	throttleSize   = 10_000 // pairs and addresses remembered, each
)

type tries struct {
	failures int
	last     time.Time // of the latest try
	goodAt   time.Time // of the latest success
}

// wait is how long after the last try the next one may come.
func (t *tries) wait(free int) time.Duration {
	over := t.failures - free
	if over < 0 {
		return 0
	}
	return min(time.Second<<min(over, 10), longestWait)
}

type pair struct{ account, address string }

type throttle struct {
	clock     clock.Clock
	mu        sync.Mutex
	pairs     map[pair]*tries   // at most throttleSize
	addresses map[string]*tries // at most throttleSize
}

func newThrottle(c clock.Clock) *throttle {
	return &throttle{clock: c, pairs: make(map[pair]*tries), addresses: make(map[string]*tries)}
}

// begin books a try as a failure, so that tries made at once count too, and
// answers 0; or it answers how long to wait. A try that ends well is followed by
// succeed.
func (t *throttle) begin(account, address string) time.Duration {
	now := t.clock.Now()
	address = block(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	one := entryOf(t.pairs, pair{account, address}, now)
	all := entryOf(t.addresses, address, now)
	left := one.last.Add(one.wait(freePerPair)).Sub(now)
	if known := now.Sub(one.goodAt) < goodFor; !known {
		left = max(left, all.last.Add(all.wait(freePerAddress)).Sub(now))
	}
	if left > 0 {
		return left
	}
	one.failures++
	all.failures++
	one.last, all.last = now, now
	return 0
}

// succeed takes the booked failure back and forgets the account's others from
// there.
func (t *throttle) succeed(account, address string) {
	now := t.clock.Now()
	address = block(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	one := entryOf(t.pairs, pair{account, address}, now)
	one.failures, one.goodAt = 0, now
	if all := entryOf(t.addresses, address, now); all.failures > 0 {
		all.failures--
	}
}

// entryOf answers the entry for key, made or forgotten as needed. A full map
// first loses one entry: the least recently used of a few, without those that
// vouch for a known person if others are there.
func entryOf[K comparable](m map[K]*tries, key K, now time.Time) *tries {
	e, ok := m[key]
	if !ok {
		if len(m) >= throttleSize {
			delete(m, oldestOfSome(m))
		}
		e = &tries{}
		m[key] = e
	}
	if now.Sub(e.last) > forgetAfter {
		e.failures = 0
	}
	return e
}

func oldestOfSome[K comparable](m map[K]*tries) K {
	var worst K
	var age time.Time
	seen := 0
	for key, e := range m { // begins anywhere
		at := e.last
		if e.goodAt.After(at) {
			at = e.goodAt
		}
		if seen == 0 || at.Before(age) {
			worst, age = key, at
		}
		if seen++; seen == 16 {
			break
		}
	}
	return worst
}

// block is the part of an address that one customer usually has: an IPv6 network
// of 64 bits, or the whole IPv4 address. A port is cut off.
func block(address string) string {
	if ap, err := netip.ParseAddrPort(address); err == nil {
		address = ap.Addr().String()
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return ip.String()
	}
	return network.String()
}
