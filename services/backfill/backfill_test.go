package backfill

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

var base = time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)

// heard notes what a service told.
type heard struct {
	mu      sync.Mutex
	created []models.Task
	changed []string
	fills   int
	made    chan struct{} // gets a value when tasks are made, if it has room
}

func (h *heard) TasksQueued(context.Context, []string) {}

func (h *heard) TasksCreated(_ context.Context, tasks []models.Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.created = append(h.created, tasks...)
	select {
	case h.made <- struct{}{}:
	default:
	}
}

func (h *heard) TaskChanged(_ context.Context, ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changed = append(h.changed, ids...)
}

func (h *heard) BackfillChanged(context.Context, models.Backfill) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fills++
}

// owner owns what it holds, and notes what it lost.
type owner struct {
	held map[int]int64
	lost []int
}

func (o *owner) Partitions() map[int]int64 { return o.held }
func (o *owner) Lost(partitions ...int)    { o.lost = append(o.lost, partitions...) }

type desk struct {
	*testing.T
	*Service
	clock *testledger.Clock
	heard *heard
	owner *owner
	job   models.Job
}

// newDesk is a service whose loop the test turns, with a job that fires each minute.
func newDesk(t *testing.T, edit ...func(*models.Job)) *desk {
	t.Helper()
	d := &desk{T: t, clock: testledger.NewClock(base), heard: &heard{made: make(chan struct{}, 1)}, owner: &owner{}}
	st := testledger.Open(t, d.clock)
	d.Service = d.server(st)
	now := base.Add(-24 * time.Hour)
	app := models.App{ID: models.NewID(now), Name: "shop", CreatedAt: now, UpdatedAt: now}
	group := models.NodeGroup{ID: models.NewID(now), AppID: app.ID, Name: "default", CreatedAt: now, UpdatedAt: now}
	group.Partition = models.PartitionOf(group.ID)
	d.must(st.CreateApp(t.Context(), app, models.AppKey{ID: models.NewID(now), AppID: app.ID, Hash: "h", CreatedAt: now}, group, audit()))
	name := "report"
	next := base.Add(time.Hour)
	d.job = models.Job{
		ID: models.NewID(now), AppID: app.ID, GroupID: group.ID, Partition: group.Partition, Name: name, LiveName: &name, Handler: "Report",
		Parameters: json.RawMessage(`{"from":"job"}`), TriggerKind: models.TriggerCron, Expression: "* * * * *", Zone: "UTC", NextFireAt: &next,
		Enabled: true, Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, TimeoutMS: 60_000, MaxAttempts: 1, Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	for _, e := range edit {
		e(&d.job)
	}
	d.must(st.CreateJob(t.Context(), d.job, audit()))
	partitions, err := st.PartitionOwners(t.Context())
	d.must(err)
	d.owner.held = map[int]int64{group.Partition: partitions[group.Partition].Epoch}
	return d
}

// server is one more server on the ledger, as after a crash of the one before.
func (d *desk) server(st *store.Store) *Service {
	d.Helper()
	s, err := New(Config{Store: st, Owner: d.owner, Clock: d.clock, Logger: slog.New(slog.DiscardHandler), Notifier: d.heard})
	d.must(err)
	return s
}

func audit() models.Audit { return models.Audit{ID: models.NewID(base), At: base} }

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// minutes asks for the fires of the last n minutes.
func (d *desk) minutes(n int, edit ...func(*Input)) Input {
	in := Input{JobID: d.job.ID, From: base.Add(-time.Duration(n) * time.Minute), To: base, PerMinute: 60, MaxRunning: 10}
	for _, e := range edit {
		e(&in)
	}
	return in
}

func (d *desk) create(in Input) models.Backfill {
	d.Helper()
	b, err := d.Create(d.Context(), "ada", in)
	d.must(err)
	return b
}

func (d *desk) pass() time.Duration {
	d.Helper()
	rest, err := d.Pass(d.Context())
	d.must(err)
	return rest
}

func (d *desk) read(b models.Backfill) models.Backfill {
	d.Helper()
	now, err := d.Backfill(d.Context(), b.ID)
	d.must(err)
	return now
}

// finish runs and ends what waits; it answers how many that were.
func (d *desk) finish(outcome models.Event) int {
	d.Helper()
	queue, err := d.store.QueuedTasks(d.Context(), d.job.GroupID, d.clock.Now(), 1000, nil)
	d.must(err)
	for _, q := range queue {
		_, _, err := d.store.DispatchTasks(d.Context(), nil, d.clock.Now(), []store.Dispatch{{TaskID: q.ID, Attempt: q.Attempt, NodeID: d.job.ID}}, nil)
		d.must(err)
		_, err = d.store.EndAttempts(d.Context(), nil, []store.AttemptEnd{{TaskID: q.ID, Attempt: q.Attempt + 1, Outcome: models.OutcomeSucceeded, FinishedAt: d.clock.Now()}},
			func(*models.Task, *store.AttemptEnd) store.Decision { return store.Decision{Event: outcome} })
		d.must(err)
	}
	return len(queue)
}

func scheduled(tasks []models.Task) (at []time.Time) {
	for i := range tasks {
		at = append(at, tasks[i].ScheduledAt)
	}
	return at
}

func TestBackfillMakesAllFiresOldestFirstAndEvenly(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.create(d.minutes(5, func(in *Input) { in.Parameters = json.RawMessage(`{"again":true}`) }))
	if b.Total != 5 || b.State != models.BackfillRunning || b.CreatedBy != "ada" {
		t.Fatalf("%+v", b)
	}
	for i := range 5 {
		if rest := d.pass(); i < 4 && rest != time.Second || len(d.heard.created) != i+1 {
			t.Fatalf("pass %d: rest %s, %d made", i, rest, len(d.heard.created))
		}
		if d.pass(); len(d.heard.created) != i+1 {
			t.Fatalf("a pass too early made something: %d", len(d.heard.created))
		}
		d.clock.Advance(time.Second)
	}
	var want []time.Time
	for i := range 5 {
		want = append(want, base.Add(time.Duration(i-5)*time.Minute))
	}
	if diff := cmp.Diff(want, scheduled(d.heard.created)); diff != "" {
		t.Errorf("fires (-want +got):\n%s", diff)
	}
	task := d.heard.created[0]
	if task.Trigger != models.TriggerBackfill || *task.BackfillID != b.ID || string(task.Parameters) != `{"again":true}` ||
		task.Priority != models.PriorityLow || !task.AvailableAt.Equal(base) || task.ID != models.BackfillTaskID(b.ID, task.ScheduledAt) {
		t.Errorf("%+v", task)
	}
	d.finish(models.EventSucceed)
	if now := d.read(b); now.State != models.BackfillFinished || now.Succeeded != 5 || now.Progress() != 1 || now.NextAt != nil {
		t.Errorf("at the end: %+v", now)
	}
	if n := len(d.fires); n != 0 {
		t.Errorf("the instants of %d backfills are still in memory", n)
	}
}

func TestNoMoreThanMaxRunningAreUnderWay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.create(d.minutes(100, func(in *Input) { in.PerMinute, in.MaxRunning = 60_000, 3 }))
	ends := 0
	for d.read(b).State == models.BackfillRunning {
		d.clock.Advance(time.Second)
		d.pass()
		if now := d.read(b); now.Created-now.Ended() > 3 {
			t.Fatalf("%d are under way", now.Created-now.Ended())
		}
		outcome := models.EventSucceed
		if ends%2 == 1 {
			outcome = models.EventFail
		}
		ends += d.finish(outcome)
	}
	now := d.read(b)
	if ends != 100 || now.Succeeded+now.Failed != 100 || now.Failed == 0 {
		t.Errorf("%d ends; %+v", ends, now)
	}
}

