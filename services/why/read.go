package why

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Service gathers facts.
type Service struct {
	store     *store.Store
	clock     clock.Clock
	calendars timetable.Calendars
}

// New makes the service.
func New(st *store.Store, c clock.Clock) *Service {
	return &Service{store: st, clock: c, calendars: timetable.Calendars{Ledger: st}}
}

// Bounds of what is read for one answer.
const (
	mostAudits  = 1000 // latest changes of the job
	mostSkipped = 5    // runs of fires that hold the instant
	mostNear    = 20   // tasks scheduled about then
	mostJoins   = 100  // latest windows
)

// Why answers why a job ran or did not run at an instant, past or to come. Locale is
// en or zh-CN. Faults: NOT_FOUND (job), INVALID (at, locale).
func (s *Service) Why(ctx context.Context, jobID string, at time.Time, locale string) (Answer, error) {
	lang := schedule.Lang(locale)
	var wrong fault.List
	wrong.Add(check.Instant("at", at))
	if lang != schedule.English && lang != schedule.Chinese {
		wrong.Add(fault.At("locale", fault.Invalid, "locale is %s; it must be en or zh-CN.", check.Quote(locale)))
	}
	if err := wrong.Err(); err != nil {
		return Answer{}, err
	}
	f, err := s.gather(ctx, jobID, clock.Cut(at))
	if err != nil {
		return Answer{}, err
	}
	return Decide(f, lang), nil
}

func (s *Service) gather(ctx context.Context, jobID string, at time.Time) (*Facts, error) {
	j, err := s.store.Job(ctx, jobID)
	if err != nil {
		return nil, err
	}
	group, err := s.store.Group(ctx, j.GroupID)
	if err != nil {
		return nil, fmt.Errorf("reading the job's group: %w", err)
	}
	f := &Facts{Job: j, Now: s.clock.Now(), At: at}
	f.Route, _ = models.RouteOf(&j, group.Routing, group.RoutingRule) // it is routed as if it had no rule
	if err := s.triggers(ctx, f); err != nil {
		return nil, err
	}
	f.aim()
	if err := s.happened(ctx, f); err != nil {
		return nil, err
	}
	if err := s.waits(ctx, f, &group); err != nil {
		return nil, err
	}
	return f, s.join(ctx, f)
}

// triggers compiles the present trigger and finds what people did to the job.
func (s *Service) triggers(ctx context.Context, f *Facts) error {
	calendars, err := s.calendars.Of(ctx, f.Job)
	if err != nil {
		return err
	}
	if calendar, ok := timetable.For(calendars, &f.Job); ok {
		f.Trigger = clockTrigger(&f.Job, calendar.Compiled)
		if calendar.Compiled != nil {
			f.Calendar = calendar.Compiled.Name()
		}
	}
	audits, err := s.store.JobAudits(ctx, f.Job.ID, mostAudits)
	if err != nil {
		return err
	}
	f.pausedBy(audits)
	f.editedBy(audits, calendars)
	return nil
}

// clockTrigger is a job's trigger if it answers to the clock and works.
func clockTrigger(j *models.Job, calendar *schedule.Calendar) *schedule.Trigger {
	if j.TriggerKind != models.TriggerCron && j.TriggerKind != models.TriggerFixedRate {
		return nil
	}
	t, err := timetable.Compile(j, calendar)
	if err != nil {
		return nil // Job.InvalidReason says so
	}
	return t
}

// pausedBy finds the pause that held at the instant; audits are oldest first.
func (f *Facts) pausedBy(audits []models.Audit) {
	for i := range audits {
		a := &audits[i]
		if a.At.After(f.At) {
			return
		}
		switch to, changes := enabledBy(a); {
		case changes && !to:
			f.Pause = a
		case changes:
			f.Pause = nil
		}
	}
}

// enabledBy says whether an audit row tells of a pause or its end.
func enabledBy(a *models.Audit) (enabled, changes bool) {
	switch a.Action {
	case "job.pause":
		return false, true
	case "job.resume":
		return true, true
	}
	var detail struct {
		Enabled *struct {
			To bool `json:"to"`
		} `json:"enabled"`
	}
	if json.Unmarshal(a.Detail, &detail) != nil || detail.Enabled == nil {
		return false, false
	}
	return detail.Enabled.To, true
}

