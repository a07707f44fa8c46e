package store

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// created makes tasks the way that callers do, with their counters.
func (s *seed) created(tasks ...models.Task) {
	s.Helper()
	_, err := s.store.CreateTasks(s.Context(), tasks)
	s.must(err)
}

// fire is the task of a scheduled fire.
func (s *seed) fire(j models.Job, at time.Time) models.Task {
	return s.task(j, models.TaskWaiting, func(t *models.Task) {
		t.ID, t.ScheduledAt, t.AvailableAt, t.Trigger = models.FireID(j.ID, at, -1), at, at, j.TriggerKind
	})
}

// states answers the states of tasks by id; those that are gone are missing.
func (s *seed) states(ids ...string) map[string]models.TaskState {
	s.Helper()
	rows, err := s.store.TasksByIDs(s.Context(), ids)
	s.must(err)
	states := map[string]models.TaskState{}
	for _, t := range rows {
		states[t.ID] = t.State
	}
	return states
}

// wantCounters compares the counters with a count over the tasks.
func (s *seed) wantCounters() {
	s.Helper()
	var rows []struct {
		GroupID string
		State   models.TaskState
		N       int64
	}
	s.must(s.store.read(s.Context()).Raw("SELECT group_id, state, COUNT(*) AS n FROM tasks GROUP BY group_id, state").Scan(&rows).Error)
	want := map[string]map[models.TaskState]int64{}
	for _, r := range rows {
		if counted(r.State) {
			if want[r.GroupID] == nil {
				want[r.GroupID] = map[models.TaskState]int64{}
			}
			want[r.GroupID][r.State] = r.N
		}
	}
	got, err := s.store.Counters(s.Context())
	s.must(err)
	for group, states := range got {
		for state, n := range states {
			if n == 0 {
				delete(states, state)
			}
		}
		if len(states) == 0 {
			delete(got, group)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("counters (-counted +kept):\n%s", diff)
	}
}

func cronJob(j *models.Job) {
	j.TriggerKind, j.Expression, j.Zone = models.TriggerCron, "* * * * * ?", "UTC"
}

func TestUpdateJobTakesBackWhatWasWrittenAhead(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		now := in.tick().Truncate(time.Second)
		next := now.Add(4 * time.Second)
		j := in.storedJob(g, "tick", cronJob, func(j *models.Job) { j.NextFireAt = &next })
		other := in.storedJob(g, "tock", cronJob)
		past, present := in.fire(j, now.Add(-time.Second)), in.fire(j, now)
		ahead1, ahead2, started := in.fire(j, now.Add(time.Second)), in.fire(j, now.Add(2*time.Second)), in.fire(j, now.Add(3*time.Second))
		delayed := in.task(j, models.TaskWaiting, func(t *models.Task) {
			at := now.Add(time.Second)
			t.ID, t.ScheduledAt, t.AvailableAt, t.Trigger = models.NewID(at), at, at, models.TriggerDelay
		})
		others := in.fire(other, now.Add(time.Second))
		started.State = models.TaskRunning // by a server whose clock is ahead
		in.created(past, present, ahead1, ahead2, started, delayed, others)

		edit := JobEdit{Job: j, ExpectVersion: 1, ExpectNext: &next, Audit: in.audit("job", j.ID)}
		edit.Job.Description, edit.Job.Name, edit.Job.UpdatedAt = "changed", "tick 2", now
		edit.Job.LiveName = &edit.Job.Name
		edit.Job.NextFireAt = new(now.Add(time.Second))
		edit.Skipped = []models.SkippedFires{{ID: models.NewID(now), JobID: j.ID, FirstAt: now, LastAt: now, Count: 1, Reason: "EDITED", RecordedAt: now}}
		saved, err := s.UpdateJob(t.Context(), edit)
		in.must(err)
		want := edit.Job
		want.Version, want.LastFireAt = 2, &started.ScheduledAt
		if diff := cmp.Diff(want, saved); diff != "" {
			t.Errorf("the job (-want +answered):\n%s", diff)
		}
		waiting := models.TaskWaiting
		wantStates := map[string]models.TaskState{
			past.ID: waiting, present.ID: waiting, started.ID: models.TaskRunning, delayed.ID: waiting, others.ID: waiting,
		}
		got := in.states(past.ID, present.ID, ahead1.ID, ahead2.ID, started.ID, delayed.ID, others.ID)
		if diff := cmp.Diff(wantStates, got); diff != "" {
			t.Errorf("tasks after the edit (-want +got):\n%s", diff)
		}
		in.wantCounters()
		skipped, err := s.SkippedFires(t.Context(), []string{j.ID, other.ID}, 10)
		in.must(err)
		if diff := cmp.Diff(map[string][]models.SkippedFires{j.ID: edit.Skipped}, skipped); diff != "" {
			t.Errorf("skipped fires:\n%s", diff)
		}
	})
}

