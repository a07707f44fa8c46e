package task

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
	"github.com/oklog/ulid/v2"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// heard notes what a service told.
type heard struct {
	mu                                   sync.Mutex
	queued, created, changed, cancelling []string
}

func (h *heard) TasksQueued(_ context.Context, groupIDs []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queued = append(h.queued, groupIDs...)
}

func (h *heard) TasksCreated(_ context.Context, tasks []models.Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.created = append(h.created, idsOf(tasks)...)
}

func (h *heard) TaskChanged(_ context.Context, ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changed = append(h.changed, ids...)
}

func (h *heard) CancelRequested(_ context.Context, t models.Task) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cancelling = append(h.cancelling, t.ID)
}

type desk struct {
	testing.TB
	*Service
	clock *testledger.Clock
	store *store.Store
	heard *heard
	app   models.App
	group models.NodeGroup
	job   models.Job
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	c := testledger.NewClock(base)
	d := &desk{TB: t, clock: c, store: testledger.Open(t, c), heard: &heard{}}
	d.Service = d.server()
	d.app, d.group = d.newApp("shop")
	d.job = d.newJob(d.group, "pay")
	return d
}

// server is one more server on the same ledger.
func (d *desk) server() *Service {
	s := New(Config{Store: d.store, Clock: d.clock, Logger: slog.New(slog.DiscardHandler), Notifier: d.heard})
	d.must(s.Start(d.Context()))
	d.Cleanup(func() {
		if err := s.Stop(context.WithoutCancel(d.Context())); err != nil {
			d.Error(err)
		}
	})
	return s
}

func (d *desk) newApp(name string) (models.App, models.NodeGroup) {
	d.Helper()
	now := d.clock.Now()
	app := models.App{ID: models.NewID(now), Name: name, CreatedAt: now, UpdatedAt: now}
	id := models.NewID(now)
	group := models.NodeGroup{ID: id, AppID: app.ID, Name: "default", Partition: models.PartitionOf(id), CreatedAt: now, UpdatedAt: now}
	d.must(d.store.CreateApp(d.Context(), app, models.AppKey{ID: models.NewID(now), AppID: app.ID, Hash: id, CreatedAt: now}, group, d.audit()))
	return app, group
}

