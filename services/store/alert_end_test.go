package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
)

// unhandled reads all events that are to be handled.
func unhandled(t testing.TB, s *Store) []models.AlertEvent {
	t.Helper()
	events, err := s.UnhandledAlertEvents(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// told are events in short: their kinds, and which task of tasks they are about.
func told(events []models.AlertEvent, tasks []models.Task) []string {
	var all []string
	for i := range events {
		e, n := &events[i], -1
		for j := range tasks {
			if e.TaskID != nil && tasks[j].ID == *e.TaskID {
				n = j
			}
		}
		all = append(all, fmt.Sprintf("%s %d", e.Kind, n))
	}
	return all
}

func TestAlertEventsOfEnds(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 9)
		tasks := w.tasks(9)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks...)
		decisions := map[string]Decision{}
		later := t0.Add(time.Hour)
		var ends []AttemptEnd
		for i, c := range []struct {
			outcome models.Outcome
			d       Decision
		}{
			{models.OutcomeSucceeded, Decision{Event: models.EventSucceed}},
			{models.OutcomeFailed, Decision{Event: models.EventRetry, AvailableAt: later}},
			{models.OutcomeFailed, Decision{Event: models.EventFail, Reason: models.ReasonNoRetry}},
			{models.OutcomeTimedOut, Decision{Event: models.EventRetry, Reason: models.ReasonTimedOut, AvailableAt: later}},
			{models.OutcomeLost, Decision{Event: models.EventRetry, Reason: models.ReasonLost, AvailableAt: later, Poisoned: true}},
			{models.OutcomeLost, Decision{Event: models.EventFail, Reason: models.ReasonPoison, Poisoned: true}},
			{models.OutcomeReleased, Decision{Event: models.EventRetry, Reason: models.ReasonRefused, AvailableAt: later, Uncounted: true}},
			{models.OutcomeFailed, Decision{Event: models.EventCancel, Reason: models.ReasonRequested}},
			{models.OutcomeLost, Decision{Event: models.EventFail, Reason: models.ReasonRetriesExhausted, Poisoned: true}},
		} {
			end := endOf(&rows[i], c.outcome, t0.Add(time.Minute+time.Duration(i)*time.Second))
			end.Error = strings.Repeat("é", 1200)
			ends = append(ends, end)
			decisions[rows[i].ID] = c.d
		}
		decide := func(t *models.Task, _ *AttemptEnd) Decision { return decisions[t.ID] }
		for range 2 { // a repeat writes nothing again
			if _, err := s.EndAttempts(t.Context(), nil, ends, decide); err != nil {
				t.Fatal(err)
			}
		}
		events := unhandled(t, s)
		want := []string{
			"ATTEMPT_FAILED 1", "ATTEMPT_FAILED 2", "RETRIES_EXHAUSTED 2", "TIMED_OUT 3", "LOST 4", "LOST 5", "POISON 5", "LOST 8", "RETRIES_EXHAUSTED 8",
		}
		if diff := cmp.Diff(want, told(events, tasks)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		lost := events[4]
		if len([]rune(lost.Error)) != 1000 || !lost.Details().TakenOver || !lost.Details().RetryAt.Equal(later) || lost.Details().Node != "worker-1" ||
			lost.Attempt != 1 || *lost.GroupID != w.group.ID || *lost.AppID != w.app.ID || lost.Subject != "job:"+tasks[4].JobID || !lost.At.Equal(ends[4].FinishedAt) {
			t.Errorf("%+v", lost)
		}
		if d := events[6].Details(); d.RetryAt != nil || d.TakenOver || d.Reason != models.ReasonPoison {
			t.Errorf("poison: %+v", d)
		}
	})
}

