package store

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// on makes dependencies on jobs.
func on(condition models.DependencyCondition, jobs ...models.Job) []models.Dependency {
	all := []models.Dependency{}
	for i := range jobs {
		all = append(all, models.Dependency{UpstreamID: jobs[i].ID, On: condition, Place: i})
	}
	return all
}

// waiter is a job that waits for others and is not stored yet.
func (s *seed) waiter(g models.NodeGroup, name string) models.Job {
	j := s.job(g, name)
	j.TriggerKind, j.DependencyMode, j.DependencyWindow = models.TriggerDependency, models.DependencyAll, models.WindowRun
	return j
}

// waits stores a job that waits for others.
func (s *seed) waits(g models.NodeGroup, name string, upstream ...models.Job) models.Job {
	s.Helper()
	j := s.waiter(g, name)
	s.must(s.store.CreateJob(s.Context(), j, s.audit("job", j.ID), on(models.OnSuccess, upstream...)...))
	return j
}

// rewire changes what a stored job waits for.
func (s *seed) rewire(j models.Job, upstream ...models.Job) error {
	s.Helper()
	now, err := s.store.Job(s.Context(), j.ID)
	s.must(err)
	edit := JobEdit{
		Job: now, ExpectVersion: now.Version, ExpectNext: now.NextFireAt, Upstream: on(models.OnSuccess, upstream...),
		Audit: s.audit("job", j.ID),
	}
	edit.Job.UpdatedAt = s.tick()
	_, err = s.store.UpdateJob(s.Context(), edit)
	return err
}

func (s *seed) upstream(j models.Job) []string {
	s.Helper()
	all, err := s.store.Upstream(s.Context(), []string{j.ID})
	s.must(err)
	ids := []string{}
	for _, d := range all[j.ID] {
		ids = append(ids, d.UpstreamID)
	}
	return ids
}

func TestDependenciesAreSavedWithTheirJob(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		_, _, foreign := in.app("bank")
		a, b, c := in.storedJob(g, "a"), in.storedJob(foreign, "b"), in.storedJob(g, "c")
		j := in.waits(g, "j", c, a, b)
		if diff := cmp.Diff([]string{c.ID, a.ID, b.ID}, in.upstream(j)); diff != "" {
			t.Errorf("upstream, in the order entered (-want +got):\n%s", diff)
		}
		in.must(in.rewire(j, b, c))
		if diff := cmp.Diff([]string{b.ID, c.ID}, in.upstream(j)); diff != "" {
			t.Errorf("upstream after an edit (-want +got):\n%s", diff)
		}
		k := in.waits(g, "also", b)
		down, err := s.Dependents(t.Context(), []string{a.ID, b.ID, c.ID}, 10)
		in.must(err)
		names := map[string][]string{}
		for id, jobs := range down {
			for _, d := range jobs {
				names[id] = append(names[id], d.Name)
			}
		}
		if diff := cmp.Diff(map[string][]string{b.ID: {"also", "j"}, c.ID: {"j"}}, names); diff != "" {
			t.Errorf("dependents by name (-want +got):\n%s", diff)
		}
		n, err := s.CountDependents(t.Context(), []string{a.ID, b.ID})
		in.must(err)
		if diff := cmp.Diff(map[string]int{b.ID: 2}, n); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		in.must(in.rewire(k))
		if got := in.upstream(k); len(got) != 0 {
			t.Errorf("a job that waits for none any more has %v", got)
		}
	})
}

func TestDependenciesOnMissingJobsAreRefused(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		a, gone := in.storedJob(g, "a"), in.storedJob(g, "gone")
		_, err := s.DeleteJob(t.Context(), gone.ID, in.tick(), in.audit("job", gone.ID))
		in.must(err)
		unknown := models.Job{ID: "nobody"}
		j := in.waiter(g, "j")
		err = s.CreateJob(t.Context(), j, in.audit("job", j.ID), on(models.OnSuccess, a, gone, unknown)...)
		all := fault.All(err)
		if len(all) != 2 || all[0].Code != fault.NotFound || strings.Join(all[0].Field, ".") != "trigger.dependency.upstream.1.job" ||
			strings.Join(all[1].Field, ".") != "trigger.dependency.upstream.2.job" {
			t.Errorf("refused with %+v", err)
		}
		if _, err := s.Job(t.Context(), j.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the refused job is there: %v", err)
		}
		wantFault(t, in.rewire(a, unknown), fault.NotFound)
	})
}

