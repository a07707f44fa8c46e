package watch

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// owner owns what it holds.
type owner struct {
	held map[int]int64
	lost []int
}

func (o *owner) Partitions() map[int]int64 { return o.held }
func (o *owner) Lost(partitions ...int)    { o.lost = append(o.lost, partitions...) }

// rules are what a test watches for.
type rules []Condition

func (r rules) Watched(context.Context) ([]Condition, error) { return r, nil }

// bench is a ledger with a group, and a server's watcher over it.
type bench struct {
	testing.TB
	clock *testledger.Clock
	store *store.Store
	owner *owner
	group models.NodeGroup
	rules rules
	watch *Watcher
	seen  string // the last event that was read
	only  models.AlertEventKind
}

func newBench(t testing.TB, conditions ...Condition) *bench {
	t.Helper()
	b := &bench{TB: t, clock: testledger.NewClock(t0), owner: &owner{held: map[int]int64{0: 0}}, rules: conditions}
	b.store = testledger.Open(t, b.clock)
	app := models.App{ID: models.NewID(t0), Name: "shop", CreatedAt: t0, UpdatedAt: t0}
	b.group = models.NodeGroup{
		ID: models.NewID(t0), AppID: app.ID, Name: "default", Routing: models.RouteLeastLoaded, HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: t0, UpdatedAt: t0,
	}
	b.group.Partition = models.PartitionOf(b.group.ID)
	b.must(b.store.CreateApp(b.Context(), app, models.AppKey{ID: models.NewID(t0), AppID: app.ID, Hash: app.ID, CreatedAt: t0}, b.group, b.audit()))
	b.takeOver()
	return b
}

// takeOver makes a watcher that knows nothing but the ledger.
func (b *bench) takeOver() {
	b.Helper()
	var err error
	b.watch, err = New(Config{
		Ledger: b.store, Conditions: b.rules, Owner: b.owner, Clock: b.clock, Logger: slog.New(slog.DiscardHandler), DeadAfter: 8 * time.Second,
	})
	b.must(err)
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) audit() models.Audit {
	return models.Audit{ID: models.NewID(b.clock.Now()), At: b.clock.Now()}
}

