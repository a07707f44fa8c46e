package live

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Config is what a feed of rows T needs.
type Config[T any] struct {
	Name string // in the log
	// Read answers the rows that exist among ids, in no order.
	Read func(ctx context.Context, ids []string) ([]T, error)
	ID   func(*T) string
	// Share makes something that the subscribers of one reading share, for
	// example a cache of what belongs to its rows; nil: nothing.
	Share  func(rows []*T) any
	Logger *slog.Logger
}

// Feed is one kind of row T, about which hints H come. Hint and Resync never
// block. Run must be running for anything to arrive.
type Feed[T, H any] struct {
	cfg  Config[T]
	wake chan struct{} // holds one: several wakes are one

	mu     sync.Mutex
	subs   map[*Subscriber[T, H]]struct{} // at most maxSubscribers
	ids    map[string]struct{}            // hinted since the last reading, at most maxIDs
	resync bool                           // hints were lost since the last reading
}

// NewFeed makes a feed.
func NewFeed[T, H any](cfg Config[T]) *Feed[T, H] {
	return &Feed[T, H]{
		cfg: cfg, wake: make(chan struct{}, 1),
		subs: map[*Subscriber[T, H]]struct{}{}, ids: map[string]struct{}{},
	}
}

// Hint says that the row with this id is new, changed or gone, and what is known
// of it. A row that no subscriber cares for is not read.
func (f *Feed[T, H]) Hint(id string, about H) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.ids[id]; known || !f.wanted(about) {
		return
	}
	if len(f.ids) < maxIDs {
		f.ids[id] = struct{}{}
	} else {
		f.resync = true
	}
	rouse(f.wake)
}

func (f *Feed[T, H]) wanted(about H) bool {
	for s := range f.subs {
		if s.cares == nil || s.cares(about) {
			return true
		}
	}
	return false
}

// Resync says that hints were lost.
func (f *Feed[T, H]) Resync() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.subs) > 0 {
		f.resync = true
		rouse(f.wake)
	}
}

// Run reads and shares until ctx ends.
func (f *Feed[T, H]) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	pause := func(d time.Duration) bool {
		timer.Reset(d)
		select {
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for {
		select {
		case <-f.wake:
		case <-ctx.Done():
			return
		}
		if !pause(gather) {
			return
		}
		rest := Pace - gather
		if err := f.turn(ctx); err != nil && ctx.Err() == nil {
			f.cfg.Logger.WarnContext(ctx, "reading what changed failed", "feed", f.cfg.Name, "error", err)
			f.Resync()
			rest = retryAfter
		}
		if !pause(rest) {
			return
		}
	}
}

// turn reads the hinted rows once and hands them to every subscriber. A row that
// is gone is what a list shows by being read again.
func (f *Feed[T, H]) turn(ctx context.Context) error {
	ids, resync := f.take()
	if len(ids) == 0 && !resync {
		return nil
	}
	var rows []T
	if len(ids) > 0 {
		var err error
		if rows, err = f.cfg.Read(ctx, ids); err != nil {
			return err
		}
	}
	b := batch[T]{ids: make([]string, len(rows)), rows: make([]*T, len(rows)), resync: resync || len(rows) < len(ids)}
	for i := range rows {
		b.rows[i], b.ids[i] = &rows[i], f.cfg.ID(&rows[i])
	}
	if f.cfg.Share != nil {
		b.shared = f.cfg.Share(b.rows)
	}
	for _, s := range f.subscribers() {
		s.offer(b)
	}
	return nil
}

// batch is what one reading found.
type batch[T any] struct {
	ids    []string
	rows   []*T // never changed after the reading: subscribers share them
	resync bool
	shared any
}

func (f *Feed[T, H]) take() (ids []string, resync bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids = make([]string, 0, len(f.ids))
	for id := range f.ids {
		ids = append(ids, id)
	}
	clear(f.ids)
	resync, f.resync = f.resync, false
	return ids, resync
}

func (f *Feed[T, H]) subscribers() []*Subscriber[T, H] {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]*Subscriber[T, H], 0, len(f.subs))
	for s := range f.subs {
		all = append(all, s)
	}
	return all
}

// Subscribe begins to gather the rows that match. Cares says by a hint alone
// whether the row might; it is called often and must be quick. Nil means all. The
// subscription is closed by its owner. It fails with ErrFull.
func (f *Feed[T, H]) Subscribe(cares func(H) bool, match func(*T) bool) (*Subscriber[T, H], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.subs) >= maxSubscribers {
		return nil, ErrFull
	}
	s := &Subscriber[T, H]{feed: f, cares: cares, match: match, wake: make(chan struct{}, 1), pending: map[string]*T{}}
	f.subs[s] = struct{}{}
	return s, nil
}