func TestAlertRecovered(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		calls := 0
		s.OnAlertEvents(func(context.Context) { calls++ })
		w := newWorld(t, s, 1)
		tasks := w.tasks(5)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks...)
		for i, outcome := range []models.Outcome{
			models.OutcomeSucceeded, models.OutcomeFailed, models.OutcomeFailed, models.OutcomeSucceeded, models.OutcomeSucceeded,
		} {
			end(t, s, endOf(&rows[i], outcome, t0.Add(time.Duration(i)*time.Minute)))
		}
		events := unhandled(t, s)
		if diff := cmp.Diff([]string{"ATTEMPT_FAILED 1", "ATTEMPT_FAILED 2", "RECOVERED 3"}, told(events, tasks)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if d := events[2].Details(); !d.Since.Equal(t0.Add(time.Minute)) {
			t.Errorf("recovered: %+v", d)
		}
		if calls != 3 {
			t.Errorf("told %d times of 3 transactions", calls)
		}
	})
}

// TestAlertRecoveries compares with what a reader of the turns alone would say.
func TestAlertRecoveries(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var a alertBooks
		failing := map[string]time.Time{}
		wantFailing, want := map[string]time.Time{}, 0
		for i := range rapid.IntRange(0, 30).Draw(t, "turns") {
			job := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "job")
			turn := alertTurn{job: job, at: t0.Add(time.Duration(i) * time.Second)}
			if _, bad := wantFailing[job]; rapid.Bool().Draw(t, "good") {
				turn.good = &models.Task{JobID: job}
				if bad {
					want++
				}
				delete(wantFailing, job)
			} else if !bad {
				wantFailing[job] = turn.at
			}
			a.turns = append(a.turns, turn)
		}
		for i := range a.turns { // ends come in any order
			j := rapid.IntRange(0, i).Draw(t, "swap")
			a.turns[i], a.turns[j] = a.turns[j], a.turns[i]
		}
		recovered := a.recover(failing)
		if len(recovered) != want || !maps.Equal(failing, wantFailing) {
			t.Fatalf("%d recovered and %v fail; want %d and %v", len(recovered), failing, want, wantFailing)
		}
	})
}

func TestAlertParked(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		if _, err := s.ParkTasks(t.Context(), nil, t0.Add(time.Minute), models.ReasonNodeAway, []string{task.ID}); err != nil {
			t.Fatal(err)
		}
		events := unhandled(t, s)
		if len(events) != 1 || events[0].Kind != models.AlertParked || events[0].Details().Reason != models.ReasonNodeAway || events[0].NodeID != nil {
			t.Errorf("%+v", events)
		}
	})
}

// TestAlertFireMissed: while nobody can run a job its missed fires are one event, however
// long that lasts, and the first success ends it.
func TestAlertFireMissed(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		job := w.cron(t, s, "cron", t0)
		var first models.Task
		for i := range 60 {
			at := t0.Add(time.Duration(i) * time.Second)
			f := w.fire(&job, at.Add(time.Second))
			f.ExpectedNext, f.Keep = at, 1
			f.Tasks = []models.Task{{
				ID: models.FireID(job.ID, at, -1), JobID: job.ID, AppID: w.app.ID, GroupID: w.group.ID, State: models.TaskWaiting,
				Trigger: models.TriggerCron, Priority: models.PriorityNormal, ScheduledAt: at, AvailableAt: at, CreatedAt: at, MaxAttempts: 1,
			}}
			f.Last = &at
			won, err := s.RecordFires(t.Context(), nil, []Fires{f})
			if err != nil || !won[0] {
				t.Fatalf("fire %d: %v, %v", i, won, err)
			}
			if i == 0 {
				first = f.Tasks[0]
			}
		}
		events := unhandled(t, s)
		if len(events) != 1 || events[0].Kind != models.AlertFireMissed || events[0].Details().Reason != models.ReasonNoWorker || *events[0].GroupID != w.group.ID {
			t.Fatalf("%+v", events)
		}
		rows := dispatch(t, s, t0.Add(time.Hour), first)
		end(t, s, endOf(&rows[0], models.OutcomeSucceeded, t0.Add(time.Hour)))
		if events = unhandled(t, s); len(events) != 2 || events[1].Kind != models.AlertRecovered {
			t.Errorf("%+v", events)
		}
	})
}