func TestOnlyMissingLeavesOutWhatRan(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	at := func(minute int) time.Time { return base.Add(time.Duration(minute-10) * time.Minute) }
	put := func(id string, minute int, state models.TaskState, trigger models.TriggerKind) {
		task := models.Task{
			ID: id, JobID: d.job.ID, AppID: d.job.AppID, GroupID: d.job.GroupID, State: state, Trigger: trigger,
			Priority: models.PriorityNormal, ScheduledAt: at(minute), AvailableAt: at(minute), CreatedAt: at(minute), MaxAttempts: 1,
		}
		_, err := d.store.CreateTasks(t.Context(), []models.Task{task})
		d.must(err)
	}
	put(models.FireID(d.job.ID, at(1), -1), 1, models.TaskSucceeded, models.TriggerCron)
	put(models.FireID(d.job.ID, at(2), -1), 2, models.TaskSkipped, models.TriggerCron)
	put(models.FireID(d.job.ID, at(3), -1), 3, models.TaskFailed, models.TriggerCron)
	put(models.FireID(d.job.ID, at(4), -1), 4, models.TaskCancelled, models.TriggerCron)
	put(models.BackfillTaskID("another", at(5)), 5, models.TaskWaiting, models.TriggerBackfill)
	put(models.NewID(at(6)), 6, models.TaskSucceeded, models.TriggerAPI)
	shown, err := d.Preview(t.Context(), d.minutes(10, func(in *Input) { in.OnlyMissing = true }))
	d.must(err)
	if shown.Total != 10 || shown.Present != 3 || shown.Err != nil || len(shown.Sample) != 7 || shown.Duration != 6*time.Second || !shown.First.Equal(at(0)) || !shown.Last.Equal(at(9)) {
		t.Errorf("preview %+v", shown)
	}
	b := d.create(d.minutes(10, func(in *Input) { in.OnlyMissing, in.PerMinute = true, 60_000 }))
	d.clock.Advance(time.Second)
	for d.read(b).NextAt != nil {
		d.pass()
		d.clock.Advance(time.Second)
	}
	if diff := cmp.Diff([]time.Time{at(0), at(2), at(4), at(6), at(7), at(8), at(9)}, scheduled(d.heard.created)); diff != "" {
		t.Errorf("fires (-want +got):\n%s", diff)
	}
	if now := d.read(b); now.Present != 3 || now.Created != 7 {
		t.Errorf("%+v", now)
	}
	again := d.create(d.minutes(10, func(in *Input) { in.OnlyMissing = true }))
	d.pass()
	if now := d.read(again); now.Present != 10 || now.Created != 0 || now.State != models.BackfillFinished {
		t.Errorf("nothing is missing any more: %+v", now)
	}
}

