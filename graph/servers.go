package graph

import (
	"context"
	"reflect"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// servers lists the servers.
func (r *Resolver) servers(ctx context.Context) ([]*gqlmodel.Server, error) {
	all, err := r.services.Fleet.Servers(ctx)
	return each(all, r.serverOf), err
}

// serverChanged sends all servers and then those that are new or have changed. Its
// goroutine belongs to the operation: each send selects on ctx.
func (r *Resolver) serverChanged(ctx context.Context) (<-chan *gqlmodel.Server, error) {
	watcher, err := r.feeds.servers.Watch()
	if err != nil {
		return nil, refused(err)
	}
	out := make(chan *gqlmodel.Server)
	s := scopeOf(ctx)
	go func() {
		defer close(out)
		defer watcher.Close()
		var sent map[string]*gqlmodel.Server
		for {
			all, _, err := watcher.Take(ctx)
			if err != nil {
				return
			}
			next := make(map[string]*gqlmodel.Server, len(all))
			var changed []*gqlmodel.Server
			for _, server := range all {
				if was := sent[server.ID]; was == nil || !reflect.DeepEqual(was, server) {
					changed = append(changed, server)
				}
				next[server.ID] = server
				delete(sent, server.ID)
			}
			if len(sent) > 0 { // those that are left have gone
				s.resync.Store(true)
				if len(changed) == 0 {
					changed = all[:min(len(all), 1)]
				}
			}
			sent = next
			for _, server := range changed {
				select {
				case out <- server:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return out, nil
}

// nodeGroupChanged sends the groups of one app, or of all for an empty id, as they
// change.
func (r *Resolver) nodeGroupChanged(ctx context.Context, app string) (<-chan *gqlmodel.NodeGroup, error) {
	sub, err := r.feeds.group.Subscribe(
		func(g signal.GroupRef) bool { return app == "" || g.AppID == "" || g.AppID == app },
		func(g *models.NodeGroup) bool { return (app == "" || g.AppID == app) && sees(ctx, g.AppID) },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, groupOf, func(ctx context.Context) (*models.NodeGroup, error) {
		rows, err := r.services.Fleet.Groups(ctx, app)
		return first(seen(ctx, rows, appOfGroup)), err
	}), nil
}
