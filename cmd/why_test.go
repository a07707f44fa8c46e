package cmd

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/trigger"
	"github.com/belfry-scheduler/belfry/services/why"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// why answers why a job did or did not run at an instant.
func (p *plant) why(j models.Job, at time.Time) why.Answer {
	p.t.Helper()
	a, err := why.New(p.store, p.clock).Why(p.t.Context(), j.ID, at, "en")
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

func (p *plant) wantWhy(j models.Job, at time.Time, code why.Code, says string) {
	p.t.Helper()
	if a := p.why(j, at); a.Code != code || !strings.Contains(a.Sentence, says) {
		p.t.Errorf("job %s at %s: %s %q, evidence %+v; want %s %q", j.Name, at, a.Code, a.Sentence, a.Evidence, code, says)
	}
}

// A job that waits for the success of one that fails, and for another one that has not
// run: the answer names the one that went wrong, and when it has come to success the one
// that is missing.
func TestWhyAConditionIsNotMet(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Import", func(_ context.Context, _ *worker.Task, args struct{ OK bool }) error {
			if !args.OK {
				return errors.New("no file")
			}
			return nil
		})
	})
	source, other := p.job("Import", nil), p.job("Other", nil)
	ledger := p.job("Ledger", after(models.WindowDay, source, other))
	asked := func() time.Time { return p.clock.Now() }
	p.wantWhy(ledger, asked(), why.UpstreamMissing, "None of")
	id := p.trigger(source)
	p.awaitState(id, models.TaskFailed)
	p.untilWhy(ledger, why.UpstreamCondition)
	p.wantWhy(ledger, asked(), why.UpstreamCondition, "import")
	if _, err := p.tasks.Retry(t.Context(), "ada", id, []byte(`{"OK":true}`)); err != nil {
		t.Fatal(err)
	}
	p.awaitState(id, models.TaskSucceeded)
	p.untilWhy(ledger, why.UpstreamMissing)
	p.wantWhy(ledger, asked(), why.UpstreamMissing, "other")
}

// untilWhy waits until a job's answer for the present is a code.
func (p *plant) untilWhy(j models.Job, code why.Code) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for p.why(j, p.clock.Now()).Code != code {
		if time.Now().After(deadline) {
			p.t.Fatalf("the answer is %+v, never %s", p.why(j, p.clock.Now()), code)
		}
		<-tick.C
	}
}

// A daily job that its calendar moves off the weekend: of a fire that was moved the answer
// is where to, in the past as in the future, and of the working days that it fired.
func TestWhyAFireWasMoved(t *testing.T) {
	t.Parallel()
	p := stillPlant(t)
	appID := p.job("App", nil).AppID
	c, err := p.calendars.Create(t.Context(), "ada", calendar.Input{AppID: appID, Name: "office", RestDays: []time.Weekday{time.Saturday, time.Sunday}})
	if err != nil {
		t.Fatal(err)
	}
	like := p.job("Report", func(in *job.Input) {
		in.Trigger = job.TriggerInput{Cron: &job.CronInput{
			Expression: "0 2 * * *", Zone: new("UTC"), Calendar: &c.Name, OnRestDay: new(models.CalendarNextWorkingDay),
		}}
		in.Enabled = new(false)
	})
	two := p.clock.Now().Truncate(24 * time.Hour).Add(2 * time.Hour)
	saturday := two.AddDate(0, 0, -int(two.Weekday())-8) // of the week before last
	begin := saturday.AddDate(0, 0, -1)
	j := like
	name := "report-moved"
	j.ID, j.Name, j.LiveName, j.Enabled, j.NextFireAt, j.CreatedAt, j.TriggerSince = models.NewID(begin), name, &name, true, &begin, begin, &begin
	if err := p.store.CreateJob(t.Context(), j, models.Audit{ID: models.NewID(begin), At: begin}); err != nil {
		t.Fatal(err)
	}
	clock := testledger.NewClock(begin)
	fires, err := trigger.New(trigger.Config{
		Ledger: p.store, Owner: allPartitions{}, Workers: catalog.New(p.store, clock), Watcher: allPartitions{}, Clock: clock, Logger: p.logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 { // Friday to Tuesday
		if _, err := fires.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.Advance(24 * time.Hour)
	}
	monday := saturday.AddDate(0, 0, 2)
	p.wantWhy(j, begin, why.NoWorker, "Its task waits")
	p.wantWhy(j, saturday, why.Moved, "moves this fire to "+monday.Format("2006-01-02"))
	p.wantWhy(j, saturday.AddDate(0, 0, 1), why.Moved, "moves this fire to "+monday.Format("2006-01-02"))
	p.wantWhy(j, monday, why.NoWorker, "Its task waits")
	p.wantWhy(j, saturday.AddDate(0, 0, 21), why.Moved, "moves this fire to "+monday.AddDate(0, 0, 21).Format("2006-01-02"))
}