// editedBy finds the trigger that held at the instant: that before the first edit of
// it that came later.
func (f *Facts) editedBy(audits []models.Audit, calendars map[string]timetable.KnownCalendar) {
	for i := range audits {
		a := &audits[i]
		if !a.At.After(f.At) {
			continue
		}
		before, ok := triggerBefore(a)
		if !ok {
			continue
		}
		before.ID = f.Job.ID
		calendar, _ := timetable.For(calendars, &before)
		f.Then, f.ThenEdit = clockTrigger(&before, calendar.Compiled), a
		return
	}
}

// triggerBefore reads out of an audit row the trigger that an edit replaced.
func triggerBefore(a *models.Audit) (models.Job, bool) {
	var detail struct {
		Trigger *struct {
			From struct {
				Kind       string     `json:"kind"`
				Expression string     `json:"expression"`
				Zone       string     `json:"zone"`
				Every      string     `json:"every"`
				Calendar   *string    `json:"calendar"`
				OnRestDay  string     `json:"onRestDay"`
				Jitter     string     `json:"jitter"`
				StartAt    *time.Time `json:"startAt"`
				EndAt      *time.Time `json:"endAt"`
			} `json:"from"`
		} `json:"trigger"`
	}
	if json.Unmarshal(a.Detail, &detail) != nil || detail.Trigger == nil {
		return models.Job{}, false
	}
	from := detail.Trigger.From
	kind, ok := models.ParseTriggerKind(from.Kind)
	every, _ := time.ParseDuration(from.Every)   // absent is none
	jitter, _ := time.ParseDuration(from.Jitter) // absent is none
	rule, _ := models.ParseCalendarRule(from.OnRestDay)
	return models.Job{
		TriggerKind: kind, Expression: from.Expression, Zone: from.Zone, EveryMS: every.Milliseconds(), JitterMS: jitter.Milliseconds(),
		CalendarID: from.Calendar, OnRestDay: rule, StartAt: from.StartAt, EndAt: from.EndAt,
	}, ok
}

// aim finds the fire that is meant, and those around it.
func (f *Facts) aim() {
	held := f.Trigger
	if f.ThenEdit != nil {
		held = f.Then
	}
	if fire, ok := nearest(held, f.At, f.Job.ID); ok {
		f.Fire = &fire
	}
	if f.Trigger == nil {
		return
	}
	if at, ok := previous(f.Trigger, f.At.Add(-1)); ok {
		f.Previous = &at
	}
	if at, ok := f.Trigger.Next(f.At); ok {
		f.Next = &at
	}
	if f.Fire == nil && f.ThenEdit == nil && f.Calendar != "" {
		if list := f.Trigger.Excluded(f.At.Add(-near), f.At.Add(near), 1); len(list) > 0 {
			f.Excluded = &list[0]
		}
	}
}

// happened reads the task of the fire and the runs that hold it.
func (s *Service) happened(ctx context.Context, f *Facts) error {
	at := f.At
	if f.Fire != nil {
		at = *f.Fire
		own, err := s.store.TasksByIDs(ctx, []string{models.FireID(f.Job.ID, at, -1)})
		if err != nil {
			return err
		}
		if len(own) > 0 {
			f.Task = &own[0]
		}
	}
	if f.Task == nil || f.Task.State == models.TaskSkipped || f.Task.State == models.TaskCancelled {
		from, to := f.At.Add(-near), f.At.Add(near)
		tasks, _, err := s.store.TaskPage(ctx, store.TaskFilter{JobID: f.Job.ID, From: &from, To: &to}, store.Page{First: mostNear})
		if err != nil {
			return err
		}
		f.choose(tasks, at)
	}
	var err error
	if f.Task == nil {
		f.Skipped, err = s.store.SkippedAt(ctx, f.Job.ID, at, mostSkipped)
	}
	return err
}

