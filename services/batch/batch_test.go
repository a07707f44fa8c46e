package batch

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func double(_ context.Context, items []int) ([]int, error) {
	out := make([]int, len(items))
	for i, n := range items {
		out[i] = 2 * n
	}
	return out, nil
}

func started[T, R any](t *testing.T, cfg Config[T, R]) *Writer[T, R] {
	t.Helper()
	w := New(cfg)
	w.Start(t.Context())
	t.Cleanup(func() { _ = w.Stop(context.WithoutCancel(t.Context())) })
	return w
}

func TestDoAnswersInOrder(t *testing.T) {
	t.Parallel()
	w := started(t, Config[int, int]{Write: double, MaxItems: 2})
	got, errs, err := w.Do(t.Context(), 1, 2, 3, 4, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range got {
		if n != 2*(i+1) || errs[i] != nil {
			t.Errorf("item %d: %d, %v", i, n, errs[i])
		}
	}
}

func TestBatchesGrowWhileOneIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		w := New(Config[int, int]{Write: func(ctx context.Context, items []int) ([]int, error) {
			mu.Lock()
			sizes = append(sizes, len(items))
			mu.Unlock()
			<-time.After(time.Millisecond)
			return double(ctx, items)
		}})
		w.Start(t.Context())
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				if _, _, err := w.Do(t.Context(), i); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		if len(sizes) > 3 {
			t.Errorf("50 items at once took %d batches: %v", len(sizes), sizes)
		}
	})
}

func TestPoisonItemFailsAlone(t *testing.T) {
	t.Parallel()
	poison := errors.New("poison")
	for name, bad := range map[string]func() error{
		"error": func() error { return poison },
		"panic": func() error { panic("poison") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := started(t, Config[int, int]{Write: func(ctx context.Context, items []int) ([]int, error) {
				for _, n := range items {
					if n == 3 {
						if err := bad(); err != nil {
							return nil, err
						}
					}
				}
				return double(ctx, items)
			}})
			got, errs, err := w.Do(t.Context(), 1, 2, 3, 4)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range []int{2, 4, 0, 8} {
				if got[i] != n || (errs[i] != nil) != (i == 2) {
					t.Errorf("item %d: %d, %v", i, got[i], errs[i])
				}
			}
		})
	}
}

func TestWholeErrorIsNotSplit(t *testing.T) {
	t.Parallel()
	away := errors.New("database away")
	calls := 0
	w := started(t, Config[int, int]{
		Write: func(context.Context, []int) ([]int, error) { calls++; return nil, away },
		Whole: func(err error) bool { return errors.Is(err, away) },
	})
	_, errs, err := w.Do(t.Context(), 1, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i := range errs {
		if !errors.Is(errs[i], away) {
			t.Errorf("item %d: %v", i, errs[i])
		}
	}
	if calls != 1 {
		t.Errorf("%d writes, want 1", calls)
	}
}

func TestStopWritesWhatWaitsAndRefusesTheRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := New(Config[int, int]{Write: func(ctx context.Context, items []int) ([]int, error) {
			<-time.After(time.Millisecond)
			return double(ctx, items)
		}})
		w.Start(t.Context())
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				if got, _, err := w.Do(t.Context(), i); err != nil || got[0] != 2*i {
					t.Errorf("item %d: %v, %v", i, got, err)
				}
			})
		}
		synctest.Wait()
		for range 2 {
			if err := w.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
		wg.Wait()
		if _, _, err := w.Do(t.Context(), 1); !errors.Is(err, ErrStopped) {
			t.Errorf("after Stop: %v, want ErrStopped", err)
		}
	})
}

func TestFullQueueRefuses(t *testing.T) {
	t.Parallel()
	w := New(Config[int, int]{Write: double, MaxQueue: 2})
	if _, _, err := w.Do(t.Context(), 1, 2, 3); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
}
