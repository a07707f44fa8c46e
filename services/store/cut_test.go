package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
)

// The connection to the database breaks a hundred times at any statement of firing and
// dispatching (CB-064): nothing is left half done. Each fire has its one task, each task
// runs its first attempt, and the job's next fire stands.
func TestConnectionsBreakWhileTasksAreFiredAndDispatched(t *testing.T) {
	t.Parallel()
	server := testserver.MariaDB(t)
	template, err := mariadbTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	name := server.Clone(t, template, "partitions", "alert_rules", versionTable)
	proxy := newCutter(t, server.Addr())
	s := openTest(t, Options{URL: "mysql://root@" + proxy.listener.Addr().String() + "/" + name})
	w := newWorld(t, s, 1)
	j := w.cron(t, s, "minutely", t0)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	// sure repeats a write as its callers do: until it is known to stand.
	sure := func(what string, write func() error) {
		t.Helper()
		proxy.packets.Store(1 + random.Int64N(12))
		for try := 1; ; try++ {
			err := write()
			if err == nil {
				break
			}
			if try == 10 {
				t.Fatalf("%s does not come to an end: %v", what, err)
			}
		}
		proxy.packets.Store(0)
	}
	var ids []string
	for round := range 100 {
		next := t0.Add(time.Duration(round+1) * time.Minute)
		fires := []Fires{w.fire(&j, next)}
		sure("firing", func() error { _, err := s.RecordFires(t.Context(), nil, fires); return err })
		fired := fires[0].Tasks[0]
		sure("dispatching", func() error {
			_, _, err := s.DispatchTasks(t.Context(), nil, next, []Dispatch{dispatchOf(&fired, 1)}, nil)
			return err
		})
		ids, j.NextFireAt = append(ids, fired.ID), &next
	}
	if proxy.cuts.Load() < 50 {
		t.Errorf("only %d connections were broken", proxy.cuts.Load())
	}
	for _, id := range ids {
		if now := load(t, s, id); now.State != models.TaskRunning || now.Attempt != 1 || now.NodeID == nil || now.DeadlineAt == nil {
			t.Errorf("task %s is %s, attempt %d", id, now.State, now.Attempt)
		}
	}
	rows, _, err := s.TaskPage(t.Context(), TaskFilter{JobID: j.ID}, Page{First: 1000})
	if err != nil || len(rows) != len(ids) {
		t.Errorf("%d tasks of %d fires, %v", len(rows), len(ids), err)
	}
	stored, err := s.Job(t.Context(), j.ID)
	if err != nil || stored.NextFireAt == nil || !stored.NextFireAt.Equal(*j.NextFireAt) {
		t.Errorf("the job's next fire is %v, %v", stored.NextFireAt, err)
	}
	wantCounters(t, s)
}
