package registry

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// ledger keeps nodes in memory as the store does, and writes down what was told.
type ledger struct {
	nodes  map[string]models.Node // by name
	tasks  []models.Task
	beats  []store.NodeBeat
	broken error
	reads  int // of one node alone

	stuckWrites int

	told     []string // name and state
	replaced []string // incarnations
	left     []string
	held     [][]wire.AttemptRef
}

var (
	app    = models.App{ID: "app", Name: "shop"}
	orders = models.NodeGroup{ID: "g", AppID: "app", Name: "orders", HeartbeatMS: 5000, HeartbeatMisses: 3}
)

func (l *ledger) RegisterNode(_ context.Context, n models.Node) (models.Node, *models.Node, error) {
	old, known := l.nodes[n.Name]
	if !known {
		l.nodes[n.Name] = n
		return n, nil, nil
	}
	n.ID, n.Draining = old.ID, old.Draining && old.Incarnation == n.Incarnation
	l.nodes[n.Name] = n
	return n, &old, nil
}

func (l *ledger) NodeByName(_ context.Context, _, name string) (models.Node, error) {
	l.reads++
	if n, ok := l.nodes[name]; ok {
		return n, l.broken
	}
	return models.Node{}, fault.New(fault.NotFound, "no node")
}

func (l *ledger) Node(ctx context.Context, id string) (models.Node, error) {
	for _, n := range l.nodes {
		if n.ID == id {
			return n, nil
		}
	}
	return models.Node{}, fault.New(fault.NotFound, "no node")
}

func (l *ledger) GroupByName(_ context.Context, _, name string) (models.NodeGroup, error) {
	if name != orders.Name {
		return models.NodeGroup{}, fault.New(fault.NotFound, "no group")
	}
	return orders, nil
}

func (l *ledger) NodesByIDs(_ context.Context, ids []string) (rows []models.Node, err error) {
	for _, n := range l.nodes {
		if slices.Contains(ids, n.ID) {
			rows = append(rows, n)
		}
	}
	return rows, l.broken
}

func (l *ledger) GroupsByIDs(_ context.Context, ids []string) ([]models.NodeGroup, error) {
	if slices.Contains(ids, orders.ID) {
		return []models.NodeGroup{orders}, l.broken
	}
	return nil, l.broken
}

func (l *ledger) BeatNodes(_ context.Context, beats []store.NodeBeat) error {
	if l.broken != nil {
		return l.broken
	}
	l.beats = append(l.beats, beats...)
	return nil
}

func (l *ledger) SetNodeState(ctx context.Context, id, incarnation string, to models.NodeState, server string) (bool, error) {
	n, err := l.Node(ctx, id)
	if fault.Is(err, fault.NotFound) || n.Incarnation != incarnation {
		return false, nil
	}
	n.State, n.ServerID = to, server
	l.nodes[n.Name] = n
	return true, l.broken
}

func (l *ledger) SetNodeDeaf(ctx context.Context, id, _ string, since *time.Time) (bool, error) {
	n, err := l.Node(ctx, id)
	if err != nil {
		return false, nil //nolint:nilerr // as the store: it is gone
	}
	n.DeafSince = since
	l.nodes[n.Name] = n
	return true, l.broken
}

func (l *ledger) SetNodeStuck(ctx context.Context, id, _ string, list json.RawMessage) (bool, error) {
	n, err := l.Node(ctx, id)
	if err != nil {
		return false, nil //nolint:nilerr // as the store: it is gone
	}
	n.StuckAttempts = list
	l.nodes[n.Name] = n
	l.stuckWrites++
	return true, l.broken
}

func (l *ledger) DropNodeStream(ctx context.Context, id, incarnation, server string) (bool, error) {
	n, err := l.Node(ctx, id)
	if fault.Is(err, fault.NotFound) || n.ServerID != server {
		return false, nil
	}
	return l.SetNodeState(ctx, id, incarnation, models.NodeSuspect, "")
}

