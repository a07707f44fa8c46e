package fleet

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const maxDescription = 500 // characters

// CreateApp makes an app with its first key, which is answered only here, and the
// node group "default". Faults: INVALID, REQUIRED, TAKEN.
func (s *Service) CreateApp(ctx context.Context, actor, name, description string) (models.App, string, error) {
	var wrong fault.List
	wrong.Add(check.Name("name", name))
	wrong.Add(check.Text("description", description, maxDescription))
	if err := wrong.Err(); err != nil {
		return models.App{}, "", err
	}
	now := s.clock.Now()
	app := models.App{ID: models.NewID(now), Name: name, Description: description, CreatedAt: now, UpdatedAt: now}
	secret, key := newKey(app.ID, now)
	group := defaultGroup(app.ID, now)
	row := audit(now, actor, "app.create", "app", app.ID, detail(map[string]any{"name": name}))
	if err := s.store.CreateApp(ctx, app, key, group, row); err != nil {
		return models.App{}, "", err
	}
	s.notify.GroupChanged(ctx, group.ID)
	return app, secret, nil
}

// UpdateApp changes an app's description unless it is nil. Faults: NOT_FOUND,
// INVALID.
func (s *Service) UpdateApp(ctx context.Context, actor, id string, description *string) (models.App, error) {
	if description == nil {
		return s.store.App(ctx, id)
	}
	if err := check.Text("description", *description, maxDescription); err != nil {
		return models.App{}, err
	}
	now := s.clock.Now()
	row := audit(now, actor, "app.update", "app", id, detail(map[string]any{"description": *description}))
	return s.store.UpdateApp(ctx, id, *description, now, row)
}

// DeleteApp deletes an app with its keys, groups and nodes. Faults: NOT_FOUND,
// CONFLICT while it has jobs.
func (s *Service) DeleteApp(ctx context.Context, actor, id string) (models.App, error) {
	app, err := s.store.DeleteApp(ctx, id, audit(s.clock.Now(), actor, "app.delete", "app", id, nil))
	if err != nil {
		return models.App{}, err
	}
	s.known.DropIf(func(_ string, o keyOwner) bool { return o.app.ID == id })
	return app, nil
}

// App answers one app. Fault: NOT_FOUND.
func (s *Service) App(ctx context.Context, id string) (models.App, error) {
	return s.store.App(ctx, id)
}

// AppByName answers one app. Fault: NOT_FOUND.
func (s *Service) AppByName(ctx context.Context, name string) (models.App, error) {
	return s.store.AppByName(ctx, name)
}

// Apps answers all apps by name, at most 1,000.
func (s *Service) Apps(ctx context.Context) ([]models.App, error) { return s.store.Apps(ctx) }

// AppsByIDs answers the apps that exist among ids, in no order.
func (s *Service) AppsByIDs(ctx context.Context, ids []string) ([]models.App, error) {
	return s.store.AppsByIDs(ctx, ids)
}

// JobCounts answers how many jobs each of these apps has.
func (s *Service) JobCounts(ctx context.Context, appIDs []string) (map[string]int, error) {
	return s.store.CountJobsByApp(ctx, appIDs)
}

// OnlineNodes answers how many nodes of each of these apps are online.
func (s *Service) OnlineNodes(ctx context.Context, appIDs []string) (map[string]int, error) {
	return s.store.CountOnlineNodes(ctx, appIDs)
}