func (d *desk) newJob(g models.NodeGroup, name string) models.Job {
	d.Helper()
	now := d.clock.Now()
	j := models.Job{
		ID: models.NewID(now), AppID: g.AppID, GroupID: g.ID, Partition: g.Partition, Name: name, LiveName: &name, Handler: "Pay",
		Parameters: json.RawMessage(`{"from":"job"}`), TriggerKind: models.TriggerManual, Enabled: true, Priority: models.PriorityHigh, TimeoutMS: 60_000, MaxAttempts: 3, Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	d.must(d.store.CreateJob(d.Context(), j, d.audit()))
	return j
}

func (d *desk) audit() models.Audit {
	now := d.clock.Now()
	return models.Audit{ID: models.NewID(now), At: now}
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) want(err error, code fault.Code) {
	d.Helper()
	if fault.CodeOf(err) != code {
		d.Errorf("got %v, want %q", err, code)
	}
}

func (d *desk) run(n NewTask) models.Task {
	d.Helper()
	if n.Job == "" {
		n.Job = d.job.ID
	}
	t, err := d.Run(d.Context(), "ada", n)
	d.must(err)
	return t
}

// put stores a task as if it had come to a state.
func (d *desk) put(state models.TaskState, edit func(*models.Task)) models.Task {
	d.Helper()
	now := d.clock.Now()
	t := models.Task{
		ID: models.NewID(now), JobID: d.job.ID, AppID: d.app.ID, GroupID: d.group.ID, State: state, Trigger: models.TriggerCron,
		Priority: models.PriorityLow, ScheduledAt: now, AvailableAt: now, CreatedAt: now, MaxAttempts: 1, TimeoutMS: 1000, Parameters: json.RawMessage(`{"n":1}`),
	}
	if edit != nil {
		edit(&t)
	}
	_, err := d.store.CreateTasks(d.Context(), []models.Task{t})
	d.must(err)
	return t
}

func (d *desk) count() int {
	d.Helper()
	rows, _, err := d.Page(d.Context(), Filter{}, Page{First: 1000})
	d.must(err)
	return len(rows)
}

func fields(err error) []string {
	var paths []string
	for _, e := range fault.All(err) {
		paths = append(paths, string(e.Code)+" "+strings.Join(e.Field, "."))
	}
	return paths
}

func TestRun(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	got := d.run(NewTask{})
	want := models.Task{
		ID: got.ID, JobID: d.job.ID, AppID: d.app.ID, GroupID: d.group.ID, State: models.TaskWaiting, Trigger: models.TriggerManual,
		Priority: models.PriorityHigh, ScheduledAt: base, AvailableAt: base, CreatedAt: base, MaxAttempts: 3, TimeoutMS: 60_000, Parameters: d.job.Parameters,
	}
	read, err := d.Task(t.Context(), got.ID)
	d.must(err)
	for _, task := range []models.Task{got, read} {
		if diff := cmp.Diff(want, task); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if diff := cmp.Diff([]string{d.group.ID}, d.heard.queued); diff != "" {
		t.Errorf("queued hints:\n%s", diff)
	}
	if diff := cmp.Diff([]string{got.ID}, d.heard.created); diff != "" {
		t.Errorf("created hints:\n%s", diff)
	}
	told, err := d.Timeline(t.Context(), []models.Task{got})
	d.must(err)
	if e := told[got.ID]; len(e) != 1 || e[0].Actor != "ada" {
		t.Errorf("timeline %+v", e)
	}
}

func TestRunWithEverything(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := strings.Repeat("键", 200)
	got := d.run(NewTask{Parameters: json.RawMessage(` [1, 2] `), Delay: new(90 * time.Minute), UniqueKey: key, Priority: new(models.PriorityLow)})
	due := base.Add(90 * time.Minute)
	if string(got.Parameters) != "[1,2]" || got.Trigger != models.TriggerDelay || !got.ScheduledAt.Equal(due) || !got.AvailableAt.Equal(due) ||
		got.Priority != models.PriorityLow || *got.UniqueKey != key || !strings.HasPrefix(got.ID, models.LowestID(due)[:10]) {
		t.Errorf("%+v", got)
	}
	holder := d.run(NewTask{UniqueKey: key})
	if holder.ID != got.ID || d.count() != 1 {
		t.Errorf("the key's holder is %s, answered %s; %d tasks", got.ID, holder.ID, d.count())
	}
	exact := d.run(NewTask{RunAt: new(base.Add(time.Hour))})
	past := d.run(NewTask{RunAt: new(base.Add(-time.Hour))})
	if !exact.AvailableAt.Equal(base.Add(time.Hour)) || exact.Trigger != models.TriggerDelay || !past.AvailableAt.Equal(base) || past.Trigger != models.TriggerManual {
		t.Errorf("runAt: %+v, %+v", exact, past)
	}
	if null := d.run(NewTask{Parameters: json.RawMessage("null")}); string(null.Parameters) != `{"from":"job"}` {
		t.Errorf("null parameters became %s", null.Parameters)
	}
}

func TestRunRefusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for name, c := range map[string]struct {
		ask  NewTask
		want []string
	}{
		"all at once": {NewTask{
			Parameters: json.RawMessage("{"), Delay: new(-time.Second), UniqueKey: strings.Repeat("x", 201), RequestID: strings.Repeat("y", 65),
		}, []string{"REQUIRED job", "INVALID parameters", "INVALID uniqueKey", "INVALID requestId", "INVALID delay"}},
		"both times":      {NewTask{Job: d.job.ID, Delay: new(time.Second), RunAt: new(base)}, []string{"INVALID runAt"}},
		"eleven years":    {NewTask{Job: d.job.ID, Delay: new(11 * 366 * 24 * time.Hour)}, []string{"INVALID delay"}},
		"absurd delay":    {NewTask{Job: d.job.ID, Delay: new(time.Duration(1<<63 - 1))}, []string{"INVALID delay"}},
		"absurd runAt":    {NewTask{Job: d.job.ID, RunAt: new(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))}, []string{"INVALID runAt"}},
		"large":           {NewTask{Job: d.job.ID, Parameters: json.RawMessage(`"` + strings.Repeat("x", 256<<10) + `"`)}, []string{"INVALID parameters"}},
		"control in key":  {NewTask{Job: d.job.ID, UniqueKey: "a\x00"}, []string{"INVALID uniqueKey"}},
		"reserved key":    {NewTask{Job: d.job.ID, UniqueKey: "rerun:x"}, []string{"INVALID uniqueKey"}},
		"request id":      {NewTask{Job: d.job.ID, RequestID: "\xff"}, []string{"INVALID requestId"}},
		"no such job":     {NewTask{Job: "01NONE"}, []string{"NOT_FOUND job"}},
		"a name, no app":  {NewTask{Job: "pay"}, []string{"NOT_FOUND job"}},
		"the app has not": {NewTask{Job: d.job.ID, AppID: "01OTHER"}, []string{"NOT_FOUND job"}},
	} {
		_, err := d.Run(t.Context(), "ada", c.ask)
		if diff := cmp.Diff(c.want, fields(err)); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if d.count() != 0 {
		t.Errorf("%d tasks were made", d.count())
	}
}

func TestPausedJobRunsDeletedDoesNot(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	edit := store.JobEdit{Job: d.job, ExpectVersion: 1, Audit: d.audit()}
	edit.Job.Enabled = false
	_, err := d.store.UpdateJob(t.Context(), edit)
	d.must(err)
	d.run(NewTask{})
	_, err = d.store.DeleteJob(t.Context(), d.job.ID, d.clock.Now(), d.audit())
	d.must(err)
	_, err = d.Run(t.Context(), "ada", NewTask{Job: d.job.ID})
	d.want(err, fault.NotFound)
	_, err = d.Run(t.Context(), "ada", NewTask{Job: "pay", AppID: d.app.ID})
	d.want(err, fault.NotFound)
}

// TestRepeatedRequests is the button pressed twice, on two tabs, and again after
// the reply was lost.
func TestRepeatedRequests(t *testing.T) {
	t.Parallel()
	stamp := ulid.MustNew(uint64(base.Add(-time.Minute).UnixMilli()), strings.NewReader("0123456789")).String()
	ahead := ulid.MustNew(uint64(base.Add(48*time.Hour).UnixMilli()), strings.NewReader("0123456789")).String()
	for name, c := range map[string]struct {
		id    string
		repit time.Duration // still a repeat
	}{
		"text": {"press 1 😀", 23 * time.Hour}, "uuid": {"0190163d-8694-739b-aea5-966c26f8ad91", 23 * time.Hour},
		"ulid": {stamp, 20 * 24 * time.Hour}, "ulid of a wrong clock": {ahead, 23 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			servers := []*Service{d.Service, d.server()}
			ids := make([]string, 20)
			var wg sync.WaitGroup
			for i := range ids {
				wg.Go(func() {
					got, err := servers[i%2].Run(t.Context(), "ada", NewTask{Job: d.job.ID, RequestID: c.id, Delay: new(time.Minute)})
					if err != nil {
						t.Error(err)
					}
					ids[i] = got.ID
				})
			}
			wg.Wait()
			if slices.Sort(ids); ids[0] != ids[len(ids)-1] {
				t.Errorf("several tasks: %v", ids)
			}
			d.clock.Advance(c.repit)
			if late := d.run(NewTask{RequestID: c.id, Delay: new(time.Minute)}); late.ID != ids[0] {
				t.Errorf("after %v a repeat made task %s", c.repit, late.ID)
			}
			if other := d.run(NewTask{RequestID: c.id + "x"}); other.ID == ids[0] {
				t.Error("another request was taken for a repeat")
			}
			if len(d.heard.created) != 2 {
				t.Errorf("%d tasks were announced, want 2", len(d.heard.created))
			}
		})
	}
}

