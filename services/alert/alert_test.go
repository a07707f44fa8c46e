package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/store"
)

// noon is a Monday in winter.
var noon = time.Date(2026, 1, 12, 12, 0, 0, 0, time.UTC)

// heard notes what a service told.
type heard struct {
	incidents []string
	queued    int
	edited    int
}

func (h *heard) IncidentsChanged(_ context.Context, ids []string) {
	h.incidents = append(h.incidents, ids...)
}
func (h *heard) NotificationsQueued(context.Context) { h.queued++ }
func (h *heard) AlertsEdited(context.Context)        { h.edited++ }

// owner owns what it holds, and notes what it lost.
type owner struct {
	held map[int]int64
	lost []int
}

func (o *owner) Fence(partitions ...int) (map[int]int64, bool) {
	fence := map[int]int64{}
	for _, p := range partitions {
		epoch, ours := o.held[p]
		if !ours {
			return nil, false
		}
		fence[p] = epoch
	}
	return fence, true
}
func (o *owner) Lost(partitions ...int) { o.lost = append(o.lost, partitions...) }

// office is a service whose loop the test turns, with an app and its jobs.
type office struct {
	*testing.T
	*Service
	ledger  *store.Store
	clock   *testledger.Clock
	heard   *heard
	owner   *owner
	app     models.App
	group   models.NodeGroup
	jobs    []models.Job
	channel models.AlertChannel
	made    int
}

// opener opens an empty ledger.
type opener func(testing.TB, clock.Clock) *store.Store

func newOffice(t *testing.T, jobs int) *office {
	t.Helper()
	return newOfficeOn(t, jobs, testledger.Open)
}

func newOfficeOn(t *testing.T, jobs int, open opener) *office {
	t.Helper()
	o := &office{T: t, clock: testledger.NewClock(noon), heard: &heard{}}
	o.ledger = open(t, o.clock)
	now := noon.Add(-24 * time.Hour)
	o.app = models.App{ID: models.NewID(now), Name: "shop", CreatedAt: now, UpdatedAt: now}
	o.group = models.NodeGroup{ID: models.NewID(now), AppID: o.app.ID, Name: "default", CreatedAt: now, UpdatedAt: now}
	o.group.Partition = models.PartitionOf(o.group.ID)
	o.must(o.ledger.CreateApp(t.Context(), o.app, models.AppKey{ID: models.NewID(now), AppID: o.app.ID, Hash: "h", CreatedAt: now}, o.group, o.audit()))
	for i := range jobs {
		name := fmt.Sprintf("job-%d", i)
		j := models.Job{
			ID: models.NewID(now), AppID: o.app.ID, GroupID: o.group.ID, Partition: o.group.Partition, Name: name, LiveName: &name, Handler: "Work",
			Labels: json.RawMessage(fmt.Sprintf(`{"n":"%d"}`, i)), TriggerKind: models.TriggerManual, Enabled: true, Priority: models.PriorityNormal,
			Concurrency: models.ConcurrencyAllow, TimeoutMS: 60_000, MaxAttempts: 1, Version: 1, CreatedAt: now, UpdatedAt: now,
		}
		o.must(o.ledger.CreateJob(t.Context(), j, o.audit()))
		o.jobs = append(o.jobs, j)
	}
	o.channel = o.addChannel("mail")
	epoch, err := o.ledger.TakePartition(t.Context(), Partition, "server-1")
	o.must(err)
	o.owner = &owner{held: map[int]int64{Partition: epoch}}
	o.Service = o.server()
	return o
}

// server is one more server on the ledger, as after a crash of the one before.
func (o *office) server() *Service {
	o.Helper()
	s, err := New(Config{Store: o.ledger, Owner: o.owner, Clock: o.clock, Logger: slog.New(slog.DiscardHandler), Notifier: o.heard})
	o.must(err)
	return s
}

func (o *office) audit() models.Audit { return models.Audit{ID: models.NewID(noon), At: noon} }

