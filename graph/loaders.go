package graph

import (
	"context"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/graph/load"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/report"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/task"
)

// loadTimeout bounds a question that belongs to no single operation.
const loadTimeout = 10 * time.Second

// loaders read the edges of an answer's rows. They remember what they found, so
// they live no longer than one answer. Rows are announced (see…) when they are put
// into the answer.
type loaders struct {
	apps          *load.Loader[string, *models.App]
	groups        *load.Loader[string, *models.NodeGroup]
	nodes         *load.Loader[string, *models.Node]
	jobs          *load.Loader[string, *models.Job]
	tasks         *load.Loader[string, *models.Task]
	backfills     *load.Loader[string, *models.Backfill]
	incidents     *load.Loader[string, *models.Incident]
	alertRules    *load.Loader[string, *models.AlertRule]
	ruleIncidents *load.Loader[string, int]
	silences      *load.Loader[string, *alert.SilenceView]

	calendars         *load.Loader[string, *models.Calendar]
	compiled          *load.Loader[string, *schedule.Calendar]
	calendarJobCounts *load.Loader[string, int]
	calendarJobs      *perSize[models.Job]

	channels      *load.Loader[string, *models.AlertChannel]
	people        *load.Loader[string, *models.Contact]
	incidentNotes *perSize[models.Notification]
	channelQueues *load.Loader[string, int]
	noteTries     *load.Loader[string, []models.DeliveryTry]

	attempts *load.Loader[*models.Task, []task.Attempt]
	timeline *load.Loader[*models.Task, []task.Entry]

	appKeys         *load.Loader[string, []models.AppKey]
	appGroups       *load.Loader[string, []models.NodeGroup]
	appJobs         *load.Loader[string, int]
	appOnline       *load.Loader[string, int]
	groupNodes      *load.Loader[string, []models.Node]
	groupJobs       *load.Loader[string, int]
	handlersRunning *load.Loader[*models.Node, map[string]int]
	groupFlows      *load.Loader[string, models.GroupFlow]
	groupLoads      *load.Loader[struct{}, map[string]fleet.GroupLoad]
	jobStats        *load.Loader[string, job.Stats]
	jobWarnings     *load.Loader[*models.Job, []string]

	upstream     *load.Loader[string, []models.Dependency]
	taskUpstream *load.Loader[string, []models.Task]

	recentTasks    *perSize[models.Task]
	downstream     *perSize[models.Job]
	joins          *perSize[job.Join]
	bulkRefusals   *perSize[models.BulkRefusal]
	taskDownstream *perSize[models.Task]
	revisions      *perSize[job.Revision]
	skippedFires   *perSize[models.SkippedFires]
}