func (l *ledger) TasksByIDs(context.Context, []string) ([]models.Task, error) { return l.tasks, nil }

func (l *ledger) NodeChanged(_ context.Context, n models.Node) {
	l.told = append(l.told, n.Name+" "+n.State.String())
}

func (l *ledger) NodeReplaced(_ context.Context, before models.Node) {
	l.replaced = append(l.replaced, before.Incarnation)
}
func (l *ledger) NodeLeft(_ context.Context, n models.Node) { l.left = append(l.left, n.Name) }
func (l *ledger) NodeHolds(_ context.Context, _ models.Node, held []wire.AttemptRef) {
	l.held = append(l.held, held)
}

func newRegistry() (*ledger, *Registry) {
	l := &ledger{nodes: map[string]models.Node{}}
	return l, New(Config{ServerID: "server-1", ServerName: "one", Ledger: l, Watcher: l, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)})
}

func hello(incarnation string) wire.Register {
	return wire.Register{Protocol: wire.Version, App: "shop", Group: "orders", Node: "worker-1", Incarnation: incarnation, Slots: 4, Handlers: []string{"H"}, Host: "host-1"}
}

func beat(incarnation string, seq int64, held ...wire.AttemptRef) wire.Heartbeat {
	return wire.Heartbeat{Group: "orders", Node: "worker-1", Incarnation: incarnation, Slots: 4, LastSeq: seq, Held: held}
}

const first, second = "incarnation-1", "incarnation-2"

// connected registers the first process and opens its stream.
func connected(t *testing.T, r *Registry) *Stream {
	t.Helper()
	if _, err := r.Register(t.Context(), app, hello(first)); err != nil {
		t.Fatal(err)
	}
	s, err := r.OpenStream(t.Context(), app, "orders", "worker-1", first)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func codeOf(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Wire.Code + " " + r.Wire.Field
	}
	return ""
}

func TestRegistrationsAreChecked(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*wire.Register){
		wire.CodeVersion + " protocol":    func(r *wire.Register) { r.Protocol = 99 },
		wire.CodeInvalid + " app":         func(r *wire.Register) { r.App = "other" },
		wire.CodeInvalid + " slots":       func(r *wire.Register) { r.Slots = 0 },
		wire.CodeInvalid + " handlers":    func(r *wire.Register) { r.Handlers = make([]string, 1001) },
		wire.CodeInvalid + " node":        func(r *wire.Register) { r.Node = strings.Repeat("名", 129) },
		wire.CodeInvalid + " incarnation": func(r *wire.Register) { r.Incarnation = "short" },
		wire.CodeNotFound + " group":      func(r *wire.Register) { r.Group = "absent" },
	} {
		l, r := newRegistry()
		req := hello(first)
		change(&req)
		if _, err := r.Register(t.Context(), app, req); codeOf(err) != want || len(l.nodes) != 0 {
			t.Errorf("%s: answered %v, %d nodes", want, err, len(l.nodes))
		}
	}
}

// A node is online only while its stream is open.
func TestLifeOfANode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, r := newRegistry()
		s := connected(t, r)
		if answer, err := r.Heartbeat(t.Context(), app, beat(first, 0, wire.AttemptRef{Task: "t", Attempt: 1})); err != nil || answer.Reconnect || answer.Draining {
			t.Errorf("heartbeat: %+v, %v", answer, err)
		}
		r.CloseStream(t.Context(), app, s)
		if answer, err := r.Heartbeat(t.Context(), app, beat(first, 0)); err != nil || !answer.Reconnect {
			t.Errorf("heartbeat without a stream: %+v, %v", answer, err)
		}
		again, err := r.OpenStream(t.Context(), app, "orders", "worker-1", first)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Leave(t.Context(), app, wire.Leave{Group: "orders", Node: "worker-1", Incarnation: first}); err != nil {
			t.Error(err)
		}
		<-again.Done()
		want := []string{"worker-1 SUSPECT", "worker-1 ONLINE", "worker-1 SUSPECT", "worker-1 ONLINE", "worker-1 OFFLINE"}
		if diff := cmp.Diff(want, l.told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		if !slices.Equal(l.left, []string{"worker-1"}) || len(l.held) != 2 {
			t.Errorf("left %v, held %v", l.left, l.held)
		}
	})
}