func TestCirclesAreRefusedWithTheirPath(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		a := in.storedJob(g, "a")
		side := in.storedJob(g, "side")
		b := in.waits(g, "b", a)
		c := in.waits(g, "c", b, side)
		in.waits(g, "d", c)
		err := in.rewire(a, side, c)
		all := fault.All(err)
		if len(all) != 1 || all[0].Code != fault.Invalid || strings.Join(all[0].Field, ".") != "trigger.dependency.upstream.1.job" ||
			!strings.Contains(all[0].Message, `"a" → "b" → "c" → "a"`) {
			t.Errorf("a circle of three: %+v", err)
		}
		if got := in.upstream(a); len(got) != 0 {
			t.Errorf("the refused edit left %v", got)
		}
		err = in.rewire(a, b)
		if len(fault.All(err)) != 1 || !strings.Contains(err.Error(), `"a" → "b" → "a"`) {
			t.Errorf("a circle of two: %v", err)
		}
		wantFault(t, in.rewire(b, b), fault.Invalid)
		in.must(in.rewire(b, side)) // not a → b any more
		in.must(in.rewire(a, c))    // and so no circle
	})
}

// Two edits that make a circle only together: one of them must fail.
func TestConcurrentEditsMakeNoCircle(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		for round := range 20 {
			a, b := in.storedJob(g, fmt.Sprint("a", round)), in.storedJob(g, fmt.Sprint("b", round))
			edits := []JobEdit{
				{Job: a, ExpectVersion: 1, Upstream: on(models.OnSuccess, b), Audit: in.audit("job", a.ID)},
				{Job: b, ExpectVersion: 1, Upstream: on(models.OnSuccess, a), Audit: in.audit("job", b.ID)},
			}
			errs := make([]error, 2)
			var wg sync.WaitGroup
			for i := range edits {
				wg.Go(func() { _, errs[i] = s.UpdateJob(t.Context(), edits[i]) })
			}
			wg.Wait()
			if (errs[0] == nil) == (errs[1] == nil) {
				t.Fatalf("round %d: %v and %v: exactly one must succeed", round, errs[0], errs[1])
			}
		}
	})
}

func TestJobsThatOthersWaitForAreNotDeleted(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		a := in.storedJob(g, "a")
		b, c := in.waits(g, "b", a), in.waits(g, "c", a)
		remove := func(j models.Job) error {
			_, err := s.DeleteJob(t.Context(), j.ID, in.tick(), in.audit("job", j.ID))
			return err
		}
		err := remove(a)
		wantFault(t, err, fault.Conflict)
		if err == nil || !strings.Contains(err.Error(), `The jobs "b" and "c" wait for this job`) {
			t.Errorf("refused with: %v", err)
		}
		in.must(remove(b))
		if err := remove(a); err == nil || !strings.Contains(err.Error(), `The job "c" waits for this job`) {
			t.Errorf("refused with: %v", err)
		}
		in.must(in.rewire(c))
		in.must(remove(a))
	})
}

// A chain of ten thousand jobs: an edit at its end searches all of it, level by level.
func TestLongChainIsSearchedWithoutRecursion(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		const length = 10_000
		jobs := make([]models.Job, length)
		edges := make([]models.Dependency, 0, length)
		for i := range jobs {
			jobs[i] = in.waiter(g, fmt.Sprintf("job-%05d", i))
			if i > 0 {
				edges = append(edges, models.Dependency{JobID: jobs[i].ID, UpstreamID: jobs[i-1].ID, On: models.OnSuccess})
			}
		}
		db := s.writer.WithContext(t.Context())
		in.must(db.CreateInBatches(&jobs, 100).Error)
		in.must(db.CreateInBatches(&edges, 500).Error)
		in.waits(g, "next", jobs[length-1])
		err := in.rewire(jobs[0], jobs[length-1])
		if len(fault.All(err)) != 1 || !strings.Contains(err.Error(), `"job-00009" → … (9981 more) → "job-09991"`) ||
			!strings.Contains(err.Error(), `→ "job-00000". Take`) {
			t.Errorf("a circle of all: %v", err)
		}
		other := in.storedJob(g, "other")
		in.must(in.rewire(jobs[length/2], jobs[length/2-1], other))
	})
}

func TestWithinARun(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		root, outside := in.storedJob(g, "root"), in.storedJob(g, "outside")
		b := in.waits(g, "b", root)
		c := in.waits(g, "c", b)
		j := in.waits(g, "j", root, c, outside)
		task := in.task(root, models.TaskSucceeded)
		in.store1(&task)
		within := func(rootID string) map[string]bool {
			all, err := s.Upstream(t.Context(), []string{j.ID})
			in.must(err)
			got, err := s.Within(t.Context(), rootID, all[j.ID])
			in.must(err)
			return got
		}
		want := map[string]bool{root.ID: true, c.ID: true, outside.ID: false}
		if diff := cmp.Diff(want, within(task.ID)); diff != "" {
			t.Errorf("within the run (-want +got):\n%s", diff)
		}
		in.must(in.rewire(outside, b)) // the kept graph is read anew
		want[outside.ID] = true
		if diff := cmp.Diff(want, within(task.ID)); diff != "" {
			t.Errorf("within the run after an edit (-want +got):\n%s", diff)
		}
		if got := within(models.NewID(t0)); got != nil {
			t.Errorf("within the run of an unknown root: %v", got)
		}
	})
}
