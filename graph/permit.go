package graph

import (
	"context"
	"slices"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/limit"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// allow decides about a root field before anything of the operation runs: by the scopes of
// a token, and by roles. Nothing is read for those who hold the role in all apps.
func (r *Resolver) allow(ctx context.Context, rule limit.Rule, id string) error {
	caller := request.Caller(ctx)
	if err := account.AllowScope(caller, rule.Scope); err != nil {
		return err
	}
	switch {
	case rule.In == limit.AnyApp:
		return account.AllowAny(caller, rule.AtLeast)
	case rule.In == limit.AllApps || id == "" || len(caller.Apps) == 0 || caller.Role >= rule.AtLeast:
		return account.Allow(caller, rule.AtLeast)
	}
	app, err := r.placeOf(ctx, rule.In, id)
	if err != nil {
		return err
	}
	return account.AllowIn(caller, app, rule.AtLeast, unseen(placeNames[rule.In], id))
}

var placeNames = map[limit.Place]string{
	limit.App: "app", limit.AppName: "app", limit.AppKey: "app key", limit.Group: "node group", limit.Node: "node", limit.Job: "job",
	limit.Task: "task", limit.Calendar: "calendar", limit.Backfill: "backfill", limit.Incident: "incident",
}

// placeOf answers the app that an id leads to; empty when there is no such object.
func (r *Resolver) placeOf(ctx context.Context, place limit.Place, id string) (app string, err error) {
	s := &r.services
	switch place {
	case limit.App:
		return id, nil
	case limit.AppName:
		return appIn(s.Fleet.AppByName(ctx, id))(appID)
	case limit.AppKey:
		return appIn(s.Fleet.Key(ctx, id))(func(k *models.AppKey) string { return k.AppID })
	case limit.Group:
		return appIn(s.Fleet.Group(ctx, id))(appOfGroup)
	case limit.Node:
		return appIn(s.Fleet.Node(ctx, id))(appOfNode)
	case limit.Job:
		return appIn(s.Jobs.Job(ctx, id))(appOfJob)
	case limit.Task:
		return appIn(s.Tasks.Task(ctx, id))(appOfTask)
	case limit.Calendar:
		return appIn(s.Calendars.Calendar(ctx, id))(func(c *models.Calendar) string { return c.AppID })
	case limit.Incident:
		return appIn(s.Alerts.Incident(ctx, id))(func(i *models.Incident) string { return or(i.AppID, "") })
	case limit.Backfill:
		owner, err := appIn(s.Backfills.Backfill(ctx, id))(func(b *models.Backfill) string { return b.JobID })
		if err != nil || owner == "" {
			return "", err
		}
		return r.placeOf(ctx, limit.Job, owner)
	case limit.AllApps, limit.AnyApp:
	}
	return "", nil
}

// appIn takes an object's app; a missing object has none.
func appIn[T any](row T, err error) func(func(*T) string) (string, error) {
	return func(app func(*T) string) (string, error) {
		if fault.Is(err, fault.NotFound) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		return app(&row), nil
	}
}

// within are the apps that the caller may see; nil: all.
func within(ctx context.Context) []string { return withRole(ctx, models.RoleViewer) }

// withRole are the apps in which the caller holds a role; nil: all.
func withRole(ctx context.Context, atLeast models.Role) []string {
	caller := request.Caller(ctx)
	apps, all := caller.Within(atLeast)
	if all {
		return nil
	}
	return apps
}

// sees says whether the caller may see an app.
func sees(ctx context.Context, app string) bool {
	caller := request.Caller(ctx)
	return caller.In(app) >= models.RoleViewer
}

// seesAll says whether the caller may see all apps.
func seesAll(ctx context.Context) bool { return request.Caller(ctx).Role >= models.RoleViewer }

// seen cuts rows to those of apps that the caller may see.
func seen[T any](ctx context.Context, rows []T, app func(*T) string) []T {
	if seesAll(ctx) {
		return rows
	}
	return slices.DeleteFunc(rows, func(row T) bool { return !sees(ctx, app(&row)) })
}

// unseen is the answer for what another app has, as for what does not exist.
func unseen(what, id string) error {
	return fault.New(fault.NotFound, "There is no %s %s that you may see.", what, check.Quote(id))
}

// seesJob says whether the caller may see a job.
func (r *Resolver) seesJob(ctx context.Context, id string) (bool, error) {
	if seesAll(ctx) {
		return true, nil
	}
	row, found, err := r.loaders(ctx).jobs.Load(ctx, id)
	return found && sees(ctx, row.AppID), err
}

// seenUpstream cuts the jobs that another waits for to those that the caller may see.
func (r *Resolver) seenUpstream(ctx context.Context, all []models.Dependency) ([]models.Dependency, error) {
	kept := make([]models.Dependency, 0, len(all))
	for i := range all {
		ok, err := r.seesJob(ctx, all[i].UpstreamID)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, all[i])
		}
	}
	return kept, nil
}

// seenJoin cuts what a join shows of jobs that the caller may not see.
func (r *Resolver) seenJoin(ctx context.Context, j *job.Join) (*gqlmodel.Join, error) {
	if seesAll(ctx) {
		return joinOf(j), nil
	}
	cut := *j
	cut.Arrived, cut.Missing = nil, nil
	for i := range j.Arrived {
		ok, err := r.seesJob(ctx, j.Arrived[i].UpstreamID)
		if err != nil {
			return nil, err
		}
		if ok {
			cut.Arrived = append(cut.Arrived, j.Arrived[i])
		}
	}
	for _, id := range j.Missing {
		ok, err := r.seesJob(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			cut.Missing = append(cut.Missing, id)
		}
	}
	return joinOf(&cut), nil
}

// seesUpstream refuses a trigger that waits for a job that the caller may not see.
func (r *Resolver) seesUpstream(ctx context.Context, in *gqlmodel.TriggerInput) error {
	if in == nil || in.Dependency.Value() == nil {
		return nil
	}
	for _, u := range in.Dependency.Value().Upstream {
		ok, err := r.seesJob(ctx, u.Job)
		if err != nil {
			return err
		}
		if !ok {
			return fault.At("trigger.dependency.upstream", fault.NotFound, "There is no job %s that you may see.", check.Quote(u.Job))
		}
	}
	return nil
}

// seesPreview refuses a preview that would show what another app has: its calendars, or the
// names of its jobs.
func (r *Resolver) seesPreview(ctx context.Context, in *gqlmodel.SchedulePreviewInput) error {
	if app := in.App.Value(); app != nil && !sees(ctx, *app) {
		return fault.At("app", fault.NotFound, "There is no app %s that you may see.", check.Quote(*app))
	}
	return r.seesUpstream(ctx, in.Trigger)
}