// A second live process of a name is refused; the successor of a dead one is known
// by its incarnation, at once when the stream has gone.
func TestNamesAndIncarnations(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, r := newRegistry()
		s := connected(t, r)
		_, err := r.Register(t.Context(), app, hello(second))
		if codeOf(err) != wire.CodeNameInUse+" node" || !strings.Contains(err.Error(), "host-1") {
			t.Errorf("a second live process: %v", err)
		}
		time.Sleep(11 * time.Second) // two heartbeats and more without a sign of life
		if _, err := r.Register(t.Context(), app, hello(second)); err != nil {
			t.Errorf("the successor of a silent process: %v", err)
		}
		<-s.Done()
		if !slices.Equal(l.replaced, []string{first}) {
			t.Errorf("replaced %v", l.replaced)
		}
		for what, err := range map[string]error{
			"heartbeat": func() error { _, err := r.Heartbeat(t.Context(), app, beat(first, 0)); return err }(),
			"stream":    func() error { _, err := r.OpenStream(t.Context(), app, "orders", "worker-1", first); return err }(),
			"leave":     r.Leave(t.Context(), app, wire.Leave{Group: "orders", Node: "worker-1", Incarnation: first}),
		} {
			if codeOf(err) != wire.CodeReplaced+" incarnation" {
				t.Errorf("%s of the old process: %v", what, err)
			}
		}
		r.CloseStream(t.Context(), app, s) // late: it must not harm the successor
		next, err := r.OpenStream(t.Context(), app, "orders", "worker-1", second)
		if err != nil || l.nodes["worker-1"].State != models.NodeOnline {
			t.Fatal(err)
		}
		r.CloseStream(t.Context(), app, next)
		if _, err := r.Register(t.Context(), app, hello("incarnation-3")); err != nil {
			t.Errorf("a restart after the stream has gone: %v", err)
		}
	})
}

func TestUnknownNodesMustRegister(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	if _, err := r.Heartbeat(t.Context(), app, beat(first, 0)); codeOf(err) != wire.CodeNotRegistered+" node" {
		t.Errorf("answered %v", err)
	}
	l.nodes["worker-1"] = models.Node{ID: "n", AppID: "app", GroupID: "other", Name: "worker-1", Incarnation: first}
	if _, err := r.Heartbeat(t.Context(), app, beat(first, 0)); codeOf(err) != wire.CodeNotRegistered+" group" {
		t.Errorf("answered %v", err)
	}
}

// A node that beats but echoes no frame for three heartbeats does not receive: its
// stream ends and it is asked to come back.
func TestDeafNodes(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	s := connected(t, r)
	for range 5 { // nothing was sent: nothing to echo
		if answer, err := r.Heartbeat(t.Context(), app, beat(first, 0)); err != nil || answer.Reconnect {
			t.Fatalf("%+v, %v", answer, err)
		}
	}
	if !r.Deliver(s.NodeID, first, wire.Frame{Kind: wire.FramePing}) || r.Deliver(s.NodeID, second, wire.Frame{}) || r.Deliver("other", "", wire.Frame{}) {
		t.Error("delivered to the wrong stream, or not at all")
	}
	asked := 0
	for asked < 10 {
		answer, err := r.Heartbeat(t.Context(), app, beat(first, 0))
		if err != nil {
			t.Fatal(err)
		}
		if asked++; answer.Reconnect {
			break
		}
	}
	if asked != deafBeats+1 || l.nodes["worker-1"].State != models.NodeSuspect {
		t.Errorf("asked to reconnect at heartbeat %d, state %s", asked, l.nodes["worker-1"].State)
	}
	<-s.Done()
	if s.Send(wire.Frame{Kind: wire.FramePing}) {
		t.Error("a closed stream took a frame")
	}
	since := l.nodes["worker-1"].DeafSince
	if since == nil {
		t.Fatal("nobody can see that it does not receive")
	}
	s, err := r.OpenStream(t.Context(), app, "default", "worker-1", first)
	if err != nil {
		t.Fatal(err)
	}
	deaf := func(echo int64) bool {
		if _, err := r.Heartbeat(t.Context(), app, beat(first, echo)); err != nil {
			t.Fatal(err)
		}
		now := l.nodes["worker-1"].DeafSince
		if now != nil && !now.Equal(*since) {
			t.Errorf("deaf since %s, before since %s", now, since)
		}
		return now != nil
	}
	if !deaf(0) { // a new stream proves nothing
		t.Error("its new stream was taken for a proof")
	}
	s.Send(wire.Frame{Kind: wire.FramePing})
	if !deaf(0) || deaf(1) {
		t.Error("what it echoed was not taken for a proof")
	}
}

