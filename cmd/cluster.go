package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/coord"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

// cluster makes the bus and the ownership: within the process, by the database,
// or by Redis.
func (s *server) cluster() error {
	cfg := coord.Config{
		ServerID: s.id, ServerName: s.settings.ServerName, Version: s.version, Ledger: s.store,
		Alone: s.settings.Embedded, Clock: clock.System{}, Logger: s.logger,
		Troubles: s.troubles,
		Hint: func(ctx context.Context) {
			s.bus.Publish(ctx, event.Message{Topic: event.TopicOwnership, Key: s.id})
		},
	}
	var err error
	if cfg.Locker, err = s.busAndLocker(); err != nil {
		return err
	}
	if s.owner, err = coord.New(cfg); err != nil {
		return fmt.Errorf("making the ownership: %w", err)
	}
	s.clock = ledgerClock{owner: s.owner}
	return nil
}

// failingFor is how long a loop must have been failing to be told of.
const failingFor = 10 * time.Second

// troubles are sentences about the loops of this server that have been failing.
func (s *server) troubles() []string {
	failing := func(loops []lifecycle.LoopHealth, format string) (told []string) {
		for _, l := range loops {
			if l.Running && l.Failures > 0 && l.Overdue >= failingFor {
				told = append(told, fmt.Sprintf(format, l.Name, l.Age.Round(time.Second)))
			}
		}
		return told
	}
	told := failing(s.stack.Health(), "Its loop %q has been failing for %s: see its log.")
	if bus, ok := s.bus.(lifecycle.Reporter); ok { // the one over Redis
		told = append(told, failing(bus.Health(), models.TroubleRedis+": its %q has been failing for %s, and hints between servers are lost.")...)
	}
	return told
}

// busAndLocker makes the bus and chooses how servers agree on who owns a partition.
func (s *server) busAndLocker() (coord.Locker, error) {
	leases := coord.NewDatabase(s.store, s.id, coord.DefaultTTL, clock.Monotonic)
	switch {
	case s.settings.Embedded:
		s.bus = event.NewMemory(s.id)
		return coord.Local{}, nil
	case s.settings.Redis == nil:
		s.bus = event.NewMemory(s.id)
		return leases, nil
	}
	redis, err := s.useRedis()
	if err != nil || s.settings.Locks != config.LocksRedis {
		return leases, err
	}
	return coord.NewFallback(coord.FallbackConfig{
		Primary: redis, Secondary: leases, After: coord.DefaultTTL / 2, Elapsed: clock.Monotonic, Logger: s.logger,
	}), nil
}

// useRedis makes the bus over Redis and the locks in it.
func (s *server) useRedis() (coord.Probed, error) {
	redisconn.RouteLogs(s.logger)
	clients := s.settings.Redis.Open()
	s.stack.Add("Redis clients", nil, func(context.Context) error {
		var errs []error
		for _, c := range clients {
			errs = append(errs, c.Close())
		}
		return errors.Join(errs...)
	})
	bus, err := event.NewRedis(event.RedisConfig{Clients: clients, Prefix: s.settings.RedisPrefix, ServerID: s.id, Logger: s.logger})
	if err != nil {
		return nil, fmt.Errorf("making the bus: %w", err)
	}
	s.bus = bus
	s.stack.Add("bus", bus.Start, func(context.Context) error { return bus.Close() })
	return coord.NewRedis(clients, s.settings.RedisPrefix, coord.DefaultTTL, clock.Monotonic), nil
}

// follow tells the ownership when other servers give partitions up.
func (s *server) follow(context.Context) error {
	sub := s.bus.Subscribe(event.TopicOwnership)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range sub.C() {
			s.owner.Wake()
		}
	}()
	s.unfollow = func() {
		sub.Close()
		<-done
	}
	return nil
}

// ledgerClock is this machine's clock corrected by its measured offset against
// the database's, so that all servers agree on what is due.
type ledgerClock struct{ owner *coord.Ownership }

// Now implements clock.Clock.
func (c ledgerClock) Now() time.Time { return clock.Cut(clock.System{}.Now().Add(-c.owner.Offset())) }