// job makes a job of every day at 02:00 UTC.
func (b *bench) job(name string, edit func(*models.Job)) models.Job {
	b.Helper()
	now := b.clock.Now()
	j := models.Job{
		ID: models.NewID(now), AppID: b.group.AppID, GroupID: b.group.ID, Partition: b.group.Partition, Name: name, LiveName: &name,
		Handler: "Work", TriggerKind: models.TriggerCron, Expression: "0 2 * * *", Zone: "UTC", Enabled: true,
		Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 1,
		Backoff: models.BackoffFixed, MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 10,
		Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	next := time.Date(now.Year(), now.Month(), now.Day()+1, 2, 0, 0, 0, time.UTC)
	j.NextFireAt = &next
	if edit != nil {
		edit(&j)
	}
	b.must(b.store.CreateJob(b.Context(), j, b.audit()))
	return j
}

// task makes a task of a job, for an instant.
func (b *bench) task(j models.Job, at time.Time) models.Task {
	b.Helper()
	t := models.Task{
		ID: models.NewID(at), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: models.TaskWaiting, Trigger: models.TriggerCron,
		Priority: j.Priority, ScheduledAt: at, AvailableAt: at, CreatedAt: at, MaxAttempts: 1,
	}
	_, err := b.store.CreateTasks(b.Context(), []models.Task{t})
	b.must(err)
	return t
}

// run begins a task's attempt now.
func (b *bench) run(t models.Task) models.Task {
	b.Helper()
	rows, _, err := b.store.DispatchTasks(b.Context(), nil, b.clock.Now(), []store.Dispatch{{TaskID: t.ID, Attempt: t.Attempt, NodeID: "n", NodeName: "worker-1", Incarnation: "i"}}, nil)
	b.must(err)
	return rows[0]
}

// end ends a running task now.
func (b *bench) end(t models.Task, outcome models.Outcome) {
	b.Helper()
	e := store.AttemptEnd{TaskID: t.ID, Attempt: t.Attempt, Outcome: outcome, StartedAt: t.DispatchedAt, FinishedAt: b.clock.Now()}
	_, err := b.store.EndAttempts(b.Context(), nil, []store.AttemptEnd{e}, func(*models.Task, *store.AttemptEnd) store.Decision {
		if outcome == models.OutcomeSucceeded {
			return store.Decision{Event: models.EventSucceed}
		}
		return store.Decision{Event: models.EventFail, Reason: models.ReasonNoRetry}
	})
	b.must(err)
}

// flow writes how the group's line moves, as its owner does.
func (b *bench) flow() {
	b.Helper()
	due, err := b.store.DueTasks(b.Context(), []string{b.group.ID}, b.clock.Now())
	b.must(err)
	f := models.GroupFlow{GroupID: b.group.ID, At: b.clock.Now(), Due: due[b.group.ID].Tasks}
	if f.Due > 0 {
		f.OldestDueAt = new(due[b.group.ID].Oldest)
	}
	b.must(b.store.WriteGroupFlows(b.Context(), nil, []models.GroupFlow{f}))
}

// after lets time pass and looks once.
func (b *bench) after(d time.Duration) {
	b.Helper()
	b.clock.Advance(d)
	b.flow()
	b.must(b.watch.Pass(b.Context()))
}

// wants checks the watcher's events since the last call, as KIND or -KIND for cleared, with the
// kind of subject.
func (b *bench) wants(want ...string) []models.AlertEvent {
	b.Helper()
	events, err := b.store.AlertEventsBetween(b.Context(), t0.Add(-time.Hour), b.clock.Now().Add(time.Hour), b.seen, 1000)
	b.must(err)
	var got []string
	var kept []models.AlertEvent
	for _, e := range events {
		b.seen = e.ID
		if e.Kind.EndsWithRecovery() || e.Kind == models.AlertRecovered || b.only != 0 && e.Kind != b.only {
			continue // written by the ledger itself, or because the test has no trigger
		}
		text := e.Kind.String() + " " + strings.SplitN(e.Subject, ":", 2)[0]
		if e.Cleared {
			text = "-" + text
		}
		got, kept = append(got, text), append(kept, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		b.Fatalf("at %s (-want +got):\n%s", b.clock.Now(), diff)
	}
	return kept
}

func TestLateFires(t *testing.T) {
	t.Parallel()
	b := newBench(t, Condition{RuleID: "r", Kind: models.AlertFireLate, LongerThan: time.Minute}, Condition{RuleID: "q", Kind: models.AlertQueueBacklog, Depth: 2})
	one := b.task(b.job("one", nil), t0)
	b.after(59 * time.Second)
	b.wants()
	b.after(2 * time.Second)
	e := b.wants("FIRE_LATE job")[0]
	if d := e.Details(); *e.JobID != one.JobID || *e.RuleID != "r" || d.LateMS != 61_000 || d.Count != 1 || !d.Since.Equal(t0) {
		t.Errorf("%+v %+v", e, d)
	}
	two := b.task(b.job("two", nil), b.clock.Now())
	b.takeOver()
	b.after(time.Second)
	b.wants("QUEUE_BACKLOG group")
	b.run(one)
	b.after(time.Second)
	b.wants("-QUEUE_BACKLOG group", "-FIRE_LATE job")
	b.after(2 * time.Minute)
	b.wants("FIRE_LATE job")
	b.rules = nil // the rule is deleted
	b.takeOver()
	b.after(time.Second)
	b.wants("-FIRE_LATE job")
	b.run(two)
}

// TestRunTooLong: by a bound and by the job's own history, while it runs.
func TestRunTooLong(t *testing.T) {
	t.Parallel()
	b := newBench(t, Condition{RuleID: "own", Kind: models.AlertRunTooLong, Factor: 3}, Condition{RuleID: "bound", Kind: models.AlertRunTooLong, LongerThan: 10 * time.Minute})
	j := b.job("long", nil)
	for i := range usualLeast { // 1 to 20 seconds: 95 of 100 take 19
		running := b.run(b.task(j, b.clock.Now()))
		b.clock.Advance(time.Duration(i+1) * time.Second)
		b.end(running, models.OutcomeSucceeded)
	}
	fresh := b.run(b.task(b.job("fresh", nil), b.clock.Now()))
	running := b.run(b.task(j, b.clock.Now()))
	b.after(57 * time.Second)
	b.wants()
	b.after(time.Second)
	e := b.wants("RUN_TOO_LONG job")[0]
	if d := e.Details(); *e.TaskID != running.ID || *e.RuleID != "own" || d.RunningMS != 58_000 || d.BoundMS != 57_000 || d.P95MS != 19_000 || d.Node != "worker-1" {
		t.Errorf("%+v %+v", e, d)
	}
	b.after(9*time.Minute + 3*time.Second)
	for _, e := range b.wants("RUN_TOO_LONG job", "RUN_TOO_LONG job") { // that has no history counts by the bound
		if *e.RuleID != "bound" || e.Details().BoundMS != 600_000 {
			t.Errorf("%+v", e)
		}
	}
	b.end(running, models.OutcomeSucceeded)
	b.takeOver()
	b.after(time.Second)
	b.wants("-RUN_TOO_LONG job", "-RUN_TOO_LONG job")
	b.end(fresh, models.OutcomeFailed)
	b.after(time.Second)
	b.wants("-RUN_TOO_LONG job")
}

// TestNotFinishedBy goes over three days, with a take-over at each hour.
func TestNotFinishedBy(t *testing.T) {
	t.Parallel()
	b := newBench(t, Condition{
		RuleID: "r", Kind: models.AlertNotFinishedBy, By: "06:30", Zone: "Europe/Berlin", Jobs: func(j *models.Job) bool { return j.Name != "other" },
	})
	b.only = models.AlertNotFinishedBy
	nightly, other := b.job("nightly", nil), b.job("other", nil)
	b.job("paused", func(j *models.Job) { j.Enabled = false })
	b.job("on mondays", func(j *models.Job) { j.Expression = "0 2 * * 1" })
	b.job("by hand", func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerManual, nil })
	below := b.job("below", func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerDependency, nil })
	day := func(n, hour, minute int) time.Time { return time.Date(2026, 3, 8+n, hour, minute, 0, 0, time.UTC) }
	until := func(at time.Time) {
		t.Helper()
		for b.clock.Now().Before(at) {
			b.takeOver()
			b.after(min(time.Hour, at.Sub(b.clock.Now())))
		}
	}
	until(day(1, 2, 0)) // it was made after Sunday's deadline
	b.wants()
	b.task(nightly, day(1, 2, 0))
	b.task(other, day(1, 2, 0))
	until(day(1, 5, 29))
	b.wants()
	until(day(1, 5, 30)) // 06:30 in Berlin, a Monday
	events := b.wants("NOT_FINISHED_BY job", "NOT_FINISHED_BY job")
	for _, e := range events {
		if d := e.Details(); !d.Until.Equal(day(1, 5, 30)) || !d.ScheduledAt.Equal(day(1, 2, 0)) || *e.JobID == other.ID || *e.JobID == below.ID {
			t.Errorf("%+v %+v", e, d)
		}
	}
	until(day(2, 5, 29))
	b.wants()
	until(day(2, 5, 30)) // Tuesday's run is missing as well; Monday's job had nothing to do
	b.wants("NOT_FINISHED_BY job")
	b.end(b.run(b.task(nightly, day(2, 6, 0))), models.OutcomeFailed)
	until(day(2, 7, 0))
	b.wants()
	b.end(b.run(b.task(nightly, day(2, 7, 0))), models.OutcomeSucceeded) // by hand, but it counts
	until(day(2, 7, 1))
	b.wants("-NOT_FINISHED_BY job")
	b.end(b.run(b.task(nightly, day(3, 2, 0))), models.OutcomeSucceeded)
	until(day(3, 12, 0))
	b.wants()
}

