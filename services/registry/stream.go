package registry

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// streamBuffer bounds the frames that wait for a slow worker. A frame that finds
// it full is lost; the reconciliation of heartbeats sends its content again.
const streamBuffer = 256

// Stream is the way to one worker process that is connected to this server.
type Stream struct {
	NodeID      string
	Name        string
	incarnation string

	mu     sync.Mutex
	seq    int64            // of the last frame sent
	late   int              // heartbeats since the worker's echo fell behind
	missed int64            // seq at the time of the last heartbeat
	frames chan *wire.Frame // pointers: most streams are idle, and a buffer of frames is 20 KiB
	closed chan struct{}
	once   sync.Once
}

// Frames answers what is to be written to the worker; read until Done is closed.
func (s *Stream) Frames() <-chan *wire.Frame { return s.frames }

// Done is closed when the stream must end.
func (s *Stream) Done() <-chan struct{} { return s.closed }

// KeepAlive is the interval at which a frame must be written, be it a ping.
func (s *Stream) KeepAlive() time.Duration { return keepAlive }

// Ping makes a keep-alive frame.
func (s *Stream) Ping() wire.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	return wire.Frame{Kind: wire.FramePing, Seq: s.seq}
}

// Send queues a frame and says whether it found room.
func (s *Stream) Send(f wire.Frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Seq = s.seq + 1
	select {
	case <-s.closed:
		return false
	default:
	}
	if failpoint.Fails(failpoint.FrameLost) {
		s.seq++ // as a frame that the network lost
		return true
	}
	select {
	case s.frames <- &f:
		s.seq++
		return true
	default:
		return false
	}
}

func (s *Stream) close() { s.once.Do(func() { close(s.closed) }) }

// deaf notes a heartbeat's echo and says whether the worker has received nothing
// for several heartbeats although something was sent; hears, whether it has received
// all that was sent before its last heartbeat, which was something.
func (s *Stream) deaf(echo int64) (deaf, hears bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hears = echo >= s.missed && s.missed > 0
	if echo >= s.missed {
		s.late = 0
	} else {
		s.late++
	}
	s.missed = s.seq
	return s.late >= deafBeats, hears
}

// OpenStream connects a registered process; an older stream of the same node
// ends. CloseStream must follow. Errors as of Heartbeat.
func (r *Registry) OpenStream(ctx context.Context, app models.App, group, name, incarnation string) (*Stream, error) {
	node, g, err := r.lookup(ctx, app, group, name, incarnation)
	if err != nil {
		return nil, err
	}
	s := &Stream{
		NodeID: node.ID, Name: name, incarnation: incarnation,
		frames: make(chan *wire.Frame, streamBuffer), closed: make(chan struct{}),
	}
	r.mu.Lock()
	old := r.streams[node.ID]
	r.streams[node.ID] = s
	r.mu.Unlock()
	if old != nil {
		old.close()
	}
	node.State, node.ServerID = openState(node.Draining), r.cfg.ServerID
	ok, err := r.cfg.Ledger.SetNodeState(ctx, node.ID, incarnation, node.State, r.cfg.ServerID)
	if err != nil {
		r.drop(s)
		return nil, fmt.Errorf("setting node %s online: %w", name, err)
	}
	if !ok { // replaced meanwhile
		r.drop(s)
		r.forget(node.AppID, name)
		_, _, err := r.lookup(ctx, app, group, name, incarnation)
		return nil, err
	}
	r.remember(node, g)
	r.cfg.Watcher.NodeChanged(ctx, node)
	return s, nil
}

// CloseStream ends a stream: the node is SUSPECT from now on, unless another
// stream has taken its place.
func (r *Registry) CloseStream(ctx context.Context, app models.App, s *Stream) {
	s.close()
	if !r.drop(s) {
		return
	}
	changed, err := r.cfg.Ledger.DropNodeStream(ctx, s.NodeID, s.incarnation, r.cfg.ServerID)
	r.forget(app.ID, s.Name)
	if err != nil {
		r.cfg.Logger.WarnContext(ctx, "node not set suspect", "node", s.Name, "error", err)
		return
	}
	if !changed {
		return
	}
	node, err := r.cfg.Ledger.Node(ctx, s.NodeID)
	if err != nil {
		r.cfg.Logger.WarnContext(ctx, "node not read", "node", s.Name, "error", err)
		return
	}
	r.cfg.Watcher.NodeChanged(ctx, node)
}

// drop removes a stream and says whether it was the node's present one.
func (r *Registry) drop(s *Stream) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams[s.NodeID] != s {
		return false
	}
	delete(r.streams, s.NodeID)
	return true
}

// Deliver sends a frame to a process that is connected to this server and says
// whether it could. An empty incarnation means whichever is connected.
func (r *Registry) Deliver(nodeID, incarnation string, f wire.Frame) bool {
	r.mu.Lock()
	s := r.streams[nodeID]
	r.mu.Unlock()
	if s == nil || incarnation != "" && s.incarnation != incarnation {
		return false
	}
	return s.Send(f)
}

// Connected counts the streams that are open on this server.
func (r *Registry) Connected() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.streams)
}

// NodeEdited drops what is remembered of a node that a person changed and passes
// a drain or its end on to the process.
func (r *Registry) NodeEdited(n models.Node) {
	r.forget(n.AppID, n.Name)
	kind := wire.FrameResume
	if n.Draining {
		kind = wire.FrameDrain
	}
	r.Deliver(n.ID, n.Incarnation, wire.Frame{Kind: kind})
}