func TestRequestIDsOfTwoApps(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, group := d.newApp("bank")
	other := d.newJob(group, "pay")
	if a, b := d.run(NewTask{RequestID: "same"}), d.run(NewTask{Job: other.ID, RequestID: "same"}); a.ID == b.ID {
		t.Error("two apps share a request id's task")
	}
}

func TestEnqueue(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	second := d.newJob(d.group, "ship")
	_, foreign := d.newApp("bank")
	hidden := d.newJob(foreign, "count")
	ask := func(job string, edit func(*NewTask)) NewTask {
		n := NewTask{AppID: d.app.ID, Job: job}
		if edit != nil {
			edit(&n)
		}
		return n
	}
	got, err := d.Enqueue(t.Context(), []NewTask{
		ask("pay", nil), ask(second.ID, nil), ask("none", nil), ask(hidden.ID, nil), ask("count", nil),
		ask("pay", func(n *NewTask) { n.Delay = new(-time.Second) }),
		ask("pay", func(n *NewTask) { n.UniqueKey = "k" }), ask("pay", func(n *NewTask) { n.UniqueKey = "k" }), ask("ship", func(n *NewTask) { n.UniqueKey = "k" }),
		ask("pay", func(n *NewTask) { n.RequestID = "r" }), ask("pay", func(n *NewTask) { n.RequestID = "r" }),
	})
	d.must(err)
	want := []string{"new", "new", "NOT_FOUND job", "NOT_FOUND job", "NOT_FOUND job", "INVALID delay", "new", "as 6", "new", "new", "as 9"}
	for i, c := range got {
		state := "new"
		switch {
		case c.Err != nil:
			state = strings.Join(fields(c.Err), ",")
		case c.Existing:
			state = fmt.Sprint("as ", slices.IndexFunc(got, func(o Created) bool { return o.TaskID == c.TaskID }))
		}
		if state != want[i] {
			t.Errorf("item %d: %s, %v; want %s", i, state, c.Err, want[i])
		}
	}
	row, err := d.Task(t.Context(), got[0].TaskID)
	d.must(err)
	if row.Trigger != models.TriggerAPI || d.count() != 5 {
		t.Errorf("%s, %d tasks", row.Trigger, d.count())
	}
	told, err := d.Timeline(t.Context(), []models.Task{row})
	d.must(err)
	if told[row.ID][0].Actor != "" {
		t.Errorf("a program's task was made by %q", told[row.ID][0].Actor)
	}
	for _, n := range []int{0, 1001} {
		_, err := d.Enqueue(t.Context(), make([]NewTask, n))
		d.want(err, fault.Invalid)
	}
}