func (o *office) addChannel(name string) models.AlertChannel {
	o.Helper()
	c := models.AlertChannel{ID: models.NewID(noon), Name: name, Kind: models.ChannelWebhook, Enabled: true, Language: "en", PerMinute: 60, Burst: 10, MaxAgeMS: 86_400_000, Version: 1, CreatedAt: noon, UpdatedAt: noon}
	o.must(o.ledger.CreateChannel(o.Context(), c, o.audit()))
	return c
}

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// rule switches the default rule off and makes one that tells everything at once.
func (o *office) rule(edit ...func(*RuleInput)) models.AlertRule {
	o.Helper()
	_, err := o.SetRuleEnabled(o.Context(), "test", models.DefaultAlertRule, false)
	o.must(err)
	in := RuleInput{Name: fmt.Sprint("rule-", o.made), Enabled: true, Spec: models.AlertSpec{
		Scope: models.AlertScope{Kind: models.ScopeAll}, Conditions: []models.AlertCondition{{Event: models.AlertRetriesExhausted, Count: 1}},
		Zone: "UTC", Severity: models.SeverityWarning, GroupIntervalMS: 60_000,
		Routes:  []models.AlertRoute{{Severities: []models.Severity{models.SeverityInfo, models.SeverityWarning, models.SeverityCritical}}},
		Notices: []models.AlertNotice{models.NoticeOpened, models.NoticeRecovered},
	}}
	o.made++
	for _, e := range edit {
		e(&in)
	}
	r, err := o.CreateRule(o.Context(), "test", in)
	o.must(err)
	return r
}

// run lets a task of each of some jobs run to an end.
func (o *office) run(outcome models.Outcome, jobs ...int) []models.Task {
	o.Helper()
	now := o.clock.Now()
	var tasks []models.Task
	for _, n := range jobs {
		j := &o.jobs[n]
		tasks = append(tasks, models.Task{
			ID: models.NewID(now), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: models.TaskWaiting, Trigger: models.TriggerAPI, Priority: j.Priority,
			ScheduledAt: now, AvailableAt: now, CreatedAt: now, MaxAttempts: 1, TimeoutMS: 60_000,
		})
	}
	_, err := o.ledger.CreateTasks(o.Context(), tasks)
	o.must(err)
	var starts []store.Dispatch
	var ends []store.AttemptEnd
	for i := range tasks {
		starts = append(starts, store.Dispatch{TaskID: tasks[i].ID, NodeID: "01NODENODENODENODENODENO01", NodeName: "worker-1", Incarnation: "i", TimeoutMS: 60_000})
		ends = append(ends, store.AttemptEnd{
			TaskID: tasks[i].ID, Attempt: 1, NodeID: "01NODENODENODENODENODENO01", Incarnation: "i", Outcome: outcome, Error: "disk full",
			StartedAt: &now, FinishedAt: now,
		})
	}
	_, refused, err := o.ledger.DispatchTasks(o.Context(), nil, now, starts, nil)
	o.must(err)
	if len(refused) > 0 {
		o.Fatalf("refused %v", refused)
	}
	_, err = o.ledger.EndAttempts(o.Context(), nil, ends, func(*models.Task, *store.AttemptEnd) store.Decision {
		if outcome == models.OutcomeSucceeded {
			return store.Decision{Event: models.EventSucceed}
		}
		return store.Decision{Event: models.EventFail, Reason: models.ReasonRetriesExhausted}
	})
	o.must(err)
	return tasks
}

func (o *office) fails(jobs ...int) []models.Task {
	o.Helper()
	return o.run(models.OutcomeFailed, jobs...)
}
func (o *office) succeeds(jobs ...int) { o.Helper(); o.run(models.OutcomeSucceeded, jobs...) }

// pass turns the loop until it rests.
func (o *office) pass() {
	o.Helper()
	for range 100 {
		o.clock.Advance(gathers)
		rest, err := o.Pass(o.Context())
		o.must(err)
		if rest > 1 {
			return
		}
	}
	o.Fatal("the desk does not come to rest")
}

// later moves the clock on and turns the loop.
func (o *office) later(by time.Duration) {
	o.Helper()
	o.clock.Advance(by)
	o.pass()
}

// messages are all notifications, oldest first.
func (o *office) messages() []models.Notification {
	o.Helper()
	rows, _, err := o.ledger.NotificationPage(o.Context(), store.NotificationFilter{}, store.Page{First: 100})
	o.must(err)
	slices.Reverse(rows)
	return rows
}

