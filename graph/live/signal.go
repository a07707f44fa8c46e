package live

import "sync"

// Signals wakes those who wait for something about one key.
type Signals struct {
	mu      sync.Mutex
	waiting map[string]map[chan struct{}]struct{} // at most maxSubscribers channels
	count   int
}

// NewSignals makes an empty set.
func NewSignals() *Signals {
	return &Signals{waiting: map[string]map[chan struct{}]struct{}{}}
}

// Watch answers a channel that holds one wake for key, and the end of watching.
// It fails with ErrFull.
func (s *Signals) Watch(key string) (wake <-chan struct{}, end func(), err error) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= maxSubscribers {
		return nil, nil, ErrFull
	}
	if s.waiting[key] == nil {
		s.waiting[key] = map[chan struct{}]struct{}{}
	}
	s.waiting[key][c] = struct{}{}
	s.count++
	return c, sync.OnceFunc(func() { s.unwatch(key, c) }), nil
}

func (s *Signals) unwatch(key string, c chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting[key], c)
	if len(s.waiting[key]) == 0 {
		delete(s.waiting, key)
	}
	s.count--
}

// Wake wakes those who watch key.
func (s *Signals) Wake(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.waiting[key] {
		rouse(c)
	}
}

// WakeAll wakes everybody: hints were lost.
func (s *Signals) WakeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.waiting {
		for c := range of {
			rouse(c)
		}
	}
}

func rouse(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