// TestNotFinishedByOfDependents: a chain is not finished when what begins it had to run.
func TestNotFinishedByOfDependents(t *testing.T) {
	t.Parallel()
	b := newBench(t, Condition{RuleID: "r", Kind: models.AlertNotFinishedBy, By: "06:30", Zone: "UTC", Jobs: func(j *models.Job) bool { return j.Name == "report" }})
	b.only = models.AlertNotFinishedBy
	nightly := b.job("nightly", nil)
	middle := b.job("middle", func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerDependency, nil })
	report := b.job("report", func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerDependency, nil })
	for _, d := range []models.Dependency{
		{JobID: middle.ID, UpstreamID: nightly.ID, On: models.OnSuccess}, {JobID: report.ID, UpstreamID: middle.ID, On: models.OnSuccess},
	} {
		j, err := b.store.Job(b.Context(), d.JobID)
		b.must(err)
		_, err = b.store.UpdateJob(b.Context(), store.JobEdit{Job: j, ExpectVersion: j.Version, Upstream: []models.Dependency{d}, Audit: b.audit()})
		b.must(err)
	}
	b.after(22*time.Hour + 59*time.Minute)
	b.wants()
	b.after(time.Minute)
	e := b.wants("NOT_FINISHED_BY job")[0]
	if *e.JobID != report.ID || !e.Details().ScheduledAt.Equal(time.Date(2026, 3, 9, 2, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", e)
	}
	b.end(b.run(b.task(report, time.Date(2026, 3, 9, 2, 0, 0, 0, time.UTC))), models.OutcomeSucceeded)
	b.after(time.Minute)
	b.wants("-NOT_FINISHED_BY job")
}