// kinds are those of all notifications, with their states unless they are queued.
func (o *office) kinds() []string {
	o.Helper()
	all := []string{}
	for _, n := range o.messages() {
		text := fmt.Sprintf("%s %d", n.Kind, n.Problems)
		if n.State != models.NotificationQueued {
			text += " " + n.State.String()
		}
		all = append(all, text)
	}
	return all
}

func (o *office) told(want ...string) {
	o.Helper()
	if diff := cmp.Diff(append([]string{}, want...), o.kinds()); diff != "" {
		o.Errorf("told (-want +got):\n%s", diff)
	}
}

// incidents are all of them, oldest first.
func (o *office) incidents() []models.Incident {
	o.Helper()
	rows, _, err := o.Incidents(o.Context(), Filter{}, Page{First: 100})
	o.must(err)
	slices.Reverse(rows)
	return rows
}

func (o *office) entries(id string) []models.IncidentEntryKind {
	o.Helper()
	rows, _, err := o.Timeline(o.Context(), id, Page{First: 100})
	o.must(err)
	kinds := []models.IncidentEntryKind{}
	for i := range rows {
		kinds = append(kinds, rows[i].Kind)
	}
	return kinds
}

// A job that fails opens an incident, which is told once; its recovery closes it with the
// downtime, which is told once.
func TestFailureToRecovery(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 1)
	r := o.rule()
	task := o.fails(0)[0]
	o.pass()
	o.told("PROBLEM 1")
	i := o.incidents()[0]
	if i.State != models.IncidentOpen || i.Title != "shop/job-0: failed, and no try is left" || i.LastError != "disk full" || or(i.LastTaskID) != task.ID || i.RuleID != r.ID {
		t.Errorf("the incident is %+v", i)
	}
	o.later(7 * time.Minute)
	o.succeeds(0)
	o.pass()
	o.told("PROBLEM 1", "RECOVERY 1")
	i = o.incidents()[0]
	if d := i.Duration(o.clock.Now()); i.State != models.IncidentResolved || d < 7*time.Minute || d > 8*time.Minute {
		t.Errorf("%s after %s", i.State, d)
	}
	want := []models.IncidentEntryKind{models.EntryOpened, models.EntryNotified, models.EntryRecovered, models.EntryNotified}
	if diff := cmp.Diff(want, o.entries(i.ID)); diff != "" {
		t.Error(diff)
	}
	o.later(time.Hour)
	o.told("PROBLEM 1", "RECOVERY 1")
	if o.heard.queued != 2 || len(o.heard.incidents) == 0 {
		t.Errorf("told others of %d notifications and %d incidents", o.heard.queued, len(o.heard.incidents))
	}
}

// The message of a notification has what a half-awake person needs, and its id.
func TestMessage(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 1)
	o.rule()
	task := o.fails(0)[0]
	o.pass()
	n := o.messages()[0]
	var m models.Message
	o.must(json.Unmarshal(n.Message, &m))
	if m.ID != n.ID || m.Kind != models.MessageProblem || m.Total != 1 || len(m.Problems) != 1 || m.RuleName != "rule-0" || m.Zone != "UTC" {
		t.Fatalf("the message is %+v", m)
	}
	p := m.Problems[0]
	if p.JobName != "job-0" || p.AppName != "shop" || p.GroupName != "default" || p.TaskID != task.ID || p.Error != "disk full" || !p.FailedQueue ||
		p.Count != 1 || len(p.Attempts) != 1 || p.Attempts[0].Node != "worker-1" || p.Attempts[0].State != "FAILED" || p.State != models.IncidentOpen {
		t.Errorf("the problem is %+v", p)
	}
	if diff := cmp.Diff([]string{o.incidents()[0].ID}, n.IncidentIDs); diff != "" {
		t.Error(diff)
	}
}

// A thousand jobs that fail within a minute are one message to each channel.
func TestThousandFailures(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 1000)
	o.addChannel("chat")
	o.rule(func(in *RuleInput) { in.Spec.GroupWaitMS = 60_000 })
	for n := range 20 {
		var jobs []int
		for k := range 50 {
			jobs = append(jobs, n*50+k)
		}
		o.fails(jobs...)
		o.later(2 * time.Second)
	}
	o.told()
	o.later(time.Minute)
	o.told("PROBLEM 1000", "PROBLEM 1000")
	var m models.Message
	o.must(json.Unmarshal(o.messages()[0].Message, &m))
	if m.Total != 1000 || len(m.Problems) != models.MaxMessageProblems {
		t.Errorf("total %d, %d shown", m.Total, len(m.Problems))
	}
}

