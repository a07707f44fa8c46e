package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// some takes up to n tasks in the queue's order, as a plan with room for n does.
func some(q *queue, n int) (jobs []string) {
	q.each(func(t *store.Queued) verdict {
		if len(jobs) == n {
			return hold
		}
		jobs = append(jobs, t.JobID)
		return take
	})
	return jobs
}

// However little room each plan has, the jobs of one priority take turns: while all of
// them have tasks, none gets two more than another.
func TestJobsTakeTurnsAcrossPlans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue()
		jobs := rapid.IntRange(2, 6).Draw(t, "jobs")
		left := map[string]int{}
		for j := range jobs {
			job := fmt.Sprintf("job-%d", j)
			left[job] = rapid.IntRange(1, 30).Draw(t, "tasks")
			for i := range left[job] {
				q.put(queued(fmt.Sprintf("%s-%d", job, i), job, models.PriorityNormal, noon), noon)
			}
		}
		served := map[string]int{}
		for q.due > 0 {
			for _, job := range some(&q, rapid.IntRange(1, 5).Draw(t, "room")) {
				served[job]++
				left[job]--
				for other, n := range left {
					if n > 0 && served[job] > served[other]+1 {
						t.Fatalf("%s was served %d times, %s, which has %d more, %d times", job, served[job], other, n, served[other])
					}
				}
			}
		}
	})
}

// A steady load of urgent tasks that takes all the room there is starves nothing: what
// has waited long enough takes turns with it. Before, priority alone decides.
func TestNothingStarves(t *testing.T) {
	t.Parallel()
	q := newQueue()
	for _, p := range []models.Priority{models.PriorityLow, models.PriorityNormal, models.PriorityHigh} {
		q.put(queued(p.String(), p.String(), p, noon), noon)
	}
	waited := map[string]time.Duration{}
	for s := range int((4 * agedAfter).Seconds()) {
		now := noon.Add(time.Duration(s) * time.Second)
		for i := range 3 { // three come, two may go
			q.put(queued(fmt.Sprintf("c-%d-%d", s, i), "urgent", models.PriorityCritical, now), now)
		}
		q.age(now)
		for _, job := range some(&q, 2) {
			if job != "urgent" {
				waited[job] = now.Sub(noon)
			}
		}
	}
	for p, levels := range map[models.Priority]time.Duration{models.PriorityHigh: 1, models.PriorityNormal: 2, models.PriorityLow: 3} {
		got, ran := waited[p.String()]
		if !ran || got < levels*agedAfter || got > levels*agedAfter+2*time.Second {
			t.Errorf("%s ran: %t, after %s", p, ran, got)
		}
	}
}

// Ageing loses nothing, and of one job the one that has waited longest goes first.
func TestAgeingKeepsTheOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue()
		n := rapid.IntRange(1, 40).Draw(t, "tasks")
		at := map[string]time.Time{}
		for i := range n {
			id := fmt.Sprintf("t%02d", i)
			at[id] = noon.Add(time.Duration(i) * time.Minute)
			q.put(queued(id, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "job"), rapid.SampledFrom(models.Priorities[:]).Draw(t, "priority"), at[id]), noon.Add(time.Hour))
		}
		q.age(noon.Add(24 * time.Hour)) // all have waited for long
		var order []string
		q.each(func(t *store.Queued) verdict { order = append(order, t.JobID+t.ID); return take })
		if len(order) != n || q.due != 0 || len(q.known) != 0 {
			t.Fatalf("%d of %d tasks went; %d due, %d known", len(order), n, q.due, len(q.known))
		}
		for _, job := range []string{"a", "b"} {
			of := slices.DeleteFunc(slices.Clone(order), func(s string) bool { return !strings.HasPrefix(s, job) })
			if !slices.IsSorted(of) {
				t.Fatalf("of job %s they went in the order %v", job, of)
			}
		}
	})
}
