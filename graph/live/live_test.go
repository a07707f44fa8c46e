package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type row struct {
	id      string
	version int
}

// table is what the feed reads.
type table struct {
	mu    sync.Mutex
	rows  map[string]int
	reads int
	fail  error
}

func (t *table) set(id string, version int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[string]int{}
	}
	t.rows[id] = version
}

func (t *table) read(_ context.Context, ids []string) ([]row, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads++
	if t.fail != nil {
		return nil, t.fail
	}
	var found []row
	for _, id := range ids {
		if v, ok := t.rows[id]; ok {
			found = append(found, row{id, v})
		}
	}
	return found, nil
}

// start runs a feed until the test ends.
func start(t *testing.T, tab *table) *Feed[row, string] {
	t.Helper()
	f := NewFeed[row, string](Config[row]{
		Name: "rows", Read: tab.read, ID: func(r *row) string { return r.id }, Logger: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { f.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
	return f
}

func subscribe(t *testing.T, f *Feed[row, string], match func(*row) bool) *Subscriber[row, string] {
	t.Helper()
	s, err := f.Subscribe(nil, match)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// taken is everything that arrives within d.
func taken(t *testing.T, s *Subscriber[row, string], d time.Duration) (all []row, takes, resyncs int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for {
		c, err := s.Take(ctx)
		if err != nil {
			return all, takes, resyncs
		}
		takes++
		if c.Resync {
			resyncs++
		}
		for _, r := range c.Rows {
			all = append(all, *r)
		}
	}
}

func TestABurstBecomesTenUpdatesASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s := subscribe(t, f, nil)
		go func() {
			for i := range 1000 {
				tab.set("a", i+1)
				f.Hint("a", "")
				time.Sleep(time.Millisecond)
			}
		}()
		all, takes, resyncs := taken(t, s, 2*time.Second)
		if takes < 9 || takes > 12 || len(all) != takes {
			t.Errorf("%d updates of %d rows within a second, want about ten of one each", takes, len(all))
		}
		if last := all[len(all)-1]; last.version != 1000 {
			t.Errorf("the last version seen is %d, want 1000", last.version)
		}
		if resyncs != 0 {
			t.Error("nothing was dropped, and yet a resync came")
		}
	})
}

func TestTheFirstChangeComesSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s := subscribe(t, f, nil)
		time.Sleep(time.Hour)
		began := time.Now()
		tab.set("a", 1)
		f.Hint("a", "")
		if _, err := s.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 20*time.Millisecond {
			t.Errorf("the first change took %s", took)
		}
	})
}

func TestOverflowIsMarked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s := subscribe(t, f, nil)
		for i := range maxPending + 50 {
			id := fmt.Sprint(i)
			tab.set(id, 1)
			f.Hint(id, "")
		}
		all, _, resyncs := taken(t, s, 3*time.Second)
		if len(all) != maxPending || resyncs != 1 {
			t.Errorf("%d rows and %d resyncs, want %d and 1", len(all), resyncs, maxPending)
		}
	})
}

func TestTooManyHintsAreMarked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s := subscribe(t, f, func(r *row) bool { return r.id == "none" })
		for i := range maxIDs + 1 {
			tab.set(fmt.Sprint(i), 1)
			f.Hint(fmt.Sprint(i), "")
		}
		if all, _, resyncs := taken(t, s, time.Second); len(all) != 0 || resyncs != 1 {
			t.Errorf("%d rows and %d resyncs, want 0 and 1", len(all), resyncs)
		}
	})
}

// A reader that takes nothing holds a bounded number of rows, each in its latest
// version, and costs the others nothing.
func TestASlowReaderGetsTheLatest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		slow, quick := subscribe(t, f, nil), subscribe(t, f, nil)
		go func() {
			for i := range 600 {
				tab.set("a", i+1)
				tab.set("b", i+1)
				f.Hint("a", "")
				f.Hint("b", "")
				time.Sleep(100 * time.Millisecond)
			}
		}()
		if all, _, _ := taken(t, quick, time.Minute+time.Second); len(all) < 1000 {
			t.Errorf("the quick reader saw %d changes of 1,200", len(all))
		}
		c, err := slow.Take(t.Context())
		if err != nil || c.Resync {
			t.Fatalf("the slow reader: %v, resync %t", err, c.Resync)
		}
		got := map[string]int{}
		for _, r := range c.Rows {
			got[r.id] = r.version
		}
		if diff := cmp.Diff(map[string]int{"a": 600, "b": 600}, got); diff != "" {
			t.Errorf("the slow reader's rows (-want +got):\n%s", diff)
		}
	})
}