func TestEnqueueAThousand(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	items := make([]NewTask, MaxItems)
	for i := range items {
		items[i] = NewTask{AppID: d.app.ID, Job: "pay", Parameters: json.RawMessage(fmt.Sprint(i))}
	}
	got, err := d.Enqueue(t.Context(), items)
	d.must(err)
	rows, err := d.ByIDs(t.Context(), idsOfCreated(got))
	d.must(err)
	byID := map[string]string{}
	for _, r := range rows {
		byID[r.ID] = string(r.Parameters)
	}
	for i, c := range got {
		if byID[c.TaskID] != fmt.Sprint(i) {
			t.Fatalf("item %d became %q", i, byID[c.TaskID])
		}
	}
}

func idsOfCreated(all []Created) []string {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].TaskID
	}
	return ids
}

func TestSingleEnqueuesAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const callers, each = 16, 25
	var mu sync.Mutex
	ids := map[string]bool{}
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range each {
				got, err := d.Enqueue(t.Context(), []NewTask{{AppID: d.app.ID, Job: "pay"}})
				if err != nil || got[0].Err != nil {
					t.Error(err, got)
					return
				}
				mu.Lock()
				ids[got[0].TaskID] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(ids) != callers*each || d.count() != callers*each {
		t.Errorf("%d ids, %d tasks, want %d", len(ids), d.count(), callers*each)
	}
}

func TestStoppedServiceTakesNoMore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := d.server()
	d.must(s.Stop(t.Context()))
	_, err := s.Run(t.Context(), "ada", NewTask{Job: d.job.ID})
	d.want(err, fault.Unavailable)
}

func TestCancel(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	waiting, running, done := d.put(models.TaskWaiting, nil), d.put(models.TaskRunning, func(t *models.Task) { t.Attempt = 1 }), d.put(models.TaskSucceeded, nil)
	got, err := d.Cancel(t.Context(), "ada", "", waiting.ID, "not today")
	d.must(err)
	if got.State != models.TaskCancelled || got.CancelReason != "not today" || got.CancelActor != "ada" || got.Reason != models.ReasonRequested {
		t.Errorf("%+v", got)
	}
	got, err = d.Cancel(t.Context(), "ada", d.app.ID, running.ID, "")
	d.must(err)
	if got.State != models.TaskRunning || got.CancelRequestedAt == nil {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]string{running.ID}, d.heard.cancelling); diff != "" {
		t.Errorf("cancel hints:\n%s", diff)
	}
	if diff := cmp.Diff([]string{waiting.ID, running.ID}, d.heard.changed); diff != "" {
		t.Errorf("change hints:\n%s", diff)
	}
	for name, c := range map[string]struct {
		app, id, reason string
		code            fault.Code
	}{
		"ended": {"", done.ID, "", fault.Conflict}, "again": {"", waiting.ID, "", fault.Conflict}, "none": {"", "01NONE", "", fault.NotFound},
		"other app": {"01OTHER", running.ID, "", fault.NotFound}, "none in app": {d.app.ID, "01NONE", "", fault.NotFound},
		"long reason": {"", running.ID, strings.Repeat("x", 501), fault.Invalid},
	} {
		_, err := d.Cancel(t.Context(), "ada", c.app, c.id, c.reason)
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}

