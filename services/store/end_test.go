package store

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestEndAttempts(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(3)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks...)
		at := t0.Add(time.Minute + 123456789*time.Nanosecond)
		ok, failed := endOf(&rows[0], models.OutcomeSucceeded, at), endOf(&rows[1], models.OutcomeFailed, at)
		ok.Result, failed.Error = json.RawMessage(`{"n":[1,2]}`), "boom"
		results, err := s.EndAttempts(t.Context(), nil, []AttemptEnd{
			ok, failed, {TaskID: models.NewID(t0), Attempt: 1}, ok, endOf(&rows[0], models.OutcomeFailed, at),
		}, decideBy)
		if err != nil {
			t.Fatal(err)
		}
		statuses := make([]EndStatus, len(results))
		for i := range results {
			statuses[i] = results[i].Status
		}
		if diff := cmp.Diff([]EndStatus{Ended, Ended, Missing, Ended, Stale}, statuses); diff != "" {
			t.Errorf("statuses (-want +got):\n%s", diff)
		}
		now := load(t, s, rows[0].ID)
		started, finished := ok.StartedAt.Truncate(time.Microsecond), at.Truncate(time.Microsecond)
		want := rows[0]
		want.State, want.Outcome, want.StartedAt, want.FinishedAt, want.Result = models.TaskSucceeded, models.OutcomeSucceeded, &started, &finished, ok.Result
		if diff := cmp.Diff(want, now); diff != "" {
			t.Errorf("succeeded (-want +got):\n%s", diff)
		}
		now = load(t, s, rows[1].ID)
		if now.State != models.TaskRetrying || now.Attempt != 1 || now.Error != "boom" || !now.AvailableAt.Equal(finished.Add(time.Second)) {
			t.Errorf("retried: %+v", now)
		}
		history := attemptsOf(t, s, rows[1].ID)
		if len(history) != 1 || history[0].Number != 1 || history[0].Error != "boom" || !history[0].AvailableAt.Equal(tasks[1].AvailableAt) {
			t.Errorf("history: %+v", history)
		}
		wantCounters(t, s)
	})
}

func TestEndAttemptsRepeatedAndStale(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		create(t, s, w.task(0))
		task := load(t, s, w.lastID(t, s))
		first := dispatch(t, s, t0, task)[0]
		lost := AttemptEnd{TaskID: task.ID, Attempt: 1, Outcome: models.OutcomeLost, FinishedAt: t0}
		if r := end(t, s, lost); r.Status != Ended || r.Task.State != models.TaskRetrying || r.Task.LostCount != 1 {
			t.Fatalf("lost: %+v", r)
		}
		late := endOf(&first, models.OutcomeSucceeded, t0.Add(time.Second))
		if r := end(t, s, late); r.Status != Stale || r.Task.State != models.TaskRetrying {
			t.Errorf("the result of a lost attempt: %+v", r)
		}
		if r := end(t, s, lost); r.Status != Ended || r.Task.LostCount != 1 {
			t.Errorf("repeat before the next dispatch: %+v", r)
		}
		retrying := load(t, s, task.ID)
		second := dispatch(t, s, t0, retrying)[0]
		if second.Attempt != 2 || second.Outcome != models.OutcomeNone || second.FinishedAt != nil {
			t.Errorf("second attempt: %+v", second)
		}
		if r := end(t, s, lost); r.Status != Ended || r.Task.State != models.TaskRunning {
			t.Errorf("repeat after the next dispatch: %+v", r)
		}
		if r := end(t, s, late); r.Status != Stale {
			t.Errorf("the result of a lost attempt, later: %+v", r)
		}
		foreign := endOf(&second, models.OutcomeSucceeded, t0)
		foreign.Incarnation = "another"
		if r := end(t, s, foreign); r.Status != Stale {
			t.Errorf("the result of another process: %+v", r)
		}
		if r := end(t, s, endOf(&second, models.OutcomeSucceeded, t0)); r.Status != Ended || r.Task.State != models.TaskSucceeded {
			t.Errorf("the right result: %+v", r)
		}
		if got := len(attemptsOf(t, s, task.ID)); got != 1 {
			t.Errorf("%d attempts in the history, want 1", got)
		}
		wantCounters(t, s)
	})
}

