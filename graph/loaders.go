package graph

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vikstrous/dataloadgen"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

const (
	loadWait    = time.Millisecond // how long the first asker waits for others
	loadBatch   = 500              // keys in one question
	loadTimeout = 10 * time.Second // of a question that belongs to no single operation
)

// loaders turn the reads of many rows' edges into one question each. They
// remember what they found, so they live no longer than one response.
type loaders struct {
	apps   *dataloadgen.Loader[string, *models.App]
	groups *dataloadgen.Loader[string, *models.NodeGroup]
	nodes  *dataloadgen.Loader[string, *models.Node]
	jobs   *dataloadgen.Loader[string, *models.Job]
	tasks  *dataloadgen.Loader[string, *models.Task]

	attempts *dataloadgen.Loader[*models.Task, []task.Attempt]
	timeline *dataloadgen.Loader[*models.Task, []task.Entry]

	appKeys      *dataloadgen.Loader[string, []models.AppKey]
	appGroups    *dataloadgen.Loader[string, []models.NodeGroup]
	appJobs      *dataloadgen.Loader[string, int]
	appOnline    *dataloadgen.Loader[string, int]
	groupNodes   *dataloadgen.Loader[string, []models.Node]
	groupJobs    *dataloadgen.Loader[string, int]
	groupLoads   *dataloadgen.Loader[struct{}, map[string]fleet.GroupLoad]
	recentTasks  *dataloadgen.Loader[some, []models.Task]
	skippedFires *dataloadgen.Loader[some, []models.SkippedFires]
	jobStats     *dataloadgen.Loader[string, job.Stats]
	jobWarnings  *dataloadgen.Loader[*models.Job, []string]
}

// some asks for the first n rows that belong to an id.
type some struct {
	id string
	n  int
}

// newLoaders makes the loaders of one operation. Shared ones serve several
// operations at once: no single one's end may fail what the others wait for.
func newLoaders(s Services, shared bool) *loaders {
	return &loaders{
		apps:         loader(shared, byID(s.Fleet.AppsByIDs, func(a *models.App) string { return a.ID })),
		groups:       loader(shared, byID(s.Fleet.GroupsByIDs, func(g *models.NodeGroup) string { return g.ID })),
		nodes:        loader(shared, byID(s.Fleet.NodesByIDs, func(n *models.Node) string { return n.ID })),
		jobs:         loader(shared, byID(s.Jobs.ByIDs, jobID)),
		tasks:        loader(shared, byID(s.Tasks.ByIDs, taskID)),
		attempts:     loader(shared, ofRows(s.Tasks.Attempts, taskID)),
		timeline:     loader(shared, ofRows(s.Tasks.Timeline, taskID)),
		appKeys:      loader(shared, full(s.Fleet.AppKeys)),
		appGroups:    loader(shared, full(groupsOfApps(s.Fleet))),
		appJobs:      loader(shared, full(s.Fleet.JobCounts)),
		appOnline:    loader(shared, full(s.Fleet.OnlineNodes)),
		groupNodes:   loader(shared, full(s.Fleet.NodesOfGroups)),
		groupJobs:    loader(shared, full(s.Fleet.GroupJobCounts)),
		groupLoads:   loader(shared, once(s.Fleet.Loads)),
		recentTasks:  loader(shared, limited(s.Tasks.Recent)),
		skippedFires: loader(shared, limited(s.Jobs.SkippedFires)),
		jobStats:     loader(shared, full(s.Jobs.Stats)),
		jobWarnings:  loader(shared, ofRows(s.Jobs.Warnings, jobID)),
	}
}

func jobID(j *models.Job) string   { return j.ID }
func taskID(t *models.Task) string { return t.ID }

// fetch answers what is asked for by many keys at once.
type fetch[K comparable, V any] func(ctx context.Context, keys []K) (map[K]V, error)

// loader makes a loader. It runs its questions on goroutines of its own, so a
// panic there becomes an error here.
func loader[K comparable, V any](shared bool, ask fetch[K, V]) *dataloadgen.Loader[K, V] {
	safe := func(ctx context.Context, keys []K) (found map[K]V, err error) {
		defer func() {
			if broken := recover(); broken != nil {
				err = fmt.Errorf("loading %d keys: panic: %v", len(keys), broken)
			}
		}()
		if shared {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
			defer cancel()
		}
		return ask(ctx, keys)
	}
	return dataloadgen.NewMappedLoader(safe, dataloadgen.WithWait(loadWait), dataloadgen.WithBatchCapacity(loadBatch))
}

// load answers the row with this id, nil when there is none.
func load[V any](ctx context.Context, l *dataloadgen.Loader[string, *V], id string) (*V, error) {
	row, err := l.Load(ctx, id)
	if errors.Is(err, dataloadgen.ErrNotFound) {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	return row, err
}

// byID makes a fetch of a read by ids.
func byID[V any](read func(context.Context, []string) ([]V, error), id func(*V) string) fetch[string, *V] {
	return func(ctx context.Context, ids []string) (map[string]*V, error) {
		rows, err := read(ctx, ids)
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

// full makes a fetch of a read that leaves out what is empty.
func full[V any](read func(context.Context, []string) (map[string]V, error)) fetch[string, V] {
	return func(ctx context.Context, keys []string) (map[string]V, error) {
		found, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		all := make(map[string]V, len(keys))
		for _, key := range keys {
			all[key] = found[key]
		}
		return all, nil
	}
}

// once makes a fetch of a read without keys.
func once[V any](read func(context.Context) (V, error)) fetch[struct{}, V] {
	return func(ctx context.Context, _ []struct{}) (map[struct{}]V, error) {
		value, err := read(ctx)
		return map[struct{}]V{{}: value}, err
	}
}

// ofRows makes a fetch of a read that needs the rows themselves.
func ofRows[R, V any](read func(context.Context, []R) (map[string]V, error), id func(*R) string) fetch[*R, V] {
	return func(ctx context.Context, keys []*R) (map[*R]V, error) {
		rows := make([]R, len(keys))
		for i, key := range keys {
			rows[i] = *key
		}
		found, err := read(ctx, rows)
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

// limited makes a fetch of a read with one limit for all ids: one question for
// each limit that is asked.
func limited[V any](read func(context.Context, []string, int) (map[string][]V, error)) fetch[some, []V] {
	return func(ctx context.Context, keys []some) (map[some][]V, error) {
		ids := map[int][]string{}
		for _, key := range keys {
			ids[key.n] = append(ids[key.n], key.id)
		}
		all := make(map[some][]V, len(keys))
		for n, of := range ids {
			found, err := read(ctx, of, n)
			if err != nil {
				return nil, err
			}
			for _, id := range of {
				all[some{id, n}] = found[id]
			}
		}
		return all, nil
	}
}

// groupsOfApps reads the groups of one app, or of all apps for several.
func groupsOfApps(s *fleet.Service) func(context.Context, []string) (map[string][]models.NodeGroup, error) {
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
