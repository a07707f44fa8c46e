// Package delivery sends notifications. The owner of partition 0 does it for the whole
// cluster: a loop finds channels with something due and gives each a goroutine, a token
// bucket and a pause after failures of its own, so that one that hangs holds up no other.
// Every try is settled in the ledger under the partition's epoch; what was sent by a
// server that then lost the partition is sent again with the same id.
package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Partition is the one whose owner does all alert work.
const Partition = 0

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Sender makes one try.
type Sender interface {
	Send(ctx context.Context, k models.ChannelKind, s *channel.Settings, out *channel.Outgoing) channel.Result
}

// Notifier tells, after the commit, that notifications have changed. It is a hint and
// may be lost; it must return quickly.
type Notifier interface {
	NotificationsChanged(ctx context.Context, ids []string)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Owner    Owner
	Sender   Sender
	Box      channel.Box
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
	// BaseURL answers the console's address for links; empty: no links.
	BaseURL func() string
}

// Service sends. Start it, and what is queued goes out.
type Service struct {
	cfg  Config
	loop *lifecycle.Loop

	mu       sync.Mutex
	lines    map[string]*line // by channel; at most store.MaxChannels and those just deleted
	stopping bool
	running  sync.WaitGroup // goroutines of lines
	life     context.Context
	kill     context.CancelFunc
	pruned   time.Time
}

// line is how one channel fares. Its fields are the service's, guarded by mu, but for
// the limiter.
type line struct {
	limiter  *rate.Limiter
	running  bool
	again    bool      // something came while it ran
	pause    time.Time // nothing is sent before
	failures int       // in a row
}

const (
	every      = time.Second // between two looks, lest a hint was lost
	perRead    = 20          // notifications of a channel in memory at once
	keepFor    = 30 * 24 * time.Hour
	pruneEvery = time.Hour
	pruneBatch = 500
	dropBatch  = 500
	// grace is how long an orderly stop waits for tries under way; those that are ended
	// then are made again, with the same id.
	grace = 3 * time.Second
)

// New makes the service.
func New(c Config) (*Service, error) {
	s := &Service{cfg: c, lines: map[string]*line{}}
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "deliveries", Run: s.pass, Every: every, Logger: c.Logger})
	if err != nil {
		return nil, fmt.Errorf("making the loop of deliveries: %w", err)
	}
	return s, nil
}

// Start begins to send.
func (s *Service) Start(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = false
	s.life, s.kill = context.WithCancel(context.WithoutCancel(ctx))
	s.mu.Unlock()
	return s.loop.Start(ctx)
}

// Stop begins no more tries and waits for those under way.
func (s *Service) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	kill := s.kill
	s.mu.Unlock()
	err := s.loop.Stop(ctx)
	if kill == nil {
		return err
	}
	defer kill()
	done := make(chan struct{})
	go func() { s.running.Wait(); close(done) }() // ends when the tries do, which kill sees to
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-done:
		return err
	case <-patience.C:
	case <-ctx.Done():
	}
	kill()
	<-done
	return err
}

// Health tells how the loop fares.
func (s *Service) Health() []lifecycle.LoopHealth { return s.loop.Health() }

// Wake makes the owner look at once: notifications were queued, or a channel changed.
func (s *Service) Wake() { s.loop.Wake() }

// pass gives every channel with something due a goroutine, and answers when the next
// will be due.
func (s *Service) pass(ctx context.Context) (time.Duration, error) {
	epoch, ours := s.cfg.Owner.Partitions()[Partition]
	if !ours {
		return every, nil
	}
	fence := store.Fence{Partition: epoch}
	if err := s.prune(ctx, fence); err != nil {
		return 0, s.failed(err)
	}
	queues, err := s.cfg.Store.ChannelQueues(ctx)
	if err != nil {
		return 0, err
	}
	rest, now := every, s.cfg.Clock.Now()
	s.forget(now)
	for _, q := range queues {
		if wait := s.launch(q, fence, now); wait > 0 {
			rest = min(rest, wait)
		}
	}
	return max(rest, lifecycle.AtOnce), nil
}

// forget drops what is known of idle channels when there are more than channels can be.
func (s *Service) forget(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lines) <= store.MaxChannels {
		return
	}
	for id, l := range s.lines {
		if !l.running && l.pause.Before(now) {
			delete(s.lines, id)
		}
	}
}

// launch starts a channel's goroutine when something is due, and answers how long to
// wait otherwise.
func (s *Service) launch(q store.ChannelQueue, fence store.Fence, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lines[q.ChannelID]
	if l == nil {
		l = &line{}
		s.lines[q.ChannelID] = l
	}
	due := q.NextAt
	if l.pause.After(due) {
		due = l.pause
	}
	if due.After(now) {
		return due.Sub(now)
	}
	if l.running || s.stopping {
		l.again = true
		return 0
	}
	l.running = true
	s.running.Go(func() { s.run(s.life, q.ChannelID, l, fence) })
	return 0
}

// run sends what is due of a channel until nothing is, or it must pause.
func (s *Service) run(ctx context.Context, channelID string, l *line, fence store.Fence) {
	for {
		more, err := s.step(ctx, channelID, l, fence)
		if err != nil {
			if err := s.failed(err); err != nil && ctx.Err() == nil {
				s.cfg.Logger.ErrorContext(ctx, "sending to a channel failed", "channel", channelID, "error", err)
			}
			more = false
		}
		s.mu.Lock()
		if s.stopping || !more && (err != nil || !l.again) {
			l.running, l.again = false, false
			s.mu.Unlock()
			return
		}
		l.again = false
		s.mu.Unlock()
	}
}

// failed passes an error on; a deposed owner's, and a notification that somebody else has
// dealt with, are none.
func (s *Service) failed(err error) error {
	err = store.GiveWay(err, s.cfg.Owner.Lost)
	if errors.Is(err, store.ErrNotificationMoved) {
		return nil
	}
	return err
}

// prune deletes old notifications, some at a time.
func (s *Service) prune(ctx context.Context, fence store.Fence) error {
	now := s.cfg.Clock.Now()
	if now.Sub(s.pruned) < pruneEvery {
		return nil
	}
	n, err := s.cfg.Store.PruneNotifications(ctx, fence, now.Add(-keepFor), pruneBatch)
	if err == nil && n < pruneBatch {
		s.pruned = now // else the next pass goes on
	}
	return err
}
