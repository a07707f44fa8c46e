package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

// diary notes what happened in which order.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) read() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.lines)
}

// part adds a part that notes its start and stop and answers the given errors.
func (d *diary) part(g *lifecycle.Group, name string, startErr, stopErr error) {
	g.Add(name,
		func(context.Context) error { d.note("start " + name); return startErr },
		func(context.Context) error { d.note("stop " + name); return stopErr })
}

var quiet = slog.New(slog.DiscardHandler)

func TestGroupStopsInReverseOrderAndJoinsErrors(t *testing.T) {
	g, d := lifecycle.NewGroup(quiet), &diary{}
	bad, worse := errors.New("bad"), errors.New("worse")
	d.part(g, "a", nil, bad)
	d.part(g, "b", nil, nil)
	d.part(g, "c", nil, worse)
	g.Add("nothing", nil, nil)
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := g.Stop(t.Context())
	if !errors.Is(err, bad) || !errors.Is(err, worse) || !strings.Contains(err.Error(), "stopping c: worse") {
		t.Errorf("Stop answered %v, want both errors with the names of their parts", err)
	}
	want := []string{"start a", "start b", "start c", "stop c", "stop b", "stop a"}
	if diff := cmp.Diff(want, d.read()); diff != "" {
		t.Error(diff)
	}
	if again := g.Stop(t.Context()); again == nil || again.Error() != err.Error() {
		t.Errorf("the second Stop answered %v, want the first one's answer", again)
	}
	if diff := cmp.Diff(want, d.read()); diff != "" {
		t.Errorf("the second Stop stopped something: %s", diff)
	}
	if err := g.Start(t.Context()); !errors.Is(err, lifecycle.ErrStopped) {
		t.Errorf("Start after Stop answered %v", err)
	}
}

func TestGroupRollsBackAFailedStart(t *testing.T) {
	for name, fail := range map[string]func(context.Context) error{
		"error": func(context.Context) error { return errors.New("no such table") },
		"panic": func(context.Context) error { panic("no such table") },
	} {
		t.Run(name, func(t *testing.T) {
			g, d := lifecycle.NewGroup(quiet), &diary{}
			d.part(g, "a", nil, nil)
			d.part(g, "b", nil, errors.New("b is stuck"))
			g.Add("c", fail, func(context.Context) error { d.note("stop c"); return nil })
			d.part(g, "d", nil, nil)
			err := g.Start(t.Context())
			for _, text := range []string{"starting c", "no such table", "stopping b: b is stuck"} {
				if err == nil || !strings.Contains(err.Error(), text) {
					t.Errorf("Start answered %v, want %q in it", err, text)
				}
			}
			if diff := cmp.Diff([]string{"start a", "start b", "stop b", "stop a"}, d.read()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGroupStartsInStages(t *testing.T) {
	g, d := lifecycle.NewGroup(quiet), &diary{}
	d.part(g, "a", nil, nil)
	for _, later := range []string{"b", "c"} {
		if err := g.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		d.part(g, later, nil, nil)
	}
	if err := g.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"start a", "start b", "stop b", "stop a"}, d.read()); diff != "" {
		t.Error(diff)
	}
}

func TestGroupStopIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, d := lifecycle.NewGroup(quiet), &diary{}
		release := make(chan struct{})
		d.part(g, "locks", nil, nil)
		g.Add("deaf", nil, func(context.Context) error { <-release; return nil })
		g.Add("slow", nil, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		if err := g.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		from := clock.Monotonic()
		err := g.Stop(ctx)
		if took := clock.Monotonic() - from; took > 8*time.Second {
			t.Errorf("Stop took %s with 5 s to stop in", took)
		}
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "stopping deaf: left running") {
			t.Errorf("Stop answered %v, want the name of what was left running", err)
		}
		if !slices.Contains(d.read(), "stop locks") {
			t.Error("the parts below the one that hung were not stopped")
		}
		close(release)
	})
}

func TestGroupStopEndsAStartInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, d := lifecycle.NewGroup(quiet), &diary{}
		d.part(g, "a", nil, nil)
		g.Add("database", func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }, nil)
		started := make(chan error, 1)
		go func() { started <- g.Start(t.Context()) }()
		synctest.Wait()
		if err := g.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-started; !errors.Is(err, context.Canceled) {
			t.Errorf("Start answered %v", err)
		}
		if diff := cmp.Diff([]string{"start a", "stop a"}, d.read()); diff != "" {
			t.Error(diff)
		}
	})
}

// A group that is started and stopped from many goroutines at once never leaves a
// part started, and stops each as often as it was started.
func TestGroupStress(t *testing.T) {
	for range 300 {
		g, d := lifecycle.NewGroup(quiet), &diary{}
		for _, name := range []string{"a", "b", "c"} {
			d.part(g, name, nil, nil)
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { _ = g.Start(t.Context()) }) // some come after a Stop
			wg.Go(func() { _ = g.Stop(t.Context()) })
		}
		wg.Wait()
		balance := map[string]int{}
		for _, line := range d.read() {
			verb, name, _ := strings.Cut(line, " ")
			if balance[name] += map[string]int{"start": 1, "stop": -1}[verb]; balance[name] < 0 || balance[name] > 1 {
				t.Fatalf("%s is out of balance in %v", name, d.read())
			}
		}
		for name, n := range balance {
			if n != 0 {
				t.Fatalf("%s was left started: %v", name, d.read())
			}
		}
	}
}
