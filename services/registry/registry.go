// Package registry knows the worker processes: who registered, whose stream is
// open on this server, who beats. It sets a node's state in the ledger and says
// so over the bus; what a node's loss means for its attempts is not its business.
//
// A node is ONLINE (or DRAINING) only while a stream of its present incarnation
// is open; it is SUSPECT from the moment the stream ends.
package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Ledger is what the registry needs of the store.
type Ledger interface {
	RegisterNode(ctx context.Context, n models.Node) (now models.Node, before *models.Node, err error)
	NodeByName(ctx context.Context, appID, name string) (models.Node, error)
	Node(ctx context.Context, id string) (models.Node, error)
	GroupByName(ctx context.Context, appID, name string) (models.NodeGroup, error)
	NodesByIDs(ctx context.Context, ids []string) ([]models.Node, error)
	GroupsByIDs(ctx context.Context, ids []string) ([]models.NodeGroup, error)
	BeatNodes(ctx context.Context, beats []store.NodeBeat) error
	SetNodeState(ctx context.Context, id, incarnation string, to models.NodeState, serverID string) (bool, error)
	SetNodeDeaf(ctx context.Context, id, incarnation string, since *time.Time) (bool, error)
	SetNodeStuck(ctx context.Context, id, incarnation string, list json.RawMessage) (bool, error)
	DropNodeStream(ctx context.Context, id, incarnation, serverID string) (bool, error)
	TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error)
}

// Watcher is told what other parts must know.
type Watcher interface {
	// NodeChanged says that a node's row changed.
	NodeChanged(ctx context.Context, n models.Node)
	// NodeReplaced says that a process was replaced by a new one of the same
	// name: before's attempts have no process any more.
	NodeReplaced(ctx context.Context, before models.Node)
	// NodeLeft says that a process ended in good order.
	NodeLeft(ctx context.Context, n models.Node)
	// NodeHolds passes on which attempts a node really has.
	NodeHolds(ctx context.Context, n models.Node, held []wire.AttemptRef)
}

// Config sets up a Registry.
type Config struct {
	ServerID   string
	ServerName string
	Ledger     Ledger
	Watcher    Watcher
	Clock      clock.Clock
	Logger     *slog.Logger
	LogLimit   int64 // bytes of log kept of one attempt
	// Dead says that another server counts as dead: a stream on it leads nowhere,
	// even if it is still open. Nil: none does.
	Dead func(serverID string) bool
	// Mask takes secrets out of what a node says of its handlers. Nil: nothing is taken out.
	Mask func(string) string
}

const (
	keepAlive    = 5 * time.Second
	knownFor     = 10 * time.Second // how long a node's row is answered from memory
	refreshAfter = 4 * time.Second  // after which it is read again, if the node is heard
	readAtOnce   = 1000             // rows in one statement
	flushEvery   = time.Second
	maxKnown     = 50_000 // nodes in memory; past it the memory starts afresh
	nameInUseFor = 2      // heartbeats within which a same-named process counts as alive
	deafBeats    = 3      // heartbeats without an echo after which a stream counts as deaf
)

// Registry is safe for concurrent use. Start it before use.
type Registry struct {
	cfg Config

	mu      sync.Mutex
	known   map[string]*known         // by app id and name; at most maxKnown
	asked   map[string]struct{}       // keys of known that were asked for of late; those whose node is heard
	streams map[string]*Stream        // by node id: those open on this server
	beats   map[string]store.NodeBeat // not yet written, by node id
	loop    context.CancelFunc
	done    sync.WaitGroup
}

// New makes a Registry.
func New(cfg Config) *Registry {
	if cfg.Dead == nil {
		cfg.Dead = func(string) bool { return false }
	}
	if cfg.Mask == nil {
		cfg.Mask = func(text string) string { return text }
	}
	return &Registry{cfg: cfg, known: map[string]*known{}, asked: map[string]struct{}{}, streams: map[string]*Stream{}, beats: map[string]store.NodeBeat{}}
}

// Start begins to write heartbeats.
func (r *Registry) Start(ctx context.Context) error {
	ctx, r.loop = context.WithCancel(context.WithoutCancel(ctx))
	r.done.Go(func() { r.flushLoop(ctx) })
	return nil
}

// Stop tells all nodes to go to another server, ends their streams and writes
// the last heartbeats.
func (r *Registry) Stop(ctx context.Context) error {
	r.mu.Lock()
	streams := make([]*Stream, 0, len(r.streams))
	for _, s := range r.streams {
		streams = append(streams, s)
	}
	r.mu.Unlock()
	for _, s := range streams {
		s.Send(wire.Frame{Kind: wire.FrameBye})
		s.close()
	}
	if r.loop != nil {
		r.loop()
	}
	r.done.Wait()
	return r.flush(ctx)
}

// Refusal is an answer to a worker in the protocol's own terms.
type Refusal struct{ Wire wire.Error }

func (r *Refusal) Error() string { return r.Wire.Message }

func refuse(code, field, format string, args ...any) error {
	return &Refusal{wire.Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...)}}
}

