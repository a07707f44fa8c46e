package fleet

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// heard notes what a service told.
type heard struct{ groups, nodes []string }

func (h *heard) NodeChanged(_ context.Context, nodeID, _ string) { h.nodes = append(h.nodes, nodeID) }

func (h *heard) GroupChanged(_ context.Context, groupID string) { h.groups = append(h.groups, groupID) }

type yard struct {
	*testing.T
	*Service
	clock *testledger.Clock
	store *store.Store
	heard *heard
}

func newYard(t *testing.T) *yard {
	t.Helper()
	c := testledger.NewClock(time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC))
	y := &yard{T: t, clock: c, store: testledger.Open(t, c), heard: &heard{}}
	y.Service = y.server()
	return y
}

// server is one more server on the same ledger.
func (y *yard) server() *Service {
	return New(Config{Store: y.store, Clock: y.clock, Logger: slog.New(slog.DiscardHandler), Notifier: y.heard})
}

func (y *yard) must(err error) {
	y.Helper()
	if err != nil {
		y.Fatal(err)
	}
}

func (y *yard) want(err error, code fault.Code) {
	y.Helper()
	if fault.CodeOf(err) != code {
		y.Errorf("got %v, want %q", err, code)
	}
}

func (y *yard) app(name string) (models.App, string, models.NodeGroup) {
	y.Helper()
	app, key, err := y.CreateApp(y.Context(), "ada", name, "")
	y.must(err)
	groups, err := y.Groups(y.Context(), app.ID)
	y.must(err)
	return app, key, groups[0]
}

// fields lists the fields that an error blames.
func fields(err error) []string {
	var paths []string
	for _, e := range fault.All(err) {
		paths = append(paths, strings.Join(e.Field, "."))
	}
	return paths
}

func TestCreateApp(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, key, group := y.app("order-worker_2")
	if !strings.HasPrefix(key, "bfk_") || len(key) < 40 {
		t.Errorf("the key is %q", key)
	}
	if group.Name != "default" || group.OfflineAfter() != 15*time.Second || group.Partition != models.PartitionOf(group.ID) {
		t.Errorf("the first group is %+v", group)
	}
	keys, err := y.AppKeys(t.Context(), []string{app.ID})
	y.must(err)
	if got := keys[app.ID]; len(got) != 1 || got[0].Hash == key || got[0].Prefix != key[:12] {
		t.Errorf("keys: %+v", got)
	}
	got, err := y.AppByName(t.Context(), "order-worker_2")
	y.must(err)
	if diff := cmp.Diff(app, got); diff != "" {
		t.Errorf("(-answered +read):\n%s", diff)
	}
	if diff := cmp.Diff([]string{group.ID}, y.heard.groups); diff != "" {
		t.Errorf("hints:\n%s", diff)
	}
	_, _, err = y.CreateApp(t.Context(), "ada", "order-worker_2", "")
	y.want(err, fault.Taken)
}