func TestIllegalDecisionWritesNothing(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(2)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks...)
		ends := []AttemptEnd{endOf(&rows[0], models.OutcomeSucceeded, t0), endOf(&rows[1], models.OutcomeFailed, t0)}
		_, err := s.EndAttempts(t.Context(), nil, ends, func(_ *models.Task, e *AttemptEnd) Decision {
			if e.Outcome == models.OutcomeFailed {
				return Decision{Event: models.EventDiscard}
			}
			return Decision{Event: models.EventSucceed}
		})
		if err == nil {
			t.Error("a running task was discarded")
		}
		if now := load(t, s, rows[0].ID); now.State != models.TaskRunning {
			t.Errorf("half of the batch was written: %s", now.State)
		}
	})
}

// TestLongErrorEndsTheAttempt is the case of a text that does not fit (CB-065): the attempt
// must end all the same, and the text is cut between characters and marked.
func TestLongErrorEndsTheAttempt(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		texts := map[string]string{
			"ascii":   strings.Repeat("x", 10<<20),
			"chinese": strings.Repeat("错", 70_000),
			"emoji":   strings.Repeat("x", wire.MaxErrorBytes-len(cutMark)-2) + strings.Repeat("😀", 9),
			"invalid": "a\xffb\xf0\x9f" + strings.Repeat("\xfex", 20_000),
			"short":   "short",
		}
		for name, text := range texts {
			task := w.task(0)
			create(t, s, task)
			e := endOf(&dispatch(t, s, t0, task)[0], models.OutcomeFailed, t0)
			e.Error = text
			e.Result = json.RawMessage("\"\xff\"") // a worker in another language may send it
			end(t, s, e)
			now := load(t, s, task.ID)
			if now.State != models.TaskRetrying {
				t.Errorf("%s: %s, want RETRYING", name, now.State)
			}
			if cut := len(valid(text)) > wire.MaxErrorBytes; cut != strings.HasSuffix(now.Error, cutMark) {
				t.Errorf("%s: marked as cut: %v, want %v", name, !cut, cut)
			}
			if len(now.Error) > wire.MaxErrorBytes || now.Error != strings.ToValidUTF8(now.Error, "") {
				t.Errorf("%s: %d bytes, ends with %q", name, len(now.Error), now.Error[len(now.Error)-20:])
			}
			if string(now.Result) != "\"\uFFFD\"" {
				t.Errorf("%s: result %q", name, now.Result)
			}
		}
	})
}

// Attempts handed back in a row are counted with the task, and any other end begins anew.
func TestHandedBackInARow(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		want := func(outcome models.Outcome, reason string, inRow, uncounted int) {
			t.Helper()
			e := endOf(&dispatch(t, s, t0, load(t, s, task.ID))[0], outcome, t0)
			e.Reason = reason
			end(t, s, e)
			if now := load(t, s, task.ID); now.HandedBack != inRow || now.Uncounted != uncounted {
				t.Errorf("%s %s: %d in a row of %d uncounted, want %d of %d", outcome, reason, now.HandedBack, now.Uncounted, inRow, uncounted)
			}
		}
		want(models.OutcomeReleased, models.ReasonRefused, 1, 1)
		want(models.OutcomeReleased, "", 2, 2)
		want(models.OutcomeReleased, models.ReasonSnoozed, 0, 3)
		want(models.OutcomeReleased, models.ReasonRefused, 1, 4)
		want(models.OutcomeFailed, "", 0, 4)
		want(models.OutcomeReleased, models.ReasonRefused, 1, 5)
	})
}
