// Package watch looks for what did not happen: runs that are late, too long or not
// finished, schedules that stopped, lines that grow, servers that are gone. It reads the
// ledger beside the scheduling path, by bounded queries, and writes what it finds as
// alert events; what they mean for people is not its business.
//
// Each check is a pure decision on what was read. What has been told stands in the
// ledger (alert_watch), so that whoever takes over tells nothing twice and clears what
// is over.
package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Ledger is what the watcher needs of the store.
type Ledger interface {
	AlertWatches(ctx context.Context) ([]models.AlertWatch, error)
	RecordAlerts(ctx context.Context, fence store.Fence, opened, cleared []models.AlertEvent) error
	PruneAlertEvents(ctx context.Context, before time.Time, limit int) (int, error)
	DueLines(ctx context.Context) ([]models.GroupFlow, error)
	LateTasks(ctx context.Context, groupID string, before time.Time, perLane int) ([]store.LateJob, bool, error)
	RetryingGroups(ctx context.Context, until time.Time) ([]string, error)
	HandedBackTasks(ctx context.Context, groupID string, since, until time.Time, perLane int) ([]store.LateJob, bool, error)
	BusyFixedDelays(ctx context.Context, jobIDs []string) (map[string]bool, error)
	RunningBefore(ctx context.Context, before time.Time, limit int) ([]models.Task, error)
	RunTimes(ctx context.Context, jobID string, upTo time.Time, n int) ([]time.Duration, error)
	SucceededSince(ctx context.Context, asked []store.JobSince) (map[string]bool, error)
	JobsAfter(ctx context.Context, after string, limit int) ([]models.Job, error)
	JobsByIDs(ctx context.Context, ids []string) ([]models.Job, error)
	GroupsByIDs(ctx context.Context, ids []string) ([]models.NodeGroup, error)
	NodesByIDs(ctx context.Context, ids []string) ([]models.Node, error)
	InhabitedGroups(ctx context.Context, groupIDs []string) (map[string]bool, error)
	Servers(ctx context.Context, seenSince time.Time) ([]models.Server, error)
	Upstream(ctx context.Context, jobIDs []string) (map[string][]models.Dependency, error)
	timetable.CalendarLedger
}

// Condition is something that a rule wants to be watched for. The kinds that need one are
// FIRE_LATE, RUN_TOO_LONG, NOT_FINISHED_BY and QUEUE_BACKLOG; the others are watched for
// without a rule.
type Condition struct {
	RuleID string
	Kind   models.AlertEventKind
	Since  time.Time // NOT_FINISHED_BY: what passed before, before the rule was made, is not told

	Jobs   func(*models.Job) bool       // the jobs in scope; nil: all
	Groups func(*models.NodeGroup) bool // the groups in scope; nil: all

	LongerThan time.Duration // FIRE_LATE: how late; RUN_TOO_LONG: how long
	Factor     float64       // RUN_TOO_LONG: × what 95 of 100 runs of the job take at most
	By, Zone   string        // NOT_FINISHED_BY: "06:30" and a zone's name
	Depth      int64         // QUEUE_BACKLOG: due tasks
	Age        time.Duration // QUEUE_BACKLOG: since when the oldest is due
}

// Conditions knows what the rules want to be watched for.
type Conditions interface {
	// Watched answers the conditions of the enabled rules. It is asked every few
	// seconds.
	Watched(ctx context.Context) ([]Condition, error)
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64
	Lost(partitions ...int)
}

// Config sets up a Watcher.
type Config struct {
	Ledger     Ledger
	Conditions Conditions // nil: no rule wants anything
	Owner      Owner
	Clock      clock.Clock
	Logger     *slog.Logger
	DeadAfter  time.Duration // silence after which a server is lost
}

const (
	// Partition is the one whose owner watches for all.
	Partition = 0

	every       = 5 * time.Second // between two looks
	recordedAt1 = 200             // events written in one transaction
	prunedAt1   = 1000            // events deleted in one transaction
	pruneEvery  = 10 * time.Minute
)

// Watcher is started once. Its pass may also be called by tests.
type Watcher struct {
	cfg       Config
	loop      *lifecycle.Loop
	compiled  timetable.Cache
	calendars timetable.Calendars

	// Used by the pass alone; all of it may be lost.
	healthySince time.Time            // first pass that read all since the last that did not
	pruneAt      time.Time            // next deletion of old events
	walked       string               // the job up to which schedules were looked at
	doubted      map[string]time.Time // schedules that seemed odd, by job: at most as many as are
	usual        map[string]usual     // by job: at most keptUsual
	finishing    map[string]progress  // by rule and time of day: at most one a condition
}

