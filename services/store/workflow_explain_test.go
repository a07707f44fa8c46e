package store

import (
	"context"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// fillWorkflow loads some thousand dependencies, windows and pending arrivals, among
// them some of the world's jobs.
func fillWorkflow(t *testing.T, s *Store, w *world) {
	t.Helper()
	const many = 3000
	w.depend(t, s, 1, 0)
	w.depend(t, s, 2, 0, 1)
	edges := make([]models.Dependency, many)
	joins, arrived := make([]models.Join, many), make([]models.JoinArrival, many)
	arrivals, inputs := make([]models.Arrival, many), make([]models.TaskInput, many)
	for i := range many {
		at := t0.Add(time.Duration(i) * time.Minute)
		job, upstream, task := models.NewID(at), models.NewID(at), models.NewID(at)
		edges[i] = models.Dependency{JobID: job, UpstreamID: upstream, On: models.OnSuccess}
		joins[i] = models.Join{JobID: job, Window: task, OpenedAt: at}
		arrived[i] = models.JoinArrival{JobID: job, Window: task, UpstreamID: upstream, TaskID: task, ScheduledAt: at, EndedAt: at}
		arrivals[i] = models.Arrival{ID: models.NewID(at), Partition: i % models.Partitions, JobID: job, UpstreamID: upstream, TaskID: task, RootID: task, ScheduledAt: at, EndedAt: at}
		inputs[i] = models.TaskInput{TaskID: task, UpstreamID: models.NewID(at)}
	}
	db := s.writer.WithContext(t.Context())
	for _, rows := range []any{&edges, &joins, &arrived, &arrivals, &inputs} {
		if err := db.CreateInBatches(rows, 500).Error; err != nil {
			t.Fatal(err)
		}
	}
	statement := "ANALYZE"
	if s.dialect == mariadb {
		statement = "ANALYZE TABLE dependencies, joins, join_arrivals, arrivals, task_inputs"
	}
	if err := db.Exec(statement).Error; err != nil {
		t.Fatal(err)
	}
}

// workflowPath calls what joins arrivals and what people read of it.
func workflowPath(ctx context.Context, t *testing.T, s *Store, w *world) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	parts := []int{w.group.Partition, (w.group.Partition + 1) % models.Partitions}
	tasks, _ := arrive(t, s, w, 3)
	arrivals, err := s.PendingArrivals(ctx, parts, 1000)
	must(err)
	for i := range arrivals {
		if arrivals[i].UpstreamID == w.jobs[0].ID {
			arrivals[i].Downstream = models.DownstreamAll
		}
	}
	_, err = s.RecordArrivals(ctx, Fence{w.group.Partition: 0}, t0, arrivals, everyFire)
	must(err)
	jobs := []string{w.jobs[1].ID, w.jobs[2].ID}
	all, err := s.Upstream(ctx, jobs)
	must(err)
	_, err = s.Within(ctx, tasks[0].ID, all[jobs[1]])
	must(err)
	_, err = s.Dependents(ctx, []string{w.jobs[0].ID}, 10)
	must(err)
	_, err = s.CountDependents(ctx, []string{w.jobs[0].ID})
	must(err)
	joins, err := s.Joins(ctx, jobs, 10)
	must(err)
	_, err = s.JoinArrivals(ctx, joins[jobs[0]])
	must(err)
	_, err = s.TaskInputs(ctx, idsOfTasks(tasks))
	must(err)
	_, err = s.UpstreamResults(ctx, idsOfTasks(tasks), 100)
	must(err)
	_, err = s.TaskOutputs(ctx, idsOfTasks(tasks), 10)
	must(err)
	_, err = s.DependencyJobs(ctx, "", 1000)
	must(err)
	_, err = s.TrimJoins(ctx, jobs[0], 1, 10)
	must(err)
	_, err = s.ForgetJoins(ctx, t0.Add(10*time.Minute), 100)
	must(err)
	edit, err := s.Job(ctx, jobs[0])
	must(err)
	_, err = s.UpdateJob(ctx, JobEdit{
		Job: edit, ExpectVersion: edit.Version, Upstream: on(models.OnSuccess, w.jobs[0], w.jobs[3]), Audit: models.Audit{ID: models.NewID(t0), At: t0},
	})
	must(err)
	_, err = s.DeleteJob(ctx, jobs[1], t0, models.Audit{ID: models.NewID(t0), At: t0})
	must(err)
}
