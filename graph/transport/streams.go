package transport

import (
	"context"
	"errors"
	"sync"
)

// ErrStopping ends streams because the server stops.
var ErrStopping = errors.New("the server is stopping")

// Streams owns the long-lived connections of a server: it counts them and ends
// them all when the server stops.
type Streams struct {
	mu      sync.Mutex
	stopped bool
	open    map[*stream]struct{} // at most MaxStreams
	wg      sync.WaitGroup
}

// stream is one open connection.
type stream struct{ cancel context.CancelCauseFunc }

// NewStreams makes an empty set.
func NewStreams() *Streams { return &Streams{open: map[*stream]struct{}{}} }

// begin admits a stream. Its context ends with ErrStopping when the server
// stops; the caller calls cancel to end it itself, and finish when it is over.
// It answers false when the server is full or stopping.
func (s *Streams) begin(ctx context.Context) (_ context.Context, cancel context.CancelCauseFunc, finish func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || len(s.open) >= MaxStreams {
		return ctx, nil, nil, false
	}
	ctx, cancel = context.WithCancelCause(ctx)
	one := &stream{cancel: cancel}
	s.open[one] = struct{}{}
	s.wg.Add(1)
	return ctx, cancel, func() { s.finish(one) }, true
}

func (s *Streams) finish(one *stream) {
	one.cancel(nil)
	s.mu.Lock()
	delete(s.open, one)
	s.mu.Unlock()
	s.wg.Done()
}

// Open is how many streams are open now.
func (s *Streams) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Stop ends all streams and admits no more; it waits for them until ctx ends. It
// may be called again.
func (s *Streams) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopped = true
	for one := range s.open {
		one.cancel(ErrStopping)
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() { // ends with the last stream
		s.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("some streams did not end in time")
	}
}