// choose takes the task that stands for the instant: one that made up for the fire or
// repeats it; without a fire, the nearest that anybody asked for.
func (f *Facts) choose(tasks []models.Task, at time.Time) {
	best := f.Task
	for i := range tasks {
		t := &tasks[i]
		if f.Fire != nil && !t.ScheduledAt.Equal(at) {
			continue
		}
		better := best == nil || best.State == models.TaskSkipped || best.State == models.TaskCancelled ||
			f.Fire == nil && t.ScheduledAt.Sub(at).Abs() < best.ScheduledAt.Sub(at).Abs()
		if better {
			best = t
		}
	}
	f.Task = best
}

// waits reads what a task that waits, or a fire to come, may wait for.
func (s *Service) waits(ctx context.Context, f *Facts, group *models.NodeGroup) error {
	waiting := f.Task != nil && f.Task.State.Queued() || f.Task == nil && f.Fire != nil && f.Fire.After(f.Now)
	if !waiting {
		return nil
	}
	nodes, err := s.store.Nodes(ctx, group.ID)
	if err != nil {
		return err
	}
	for i := range nodes {
		if nodes[i].State != models.NodeOnline || nodes[i].Draining {
			continue
		}
		f.Waits.Workers++
		if f.able(&nodes[i]) {
			f.Waits.Able++
		}
	}
	running, err := s.store.RunningTasks(ctx, []string{group.ID})
	if err != nil {
		return err
	}
	onNodes := 0
	for i := range running {
		if running[i].JobID == f.Job.ID && !running[i].Child() {
			f.Waits.JobRunning++
		}
		if !running[i].Spread() {
			onNodes++
		}
	}
	f.Waits.GroupFull = group.MaxRunning != nil && onNodes >= *group.MaxRunning
	f.Waits.JobLimit = f.Job.MaxRunning
	if f.Job.Concurrency != models.ConcurrencyAllow {
		f.Waits.JobLimit = new(1)
	}
	return nil
}

// able says whether a node could run the job's tasks if it had room.
func (f *Facts) able(n *models.Node) bool {
	var handlers []string
	var labels map[string]string
	_ = json.Unmarshal(n.Handlers, &handlers) // a broken list means no handlers
	_ = json.Unmarshal(n.Labels, &labels)     // likewise
	if name := f.Route.Node(); name != "" && name != n.Name {
		return false
	}
	return slices.Contains(handlers, f.Job.Handler) && models.HasLabels(labels, f.Route.Labels())
}

// join reads the window of a dependency job that the instant lies in: the latest one
// that was open then.
func (s *Service) join(ctx context.Context, f *Facts) error {
	if f.Job.TriggerKind != models.TriggerDependency || f.Task != nil {
		return nil
	}
	joins, err := s.store.Joins(ctx, []string{f.Job.ID}, mostJoins)
	if err != nil {
		return err
	}
	upstream, err := s.store.Upstream(ctx, []string{f.Job.ID})
	if err != nil {
		return err
	}
	for _, row := range joins[f.Job.ID] { // newest first
		if row.OpenedAt.After(f.At) || row.FiredAt != nil && row.FiredAt.Before(f.At) {
			continue
		}
		arrived, err := s.store.JoinArrivals(ctx, []models.Join{row})
		if err != nil {
			return err
		}
		f.Join, err = s.window(ctx, &row, upstream[f.Job.ID], arrived[[2]string{row.JobID, row.Window}])
		return err
	}
	return nil
}

// window says what a window lacks.
func (s *Service) window(ctx context.Context, row *models.Join, upstream []models.Dependency, arrived []models.JoinArrival) (*Join, error) {
	ids := make([]string, len(upstream))
	for i := range upstream {
		ids[i] = upstream[i].UpstreamID
	}
	jobs, err := s.store.JobsByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for i := range jobs {
		names[jobs[i].ID] = jobs[i].Name
	}
	j := &Join{Window: row.Window, Reason: row.Reason}
	for _, d := range upstream {
		at := slices.IndexFunc(arrived, func(a models.JoinArrival) bool { return a.UpstreamID == d.UpstreamID })
		switch {
		case at < 0:
			j.Missing = append(j.Missing, names[d.UpstreamID])
		case !d.On.Met(arrived[at].State):
			j.Wrong = append(j.Wrong, names[d.UpstreamID])
		}
	}
	return j, nil
}