// A server that dies after any step is followed by another one that knows nothing:
// each fire gets its task, once.
func TestAnotherServerGoesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.create(d.minutes(20, func(in *Input) { in.PerMinute, in.MaxRunning = 600, 100 }))
	for d.read(b).NextAt != nil {
		d.Service = d.server(d.store)
		d.pass()
		d.clock.Advance(time.Second)
	}
	at := scheduled(d.heard.created)
	if len(at) != 20 || !slices.IsSortedFunc(at, time.Time.Compare) || len(slices.CompactFunc(at, time.Time.Equal)) != 20 {
		t.Errorf("%d fires: %v", len(at), at)
	}
	if now := d.read(b); now.Created != 20 {
		t.Errorf("%+v", now)
	}
}

func TestADeposedOwnerMakesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.create(d.minutes(5))
	d.owner.held[d.job.Partition]--
	d.pass()
	if len(d.owner.lost) != 1 || d.read(b).Created != 0 {
		t.Errorf("lost %v, %d made", d.owner.lost, d.read(b).Created)
	}
	d.owner.held = map[int]int64{(d.job.Partition + 1) % models.Partitions: 0}
	d.pass()
	if d.read(b).Created != 0 {
		t.Error("a server that does not own the partition made tasks")
	}
}

func TestPauseResumeCancel(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.create(d.minutes(10))
	d.pass()
	_, err := d.Pause(t.Context(), "bob", b.ID)
	d.must(err)
	d.clock.Advance(time.Hour)
	if d.pass(); d.read(b).Created != 1 {
		t.Errorf("a paused backfill made tasks: %+v", d.read(b))
	}
	_, err = d.Resume(t.Context(), "bob", b.ID)
	d.must(err)
	if d.pass(); d.read(b).Created != 2 {
		t.Errorf("after the pause: %+v", d.read(b))
	}
	_, _, err = d.store.DispatchTasks(t.Context(), nil, d.clock.Now(), []store.Dispatch{{TaskID: d.heard.created[0].ID, NodeID: b.ID}}, nil)
	d.must(err)
	now, err := d.Cancel(t.Context(), "bob", b.ID, "wrong month")
	d.must(err)
	if now.State != models.BackfillCancelled || now.Cancelled != 1 || !now.Work || !slices.Equal(d.heard.changed, []string{d.heard.created[1].ID}) {
		t.Errorf("%+v; told of %v", now, d.heard.changed)
	}
	d.clock.Advance(time.Hour)
	if d.pass(); d.read(b).Created != 2 {
		t.Error("a cancelled backfill made tasks")
	}
	for name, change := range map[string]func() error{
		"pause":  func() error { _, err := d.Pause(t.Context(), "bob", b.ID); return err },
		"resume": func() error { _, err := d.Resume(t.Context(), "bob", b.ID); return err },
	} {
		if err := change(); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
	if _, err := d.Cancel(t.Context(), "bob", b.ID, ""); err != nil {
		t.Errorf("cancelling again: %v", err)
	}
	if _, err := d.Cancel(t.Context(), "bob", "none", ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("cancelling nothing: %v", err)
	}
}

func TestAJobsDeletionEndsItsBackfills(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.create(d.minutes(10))
	d.pass()
	_, err := d.store.DeleteJob(t.Context(), d.job.ID, base, models.Audit{ID: models.NewID(base)})
	d.must(err)
	d.clock.Advance(time.Minute)
	d.pass()
	if now := d.read(b); now.State != models.BackfillCancelled || now.Created != 1 || now.Cancelled != 1 || now.Work {
		t.Errorf("%+v", now)
	}
}

func TestRepeatedRequestMakesOneBackfill(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	in := d.minutes(3, func(in *Input) { in.RequestID = "press 1" })
	first := d.create(in)
	d.clock.Advance(time.Hour)
	if again := d.create(in); again.ID != first.ID {
		t.Errorf("a repeat made %s beside %s", again.ID, first.ID)
	}
	in.RequestID = "press 2"
	if other := d.create(in); other.ID == first.ID {
		t.Error("another request was taken for a repeat")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	other := func(kind models.TriggerKind, edit func(*models.Job)) string {
		j := d.job
		j.ID, j.TriggerKind, j.Name = models.NewID(base), kind, fmt.Sprint("job ", kind)
		j.LiveName = &j.Name
		if edit != nil {
			edit(&j)
		}
		d.must(d.store.CreateJob(t.Context(), j, models.Audit{ID: models.NewID(base)}))
		return j.ID
	}
	yearly := other(models.TriggerCron, func(j *models.Job) { j.Expression, j.Name = "0 0 29 2 *", "leap" })
	secondly := other(models.TriggerFixedRate, func(j *models.Job) { j.EveryMS, j.Name = 1000, "secondly" })
	broken := other(models.TriggerCron, func(j *models.Job) { j.Zone, j.Name = "Mars/Base", "broken" })
	for name, c := range map[string]struct {
		edit func(*Input)
		want string
		says string
	}{
		"no job":               {func(in *Input) { in.JobID = "none" }, "NOT_FOUND job", "none"},
		"manual":               {func(in *Input) { in.JobID = other(models.TriggerManual, nil) }, "INVALID job", "MANUAL"},
		"fixed delay":          {func(in *Input) { in.JobID = other(models.TriggerFixedDelay, nil) }, "INVALID job", "FIXED_DELAY"},
		"dependency":           {func(in *Input) { in.JobID = other(models.TriggerDependency, nil) }, "INVALID job", "DEPENDENCY"},
		"broken trigger":       {func(in *Input) { in.JobID = broken }, "INVALID job", "Mars"},
		"to before from":       {func(in *Input) { in.To = in.From.Add(-time.Second) }, "INVALID to", "not after from"},
		"empty range":          {func(in *Input) { in.To = in.From }, "INVALID to", "not after from"},
		"future":               {func(in *Input) { in.To = base.Add(time.Second) }, "INVALID to", "in the future"},
		"before 1970":          {func(in *Input) { in.From = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC) }, "INVALID from", "1970"},
		"no fires":             {func(in *Input) { in.JobID = yearly }, "INVALID to", "no fires"},
		"too many":             {func(in *Input) { in.JobID, in.From = secondly, base.Add(-48*time.Hour) }, "INVALID to", "100,000"},
		"no rate":              {func(in *Input) { in.PerMinute = 0 }, "INVALID perMinute", "60,000"},
		"too fast":             {func(in *Input) { in.PerMinute = 60_001 }, "INVALID perMinute", "60,000"},
		"none may run":         {func(in *Input) { in.MaxRunning = 0 }, "INVALID maxRunning", "10,000"},
		"parameters":           {func(in *Input) { in.Parameters = json.RawMessage("{") }, "INVALID parameters", "JSON"},
		"request id":           {func(in *Input) { in.RequestID = strings.Repeat("x", 65) }, "INVALID requestId", "64"},
		"several, all at once": {func(in *Input) { in.PerMinute, in.MaxRunning = 0, 0 }, "INVALID perMinute", ""},
	} {
		in := d.minutes(10, c.edit)
		_, err := d.Create(t.Context(), "ada", in)
		all := fault.All(err)
		if len(all) == 0 || string(all[0].Code)+" "+strings.Join(all[0].Field, ".") != c.want || !strings.Contains(all[0].Message, c.says) {
			t.Errorf("%s: %v %v", name, all, err)
			continue
		}
		if strings.Contains(name, "all at once") && len(all) != 2 {
			t.Errorf("%s: %v", name, all)
		}
		shown, err := d.Preview(t.Context(), in)
		if err != nil || shown.Err == nil || shown.Err.Message != all[0].Message {
			t.Errorf("%s: the preview says %+v, %v", name, shown.Err, err)
		}
		if name == "too many" && (!shown.AtLeast || shown.Total != models.MaxBackfillFires) {
			t.Errorf("%s: %+v", name, shown)
		}
	}
	if rows, _, err := d.Page(t.Context(), "", Page{}); err != nil || len(rows) != 0 {
		t.Errorf("%d backfills were made, %v", len(rows), err)
	}
}

func TestPreviewWarns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(*models.Job)
		says string
	}{
		"overlap": {func(j *models.Job) { j.Concurrency = models.ConcurrencySkip }, "one at a time"},
		"paused":  {func(j *models.Job) { j.Enabled = false }, "paused"},
		"limit":   {func(j *models.Job) { j.MaxRunning = new(2) }, "At most 2"},
	} {
		d := newDesk(t, c.edit)
		shown, err := d.Preview(t.Context(), d.minutes(10))
		d.must(err)
		if len(shown.Warnings) != 1 || !strings.Contains(shown.Warnings[0], c.says) {
			t.Errorf("%s: %q", name, shown.Warnings)
		}
	}
}

// The loop itself: started, woken by a new backfill, and stopped.
func TestTheLoopMakesTasksByItself(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.must(d.Start(t.Context()))
	b := d.create(d.minutes(1))
	select {
	case <-d.heard.made:
	case <-time.After(time.Minute):
		t.Fatal("nothing was made")
	}
	if d.read(b).Created != 1 {
		t.Errorf("%+v", d.read(b))
	}
	d.must(d.Stop(t.Context()))
}
