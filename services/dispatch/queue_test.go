package dispatch

import (
	"slices"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func queued(id, job string, p models.Priority, at time.Time) store.Queued {
	return store.Queued{ID: id, JobID: job, Priority: p, State: models.TaskWaiting, AvailableAt: at}
}

func order(q *queue, visit func(t *store.Queued) verdict) []string {
	var ids []string
	q.each(func(t *store.Queued) verdict {
		v := visit(t)
		if v == take {
			ids = append(ids, t.ID)
		}
		return v
	})
	return ids
}

func takeAll(*store.Queued) verdict { return take }

func TestQueueGoesByPriorityThenInTurn(t *testing.T) {
	t.Parallel()
	q := newQueue()
	for _, each := range []store.Queued{
		queued("a1", "a", models.PriorityNormal, noon), queued("a2", "a", models.PriorityNormal, noon),
		queued("a3", "a", models.PriorityNormal, noon), queued("b1", "b", models.PriorityNormal, noon),
		queued("l1", "b", models.PriorityLow, noon), queued("c1", "c", models.PriorityCritical, noon),
		queued("a1", "a", models.PriorityNormal, noon), // known already
	} {
		q.put(each, noon)
	}
	got := order(&q, takeAll)
	want := []string{"c1", "a1", "b1", "a2", "a3", "l1"}
	if !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if q.due != 0 || len(q.known) != 0 {
		t.Errorf("%d due and %d known are left", q.due, len(q.known))
	}
}

func TestQueueHoldsAJobNotTheOthers(t *testing.T) {
	t.Parallel()
	q := newQueue()
	for _, id := range []string{"a1", "a2", "b1", "b2"} {
		q.put(queued(id, id[:1], models.PriorityNormal, noon), noon)
	}
	asked := 0
	got := order(&q, func(t *store.Queued) verdict {
		if t.JobID == "a" {
			asked++
			return hold
		}
		return take
	})
	if !slices.Equal(got, []string{"b1", "b2"}) || asked != 1 {
		t.Errorf("took %v and asked the held job %d times", got, asked)
	}
	if got := order(&q, takeAll); !slices.Equal(got, []string{"a1", "a2"}) {
		t.Errorf("afterwards %v, want the held ones", got)
	}
}

func TestQueuePromotesAtTheInstant(t *testing.T) {
	t.Parallel()
	q := newQueue()
	q.put(queued("later", "a", models.PriorityNormal, noon.Add(2*time.Second)), noon)
	q.put(queued("soon", "a", models.PriorityNormal, noon.Add(time.Second)), noon)
	if at, ok := q.nextDue(); !ok || !at.Equal(noon.Add(time.Second)) {
		t.Errorf("next due %v, %v", at, ok)
	}
	q.promote(noon.Add(time.Second - time.Microsecond))
	if q.due != 0 {
		t.Error("promoted early")
	}
	q.promote(noon.Add(time.Second))
	if got := order(&q, takeAll); !slices.Equal(got, []string{"soon"}) {
		t.Errorf("due: %v", got)
	}
}

// Tasks that become due at one instant start in the order in which the ledger has them.
func TestQueueKeepsTheOrderOfOneInstant(t *testing.T) {
	t.Parallel()
	q := newQueue()
	want := []string{"a", "b", "c", "d", "e", "f"}
	for _, id := range want {
		q.put(queued(id, "job", models.PriorityNormal, noon.Add(time.Second)), noon)
	}
	q.promote(noon.Add(time.Second))
	check(t, "order", order(&q, takeAll), want)
}

func TestQueueDrop(t *testing.T) {
	t.Parallel()
	q := newQueue()
	for _, id := range []string{"a1", "a2", "b1"} {
		q.put(queued(id, id[:1], models.PriorityNormal, noon), noon)
	}
	q.drop(map[string]bool{"a1": true, "b1": true})
	if got := order(&q, takeAll); !slices.Equal(got, []string{"a2"}) || q.due != 0 {
		t.Errorf("left %v, due %d", got, q.due)
	}
}

func TestRescheduledTaskLeavesItsPlace(t *testing.T) {
	t.Parallel()
	q := newQueue()
	a, b := queued("a", "j", models.PriorityNormal, noon), queued("b", "j", models.PriorityNormal, noon.Add(3*time.Second))
	q.fill([]store.Queued{a, b}, nil, noon)
	a.AvailableAt, b.AvailableAt = noon.Add(2*time.Second), noon // a was put off, b brought forward
	q.fill([]store.Queued{a, b}, nil, noon)
	if at, ok := q.nextDue(); q.due != 1 || len(q.soon) != 1 || !ok || !at.Equal(a.AvailableAt) {
		t.Fatalf("%d due, %d soon at %s", q.due, len(q.soon), at)
	}
	var order []string
	visit := func(t *store.Queued) verdict { order = append(order, t.ID); return take }
	q.each(visit)
	q.promote(a.AvailableAt)
	q.each(visit)
	if len(order) != 2 || order[0] != "b" || order[1] != "a" || len(q.known) != 0 {
		t.Errorf("order %v, %d known", order, len(q.known))
	}
}