// TestStoppedSchedules is the alerts' half of CB-116: a bad row is told once and cleared
// when it is mended.
func TestStoppedSchedules(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.job("good", nil)
	b.job("by hand", func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerManual, nil })
	year9999 := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	bad := []models.Job{
		b.job("step", func(j *models.Job) { j.Expression, j.InvalidReason = "*/0 * * * *", "a step of 0" }),
		b.job("empty", func(j *models.Job) { j.Expression, j.NextFireAt = "", nil }),
		b.job("zone", func(j *models.Job) { j.Zone, j.NextFireAt = "Mars/Olympus", nil }),
		b.job("null", func(j *models.Job) { j.NextFireAt = nil }),
		b.job("9999", func(j *models.Job) { j.NextFireAt = &year9999 }),
		b.job("past", func(j *models.Job) { j.NextFireAt = new(t0.Add(-time.Hour)) }),
	}
	for range 20 {
		b.after(5 * time.Second)
	}
	events := b.wants("SCHEDULE_STOPPED job", "SCHEDULE_STOPPED job", "SCHEDULE_STOPPED job", "SCHEDULE_STOPPED job", "SCHEDULE_STOPPED job", "SCHEDULE_STOPPED job")
	told := map[string]string{}
	for _, e := range events {
		told[*e.JobID] = e.Details().Reason
		if e.Error == "" || e.RuleID != nil {
			t.Errorf("%+v", e)
		}
	}
	for i, want := range []string{stopInvalid, stopInvalid, stopInvalid, stopNoNext, stopFar, stopPast} {
		if told[bad[i].ID] != want {
			t.Errorf("%s: %q, want %q", bad[i].Name, told[bad[i].ID], want)
		}
	}
	b.takeOver()
	b.after(time.Minute)
	b.after(time.Minute)
	b.wants()
	next := time.Date(2026, 3, 9, 2, 0, 0, 0, time.UTC)
	for i := range bad {
		j := bad[i]
		j.Expression, j.Zone, j.InvalidReason, j.NextFireAt = "0 2 * * *", "UTC", "", &next
		_, err := b.store.UpdateJob(b.Context(), store.JobEdit{Job: j, ExpectVersion: 1, ExpectNext: bad[i].NextFireAt, Audit: b.audit()})
		b.must(err)
	}
	b.after(5 * time.Second)
	b.wants("-SCHEDULE_STOPPED job", "-SCHEDULE_STOPPED job", "-SCHEDULE_STOPPED job", "-SCHEDULE_STOPPED job", "-SCHEDULE_STOPPED job", "-SCHEDULE_STOPPED job")
}

