package worker

import (
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	// linger is how long a result waits for attempts that have not begun yet, so
	// that a burst of short tasks goes into one report instead of many.
	linger = time.Millisecond
	// grace is how long a start or a log line waits at least, so that a short task's
	// start goes along with its result.
	grace = 2 * time.Millisecond
	// itemBytes is what an item weighs in a report besides its texts.
	itemBytes = 256
	// softBodyBytes is where a report is closed, unless the settings allow less.
	softBodyBytes = 1 << 20
)

// outbox is the book's queue of attempts about which something is to be reported.
// An attempt stands in it at most once, so that held attempts bound it.
type outbox struct {
	dirty    []*attempt
	since    time.Time // when the oldest of dirty came in
	urgent   bool      // a result, checkpoint or refusal waits
	hurry    time.Time // … since then
	delayed  []*attempt
	retryAt  time.Time // when delayed ones are tried again
	lastSent time.Time
	wake     chan struct{} // one token: look again
}

// poke makes the reporter look again.
func (o *outbox) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// mark notes that there is something to report about a; b.mu is held.
func (b *book) mark(a *attempt, urgent bool, now time.Time) {
	o := &b.outbox
	a.urgent = a.urgent || urgent
	if a.inFlight || a.delayed {
		return // comes back when the report has been answered, or when its time has come
	}
	if !a.queued {
		a.queued = true
		if len(o.dirty) == 0 {
			o.since = now
			o.poke()
		}
		o.dirty = append(o.dirty, a)
	}
	if urgent && !o.urgent {
		o.urgent, o.hurry = true, now
		o.poke()
	}
}

// due returns how long the next report should wait, 0 for not at all and below
// zero when there is nothing to report; b.mu is held.
func (b *book) due(now time.Time, hold time.Duration) time.Duration {
	o := &b.outbox
	wait := time.Duration(-1)
	earlier := func(at time.Time) {
		if d := max(at.Sub(now), 0); wait < 0 || d < wait {
			wait = d
		}
	}
	switch {
	case o.urgent && len(b.runners.queue) == 0:
		return 0
	case o.urgent:
		earlier(o.hurry.Add(linger))
	case len(o.dirty) > 0:
		at := o.lastSent.Add(hold)
		if earliest := o.since.Add(min(grace, hold)); at.Before(earliest) {
			at = earliest
		}
		if latest := o.since.Add(hold); at.After(latest) {
			at = latest
		}
		earlier(at)
	}
	if len(o.delayed) > 0 {
		earlier(o.retryAt)
	}
	return wait
}

// delay puts back a, whose items the server could not store now; b.mu is held.
func (b *book) delay(a *attempt, until time.Time) {
	o := &b.outbox
	a.queued, a.delayed = true, true
	if len(o.delayed) == 0 || until.Before(o.retryAt) {
		o.retryAt = until
	}
	o.delayed = append(o.delayed, a)
	o.poke()
}

// undelay moves the delayed attempts, whose time has come, before the others.
func (b *book) undelay() {
	o := &b.outbox
	for _, a := range o.delayed {
		a.delayed = false
	}
	o.dirty = append(o.delayed, o.dirty...)
	o.delayed = nil
}

// item is one line of a report, with what is needed to put it back.
type item struct {
	a          *attempt
	started    bool
	progress   *wire.Progress
	chunk      *chunk
	checkpoint *checkpoint
	refusal    bool
	ending     *ending
}

// measure is how large a report becomes and how long it is held back.
type measure struct {
	items int           // most items
	bytes int           // no item is added to a report that has reached them
	hold  time.Duration // longest wait of an item that is not urgent
}

// collect moves due items into into, whose capacity is reused. With nothing due it
// returns how long to wait, below zero for "until poked".
func (b *book) collect(into []item, m measure) ([]item, time.Duration) {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if wait := b.due(now, m.hold); wait != 0 {
		return into, wait
	}
	o := &b.outbox
	if len(o.delayed) > 0 && !now.Before(o.retryAt) {
		b.undelay()
	}
	size, used := 0, 0
	for _, a := range o.dirty {
		if len(into) >= m.items || size >= m.bytes {
			break
		}
		used++
		a.queued, a.urgent = false, false
		if a.abandoned {
			continue
		}
		before := len(into)
		into, size = b.itemsOf(a, into, size, m)
		a.inFlight = len(into) > before
	}
	b.keep(o.dirty[used:], now)
	o.lastSent = now
	return into, 0
}

// keep makes rest the whole queue.
func (b *book) keep(rest []*attempt, now time.Time) {
	o := &b.outbox
	n := copy(o.dirty, rest)
	clear(o.dirty[n:])
	o.dirty = o.dirty[:n]
	o.since, o.urgent = now, false
	for _, a := range o.dirty {
		o.urgent = o.urgent || a.urgent
	}
	o.hurry = now
}

// itemsOf appends the items of one attempt in the order in which the server wants
// them: start, progress, log, checkpoint, result.
func (b *book) itemsOf(a *attempt, into []item, size int, m measure) ([]item, int) {
	p := &a.pending
	if p.refusal {
		p.refusal = false
		return append(into, item{a: a, refusal: true}), size + itemBytes
	}
	whole := p.ending && len(into)+len(p.log.chunks)+3 <= m.items && size+p.log.bytes < m.bytes
	if p.started && !whole {
		into, size = append(into, item{a: a, started: true}), size+itemBytes
	}
	p.started = false // the result tells it
	if p.progress != nil && len(into) < m.items {
		into, size = append(into, item{a: a, progress: p.progress}), size+itemBytes
		p.progress = nil
	}
	for len(p.log.chunks) > 0 && len(into) < m.items && size < m.bytes {
		c := p.log.take()
		b.logBytes -= len(c.text)
		into, size = append(into, item{a: a, chunk: c}), size+len(c.text)+itemBytes
	}
	if len(p.log.chunks) > 0 {
		return into, size // the rest comes with the next report, in order
	}
	if p.checkpoint != nil && len(into) < m.items {
		into, size = append(into, item{a: a, checkpoint: p.checkpoint}), size+len(p.checkpoint.data)+itemBytes
		p.checkpoint = nil
	}
	if p.ending && p.checkpoint == nil && len(into) < m.items {
		into, size = append(into, item{a: a, ending: a.ending}), size+a.ending.bytes()
		p.ending = false
	}
	return into, size
}
