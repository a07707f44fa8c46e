package store

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// depend writes that job waits for others of the world.
func (w *world) depend(t testing.TB, s *Store, job int, upstream ...int) {
	t.Helper()
	rows := make([]models.Dependency, len(upstream))
	for i, u := range upstream {
		rows[i] = models.Dependency{JobID: w.jobs[job].ID, UpstreamID: w.jobs[u].ID, On: models.OnSuccess, Place: i}
	}
	if err := s.writer.WithContext(t.Context()).Create(&rows).Error; err != nil {
		t.Fatal(err)
	}
}

// pending answers the arrivals that wait.
func pending(t testing.TB, s *Store, w *world) []models.Arrival {
	t.Helper()
	rows, err := s.PendingArrivals(t.Context(), []int{w.group.Partition}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// everyFire is a rule by which each arrival fires its run's window.
var everyFire = JoinRules{
	Window: func(_ *models.Job, a *models.Arrival) string { return a.RootID },
	Decide: func(w *Window) Joined {
		if w.Join.Closed() {
			return Joined{}
		}
		a := w.New[0]
		j := w.Job
		return Joined{
			Arrived: []models.JoinArrival{{
				JobID: j.ID, Window: w.Join.Window, UpstreamID: a.UpstreamID, TaskID: a.TaskID, Attempt: a.Attempt, State: a.State,
				ScheduledAt: a.ScheduledAt, EndedAt: a.EndedAt,
			}},
			Task: &models.Task{
				ID: models.JoinID(j.ID, w.Join.Window, a.ScheduledAt), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID,
				State: models.TaskWaiting, Trigger: models.TriggerDependency, Priority: j.Priority, ScheduledAt: a.ScheduledAt,
				AvailableAt: t0, CreatedAt: t0, MaxAttempts: 1, RootID: &a.RootID, Downstream: a.Downstream,
			},
			Inputs: []string{a.TaskID},
		}
	},
}

// TestEveryEndArrives takes tasks to their ends on every path.
func TestEveryEndArrives(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 3)
		w.depend(t, s, 1, 0)
		w.depend(t, s, 2, 0)
		var told [][]int
		s.OnArrivals(func(_ context.Context, parts []int) { told = append(told, parts) })
		tasks := make([]models.Task, 9)
		for i := range tasks {
			tasks[i] = w.task(0)
		}
		tasks[1].Downstream = models.DownstreamNone
		root := models.NewID(t0)
		tasks[2].RootID, tasks[2].Downstream = &root, models.DownstreamAll
		tasks = append(tasks, w.task(1)) // nobody waits for its job
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks[0], tasks[1], tasks[2], tasks[3], tasks[4], tasks[9])

		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		want := map[string][]models.TaskState{}
		ends := []AttemptEnd{
			endOf(&rows[0], models.OutcomeSucceeded, t0), endOf(&rows[1], models.OutcomeSucceeded, t0), endOf(&rows[2], models.OutcomeFailed, t0),
			endOf(&rows[3], models.OutcomeFailed, t0), endOf(&rows[4], models.OutcomeCancelled, t0), endOf(&rows[5], models.OutcomeSucceeded, t0),
		}
		ends[2].NoRetry = true // the other failure is tried again
		_, err := s.EndAttempts(t.Context(), nil, ends, decideBy)
		must(err)
		_, err = s.EndAttempts(t.Context(), nil, ends, decideBy) // the answer was lost; said again
		must(err)
		want[rows[0].ID] = []models.TaskState{models.TaskSucceeded}
		want[rows[2].ID] = []models.TaskState{models.TaskFailed}
		want[rows[4].ID] = []models.TaskState{models.TaskCancelled}

		_, err = s.CancelTask(t.Context(), tasks[5].ID, "", "", models.ReasonRequested, t0, nil)
		must(err)
		want[tasks[5].ID] = []models.TaskState{models.TaskCancelled}
		_, err = s.CancelTask(t.Context(), tasks[2].ID, "", "", models.ReasonRequested, t0, nil) // out of the failed queue
		must(err)
		want[tasks[2].ID] = append(want[tasks[2].ID], models.TaskCancelled)
		_, err = s.SkipTasks(t.Context(), nil, t0, models.ReasonOverlap, []string{tasks[6].ID})
		must(err)
		_, err = s.cancelDeleted(t.Context(), []string{tasks[7].ID}, t0)
		must(err)
		want[tasks[7].ID] = []models.TaskState{models.TaskCancelled}

		got := map[string][]models.TaskState{}
		for _, a := range pending(t, s, w) {
			if a.JobID == w.jobs[1].ID {
				got[a.TaskID] = append(got[a.TaskID], a.State)
			}
			if a.TaskID == tasks[2].ID && (a.RootID != root || a.Downstream != models.DownstreamAll) || a.TaskID == tasks[0].ID && a.RootID != a.TaskID {
				t.Errorf("arrival %+v has another run", a)
			}
		}
		for id := range got {
			slices.Sort(got[id])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("arrivals (-want +got):\n%s", diff)
		}
		if n := len(pending(t, s, w)); n != 12 {
			t.Errorf("%d arrivals for two dependents, want 12", n)
		}
		if len(told) != 4 || len(told[0]) != 1 || told[0][0] != w.group.Partition {
			t.Errorf("told of %v", told)
		}
	})
}

func TestDiscardedTaskArrivesOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		task := w.task(0)
		task.MaxAttempts = 1
		create(t, s, task)
		row := dispatch(t, s, t0, task)[0]
		end(t, s, endOf(&row, models.OutcomeFailed, t0))
		if _, err := s.DiscardTask(t.Context(), task.ID, "", "", t0, nil); err != nil {
			t.Fatal(err)
		}
		if got := pending(t, s, w); len(got) != 1 || got[0].State != models.TaskFailed || got[0].Attempt != 1 {
			t.Errorf("arrivals %+v", got)
		}
	})
}

// arrive ends n tasks of the world's first job well and answers what arrived.
func arrive(t testing.TB, s *Store, w *world, n int) ([]models.Task, []models.Arrival) {
	t.Helper()
	tasks := make([]models.Task, n)
	for i := range tasks {
		tasks[i] = w.task(0)
	}
	create(t, s, tasks...)
	rows := dispatch(t, s, t0, tasks...)
	for i := range rows {
		e := endOf(&rows[i], models.OutcomeSucceeded, t0)
		e.Result = []byte(`{"n":1}`)
		end(t, s, e)
	}
	return tasks, pending(t, s, w)
}

func TestArrivalsAreJoinedOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		tasks, arrivals := arrive(t, s, w, 2)
		at := t0.Add(time.Minute)
		got, err := s.RecordArrivals(t.Context(), Fence{w.group.Partition: 0}, at, arrivals, everyFire)
		if err != nil || len(got.Tasks) != 2 || len(got.Jobs) != 1 || got.Jobs[0].LastFireAt == nil {
			t.Fatalf("joined %+v, %v", got, err)
		}
		again, err := s.RecordArrivals(t.Context(), nil, at, arrivals, everyFire)
		if err != nil || len(again.Tasks) != 0 {
			t.Errorf("joined again: %+v, %v", again, err)
		}
		if left := pending(t, s, w); len(left) != 0 {
			t.Errorf("still pending: %+v", left)
		}
		fired := load(t, s, models.JoinID(w.jobs[1].ID, tasks[0].ID, tasks[0].ScheduledAt))
		if fired.Trigger != models.TriggerDependency || fired.RootID == nil || *fired.RootID != tasks[0].ID || fired.State != models.TaskWaiting {
			t.Errorf("fired %+v", fired)
		}
		inputs, err := s.TaskInputs(t.Context(), []string{fired.ID, tasks[0].ID})
		if err != nil || !cmp.Equal(inputs, map[string][]string{fired.ID: {tasks[0].ID}}) {
			t.Errorf("inputs %v, %v", inputs, err)
		}
		outputs, err := s.TaskOutputs(t.Context(), []string{tasks[0].ID, fired.ID}, 5)
		if err != nil || !cmp.Equal(outputs, map[string][]string{tasks[0].ID: {fired.ID}}) {
			t.Errorf("outputs %v, %v", outputs, err)
		}
		joins, err := s.Joins(t.Context(), []string{w.jobs[1].ID, w.jobs[0].ID}, 5)
		if err != nil || len(joins) != 1 || len(joins[w.jobs[1].ID]) != 2 || !joins[w.jobs[1].ID][0].Closed() {
			t.Fatalf("windows %+v, %v", joins, err)
		}
		arrived, err := s.JoinArrivals(t.Context(), joins[w.jobs[1].ID])
		if err != nil || len(arrived) != 2 || arrived[[2]string{w.jobs[1].ID, tasks[0].ID}][0].TaskID != tasks[0].ID {
			t.Errorf("arrived %+v, %v", arrived, err)
		}
		if n := counted1(t, s, w, models.TaskWaiting); n != 2 {
			t.Errorf("%d tasks are counted as waiting, want 2", n)
		}
	})
}