// TestManyJobsAreWalkedInPages: what lies on another page is not cleared.
func TestManyJobsAreWalkedInPages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range walkedAt1 + 2 {
		b.job(fmt.Sprint("job ", i), func(j *models.Job) {
			j.ID = fmt.Sprintf("01KK0000000000000000%06d", i)
			if i == 0 || i > walkedAt1 {
				j.InvalidReason = "broken"
			}
		})
	}
	b.after(5 * time.Second)
	b.wants("SCHEDULE_STOPPED job")
	b.after(5 * time.Second)
	b.wants("SCHEDULE_STOPPED job")
	for range 4 {
		b.after(5 * time.Second)
	}
	b.wants()
}

func TestServersAndGroups(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	beat := func(id, name string, degraded string) {
		t.Helper()
		b.must(b.store.BeatServer(b.Context(), models.Server{ID: id, Name: name, StartedAt: t0, LastSeenAt: b.clock.Now(), Degraded: []byte(degraded)}))
	}
	two, three := models.NewID(t0), models.NewID(t0)
	beat(two, "two", "")
	b.clock.Advance(time.Hour) // nobody could write
	b.after(0)
	b.wants() // silence does not count yet
	b.after(9 * time.Second)
	b.wants("SERVER_LOST server")
	beat(three, "two", `["Redis does not answer it: locks are leases.","The database answers it slowly: 2s."]`)
	b.after(time.Second)
	b.wants("REDIS_DEGRADED redis", "DATABASE_DEGRADED database", "-SERVER_LOST server")
	beat(three, "two", `["Its clock is wrong."]`)
	b.after(time.Second)
	b.wants("-DATABASE_DEGRADED database", "-REDIS_DEGRADED redis")
	b.must(b.store.RemoveServer(b.Context(), three))
	b.must(b.store.RemoveServer(b.Context(), two))

	node := models.Node{
		ID: models.NewID(t0), AppID: b.group.AppID, GroupID: b.group.ID, Name: "n", Incarnation: "i", State: models.NodeOnline,
		StartedAt: t0, LastSeenAt: t0, Handlers: []byte("[]"), Labels: []byte("{}"),
	}
	_, _, err := b.store.RegisterNode(b.Context(), node)
	b.must(err)
	_, err = b.store.LoseNode(b.Context(), node.ID, "i")
	b.must(err)
	b.after(time.Second)
	b.wants("NODE_OFFLINE node", "GROUP_EMPTY group")
	node.State = models.NodeSuspect // it has registered; its stream opens in a moment
	_, _, err = b.store.RegisterNode(b.Context(), node)
	b.must(err)
	b.after(time.Second)
	b.wants("-GROUP_EMPTY group", "-NODE_OFFLINE node")
}

func TestOnlyTheOwnerWatches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.job("bad", func(j *models.Job) { j.InvalidReason = "broken" })
	b.owner.held = map[int]int64{1: 0}
	b.after(time.Second)
	b.wants()
	b.owner.held = map[int]int64{0: 7} // another has taken it over since
	if _, err := b.watch.round(b.Context()); err != nil || len(b.owner.lost) != 1 {
		t.Errorf("lost %v, %v", b.owner.lost, err)
	}
	b.wants()
	b.owner.held = map[int]int64{0: 0}
	b.after(time.Second)
	b.wants("SCHEDULE_STOPPED job")
}

func TestOldEventsArePruned(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	j := b.job("bad", func(j *models.Job) { j.InvalidReason = "broken" })
	b.after(time.Second)
	b.wants("SCHEDULE_STOPPED job")
	b.clock.Advance(models.AlertEventsKept + time.Minute)
	b.takeOver()
	b.after(0)
	events, err := b.store.UnhandledAlertEvents(b.Context(), 10)
	if err != nil || len(events) != 0 {
		t.Errorf("%v, %v", events, err)
	}
	if watches, err := b.store.AlertWatches(b.Context()); err != nil || len(watches) != 1 || idOf(watches[0].Subject) != j.ID {
		t.Errorf("what is told and not over stays: %v, %v", watches, err)
	}
}

