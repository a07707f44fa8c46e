package worker

import "github.com/belfry-scheduler/belfry/worker-sdk/wire"

// recent remembers the last attempts that ended for good, so that a push that was
// under way when the result was accepted does not run them again.
type recent struct {
	set  map[wire.AttemptRef]struct{}
	ring []wire.AttemptRef // its length is the bound
	next int
}

func newRecent(size int) recent {
	return recent{set: make(map[wire.AttemptRef]struct{}), ring: make([]wire.AttemptRef, size)}
}

func (r *recent) has(ref wire.AttemptRef) bool {
	_, ok := r.set[ref]
	return ok
}

func (r *recent) add(ref wire.AttemptRef) {
	delete(r.set, r.ring[r.next])
	r.ring[r.next] = ref
	r.set[ref] = struct{}{}
	r.next = (r.next + 1) % len(r.ring)
}