func counted1(t *testing.T, s *Store, w *world, state models.TaskState) int64 {
	t.Helper()
	all, err := s.Counters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all[w.group.ID][state]
}

func TestUpstreamResults(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		tasks, arrivals := arrive(t, s, w, 1)
		if _, err := s.RecordArrivals(t.Context(), nil, t0, arrivals, everyFire); err != nil {
			t.Fatal(err)
		}
		fired := models.JoinID(w.jobs[1].ID, tasks[0].ID, tasks[0].ScheduledAt)
		again := w.task(1)
		wish := Wish{Task: again, InputsOf: fired}
		for range 2 { // the answer was lost
			if _, err := s.CreateWished(t.Context(), []Wish{wish}); err != nil {
				t.Fatal(err)
			}
		}
		for limit, result := range map[int]string{6: "", 7: `{"n":1}`} {
			got, err := s.UpstreamResults(t.Context(), []string{fired, again.ID, tasks[0].ID}, limit)
			if err != nil {
				t.Fatal(err)
			}
			want := models.UpstreamResult{TaskID: tasks[0].ID, JobName: w.jobs[0].Name, State: models.TaskSucceeded, Bytes: 7}
			if result != "" {
				want.Result = []byte(result)
			}
			all := map[string][]models.UpstreamResult{fired: {want}, again.ID: {want}}
			if diff := cmp.Diff(all, got); diff != "" {
				t.Errorf("up to %d bytes (-want +got):\n%s", limit, diff)
			}
		}
	})
}

func TestDeposedOwnerJoinsNothing(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		_, arrivals := arrive(t, s, w, 1)
		if _, err := s.TakePartition(t.Context(), w.group.Partition, "another"); err != nil {
			t.Fatal(err)
		}
		_, err := s.RecordArrivals(t.Context(), Fence{w.group.Partition: 0}, t0, arrivals, everyFire)
		if !errors.Is(err, ErrDeposed) {
			t.Errorf("a deposed owner joined: %v", err)
		}
		if left := pending(t, s, w); len(left) != 1 {
			t.Errorf("pending: %+v", left)
		}
	})
}

// Two owners that both believe in themselves: each arrival is joined once.
func TestTwoJoinAtOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		_, arrivals := arrive(t, s, w, 20)
		made := make(chan int, 4)
		for range 4 {
			go func() {
				got, err := s.RecordArrivals(t.Context(), nil, t0, arrivals, everyFire)
				if err != nil {
					t.Error(err)
				}
				made <- len(got.Tasks)
			}()
		}
		if sum := <-made + <-made + <-made + <-made; sum != 20 {
			t.Errorf("%d tasks were made of 20 arrivals", sum)
		}
	})
}