// TestARuleTellsNothingOfBefore: what had passed when the rule was made.
func TestARuleTellsNothingOfBefore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.only = models.AlertNotFinishedBy
	b.job("nightly", nil)
	b.after(24 * time.Hour) // 07:30 on the next day
	b.rules = rules{{RuleID: "r", Kind: models.AlertNotFinishedBy, By: "06:30", Zone: "UTC", Since: b.clock.Now()}}
	b.takeOver()
	b.after(time.Hour)
	b.wants()
	b.after(23 * time.Hour)
	b.wants("NOT_FINISHED_BY job")
}

// A FIXED_DELAY job without a next fire waits for the end of its task; without a task it
// has stopped.
func TestStoppedFixedDelay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	fixed := func(name string, edit func(*models.Job)) models.Job {
		t.Helper()
		return b.job(name, func(j *models.Job) {
			j.TriggerKind, j.Expression, j.EveryMS, j.NextFireAt = models.TriggerFixedDelay, "", 60_000, nil
			if edit != nil {
				edit(j)
			}
		})
	}
	busy := fixed("busy", nil)
	own := models.Task{
		ID: models.NewID(t0), JobID: busy.ID, AppID: busy.AppID, GroupID: busy.GroupID, State: models.TaskWaiting, Trigger: models.TriggerFixedDelay,
		Priority: busy.Priority, ScheduledAt: t0, AvailableAt: t0, CreatedAt: t0, MaxAttempts: 1,
	}
	_, err := b.store.CreateTasks(b.Context(), []models.Task{own})
	b.must(err)
	fixed("paused", func(j *models.Job) { j.Enabled = false })
	fixed("at its end", func(j *models.Job) { j.EndAt = new(t0.Add(-time.Hour)) })
	b.run(own)
	for range 20 {
		b.after(5 * time.Second)
	}
	b.wants()
	stuck := fixed("stuck", nil)
	b.task(stuck, b.clock.Now()) // made by hand: its end sets no next fire
	b.after(5 * time.Second)
	b.wants() // it may be so for a moment
	for range 20 {
		b.after(5 * time.Second)
	}
	e := b.wants("SCHEDULE_STOPPED job")[0]
	if *e.JobID != stuck.ID || e.Details().Reason != stopNoNext {
		t.Errorf("%+v", e)
	}
	stuck.Name = "mended"
	_, err = b.store.UpdateJob(b.Context(), store.JobEdit{Job: stuck, ExpectVersion: 1, Audit: b.audit()})
	b.must(err)
	b.after(5 * time.Second)
	b.wants("-SCHEDULE_STOPPED job")
}

// Tasks that all workers refuse are never due for long, as each is offered anew within a
// minute; they are late all the same, until one is taken.
func TestRefusedByAll(t *testing.T) {
	t.Parallel()
	b := newBench(t, Condition{RuleID: "r", Kind: models.AlertFireLate, LongerThan: 10 * time.Minute})
	task := b.task(b.job("unloved", nil), t0)
	refuse := func() time.Duration {
		t.Helper()
		task = b.run(task)
		e := store.AttemptEnd{TaskID: task.ID, Attempt: task.Attempt, Outcome: models.OutcomeReleased, Reason: models.ReasonRefused, FinishedAt: b.clock.Now()}
		wait := time.Duration(0)
		_, err := b.store.EndAttempts(b.Context(), nil, []store.AttemptEnd{e}, func(t *models.Task, e *store.AttemptEnd) store.Decision {
			wait = models.HandedBackDelay(t.HandedBack)
			return store.Decision{Event: models.EventRetry, Reason: e.Reason, AvailableAt: e.FinishedAt.Add(wait), Uncounted: true, HandedBack: true}
		})
		b.must(err)
		return wait
	}
	for b.clock.Now().Sub(t0) < 9*time.Minute {
		b.after(refuse())
	}
	b.wants()
	for b.clock.Now().Sub(t0) < 13*time.Minute {
		b.after(refuse())
	}
	e := b.wants("FIRE_LATE job")[0]
	if d := e.Details(); *e.JobID != task.JobID || d.Count != 1 || d.LateMS < 10*60_000 || d.Since.After(t0.Add(time.Minute)) {
		t.Errorf("%+v %+v", e, d)
	}
	b.takeOver()
	b.after(refuse())
	b.wants()
	b.run(task)
	b.after(time.Second)
	b.wants("-FIRE_LATE job")
}
