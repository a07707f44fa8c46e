package load_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/belfry-scheduler/belfry/graph/load"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// table counts how it is read.
type table struct {
	mu    sync.Mutex
	reads [][]int
}

func (tab *table) read(_ context.Context, keys []int) (map[int]string, error) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.reads = append(tab.reads, slices.Sorted(slices.Values(keys)))
	found := map[int]string{}
	for _, k := range keys {
		if k >= 0 {
			found[k] = string(rune('a' + k%26))
		}
	}
	return found, nil
}

func TestExpectedKeysAreReadTogether(t *testing.T) {
	t.Parallel()
	var tab table
	l := load.New(tab.read)
	l.Expect(1, 2, 3, 2, 1)
	var wg sync.WaitGroup
	for range 20 {
		for k := range 4 {
			wg.Go(func() {
				if k == 0 {
					return
				}
				if v, found, err := l.Load(t.Context(), k); err != nil || !found || v != string(rune('a'+k)) {
					t.Errorf("key %d: %q, %t, %v", k, v, found, err)
				}
			})
		}
	}
	wg.Wait()
	if diff := cmp.Diff([][]int{{1, 2, 3}}, tab.reads); diff != "" {
		t.Errorf("readings (-want +got):\n%s", diff)
	}
	l.Expect(4, 1)
	if v, found, err := l.Load(t.Context(), 5); v != "f" || !found || err != nil {
		t.Errorf("a key that nobody expected: %q, %t, %v", v, found, err)
	}
	if _, found, err := l.Load(t.Context(), -1); found || err != nil {
		t.Errorf("a key that is not there: %t, %v", found, err)
	}
	if diff := cmp.Diff([][]int{{1, 2, 3}, {4, 5}, {-1}}, tab.reads); diff != "" {
		t.Errorf("readings (-want +got):\n%s", diff)
	}
}

func TestNothingIsReadThatNobodyAsksFor(t *testing.T) {
	t.Parallel()
	var tab table
	load.New(tab.read).Expect(1, 2, 3)
	if len(tab.reads) != 0 {
		t.Errorf("readings: %v", tab.reads)
	}
}

func TestQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	var tab table
	l := load.New(tab.read)
	for k := range 1200 {
		l.Expect(k)
	}
	for k := range 1200 {
		if _, found, err := l.Load(t.Context(), k); !found || err != nil {
			t.Fatal(k, found, err)
		}
	}
	total := 0
	for _, keys := range tab.reads {
		total += len(keys)
		if len(keys) > 500 {
			t.Errorf("%d keys in one question", len(keys))
		}
	}
	if total != 1200 || len(tab.reads) > 4 {
		t.Errorf("%d keys in %d questions", total, len(tab.reads))
	}
}

func TestFailuresReachAllWhoWait(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	l := load.New(func(context.Context, []int) (map[int]string, error) { return nil, away })
	l.Expect(1, 2)
	for k := 1; k <= 2; k++ {
		if _, _, err := l.Load(t.Context(), k); !errors.Is(err, away) {
			t.Errorf("key %d: %v", k, err)
		}
	}
}

func TestAPanicLeavesNobodyWaiting(t *testing.T) {
	t.Parallel()
	l := load.New(func(context.Context, []int) (map[int]string, error) { panic("broken") })
	l.Expect(2)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _, _ = l.Load(t.Context(), 1)
	}()
	if _, _, err := l.Load(t.Context(), 2); err == nil {
		t.Error("the one who waited was told nothing")
	}
}

func TestWhoWaitsMayGiveUp(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}), make(chan struct{})
	l := load.New(func(context.Context, []int) (map[int]string, error) {
		close(asked)
		<-answer
		return map[int]string{1: "a"}, nil
	})
	var wg sync.WaitGroup
	wg.Go(func() { _, _, _ = l.Load(context.WithoutCancel(t.Context()), 1) })
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Load(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the one who gave up got %v", err)
	}
	close(answer)
	wg.Wait()
}
