package trigger

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/store"
)

// owner owns every partition until it is deposed.
type owner struct {
	held map[int]int64
	lost []int
}

func ownsAll() *owner {
	o := &owner{held: map[int]int64{}}
	for p := range models.Partitions {
		o.held[p] = 0
	}
	return o
}

func (o *owner) Partitions() map[int]int64 { return maps.Clone(o.held) }

func (o *owner) Lost(partitions ...int) {
	o.lost = append(o.lost, partitions...)
	for _, p := range partitions {
		delete(o.held, p)
	}
}

// heard notes what the trigger told.
type heard struct {
	groups []string
	fired  []models.Job
}

func (h *heard) TasksQueued(_ context.Context, groups []string) {
	h.groups = append(h.groups, groups...)
}

func (h *heard) JobsFired(_ context.Context, jobs []models.Job) { h.fired = append(h.fired, jobs...) }

// served says that there is a worker for every job.
type served struct{}

func (served) Unserved(context.Context, []*models.Job) (map[string]bool, error) { return nil, nil }

// ledger is the real one, with a hand in some of its methods.
type ledger struct {
	*store.Store
	calendarReads int
	due           func([]models.Job) ([]models.Job, error)
	record        func(write func() ([]bool, error)) ([]bool, error)
}

func (l *ledger) CalendarVersions(ctx context.Context, ids []string) (map[string]int, error) {
	l.calendarReads++
	return l.Store.CalendarVersions(ctx, ids)
}

func (l *ledger) CalendarsByIDs(ctx context.Context, ids []string) ([]models.Calendar, error) {
	l.calendarReads++
	return l.Store.CalendarsByIDs(ctx, ids)
}

func (l *ledger) DueJobs(ctx context.Context, partitions []int, before time.Time, limit int) ([]models.Job, error) {
	jobs, err := l.Store.DueJobs(ctx, partitions, before, limit)
	if err == nil && l.due != nil {
		return l.due(jobs)
	}
	return jobs, err
}

func (l *ledger) RecordFires(ctx context.Context, fence store.Fence, fires []store.Fires) ([]bool, error) {
	write := func() ([]bool, error) { return l.Store.RecordFires(ctx, fence, fires) }
	if l.record != nil {
		return l.record(write)
	}
	return write()
}

// bench is a ledger with a group, and a server's trigger over it.
type bench struct {
	testing.TB
	clock *testledger.Clock
	*server
	group models.NodeGroup
}

// server is one server's part.
type server struct {
	ledger  *ledger
	owner   *owner
	heard   *heard
	trigger *Trigger
}

// begin is Friday, 2 October 2026, one second before 02:00 UTC.
var begin = time.Date(2026, 10, 2, 1, 59, 59, 0, time.UTC)

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{TB: t, clock: testledger.NewClock(begin)}
	st := testledger.Open(t, b.clock)
	b.server = b.newServer(st, served{})
	app := models.App{ID: models.NewID(begin), Name: "shop", CreatedAt: begin, UpdatedAt: begin}
	b.group = models.NodeGroup{AppID: app.ID, Name: "default", Routing: models.RouteLeastLoaded, HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: begin, UpdatedAt: begin}
	b.group.ID = models.NewID(begin)
	b.group.Partition = models.PartitionOf(b.group.ID)
	key := models.AppKey{ID: models.NewID(begin), AppID: app.ID, Hash: app.ID, CreatedAt: begin}
	b.must(st.CreateApp(b.Context(), app, key, b.group, b.audit()))
	return b
}

// newServer makes another server on the same ledger.
func (b *bench) newServer(st *store.Store, workers Workers) *server {
	b.Helper()
	s := &server{ledger: &ledger{Store: st}, owner: ownsAll(), heard: &heard{}}
	var err error
	s.trigger, err = New(Config{Ledger: s.ledger, Owner: s.owner, Workers: workers, Watcher: s.heard, Clock: b.clock, Logger: slog.New(slog.DiscardHandler)})
	b.must(err)
	return s
}

// unserved has the bench's trigger look for workers in the ledger.
func (b *bench) unserved() {
	b.server = b.newServer(b.ledger.Store, catalog.New(b.ledger.Store, b.clock))
}

func (b *bench) audit() models.Audit { return models.Audit{ID: models.NewID(begin), At: begin} }

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// with makes a job of every day at 02:00 whose next fire is at an instant; edit may
// change it first.
func (b *bench) with(name string, next time.Time, edit func(*models.Job)) models.Job {
	b.Helper()
	last := next.Add(-24 * time.Hour)
	j := models.Job{
		ID: models.NewID(begin), AppID: b.group.AppID, GroupID: b.group.ID, Partition: b.group.Partition, Name: name, LiveName: &name,
		Handler: "Work", TriggerKind: models.TriggerCron, Expression: "0 2 * * *", Zone: "UTC", Enabled: true, NextFireAt: &next, LastFireAt: &last,
		Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 1,
		Backoff: models.BackoffFixed, MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 10,
		TriggerSince: new(begin.Add(-time.Hour)), Version: 1, CreatedAt: begin, UpdatedAt: begin,
	}
	if edit != nil {
		edit(&j)
	}
	b.must(b.ledger.CreateJob(b.Context(), j, b.audit()))
	return j
}

// job makes one that fires at an instant and may have a calendar.
func (b *bench) job(name string, next time.Time, c *models.Calendar) models.Job {
	b.Helper()
	return b.with(name, next, func(j *models.Job) {
		if c != nil {
			j.CalendarID, j.CalendarVersion, j.OnRestDay = &c.ID, c.Version, models.CalendarSkip
		}
	})
}

// everySecond makes a job that fires each second.
func everySecond(j *models.Job) { j.Expression = "* * * * * ?" }

func (b *bench) pass() time.Duration {
	b.Helper()
	rest, err := b.trigger.Pass(b.Context())
	b.must(err)
	return rest
}

// fires says what a job fired and when it fires next.
func (b *bench) fires(j models.Job, at ...time.Time) string {
	b.Helper()
	now, err := b.ledger.Job(b.Context(), j.ID)
	b.must(err)
	text := ""
	for _, instant := range at {
		if _, err := b.ledger.Task(b.Context(), models.FireID(j.ID, instant, -1)); err == nil {
			text += instant.Format("fired 01-02 15:04; ")
		}
	}
	if now.NextFireAt == nil {
		return text + "never " + now.InvalidReason
	}
	return text + now.NextFireAt.Format("next 01-02 15:04")
}

// tasks are the instants of a job's tasks, the first first.
func (b *bench) tasks(j models.Job) []time.Time {
	b.Helper()
	rows, info, err := b.ledger.TaskPage(b.Context(), store.TaskFilter{JobID: j.ID}, store.Page{First: 1000})
	b.must(err)
	if info.HasNext {
		b.Fatal("more tasks than this test reads")
	}
	var at []time.Time
	for i := range rows {
		at = append(at, rows[i].ScheduledAt)
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

// skipped counts a job's skipped fires by reason.
func (b *bench) skipped(j models.Job) map[string]int64 {
	b.Helper()
	rows, err := b.ledger.SkippedFires(b.Context(), []string{j.ID}, 10_000)
	b.must(err)
	counts := map[string]int64{}
	for _, row := range rows[j.ID] {
		counts[row.Reason] += row.Count
	}
	return counts
}
