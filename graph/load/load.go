// Package load turns the reads of many rows' edges into one question each.
//
// Whoever puts rows into an answer says at once which keys their edges may ask for
// (Expect). The first edge that really asks has all of them read together; the
// others wait for that reading. So a list costs one statement an edge, however
// long it is, without a timer that gathers keys: measured, a timer of a
// millisecond missed some of fifty rows on a busy machine, and delayed each level
// of every answer by itself.
package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// most bounds the keys of one question.
const most = 500

// Loader answers values by key, each read once. It remembers what it has read, so
// it lives no longer than one answer.
type Loader[K comparable, V any] struct {
	read func(ctx context.Context, keys []K) (map[K]V, error)

	mu       sync.Mutex
	expected []K                // keys that may be asked for, not yet read; bounded by the answer's size
	batches  map[K]*batch[K, V] // by key that is read or being read
}

// batch is one question.
type batch[K comparable, V any] struct {
	done  chan struct{} // closed when found and err are set
	found map[K]V
	err   error
}

// New makes a loader of a read that answers the values that exist among keys.
func New[K comparable, V any](read func(ctx context.Context, keys []K) (map[K]V, error)) *Loader[K, V] {
	return &Loader[K, V]{read: read, batches: map[K]*batch[K, V]{}}
}

// Expect says that keys may be asked for soon.
func (l *Loader[K, V]) Expect(keys ...K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expected = append(l.expected, keys...)
}

// Load answers the value of key; found is false when there is none.
func (l *Loader[K, V]) Load(ctx context.Context, key K) (value V, found bool, err error) {
	b, keys := l.batchOf(key)
	if keys != nil {
		l.ask(ctx, b, keys)
	}
	select {
	case <-b.done:
		value, found = b.found[key]
		return value, found, b.err
	case <-ctx.Done():
		return value, false, context.Cause(ctx)
	}
}

// batchOf answers the question that reads key, and its keys when it is new and the
// caller is to ask it.
func (l *Loader[K, V]) batchOf(key K) (*batch[K, V], []K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.batches[key]; b != nil {
		return b, nil
	}
	b := &batch[K, V]{done: make(chan struct{})}
	l.batches[key] = b
	keys := []K{key}
	for len(l.expected) > 0 && len(keys) < most {
		last := len(l.expected) - 1
		next := l.expected[last]
		l.expected = l.expected[:last]
		if l.batches[next] == nil {
			l.batches[next] = b
			keys = append(keys, next)
		}
	}
	return b, keys
}

var errUnanswered = errors.New("the reading was cut short")

// ask reads the keys of b. Whatever happens, those who wait are answered.
func (l *Loader[K, V]) ask(ctx context.Context, b *batch[K, V], keys []K) {
	b.err = fmt.Errorf("loading %d keys: %w", len(keys), errUnanswered) // if read panics
	defer close(b.done)
	b.found, b.err = l.read(ctx, keys)
}
