package catalog

import (
	"context"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

type fakeClock struct{ now time.Time }

func (c *fakeClock) Now() time.Time { return c.now }

type fakeSource struct {
	jobs    map[string]models.Job
	workers map[string]models.GroupWorkers // by group
	named   map[string][]string            // what was asked for last
	err     error
	reads   int
}

func (s *fakeSource) GroupsWorkers(_ context.Context, groups []string, named map[string][]string) (map[string]*models.GroupWorkers, error) {
	s.reads++
	s.named = named
	found := map[string]*models.GroupWorkers{}
	for _, id := range groups {
		if w, ok := s.workers[id]; ok {
			found[id] = &w
		}
	}
	return found, s.err
}

func (s *fakeSource) JobsByIDs(_ context.Context, ids []string) ([]models.Job, error) {
	s.reads++
	var out []models.Job
	for _, id := range ids {
		if j, ok := s.jobs[id]; ok {
			out = append(out, j)
		}
	}
	return out, nil
}

func TestJobsAreReadOnceUntilForgottenOrOld(t *testing.T) {
	t.Parallel()
	source := &fakeSource{jobs: map[string]models.Job{"a": {ID: "a", Handler: "one"}}}
	now := &fakeClock{now: time.Unix(0, 0)}
	c := New(source, now)
	read := func(want string) {
		t.Helper()
		got, err := c.Jobs(t.Context(), []string{"a", "a", "absent"})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got["a"].Handler != want {
			t.Fatalf("got %v, want handler %q", got, want)
		}
	}
	read("one")
	source.jobs["a"] = models.Job{ID: "a", Handler: "two"}
	read("one") // from memory
	c.Forget("a")
	read("two")
	source.jobs["a"] = models.Job{ID: "a", Handler: "three"}
	now.now = now.now.Add(lifetime)
	read("three")
}

func TestWarmReadsWhatWouldExpire(t *testing.T) {
	t.Parallel()
	source := &fakeSource{jobs: map[string]models.Job{"a": {ID: "a"}, "b": {ID: "b"}}}
	now := &fakeClock{now: time.Unix(0, 0)}
	c := New(source, now)
	warm := func(want int) {
		t.Helper()
		if err := c.Warm(t.Context(), []string{"a", "b"}, 2*time.Second); err != nil {
			t.Fatal(err)
		}
		if source.reads != want {
			t.Fatalf("%d reads, want %d", source.reads, want)
		}
	}
	warm(1)
	warm(1) // young enough
	now.now = now.now.Add(lifetime - time.Second)
	warm(2)
	now.now = now.now.Add(2 * time.Second)
	if _, err := c.Jobs(t.Context(), []string{"a", "b"}); err != nil || source.reads != 2 {
		t.Fatalf("%d reads, error %v: they were warm", source.reads, err)
	}
}