// A server that dies between two stages loses nothing and doubles nothing: whoever takes
// over goes on with the rows.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 2)
	o.rule(func(in *RuleInput) { in.Spec.GroupWaitMS = 30_000 })
	o.fails(0)
	old := o.Service
	o.pass() // events are incidents, messages wait
	o.told()
	epoch, err := o.ledger.TakePartition(t.Context(), Partition, "server-2")
	o.must(err)
	o.fails(1)
	o.clock.Advance(time.Second)
	if _, err := old.Pass(t.Context()); err != nil || len(o.owner.lost) == 0 {
		t.Errorf("the deposed server: %v, lost %v", err, o.owner.lost)
	}
	if n := len(o.incidents()); n != 1 {
		t.Errorf("the deposed server made %d incidents", n-1)
	}
	o.owner.held[Partition] = epoch
	o.Service = o.server()
	o.later(time.Minute)
	o.told("PROBLEM 2")
	ids := o.messages()[0].ID
	o.Service = o.server()
	o.later(time.Minute)
	if o.told("PROBLEM 2"); o.messages()[0].ID != ids {
		t.Error("the message has another id now")
	}
}

// A night failure is critical and told at once; by day it waits for the digest at noon.
func TestDefaultRule(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 3)
	o.clock.Advance(10*time.Hour + 30*time.Minute) // 22:30
	o.fails(0)
	o.pass()
	o.later(11 * time.Second)
	o.told("PROBLEM 1")
	if n := o.messages()[0]; n.Severity != models.SeverityCritical || n.ChannelID != o.channel.ID {
		t.Errorf("at night: %s to %s", n.Severity, n.ChannelID)
	}
	o.later(10 * time.Hour) // 08:30; the first was repeated at 02:30 and 06:30
	before := len(o.messages())
	o.succeeds(0)
	o.fails(1)
	o.later(time.Minute)
	o.fails(2)
	o.later(2 * time.Hour)
	kinds := o.kinds()[before:]
	if diff := cmp.Diff([]string{"RECOVERY 1"}, kinds); diff != "" {
		t.Errorf("before noon: %s", diff)
	}
	o.later(2 * time.Hour)
	if diff := cmp.Diff([]string{"RECOVERY 1", "DIGEST 2"}, o.kinds()[before:]); diff != "" {
		t.Errorf("after noon: %s", diff)
	}
}

// Without a channel the default rule records incidents, and each says why nobody was told.
func TestNoChannel(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 1)
	_, err := o.ledger.DeleteChannel(t.Context(), o.channel.ID, o.audit())
	o.must(err)
	o.fails(0)
	o.later(time.Minute)
	o.told()
	if diff := cmp.Diff([]models.IncidentEntryKind{models.EntryOpened, models.EntrySuppressed}, o.entries(o.incidents()[0].ID)); diff != "" {
		t.Error(diff)
	}
}

// A rule that is edited after it was read decides nothing any more: the events wait for the
// next look, which is by the new one.
func TestEditedWhileAtWork(t *testing.T) {
	t.Parallel()
	o := newOffice(t, 1)
	r := o.rule()
	o.fails(0)
	b, err := o.read(t.Context(), o.clock.Now())
	o.must(err)
	in := RuleInput{Name: r.Name, Enabled: true, Spec: r.Spec}
	in.Spec.Severity = models.SeverityCritical
	_, err = o.UpdateRule(t.Context(), "ada", r.ID, in)
	o.must(err)
	fence, _ := o.owner.Fence(Partition)
	if _, err := o.intake(t.Context(), store.Fence(fence), b); !errors.Is(err, store.ErrRulesMoved) {
		t.Errorf("by the old rule: %v", err)
	}
	if n := len(o.incidents()); n != 0 {
		t.Errorf("it made %d incidents", n)
	}
	o.pass()
	if i := o.incidents()[0]; i.Severity != models.SeverityCritical || i.Count != 1 {
		t.Errorf("%s, %d events", i.Severity, i.Count)
	}
	o.told("PROBLEM 1")
}
