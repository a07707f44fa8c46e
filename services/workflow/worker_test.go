package workflow

import (
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/catalog"
)

// A job that depends on one which runs all day, and whose own worker is missing, keeps
// one task that waits and counts the rest (the kind of CB-070).
func TestDependentsWithoutAWorkerAreCounted(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.whom = catalog.New(p.store, p.clock)
	p.flow = p.newFlow(p.owner)
	for name, c := range map[string]struct {
		concurrency models.Concurrency
		kept        int
	}{"one": {models.ConcurrencySkip, 1}, "each": {models.ConcurrencyAllow, 100}} {
		p.job("a "+name, nil, nil)
		b := p.job("b "+name, on(models.OnSuccess, "a "+name), func(j *models.Job) { j.Concurrency = c.concurrency })
		const runs = 120
		run := func() {
			p.run("a "+name, models.DownstreamTriggers)
			var upstream []models.Task
			for _, task := range p.waiting() {
				if task.JobID != b.ID {
					upstream = append(upstream, task)
				}
			}
			p.end(upstream, always(ok))
			p.must(p.flow.Pass(t.Context()))
			p.clock.Advance(time.Second)
		}
		for range runs {
			run()
		}
		if n := len(p.waiting()); n != c.kept {
			t.Errorf("%s: %d tasks wait, want %d", name, n, c.kept)
		}
		skipped, err := p.store.SkippedFires(t.Context(), []string{b.ID}, 10)
		p.must(err)
		if rows := skipped[b.ID]; len(rows) != 1 || rows[0].Reason != models.ReasonNoWorker || rows[0].Count != int64(runs-c.kept) {
			t.Errorf("%s: skipped %+v", name, rows)
		}
		// The worker comes: from then on each is run again.
		p.node(b.Handler, models.NodeOnline)
		run()
		if n := len(p.waiting()); n != c.kept+1 {
			t.Errorf("%s: %d tasks wait after a worker came", name, n)
		}
		p.end(p.waiting(), always(ok))
		p.node(b.Handler, models.NodeOffline)
		p.clock.Advance(time.Minute) // that it was there is forgotten
	}
}

// node gives the group a node with a handler, in a state.
func (p *plant) node(handler string, state models.NodeState) {
	p.Helper()
	now := p.clock.Now()
	_, _, err := p.store.RegisterNode(p.Context(), models.Node{
		ID: models.NewID(now), AppID: p.group.AppID, GroupID: p.group.ID, Name: "w", Incarnation: "i", State: state, Slots: 1,
		Handlers: []byte(`["` + handler + `"]`), Labels: []byte(`{}`), StartedAt: now, LastSeenAt: now,
	})
	p.must(err)
}
