package event

import "sync"

// Buffer is how many messages wait for a reader at most, besides the batch that
// it is being handed.
const Buffer = 1024

// Subscription collects the messages of some topics for one reader.
type Subscription struct {
	topics []Topic
	out    chan []Message
	signal chan struct{} // holds one: there is something in waiting
	done   chan struct{} // closed by Close
	once   sync.Once
	leave  func(*Subscription) // takes it off the exchange; nil when it never was on

	mu      sync.Mutex
	waiting []Message // at most Buffer
	missed  bool      // the next delivery begins with a resync mark
}

func newSubscription(topics []Topic, leave func(*Subscription)) *Subscription {
	s := &Subscription{
		topics: topics, leave: leave,
		out: make(chan []Message), signal: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go s.pump()
	return s
}

// C delivers what has come since the last delivery, in order, and is closed after
// Close. A delivery that begins with a message of TopicResync says that some were
// lost before it. Messages that come while the reader is busy wait, Buffer at
// most; beyond that all of them are dropped, since the reader has to look again
// anyway.
func (s *Subscription) C() <-chan []Message { return s.out }

// Close ends the subscription. It may be called more than once and from the
// reader.
func (s *Subscription) Close() {
	s.once.Do(func() {
		if s.leave != nil {
			s.leave(s)
		}
		close(s.done)
	})
}

// pump hands over what waits. It is the subscription's one goroutine and ends
// with Close.
func (s *Subscription) pump() {
	defer close(s.out)
	for {
		select {
		case <-s.signal:
		case <-s.done:
			return
		}
		batch := s.take()
		if len(batch) == 0 {
			continue
		}
		select {
		case s.out <- batch:
		case <-s.done:
			return
		}
	}
}

func (s *Subscription) take() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.waiting
	if s.missed {
		batch = append([]Message{{Topic: TopicResync}}, batch...)
	}
	s.waiting, s.missed = nil, false
	return batch
}

func (s *Subscription) put(msgs []Message) {
	s.mu.Lock()
	if len(s.waiting)+len(msgs) > Buffer {
		s.waiting, s.missed = nil, true
	} else {
		s.waiting = append(s.waiting, msgs...)
	}
	s.mu.Unlock()
	s.ring()
}

// resync marks that messages may have been lost.
func (s *Subscription) resync() {
	s.mu.Lock()
	s.missed = true
	s.mu.Unlock()
	s.ring()
}

func (s *Subscription) ring() {
	select {
	case s.signal <- struct{}{}:
	default:
	}
}
