package event

import (
	"context"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

// quietCheck is how often a listener that hears nothing reports that it lives.
const quietCheck = 10 * time.Second

// NewListener makes a loop that hands every delivery of the topics to handle. The
// first one after each start, and after a panic of handle, is a resync mark. The
// loop ends its rounds by itself when the bus is closed; handle must not block.
func NewListener(name string, bus Bus, logger *slog.Logger, handle func(context.Context, []Message), topics ...Topic) (*lifecycle.Loop, error) {
	var loop *lifecycle.Loop
	loop, err := lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: name, Every: 2 * quietCheck, Logger: logger,
		Run: func(ctx context.Context) (time.Duration, error) {
			sub := bus.Subscribe(topics...)
			defer sub.Close()
			handle(ctx, []Message{{Topic: TopicResync}})
			return 0, listen(ctx, sub, loop.Alive, handle)
		},
	})
	return loop, err
}

func listen(ctx context.Context, sub *Subscription, alive func(), handle func(context.Context, []Message)) error {
	tick := time.NewTicker(quietCheck)
	defer tick.Stop()
	for {
		alive()
		select {
		case msgs, open := <-sub.C():
			if !open {
				return nil
			}
			handle(ctx, msgs)
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
