package store

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// seed makes rows for the tests of what people keep: apps, groups, jobs, tasks.
type seed struct {
	*testing.T
	store *Store
	now   time.Time // of the next row; moves on by a millisecond
	count atomic.Int64
}

func newSeed(t *testing.T, s *Store) *seed {
	t.Helper()
	return &seed{T: t, store: s, now: s.clock.Now()}
}

func (s *seed) tick() time.Time {
	s.now = s.now.Add(time.Millisecond)
	return s.now
}

func (s *seed) audit(kind, object string) models.Audit {
	now := s.tick()
	return models.Audit{ID: models.NewID(now), At: now, Actor: "ada", Action: kind + ".change", Kind: kind, Object: object}
}

func (s *seed) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// app makes an app with a key and a group.
func (s *seed) app(name string) (models.App, models.AppKey, models.NodeGroup) {
	s.Helper()
	now := s.tick()
	app := models.App{ID: models.NewID(now), Name: name, Description: "for tests", CreatedAt: now, UpdatedAt: now}
	key := s.key(app.ID)
	group := s.group(app.ID, "default")
	s.must(s.store.CreateApp(s.Context(), app, key, group, s.audit("app", app.ID)))
	return app, key, group
}

func (s *seed) key(appID string) models.AppKey {
	now := s.tick()
	return models.AppKey{ID: models.NewID(now), AppID: appID, Hash: fmt.Sprintf("%064d", s.count.Add(1)), Prefix: "bfk_test", CreatedAt: now}
}

func (s *seed) group(appID, name string) models.NodeGroup {
	now := s.tick()
	id := models.NewID(now)
	return models.NodeGroup{
		ID: id, AppID: appID, Name: name, Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: now, UpdatedAt: now,
	}
}

// job makes a row that is not stored yet.
func (s *seed) job(g models.NodeGroup, name string) models.Job {
	now := s.tick()
	j := models.Job{
		ID: models.NewID(now), AppID: g.AppID, GroupID: g.ID, Partition: g.Partition, Name: name, Handler: "Do" + name,
		TriggerKind: models.TriggerManual, Enabled: true, Priority: models.PriorityNormal, TimeoutMS: 60_000,
		Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 3, Backoff: models.BackoffFixed,
		RetryDelayMS: 1000, RetryMaxDelayMS: 60_000, MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 100,
		Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	j.LiveName = &j.Name
	return j
}

// storedJob makes a job and stores it.
func (s *seed) storedJob(g models.NodeGroup, name string, edit ...func(*models.Job)) models.Job {
	s.Helper()
	j := s.job(g, name)
	for _, e := range edit {
		e(&j)
	}
	s.must(s.store.CreateJob(s.Context(), j, s.audit("job", j.ID)))
	return j
}

// node makes a row that is not stored yet.
func (s *seed) node(g models.NodeGroup, name string) models.Node {
	now := s.tick()
	return models.Node{
		ID: models.NewID(now), AppID: g.AppID, GroupID: g.ID, Name: name, Incarnation: "one", State: models.NodeOnline, Slots: 8,
		ServerID: models.NewID(now), Labels: []byte(`{"zone":"a"}`), Handlers: []byte(`["Pay","Ship"]`), SDK: "go/1", Host: "h",
		StartedAt: now, LastSeenAt: now,
	}
}

// task makes a task as if it were scheduled now; it is stored without counters.
func (s *seed) task(j models.Job, state models.TaskState, edit ...func(*models.Task)) models.Task {
	now := s.tick()
	t := models.Task{
		ID: models.NewID(now), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: state, Trigger: models.TriggerManual,
		Priority: models.PriorityNormal, ScheduledAt: now, AvailableAt: now, CreatedAt: now, MaxAttempts: 3, TimeoutMS: 60_000,
		Parameters: []byte(`{"n":1}`),
	}
	for _, e := range edit {
		e(&t)
	}
	return t
}

func (s *seed) store1(rows ...any) {
	s.Helper()
	for _, row := range rows {
		s.must(s.store.writer.WithContext(s.Context()).Create(row).Error)
	}
}

// wantFault checks the code of an error.
func wantFault(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("got %v, want a fault %s", err, code)
	}
}