// A server that is cut off from the ledger may still hold a node's stream. Once it
// counts as dead, any other server that the node beats at asks it to come over.
func TestNodesOfDeadServersComeOver(t *testing.T) {
	t.Parallel()
	dead := ""
	l, r := newRegistry()
	r.cfg.Dead = func(id string) bool { return id == dead }
	if _, err := r.Register(t.Context(), app, hello(first)); err != nil {
		t.Fatal(err)
	}
	elsewhere := l.nodes["worker-1"]
	elsewhere.State, elsewhere.ServerID = models.NodeOnline, "server-2"
	l.nodes["worker-1"] = elsewhere
	r.forget(app.ID, "worker-1")

	answer, err := r.Heartbeat(t.Context(), app, beat(first, 0))
	if err != nil || answer.Reconnect || l.nodes["worker-1"].State != models.NodeOnline {
		t.Errorf("while its server lives: %+v, %v, %s", answer, err, l.nodes["worker-1"].State)
	}
	dead = "server-2"
	answer, err = r.Heartbeat(t.Context(), app, beat(first, 0))
	if n := l.nodes["worker-1"]; err != nil || !answer.Reconnect || n.State != models.NodeSuspect || n.ServerID != "" {
		t.Errorf("when its server is dead: %+v, %v, %s at %q", answer, err, n.State, n.ServerID)
	}
	if _, err := r.OpenStream(t.Context(), app, "orders", "worker-1", first); err != nil {
		t.Fatal(err)
	}
	if n := l.nodes["worker-1"]; n.State != models.NodeOnline || n.ServerID != "server-1" {
		t.Errorf("after it came over: %s at %q", n.State, n.ServerID)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	_, r := newRegistry()
	s := connected(t, r)
	sent := 0
	for s.Send(wire.Frame{Kind: wire.FramePing}) {
		sent++
	}
	if sent != streamBuffer {
		t.Errorf("%d frames wait", sent)
	}
	if f := <-s.Frames(); f.Seq != 1 {
		t.Errorf("the first frame has number %d", f.Seq)
	}
}

// A reconnecting process is told which of its attempts are no longer its own.
func TestReconnectionAbandonsWhatIsLost(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	connected(t, r)
	l.tasks = []models.Task{
		{ID: "mine", State: models.TaskRunning, Attempt: 1, Incarnation: first},
		{ID: "newer", State: models.TaskRunning, Attempt: 2, Incarnation: first},
		{ID: "elsewhere", State: models.TaskRunning, Attempt: 1, Incarnation: second},
		{ID: "over", State: models.TaskFailed, Attempt: 1, Incarnation: first},
	}
	req := hello(first)
	for _, id := range []string{"mine", "newer", "elsewhere", "over", "unheard"} {
		req.Running = append(req.Running, wire.AttemptRef{Task: id, Attempt: 1})
	}
	answer, err := r.Register(t.Context(), app, req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(req.Running[1:], answer.Abandon); diff != "" {
		t.Errorf("abandon (-want +got):\n%s", diff)
	}
	if len(l.replaced) != 0 {
		t.Error("the same process counts as a new one")
	}
}

// Heartbeats are written in batches, the latest of a node alone, and kept while
// the ledger is away.
func TestHeartbeatsAreBatchedAndKept(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	connected(t, r)
	for range 3 {
		if _, err := r.Heartbeat(t.Context(), app, beat(first, 0)); err != nil {
			t.Fatal(err)
		}
	}
	l.broken = errors.New("away")
	if err := r.flush(t.Context()); err == nil {
		t.Error("the failure was not told")
	}
	l.broken = nil
	for range 2 {
		if err := r.flush(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if len(l.beats) != 1 {
		t.Errorf("%d heartbeats were written", len(l.beats))
	}
}

// What others do to a node is learned within seconds, and costs one statement for all
// nodes instead of one for each heartbeat.
func TestRowsAreReadAgainTogether(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		elsewhere func(l *ledger, n models.Node)
		want      string
	}{
		"nothing":  {func(*ledger, models.Node) {}, ""},
		"replaced": {func(l *ledger, n models.Node) { n.Incarnation = second; l.nodes[n.Name] = n }, wire.CodeReplaced + " incarnation"},
		"moved":    {func(l *ledger, n models.Node) { n.GroupID = "other"; l.nodes[n.Name] = n }, wire.CodeNotRegistered + " group"},
		"removed":  {func(l *ledger, n models.Node) { delete(l.nodes, n.Name) }, wire.CodeNotRegistered + " node"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l, r := newRegistry()
				connected(t, r)
				if err := r.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				beats := func() (err error) {
					for range 3 {
						time.Sleep(3500 * time.Millisecond) // between two looks of the loop
						synctest.Wait()
						if _, err = r.Heartbeat(t.Context(), app, beat(first, 0)); err != nil {
							return err
						}
					}
					return nil
				}
				before := l.reads
				if err := beats(); err != nil {
					t.Fatal(err)
				}
				if l.reads != before {
					t.Errorf("%d heartbeats read their node alone", l.reads-before)
				}
				r.mu.Lock() // the loop reads the ledger too, after it had this lock
				tt.elsewhere(l, l.nodes["worker-1"])
				r.mu.Unlock()
				if err := beats(); codeOf(err) != tt.want {
					t.Errorf("heartbeats are answered %v; want %q", err, tt.want)
				}
				if err := r.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A stopping server says good-bye on every stream and writes the last heartbeats.
func TestStopSaysGoodbye(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	s := connected(t, r)
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Heartbeat(t.Context(), app, beat(first, 0)); err != nil {
		t.Fatal(err)
	}
	if err := r.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	<-s.Done()
	if f := <-s.Frames(); f.Kind != wire.FrameBye || len(l.beats) != 1 {
		t.Errorf("the last frame is %q, %d heartbeats written", f.Kind, len(l.beats))
	}
}

// An edit by a person reaches the process and is seen at its next heartbeat.
func TestEditsReachTheProcess(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	s := connected(t, r)
	n := l.nodes["worker-1"]
	n.Draining = true
	l.nodes["worker-1"] = n
	r.NodeEdited(n)
	if f := <-s.Frames(); f.Kind != wire.FrameDrain {
		t.Errorf("frame %q", f.Kind)
	}
	if answer, err := r.Heartbeat(t.Context(), app, beat(first, 1)); err != nil || !answer.Draining || l.nodes["worker-1"].State != models.NodeDraining {
		t.Errorf("%+v, %v, state %s", answer, err, l.nodes["worker-1"].State)
	}
	n.Draining = false
	r.NodeEdited(n)
	if f := <-s.Frames(); f.Kind != wire.FrameResume || r.Connected() != 1 {
		t.Errorf("frame %q, %d streams", f.Kind, r.Connected())
	}
}