func TestAppNames(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	for name, ok := range map[string]bool{
		"a": true, "a1-_": true, strings.Repeat("a", 64): true,
		"": false, "A": false, "1a": false, "-a": false, "a b": false, "a\n": false, "中文": false, strings.Repeat("a", 65): false, "a.b": false,
	} {
		_, _, err := y.CreateApp(t.Context(), "ada", name, "")
		if (err == nil) != ok {
			t.Errorf("name %q: %v", name, err)
		}
	}
	_, _, err := y.CreateApp(t.Context(), "ada", "A", strings.Repeat("长", 501))
	if diff := cmp.Diff([]string{"name", "description"}, fields(err)); diff != "" {
		t.Errorf("all faults at once:\n%s", diff)
	}
	if _, _, err := y.CreateApp(t.Context(), "ada", "ok", strings.Repeat("😀", 500)); err != nil {
		t.Error("500 characters:", err)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, first, _ := y.app("shop")
	other := y.server()
	for _, s := range []*Service{y.Service, other, y.Service} {
		got, key, err := s.AuthenticateKey(t.Context(), first)
		if err != nil || got.ID != app.ID || key.AppID != app.ID {
			t.Fatalf("%+v, %+v, %v", got, key, err)
		}
	}
	y.clock.Advance(time.Millisecond)
	fresh, second, err := y.CreateKey(t.Context(), "ada", app.ID)
	y.must(err)
	_, _, err = y.CreateKey(t.Context(), "ada", app.ID)
	y.want(err, fault.Limit)
	_, _, err = y.CreateKey(t.Context(), "ada", "01NONE")
	y.want(err, fault.NotFound)

	keys, err := y.AppKeys(t.Context(), []string{app.ID})
	y.must(err)
	old := keys[app.ID][1]
	if keys[app.ID][0].ID != fresh.ID || old.LastUsedAt == nil {
		t.Errorf("keys: %+v", keys[app.ID])
	}
	_, err = y.RevokeKey(t.Context(), "ada", old.ID)
	y.must(err)
	_, _, err = y.AuthenticateKey(t.Context(), first)
	y.want(err, fault.Unauthenticated)
	y.clock.Advance(cacheFor)
	_, _, err = other.AuthenticateKey(t.Context(), first)
	y.want(err, fault.Unauthenticated)
	if _, _, err := other.AuthenticateKey(t.Context(), second); err != nil {
		t.Error("the new key:", err)
	}
	_, err = y.RevokeKey(t.Context(), "ada", "01NONE")
	y.want(err, fault.NotFound)
}

func TestStrangeKeysAreRefused(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	_, key, _ := y.app("shop")
	for _, bad := range []string{"", "bfk_", "bfk_x", key + "x", key[:len(key)-1], "bfy_" + key[4:], strings.ToUpper(key), "bfk_" + strings.Repeat("x", 10_000)} {
		_, _, err := y.AuthenticateKey(t.Context(), bad)
		y.want(err, fault.Unauthenticated)
	}
}

func TestUseOfAKeyIsNotedOnceAMinute(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, key, _ := y.app("shop")
	used := func() time.Time {
		_, _, err := y.AuthenticateKey(t.Context(), key)
		y.must(err)
		keys, err := y.AppKeys(t.Context(), []string{app.ID})
		y.must(err)
		return *keys[app.ID][0].LastUsedAt
	}
	start := used()
	y.clock.Advance(59 * time.Second)
	if !used().Equal(start) {
		t.Error("noted within the same minute")
	}
	y.clock.Advance(time.Second)
	if !used().Equal(y.clock.Now()) {
		t.Error("not noted after a minute")
	}
}

func TestUpdateAndDeleteApp(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, key, _ := y.app("shop")
	_, _, err := y.AuthenticateKey(t.Context(), key)
	y.must(err)
	same, err := y.UpdateApp(t.Context(), "ada", app.ID, nil)
	y.must(err)
	changed, err := y.UpdateApp(t.Context(), "ada", app.ID, new("sells"))
	y.must(err)
	if same.Description != "" || changed.Description != "sells" {
		t.Errorf("descriptions %q, %q", same.Description, changed.Description)
	}
	_, err = y.UpdateApp(t.Context(), "ada", app.ID, new(strings.Repeat("x", 501)))
	y.want(err, fault.Invalid)
	_, err = y.DeleteApp(t.Context(), "ada", app.ID)
	y.must(err)
	_, _, err = y.AuthenticateKey(t.Context(), key)
	y.want(err, fault.Unauthenticated)
	for _, err := range []error{
		second(y.App(t.Context(), app.ID)), second(y.UpdateApp(t.Context(), "ada", app.ID, new("x"))), second(y.DeleteApp(t.Context(), "ada", app.ID)),
	} {
		y.want(err, fault.NotFound)
	}
}

func second[T any](_ T, err error) error { return err }

func TestCreateGroup(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, _, _ := y.app("shop")
	g, err := y.CreateGroup(t.Context(), "ada", Group{
		AppID: app.ID, Name: "quick", MaxRunning: new(5), ReleaseRate: new(100), ReleaseBurst: new(50),
		Routing: new(models.RouteRandom), HeartbeatInterval: new(time.Second), HeartbeatMisses: new(5),
	})
	y.must(err)
	got, err := y.Group(t.Context(), g.ID)
	y.must(err)
	if diff := cmp.Diff(g, got); diff != "" || got.OfflineAfter() != 5*time.Second || *got.ReleaseBurst != 50 || got.Routing != models.RouteRandom {
		t.Errorf("%+v (-answered +read):\n%s", got, diff)
	}
	_, err = y.CreateGroup(t.Context(), "ada", Group{AppID: app.ID, Name: "quick"})
	y.want(err, fault.Taken)
	_, err = y.CreateGroup(t.Context(), "ada", Group{AppID: "01NONE", Name: "quick"})
	y.want(err, fault.NotFound)
}

func TestGroupLimits(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, _, _ := y.app("shop")
	for name, c := range map[string]struct {
		group Group
		want  []string
	}{
		"all at once": {
			Group{Name: "Q", MaxRunning: new(0), ReleaseRate: new(100_001), ReleaseBurst: new(-1), HeartbeatInterval: new(time.Minute + 1), HeartbeatMisses: new(1)},
			[]string{"name", "heartbeatInterval", "maxRunning", "releaseRate", "releaseBurst", "heartbeatMisses"},
		},
		"burst alone":   {Group{Name: "q", ReleaseBurst: new(5)}, []string{"releaseBurst"}},
		"burst beyond":  {Group{Name: "q", ReleaseRate: new(5), ReleaseBurst: new(6)}, []string{"releaseBurst"}},
		"beat too fast": {Group{Name: "q", HeartbeatInterval: new(999 * time.Millisecond)}, []string{"heartbeatInterval"}},
		"beat absurd":   {Group{Name: "q", HeartbeatInterval: new(time.Duration(1<<63 - 1))}, []string{"heartbeatInterval"}},
		"broadcast":     {Group{Name: "q", Routing: new(models.RouteBroadcast)}, []string{"routing"}},
		"too patient":   {Group{Name: "q", HeartbeatMisses: new(21)}, []string{"heartbeatMisses"}},
	} {
		c.group.AppID = app.ID
		_, err := y.CreateGroup(t.Context(), "ada", c.group)
		if diff := cmp.Diff(c.want, fields(err)); diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestGroupWarnings(t *testing.T) {
	t.Parallel()
	quick := models.NodeGroup{HeartbeatMS: 5000, HeartbeatMisses: 3}
	for name, c := range map[string]struct {
		edit func(*models.NodeGroup)
		want string // begins the one warning; empty: none
	}{
		"nothing odd":         {func(*models.NodeGroup) {}, ""},
		"room for the burst":  {func(g *models.NodeGroup) { g.MaxRunning, g.ReleaseRate = new(10), new(10) }, ""},
		"a smaller burst":     {func(g *models.NodeGroup) { g.MaxRunning, g.ReleaseRate, g.ReleaseBurst = new(10), new(50), new(10) }, ""},
		"no room for it":      {func(g *models.NodeGroup) { g.MaxRunning, g.ReleaseRate, g.ReleaseBurst = new(9), new(50), new(10) }, "At one instant 10"},
		"nor for the rate":    {func(g *models.NodeGroup) { g.MaxRunning, g.ReleaseRate = new(9), new(50) }, "At one instant 50"},
		"a minute of silence": {func(g *models.NodeGroup) { g.HeartbeatMS, g.HeartbeatMisses = 20_000, 3 }, ""},
		"longer silence":      {func(g *models.NodeGroup) { g.HeartbeatMS, g.HeartbeatMisses = 20_000, 4 }, "A lost node is noticed after 1m20s"},
	} {
		g := quick
		c.edit(&g)
		got := GroupWarnings(&g)
		if (c.want == "") != (len(got) == 0) || len(got) > 1 || len(got) == 1 && !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestUpdateGroup(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	_, _, g := y.app("shop")
	y.clock.Advance(time.Second)
	got, err := y.UpdateGroup(t.Context(), "ada", GroupUpdate{
		ID: g.ID, MaxRunning: Field[int]{true, new(5)}, ReleaseRate: Field[int]{true, new(10)}, ReleaseBurst: Field[int]{true, new(8)},
		Routing: Field[models.Routing]{true, new(models.RouteRoundRobin)}, HeartbeatInterval: Field[time.Duration]{true, new(2 * time.Second)},
		HeartbeatMisses: Field[int]{true, new(2)},
	})
	y.must(err)
	if *got.MaxRunning != 5 || *got.ReleaseRate != 10 || *got.ReleaseBurst != 8 || got.Routing != models.RouteRoundRobin || got.OfflineAfter() != 4*time.Second {
		t.Errorf("changed to %+v", got)
	}
	got, err = y.UpdateGroup(t.Context(), "ada", GroupUpdate{ID: g.ID, MaxRunning: Field[int]{Set: true}})
	y.must(err)
	if got.MaxRunning != nil || *got.ReleaseRate != 10 {
		t.Errorf("null and absent: %+v", got)
	}
	_, err = y.UpdateGroup(t.Context(), "ada", GroupUpdate{ID: g.ID, ReleaseRate: Field[int]{Set: true}})
	if diff := cmp.Diff([]string{"releaseBurst"}, fields(err)); diff != "" { // the burst is left without a rate
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = y.UpdateGroup(t.Context(), "ada", GroupUpdate{
		ID: g.ID, ReleaseRate: Field[int]{Set: true}, ReleaseBurst: Field[int]{Set: true},
		Routing: Field[models.Routing]{Set: true}, HeartbeatInterval: Field[time.Duration]{Set: true}, HeartbeatMisses: Field[int]{Set: true},
	})
	y.must(err)
	want := g
	want.UpdatedAt = y.clock.Now()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nulls bring the defaults back (-want +got):\n%s", diff)
	}
	_, err = y.UpdateGroup(t.Context(), "ada", GroupUpdate{ID: "01NONE"})
	y.want(err, fault.NotFound)
	rows, err := y.store.TaskAudits(t.Context(), []string{g.ID})
	y.must(err)
	if len(rows) != 0 {
		t.Error("the audit rows are filed under tasks")
	}
}

func TestNodesAndLoads(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	app, _, g := y.app("shop")
	n := models.Node{
		ID: models.NewID(y.clock.Now()), AppID: app.ID, GroupID: g.ID, Name: "n1", Incarnation: "one", State: models.NodeOnline, Slots: 8,
		StartedAt: y.clock.Now(), LastSeenAt: y.clock.Now(),
	}
	_, _, err := y.store.RegisterNode(t.Context(), n)
	y.must(err)
	now := y.clock.Now()
	job := models.Job{ID: models.NewID(now), AppID: app.ID, GroupID: g.ID, Name: "j", LiveName: new("j"), Handler: "H", CreatedAt: now, UpdatedAt: now}
	y.must(y.store.CreateJob(t.Context(), job, models.Audit{ID: models.NewID(now), At: now}))
	var tasks []models.Task
	for _, state := range []models.TaskState{models.TaskWaiting, models.TaskWaiting, models.TaskRetrying, models.TaskRunning, models.TaskFailed} {
		tasks = append(tasks, models.Task{ID: models.NewID(now), JobID: job.ID, AppID: app.ID, GroupID: g.ID, State: state, ScheduledAt: now, AvailableAt: now, CreatedAt: now})
	}
	_, err = y.store.CreateTasks(t.Context(), tasks)
	y.must(err)

	loads, err := y.Loads(t.Context())
	y.must(err)
	if diff := cmp.Diff(map[string]GroupLoad{g.ID: {Waiting: 3, Running: 1, Slots: 8}}, loads); diff != "" {
		t.Errorf("loads:\n%s", diff)
	}
	jobs, err := y.JobCounts(t.Context(), []string{app.ID})
	y.must(err)
	ofGroup, err := y.GroupJobCounts(t.Context(), []string{g.ID})
	y.must(err)
	online, err := y.OnlineNodes(t.Context(), []string{app.ID})
	y.must(err)
	if jobs[app.ID] != 1 || ofGroup[g.ID] != 1 || online[app.ID] != 1 {
		t.Errorf("counts %v, %v, %v", jobs, ofGroup, online)
	}
	of, err := y.NodesOfGroups(t.Context(), []string{g.ID})
	y.must(err)
	if len(of[g.ID]) != 1 {
		t.Errorf("nodes by group: %v", of)
	}

	_, err = y.RemoveNode(t.Context(), "ada", n.ID)
	y.want(err, fault.Conflict)
	drained, err := y.DrainNode(t.Context(), "ada", n.ID)
	y.must(err)
	resumed, err := y.ResumeNode(t.Context(), "ada", n.ID)
	y.must(err)
	if drained.State != models.NodeDraining || resumed.State != models.NodeOnline {
		t.Errorf("drained %s, resumed %s", drained.State, resumed.State)
	}
	_, err = y.store.SetNodeState(t.Context(), n.ID, "one", models.NodeOffline, "")
	y.must(err)
	_, err = y.RemoveNode(t.Context(), "ada", n.ID)
	y.must(err)
	if diff := cmp.Diff([]string{n.ID, n.ID, n.ID}, y.heard.nodes); diff != "" {
		t.Errorf("hints:\n%s", diff)
	}
	for _, err := range []error{second(y.DrainNode(t.Context(), "ada", n.ID)), second(y.RemoveNode(t.Context(), "ada", n.ID)), second(y.Node(t.Context(), n.ID))} {
		y.want(err, fault.NotFound)
	}
	_, err = y.DeleteGroup(t.Context(), "ada", g.ID)
	y.want(err, fault.Conflict)
}
