package result

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
)

// TestDelayNeverFallsNorOverflows covers back-offs that overflowed after some
// forty tries into hot loops in other systems (CB-071).
func TestDelayNeverFallsNorOverflows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		job := &models.Job{
			Backoff:         models.BackoffExponential,
			RetryDelayMS:    rapid.Int64Range(1, 86_400_000).Draw(t, "delay"),
			RetryMaxDelayMS: rapid.Int64Range(1, 7*86_400_000).Draw(t, "max"),
			RetryJitter:     rapid.Float64Range(0, 1).Draw(t, "jitter"),
		}
		limit := time.Duration(job.RetryMaxDelayMS) * time.Millisecond
		chance := rapid.Float64Range(0, 0.999).Draw(t, "chance")
		try := rapid.IntRange(1, 1_000_000).Draw(t, "try")
		before := time.Duration(0)
		tries := []int{1, 2, 3, 40, 55, 64, 65, try, 1_000_000}
		slices.Sort(tries)
		for _, n := range tries {
			plain := Delay(job, n, 0)
			if plain < before {
				t.Fatalf("try %d waits %s, less than %s before", n, plain, before)
			}
			before = plain
			if plain <= 0 || plain > limit {
				t.Fatalf("try %d waits %s, outside (0, %s]", n, plain, limit)
			}
			if with := Delay(job, n, chance); with < plain || with > plain*2 {
				t.Fatalf("try %d waits %s with jitter, %s without", n, with, plain)
			}
		}
	})
}

func TestFixedDelayStays(t *testing.T) {
	t.Parallel()
	job := &models.Job{Backoff: models.BackoffFixed, RetryDelayMS: 300, RetryMaxDelayMS: 3_600_000}
	for _, try := range []int{1, 2, 100} {
		if got := Delay(job, try, 0); got != 300*time.Millisecond {
			t.Errorf("try %d waits %s, want 300ms", try, got)
		}
	}
}

// Within an hour in which nobody takes a task, it is handed back some sixty times and
// not some thousands; the first tries come soon all the same.
func TestHandedBackDelay(t *testing.T) {
	t.Parallel()
	for before, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		if got := models.HandedBackDelay(before); got != want*time.Second {
			t.Errorf("after %d in a row: %v, want %v", before, got, want*time.Second)
		}
	}
	for before, want := range map[int]time.Duration{-1: 0, 63: time.Minute, 1 << 40: time.Minute} {
		if got := models.HandedBackDelay(before); got != want {
			t.Errorf("after %d in a row: %v, want %v", before, got, want)
		}
	}
	tries, passed := 0, time.Duration(0)
	for ; passed < time.Hour; tries++ {
		passed += models.HandedBackDelay(tries)
	}
	if tries > 66 {
		t.Errorf("%d tries within an hour", tries)
	}
}