func TestARowThatIsGoneIsAResync(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s := subscribe(t, f, nil)
		f.Hint("gone", "")
		if all, _, resyncs := taken(t, s, time.Second); len(all) != 0 || resyncs != 1 {
			t.Errorf("%d rows and %d resyncs, want 0 and 1", len(all), resyncs)
		}
	})
}

func TestAFailedReadingIsMadeUpFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := table{fail: errors.New("away")}
		f := start(t, &tab)
		s := subscribe(t, f, nil)
		f.Hint("a", "")
		if _, takes, resyncs := taken(t, s, 5*time.Second); takes != 1 || resyncs != 1 {
			t.Errorf("%d takes, %d resyncs; want one resync", takes, resyncs)
		}
	})
}

func TestResyncsAreFarBetween(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := start(t, &table{})
		s := subscribe(t, f, nil)
		go func() {
			for range 50 {
				f.Resync()
				time.Sleep(100 * time.Millisecond)
			}
		}()
		if _, _, resyncs := taken(t, s, 10*time.Second); resyncs < 4 || resyncs > 6 {
			t.Errorf("%d resyncs in five seconds", resyncs)
		}
	})
}

func TestNobodyAsksNobodyReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s := subscribe(t, f, nil)
		s.Close()
		for range 100 {
			f.Hint("a", "")
			f.Resync()
		}
		time.Sleep(time.Minute)
		if tab.reads != 0 {
			t.Errorf("%d readings for nobody", tab.reads)
		}
	})
}

func TestWhatNobodyCaresForIsNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		s, err := f.Subscribe(func(about string) bool { return about == "mine" }, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		tab.set("a", 1)
		f.Hint("a", "yours")
		time.Sleep(time.Second)
		if tab.reads != 0 {
			t.Errorf("%d readings", tab.reads)
		}
		f.Hint("a", "mine")
		if c, err := s.Take(t.Context()); err != nil || len(c.Rows) != 1 {
			t.Errorf("took %+v, %v", c, err)
		}
	})
}

func TestManySubscribersCostOneReading(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tab table
		f := start(t, &tab)
		tab.set("a", 1)
		var all []*Subscriber[row, string]
		for range 200 {
			all = append(all, subscribe(t, f, nil))
		}
		f.Hint("a", "")
		for _, s := range all {
			if c, err := s.Take(t.Context()); err != nil || len(c.Rows) != 1 {
				t.Fatalf("a subscriber took %+v, %v", c, err)
			}
		}
		if tab.reads != 1 {
			t.Errorf("%d readings", tab.reads)
		}
	})
}

// Whatever comes in whatever order: unless it was told to read again, a reader
// has the latest version of every row it asked for.
func TestNoChangeIsLostSilently(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := &Subscriber[row, string]{wake: make(chan struct{}, 1), pending: map[string]*row{}, match: func(r *row) bool { return r.version%3 != 0 }}
		latest, seen := map[string]int{}, map[string]int{}
		resync := false
		for step := range rapid.IntRange(1, 60).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "take") {
				c, _ := s.grab()
				resync = resync || c.Resync
				for _, r := range c.Rows {
					seen[r.id] = r.version
				}
				continue
			}
			var b batch[row]
			for range rapid.IntRange(1, 40).Draw(rt, "rows") {
				r := row{fmt.Sprint(rapid.IntRange(0, 150).Draw(rt, "id")), step + 1}
				if slices.Contains(b.ids, r.id) {
					continue
				}
				b.ids, b.rows = append(b.ids, r.id), append(b.rows, &r)
				if s.match(&r) {
					latest[r.id] = r.version
				} else {
					delete(latest, r.id) // an older version may have been seen or not
					delete(seen, r.id)
				}
			}
			s.offer(b)
			if len(s.pending) > maxPending || len(s.order) != len(s.pending) {
				rt.Fatalf("%d rows held in %d places", len(s.pending), len(s.order))
			}
		}
		c, wait := s.grab()
		resync = resync || c.Resync || wait > 0
		for _, r := range c.Rows {
			seen[r.id] = r.version
		}
		if resync {
			return
		}
		for id, version := range latest {
			if seen[id] != version {
				rt.Fatalf("row %s has version %d, seen %d of %v", id, version, seen[id], slices.Sorted(maps.Keys(latest)))
			}
		}
	})
}

