package transport

import (
	"context"
	"errors"
	"sync"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// ErrStopping ends streams because the server stops.
var ErrStopping = errors.New("the server is stopping")

// Who tells callers apart; a nil function tells nobody apart, and nothing is bounded by it.
type Who struct {
	Caller  func(ctx context.Context) string // who asks; empty: nobody yet
	Address func(ctx context.Context) string // where a request comes from
}

// Streams owns the long-lived connections of a server: it counts them, also those of each
// caller, so that nobody can take the places of all others, and ends them all when the
// server stops.
type Streams struct {
	who Who

	mu        sync.Mutex
	stopped   bool
	open      map[*stream]struct{} // at most MaxStreams
	byCaller  map[string]*share    // of those who have streams
	byAddress map[string]int       // streams of nobody yet; of addresses that have some
	wg        sync.WaitGroup
}

// share is what one caller holds.
type share struct{ streams, subscriptions int }

// stream is one open connection.
type stream struct {
	cancel  context.CancelCauseFunc
	caller  string // empty while nobody, or when callers are not told apart
	address string // whose count it is in; only while the caller is not known
}

// NewStreams makes an empty set.
func NewStreams(who Who) *Streams {
	return &Streams{who: who, open: map[*stream]struct{}{}, byCaller: map[string]*share{}, byAddress: map[string]int{}}
}

// begin admits a stream. Its context ends with ErrStopping when the server stops; the
// caller calls cancel to end it itself, and finish when it is over. Faults: UNAVAILABLE
// when the server is full or stopping, LIMIT when the caller, or the address, has too many.
func (s *Streams) begin(ctx context.Context) (context.Context, *stream, error) {
	one := &stream{}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || len(s.open) >= MaxStreams {
		return ctx, nil, fault.New(fault.Unavailable, "This server has as many open streams as it serves (%d), or stops: try again, or at another server.", MaxStreams)
	}
	if err := s.book(ctx, one); err != nil {
		return ctx, nil, err
	}
	ctx, one.cancel = context.WithCancelCause(ctx)
	s.open[one] = struct{}{}
	s.wg.Add(1)
	return ctx, one, nil
}

// book counts a stream to its caller or, while that is not known, to its address. The lock
// is held. Fault: LIMIT; nothing is counted then.
func (s *Streams) book(ctx context.Context, one *stream) error {
	if s.who.Caller == nil || s.who.Address == nil {
		return nil
	}
	caller := s.who.Caller(ctx)
	if caller == "" {
		address := s.who.Address(ctx)
		if n := s.byAddress[address]; n >= MaxAddressStreams {
			return fault.New(fault.Limit, "From your address %d streams are open on which nobody has signed in, and at most %d may be: sign in on them, or close some.", n, MaxAddressStreams)
		}
		s.byAddress[address]++
		one.address = address
		return nil
	}
	held := s.byCaller[caller]
	if held == nil {
		held = &share{}
		s.byCaller[caller] = held
	}
	if held.streams >= MaxCallerStreams {
		return fault.New(fault.Limit, "You have %d streams open on this server, and at most %d may be: close some.", held.streams, MaxCallerStreams)
	}
	held.streams++
	one.caller = caller
	return nil
}

// identify counts a stream to its caller once that is known. Fault: LIMIT.
func (s *Streams) identify(ctx context.Context, one *stream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.caller != "" || s.who.Caller == nil || s.who.Address == nil {
		return nil
	}
	address := one.address
	if err := s.book(ctx, one); err != nil {
		return err
	}
	s.leave(address) // if it is still nobody's, it was counted again just now
	return nil
}

// subscribe counts a subscription to the caller of its stream; done ends it. Fault: LIMIT.
func (s *Streams) subscribe(one *stream) (done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.byCaller[one.caller]
	if held == nil {
		return func() {}, nil
	}
	if held.subscriptions >= MaxCallerSubscriptions {
		return nil, fault.New(fault.Limit, "You have %d subscriptions on this server, and at most %d may be: end some.", held.subscriptions, MaxCallerSubscriptions)
	}
	held.subscriptions++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		held.subscriptions--
	}, nil
}

// leave takes a stream out of the count of its address. The lock is held.
func (s *Streams) leave(address string) {
	if s.byAddress[address]--; s.byAddress[address] <= 0 {
		delete(s.byAddress, address)
	}
}

func (s *Streams) finish(one *stream) {
	one.cancel(nil)
	s.mu.Lock()
	delete(s.open, one)
	if held := s.byCaller[one.caller]; held != nil {
		if held.streams--; held.streams == 0 {
			delete(s.byCaller, one.caller) // its subscriptions have ended before it
		}
	} else if s.who.Address != nil {
		s.leave(one.address)
	}
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
