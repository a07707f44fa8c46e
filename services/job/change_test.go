package job

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

func (s *shop) update(u Update) models.Job {
	s.Helper()
	j, err := s.Update(s.Context(), "ada", u)
	s.must(err)
	return j
}

// fired moves a job's next fire on as the trigger does.
func (s *shop) fired(j models.Job, next *time.Time) models.Job {
	s.Helper()
	_, err := s.store.RecordFires(s.Context(), nil, []store.Fires{{JobID: j.ID, Version: j.Version, ExpectedNext: *j.NextFireAt, Next: next, Last: j.NextFireAt}})
	s.must(err)
	return s.read(j.ID)
}

func (s *shop) read(id string) models.Job {
	s.Helper()
	j, err := s.Job(s.Context(), id)
	s.must(err)
	return j
}

func (s *shop) skipped(id string) []models.SkippedFires {
	s.Helper()
	all, err := s.SkippedFires(s.Context(), []string{id}, 100)
	s.must(err)
	return all[id]
}

func TestAbsentStaysNullIsTheDefault(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	before := s.job("pay", func(in *Input) {
		in.Parameters, in.Labels, in.Description = []byte(`{"a":1}`), []byte(`{"b":"c"}`), new("text")
		in.Timeout, in.MaxRunning, in.Priority = new(time.Minute), new(4), new(models.PriorityHigh)
		in.Retry = &RetryInput{MaxAttempts: 5, Backoff: new(models.BackoffExponential), Delay: time.Second}
		in.Misfire = &MisfireInput{Policy: models.MisfireSkip, Grace: new(time.Second), Limit: new(3)}
		in.Routing, in.Concurrency, in.Delivery = &RoutingInput{Strategy: models.RouteRandom}, new(models.ConcurrencySkip), new(models.AtMostOnce)
	})
	s.clock.Advance(time.Minute)
	same := s.update(Update{ID: before.ID})
	want := before
	want.Version, want.UpdatedAt = 2, s.clock.Now()
	if diff := cmp.Diff(want, same); diff != "" {
		t.Errorf("absent fields (-want +got):\n%s", diff)
	}
	nulls := s.update(Update{
		ID: before.ID, Parameters: Null[json.RawMessage](), Labels: Null[json.RawMessage](), Description: Null[string](), Timeout: Null[time.Duration](),
		MaxRunning: Null[int](), Priority: Null[models.Priority](), Retry: Null[RetryInput](), Misfire: Null[MisfireInput](),
		Routing: Null[RoutingInput](), Concurrency: Null[models.Concurrency](), Delivery: Null[models.Delivery](), Enabled: Null[bool](), Sharding: Null[ShardingInput](),
	})
	plain := s.job("plain")
	want = plain
	want.ID, want.Name, want.LiveName, want.Version, want.CreatedAt = before.ID, "pay", new("pay"), 3, before.CreatedAt
	want.TriggerSince = before.TriggerSince
	if diff := cmp.Diff(want, nulls); diff != "" {
		t.Errorf("nulls (-want +got):\n%s", diff)
	}
	_, err := s.Update(t.Context(), "ada", Update{ID: before.ID, Name: Null[string](), Handler: Null[string](), GroupID: Null[string](), Trigger: Null[TriggerInput]()})
	if diff := cmp.Diff([]string{"REQUIRED group", "REQUIRED name", "REQUIRED handler", "REQUIRED trigger"}, fields(err)); diff != "" {
		t.Errorf("nulls without a default:\n%s", diff)
	}
}

