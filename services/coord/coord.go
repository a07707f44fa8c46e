package coord

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

// Servers are the servers' rows in the ledger; *store.Store has them.
type Servers interface {
	// Now is the database's clock.
	Now(ctx context.Context) (time.Time, error)
	BeatServer(ctx context.Context, server models.Server) error
	Servers(ctx context.Context, seenSince time.Time) ([]models.Server, error)
	RemoveServer(ctx context.Context, id string) error
}

// Epochs are the partitions' rows in the ledger; *store.Store has them.
type Epochs interface {
	// TakePartition raises the epoch and answers it.
	TakePartition(ctx context.Context, partition int, serverID string) (epoch int64, err error)
	PartitionOwners(ctx context.Context) ([]models.Partition, error)
}

// Ledger is what ownership needs of the ledger.
type Ledger interface {
	Servers
	Epochs
}

// Owned is a partition with the epoch under which it is owned.
type Owned struct {
	Partition int
	Epoch     int64
}

// Defaults of Config.
const (
	DefaultTTL       = 8 * time.Second
	DefaultBeat      = 2 * time.Second
	DefaultDeadAfter = 8 * time.Second
)

// Config is what Ownership needs.
type Config struct {
	ServerID   string // new at each start of the process
	ServerName string
	Version    string
	Ledger     Ledger
	Locker     Locker
	// Alone says that no other server can use the ledger: everything is owned at
	// once, whatever rows a killed predecessor left.
	Alone bool

	TTL       time.Duration // life of a lock; the Locker's own
	Beat      time.Duration // between two beats
	DeadAfter time.Duration // silence after which a server is dead
	Grace     time.Duration // before a share is handed to a new server; 0: two beats

	// Hint tells the other servers that partitions became free; they call Wake. It
	// must not block. May be nil.
	Hint func(ctx context.Context)
	// Fit answers why this server should not lead, or nil. It then leaves the
	// partitions to others, if there are any. May be nil.
	Fit func() error
	// Troubles answers sentences about what is wrong with the rest of this server, for
	// the list of servers. May be nil.
	Troubles func() []string

	Clock   clock.Clock
	Elapsed func() time.Duration // monotonic; nil: clock.Monotonic
	Logger  *slog.Logger
}

// Ownership holds the partitions of one server. It is safe for concurrent use.
type Ownership struct {
	cfg       Config
	margin    time.Duration // acting ends this long before the lock
	orphaned  time.Duration // without an owner for so long, anybody may take a partition
	startedAt time.Time

	beats, passes, extends, notices *lifecycle.Loop

	mu        sync.Mutex // guards the fields below
	closing   bool       // nothing is owned any more
	stopping  bool       // the process is about to stop: told to people, not acted on
	held      map[int]*hold
	dropped   map[int]bool  // fallen away, still to be given back
	announced map[int]int64 // what the listeners know: partition → epoch
	listeners []func(gained []Owned, lost []int)
	skew      skew
	beatAt    time.Duration // when the last beat that succeeded began, by Elapsed; at first the start
	slowBeat  time.Duration // how long the last slow write of a beat took; 0: none was
	slowAt    time.Duration // when that was, by Elapsed
	refusal   error         // why this server does not lead; nil when it does
	resigned  time.Duration // unfit: does not lead before
	dead      dead

	view view // used by the pass alone
}

// New makes an Ownership that owns nothing yet.
func New(cfg Config) (*Ownership, error) {
	if cfg.ServerID == "" || cfg.Ledger == nil || cfg.Locker == nil || cfg.Clock == nil || cfg.Logger == nil {
		return nil, errors.New("ownership needs a server id, a ledger, a locker, a clock and a logger")
	}
	cfg.TTL = or(cfg.TTL, DefaultTTL)
	cfg.Beat = or(cfg.Beat, DefaultBeat)
	cfg.DeadAfter = or(cfg.DeadAfter, DefaultDeadAfter)
	cfg.Grace = or(cfg.Grace, 2*cfg.Beat)
	if cfg.Elapsed == nil {
		cfg.Elapsed = clock.Monotonic
	}
	if cfg.DeadAfter < 2*cfg.Beat {
		return nil, errors.New("a server must be silent for at least two beats before it counts as dead")
	}
	o := &Ownership{
		cfg: cfg, margin: cfg.TTL / 10, orphaned: 3 * max(cfg.TTL, cfg.DeadAfter), startedAt: cfg.Clock.Now(),
		held: map[int]*hold{}, dropped: map[int]bool{}, announced: map[int]int64{}, view: newView(),
	}
	return o, o.loops()
}

