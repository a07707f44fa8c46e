package why

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// desk is a ledger with a job that fires at two each night.
type desk struct {
	*testing.T
	*Service
	st    *store.Store
	clock *testledger.Clock
	job   models.Job
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{T: t, clock: testledger.NewClock(now)}
	d.st = testledger.Open(t, d.clock)
	d.Service = New(d.st, d.clock)
	born := two.AddDate(0, -1, 0)
	app := models.App{ID: models.NewID(born), Name: "shop", CreatedAt: born, UpdatedAt: born}
	group := models.NodeGroup{ID: models.NewID(born), AppID: app.ID, Name: "default", CreatedAt: born, UpdatedAt: born}
	d.must(d.st.CreateApp(t.Context(), app, models.AppKey{ID: models.NewID(born), AppID: app.ID, Hash: "h", CreatedAt: born}, group, models.Audit{ID: models.NewID(born), At: born}))
	name := "report"
	d.job = models.Job{
		ID: models.NewID(born), AppID: app.ID, GroupID: group.ID, Name: name, LiveName: &name, Handler: "Report",
		TriggerKind: models.TriggerCron, Expression: "0 2 * * *", Zone: "UTC", NextFireAt: new(two.AddDate(0, 0, 1)),
		Enabled: true, Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, MaxAttempts: 1, Version: 1, CreatedAt: born, UpdatedAt: born,
	}
	d.must(d.st.CreateJob(t.Context(), d.job, d.audit(born, "job.create", nil)))
	return d
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) audit(at time.Time, action string, detail any) models.Audit {
	raw, err := json.Marshal(detail)
	d.must(err)
	return models.Audit{ID: models.NewID(at), At: at, Actor: "ada", Action: action, Kind: "job", Object: d.job.ID, Detail: raw}
}

func (d *desk) changed(at time.Time, action string, detail any) {
	d.Helper()
	d.must(d.st.InsertAudit(d.Context(), d.audit(at, action, detail)))
}

func (d *desk) fire(at time.Time, state models.TaskState) models.Task {
	d.Helper()
	t := models.Task{
		ID: models.FireID(d.job.ID, at, -1), JobID: d.job.ID, AppID: d.job.AppID, GroupID: d.job.GroupID, State: state, Trigger: models.TriggerCron,
		Priority: models.PriorityNormal, ScheduledAt: at, AvailableAt: at, CreatedAt: at, MaxAttempts: 1,
	}
	_, err := d.st.CreateTasks(d.Context(), []models.Task{t})
	d.must(err)
	return t
}

func (d *desk) want(at time.Time, code Code) Answer {
	d.Helper()
	a, err := d.Why(d.Context(), d.job.ID, at, "zh-CN")
	d.must(err)
	if a.Code != code {
		d.Errorf("at %s: %s %q, want %s", at, a.Code, a.Sentence, code)
	}
	return a
}

// What the ledger holds leads to the answer, night by night.
func TestWhyReadsTheLedger(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	night := func(n int) time.Time { return two.AddDate(0, 0, -n) }
	// The nights, from the latest: a waiting task, a success, an overlap that a
	// backfill made up for, one that was only skipped, a pause of two nights, one
	// recorded as missed, and another trigger before the sixth of March.
	d.fire(night(0), models.TaskWaiting)
	d.fire(night(1), models.TaskSucceeded)
	d.fire(night(2), models.TaskSkipped)
	fill := models.Task{
		ID: models.BackfillTaskID("b", night(2)), JobID: d.job.ID, AppID: d.job.AppID, GroupID: d.job.GroupID, State: models.TaskSucceeded,
		Trigger: models.TriggerBackfill, Priority: models.PriorityNormal, ScheduledAt: night(2), AvailableAt: now, CreatedAt: now, MaxAttempts: 1,
	}
	_, err := d.st.CreateTasks(t.Context(), []models.Task{fill})
	d.must(err)
	d.fire(night(3), models.TaskSkipped)
	d.changed(night(6).Add(time.Hour), "job.pause", nil)
	d.changed(night(4).Add(time.Hour), "job.update", map[string]any{"enabled": map[string]any{"from": false, "to": true}})
	won, err := d.st.RecordFires(t.Context(), nil, []store.Fires{{
		JobID: d.job.ID, Version: 1, ExpectedNext: *d.job.NextFireAt, Next: d.job.NextFireAt, Skipped: []models.SkippedFires{{
			ID: models.NewID(night(6)), JobID: d.job.ID, FirstAt: night(7), LastAt: night(6), Count: 2, Reason: models.ReasonMisfireSkipped, RecordedAt: night(6),
		}},
	}})
	if err != nil || !won[0] {
		t.Fatal(won, err)
	}
	d.changed(night(8).Add(time.Hour), "job.update", map[string]any{
		"trigger": map[string]any{"from": map[string]any{"kind": "CRON", "expression": "0 5 * * *", "zone": "UTC"}, "to": map[string]any{"kind": "CRON"}},
	})
	if a := d.want(night(0).Add(10*time.Second), NoWorker); a.Task == nil || !a.PreviousFire.Equal(two) || !a.NextFire.Equal(night(-1)) {
		t.Errorf("%+v", a)
	}
	d.want(night(1), Ran)
	if a := d.want(night(2), Ran); a.Task == nil || a.Task.ID != fill.ID {
		t.Errorf("the backfill is not seen: %+v", a.Task)
	}
	d.want(night(3), Overlap)
	d.want(night(4), Paused)
	d.want(night(5), Paused)
	d.want(night(6), Misfire)
	d.want(night(7), Misfire)
	d.want(night(8), Edited)
	d.want(night(8).Add(3*time.Hour), NoFire) // as the trigger was: five o'clock, but the edit came before
	d.want(night(9).Add(3*time.Hour), Unknown)
	d.want(night(1).Add(time.Hour), NoFire)
	d.want(night(-1), WillRun)
	d.want(night(40), NotCreatedYet)
	_, err = d.st.DeleteJob(t.Context(), d.job.ID, now, d.audit(now, "job.delete", nil))
	d.must(err)
	d.want(night(-1), Deleted)
	d.want(night(1), Ran)
}

func TestWhyRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for name, c := range map[string]struct {
		job, locale string
		at          time.Time
		code        fault.Code
	}{
		"no job": {"none", "en", two, fault.NotFound}, "locale": {d.job.ID, "fr", two, fault.Invalid}, "instant": {d.job.ID, "en", time.Time{}, fault.Invalid},
	} {
		if _, err := d.Why(t.Context(), c.job, c.at, c.locale); !fault.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A job that depends on others waits for them by name.
func TestWhyOfADependency(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	j := d.job
	name := "reconcile"
	j.ID, j.Name, j.LiveName, j.TriggerKind, j.NextFireAt = models.NewID(two), name, &name, models.TriggerDependency, nil
	d.job = j
	d.must(d.st.CreateJob(t.Context(), j, d.audit(two, "job.create", nil)))
	d.want(now, UpstreamMissing)
}