func TestUpdateTakesEverything(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	other := s.newGroup(s.app.ID, "other")
	s.must(s.store.CreateGroup(t.Context(), other, s.audit()))
	j := s.job("pay")
	got := s.update(Update{
		ID: j.ID, Version: new(1), GroupID: Some(other.ID), Name: Some("ship"), Handler: Some("Ship"), Description: Some("d"),
		Parameters: Some(json.RawMessage(`[1]`)), Labels: Some(json.RawMessage(`{"a":"b"}`)), Trigger: Some(cronTrigger("*/5 * * * *")), Enabled: Some(true),
		Priority: Some(models.PriorityLow), Timeout: Some(time.Minute), Retry: Some(RetryInput{MaxAttempts: 3, Delay: time.Second}),
		Concurrency: Some(models.ConcurrencyReplace), MaxRunning: Some(9), Misfire: Some(MisfireInput{Policy: models.MisfireSkip}),
		Delivery: Some(models.AtMostOnce), Routing: Some(RoutingInput{Strategy: models.RouteRoundRobin}),
	})
	route := models.RouteRoundRobin
	want := models.Job{
		ID: j.ID, AppID: s.app.ID, GroupID: other.ID, Partition: other.Partition, Name: "ship", LiveName: new("ship"), Handler: "Ship", Description: "d",
		Parameters: []byte(`[1]`), Labels: []byte(`{"a":"b"}`), TriggerKind: models.TriggerCron, Expression: "*/5 * * * *", Zone: "UTC", Enabled: true,
		Priority: models.PriorityLow, TimeoutMS: 60_000, Concurrency: models.ConcurrencyReplace, MaxRunning: new(9), Delivery: models.AtMostOnce, Routing: &route,
		MaxAttempts: 3, Backoff: models.BackoffFixed, RetryDelayMS: 1000, RetryMaxDelayMS: 3_600_000, MisfirePolicy: models.MisfireSkip, MisfireGraceMS: 15_000,
		MisfireLimit: 100, NextFireAt: new(start.Truncate(5 * time.Minute).Add(5 * time.Minute)), Version: 2, TriggerSince: &start, CreatedAt: j.CreatedAt, UpdatedAt: start,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUpdateRefusals(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.job("taken")
	_, foreign := s.newApp("bank")
	j := s.job("pay", cron("* * * * *"))
	for name, c := range map[string]struct {
		update Update
		want   string
	}{
		"version":       {Update{Version: new(2)}, "CONFLICT version"},
		"name":          {Update{Name: Some("taken")}, "TAKEN name"},
		"other app":     {Update{GroupID: Some(foreign.ID)}, "INVALID group"},
		"no group":      {Update{GroupID: Some("01NONE")}, "NOT_FOUND group"},
		"trigger":       {Update{Trigger: Some(cronTrigger("x"))}, "INVALID trigger.cron.expression"},
		"never":         {Update{Trigger: Some(cronTrigger("0 0 31 11 *"))}, "INVALID trigger.cron.expression"},
		"max delay":     {Update{Retry: Some(RetryInput{MaxAttempts: 1, Delay: time.Hour, MaxDelay: new(time.Minute)})}, "INVALID retry.maxDelay"},
		"sharding":      {Update{Sharding: Some(ShardingInput{Shards: 5})}, "UNSUPPORTED sharding"},
		"timeout":       {Update{Timeout: Some(time.Duration(0))}, "INVALID timeout"},
		"no such job":   {Update{ID: "01NONE"}, "NOT_FOUND "},
		"empty handler": {Update{Handler: Some("")}, "REQUIRED handler"},
	} {
		if c.update.ID == "" {
			c.update.ID = j.ID
		}
		_, err := s.Update(t.Context(), "ada", c.update)
		if diff := cmp.Diff([]string{c.want}, fields(err)); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if diff := cmp.Diff(j, s.read(j.ID)); diff != "" {
		t.Errorf("a refused edit changed the job:\n%s", diff)
	}
}

func TestEditsAtOnceAllHold(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay", cron("* * * * *"))
	var wg sync.WaitGroup
	edits := []Update{{Description: Some("d")}, {Priority: Some(models.PriorityLow)}, {MaxRunning: Some(3)}, {Timeout: Some(time.Minute)}, {Handler: Some("H")}}
	for _, u := range edits {
		u.ID = j.ID
		wg.Go(func() {
			if _, err := s.Update(t.Context(), "ada", u); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got := s.read(j.ID)
	if got.Description != "d" || got.Priority != models.PriorityLow || *got.MaxRunning != 3 || got.TimeoutMS != 60_000 || got.Handler != "H" || got.Version != 6 {
		t.Errorf("an edit was lost: %+v", got)
	}
}

// TestPauseOverAWeekend is a job that is paused on Friday evening and resumed on
// Monday: no backlog, nothing counted as missed.
func TestPauseOverAWeekend(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay", cron("*/5 * * * *"))
	paused, err := s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	again, err := s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	if paused.Enabled || paused.NextFireAt != nil || again.Version != 2 {
		t.Errorf("paused: %+v, again: version %d", paused, again.Version)
	}
	s.clock.Advance(time.Date(2031, 5, 5, 8, 1, 30, 0, time.UTC).Sub(start))
	resumed, err := s.Resume(t.Context(), "ada", j.ID)
	s.must(err)
	if want := time.Date(2031, 5, 5, 8, 5, 0, 0, time.UTC); !resumed.Enabled || !resumed.NextFireAt.Equal(want) {
		t.Errorf("resumed: next fire %v, want %v", resumed.NextFireAt, want)
	}
	again, err = s.Resume(t.Context(), "ada", j.ID)
	s.must(err)
	if again.Version != 3 || len(s.skipped(j.ID)) != 0 {
		t.Errorf("version %d, skipped %v", again.Version, s.skipped(j.ID))
	}
	for _, err := range []error{second(s.Pause(t.Context(), "ada", "01NONE")), second(s.Resume(t.Context(), "ada", "01NONE"))} {
		s.want(err, fault.NotFound)
	}
}

func second[T any](_ T, err error) error { return err }

// TestOwedFiresAreNotLostSilently edits a job whose last fires have not become
// tasks yet, since the server was down or slow.
func TestOwedFiresAreNotLostSilently(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	minute := func(m int) time.Time { return start.Truncate(time.Minute).Add(time.Duration(m) * time.Minute) }
	for name, c := range map[string]struct {
		edit   func(id string) (models.Job, error)
		next   *time.Time
		reason string
	}{
		"another setting": {func(id string) (models.Job, error) {
			return s.Update(t.Context(), "ada", Update{ID: id, Description: Some("x")})
		}, new(minute(1)), ""},
		"the same trigger again": {func(id string) (models.Job, error) {
			return s.Update(t.Context(), "ada", Update{ID: id, Trigger: Some(cronTrigger("* * * * *", zone("UTC")))})
		}, new(minute(1)), ""},
		"another trigger": {func(id string) (models.Job, error) {
			return s.Update(t.Context(), "ada", Update{ID: id, Trigger: Some(cronTrigger("*/10 * * * *"))})
		}, new(minute(10)), ReasonEdited},
		"manual": {func(id string) (models.Job, error) {
			return s.Update(t.Context(), "ada", Update{ID: id, Trigger: Some(TriggerInput{Manual: new(true)})})
		}, nil, ReasonEdited},
		"pause": {func(id string) (models.Job, error) { return s.Pause(t.Context(), "ada", id) }, nil, ReasonPaused},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // shares one clock
			j := s.job(name, cron("* * * * *"))
			s.clock.Advance(3 * time.Minute) // 18:03:10, three fires are owed
			got, err := c.edit(j.ID)
			s.must(err)
			s.clock.Advance(-3 * time.Minute)
			if diff := cmp.Diff(c.next, got.NextFireAt); diff != "" {
				t.Errorf("next fire (-want +got):\n%s", diff)
			}
			var want []models.SkippedFires
			if c.reason != "" {
				want = []models.SkippedFires{{
					JobID: j.ID, FirstAt: minute(1), LastAt: minute(3), Count: 3, Reason: c.reason, RecordedAt: start.Add(3 * time.Minute),
				}}
			}
			skipped := s.skipped(j.ID)
			for i := range skipped {
				skipped[i].ID = ""
			}
			if diff := cmp.Diff(want, skipped); diff != "" {
				t.Errorf("skipped fires (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManyOwedFiresAreCountedOnlySoFar(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("tick", cron("* * * * * ?"))
	s.clock.Advance(24 * time.Hour)
	_, err := s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	got := s.skipped(j.ID)
	if len(got) != 1 || got[0].Count != mostOwed || !got[0].AtLeast || !got[0].LastAt.Equal(s.clock.Now()) {
		t.Errorf("skipped: %+v", got)
	}
}

func TestEditHoldsForEveryLaterFire(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("tick", cron("* * * * * ?"))
	at := func(n int) time.Time { return start.Truncate(time.Second).Add(time.Duration(n) * time.Second) }
	var tasks []models.Task
	for n := 1; n <= 3; n++ { // written ahead
		tasks = append(tasks, models.Task{
			ID: models.FireID(j.ID, at(n), -1), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: models.TaskWaiting, Trigger: models.TriggerCron,
			ScheduledAt: at(n), AvailableAt: at(n), CreatedAt: start,
		})
	}
	_, err := s.store.RecordFires(t.Context(), nil, []store.Fires{{JobID: j.ID, Version: 1, ExpectedNext: at(1), Next: new(at(4)), Last: new(at(3)), Tasks: tasks}})
	s.must(err)
	got := s.update(Update{ID: j.ID, Parameters: Some(json.RawMessage(`2`))})
	if !got.NextFireAt.Equal(at(1)) {
		t.Errorf("the next fire is %v, want %v", got.NextFireAt, at(1))
	}
	left, err := s.store.TasksByIDs(t.Context(), []string{tasks[0].ID, tasks[1].ID, tasks[2].ID})
	s.must(err)
	if len(left) != 0 {
		t.Errorf("%d tasks with the old definition are left", len(left))
	}
}

func TestFixedRateKeepsItsGrid(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("beat", func(in *Input) { in.Trigger = TriggerInput{FixedRate: &FixedRateInput{Every: time.Hour}} })
	s.clock.Advance(50 * time.Minute)
	_, err := s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	s.clock.Advance(25 * time.Minute) // 19:15
	got, err := s.Resume(t.Context(), "ada", j.ID)
	s.must(err)
	if want := time.Date(2031, 5, 2, 20, 0, 0, 0, time.UTC); !got.NextFireAt.Equal(want) {
		t.Errorf("next fire %v, want %v", got.NextFireAt, want)
	}
}

func TestFixedDelayEdits(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	delay := func(d time.Duration) TriggerInput { return TriggerInput{FixedDelay: &FixedDelayInput{Delay: d}} }
	j := s.job("poll", func(in *Input) { in.Trigger = delay(time.Hour) })
	if !j.NextFireAt.Equal(start) {
		t.Fatalf("first fire %v, want now", j.NextFireAt)
	}
	s.clock.Advance(10 * time.Minute)
	now := s.clock.Now()
	kept := s.update(Update{ID: j.ID, Description: Some("x")})
	if !kept.NextFireAt.Equal(start) {
		t.Errorf("a fire that is owed moved to %v", kept.NextFireAt)
	}
	waiting := s.fired(kept, new(now.Add(50*time.Minute))) // as after a run
	shorter := s.update(Update{ID: j.ID, Trigger: Some(delay(time.Minute))})
	if !shorter.NextFireAt.Equal(now.Add(time.Minute)) {
		t.Errorf("a shorter delay: next fire %v, was %v", shorter.NextFireAt, waiting.NextFireAt)
	}
	longer := s.update(Update{ID: j.ID, Trigger: Some(delay(2 * time.Hour))})
	if !longer.NextFireAt.Equal(*shorter.NextFireAt) {
		t.Errorf("a longer delay: next fire %v", longer.NextFireAt)
	}
	running := s.fired(longer, nil)
	task := models.Task{
		ID: models.NewID(now), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: models.TaskRunning, Trigger: models.TriggerFixedDelay,
		ScheduledAt: now, AvailableAt: now, CreatedAt: now,
	}
	_, err := s.store.CreateTasks(t.Context(), []models.Task{task})
	s.must(err)
	edited := s.update(Update{ID: j.ID, Trigger: Some(delay(time.Minute))})
	if running.NextFireAt != nil || edited.NextFireAt != nil {
		t.Errorf("a run is under way, and the next fire is %v", edited.NextFireAt)
	}
	became := s.update(Update{ID: j.ID, Trigger: Some(cronTrigger("0 0 * * *"))})
	back := s.update(Update{ID: j.ID, Trigger: Some(delay(time.Minute))})
	if became.NextFireAt == nil || !back.NextFireAt.Equal(now) {
		t.Errorf("to cron %v and back %v", became.NextFireAt, back.NextFireAt)
	}
}

func TestResumeMendsAnInvalidJob(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay", cron("* * * * *"))
	s.must(s.store.MarkJobInvalid(t.Context(), j.ID, j.Version, "broken by SQL"))
	invalid := s.read(j.ID)
	other := s.update(Update{ID: j.ID, Description: Some("x")})
	if invalid.InvalidReason == "" || other.InvalidReason == "" || other.NextFireAt != nil {
		t.Errorf("another edit: %q, next %v", other.InvalidReason, other.NextFireAt)
	}
	mended, err := s.Resume(t.Context(), "ada", j.ID)
	s.must(err)
	if mended.InvalidReason != "" || mended.NextFireAt == nil {
		t.Errorf("resumed: %q, next %v", mended.InvalidReason, mended.NextFireAt)
	}
	s.must(s.store.MarkJobInvalid(t.Context(), j.ID, mended.Version, "broken by SQL"))
	edited := s.update(Update{ID: j.ID, Trigger: Some(cronTrigger("0 * * * *"))})
	if edited.InvalidReason != "" || edited.NextFireAt == nil {
		t.Errorf("edited: %q, next %v", edited.InvalidReason, edited.NextFireAt)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay", cron("* * * * *"))
	got, err := s.Delete(t.Context(), "ada", j.ID)
	s.must(err)
	if got.DeletedAt == nil || got.Name != "pay" || got.NextFireAt != nil {
		t.Errorf("%+v", got)
	}
	for _, err := range []error{
		second(s.Delete(t.Context(), "ada", j.ID)), second(s.Update(t.Context(), "ada", Update{ID: j.ID})),
		second(s.Pause(t.Context(), "ada", j.ID)), second(s.Resume(t.Context(), "ada", j.ID)),
	} {
		s.want(err, fault.NotFound)
	}
	s.job("pay")
	if len(s.NextFires(&got, nil, 5)) != 0 {
		t.Error("a deleted job has fires")
	}
}

func TestDiffTellsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay", cron("* * * * *"))
	after := j
	after.TimeoutMS, after.Parameters, after.Expression, after.Version = 1000, []byte(`"secret"`), "0 * * * *", 9
	got := fmt.Sprint(diff(&j, &after))
	want := "map[parameters:changed timeout:map[from:1h0m0s to:1s] trigger:map[from:map[expression:* * * * * kind:CRON zone:UTC] to:map[expression:0 * * * * kind:CRON zone:UTC]]]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRescheduleProperties: whatever the edit, an enabled job on the clock never
// owes a fire that the edit did not find, and nothing disappears: what was owed is
// still owed or recorded.
func TestRescheduleProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) models.Job {
			j := models.Job{ID: "01J", Enabled: rapid.Bool().Draw(t, label+" enabled"), Zone: "UTC"}
			switch rapid.IntRange(0, 3).Draw(t, label+" kind") {
			case 0:
				j.TriggerKind, j.Expression = models.TriggerCron, rapid.SampledFrom([]string{"* * * * *", "*/7 * * * * ?", "0 3 * * *"}).Draw(t, label+" cron")
			case 1:
				j.TriggerKind, j.EveryMS = models.TriggerFixedRate, rapid.Int64Range(1000, 1e6).Draw(t, label+" every")
			case 2:
				j.TriggerKind, j.EveryMS = models.TriggerFixedDelay, rapid.Int64Range(1000, 1e6).Draw(t, label+" delay")
			default:
				j.TriggerKind = models.TriggerManual
			}
			if j.TriggerKind != models.TriggerCron {
				j.Zone = ""
			}
			return j
		}
		before := draw("before")
		after := before
		if rapid.Bool().Draw(t, "other trigger") {
			after = draw("after")
		}
		after.Enabled = rapid.Bool().Draw(t, "enabled after")
		now := start
		read := now.Add(-time.Duration(rapid.Int64Range(0, 3e6).Draw(t, "ms ago")) * time.Millisecond).Truncate(time.Microsecond)
		before.NextFireAt = firstFire(&before, nil, read)
		skipped := (&edit{before: &before, after: &after, now: now}).reschedule()
		owed := before.NextFireAt != nil && !before.NextFireAt.After(now)
		next := after.NextFireAt
		switch {
		case !after.Enabled || after.TriggerKind == models.TriggerManual:
			if next != nil {
				t.Fatalf("it would fire at %v", next)
			}
		case next == nil:
			t.Fatal("it would never fire")
		case next.Before(now) && (!owed || !next.Equal(*before.NextFireAt)):
			t.Fatalf("the next fire is %v, in the past", next)
		}
		stillOwed := owed && next != nil && !next.After(*before.NextFireAt)
		reshaped := before.Enabled && after.Enabled && before.TriggerKind == models.TriggerFixedDelay && after.TriggerKind == models.TriggerFixedDelay
		if owed && !stillOwed && !reshaped && len(skipped) != 1 {
			t.Fatalf("fires from %v on were lost", before.NextFireAt)
		}
		if stillOwed && len(skipped) != 0 && !next.Equal(now) {
			t.Fatal("fires are owed and recorded as skipped")
		}
	})
}