func or(d, other time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return other
}

// loops makes the four loops. Each is cheap and none waits for another: a slow
// ledger must not keep a server from beating or from prolonging its locks, and
// nothing may keep it from noticing that a lock has run out.
func (o *Ownership) loops() error {
	var errs []error
	loop := func(name string, every time.Duration, run func(context.Context) (time.Duration, error)) *lifecycle.Loop {
		l, err := lifecycle.NewLoop(lifecycle.LoopConfig{
			Name: name, Every: every, Run: run, MaxBackoff: o.cfg.Beat, Logger: o.cfg.Logger,
		})
		errs = append(errs, err)
		return l
	}
	o.beats = loop("ownership beat", o.cfg.Beat, o.beat)
	o.passes = loop("ownership pass", o.cfg.Beat, o.pass)
	o.extends = loop("ownership locks", o.cfg.TTL/3, o.extend)
	o.notices = loop("ownership notices", o.cfg.TTL/3, o.notice)
	return errors.Join(errs...)
}

// OnChange registers fn for changes, from one goroutine and in order: first what
// was lost, then what was gained. A partition whose epoch changed is in both. fn
// must not block. To be called before Start.
func (o *Ownership) OnChange(fn func(gained []Owned, lost []int)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.listeners = append(o.listeners, fn)
}

// Start begins to compete for partitions.
func (o *Ownership) Start(ctx context.Context) error {
	o.mu.Lock()
	o.closing, o.stopping, o.beatAt = false, false, o.cfg.Elapsed()
	o.mu.Unlock()
	for i, l := range o.all() {
		if err := l.Start(ctx); err != nil {
			for _, started := range o.all()[:i] {
				err = errors.Join(err, started.Stop(ctx))
			}
			return err
		}
	}
	return nil
}

func (o *Ownership) all() []*lifecycle.Loop {
	return []*lifecycle.Loop{o.notices, o.extends, o.beats, o.passes}
}

// Stop owns nothing from the moment it is called, tells the listeners, and gives
// everything back at once so that other servers can go on.
func (o *Ownership) Stop(ctx context.Context) error {
	o.mu.Lock()
	o.closing = true
	o.mu.Unlock()
	o.notices.Wake()
	var errs []error
	for _, l := range []*lifecycle.Loop{o.passes, o.extends, o.beats, o.notices} {
		errs = append(errs, l.Stop(ctx))
	}
	o.tell() // what the notices did not come to
	partitions := o.takeAll()
	errs = append(errs, o.leave(ctx, partitions))
	return errors.Join(errs...)
}

// leave takes the server off the list, gives its locks back and tells the others.
func (o *Ownership) leave(ctx context.Context, partitions []int) error {
	err := errors.Join(o.cfg.Ledger.RemoveServer(ctx, o.cfg.ServerID), o.cfg.Locker.Release(ctx, partitions))
	o.hint(ctx)
	return err
}

func (o *Ownership) hint(ctx context.Context) {
	if o.cfg.Hint != nil {
		o.cfg.Hint(ctx)
	}
}

// Wake looks at once whether there is something to take or to give: another
// server has said so.
func (o *Ownership) Wake() { o.passes.Wake() }

// Health tells how the loops fare.
func (o *Ownership) Health() []lifecycle.LoopHealth {
	var all []lifecycle.LoopHealth
	for _, l := range o.all() {
		all = append(all, l.Health()...)
	}
	return all
}

// Refusal says why this server does not lead anything although it runs, or nil.
func (o *Ownership) Refusal() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.refusal
}
