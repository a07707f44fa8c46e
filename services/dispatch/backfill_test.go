package dispatch

import (
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Tasks of backfills neither give way to the job's own fires nor drive them away,
// whatever the job's rule for overlapping with itself.
func TestBackfillsWaitWhateverThePolicy(t *testing.T) {
	t.Parallel()
	fire := queued("fire", "j", models.PriorityLow, noon)
	fire.Trigger = models.TriggerCron
	fill := queued("fill", "j", models.PriorityLow, noon)
	fill.Trigger = models.TriggerBackfill
	own := map[string]store.JobLive{"j": {Running: 1}}
	filling := map[string]store.JobLive{"j": {Running: 1, Backfills: 1}}
	retrying := map[string]store.JobLive{"j": {Retrying: 1, Backfills: 1}}
	both := map[string]store.JobLive{"j": {Running: 1, Retrying: 1, Backfills: 1}}
	for name, c := range map[string]struct {
		policy   models.Concurrency
		live     map[string]store.JobLive
		tasks    []store.Queued
		given    []string
		skips    int
		replaces bool
	}{
		"skip, a fire runs":                    {models.ConcurrencySkip, own, []store.Queued{fill}, nil, 0, false},
		"skip, a backfill runs":                {models.ConcurrencySkip, filling, []store.Queued{fire}, nil, 0, false},
		"skip, a backfill will be tried again": {models.ConcurrencySkip, retrying, []store.Queued{fire}, nil, 0, false},
		"skip, both are live":                  {models.ConcurrencySkip, both, []store.Queued{fire}, nil, 1, false},
		"skip, a fire runs, a fire comes":      {models.ConcurrencySkip, own, []store.Queued{fire}, nil, 1, false},
		"skip, both come, the backfill first":  {models.ConcurrencySkip, nil, []store.Queued{fill, fire}, []string{"fill→a"}, 0, false},
		"replace, a fire runs":                 {models.ConcurrencyReplace, own, []store.Queued{fill}, nil, 0, false},
		"replace, a backfill runs":             {models.ConcurrencyReplace, filling, []store.Queued{fire}, nil, 0, false},
		"replace, both are live":               {models.ConcurrencyReplace, both, []store.Queued{fire}, nil, 0, true},
		"queue, a backfill runs":               {models.ConcurrencyQueue, filling, []store.Queued{fire, fill}, nil, 0, false},
		"queue, both wait":                     {models.ConcurrencyQueue, nil, []store.Queued{fire, fill}, []string{"fire→a"}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := allowJob("j")
			j.Concurrency = c.policy
			p, _ := scene{nodes: []models.Node{onlineNode("a", 9, "H")}, tasks: c.tasks, jobs: []*models.Job{j}, live: c.live}.plan(t)
			check(t, "plan", given(p), c.given)
			skipped := 0
			for _, ids := range p.skips {
				skipped += len(ids)
			}
			if skipped != c.skips || (len(p.replaces) > 0) != c.replaces {
				t.Errorf("skips %v, replaces %v", p.skips, p.replaces)
			}
		})
	}
}