// New makes a Watcher. It fails on a configuration that a loop cannot run with.
func New(cfg Config) (*Watcher, error) {
	w := &Watcher{
		cfg: cfg, calendars: timetable.Calendars{Ledger: cfg.Ledger},
		doubted: map[string]time.Time{}, usual: map[string]usual{}, finishing: map[string]progress{},
	}
	var err error
	w.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "alert watcher", Run: w.round, Every: every, MinBackoff: time.Second, MaxBackoff: every, Logger: cfg.Logger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the loop of the alert watcher: %w", err)
	}
	return w, nil
}

// Start begins to look every few seconds.
func (w *Watcher) Start(ctx context.Context) error { return w.loop.Start(ctx) }

// Stop ends the looking.
func (w *Watcher) Stop(ctx context.Context) error { return w.loop.Stop(ctx) }

// Wake makes the watcher look now: rules or the ownership have changed.
func (w *Watcher) Wake() { w.loop.Wake() }

// Health tells how the looking fares.
func (w *Watcher) Health() []lifecycle.LoopHealth { return w.loop.Health() }

func (w *Watcher) round(ctx context.Context) (time.Duration, error) {
	err := w.Pass(ctx)
	if deposed, ok := errors.AsType[*store.DeposedError](err); ok {
		w.cfg.Owner.Lost(deposed.Partitions...)
		return every, nil
	}
	return every, err
}

// look is what one pass has read and all checks use.
type look struct {
	now        time.Time
	conditions []Condition
	open       map[store.WatchKey]models.AlertWatch
	lines      []models.GroupFlow           // in which something is due
	groups     map[string]*models.NodeGroup // of these lines
}

// of lists the conditions of a kind.
func (l *look) of(kind models.AlertEventKind) (found []Condition) {
	for _, c := range l.conditions {
		if c.Kind == kind {
			found = append(found, c)
		}
	}
	return found
}

// Pass looks once, when this server is the one to do so. A check that fails does not keep
// the others from telling what they found.
func (w *Watcher) Pass(ctx context.Context) error {
	epoch, ours := w.cfg.Owner.Partitions()[Partition]
	if !ours {
		w.healthySince = time.Time{}
		clear(w.finishing)
		return nil
	}
	l, err := w.read(ctx)
	if err != nil {
		w.healthySince = time.Time{}
		return err
	}
	if w.healthySince.IsZero() {
		w.healthySince = l.now
	}
	findings := []finding{rulesGone(l)}
	var errs []error
	for _, check := range []func(context.Context, *look) (finding, error){
		w.late, w.backlog, w.tooLong, w.stopped, w.unfinished, w.servers, w.nodes,
	} {
		f, err := check(ctx, l)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		findings = append(findings, f)
	}
	errs = append(errs, w.record(ctx, store.Fence{Partition: epoch}, l, findings), w.prune(ctx, l.now))
	return errors.Join(errs...)
}

func (w *Watcher) read(ctx context.Context) (*look, error) {
	l := &look{now: w.cfg.Clock.Now(), open: map[store.WatchKey]models.AlertWatch{}, groups: map[string]*models.NodeGroup{}}
	var err error
	if w.cfg.Conditions != nil {
		if l.conditions, err = w.cfg.Conditions.Watched(ctx); err != nil {
			return nil, fmt.Errorf("reading what is watched for: %w", err)
		}
	}
	watches, err := w.cfg.Ledger.AlertWatches(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range watches {
		l.open[store.WatchKey{Kind: row.Kind, Subject: row.Subject, RuleID: row.RuleID}] = row
	}
	if l.lines, err = w.cfg.Ledger.DueLines(ctx); err != nil {
		return nil, err
	}
	ids := make([]string, len(l.lines))
	for i := range l.lines {
		ids[i] = l.lines[i].GroupID
	}
	rows, err := w.cfg.Ledger.GroupsByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		l.groups[rows[i].ID] = &rows[i]
	}
	return l, nil
}

// record writes what differs from what was told.
func (w *Watcher) record(ctx context.Context, fence store.Fence, l *look, findings []finding) error {
	opened, cleared := settle(l, findings)
	for len(opened)+len(cleared) > 0 {
		n := min(len(opened), recordedAt1)
		m := min(len(cleared), recordedAt1-n)
		if err := w.cfg.Ledger.RecordAlerts(ctx, fence, opened[:n], cleared[:m]); err != nil {
			return err
		}
		opened, cleared = opened[n:], cleared[m:]
	}
	return nil
}

// prune deletes events that were kept for long enough, some at a time.
func (w *Watcher) prune(ctx context.Context, now time.Time) error {
	if now.Before(w.pruneAt) {
		return nil
	}
	n, err := w.cfg.Ledger.PruneAlertEvents(ctx, now.Add(-models.AlertEventsKept), prunedAt1)
	if err == nil && n < prunedAt1 {
		w.pruneAt = now.Add(pruneEvery)
	}
	return err
}
