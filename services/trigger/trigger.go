// Package trigger turns the fires of jobs into tasks. A short while before they
// are due it writes them to the ledger and moves the job's next fire on, in one
// transaction that compares the job as it was read; a fire that will not run is
// written too, with its reason. Step 2 of a task's way (ARCHITECTURE.md).
package trigger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Ledger is what the trigger needs of the store.
type Ledger interface {
	DueJobs(ctx context.Context, partitions []int, before time.Time, limit int) ([]models.Job, error)
	NextFireAt(ctx context.Context, partitions []int) (*time.Time, error)
	RecordFires(ctx context.Context, fence store.Fence, fires []store.Fires) ([]bool, error)
	MarkJobInvalid(ctx context.Context, jobID string, version int, reason string) error
	timetable.CalendarLedger
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Workers knows who can run jobs.
type Workers interface {
	// Unserved answers the ids of those jobs that nobody can run.
	Unserved(ctx context.Context, jobs []*models.Job) (map[string]bool, error)
}

// Watcher is told what was written after the commit.
type Watcher interface {
	TasksQueued(ctx context.Context, groupIDs []string)
	JobsFired(ctx context.Context, jobs []models.Job)
}

// Config sets up a Trigger.
type Config struct {
	Ledger  Ledger
	Owner   Owner
	Workers Workers
	Watcher Watcher
	Clock   clock.Clock
	Logger  *slog.Logger
}

const (
	// LookAhead is how long before its instant a fire becomes a task. The
	// dispatcher's timer hits the instant; an edit of the job deletes the tasks
	// of fires that have not come. Most fires fall on whole seconds: their writing
	// must not, lest it delays the dispatch of those that are due.
	LookAhead  = 1500 * time.Millisecond
	jobsAtOnce = 1000
	longest    = 2 * time.Second       // between two looks, lest a hint is lost
	shortest   = 20 * time.Millisecond // between two looks
	afterError = 500 * time.Millisecond
)

// Trigger is started once. Its pass may also be called by tests.
type Trigger struct {
	cfg       Config
	loop      *lifecycle.Loop
	compiled  timetable.Cache
	calendars timetable.Calendars
}

// New makes a Trigger. It fails on a configuration that a loop cannot run with.
func New(cfg Config) (*Trigger, error) {
	t := &Trigger{cfg: cfg, calendars: timetable.Calendars{Ledger: cfg.Ledger}}
	var err error
	t.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "trigger", Run: t.round, Every: longest, MinBackoff: afterError, MaxBackoff: afterError, Logger: cfg.Logger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the loop of the trigger: %w", err)
	}
	return t, nil
}

// Start begins to fire jobs.
func (t *Trigger) Start(ctx context.Context) error { return t.loop.Start(ctx) }

// Stop ends the firing.
func (t *Trigger) Stop(ctx context.Context) error { return t.loop.Stop(ctx) }

// Wake makes the trigger look at once: a job has changed.
func (t *Trigger) Wake() { t.loop.Wake() }

// Health tells how the firing fares.
func (t *Trigger) Health() []lifecycle.LoopHealth { return t.loop.Health() }

// round is a pass. That another server has taken partitions over is no error: the rest
// is this server's as before, and is looked at soon.
func (t *Trigger) round(ctx context.Context) (time.Duration, error) {
	rest, err := t.Pass(ctx)
	if deposed, ok := errors.AsType[*store.DeposedError](err); ok {
		t.cfg.Owner.Lost(deposed.Partitions...)
		return afterError, nil
	}
	return rest, err
}

// Pass writes all fires that are due within the look-ahead and answers how long
// the trigger may rest.
func (t *Trigger) Pass(ctx context.Context) (time.Duration, error) {
	owned := t.cfg.Owner.Partitions()
	partitions := slices.Sorted(maps.Keys(owned))
	if len(partitions) == 0 {
		return longest, nil
	}
	for {
		horizon := t.cfg.Clock.Now().Add(LookAhead)
		jobs, err := t.cfg.Ledger.DueJobs(ctx, partitions, horizon, jobsAtOnce)
		if err != nil {
			return 0, fmt.Errorf("reading due jobs: %w", err)
		}
		progress, err := t.fire(ctx, owned, jobs, horizon)
		if err != nil {
			return 0, err
		}
		if !progress || len(jobs) < jobsAtOnce {
			break // what is left is seen by the look below
		}
		t.loop.Alive() // after an outage there may be batches for minutes
	}
	next, err := t.cfg.Ledger.NextFireAt(ctx, partitions)
	if err != nil {
		return 0, fmt.Errorf("reading the next fire: %w", err)
	}
	if next == nil {
		return longest, nil
	}
	return min(max(next.Sub(t.cfg.Clock.Now())-LookAhead, shortest), longest), nil
}

