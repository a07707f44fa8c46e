package graphtest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/workflow"
)

// Waiting makes a job that waits for others to succeed.
func (b *Bench) Waiting(t testing.TB, group, name string, upstream ...models.Job) models.Job {
	t.Helper()
	return b.Job(t, group, name, func(in *job.Input) {
		in.Trigger = job.TriggerInput{Dependency: &job.DependencyInput{}}
		for i := range upstream {
			in.Trigger.Dependency.Upstream = append(in.Trigger.Dependency.Upstream, job.UpstreamInput{Job: upstream[i].ID})
		}
	})
}

// Join has the ends of tasks arrive at the jobs that wait for them.
func (b *Bench) Join(t testing.TB) {
	t.Helper()
	w, err := workflow.New(workflow.Config{Ledger: b.store, Owner: all{}, Jobs: catalog.New(b.store, clock.System{}), Watcher: deaf{}, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// all owns every partition that nobody has taken yet.
type all struct{}

func (all) Partitions() map[int]int64 {
	held := map[int]int64{}
	for p := range models.Partitions {
		held[p] = 0
	}
	return held
}

func (all) Lost(...int) {}

// deaf is told in vain: what a test asks for is read from the ledger.
type deaf struct{}

func (deaf) TasksQueued(context.Context, []string) {}

func (deaf) JobsFired(context.Context, []models.Job) {}