// The last fire of a job is one that stands: what an edit takes back is none (and what a
// calendar took out before it is not counted again when it comes back).
func TestLastFireAfterATakeBack(t *testing.T) {
	for name, c := range map[string]struct {
		tasks   func(in *seed, j models.Job, now time.Time) []models.Task
		trigger bool           // the edit is one of the trigger
		last    *time.Duration // after now
		since   time.Duration
	}{
		"nothing was written ahead": {func(*seed, models.Job, time.Time) []models.Task { return nil }, false, new(2 * time.Second), -time.Hour},
		"the first fire of all": {func(in *seed, j models.Job, now time.Time) []models.Task {
			return []models.Task{in.fire(j, now.Add(2*time.Second))}
		}, false, nil, 2 * time.Second},
		"one before that runs": {func(in *seed, j models.Job, now time.Time) []models.Task {
			before := in.fire(j, now.Add(-time.Minute))
			before.State = models.TaskRunning
			return []models.Task{before, in.fire(j, now.Add(2*time.Second))}
		}, false, new(-time.Minute), 2 * time.Second},
		"one before that failed, and others since by hand": {func(in *seed, j models.Job, now time.Time) []models.Task {
			before := in.fire(j, now.Add(-time.Minute))
			before.State = models.TaskFailed
			all := []models.Task{before, in.fire(j, now.Add(time.Second)), in.fire(j, now.Add(2*time.Second))}
			for range 30 {
				all = append(all, in.task(j, models.TaskSucceeded, func(t *models.Task) {
					t.ID, t.ScheduledAt, t.AvailableAt, t.Trigger = models.NewID(now), now, now, models.TriggerManual
				}))
			}
			return all
		}, false, new(-time.Minute), 2 * time.Second},
		"another trigger": {func(in *seed, j models.Job, now time.Time) []models.Task {
			return []models.Task{in.fire(j, now.Add(-time.Minute)), in.fire(j, now.Add(2*time.Second))}
		}, true, new(-time.Minute), 0},
	} {
		t.Run(name, func(t *testing.T) {
			forEachDialect(t, func(t *testing.T, s *Store) {
				in := newSeed(t, s)
				_, _, g := in.app("shop")
				now := in.tick().Truncate(time.Second)
				after := func(d time.Duration) *time.Time { return new(now.Add(d)) }
				j := in.storedJob(g, "tick", cronJob, func(j *models.Job) {
					j.NextFireAt, j.LastFireAt, j.TriggerSince = after(3*time.Second), after(2*time.Second), after(-time.Hour)
				})
				in.created(c.tasks(in, j, now)...)
				edit := JobEdit{Job: j, ExpectVersion: 1, ExpectNext: j.NextFireAt, Audit: in.audit("job", j.ID)}
				edit.Job.UpdatedAt, edit.Job.NextFireAt = now, after(time.Second)
				if c.trigger {
					edit.Job.TriggerSince = &now
				}
				saved, err := s.UpdateJob(t.Context(), edit)
				in.must(err)
				var last *time.Time
				if c.last != nil {
					last = after(*c.last)
				}
				if !sameTime(saved.LastFireAt, last) || !sameTime(saved.TriggerSince, after(c.since)) {
					t.Errorf("last %v, since %v; want %v, %v", saved.LastFireAt, saved.TriggerSince, last, after(c.since))
				}
				in.wantCounters()
			})
		})
	}
}

