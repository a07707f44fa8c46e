package event

import (
	"maps"
	"slices"
	"sync"
)

// exchange hands messages to the subscriptions of this process.
type exchange struct {
	// changed is called, without the lock, when a topic got its first or lost its
	// last subscription. May be nil.
	changed func()

	mu     sync.RWMutex
	topics map[Topic]map[*Subscription]struct{} // no empty inner maps
	closed bool
}

func (x *exchange) subscribe(topics []Topic) *Subscription {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		s := newSubscription(nil, nil)
		s.Close()
		return s
	}
	s := newSubscription(slices.Clone(topics), x.leave)
	if x.topics == nil {
		x.topics = map[Topic]map[*Subscription]struct{}{}
	}
	first := false
	for _, topic := range s.topics {
		if x.topics[topic] == nil {
			x.topics[topic] = map[*Subscription]struct{}{}
			first = true
		}
		x.topics[topic][s] = struct{}{}
	}
	x.mu.Unlock()
	x.tell(first)
	return s
}

func (x *exchange) leave(s *Subscription) {
	x.mu.Lock()
	last := false
	for _, topic := range s.topics {
		delete(x.topics[topic], s)
		if len(x.topics[topic]) == 0 {
			delete(x.topics, topic)
			last = true
		}
	}
	x.mu.Unlock()
	x.tell(last)
}

func (x *exchange) tell(changed bool) {
	if changed && x.changed != nil {
		x.changed()
	}
}

// deliver hands each message to the subscriptions of its topic. Runs of one topic
// go together.
func (x *exchange) deliver(msgs []Message) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for len(msgs) > 0 {
		n := 1
		for n < len(msgs) && msgs[n].Topic == msgs[0].Topic {
			n++
		}
		for s := range x.topics[msgs[0].Topic] {
			s.put(msgs[:n])
		}
		msgs = msgs[n:]
	}
}

// resync marks the topic's subscriptions; resyncAll all of them.
func (x *exchange) resync(topic Topic) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.topics[topic] {
		s.resync()
	}
}

func (x *exchange) resyncAll() {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, subs := range x.topics {
		for s := range subs {
			s.resync()
		}
	}
}

// wanted are the topics that have subscriptions.
func (x *exchange) wanted() []Topic {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Sorted(maps.Keys(x.topics))
}

func (x *exchange) close() {
	x.mu.Lock()
	x.closed = true
	all := map[*Subscription]struct{}{}
	for _, subs := range x.topics {
		maps.Copy(all, subs)
	}
	x.mu.Unlock()
	for s := range all {
		s.Close()
	}
}
