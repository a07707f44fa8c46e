package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/fleet"
)

func appID(a *models.App) string            { return a.ID }
func groupID(g *models.NodeGroup) string    { return g.ID }
func nodeID(n *models.Node) string          { return n.ID }
func jobID(j *models.Job) string            { return j.ID }
func taskID(t *models.Task) string          { return t.ID }
func appOfGroup(g *models.NodeGroup) string { return g.AppID }
func appOfNode(n *models.Node) string       { return n.AppID }
func appOfJob(j *models.Job) string         { return j.AppID }
func appOfTask(t *models.Task) string       { return t.AppID }

func fillID(b *models.Backfill) string { return b.ID }

func noteID(n *models.Notification) string { return n.ID }

func personID(c *models.Contact) string { return c.UserID }

func channelID(c *models.AlertChannel) string { return c.ID }

func incidentID(i *models.Incident) string   { return i.ID }
func alertRuleID(r *models.AlertRule) string { return r.ID }
func silenceID(s *alert.SilenceView) string  { return s.ID }

func calendarID(c *models.Calendar) string { return c.ID }

// keyed answers what is asked for by many keys at once.
type keyed[K comparable, V any] func(ctx context.Context, keys []K) (map[K]V, error)

// read makes a read that outlives the operation that asks first, when it is shared.
func read[K comparable, V any](shared bool, ask keyed[K, V]) func(context.Context, []K) (map[K]V, error) {
	if !shared {
		return ask
	}
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer cancel()
		return ask(ctx, keys)
	}
}

// seeing announces what a keyed read has found; nil announces nothing.
func seeing[K comparable, V any](ask keyed[K, V], see func(V)) keyed[K, V] {
	if see == nil {
		return ask
	}
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		found, err := ask(ctx, keys)
		for _, value := range found {
			see(value)
		}
		return found, err
	}
}

// one and all fit the announcing of rows to reads that answer one or several a key.
func one[V any](see func([]*V)) func(*V)  { return func(row *V) { see([]*V{row}) } }
func all[V any](see func([]*V)) func([]V) { return func(rows []V) { see(pointers(rows)) } }

// byID makes a keyed read of one that answers rows in no order.
func byID[V any](ask func(context.Context, []string) ([]V, error), id func(*V) string) keyed[string, *V] {
	return func(ctx context.Context, ids []string) (map[string]*V, error) {
		rows, err := ask(ctx, ids)
		if err != nil {
			return nil, err
		}
		found := make(map[string]*V, len(rows))
		for i := range rows {
			found[id(&rows[i])] = &rows[i]
		}
		return found, nil
	}
}

// once makes a keyed read of one without keys.
func once[V any](ask func(context.Context) (V, error)) keyed[struct{}, V] {
	return func(ctx context.Context, _ []struct{}) (map[struct{}]V, error) {
		value, err := ask(ctx)
		return map[struct{}]V{{}: value}, err
	}
}

// ofRows makes a keyed read of one that needs the rows themselves.
func ofRows[R, V any](ask func(context.Context, []R) (map[string]V, error), id func(*R) string) keyed[*R, V] {
	return func(ctx context.Context, keys []*R) (map[*R]V, error) {
		rows := make([]R, len(keys))
		for i, key := range keys {
			rows[i] = *key
		}
		found, err := ask(ctx, rows)
		if err != nil {
			return nil, err
		}
		all := make(map[*R]V, len(keys))
		for _, key := range keys {
			all[key] = found[id(key)]
		}
		return all, nil
	}
}

// groupsOfApps reads the groups of one app, or of all apps for several.
func groupsOfApps(s *fleet.Service) keyed[string, []models.NodeGroup] {
	const most = 1000 // in one answer of the service
	return func(ctx context.Context, apps []string) (map[string][]models.NodeGroup, error) {
		found := make(map[string][]models.NodeGroup, len(apps))
		if len(apps) > 1 {
			all, err := s.Groups(ctx, "")
			if err != nil {
				return nil, err
			}
			if len(all) < most {
				for _, g := range all {
					found[g.AppID] = append(found[g.AppID], g)
				}
				return found, nil
			}
		}
		for _, app := range apps {
			groups, err := s.Groups(ctx, app)
			if err != nil {
				return nil, err
			}
			found[app] = groups
		}
		return found, nil
	}
}

// present are the ids that are given.
func present(ids ...*string) []string {
	var all []string
	for _, id := range ids {
		if id != nil {
			all = append(all, *id)
		}
	}
	return all
}