// newLoaders makes the loaders of one answer. Shared ones serve the answers of
// several operations: no single one's end may fail what the others wait for. What
// they read is announced in turn.
func newLoaders(s Services, shared bool) *loaders {
	l := &loaders{}
	l.apps = load.New(read(shared, seeing(byID(s.Fleet.AppsByIDs, appID), one(l.seeApps))))
	l.groups = load.New(read(shared, seeing(byID(s.Fleet.GroupsByIDs, groupID), one(l.seeGroups))))
	l.nodes = load.New(read(shared, seeing(byID(s.Fleet.NodesByIDs, nodeID), one(l.seeNodes))))
	l.jobs = load.New(read(shared, seeing(byID(s.Jobs.ByIDs, jobID), one(l.seeJobs))))
	l.tasks = load.New(read(shared, seeing(byID(s.Tasks.ByIDs, taskID), one(l.seeTasks))))
	l.calendars = load.New(read(shared, seeing(byID(s.Calendars.ByIDs, calendarID), one(l.seeCalendars))))
	l.compiled = load.New(read(shared, s.Jobs.Calendars))
	l.calendarJobCounts = load.New(read(shared, s.Calendars.JobCounts))
	l.calendarJobs = newPerSize(shared, s.Calendars.Jobs, all(l.seeJobs))
	l.backfills = load.New(read(shared, seeing(byID(s.Backfills.ByIDs, fillID), one(l.seeBackfills))))
	l.channels = load.New(read(shared, seeing(byID(s.Book.ChannelsByIDs, channelID), one(l.seeChannels))))
	l.people = load.New(read(shared, byID(s.Book.PeopleByIDs, personID)))
	l.channelQueues = load.New(read(shared, s.Book.Queued))
	l.noteTries = load.New(read(shared, s.Book.Tries))
	l.incidentNotes = newPerSize(shared, s.Book.OfIncidents, nil)
	l.incidents = load.New(read(shared, seeing(byID(s.Alerts.IncidentsByIDs, incidentID), one(l.seeIncidents))))
	l.alertRules = load.New(read(shared, seeing(byID(s.Alerts.RulesByIDs, alertRuleID), one(l.seeAlertRules))))
	l.ruleIncidents = load.New(read(shared, s.Alerts.OpenIncidents))
	l.silences = load.New(read(shared, seeing(byID(s.Alerts.SilencesByIDs, silenceID), one(l.seeSilences))))
	l.attempts = load.New(read(shared, seeing(ofRows(s.Tasks.Attempts, taskID), l.seeAttempts)))
	l.timeline = load.New(read(shared, seeing(ofRows(s.Tasks.Timeline, taskID), l.seeEntries)))
	l.appKeys = load.New(read(shared, s.Fleet.AppKeys))
	l.appGroups = load.New(read(shared, seeing(groupsOfApps(s.Fleet), all(l.seeGroups))))
	l.appJobs = load.New(read(shared, s.Fleet.JobCounts))
	l.appOnline = load.New(read(shared, s.Fleet.OnlineNodes))
	l.groupNodes = load.New(read(shared, seeing(s.Fleet.NodesOfGroups, all(l.seeNodes))))
	l.handlersRunning = load.New(read(shared, ofRows(s.Fleet.HandlersRunning, nodeID)))
	l.groupJobs = load.New(read(shared, s.Fleet.GroupJobCounts))
	l.groupFlows = load.New(read(shared, s.Fleet.GroupFlows))
	l.groupLoads = load.New(read(shared, once(s.Fleet.Loads)))
	l.jobStats = load.New(read(shared, s.Jobs.Stats))
	l.jobWarnings = load.New(read(shared, ofRows(s.Jobs.Warnings, jobID)))
	l.upstream = load.New(read(shared, seeing(s.Jobs.Upstream, l.seeUpstream)))
	l.taskUpstream = load.New(read(shared, seeing(s.Tasks.Upstream, all(l.seeTasks))))
	l.downstream = newPerSize(shared, s.Jobs.Downstream, all(l.seeJobs))
	l.joins = newPerSize(shared, s.Jobs.Joins, l.seeJoins)
	l.bulkRefusals = newPerSize(shared, s.Bulks.Refusals, l.seeRefusals)
	l.taskDownstream = newPerSize(shared, s.Tasks.Downstream, all(l.seeTasks))
	l.recentTasks = newPerSize(shared, s.Tasks.Recent, all(l.seeTasks))
	l.revisions = newPerSize(shared, s.Jobs.NewestRevisions, l.seeRevisions)
	l.skippedFires = newPerSize(shared, s.Jobs.SkippedFires, nil)
	return l
}

// seeApps announces apps that are put into the answer; so do the others.
func (l *loaders) seeApps(rows []*models.App) {
	for _, a := range rows {
		l.appKeys.Expect(a.ID)
		l.appGroups.Expect(a.ID)
		l.appJobs.Expect(a.ID)
		l.appOnline.Expect(a.ID)
	}
}

func (l *loaders) seeChannels(rows []*models.AlertChannel) {
	for _, c := range rows {
		l.channelQueues.Expect(c.ID)
	}
}

func (l *loaders) seeReports(rows []*models.ReportSchedule) {
	for _, r := range rows {
		l.apps.Expect(present(r.AppID)...)
		l.channels.Expect(report.Channels(r)...)
		l.people.Expect(report.People(r)...)
	}
}

func (l *loaders) seeNotes(rows []*models.Notification) {
	for _, n := range rows {
		l.channels.Expect(n.ChannelID)
		l.noteTries.Expect(n.ID)
	}
}

func (l *loaders) seeGroups(rows []*models.NodeGroup) {
	for _, g := range rows {
		l.apps.Expect(g.AppID)
		l.groupNodes.Expect(g.ID)
		l.groupJobs.Expect(g.ID)
		l.groupFlows.Expect(g.ID)
	}
}

func (l *loaders) seeNodes(rows []*models.Node) {
	for _, n := range rows {
		l.groups.Expect(n.GroupID)
		if len(n.HandlerSlots) > 0 {
			l.handlersRunning.Expect(n)
		}
		for _, id := range stuckTasks(n) {
			l.tasks.Expect(id)
		}
	}
}

func (l *loaders) seeJobs(rows []*models.Job) {
	for _, j := range rows {
		l.apps.Expect(j.AppID)
		l.groups.Expect(j.GroupID)
		l.jobStats.Expect(j.ID)
		l.recentTasks.expect(j.ID)
		l.skippedFires.expect(j.ID)
		l.downstream.expect(j.ID)
		l.joins.expect(j.ID)
		l.revisions.expect(j.ID)
		if j.TriggerKind == models.TriggerDependency {
			l.upstream.Expect(j.ID)
		}
		l.calendars.Expect(present(j.CalendarID)...)
		l.compiled.Expect(present(j.CalendarID)...)
	}
	l.jobWarnings.Expect(rows...)
}

func (l *loaders) seeRevisions(rows []job.Revision) {
	for i := range rows {
		l.jobs.Expect(rows[i].JobID)
	}
}

