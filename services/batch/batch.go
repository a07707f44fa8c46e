// Package batch turns many small writes into few large ones. A Writer collects
// what arrives while earlier batches are being written and hands it over as one
// batch: alone, an item is written at once; under load, the batches grow by
// themselves and no timer is needed.
package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// ErrStopped is the answer to items that arrive when the writer stops.
var ErrStopped = errors.New("the writer has stopped")

// ErrFull is the answer to items that find the queue full.
var ErrFull = errors.New("too many writes are waiting")

// Config sets up a Writer.
type Config[T, R any] struct {
	// Write stores a batch in one transaction and answers one result an item,
	// in order. On an error a batch of several items is written again item by
	// item, so that a poison item fails alone.
	Write func(ctx context.Context, items []T) ([]R, error)
	// Whole says that an error concerns the whole batch (the database is away)
	// and not one item: it is not split then. Nil means never.
	Whole func(error) bool
	// MaxItems bounds a batch; default 500.
	MaxItems int
	// MaxQueue bounds the items that wait; default 20,000.
	MaxQueue int
	// Writers is how many batches are written at once; default 1.
	Writers int
}

// Writer collects items into batches. Start it before use.
type Writer[T, R any] struct {
	cfg    Config[T, R]
	mu     sync.Mutex
	queue  []entry[T, R]
	wake   chan struct{}
	ctx    context.Context // of the writing goroutines; set by Start
	cancel context.CancelFunc
	closed bool
	done   sync.WaitGroup
}

type entry[T, R any] struct {
	item  T
	reply chan<- answer[R]
	index int
}

type answer[R any] struct {
	index  int
	result R
	err    error
}

// New makes a Writer; zero values of cfg get their defaults.
func New[T, R any](cfg Config[T, R]) *Writer[T, R] {
	if cfg.MaxItems == 0 {
		cfg.MaxItems = 500
	}
	if cfg.MaxQueue == 0 {
		cfg.MaxQueue = 20_000
	}
	if cfg.Writers == 0 {
		cfg.Writers = 1
	}
	return &Writer[T, R]{cfg: cfg, wake: make(chan struct{}, cfg.Writers)}
}

// Start begins to write. The writers end when Stop is called.
func (w *Writer[T, R]) Start(ctx context.Context) {
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for range w.cfg.Writers {
		w.done.Go(w.run)
	}
}

// Stop refuses new items, writes those that wait and ends the writers; when ctx
// ends first, the present writes are cut short.
func (w *Writer[T, R]) Stop(ctx context.Context) error {
	w.mu.Lock()
	if w.closed || w.cancel == nil {
		w.closed = true
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	close(w.wake)
	w.mu.Unlock()
	stop := context.AfterFunc(ctx, w.cancel)
	w.done.Wait()
	stop()
	w.cancel()
	return nil
}

// Do writes items and answers, once they are committed, one result and one error
// an item, in order. The last error says that nothing is known of any of them:
// the queue is full or stopped, or ctx ended.
func (w *Writer[T, R]) Do(ctx context.Context, items ...T) ([]R, []error, error) {
	reply := make(chan answer[R], len(items))
	if err := w.put(items, reply); err != nil {
		return nil, nil, err
	}
	results := make([]R, len(items))
	errs := make([]error, len(items))
	for range items {
		select {
		case a := <-reply:
			results[a.index], errs[a.index] = a.result, a.err
		case <-ctx.Done():
			return nil, nil, fmt.Errorf("waiting for a batch to be written: %w", ctx.Err())
		}
	}
	return results, errs, nil
}

// put queues items, all or none.
func (w *Writer[T, R]) put(items []T, reply chan<- answer[R]) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrStopped
	}
	if len(w.queue)+len(items) > w.cfg.MaxQueue {
		return ErrFull
	}
	for i, item := range items {
		w.queue = append(w.queue, entry[T, R]{item: item, reply: reply, index: i})
	}
	select {
	case w.wake <- struct{}{}:
	default: // every writer is already told
	}
	return nil
}

// take removes the next batch from the queue; last says that the queue is
// closed and empty.
func (w *Writer[T, R]) take() (batch []entry[T, R], last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.queue), w.cfg.MaxItems)
	batch = append(batch, w.queue[:n]...)
	rest := copy(w.queue, w.queue[n:])
	clear(w.queue[rest:])
	w.queue = w.queue[:rest]
	return batch, w.closed && n == 0
}

func (w *Writer[T, R]) run() {
	for {
		batch, last := w.take()
		if last {
			return
		}
		if len(batch) == 0 {
			<-w.wake // also when closed
			continue
		}
		w.write(batch)
	}
}

// write stores a batch and answers its items, one by one when the batch fails.
func (w *Writer[T, R]) write(batch []entry[T, R]) {
	items := make([]T, len(batch))
	for i, e := range batch {
		items[i] = e.item
	}
	results, err := w.attempt(items)
	if err == nil {
		for i, e := range batch {
			e.reply <- answer[R]{index: e.index, result: results[i]}
		}
		return
	}
	if len(batch) > 1 && (w.cfg.Whole == nil || !w.cfg.Whole(err)) {
		for i := range batch {
			w.write(batch[i : i+1])
		}
		return
	}
	for _, e := range batch {
		e.reply <- answer[R]{index: e.index, err: err}
	}
}

// attempt calls Write; a panic in it becomes an error, so that no item can end
// the writer.
func (w *Writer[T, R]) attempt(items []T) (results []R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("writing a batch panicked: %v\n%s", p, debug.Stack())
		}
	}()
	results, err = w.cfg.Write(w.ctx, items)
	if err == nil && len(results) != len(items) {
		err = fmt.Errorf("a batch of %d items got %d results", len(items), len(results))
	}
	return results, err
}
