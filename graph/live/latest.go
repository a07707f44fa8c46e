package live

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// LatestConfig is what a Latest of values V needs.
type LatestConfig[V any] struct {
	Name   string // in the log
	Read   func(ctx context.Context) (V, error)
	Same   func(a, b V) bool // whether watchers need not be told
	Every  time.Duration     // at most so often is it read
	Idle   time.Duration     // so often it is read without a touch
	Share  func(V) any       // as Config.Share; nil: nothing
	Logger *slog.Logger
}

// Latest is one value that is put together from much, for many watchers: it is
// read once for all of them, and not at all when there are none.
type Latest[V any] struct {
	cfg  LatestConfig[V]
	wake chan struct{} // holds one

	mu       sync.Mutex
	watchers map[*Watcher[V]]struct{} // at most maxSubscribers
	value    V
	known    bool
}

// Watcher waits for the value's changes.
type Watcher[V any] struct {
	latest *Latest[V]
	wake   chan struct{} // holds one

	mu     sync.Mutex
	value  V // the latest, if ready
	shared any
	ready  bool
	served bool // whether it has ever been given a value
}

// NewLatest makes a Latest.
func NewLatest[V any](cfg LatestConfig[V]) *Latest[V] {
	return &Latest[V]{cfg: cfg, wake: make(chan struct{}, 1), watchers: map[*Watcher[V]]struct{}{}}
}

// Touch says that something in the value may have changed. It never blocks.
func (l *Latest[V]) Touch() { rouse(l.wake) }

// Watch begins to wait for changes; the first value comes as soon as it is read.
// The watcher is closed by its owner. It fails with ErrFull.
func (l *Latest[V]) Watch() (*Watcher[V], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.watchers) >= maxSubscribers {
		return nil, ErrFull
	}
	w := &Watcher[V]{latest: l, wake: make(chan struct{}, 1)}
	l.watchers[w] = struct{}{}
	rouse(l.wake)
	return w, nil
}

// Run reads and hands out until ctx ends.
func (l *Latest[V]) Run(ctx context.Context) {
	idle := time.NewTicker(l.cfg.Idle)
	defer idle.Stop()
	for {
		select {
		case <-l.wake:
		case <-idle.C:
		case <-ctx.Done():
			return
		}
		if l.watched() == 0 {
			continue
		}
		if err := l.turn(ctx); err != nil && ctx.Err() == nil {
			l.cfg.Logger.WarnContext(ctx, "reading what changed failed", "feed", l.cfg.Name, "error", err)
			rouse(l.wake)
		}
		select {
		case <-time.After(l.cfg.Every):
		case <-ctx.Done():
			return
		}
	}
}

func (l *Latest[V]) watched() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.watchers)
}

func (l *Latest[V]) turn(ctx context.Context) error {
	value, err := l.cfg.Read(ctx)
	if err != nil {
		return err
	}
	var shared any
	if l.cfg.Share != nil {
		shared = l.cfg.Share(value)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	same := l.known && l.cfg.Same(l.value, value)
	l.value, l.known = value, true
	for w := range l.watchers {
		w.offer(value, shared, same)
	}
	return nil
}

// offer gives the watcher a value, unless it is the one it has.
func (w *Watcher[V]) offer(value V, shared any, same bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if same && w.served {
		return
	}
	w.value, w.shared, w.ready, w.served = value, shared, true, true
	rouse(w.wake)
}

// Take waits for the next value. It fails only when ctx ends.
func (w *Watcher[V]) Take(ctx context.Context) (value V, shared any, err error) {
	for {
		w.mu.Lock()
		ready := w.ready
		value, shared, w.ready = w.value, w.shared, false
		w.mu.Unlock()
		if ready {
			return value, shared, nil
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return value, nil, context.Cause(ctx)
		}
	}
}

// Close ends the watching; it may be called again.
func (w *Watcher[V]) Close() {
	w.latest.mu.Lock()
	defer w.latest.mu.Unlock()
	delete(w.latest.watchers, w)
}
