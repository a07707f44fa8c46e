package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

// Defaults of LoopConfig.
const (
	DefaultMinBackoff = 100 * time.Millisecond
	DefaultMaxBackoff = 10 * time.Second
)

// AtOnce asks for the next round without a pause.
const AtOnce time.Duration = 1

// repeatLog is how often an error that goes on is logged again.
const repeatLog = time.Minute

// LoopConfig is what a Loop does and how often.
type LoopConfig struct {
	// Name tells the loop from others in logs and health.
	Name string
	// Run does one round. It answers how long to wait at most before the next one:
	// 0 is Every, AtOnce is no pause. An error is logged and the next round comes
	// after a back-off instead; so does a panic.
	Run func(ctx context.Context) (time.Duration, error)
	// Every is the pause between rounds when Run does not say. Required.
	Every time.Duration
	// MinBackoff and MaxBackoff bound the pause after failed rounds, which doubles
	// with each and is jittered. 0: the defaults.
	MinBackoff, MaxBackoff time.Duration
	Logger                 *slog.Logger
}

// Loop is a goroutine around LoopConfig.Run. It can be started and stopped any
// number of times.
type Loop struct {
	cfg  LoopConfig
	wake chan struct{} // holds one: several wakes are one
	stat status

	mu     sync.Mutex // guards cancel and done
	cancel context.CancelFunc
	done   chan struct{} // closed when the goroutine has ended; nil when not started
}

// NewLoop makes a loop. It fails on a configuration without a name, function or
// pause.
func NewLoop(cfg LoopConfig) (*Loop, error) {
	if cfg.Name == "" || cfg.Run == nil || cfg.Every <= 0 || cfg.Logger == nil {
		return nil, errors.New("a loop needs a name, a function, a pause above 0 and a logger")
	}
	if cfg.MinBackoff <= 0 {
		cfg.MinBackoff = DefaultMinBackoff
	}
	if cfg.MaxBackoff <= 0 {
		cfg.MaxBackoff = DefaultMaxBackoff
	}
	cfg.MaxBackoff = max(cfg.MaxBackoff, cfg.MinBackoff)
	return &Loop{cfg: cfg, wake: make(chan struct{}, 1)}, nil
}

// Start starts the goroutine and returns. The loop keeps ctx's values but not its
// end: only Stop ends it, so that a group decides the order. Starting a running
// loop is an error.
func (l *Loop) Start(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done != nil {
		return fmt.Errorf("loop %s runs already", l.cfg.Name)
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	l.cancel, l.done = cancel, done
	l.stat.start(l.cfg.Every)
	go func() {
		defer close(done)
		defer l.stat.end()
		l.run(life)
	}()
	return nil
}

// Stop ends the context of the round in progress and waits for the goroutine, at
// most until ctx ends. Stopping a loop that does not run is no error.
func (l *Loop) Stop(ctx context.Context) error {
	l.mu.Lock()
	cancel, done := l.cancel, l.done
	l.mu.Unlock()
	if done == nil {
		return nil
	}
	cancel()
	select {
	case <-done:
	case <-ctx.Done():
		return fmt.Errorf("loop %s is still in a round: %w", l.cfg.Name, context.Cause(ctx))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done == done {
		l.cancel, l.done = nil, nil
	}
	return nil
}

// Wake asks for a round now, or right after the one in progress. During a
// back-off it has no effect before the back-off ends. It never blocks.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Alive lets a round that goes on for as long as all is well, for example while a
// connection lasts, report success meanwhile. The next success is due after Every.
func (l *Loop) Alive() { l.recovered(l.stat.alive(l.cfg.Every)) }

// Health tells how the loop fares.
func (l *Loop) Health() []LoopHealth { return []LoopHealth{l.stat.health(l.cfg.Name)} }

func (l *Loop) run(ctx context.Context) {
	for ctx.Err() == nil {
		l.stat.begin()
		next, err := l.once(ctx)
		if ctx.Err() != nil {
			return // whatever the last round says, it was cut short
		}
		if err != nil {
			pause(ctx, l.failed(err), nil)
			continue
		}
		if next <= 0 {
			next = l.cfg.Every
		}
		l.recovered(l.stat.succeed(next))
		if next > AtOnce {
			pause(ctx, next, l.wake)
		}
	}
}

// once is one round; a panic becomes an error.
func (l *Loop) once(ctx context.Context) (next time.Duration, err error) {
	err = guarded(ctx, func(ctx context.Context) (err error) {
		next, err = l.cfg.Run(ctx)
		return err
	})
	return next, err
}

func (l *Loop) recovered(failures int) {
	if failures > 0 {
		l.cfg.Logger.Info("loop recovered", "loop", l.cfg.Name, "failures", failures)
	}
}

// failed records the error and answers how long to back off.
func (l *Loop) failed(err error) time.Duration {
	failures, tell := l.stat.fail(err)
	wait := l.backoff(failures)
	attrs := []any{"loop", l.cfg.Name, "error", err, "failures", failures, "retry_in", wait}
	caught, isPanic := errors.AsType[*PanicError](err)
	switch {
	case isPanic:
		l.cfg.Logger.Error("loop panicked", append(attrs, "stack", string(caught.Stack))...)
	case tell:
		l.cfg.Logger.Warn("loop failed", attrs...)
	default:
		l.cfg.Logger.Debug("loop failed again", attrs...)
	}
	return wait
}

// backoff doubles from MinBackoff to MaxBackoff; half of it is random, so that
// servers that failed together do not come back together.
func (l *Loop) backoff(failures int) time.Duration {
	wait := l.cfg.MinBackoff
	for i := 1; i < failures && wait < l.cfg.MaxBackoff; i++ {
		wait *= 2
	}
	wait = min(wait, l.cfg.MaxBackoff)
	return wait/2 + rand.N(wait/2+1)
}

// pause waits for d, the end of ctx or a wake.
func pause(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-wake:
	}
}
