package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

func newLoop(t *testing.T, cfg lifecycle.LoopConfig) *lifecycle.Loop {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "test"
	}
	if cfg.Logger == nil {
		cfg.Logger = quiet
	}
	l, err := lifecycle.NewLoop(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// running starts the loop and stops it at the end of the test.
func running(t *testing.T, l *lifecycle.Loop) {
	t.Helper()
	if err := l.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func health(l *lifecycle.Loop) lifecycle.LoopHealth { return l.Health()[0] }

func TestLoopWantsItsParts(t *testing.T) {
	if _, err := lifecycle.NewLoop(lifecycle.LoopConfig{Name: "x", Every: time.Second, Logger: quiet}); err == nil {
		t.Error("a loop without a function was made")
	}
}

func TestLoopPaces(t *testing.T) {
	for name, tc := range map[string]struct {
		answer time.Duration
		want   time.Duration // for ten rounds
	}{
		"every":          {0, 10 * time.Second},
		"its own pause":  {3 * time.Second, 30 * time.Second},
		"without pauses": {lifecycle.AtOnce, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rounds, ten := 0, make(chan struct{})
				from := clock.Monotonic()
				running(t, newLoop(t, lifecycle.LoopConfig{Every: time.Second, Run: func(context.Context) (time.Duration, error) {
					if rounds++; rounds == 11 {
						close(ten)
					}
					if rounds > 10 {
						return time.Hour, nil
					}
					return tc.answer, nil
				}}))
				<-ten
				if took := clock.Monotonic() - from; took != tc.want {
					t.Errorf("ten rounds took %s, want %s", took, tc.want)
				}
			})
		})
	}
}

func TestLoopWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rounds atomic.Int32
		l := newLoop(t, lifecycle.LoopConfig{Every: time.Hour, Run: func(context.Context) (time.Duration, error) {
			rounds.Add(1)
			return 0, nil
		}})
		running(t, l)
		synctest.Wait()
		for range 5 {
			l.Wake() // while it waits: several wakes are one round
		}
		synctest.Wait()
		if n := rounds.Load(); n < 2 || n > 3 {
			t.Errorf("%d rounds after a first one and five wakes at once", n)
		}
	})
}

// CB-068, CB-101: a loop whose rounds fail or panic goes on, slower and slower,
// and is itself again after the first success.
func TestLoopOutlivesErrorsAndPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := &records{}
		var rounds atomic.Int32
		deadlock := errors.New("Error 1213: deadlock found")
		l := newLoop(t, lifecycle.LoopConfig{
			Every: time.Second, MinBackoff: 100 * time.Millisecond, MaxBackoff: 2 * time.Second, Logger: slog.New(logs),
			Run: func(context.Context) (time.Duration, error) {
				switch n := rounds.Add(1); {
				case n == 3:
					panic("nil map")
				case n <= 10:
					return lifecycle.AtOnce, deadlock
				}
				return 0, nil
			},
		})
		running(t, l)
		synctest.Wait()
		if h := health(l); h.Failures != 1 || h.LastError != deadlock.Error() || !h.Running {
			t.Errorf("after a failed round: %+v", h)
		}
		time.Sleep(20 * time.Second) // in the bubble: ten failures back off for less than this
		synctest.Wait()
		if n := rounds.Load(); n < 12 {
			t.Fatalf("only %d rounds in 20 s: the loop has ended or waits too long", n)
		}
		if h := health(l); h.Failures != 0 || h.LastError != "" || h.Age > time.Second || h.Overdue != 0 {
			t.Errorf("after it recovered: %+v", h)
		}
		if stack := logs.attr("loop panicked", "stack"); !strings.Contains(stack, "loop_test.go") {
			t.Errorf("the panic was logged with the stack %q", stack)
		}
		if n := logs.count("loop failed"); n != 2 {
			t.Errorf("the same error was logged %d times at once, want once before and once after the panic", n)
		}
		if logs.count("loop recovered") != 1 {
			t.Error("the recovery was not logged")
		}
	})
}

func TestLoopBackoffIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const least, most = 100 * time.Millisecond, 3 * time.Second
		var last time.Duration
		pauses := make(chan time.Duration, 200)
		l := newLoop(t, lifecycle.LoopConfig{
			Every: time.Second, MinBackoff: least, MaxBackoff: most,
			Run: func(context.Context) (time.Duration, error) {
				now := clock.Monotonic()
				if last != 0 && len(pauses) < cap(pauses) {
					pauses <- now - last
				}
				last = now
				return 0, errors.New("down")
			},
		})
		running(t, l)
		for n := range cap(pauses) {
			l.Wake() // a wake does not cut a back-off short
			got, want := <-pauses, min(least<<min(n, 20), most)
			if got < want/2 || got > want {
				t.Fatalf("pause %d was %s, want %s to %s", n, got, want/2, want)
			}
		}
	})
}

func TestLoopHealthTellsAStuckRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		l := newLoop(t, lifecycle.LoopConfig{Name: "rescue", Every: time.Second, Run: func(ctx context.Context) (time.Duration, error) {
			select {
			case <-stuck:
			case <-ctx.Done():
			}
			return time.Hour, nil
		}})
		if h := health(l); h.Running {
			t.Errorf("before Start: %+v", h)
		}
		running(t, l)
		time.Sleep(time.Minute)
		want := lifecycle.LoopHealth{Name: "rescue", Age: time.Minute, Overdue: 59 * time.Second, Busy: time.Minute, Running: true}
		if h := health(l); h != want {
			t.Errorf("a round that hangs: %+v, want %+v", h, want)
		}
		close(stuck)
		time.Sleep(time.Minute) // it waits for an hour as it said: not overdue
		want = lifecycle.LoopHealth{Name: "rescue", Age: time.Minute, Running: true}
		if h := health(l); h != want {
			t.Errorf("a loop that waits: %+v, want %+v", h, want)
		}
	})
}

func TestLoopAliveInALongRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l *lifecycle.Loop
		l = newLoop(t, lifecycle.LoopConfig{Every: time.Second, Run: func(ctx context.Context) (time.Duration, error) {
			for range 5 {
				time.Sleep(700 * time.Millisecond)
				l.Alive()
			}
			return 0, errors.New("connection reset")
		}})
		running(t, l)
		time.Sleep(3 * time.Second)
		if h := health(l); h.Overdue != 0 || h.Age != 200*time.Millisecond || h.Failures != 0 {
			t.Errorf("a long round that reports success: %+v", h)
		}
		time.Sleep(time.Second)
		if h := health(l); h.Failures != 1 {
			t.Errorf("after its end with an error: %+v", h)
		}
	})
}

func TestLoopStopCutsTheRoundShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := &records{}
		l := newLoop(t, lifecycle.LoopConfig{Every: time.Second, Logger: slog.New(logs), Run: func(ctx context.Context) (time.Duration, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}})
		if err := l.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := l.Start(t.Context()); err == nil {
			t.Error("a running loop was started again")
		}
		synctest.Wait()
		for range 2 {
			if err := l.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if n := logs.count("loop failed"); n != 0 {
			t.Error("being stopped was logged as a failure")
		}
	})
}

func TestLoopStopIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := make(chan struct{})
		l := newLoop(t, lifecycle.LoopConfig{Every: time.Second, Run: func(context.Context) (time.Duration, error) {
			<-deaf
			return 0, nil
		}})
		running(t, l)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Stop answered %v", err)
		}
		close(deaf)
	})
}

// A loop survives hundreds of starts and stops from several goroutines.
func TestLoopStress(t *testing.T) {
	var within atomic.Int32
	var turned atomic.Pointer[chan struct{}] // closed by the next round
	l := newLoop(t, lifecycle.LoopConfig{Every: time.Microsecond, Run: func(context.Context) (time.Duration, error) {
		if within.Add(1) != 1 {
			t.Error("two rounds at once")
		}
		if c := turned.Swap(nil); c != nil {
			close(*c)
		}
		within.Add(-1)
		return 0, nil
	}})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				_ = l.Start(t.Context()) // runs already, at times
				l.Wake()
				if err := l.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if h := health(l); h.Running {
		t.Errorf("after the last Stop: %+v", h)
	}
	again := make(chan struct{})
	turned.Store(&again)
	running(t, l)
	<-again
}

func TestGroupCollectsHealth(t *testing.T) {
	g := lifecycle.NewGroup(quiet)
	for _, name := range []string{"trigger", "dispatch"} {
		g.AddService(name, newLoop(t, lifecycle.LoopConfig{Name: name, Every: time.Hour, Run: func(context.Context) (time.Duration, error) { return 0, nil }}))
	}
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := g.Health()
	if len(all) != 2 || all[0].Name != "trigger" || all[1].Name != "dispatch" || !all[1].Running {
		t.Errorf("health is %+v", all)
	}
	if err := g.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
