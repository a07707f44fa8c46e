package event

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

const (
	// pingEvery is how often an open connection is asked whether it lives, and
	// silence the time without a sign of life after which it counts as lost.
	pingEvery = 3 * time.Second
	silence   = 8 * time.Second
	// maxReconnect bounds the pause between two tries to connect.
	maxReconnect = 2 * time.Second
)

// errSilent is why a connection is given up that answers nothing.
var errSilent = errors.New("no answer to pings")

// receiver keeps one subscribing connection to one Redis. It asks for the
// channels that the exchange wants, and marks subscriptions after each
// confirmation: Redis keeps nothing for those that were away.
type receiver struct {
	bus    *Redis
	client redis.UniversalClient
	logger *slog.Logger
	loop   *lifecycle.Loop
	wake   chan struct{} // holds one: look again at what is wanted
}

func newReceiver(b *Redis, client redis.UniversalClient, n int, logger *slog.Logger) (*receiver, error) {
	r := &receiver{bus: b, client: client, logger: logger, wake: make(chan struct{}, 1)}
	var err error
	r.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: fmt.Sprintf("event receiver %d", n+1), Every: silence, MaxBackoff: maxReconnect, Logger: logger,
		Run: func(ctx context.Context) (time.Duration, error) { return lifecycle.AtOnce, r.connect(ctx) },
	})
	return r, err
}

func (r *receiver) look() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// connect is one connection's life. It ends with an error, or with ctx.
func (r *receiver) connect(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	conn := r.client.Subscribe(ctx) // connects at the first channel
	heard := &atomic.Int64{}        // clock.Monotonic of the last sign of life
	heard.Store(int64(clock.Monotonic()))
	var wg sync.WaitGroup
	wg.Go(func() {
		cancel(r.tend(ctx, conn, heard))
		_ = conn.Close() // ends the Receive below
	})
	err := r.receive(ctx, conn, heard)
	cancel(err)
	wg.Wait()
	return fmt.Errorf("listening to Redis: %w", context.Cause(ctx))
}

// tend keeps the connection's channels as wanted and asks whether it lives.
func (r *receiver) tend(ctx context.Context, conn *redis.PubSub, heard *atomic.Int64) error {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	have := map[string]bool{}
	for {
		if err := r.adjust(ctx, conn, have); err != nil {
			return err
		}
		select {
		case <-r.wake:
		case <-tick.C:
			if clock.Monotonic()-time.Duration(heard.Load()) > silence {
				return errSilent
			}
			if err := conn.Ping(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// adjust subscribes to what is wanted and not yet asked for, and the reverse.
func (r *receiver) adjust(ctx context.Context, conn *redis.PubSub, have map[string]bool) error {
	want := []string{r.bus.names.all(), r.bus.names.to(r.bus.id)}
	for _, topic := range r.bus.local.wanted() {
		want = append(want, r.bus.names.on(topic))
	}
	var more, fewer []string
	for _, channel := range want {
		if !have[channel] {
			more = append(more, channel)
		}
	}
	for channel := range have {
		if !slices.Contains(want, channel) {
			fewer = append(fewer, channel)
		}
	}
	if len(more) > 0 {
		if err := conn.Subscribe(ctx, more...); err != nil {
			return err
		}
	}
	if len(fewer) > 0 {
		if err := conn.Unsubscribe(ctx, fewer...); err != nil {
			return err
		}
	}
	clear(have)
	for _, channel := range want {
		have[channel] = true
	}
	return nil
}

func (r *receiver) receive(ctx context.Context, conn *redis.PubSub, heard *atomic.Int64) error {
	for {
		item, err := conn.Receive(ctx)
		if err != nil {
			return err
		}
		heard.Store(int64(clock.Monotonic()))
		r.loop.Alive()
		switch item := item.(type) {
		case *redis.Subscription:
			r.confirmed(item)
		case *redis.Message:
			r.message(item)
		}
	}
}

// confirmed marks what the topic's subscriptions may have missed until now. The
// channels that are not of a topic are asked for before those that are, so their
// messages are covered too.
func (r *receiver) confirmed(s *redis.Subscription) {
	if topic, ok := r.bus.names.topic(s.Channel); ok && s.Kind == "subscribe" {
		r.bus.local.resync(topic)
	}
}

func (r *receiver) message(m *redis.Message) {
	from, msgs, err := readFrame([]byte(m.Payload))
	switch {
	case err != nil: // of a newer version, perhaps
		r.logger.Debug("message not understood", "channel", m.Channel, "error", err)
		r.bus.local.resyncAll()
	case from == r.bus.id: // was delivered when it was published
	case m.Channel == r.bus.names.all():
		r.bus.local.resyncAll()
	default:
		r.bus.local.deliver(msgs)
	}
}