func TestCancelByKey(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	got := d.run(NewTask{UniqueKey: "order-17", Delay: new(time.Hour)})
	for name, c := range map[string]struct{ app, job, key string }{
		"other key": {"", d.job.ID, "order-18"}, "other job": {"", "01NONE", "order-17"}, "other app": {"01OTHER", d.job.ID, "order-17"}, "name": {d.app.ID, "ship", "order-17"},
	} {
		_, err := d.CancelByKey(t.Context(), "ada", c.app, c.job, c.key, "")
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancelled, err := d.CancelByKey(t.Context(), "", d.app.ID, "pay", "order-17", "paid")
	d.must(err)
	if cancelled.ID != got.ID || cancelled.State != models.TaskCancelled {
		t.Errorf("%+v", cancelled)
	}
	_, err = d.CancelByKey(t.Context(), "", "", d.job.ID, "order-17", "paid")
	d.want(err, fault.NotFound)
	if again := d.run(NewTask{UniqueKey: "order-17"}); again.ID == got.ID {
		t.Error("the key was not set free")
	}
}

func failed(t *models.Task) {
	t.Attempt, t.Outcome, t.Reason, t.Error = 1, models.OutcomeFailed, models.ReasonRetriesExhausted, "boom"
	t.DispatchedAt, t.FinishedAt, t.NodeName = &t.CreatedAt, &t.CreatedAt, "n1"
}

func TestRetryFromTheFailedQueue(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	task := d.put(models.TaskFailed, failed)
	d.clock.Advance(time.Minute)
	got, err := d.Retry(t.Context(), "ada", task.ID, json.RawMessage(`{"n": 2}`))
	d.must(err)
	if got.ID != task.ID || got.State != models.TaskRetrying || string(got.Parameters) != `{"n":2}` || !got.AvailableAt.Equal(d.clock.Now()) || got.MaxAttempts < 2 {
		t.Errorf("%+v", got)
	}
	_, err = d.Retry(t.Context(), "ada", task.ID, nil)
	d.want(err, fault.Conflict)
	attempts, err := d.Attempts(t.Context(), []models.Task{got})
	d.must(err)
	told, err := d.Timeline(t.Context(), []models.Task{got})
	d.must(err)
	var kinds []Kind
	for _, e := range told[task.ID] {
		kinds = append(kinds, e.Kind)
	}
	wantKinds := []Kind{KindCreated, KindDispatched, KindAttemptEnded, KindRetried}
	if diff := cmp.Diff(wantKinds, kinds); diff != "" || len(attempts[task.ID]) != 2 {
		t.Errorf("%d attempts, timeline (-want +got):\n%s", len(attempts[task.ID]), diff)
	}
}

// TestRerun is "run again" pressed on a task that has ended, twice within a
// second.
// A finished task can be run again, and a second press is the same request (CB-113).
func TestRerun(t *testing.T) {
	t.Parallel()
	for _, state := range []models.TaskState{models.TaskSucceeded, models.TaskCancelled, models.TaskSkipped, models.TaskDiscarded} {
		t.Run(state.String(), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			first := d.put(state, nil)
			d.clock.Advance(time.Hour)
			again, err := d.Retry(t.Context(), "ada", first.ID, nil)
			d.must(err)
			twice, err := d.Retry(t.Context(), "bob", first.ID, json.RawMessage(`"ignored"`))
			d.must(err)
			now := d.clock.Now()
			want := models.Task{
				ID: again.ID, JobID: first.JobID, AppID: first.AppID, GroupID: first.GroupID, State: models.TaskWaiting, Trigger: models.TriggerManual,
				Priority: first.Priority, ScheduledAt: first.ScheduledAt, AvailableAt: now, CreatedAt: now, MaxAttempts: 3, TimeoutMS: 60_000,
				Parameters: first.Parameters, UniqueKey: new("rerun:" + first.ID), RootID: &first.ID,
			}
			for _, got := range []models.Task{again, twice} {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			if again.ID == first.ID || d.count() != 2 {
				t.Errorf("%d tasks", d.count())
			}
			_, err = d.Cancel(t.Context(), "ada", "", again.ID, "")
			d.must(err)
			third, err := d.Retry(t.Context(), "ada", again.ID, json.RawMessage(`3`))
			d.must(err)
			if *third.RootID != first.ID || string(third.Parameters) != "3" {
				t.Errorf("the third: %+v", third)
			}
			fourth, err := d.Retry(t.Context(), "ada", first.ID, nil) // the second has ended
			d.must(err)
			if fourth.ID == again.ID || fourth.ID == third.ID {
				t.Errorf("the fourth is %s", fourth.ID)
			}
		})
	}
}

func TestRerunWithoutParameters(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.put(models.TaskSucceeded, func(t *models.Task) { t.Parameters = nil })
	again, err := d.Retry(t.Context(), "ada", first.ID, nil)
	d.must(err)
	if again.Parameters != nil {
		t.Errorf("it got the job's parameters, %s", again.Parameters)
	}
}

func TestRetryRefusals(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, state := range []models.TaskState{models.TaskWaiting, models.TaskRunning, models.TaskRetrying} {
		task := d.put(state, nil)
		_, err := d.Retry(t.Context(), "ada", task.ID, nil)
		d.want(err, fault.Conflict)
	}
	done := d.put(models.TaskSucceeded, nil)
	_, err := d.Retry(t.Context(), "ada", done.ID, json.RawMessage(`{`))
	d.want(err, fault.Invalid)
	_, err = d.Retry(t.Context(), "ada", "01NONE", nil)
	d.want(err, fault.NotFound)
	_, err = d.store.DeleteJob(t.Context(), d.job.ID, d.clock.Now(), d.audit())
	d.must(err)
	_, err = d.Retry(t.Context(), "ada", done.ID, nil)
	d.want(err, fault.NotFound)
}

func TestDiscard(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	task := d.put(models.TaskFailed, failed)
	d.clock.Advance(time.Minute)
	got, err := d.Discard(t.Context(), "ada", task.ID, "known")
	d.must(err)
	if got.State != models.TaskDiscarded {
		t.Errorf("%+v", got)
	}
	_, err = d.Discard(t.Context(), "ada", task.ID, "")
	d.want(err, fault.Conflict)
	_, err = d.Discard(t.Context(), "ada", "01NONE", "")
	d.want(err, fault.NotFound)
	_, err = d.Discard(t.Context(), "ada", task.ID, strings.Repeat("x", 501))
	d.want(err, fault.Invalid)
	told, err := d.Timeline(t.Context(), []models.Task{got})
	d.must(err)
	last := told[task.ID][len(told[task.ID])-1]
	if last.Kind != KindFinished || last.Actor != "ada" || !last.At.Equal(d.clock.Now()) || !strings.Contains(last.Message, "known") {
		t.Errorf("the timeline ends with %+v", last)
	}
}

func TestRecentAndLogs(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	task := d.run(NewTask{})
	recent, err := d.Recent(t.Context(), []string{d.job.ID}, 5)
	d.must(err)
	if len(recent[d.job.ID]) != 1 {
		t.Errorf("recent: %v", recent)
	}
	d.must(d.store.AppendLogs(t.Context(), []models.LogChunk{{
		TaskID: task.ID, FirstSeq: models.LogSeq(1, 1), LastSeq: models.LogSeq(1, 2), Bytes: 20,
		Lines: json.RawMessage(`[{"seq":1,"at":"2031-05-06T07:08:00Z","level":"INFO","message":"a"},{"seq":2,"at":"2031-05-06T07:08:01Z","level":"WARN","message":"b"}]`),
	}}, 1<<20))
	page, err := d.Logs(t.Context(), task.ID, 0, 1)
	d.must(err)
	if len(page.Lines) != 1 || page.Lines[0].Message != "a" || !page.More || page.Truncated {
		t.Errorf("%+v", page)
	}
	page, err = d.Logs(t.Context(), task.ID, page.Lines[0].Seq, 10)
	d.must(err)
	if len(page.Lines) != 1 || page.Lines[0].Message != "b" || page.More {
		t.Errorf("%+v", page)
	}
	found, err := d.SearchLogs(t.Context(), task.ID, LogQuery{Rank: models.LogRank(models.LogWarn), Limit: 10})
	d.must(err)
	if len(found.Lines) != 1 || found.Lines[0].Message != "b" || found.More {
		t.Errorf("%+v", found)
	}
}

func TestKeyRules(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	key := NewTask{UniqueKey: "order", Delay: new(time.Hour)}
	first := d.run(key)
	later := key
	later.Delay, later.OnKeyHeld, later.RequestID = new(2*time.Hour), models.KeyReschedule, "press 1"
	moved := d.run(later)
	if moved.ID != first.ID || !moved.AvailableAt.Equal(base.Add(2*time.Hour)) || !moved.ScheduledAt.Equal(first.ScheduledAt) {
		t.Errorf("moved %+v", moved)
	}
	if !slices.Contains(d.heard.changed, first.ID) || len(d.heard.queued) != 2 {
		t.Errorf("told of changes %v, queues %v", d.heard.changed, d.heard.queued)
	}
	told, err := d.Timeline(t.Context(), []models.Task{moved})
	d.must(err)
	if e := told[first.ID]; len(e) != 2 || e[1].Kind != KindRescheduled || e[1].Actor != "ada" || !strings.Contains(e[1].Message, instant(moved.AvailableAt)) {
		t.Errorf("timeline %+v", e)
	}
	// A repeat of the first press comes hours later, after somebody else's.
	d.clock.Advance(time.Hour)
	_, err = d.Reschedule(t.Context(), "bob", "", first.ID, When{Delay: new(5 * time.Hour)})
	d.must(err)
	if again := d.run(later); again.ID != first.ID || !again.AvailableAt.Equal(base.Add(6*time.Hour)) {
		t.Errorf("the repeat moved it back: %+v", again)
	}
	swap := key
	swap.OnKeyHeld, swap.RequestID = models.KeyReplace, "press 2"
	second := d.run(swap)
	if second.ID == first.ID || d.run(swap).ID != second.ID {
		t.Errorf("replaced by %+v", second)
	}
	gone, err := d.Task(t.Context(), first.ID)
	d.must(err)
	if gone.State != models.TaskCancelled || gone.Reason != models.ReasonReplaced {
		t.Errorf("the replaced one: %+v", gone)
	}
	_, err = d.RescheduleByKey(t.Context(), "bob", d.app.ID, "pay", "order", When{})
	d.must(err)
	rows, _, err := d.store.DispatchTasks(t.Context(), nil, d.clock.Now(), []store.Dispatch{{TaskID: second.ID, NodeID: first.ID}}, nil)
	if err != nil || len(rows) != 1 {
		t.Fatalf("dispatching: %v, %v", rows, err)
	}
	for _, rule := range []models.KeyRule{models.KeyReschedule, models.KeyReplace} {
		_, err = d.Run(t.Context(), "ada", NewTask{Job: d.job.ID, UniqueKey: "order", OnKeyHeld: rule})
		d.want(err, fault.Conflict)
		if !strings.Contains(err.Error(), second.ID) {
			t.Errorf("the conflict does not name the task: %v", err)
		}
	}
	created, err := d.Enqueue(t.Context(), []NewTask{
		{Job: d.job.ID, UniqueKey: "order", OnKeyHeld: models.KeyReplace}, {Job: d.job.ID, UniqueKey: "other", OnKeyHeld: models.KeyReplace},
	})
	d.must(err)
	d.want(created[0].Err, fault.Conflict)
	if created[1].Err != nil || created[1].Existing {
		t.Errorf("the other item: %+v", created[1])
	}
	_, err = d.Reschedule(t.Context(), "bob", "", second.ID, When{})
	d.want(err, fault.Conflict)
	_, err = d.Reschedule(t.Context(), "bob", "01OTHER", created[1].TaskID, When{})
	d.want(err, fault.NotFound)
	_, err = d.RescheduleByKey(t.Context(), "bob", "", d.job.ID, "none", When{})
	d.want(err, fault.NotFound)
	for _, wrong := range []NewTask{{Job: d.job.ID, OnKeyHeld: models.KeyReplace}, {Job: d.job.ID, UniqueKey: "x", OnKeyHeld: models.KeyReschedule, Delay: new(-time.Second)}} {
		_, err = d.Run(t.Context(), "ada", wrong)
		d.want(err, fault.Invalid)
	}
}