func (l *loaders) seeCalendars(rows []*models.Calendar) {
	for _, c := range rows {
		l.apps.Expect(c.AppID)
		l.calendars.Expect(c.ID)
		l.calendarJobCounts.Expect(c.ID)
		l.calendarJobs.expect(c.ID)
	}
}

func (l *loaders) seeIncidents(rows []*models.Incident) {
	for _, i := range rows {
		l.alertRules.Expect(i.RuleID)
		l.silences.Expect(present(i.SilenceID)...)
		l.jobs.Expect(present(i.JobID)...)
		l.groups.Expect(present(i.GroupID)...)
		l.nodes.Expect(present(i.NodeID)...)
		l.tasks.Expect(present(i.LastTaskID)...)
		l.incidentNotes.expect(i.ID)
	}
}

func (l *loaders) seeAlertRules(rows []*models.AlertRule) {
	for _, r := range rows {
		l.ruleIncidents.Expect(r.ID)
		l.seeScope(&r.Spec.Scope)
		for k := range r.Spec.Routes {
			l.channels.Expect(r.Spec.Routes[k].Channels...)
			l.people.Expect(r.Spec.Routes[k].People...)
		}
		if e := r.Spec.Escalation; e != nil {
			l.channels.Expect(e.Channels...)
			l.people.Expect(e.People...)
		}
	}
}

func (l *loaders) seeSilences(rows []*alert.SilenceView) {
	for _, s := range rows {
		l.alertRules.Expect(present(s.RuleID)...)
		l.seeScope(&s.Scope)
	}
}

func (l *loaders) seeScope(s *models.AlertScope) {
	l.apps.Expect(present(text(s.AppID))...)
	l.groups.Expect(present(text(s.GroupID))...)
	l.jobs.Expect(present(text(s.JobID))...)
}

func (l *loaders) seeTasks(rows []*models.Task) {
	for _, t := range rows {
		l.jobs.Expect(t.JobID)
		l.groups.Expect(t.GroupID)
		l.nodes.Expect(present(t.NodeID)...)
		l.tasks.Expect(present(t.RootID, t.ParentID)...)
		l.backfills.Expect(present(t.BackfillID)...)
		l.taskUpstream.Expect(t.ID)
		l.taskDownstream.expect(t.ID)
	}
	l.attempts.Expect(rows...)
	l.timeline.Expect(rows...)
}

func (l *loaders) seeUpstream(upstream []models.Dependency) {
	for i := range upstream {
		l.jobs.Expect(upstream[i].UpstreamID)
	}
}

func (l *loaders) seeJoins(joins []job.Join) {
	for i := range joins {
		l.jobs.Expect(joins[i].Missing...)
		l.tasks.Expect(present(joins[i].TaskID)...)
		for k := range joins[i].Arrived {
			l.jobs.Expect(joins[i].Arrived[k].UpstreamID)
			l.tasks.Expect(joins[i].Arrived[k].TaskID)
		}
	}
}

func (l *loaders) seeBackfills(rows []*models.Backfill) {
	for _, b := range rows {
		l.jobs.Expect(b.JobID)
	}
}

func (l *loaders) seeRefusals(rows []models.BulkRefusal) {
	for i := range rows {
		l.tasks.Expect(rows[i].TaskID)
	}
}

func (l *loaders) seeAttempts(attempts []task.Attempt) {
	for i := range attempts {
		l.nodes.Expect(present(attempts[i].NodeID)...)
	}
}

func (l *loaders) seeEntries(entries []task.Entry) {
	for i := range entries {
		l.nodes.Expect(present(entries[i].NodeID)...)
	}
}

// perSize has one loader for each limit that is asked for.
type perSize[V any] struct {
	make func(n int) *load.Loader[string, []V]

	mu    sync.Mutex
	seen  []string                          // ids announced so far; bounded by the answer's size
	sizes map[int]*load.Loader[string, []V] // at most one for each use in the operation's text
}

func newPerSize[V any](shared bool, ask func(context.Context, []string, int) (map[string][]V, error), see func([]V)) *perSize[V] {
	return &perSize[V]{
		sizes: map[int]*load.Loader[string, []V]{},
		make: func(n int) *load.Loader[string, []V] {
			sized := func(ctx context.Context, ids []string) (map[string][]V, error) { return ask(ctx, ids, n) }
			return load.New(read(shared, seeing(sized, see)))
		},
	}
}

func (p *perSize[V]) expect(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, id)
	for _, l := range p.sizes {
		l.Expect(id)
	}
}

// load answers the first n rows that belong to id.
func (p *perSize[V]) load(ctx context.Context, id string, n int) ([]V, error) {
	p.mu.Lock()
	l := p.sizes[n]
	if l == nil {
		l = p.make(n)
		l.Expect(p.seen...)
		p.sizes[n] = l
	}
	p.mu.Unlock()
	rows, _, err := l.Load(ctx, id)
	return rows, err
}
