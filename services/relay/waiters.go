package relay

import "sync"

// waiters are the long polls that wait for a task. Bounded by the open requests.
type waiters struct {
	mu   sync.Mutex
	byID map[string]map[chan struct{}]bool
}

// AwaitTask answers a channel that gets a value when the task may have changed,
// and a function that ends the waiting (workerapi).
func (r *Relay) AwaitTask(id string) (<-chan struct{}, func()) { return r.waiters.add(id) }

func (w *waiters) add(id string) (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byID == nil {
		w.byID = map[string]map[chan struct{}]bool{}
	}
	if w.byID[id] == nil {
		w.byID[id] = map[chan struct{}]bool{}
	}
	w.byID[id][ch] = true
	return ch, func() { w.remove(id, ch) }
}

func (w *waiters) remove(id string, ch chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.byID[id], ch)
	if len(w.byID[id]) == 0 {
		delete(w.byID, id)
	}
}

func (w *waiters) wake(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.byID[id] {
		notify(ch)
	}
}

func (w *waiters) wakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, chans := range w.byID {
		for ch := range chans {
			notify(ch)
		}
	}
}

func notify(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // told already
	}
}