func TestClosedWindowsAndSkippedOnes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		_, arrivals := arrive(t, s, w, 3)
		rules := everyFire
		rules.Decide = func(w *Window) Joined {
			if w.Join.Closed() {
				return Joined{}
			}
			return Joined{Skipped: models.ReasonPaused, At: w.New[0].ScheduledAt}
		}
		got, err := s.RecordArrivals(t.Context(), nil, t0, arrivals, rules)
		if err != nil || len(got.Tasks) != 0 {
			t.Fatalf("joined %+v, %v", got, err)
		}
		skipped, err := s.SkippedFires(t.Context(), []string{w.jobs[1].ID}, 10)
		rows := skipped[w.jobs[1].ID]
		if err != nil || len(rows) != 1 || rows[0].Count != 3 || rows[0].Reason != models.ReasonPaused || !rows[0].LastAt.Equal(rows[0].FirstAt.Add(2*time.Millisecond)) {
			t.Errorf("skipped %+v, %v", rows, err)
		}
		joins, err := s.Joins(t.Context(), []string{w.jobs[1].ID}, 2)
		if err != nil || len(joins[w.jobs[1].ID]) != 2 || joins[w.jobs[1].ID][0].Reason != models.ReasonPaused {
			t.Errorf("windows %+v, %v", joins, err)
		}
	})
}

func TestArrivalsOfJobsNobodyWaitsForAnyMore(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		_, arrivals := arrive(t, s, w, 1)
		j, err := s.Job(t.Context(), w.jobs[1].ID)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.UpdateJob(t.Context(), JobEdit{Job: j, ExpectVersion: j.Version, Upstream: []models.Dependency{}, Audit: models.Audit{ID: models.NewID(t0), At: t0}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.RecordArrivals(t.Context(), nil, t0, arrivals, everyFire)
		if err != nil || len(got.Tasks) != 0 || len(pending(t, s, w)) != 0 {
			t.Errorf("joined %+v, %v", got, err)
		}
		_, err = s.DeleteJob(t.Context(), w.jobs[1].ID, t0, models.Audit{ID: models.NewID(t0), At: t0})
		if fault.CodeOf(err) != "" {
			t.Error(err)
		}
	})
}

func TestWindowsAreForgotten(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		var windows []models.Task
		for i := range 5 {
			tasks, arrivals := arrive(t, s, w, 1)
			windows = append(windows, tasks...)
			if _, err := s.RecordArrivals(t.Context(), nil, t0.Add(time.Duration(i)*time.Hour), arrivals, everyFire); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := s.ForgetJoins(t.Context(), t0.Add(90*time.Minute), 10); err != nil || n != 2 {
			t.Errorf("forgot %d old windows, %v; want 2", n, err)
		}
		jobs, err := s.DependencyJobs(t.Context(), "", 10)
		if err != nil || !slices.Equal(jobs, []string{w.jobs[1].ID}) {
			t.Errorf("jobs that depend on others: %v, %v", jobs, err)
		}
		if n, err := s.TrimJoins(t.Context(), jobs[0], 2, 10); err != nil || n != 1 {
			t.Errorf("forgot %d windows too many, %v; want 1", n, err)
		}
		joins, err := s.Joins(t.Context(), jobs, 10)
		if err != nil || len(joins[jobs[0]]) != 2 || joins[jobs[0]][0].Window != windows[4].ID || joins[jobs[0]][1].Window != windows[3].ID {
			t.Errorf("left %+v, %v", joins, err)
		}
		var arrived int64
		if err := queryOne(s.read(t.Context()), &arrived, "SELECT COUNT(*) FROM join_arrivals"); err != nil || arrived != 2 {
			t.Errorf("%d arrivals are left, %v; want 2", arrived, err)
		}
	})
}
