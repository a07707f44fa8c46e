package graph

import (
	"context"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/live"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// feeds follow the bus on behalf of all subscriptions of this server.
type feeds struct {
	bus      event.Bus
	log      *slog.Logger
	task     *live.Feed[models.Task, signal.TaskChange]
	job      *live.Feed[models.Job, signal.JobChange]
	node     *live.Feed[models.Node, signal.NodeChange]
	fill     *live.Feed[models.Backfill, signal.BackfillChange]
	bulk     *live.Feed[models.BulkOperation, signal.BulkChange]
	note     *live.Feed[models.Notification, signal.NoteChanges]
	group    *live.Feed[models.NodeGroup, signal.GroupRef]
	incident *live.Feed[models.Incident, signal.IncidentChange]
	summary  *live.Latest[*gqlmodel.AlertSummary]
	servers  *live.Latest[[]*gqlmodel.Server]
	overview *live.Latest[*gqlmodel.Overview]
	logs     *live.Signals // by task id

	cancel context.CancelFunc
	sub    *event.Subscription
	wg     sync.WaitGroup
}

func newFeeds(s Services, overview func(context.Context) (*gqlmodel.Overview, error), servers func(context.Context) ([]*gqlmodel.Server, error), log *slog.Logger) *feeds {
	return &feeds{
		bus: s.Bus, log: log,
		task: live.NewFeed[models.Task, signal.TaskChange](live.Config[models.Task]{
			Name: "task", Read: s.Tasks.ByIDs, ID: taskID, Share: sharing(s, (*loaders).seeTasks), Logger: log,
		}),
		job: live.NewFeed[models.Job, signal.JobChange](live.Config[models.Job]{
			Name: "job", Read: s.Jobs.ByIDs, ID: jobID, Share: sharing(s, (*loaders).seeJobs), Logger: log,
		}),
		node: live.NewFeed[models.Node, signal.NodeChange](live.Config[models.Node]{
			Name: "node", Read: s.Fleet.NodesByIDs, ID: func(n *models.Node) string { return n.ID }, Share: sharing(s, (*loaders).seeNodes), Logger: log,
		}),
		fill: live.NewFeed[models.Backfill, signal.BackfillChange](live.Config[models.Backfill]{
			Name: "backfill", Read: s.Backfills.ByIDs, ID: fillID, Share: sharing(s, (*loaders).seeBackfills), Logger: log,
		}),
		bulk: live.NewFeed[models.BulkOperation, signal.BulkChange](live.Config[models.BulkOperation]{
			Name: "bulk operation", Read: s.Bulks.ByIDs, ID: func(b *models.BulkOperation) string { return b.ID }, Logger: log,
		}),
		note: live.NewFeed[models.Notification, signal.NoteChanges](live.Config[models.Notification]{
			Name: "notification", Read: s.Book.NotificationsByIDs, ID: noteID, Share: sharing(s, (*loaders).seeNotes), Logger: log,
		}),
		group: live.NewFeed[models.NodeGroup, signal.GroupRef](live.Config[models.NodeGroup]{
			Name: "node group", Read: s.Fleet.GroupsByIDs, ID: groupID, Share: sharing(s, (*loaders).seeGroups), Logger: log,
		}),
		incident: live.NewFeed[models.Incident, signal.IncidentChange](live.Config[models.Incident]{
			Name: "incident", Read: s.Alerts.IncidentsByIDs, ID: incidentID, Share: sharing(s, (*loaders).seeIncidents), Logger: log,
		}),
		summary: live.NewLatest(live.LatestConfig[*gqlmodel.AlertSummary]{
			Name: "alert summary", Read: summary(s), Same: func(a, b *gqlmodel.AlertSummary) bool { return *a == *b }, Logger: log,
			Every: summaryPace, Idle: summaryIdle,
		}),
		servers: live.NewLatest(live.LatestConfig[[]*gqlmodel.Server]{
			Name: "servers", Read: servers, Same: func(a, b []*gqlmodel.Server) bool { return reflect.DeepEqual(a, b) }, Logger: log,
			Every: serversPace, Idle: serversIdle,
		}),
		overview: live.NewLatest(live.LatestConfig[*gqlmodel.Overview]{
			Name: "overview", Read: overview, Same: sameOverview, Share: sharingOverview(s), Logger: log,
			Every: overviewPace, Idle: overviewIdle,
		}),
		logs: live.NewSignals(),
	}
}

// summary reads the summary of incidents.
func summary(s Services) func(context.Context) (*gqlmodel.AlertSummary, error) {
	return func(ctx context.Context) (*gqlmodel.AlertSummary, error) {
		counts, err := s.Alerts.Summary(ctx, nil)
		return summaryOf(&counts), err
	}
}

// sharing makes the loaders that all subscribers of one reading use.
func sharing[T any](s Services, see func(*loaders, []*T)) func([]*T) any {
	return func(rows []*T) any {
		l := newLoaders(s, true)
		see(l, rows)
		return l
	}
}

func sharingOverview(s Services) func(*gqlmodel.Overview) any {
	return func(o *gqlmodel.Overview) any {
		l := newLoaders(s, true)
		for _, t := range o.RecentFailures {
			l.seeTasks([]*models.Task{t.Row})
		}
		for _, u := range o.Upcoming {
			l.seeJobs([]*models.Job{u.Job.Row})
		}
		return l
	}
}

// How often the overview is put together for its subscribers.
const (
	overviewPace = time.Second      // at most
	overviewIdle = 10 * time.Second // at least: minutes pass, and fires come near, without a message
)

// How often the list of servers is read for its subscribers.
const (
	serversPace = time.Second     // at most
	serversIdle = 2 * time.Second // at least: lateness grows, and a server dies, without a message
)

// sameOverview says whether two overviews differ in nothing but their instant.
func sameOverview(a, b *gqlmodel.Overview) bool {
	x, y := *a, *b
	x.At, y.At = time.Time{}, time.Time{}
	return reflect.DeepEqual(x, y)
}

// Start begins to follow the bus.
func (f *feeds) Start(ctx context.Context) error {
	ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
	f.sub = f.bus.Subscribe(signal.Tasks, signal.Jobs, signal.Nodes, signal.Groups, signal.Flows, signal.Fills, signal.Bulks, signal.Notes, signal.Incidents, signal.Logs, event.TopicOwnership)
	f.wg.Go(func() { f.task.Run(ctx) })
	f.wg.Go(func() { f.job.Run(ctx) })
	f.wg.Go(func() { f.node.Run(ctx) })
	f.wg.Go(func() { f.fill.Run(ctx) })
	f.wg.Go(func() { f.bulk.Run(ctx) })
	f.wg.Go(func() { f.note.Run(ctx) })
	f.wg.Go(func() { f.group.Run(ctx) })
	f.wg.Go(func() { f.incident.Run(ctx) })
	f.wg.Go(func() { f.summary.Run(ctx) })
	f.wg.Go(func() { f.servers.Run(ctx) })
	f.wg.Go(func() { f.overview.Run(ctx) })
	f.wg.Go(func() { f.follow(ctx) })
	return nil
}

// Stop ends the following; it may be called again, and without Start.
func (f *feeds) Stop(context.Context) error {
	if f.cancel != nil {
		f.cancel()
		f.sub.Close()
	}
	f.wg.Wait()
	return nil
}

// follow hands the bus's messages to the feeds.
func (f *feeds) follow(ctx context.Context) {
	for {
		select {
		case messages, open := <-f.sub.C():
			if !open {
				return
			}
			for _, m := range messages {
				f.receive(ctx, m)
			}
		case <-ctx.Done():
			return
		}
	}
}

// incidents hands on which incidents have changed.
func (f *feeds) incidents(m event.Message) error {
	about, err := signal.Read[signal.IncidentChange](m)
	for _, id := range about.IDs {
		f.incident.Hint(id, about)
	}
	f.summary.Touch()
	return err
}

// receive handles one message. One that cannot be read is as good as lost.
func (f *feeds) receive(ctx context.Context, m event.Message) {
	var err error
	switch m.Topic {
	case signal.Tasks:
		err = f.tasks(m)
	case signal.Jobs:
		err = f.jobs(m)
	case signal.Nodes:
		err = f.nodes(m)
	case signal.Groups:
		f.group.Hint(m.Key, signal.GroupRef{ID: m.Key})
	case signal.Flows:
		var about signal.GroupFlows
		about, err = signal.Read[signal.GroupFlows](m)
		for _, g := range about.Groups {
			f.group.Hint(g.ID, g)
		}
	case event.TopicOwnership:
		f.servers.Touch()
	case signal.Fills:
		var about signal.BackfillChange
		if about, err = signal.Read[signal.BackfillChange](m); err == nil {
			f.fill.Hint(about.ID, about)
		}
	case signal.Bulks:
		var about signal.BulkChange
		if about, err = signal.Read[signal.BulkChange](m); err == nil {
			f.bulk.Hint(about.ID, about)
		}
	case signal.Notes:
		var about signal.NoteChanges
		about, err = signal.Read[signal.NoteChanges](m)
		for _, id := range about.IDs {
			f.note.Hint(id, about)
		}
	case signal.Incidents:
		err = f.incidents(m)
	case signal.Logs:
		var tasks signal.TaskIDs
		tasks, err = signal.Read[signal.TaskIDs](m)
		for _, id := range tasks.IDs {
			f.logs.Wake(id)
		}
	case event.TopicResync:
		f.resync()
	default: // the others are not for subscribers
	}
	if err != nil {
		f.log.DebugContext(ctx, "a message of the bus could not be read", "topic", m.Topic, "error", err)
		f.resync()
	}
}

func (f *feeds) jobs(m event.Message) error {
	about, err := signal.Read[signal.JobChange](m)
	if err != nil {
		return err
	}
	f.job.Hint(about.JobID, about)
	f.overview.Touch()
	return nil
}

func (f *feeds) nodes(m event.Message) error {
	about, err := signal.Read[signal.NodeChange](m)
	if err != nil {
		return err
	}
	f.node.Hint(about.NodeID, about)
	f.group.Hint(about.GroupID, signal.GroupRef{ID: about.GroupID})
	f.overview.Touch()
	return nil
}

func (f *feeds) tasks(m event.Message) error {
	changes, err := signal.Read[signal.TaskChanges](m)
	if err != nil {
		return err
	}
	for _, c := range changes.Changes {
		f.task.Hint(c.ID, c)
		if !c.State.Live() {
			f.logs.Wake(c.ID)
		}
	}
	f.overview.Touch()
	return nil
}

// resync says to all subscribers that messages were lost.
func (f *feeds) resync() {
	f.task.Resync()
	f.job.Resync()
	f.node.Resync()
	f.fill.Resync()
	f.bulk.Resync()
	f.note.Resync()
	f.group.Resync()
	f.servers.Touch()
	f.overview.Touch()
	f.logs.WakeAll()
}