func TestSignals(t *testing.T) {
	t.Parallel()
	s := NewSignals()
	a1, endA1, _ := s.Watch("a")
	a2, endA2, _ := s.Watch("a")
	b, endB, _ := s.Watch("b")
	woken := func() (n int) {
		for _, c := range []<-chan struct{}{a1, a2, b} {
			select {
			case <-c:
				n++
			default:
			}
		}
		return n
	}
	s.Wake("a")
	s.Wake("a")
	s.Wake("c")
	if n := woken(); n != 2 {
		t.Errorf("%d woken, want the two that watch a", n)
	}
	s.WakeAll()
	if n := woken(); n != 3 {
		t.Errorf("%d woken by WakeAll, want 3", n)
	}
	for _, end := range []func(){endA1, endA1, endA2, endB} {
		end()
	}
	if len(s.waiting) != 0 || s.count != 0 {
		t.Errorf("%d keys and %d watchers are left", len(s.waiting), s.count)
	}
}

func TestLatestIsReadOnceForAllAndOnlyWhenWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		value, reads := 0, 0
		l := NewLatest(LatestConfig[int]{
			Name: "sum", Every: time.Second, Idle: 10 * time.Second, Logger: slog.New(slog.DiscardHandler),
			Read: func(context.Context) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				reads++
				return value, nil
			},
			Same: func(a, b int) bool { return a == b },
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go l.Run(ctx)
		time.Sleep(time.Minute)
		if reads != 0 {
			t.Fatalf("%d readings for nobody", reads)
		}
		first, err := l.Watch()
		if err != nil {
			t.Fatal(err)
		}
		if v, _, err := first.Take(ctx); err != nil || v != 0 {
			t.Fatalf("the first value is %d, %v", v, err)
		}
		second, _ := l.Watch()
		if v, _, err := second.Take(ctx); err != nil || v != 0 {
			t.Fatalf("a later watcher's first value is %d, %v", v, err)
		}
		mu.Lock()
		reads = 0
		mu.Unlock()
		stop := time.Now().Add(10 * time.Second)
		go func() {
			for time.Now().Before(stop) {
				mu.Lock()
				value++
				mu.Unlock()
				l.Touch()
				time.Sleep(10 * time.Millisecond)
			}
		}()
		seen, last := 0, 0
		window, end := context.WithTimeout(ctx, 15*time.Second)
		defer end()
		for {
			v, _, err := first.Take(window)
			if err != nil {
				break
			}
			seen, last = seen+1, v
		}
		mu.Lock()
		defer mu.Unlock()
		if last != value {
			t.Errorf("the last value seen is %d, want %d", last, value)
		}
		if seen < 9 || seen > 12 || reads > 13 {
			t.Errorf("%d values and %d readings in ten seconds of changes", seen, reads)
		}
		first.Close()
		second.Close()
	})
}

func TestLatestDoesNotRepeatItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLatest(LatestConfig[int]{
			Name: "sum", Every: time.Second, Idle: 10 * time.Second, Logger: slog.New(slog.DiscardHandler),
			Read: func(context.Context) (int, error) { return 1, nil },
			Same: func(a, b int) bool { return a == b },
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		go l.Run(ctx)
		w, _ := l.Watch()
		values := 0
		for {
			if _, _, err := w.Take(ctx); err != nil {
				break
			}
			values++
		}
		if values != 1 {
			t.Errorf("the same value came %d times", values)
		}
	})
}