// Register announces a worker process of the app. Refusals: NOT_FOUND (no such
// group), NAME_IN_USE (a live process has this name), INVALID, VERSION.
func (r *Registry) Register(ctx context.Context, app models.App, req wire.Register) (wire.Registered, error) {
	if err := checkRegister(app, req); err != nil {
		return wire.Registered{}, err
	}
	group, err := r.cfg.Ledger.GroupByName(ctx, app.ID, req.Group)
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			return wire.Registered{}, refuse(wire.CodeNotFound, "group",
				"App %q has no node group %q: create it in the console, or correct the worker's group.", app.Name, req.Group)
		}
		return wire.Registered{}, fmt.Errorf("reading the node's group: %w", err)
	}
	if err := r.checkName(ctx, app, &group, req); err != nil {
		return wire.Registered{}, err
	}
	node, before, err := r.cfg.Ledger.RegisterNode(ctx, r.row(app, group, req))
	if err != nil {
		return wire.Registered{}, fmt.Errorf("registering node %s: %w", req.Node, err)
	}
	r.remember(node, group)
	if before != nil && before.Incarnation != node.Incarnation {
		r.replaced(ctx, before)
	}
	if before != nil && before.GroupID != node.GroupID {
		r.cfg.Watcher.NodeChanged(ctx, *before) // it has left that group
	}
	r.cfg.Watcher.NodeChanged(ctx, node)
	abandon, err := r.abandoned(ctx, &node, req.Running)
	if err != nil {
		return wire.Registered{}, err
	}
	return wire.Registered{
		Server: r.cfg.ServerName, Settings: r.settings(&group), Abandon: abandon, Draining: node.Draining,
		Previous: previous(before, node.Incarnation),
	}, nil
}

// previous tells a process of the one that had its name before.
func previous(before *models.Node, incarnation string) *wire.Previous {
	if before == nil || before.Incarnation == incarnation {
		return nil
	}
	return &wire.Previous{Incarnation: before.Incarnation, LastSeenAt: before.LastSeenAt.UTC(), Left: before.LeftAt != nil}
}

// row is the node's row as a registration makes it; it is SUSPECT until its
// stream opens.
func (r *Registry) row(app models.App, group models.NodeGroup, req wire.Register) models.Node {
	now := r.cfg.Clock.Now()
	labels, _ := json.Marshal(req.Labels)     // a map of strings always marshals
	handlers, _ := json.Marshal(req.Handlers) // so does a list of strings
	var pools json.RawMessage
	if len(req.HandlerSlots) > 0 {
		pools, _ = json.Marshal(req.HandlerSlots) // and a list of those
	}
	return models.Node{
		ID: models.NewID(now), AppID: app.ID, GroupID: group.ID, Name: req.Node, Incarnation: req.Incarnation,
		State: models.NodeSuspect, Slots: req.Slots, Labels: labels, Handlers: handlers, HandlerSlots: pools,
		SDK: cutTo(req.SDK, maxShown), Host: cutTo(req.Host, maxShown), StartedAt: now, LastSeenAt: now,
	}
}

// checkName refuses a name that a live process of another incarnation has. Whether a
// process lives only its last sign of life says here, unless the new one has proof of its
// end: a stream that has ended says nothing, since after the crash of a server the node
// is on its way to another.
func (r *Registry) checkName(ctx context.Context, app models.App, group *models.NodeGroup, req wire.Register) error {
	old, err := r.cfg.Ledger.NodeByName(ctx, app.ID, req.Node)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading node %s: %w", req.Node, err)
	}
	connected := old.State == models.NodeOnline || old.State == models.NodeDraining
	silent := r.cfg.Clock.Now().Sub(old.LastSeenAt)
	alive := silent < nameInUseFor*time.Duration(group.HeartbeatMS)*time.Millisecond
	if old.Incarnation == req.Incarnation || !connected || !alive || slices.Contains(req.Gone, old.Incarnation) {
		return nil
	}
	return refuse(wire.CodeNameInUse, "node",
		"Node name %q is in use by a process on host %q that was heard %s ago: give each process of app %q its own name; one that was killed gives it free by and by.",
		req.Node, old.Host, silent.Round(100*time.Millisecond), app.Name)
}

// replaced ends what is left of a process whose successor has registered.
func (r *Registry) replaced(ctx context.Context, before *models.Node) {
	r.mu.Lock()
	s := r.streams[before.ID]
	r.mu.Unlock()
	if s != nil && s.incarnation != before.Incarnation {
		s = nil
	}
	if s != nil {
		s.close()
	}
	r.cfg.Logger.InfoContext(ctx, "node restarted", "node", before.Name, "incarnation", before.Incarnation)
	r.cfg.Watcher.NodeReplaced(ctx, *before)
}

// abandoned answers those of the attempts a reconnecting node holds that are no
// longer its own.
func (r *Registry) abandoned(ctx context.Context, n *models.Node, held []wire.AttemptRef) ([]wire.AttemptRef, error) {
	if len(held) == 0 {
		return nil, nil
	}
	ids := make([]string, len(held))
	for i, ref := range held {
		ids[i] = ref.Task
	}
	tasks, err := r.cfg.Ledger.TasksByIDs(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading %d attempts held by node %s: %w", len(ids), n.Name, err)
	}
	mine := make(map[wire.AttemptRef]bool, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		if t.State == models.TaskRunning && t.Incarnation == n.Incarnation {
			mine[wire.AttemptRef{Task: t.ID, Attempt: t.Attempt}] = true
		}
	}
	var gone []wire.AttemptRef
	for _, ref := range held {
		if !mine[ref] {
			gone = append(gone, ref)
		}
	}
	return gone, nil
}

func (r *Registry) settings(g *models.NodeGroup) wire.Settings {
	return wire.Settings{
		HeartbeatMS: g.HeartbeatMS, OfflineMS: g.OfflineAfter().Milliseconds(), ReportMS: 20,
		LogLimit: r.cfg.LogLimit, KeepAliveMS: keepAlive.Milliseconds(),
		ReportLimit: wire.MaxReportItems, MaxBodyBytes: wire.MaxBodyBytes,
	}
}
