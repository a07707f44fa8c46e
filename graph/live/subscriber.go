package live

import (
	"context"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// Subscriber gathers rows of a feed for one reader.
type Subscriber[T, H any] struct {
	feed  *Feed[T, H]
	cares func(H) bool  // nil: for all
	match func(*T) bool // nil: all
	wake  chan struct{} // holds one

	mu      sync.Mutex
	pending map[string]*T // latest version by id, at most maxPending
	order   []string      // ids of pending, first changed first
	resync  bool          // something was dropped since the last Take that said so
	shared  any           // of the latest reading

	told time.Duration // when Take last said resync; only Take uses it
	once bool          // whether it ever has
}

// Changes are what a reader takes at once.
type Changes[T any] struct {
	Rows   []*T // each id once, first changed first; shared, so never to be changed
	Resync bool // changes were dropped before these: the list is to be read again
	Shared any  // what Config.Share made for the latest reading
}

// offer adds the rows of a reading. It never blocks.
func (s *Subscriber[T, H]) offer(b batch[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.shared != nil {
		s.shared = b.shared
	}
	s.resync = s.resync || b.resync
	for i, row := range b.rows {
		id := b.ids[i]
		if s.match != nil && !s.match(row) {
			// An older version that is still held has been overtaken.
			if _, held := s.pending[id]; held {
				s.pending[id] = nil
			}
			continue
		}
		if _, held := s.pending[id]; held {
			s.pending[id] = row
			continue
		}
		if len(s.pending) >= maxPending {
			s.resync = true
			continue
		}
		s.pending[id] = row
		s.order = append(s.order, id)
	}
	if len(s.order) > 0 || s.resync {
		rouse(s.wake)
	}
}

// Take waits for changes and takes all that are held. It fails only when ctx
// ends.
func (s *Subscriber[T, H]) Take(ctx context.Context) (Changes[T], error) {
	for {
		var later <-chan time.Time
		if c, wait := s.grab(); len(c.Rows) > 0 || c.Resync {
			return c, nil
		} else if wait > 0 {
			later = time.After(wait)
		}
		select {
		case <-s.wake:
		case <-later:
		case <-ctx.Done():
			return Changes[T]{}, context.Cause(ctx)
		}
	}
}

// grab takes what is held. A reader that was just told to read again is not told
// again at once: wait is how long until it may be, 0 when there is nothing to say.
func (s *Subscriber[T, H]) grab() (c Changes[T], wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.order {
		if row := s.pending[id]; row != nil {
			c.Rows = append(c.Rows, row)
		}
	}
	clear(s.pending)
	s.order = s.order[:0]
	c.Shared = s.shared
	if s.resync {
		now := clock.Monotonic()
		if wait = s.told + resyncPace - now; wait <= 0 || !s.once {
			s.resync, s.told, s.once = false, now, true
			c.Resync, wait = true, 0
		}
	}
	return c, wait
}

// Close ends the subscription; it may be called again.
func (s *Subscriber[T, H]) Close() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	delete(s.feed.subs, s)
}
