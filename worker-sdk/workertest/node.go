package workertest

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

type nodeKey struct{ group, name string }

// node is a worker process as the server sees it; guarded by Server.mu.
type node struct {
	key         nodeKey
	incarnation string
	slots       int
	handlers    []string
	pools       []wire.HandlerSlots
	drained     bool // by order
	draining    bool // the process says so
	running     int
	lingering   int // slots taken by attempts that are not its own any more
	seenAt      time.Time
	missing     map[wire.AttemptRef]int // heartbeats in a row that did not hold a dispatched attempt

	stream chan struct{} // the open stream: one token means that frames wait; nil without one
	end    chan struct{} // closing it breaks the stream
	frames []wire.Frame
	seq    int64
}

// push queues a frame; without a stream it is lost, as on a broken connection.
func (n *node) push(f wire.Frame) {
	if n.stream == nil {
		return
	}
	n.seq++
	f.Seq = n.seq
	n.frames = append(n.frames, f)
	select {
	case n.stream <- struct{}{}:
	default:
	}
}

// roomFor reports whether the node has a free slot for a handler; s.mu is held.
func (s *Server) roomFor(n *node, handler string) bool {
	if n.running+n.lingering >= n.slots || !slices.Contains(n.handlers, handler) {
		return false
	}
	for _, pool := range n.pools {
		if s.blind || !slices.Contains(pool.Handlers, handler) {
			continue
		}
		running := 0
		for _, t := range s.tasks {
			if t.node == n && slices.Contains(pool.Handlers, t.assign.Handler) {
				running++
			}
		}
		if running >= pool.Slots {
			return false
		}
	}
	return true
}

func (n *node) hangUp() {
	if n.stream != nil {
		close(n.end)
		n.stream, n.end = nil, nil
	}
}

// known returns the node of a request, or the error that says to register.
func (s *Server) known(group, name, incarnation string) (*node, *wire.Error) {
	n := s.nodes[nodeKey{group, name}]
	switch {
	case s.cutOff[incarnation]:
		return nil, unreachable
	case n == nil:
		return nil, &wire.Error{Code: wire.CodeNotRegistered, Message: "node " + name + " is not registered"}
	case n.incarnation != incarnation:
		return nil, &wire.Error{Code: wire.CodeReplaced, Message: "a newer process is registered as node " + name}
	}
	n.seenAt = time.Now().UTC()
	return n, nil
}

// unreachable is what a process gets that was cut off.
var unreachable = &wire.Error{Code: wire.CodeUnavailable, Message: "this process was cut off by the test"}

func (s *Server) register(r *wire.Register) (*wire.Registered, *wire.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Protocol != wire.Version {
		return nil, &wire.Error{Code: wire.CodeVersion, Message: "this server speaks version 1"}
	}
	if s.cutOff[r.Incarnation] {
		return nil, unreachable
	}
	key := nodeKey{r.Group, r.Node}
	n := s.nodes[key]
	if n != nil && n.incarnation != r.Incarnation && n.stream != nil && !slices.Contains(r.Gone, n.incarnation) {
		return nil, &wire.Error{Code: wire.CodeNameInUse, Field: "node", Message: "a live process is registered as node " + r.Node}
	}
	fresh := &node{
		key: key, incarnation: r.Incarnation, slots: r.Slots, handlers: r.Handlers,
		pools:   r.HandlerSlots,
		missing: map[wire.AttemptRef]int{}, seenAt: time.Now().UTC(),
	}
	previous := s.previous[key]
	if n != nil {
		if previous = nil; n.incarnation != r.Incarnation {
			previous = n.asPrevious(false)
		}
		n.hangUp()
		fresh.drained = n.drained
	}
	s.nodes[key] = fresh
	answer := &wire.Registered{Server: "workertest", Settings: s.settings, Draining: fresh.drained, Previous: previous}
	s.adopt(n, fresh, r.Running, answer)
	s.touch()
	return answer, nil
}

// adopt moves what the process really runs to its new registration; attempts of an
// earlier process of the same name are handed out again.
func (s *Server) adopt(old, fresh *node, running []wire.AttemptRef, answer *wire.Registered) {
	for _, ref := range running {
		t := s.tasks[ref.Task]
		if t == nil || t.ref() != ref || !t.active() || t.owner != fresh.key {
			answer.Abandon = append(answer.Abandon, ref)
		}
	}
	for _, t := range s.tasks {
		if t.owner != fresh.key || !t.active() {
			continue
		}
		if slices.Contains(running, t.ref()) || old != nil && old.incarnation == fresh.incarnation {
			t.node, t.last = fresh, fresh
			fresh.running++
			continue
		}
		t.node = nil
		s.wait(t, 0)
	}
}

func (s *Server) leave(r *wire.Leave) (struct{}, *wire.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, failure := s.known(r.Group, r.Node, r.Incarnation)
	if failure != nil {
		return struct{}{}, failure
	}
	s.drop(n, true)
	return struct{}{}, nil
}

// drop forgets a process and hands its attempts out again.
func (s *Server) drop(n *node, left bool) {
	s.previous[n.key] = n.asPrevious(left)
	n.hangUp()
	delete(s.nodes, n.key)
	for _, t := range s.tasks {
		if t.node == n {
			s.unassign(t)
			s.wait(t, 0)
		}
	}
	s.touch()
}

func (n *node) asPrevious(left bool) *wire.Previous {
	return &wire.Previous{Incarnation: n.incarnation, LastSeenAt: n.seenAt, Left: left}
}

// serveStream writes frames as they come, and keep-alives between them.
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s.mu.Lock()
	n, failure := s.known(q.Get("group"), q.Get("node"), q.Get("incarnation"))
	if failure != nil {
		s.mu.Unlock()
		writeError(w, failure)
		return
	}
	n.hangUp() // a second stream replaces the first
	frames, end := make(chan struct{}, 1), make(chan struct{})
	n.stream, n.end, n.frames, n.seq = frames, end, nil, 0
	keepAlive := time.Duration(s.settings.KeepAliveMS) * time.Millisecond
	n.push(wire.Frame{Kind: wire.FramePing})
	s.dispatch()
	s.touch()
	s.mu.Unlock()
	defer s.streamEnded(n, frames)

	w.Header().Set("Content-Type", "application/x-ndjson")
	ticker := time.NewTicker(keepAlive)
	defer ticker.Stop()
	encoder := json.NewEncoder(w)
	for {
		for _, f := range s.takeFrames(n, frames) {
			if encoder.Encode(f) != nil {
				return
			}
			if f.Kind == wire.FrameBye {
				return
			}
		}
		w.(http.Flusher).Flush()
		select {
		case <-frames:
		case <-ticker.C:
			s.mu.Lock()
			if n.stream == frames {
				n.push(wire.Frame{Kind: wire.FramePing})
			}
			s.mu.Unlock()
		case <-end:
			panic(http.ErrAbortHandler)
		case <-s.closed:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// streamEnded notes that a stream is gone, unless another has taken its place.
func (s *Server) streamEnded(n *node, stream chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.stream == stream {
		n.hangUp()
	}
	s.touch()
}

func (s *Server) takeFrames(n *node, stream chan struct{}) []wire.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.stream != stream {
		return nil
	}
	frames := n.frames
	n.frames = nil
	return frames
}