func TestUpdateJobRefusals(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		next := in.tick()
		j := in.storedJob(g, "tick", cronJob, func(j *models.Job) { j.NextFireAt = &next })
		in.storedJob(g, "taken")
		gone := in.storedJob(g, "gone")
		_, err := s.DeleteJob(t.Context(), gone.ID, in.tick(), in.audit("job", gone.ID))
		in.must(err)
		edit := func(change func(*JobEdit)) error {
			e := JobEdit{Job: j, ExpectVersion: 1, ExpectNext: &next, Audit: in.audit("job", j.ID)}
			change(&e)
			_, err := s.UpdateJob(t.Context(), e)
			return err
		}
		wantFault(t, edit(func(e *JobEdit) { e.ExpectVersion = 2 }), fault.Conflict)
		if err := edit(func(e *JobEdit) { e.ExpectNext = nil }); !errors.Is(err, ErrFireMoved) {
			t.Errorf("another next fire: %v, want ErrFireMoved", err)
		}
		if err := edit(func(e *JobEdit) { e.ExpectNext = new(next.Add(time.Second)) }); !errors.Is(err, ErrFireMoved) {
			t.Errorf("another next fire: %v, want ErrFireMoved", err)
		}
		wantFault(t, edit(func(e *JobEdit) { e.Job.Name = "taken"; e.Job.LiveName = &e.Job.Name }), fault.Taken)
		wantFault(t, edit(func(e *JobEdit) { e.Job.GroupID = "01NONE" }), fault.NotFound)
		wantFault(t, edit(func(e *JobEdit) { e.Job.ID = "01NONE" }), fault.NotFound)
		wantFault(t, edit(func(e *JobEdit) { e.Job.ID = gone.ID }), fault.NotFound)
		got, err := s.Job(t.Context(), j.ID)
		in.must(err)
		if diff := cmp.Diff(j, got); diff != "" {
			t.Errorf("the refused edits changed the job:\n%s", diff)
		}
		rows, err := s.audits(t.Context(), "job", []string{j.ID})
		in.must(err)
		if len(rows) != 1 {
			t.Errorf("%d audit rows, want that of the creation", len(rows))
		}
	})
}

func TestOneOfTwoEditsOfOneVersionWins(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		j := in.storedJob(g, "tick")
		var wg sync.WaitGroup
		errs := make([]error, 5)
		for i := range errs {
			e := JobEdit{Job: j, ExpectVersion: 1, Audit: in.audit("job", j.ID)}
			e.Job.Description = fmt.Sprint(i)
			wg.Go(func() { _, errs[i] = s.UpdateJob(t.Context(), e) })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				wantFault(t, err, fault.Conflict)
			}
		}
		if won != 1 {
			t.Errorf("%d of 5 edits won", won)
		}
	})
}

func TestEditedFixedDelayIsNeverStranded(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		fixedDelay := func(j *models.Job) { j.TriggerKind, j.EveryMS = models.TriggerFixedDelay, 60_000 }
		idle, busy := in.storedJob(g, "idle", fixedDelay), in.storedJob(g, "busy", fixedDelay)
		running := in.fire(busy, in.tick())
		running.State = models.TaskRunning
		in.created(running)
		for _, c := range []struct {
			job  models.Job
			want bool
		}{{idle, true}, {busy, false}} {
			e := JobEdit{Job: c.job, ExpectVersion: 1, Audit: in.audit("job", c.job.ID)}
			e.Job.UpdatedAt = in.tick()
			saved, err := s.UpdateJob(t.Context(), e)
			in.must(err)
			if got := saved.NextFireAt != nil; got != c.want || c.want && !saved.NextFireAt.Equal(e.Job.UpdatedAt) {
				t.Errorf("%s: next fire %v, wanted one: %t", c.job.Name, saved.NextFireAt, c.want)
			}
		}
	})
}

func TestDeleteJobCancelsWhatIsQueued(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, _, g := in.app("shop")
		before := in.group(app.ID, "before")
		in.must(s.CreateGroup(t.Context(), before, in.audit("group", before.ID)))
		j, other := in.storedJob(g, "pay", func(j *models.Job) { j.NextFireAt = new(in.now.Add(time.Hour)) }), in.storedJob(g, "ship")
		want := map[string]models.TaskState{}
		var tasks []models.Task
		queued := 0
		for i := range 1203 { // several transactions' worth
			state := []models.TaskState{models.TaskWaiting, models.TaskRetrying, models.TaskRunning, models.TaskSucceeded, models.TaskFailed}[i%5]
			task := in.task(j, state, func(task *models.Task) {
				if i%7 == 0 {
					task.GroupID = before.ID // where the job was then
				}
				if i%2 == 0 {
					task.UniqueKey = new(fmt.Sprint("k", i))
				}
			})
			want[task.ID] = state
			if state.Queued() {
				want[task.ID] = models.TaskCancelled
				queued++
			}
			tasks = append(tasks, task)
		}
		kept := in.task(other, models.TaskWaiting)
		in.created(append(tasks, kept)...)
		at := in.tick()
		n, err := s.DeleteJob(t.Context(), j.ID, at, in.audit("job", j.ID))
		in.must(err)
		if n != queued {
			t.Errorf("%d tasks were cancelled, want %d", n, queued)
		}
		ids := []string{}
		for id := range want {
			ids = append(ids, id)
		}
		if diff := cmp.Diff(want, in.states(ids...)); diff != "" {
			t.Errorf("tasks of the deleted job (-want +got):\n%s", diff)
		}
		if got := in.states(kept.ID); got[kept.ID] != models.TaskWaiting {
			t.Errorf("another job's task is %s", got[kept.ID])
		}
		cancelled, err := s.Task(t.Context(), tasks[0].ID)
		in.must(err)
		if cancelled.Reason != models.ReasonJobDeleted || cancelled.FinishedAt == nil || !cancelled.FinishedAt.Equal(at) {
			t.Errorf("a cancelled task: reason %q, finished %v", cancelled.Reason, cancelled.FinishedAt)
		}
		_, err = s.TaskByKey(t.Context(), j.ID, "k0")
		wantFault(t, err, fault.NotFound)
		failed, err := s.TaskByKey(t.Context(), j.ID, "k4") // FAILED keeps its key
		in.must(err)
		if failed.ID != tasks[4].ID {
			t.Errorf("the key is held by %s", failed.ID)
		}
		in.wantCounters()
		hours, err := s.JobHours(t.Context(), []string{j.ID}, at.Add(-time.Hour))
		in.must(err)
		sum := int64(0)
		for _, h := range hours {
			sum += h.Cancelled
		}
		if sum != int64(queued) {
			t.Errorf("the roll-up counts %d cancelled, want %d", sum, queued)
		}
		got, err := s.Job(t.Context(), j.ID)
		in.must(err)
		if got.LiveName != nil || got.DeletedAt == nil || got.NextFireAt != nil || got.Version != 2 {
			t.Errorf("the deleted job: %+v", got)
		}
		in.storedJob(g, "pay") // the name is free
		_, err = s.DeleteJob(t.Context(), j.ID, at, in.audit("job", j.ID))
		wantFault(t, err, fault.NotFound)
	})
}