// fire writes the fires of jobs up to the horizon and says whether any job moved on.
func (t *Trigger) fire(ctx context.Context, owned map[int]int64, jobs []models.Job, horizon time.Time) (bool, error) {
	now := t.cfg.Clock.Now()
	calendars, err := t.calendars.Of(ctx, jobs...)
	if err != nil {
		return false, err
	}
	fence := store.Fence{}
	fires := make([]store.Fires, 0, len(jobs))
	moving := make([]models.Job, 0, len(jobs))
	progress := false
	for i := range jobs {
		j := &jobs[i]
		compiled, err := t.compile(j, calendars)
		if err != nil {
			// One bad row never stops the others: it is parked with its reason.
			if err := t.park(ctx, j, err); err != nil {
				return false, err
			}
			progress = true
			continue
		}
		fence[j.Partition] = owned[j.Partition]
		fires = append(fires, plan(j, compiled, now, horizon))
		moving = append(moving, *j)
	}
	if len(fires) == 0 {
		return progress, nil
	}
	if err := t.limit(ctx, moving, fires); err != nil {
		return false, err
	}
	failpoint.Here(failpoint.TriggerPlanned)
	won, err := t.cfg.Ledger.RecordFires(ctx, fence, fires)
	if err != nil {
		return false, fmt.Errorf("recording fires of %d jobs: %w", len(fires), err)
	}
	failpoint.Here(failpoint.TriggerRecorded)
	return t.announce(ctx, moving, fires, won) || progress, nil
}

// limit says which fires belong to jobs that nobody can run: few of them may wait. A
// fixed delay has one at a time anyway, whose end must start the next.
func (t *Trigger) limit(ctx context.Context, jobs []models.Job, fires []store.Fires) error {
	var asked []*models.Job
	for i := range jobs {
		if len(fires[i].Tasks) > 0 && jobs[i].TriggerKind != models.TriggerFixedDelay {
			asked = append(asked, &jobs[i])
		}
	}
	unserved, err := t.cfg.Workers.Unserved(ctx, asked)
	if err != nil {
		return err
	}
	for i := range jobs {
		if unserved[jobs[i].ID] {
			fires[i].Keep = jobs[i].FiresKept()
		}
	}
	return nil
}

var errNoCalendar = errors.New("its calendar does not exist or cannot be read: give it another or none")

func (t *Trigger) compile(j *models.Job, calendars map[string]timetable.KnownCalendar) (*schedule.Trigger, error) {
	calendar, ok := timetable.For(calendars, j)
	if !ok {
		return nil, errNoCalendar
	}
	return t.compiled.Compile(j, calendar.Compiled)
}

func (t *Trigger) park(ctx context.Context, j *models.Job, cause error) error {
	t.cfg.Logger.ErrorContext(ctx, "job has an invalid trigger", "job", j.Name, "error", cause)
	if err := t.cfg.Ledger.MarkJobInvalid(ctx, j.ID, j.Version, cause.Error()); err != nil {
		return fmt.Errorf("marking job %s invalid: %w", j.Name, err)
	}
	return nil
}

// announce tells the watcher what was won and says whether anything was.
func (t *Trigger) announce(ctx context.Context, jobs []models.Job, fires []store.Fires, won []bool) bool {
	groups := map[string]bool{}
	var fired []models.Job
	any := false
	for i := range won {
		if !won[i] {
			continue
		}
		any = true
		if len(fires[i].Tasks) > 0 {
			groups[jobs[i].GroupID] = true
		}
		jobs[i].NextFireAt = fires[i].Next
		if fires[i].Last != nil {
			jobs[i].LastFireAt = fires[i].Last
		}
		fired = append(fired, jobs[i])
	}
	if len(groups) > 0 {
		t.cfg.Watcher.TasksQueued(ctx, slices.Sorted(maps.Keys(groups)))
	}
	if len(fired) > 0 {
		t.cfg.Watcher.JobsFired(ctx, fired)
	}
	return any
}

// plan answers the ledger's form of what a job does up to the horizon. It is pure.
func plan(j *models.Job, compiled *schedule.Trigger, now, horizon time.Time) store.Fires {
	since, last := timetable.CountedFrom(j)
	decided := schedule.Plan(schedule.PlanInput{
		Trigger: compiled, Next: *j.NextFireAt, Now: now, Horizon: horizon, Misfire: timetable.MisfireOf(j), Seed: j.ID,
		Since: since, Last: last,
	})
	f := store.Fires{JobID: j.ID, Version: j.Version, Calendar: j.CalendarVersion, ExpectedNext: *j.NextFireAt}
	if !decided.Next.IsZero() {
		f.Next = &decided.Next
	}
	for _, fire := range decided.Fires {
		f.Tasks = append(f.Tasks, task(j, fire, now))
		f.Last = &fire.At
	}
	if f.Last == nil && !decided.Dealt.IsZero() {
		f.Since = &decided.Dealt
	}
	f.Skipped = timetable.Skipped(j.ID, decided.Missed, now)
	return f
}

// task is the ledger row of a fire.
func task(j *models.Job, fire schedule.Fire, now time.Time) models.Task {
	return models.Task{
		ID: models.FireID(j.ID, fire.At, -1), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID,
		State: models.TaskWaiting, Trigger: j.TriggerKind, Priority: j.Priority,
		ScheduledAt: fire.At, AvailableAt: fire.Available, CreatedAt: now,
		MaxAttempts: j.MaxAttempts, TimeoutMS: j.TimeoutMS, Parameters: j.Parameters,
	}
}