func TestAlertEventsAreHandledReadAndPruned(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		var events []models.AlertEvent
		for i := range 5 {
			events = append(events, models.AlertEvent{Kind: models.AlertServerLost, At: t0.Add(time.Duration(-i) * time.Second), Subject: fmt.Sprint("server:", i), Error: "\xff"})
		}
		from := s.clock.Now()
		err := s.write(t.Context(), "test", func(tx *gorm.DB) error { return s.insertAlertEvents(tx, events) })
		if err != nil {
			t.Fatal(err)
		}
		got := unhandled(t, s)
		subjects := func(list []models.AlertEvent) (all string) {
			for i := range list {
				all += strings.TrimPrefix(list[i].Subject, "server:")
			}
			return all
		}
		if subjects(got) != "43210" || got[0].Detail != "{}" || got[0].Error != "\uFFFD" {
			t.Fatalf("%+v", got)
		}
		err = s.write(t.Context(), "test", func(tx *gorm.DB) error { return s.markAlertEvents(tx, []string{got[3].ID, got[0].ID}) })
		if err != nil || subjects(unhandled(t, s)) != "320" {
			t.Errorf("after marking: %v, %v", unhandled(t, s), err)
		}
		to := s.clock.Now().Add(time.Second)
		all, err := s.AlertEventsBetween(t.Context(), from.Add(-time.Millisecond), to, "", 2)
		if err != nil || subjects(all) != "43" {
			t.Fatalf("%v, %v", all, err)
		}
		rest, err := s.AlertEventsBetween(t.Context(), from.Add(-time.Millisecond), to, all[1].ID, 10)
		if err != nil || subjects(rest) != "210" {
			t.Errorf("%v, %v", rest, err)
		}
		for _, want := range []int{3, 2, 0} {
			if n, err := s.PruneAlertEvents(t.Context(), to, 3); err != nil || n != want {
				t.Errorf("pruned %d, %v; want %d", n, err, want)
			}
		}
	})
}

// TestAlertsOfConcurrentEnds: batches of the same jobs that end at once, well and badly,
// neither fail nor lose a recovery.
func TestAlertsOfConcurrentEnds(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		const writers, jobs = 6, 12
		w := newWorld(t, s, jobs)
		tasks := w.tasks(writers * 40)
		last := w.tasks(jobs)
		create(t, s, append(slices.Clone(tasks), last...)...)
		rows := dispatch(t, s, t0, tasks...)
		var wg sync.WaitGroup
		for writer := range writers {
			wg.Go(func() {
				for part := range slices.Chunk(rows[writer*40:(writer+1)*40], 10) {
					var ends []AttemptEnd
					for i := range part {
						outcome := models.OutcomeSucceeded
						if (i+writer)%3 == 0 {
							outcome = models.OutcomeFailed
						}
						ends = append(ends, endOf(&part[i], outcome, t0.Add(time.Duration(i)*time.Second)))
					}
					if _, err := s.EndAttempts(t.Context(), nil, ends, decideBy); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		failed := map[string]bool{} // jobs whose latest event is no recovery
		for _, e := range unhandled(t, s) {
			failed[*e.JobID] = e.Kind != models.AlertRecovered
		}
		rows = dispatch(t, s, t0.Add(time.Hour), last...)
		for i := range rows {
			end(t, s, endOf(&rows[i], models.OutcomeSucceeded, t0.Add(time.Hour)))
		}
		for _, e := range unhandled(t, s) {
			if e.Kind == models.AlertRecovered {
				delete(failed, *e.JobID)
			}
		}
		var left int
		if err := queryOne(s.read(t.Context()), &left, "SELECT COUNT(*) FROM alert_failing"); err != nil || left > 0 {
			t.Errorf("%d jobs still fail, %v", left, err)
		}
		for job, open := range failed {
			if open {
				t.Errorf("nothing tells that job %s is well again", job)
			}
		}
	})
}