func TestTaskReads(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		j := in.storedJob(g, "pay")
		key, node, progress, shard := "order-17 😀", "01NODENODENODENODENODENODE", 0.5, 3
		full := in.task(j, models.TaskRunning, func(t *models.Task) {
			t.UniqueKey, t.NodeID, t.NodeName, t.Incarnation, t.Progress, t.Shard, t.Shards = &key, &node, "n1", "one", &progress, &shard, &shard
			t.DispatchedAt, t.StartedAt, t.DeadlineAt = &t.CreatedAt, &t.CreatedAt, new(t.CreatedAt.Add(time.Hour))
			t.Attempt, t.Error, t.Result, t.Checkpoint = 2, "früher", []byte(`{"a":[1,2]}`), []byte(`"c"`)
			t.RootID, t.ParentID, t.ProgressMessage = &node, &node, "halb"
		})
		in.created(full)
		got, err := s.Task(t.Context(), full.ID)
		in.must(err)
		if diff := cmp.Diff(full, got); diff != "" {
			t.Errorf("(-stored +read):\n%s", diff)
		}
		byKey, err := s.TaskByKey(t.Context(), j.ID, key)
		in.must(err)
		if byKey.ID != full.ID {
			t.Errorf("by key: %s", byKey.ID)
		}
		_, err = s.Task(t.Context(), "01NONE")
		wantFault(t, err, fault.NotFound)
		existing, err := s.ExistingTasks(t.Context(), []string{full.ID, "01NONE"})
		in.must(err)
		if diff := cmp.Diff(map[string]bool{full.ID: true}, existing); diff != "" {
			t.Errorf("existing:\n%s", diff)
		}
		at := in.tick()
		attempts := []models.Attempt{
			{TaskID: full.ID, Number: 1, NodeID: &node, NodeName: "n1", Outcome: models.OutcomeFailed, AvailableAt: at, FinishedAt: &at, Error: "x", Result: []byte(`1`)},
			{TaskID: full.ID, Number: 2, Outcome: models.OutcomeLost, AvailableAt: at},
		}
		in.store1(&attempts)
		refusals := []models.Refusal{{ID: models.NewID(at), TaskID: full.ID, Attempt: 1, NodeName: "n1", At: at, Message: "late"}}
		in.store1(&refusals)
		audit := in.audit("task", full.ID)
		in.must(s.InsertAudits(t.Context(), []models.Audit{audit}))
		// The ledger adds whose task it is.
		audit.ActorKind, audit.AppID, audit.ObjectName = models.AuthorSystem, full.AppID, j.Name
		gotAttempts, err := s.Attempts(t.Context(), []string{full.ID})
		in.must(err)
		gotRefusals, err := s.Refusals(t.Context(), []string{full.ID, "01NONE"})
		in.must(err)
		gotAudits, err := s.TaskAudits(t.Context(), []string{full.ID})
		in.must(err)
		if diff := cmp.Diff([]any{attempts, refusals, []models.Audit{audit}}, []any{gotAttempts, gotRefusals, gotAudits}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("history (-stored +read):\n%s", diff)
		}
	})
}
