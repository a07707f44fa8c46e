package simulation

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/dispatch"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/services/relay"
	"github.com/belfry-scheduler/belfry/services/rescue"
	"github.com/belfry-scheduler/belfry/services/result"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/services/trigger"
	"github.com/belfry-scheduler/belfry/services/workerapi"
)

var silent = slog.New(slog.DiscardHandler)

// owner is what a server believes to own. A server that stands still goes on believing.
type owner struct {
	mu   sync.Mutex
	held map[int]int64
}

func (o *owner) Partitions() map[int]int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.held)
}

func (o *owner) Lost(partitions ...int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range partitions {
		delete(o.held, p)
	}
}

func (o *owner) take(p int, epoch int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held[p] = epoch
}

// server is one simulated server, wired as cmd wires a real one.
type server struct {
	w     *world
	id    string
	life  *life
	owner *owner
	bus   *bus
	relay *relay.Relay
	api   *workerapi.API
	stack *lifecycle.Group

	dispatcher *dispatch.Dispatcher
	trigger    *trigger.Trigger

	mu    sync.Mutex
	dieIn int  // writes until it dies; 0: it does not
	late  bool // it dies after the write and not before
}

// nothing is parts of a server that the simulation leaves out.
type nothing struct{}

func (nothing) Wake() {}

func newServer(w *world, id string) *server {
	s := &server{w: w, id: id, life: newLife(), owner: &owner{held: map[int]int64{}}, stack: lifecycle.NewGroup(silent)}
	s.bus = &bus{Memory: event.NewMemory(id), s: s}
	book := &ledger{Store: w.store, s: s}
	c := clock.System{}
	s.relay = relay.New(id, s.bus, book, silent)
	nodes := relay.Nodes{Relay: s.relay}
	jobs := catalog.New(w.store, c)
	tasks := task.New(task.Config{Store: w.store, Clock: c, Logger: silent, Notifier: s.relay})
	results := result.New(result.Config{Ledger: book, Jobs: jobs, Watcher: s.relay, Logger: silent})
	reg := registry.New(registry.Config{
		ServerID: id, ServerName: id, Ledger: book, Watcher: nodes, Clock: c, Logger: silent, LogLimit: 1 << 20, Dead: w.countsAsDead,
	})
	s.dispatcher = dispatch.New(dispatch.Config{
		Ledger: book, Jobs: jobs, Owner: s.owner, Courier: s.relay, Watcher: s.relay, Replacer: tasks, Ender: results, Clock: c, Logger: silent,
	})
	saver, err := rescue.New(rescue.Config{
		Ledger: book, Running: s.dispatcher, Owner: s.owner, Ender: results, Watcher: nodes, Clock: c, Logger: silent,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	s.trigger, err = trigger.New(trigger.Config{Ledger: book, Owner: s.owner, Workers: jobs, Watcher: s.relay, Clock: c, Logger: silent})
	if err != nil {
		w.t.Fatal(err)
	}
	s.api = workerapi.New(workerapi.Config{
		Keys: w, Registry: reg, Ender: results, Ledger: book, Tasks: tasks, Watcher: s.relay, Clock: c, Logger: silent, LogLimit: 1 << 20,
	})
	s.relay.Connect(relay.Parts{
		Dispatcher: s.dispatcher, Trigger: s.trigger, Workflow: nothing{}, Backfills: nothing{}, Bulks: nothing{}, Registry: reg, Rescue: saver, Catalog: jobs,
	})
	s.stack.Add("bus", nil, func(context.Context) error { return s.bus.Close() })
	s.stack.AddService("relay", s.relay)
	s.stack.AddService("results", results)
	s.stack.AddService("notes", s.api)
	s.stack.AddService("registry", reg)
	s.stack.AddService("dispatcher", s.dispatcher)
	s.stack.AddService("rescue", saver)
	s.stack.AddService("trigger", s.trigger)
	return s
}

// take makes the server the owner of a partition, as ownership would.
func (s *server) take(p int) {
	epoch, err := s.w.store.TakePartition(s.w.t.Context(), p, s.id)
	if err != nil {
		s.w.t.Fatal(err)
	}
	s.owner.take(p, epoch)
	s.dispatcher.OwnershipChanged()
	s.trigger.Wake()
}

// dies counts a write and says whether the server dies at it, before or after.
func (s *server) dies() (now, late bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dieIn == 0 {
		return false, false
	}
	if s.dieIn--; s.dieIn > 0 {
		return false, false
	}
	if !s.late {
		s.life.die()
	}
	return true, s.late
}

// stop ends what is left of a server; what it cannot do any more it is excused from.
func (s *server) stop() {
	s.life.goOn()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.stack.Stop(ctx); err != nil && s.life.alive() {
		s.w.t.Errorf("stopping server %s: %v", s.id, err)
	}
}

// AuthenticateKey implements workerapi.Keys.
func (w *world) AuthenticateKey(context.Context, string) (models.App, models.AppKey, error) {
	return w.app, models.AppKey{}, nil
}

func (s *server) String() string { return fmt.Sprintf("server %s", s.id) }
