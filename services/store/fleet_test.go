package store

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestAppsComeBackAsTheyWereStored(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, key, group := in.app("shop")
		other, _, _ := in.app("bank")
		got, err := s.App(t.Context(), app.ID)
		in.must(err)
		if diff := cmp.Diff(app, got); diff != "" {
			t.Errorf("the app (-stored +read):\n%s", diff)
		}
		gotKey, gotApp, err := s.AppKeyByHash(t.Context(), key.Hash)
		in.must(err)
		if diff := cmp.Diff(key, gotKey); diff != "" || gotApp.ID != app.ID {
			t.Errorf("the key (-stored +read), of app %s:\n%s", gotApp.Name, diff)
		}
		gotGroup, err := s.GroupByName(t.Context(), app.ID, "default")
		in.must(err)
		if diff := cmp.Diff(group, gotGroup); diff != "" {
			t.Errorf("the group (-stored +read):\n%s", diff)
		}
		all, err := s.Apps(t.Context())
		in.must(err)
		if len(all) != 2 || all[0].ID != other.ID {
			t.Errorf("apps by name: %v", all)
		}
		some, err := s.AppsByIDs(t.Context(), []string{app.ID, "01UNKNOWNUNKNOWNUNKNOWNUNK"})
		in.must(err)
		if len(some) != 1 || some[0].ID != app.ID {
			t.Errorf("apps by id: %v", some)
		}
		_, err = s.AppByName(t.Context(), "none")
		wantFault(t, err, fault.NotFound)
	})
}

func TestNamesAreUnique(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, _, group := in.app("shop")
		again := models.App{ID: models.NewID(in.tick()), Name: "shop", CreatedAt: in.now, UpdatedAt: in.now}
		err := s.CreateApp(t.Context(), again, in.key(again.ID), in.group(again.ID, "default"), in.audit("app", again.ID))
		wantFault(t, err, fault.Taken)
		if e := fault.All(err); len(e) != 1 || cmp.Diff([]string{"name"}, e[0].Field) != "" {
			t.Errorf("the fault blames %v, want the name", e)
		}
		if _, err := s.GroupByName(t.Context(), again.ID, "default"); !fault.Is(err, fault.NotFound) {
			t.Errorf("the refused app left its group: %v", err)
		}
		wantFault(t, s.CreateGroup(t.Context(), in.group(app.ID, "default"), in.audit("group", "")), fault.Taken)
		in.must(s.CreateGroup(t.Context(), in.group(app.ID, "Default"), in.audit("group", ""))) // names are exact
		in.storedJob(group, "pay")
		wantFault(t, s.CreateJob(t.Context(), in.job(group, "pay"), in.audit("job", "")), fault.Taken)
		in.must(s.CreateJob(t.Context(), in.job(group, "Päy 😀"), in.audit("job", "")))
	})
}

func TestUpdateAndDeleteApp(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, key, group := in.app("shop")
		got, err := s.UpdateApp(t.Context(), app.ID, "鐘楼 😀", in.tick(), in.audit("app", app.ID))
		in.must(err)
		read, err := s.App(t.Context(), app.ID)
		in.must(err)
		if diff := cmp.Diff(got, read); diff != "" || read.Description != "鐘楼 😀" {
			t.Errorf("after the update (-answered +read):\n%s", diff)
		}
		j := in.storedJob(group, "pay")
		_, err = s.DeleteApp(t.Context(), app.ID, in.audit("app", app.ID))
		wantFault(t, err, fault.Conflict)
		in.must(s.writer.Exec("UPDATE jobs SET live_name = NULL, deleted_at = ? WHERE id = ?", in.tick(), j.ID).Error)
		waiting := in.task(j, models.TaskWaiting)
		in.store1(&waiting)
		_, err = s.DeleteApp(t.Context(), app.ID, in.audit("app", app.ID))
		wantFault(t, err, fault.Conflict)
		in.must(s.writer.Exec("UPDATE tasks SET state = ? WHERE id = ?", models.TaskSucceeded, waiting.ID).Error)
		_, _, err = s.RegisterNode(t.Context(), in.node(group, "n1"))
		in.must(err)
		_, err = s.DeleteApp(t.Context(), app.ID, in.audit("app", app.ID))
		in.must(err)
		_, _, err = s.AppKeyByHash(t.Context(), key.Hash)
		wantFault(t, err, fault.NotFound)
		_, err = s.Group(t.Context(), group.ID)
		wantFault(t, err, fault.NotFound)
		_, err = s.NodeByName(t.Context(), app.ID, "n1")
		wantFault(t, err, fault.NotFound)
		_, err = s.DeleteApp(t.Context(), app.ID, in.audit("app", app.ID))
		wantFault(t, err, fault.NotFound)
		rows, err := s.audits(t.Context(), "app", []string{app.ID})
		in.must(err)
		if len(rows) != 3 { // created, updated, deleted; refusals leave none
			t.Errorf("%d audit rows, want 3", len(rows))
		}
	})
}

func TestAtMostTwoKeysAreActive(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, first, _ := in.app("shop")
		keys := []models.AppKey{in.key(app.ID), in.key(app.ID), in.key(app.ID), in.key(app.ID)}
		var wg sync.WaitGroup
		errs := make([]error, len(keys))
		for i, k := range keys { // at once: only one of them may become the second
			wg.Go(func() {
				errs[i] = s.CreateAppKey(t.Context(), k, models.Audit{ID: models.NewID(k.CreatedAt), At: k.CreatedAt, Kind: "app", Object: app.ID})
			})
		}
		wg.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
			} else {
				wantFault(t, err, fault.Limit)
			}
		}
		if made != 1 {
			t.Errorf("%d keys were made, want 1", made)
		}
		at := in.tick()
		revoked, err := s.RevokeAppKey(t.Context(), first.ID, at, in.audit("app", ""))
		in.must(err)
		again, err := s.RevokeAppKey(t.Context(), first.ID, in.tick(), in.audit("app", ""))
		in.must(err)
		if revoked.RevokedAt == nil || !revoked.RevokedAt.Equal(at) || !again.RevokedAt.Equal(at) {
			t.Errorf("revoked at %v, then %v; want %v", revoked.RevokedAt, again.RevokedAt, at)
		}
		in.must(s.CreateAppKey(t.Context(), in.key(app.ID), in.audit("app", app.ID)))
		in.must(s.TouchAppKey(t.Context(), first.ID, at))
		all, err := s.AppKeys(t.Context(), []string{app.ID})
		in.must(err)
		if len(all) != 3 || all[2].ID != first.ID || all[2].LastUsedAt == nil || !all[2].LastUsedAt.Equal(at) {
			t.Errorf("keys newest first: %+v", all)
		}
		rows, err := s.audits(t.Context(), "app", []string{app.ID})
		in.must(err)
		if len(rows) != 4 { // the app, two keys, one revocation
			t.Errorf("%d audit rows, want 4", len(rows))
		}
	})
}

func TestUpdateGroupRefusedChangesNothing(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		limit := 7
		got, err := s.UpdateGroup(t.Context(), g.ID, func(g *models.NodeGroup) error {
			g.MaxRunning, g.Routing, g.HeartbeatMS, g.UpdatedAt = &limit, models.RouteRandom, 1000, in.tick()
			return nil
		}, in.audit("group", g.ID))
		in.must(err)
		refused := errors.New("refused")
		if _, err := s.UpdateGroup(t.Context(), g.ID, func(g *models.NodeGroup) error { g.MaxRunning = nil; return refused }, in.audit("group", g.ID)); !errors.Is(err, refused) {
			t.Errorf("got %v, want the edit's own error", err)
		}
		read, err := s.Group(t.Context(), g.ID)
		in.must(err)
		if diff := cmp.Diff(got, read); diff != "" || read.MaxRunning == nil || *read.MaxRunning != 7 {
			t.Errorf("the group (-answered +read):\n%s", diff)
		}
		of, err := s.GroupsOfPartitions(t.Context(), []int{g.Partition})
		in.must(err)
		if len(of) != 1 || of[0].ID != g.ID {
			t.Errorf("groups of partition %d: %v", g.Partition, of)
		}
	})
}

func TestDeleteGroup(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, _, _ := in.app("shop")
		g := in.group(app.ID, "extra")
		in.must(s.CreateGroup(t.Context(), g, in.audit("group", g.ID)))
		j := in.storedJob(g, "pay")
		_, err := s.DeleteGroup(t.Context(), g.ID, in.audit("group", g.ID))
		wantFault(t, err, fault.Conflict)
		in.must(s.writer.Exec("UPDATE jobs SET live_name = NULL WHERE id = ?", j.ID).Error)
		_, err = s.DeleteGroup(t.Context(), g.ID, in.audit("group", g.ID))
		in.must(err)
		wantFault(t, s.CreateJob(t.Context(), in.job(g, "late"), in.audit("job", "")), fault.NotFound)
		names := []string{}
		groups, err := s.Groups(t.Context(), "")
		in.must(err)
		for _, g := range groups {
			names = append(names, g.Name)
		}
		if diff := cmp.Diff([]string{"default"}, names); diff != "" {
			t.Errorf("groups that are left:\n%s", diff)
		}
	})
}

func TestRegisterNode(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		first := in.node(g, "n1")
		first.HandlerSlots = []byte(`[{"handlers":["H"],"slots":2}]`)
		now, before, err := s.RegisterNode(t.Context(), first)
		in.must(err)
		if diff := cmp.Diff(first, now); diff != "" || before != nil {
			t.Errorf("a new node (-sent +answered), before %v:\n%s", before, diff)
		}
		_, err = s.SetDraining(t.Context(), first.ID, true, in.audit("node", first.ID))
		in.must(err)

		again := in.node(g, "n1") // the same process connects again
		now, before, err = s.RegisterNode(t.Context(), again)
		in.must(err)
		if now.ID != first.ID || !now.Draining || !now.StartedAt.Equal(first.StartedAt) || before == nil || before.ID != first.ID {
			t.Errorf("the same process: %+v, before %+v", now, before)
		}
		next := in.node(g, "n1") // a new process
		next.Incarnation, next.Slots = "two", 3
		now, before, err = s.RegisterNode(t.Context(), next)
		in.must(err)
		if now.ID != first.ID || now.Draining || now.Slots != 3 || before.Incarnation != "one" || !now.StartedAt.Equal(next.StartedAt) {
			t.Errorf("a new process: %+v, before %+v", now, before)
		}
		read, err := s.Node(t.Context(), first.ID)
		in.must(err)
		if diff := cmp.Diff(now, read); diff != "" {
			t.Errorf("(-answered +read):\n%s", diff)
		}
	})
}

func TestOnlyAProcessThatSaysSoLeavesInGoodOrder(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		n := in.node(g, "n1")
		in.store1(&n)
		leaves := func(what string, end func() (bool, error), left bool) {
			changed, err := end()
			in.must(err)
			row, err := s.Node(t.Context(), n.ID)
			in.must(err)
			if !changed || (row.LeftAt != nil) != left {
				t.Errorf("%s: changed %v, left at %v", what, changed, row.LeftAt)
			}
		}
		to := func(state models.NodeState) func() (bool, error) {
			return func() (bool, error) { return s.SetNodeState(t.Context(), n.ID, n.Incarnation, state, "") }
		}
		leaves("good-bye", to(models.NodeOffline), true)
		leaves("back", to(models.NodeOnline), false)
		leaves("lost", func() (bool, error) { return s.LoseNode(t.Context(), n.ID, n.Incarnation) }, false)
		leaves("good-bye again", to(models.NodeOffline), true)
		again := in.node(g, "n1")
		_, before, err := s.RegisterNode(t.Context(), again)
		in.must(err)
		row, err := s.Node(t.Context(), n.ID)
		in.must(err)
		if before.LeftAt == nil || row.LeftAt != nil {
			t.Errorf("before: left at %v; now: %v", before.LeftAt, row.LeftAt)
		}
	})
}

func TestNodesRegisteredAtOnceBecomeOneRow(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, _, g := in.app("shop")
		var wg sync.WaitGroup
		ids := make([]string, 8)
		for i := range ids {
			n := in.node(g, "n1")
			wg.Go(func() {
				now, _, err := s.RegisterNode(t.Context(), n)
				if err != nil {
					t.Error(err)
				}
				ids[i] = now.ID
			})
		}
		wg.Wait()
		n, err := s.NodeByName(t.Context(), app.ID, "n1")
		in.must(err)
		for _, id := range ids {
			if id != n.ID {
				t.Errorf("answered node %s, the row is %s", id, n.ID)
			}
		}
	})
}

func TestBeatsReachOnlyTheSameProcess(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		nodes := map[string]models.Node{}
		var beats []NodeBeat
		at := in.tick().Add(time.Minute)
		for i := range 600 { // more than fit in one statement
			n := in.node(g, "n"+string(rune('a'+i%26))+models.NewID(in.tick()))
			in.store1(&n)
			b := NodeBeat{ID: n.ID, Incarnation: n.Incarnation, Running: i, Slots: i + 1, Stuck: i % 4, Lingering: i % 3, At: at}
			want := n
			want.Running, want.Slots, want.LastSeenAt, want.Stuck, want.Lingering = i, i+1, at, i%4, i%3
			switch i % 3 {
			case 0:
				b.Incarnation, want = "old", n
			case 1: // one that was written late moves no time back
				b.At, want.LastSeenAt = n.LastSeenAt.Add(-time.Second), n.LastSeenAt
			}
			nodes[n.ID] = want
			beats = append(beats, b)
		}
		beats = append(beats, NodeBeat{ID: "01GONE", Incarnation: "one", At: at})
		in.must(s.BeatNodes(t.Context(), beats))
		in.must(s.BeatNodes(t.Context(), nil))
		rows, err := s.NodesOfGroups(t.Context(), []string{g.ID})
		in.must(err)
		for _, got := range rows {
			if diff := cmp.Diff(nodes[got.ID], got); diff != "" {
				t.Fatalf("a node (-want +got):\n%s", diff)
			}
		}
	})
}

func TestSilentNodesByTheirGroupsThreshold(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, _, slow := in.app("shop") // 15 s
		quick := in.group(app.ID, "quick")
		quick.HeartbeatMS, quick.HeartbeatMisses = 1000, 2
		in.must(s.CreateGroup(t.Context(), quick, in.audit("group", quick.ID)))
		now := in.tick().Add(time.Hour)
		want := map[string]bool{}
		for name, c := range map[string]struct {
			group  models.NodeGroup
			silent time.Duration
			state  models.NodeState
			found  bool
		}{
			"slow, late":      {slow, 14 * time.Second, models.NodeOnline, false},
			"slow, at":        {slow, 15 * time.Second, models.NodeOnline, false},
			"slow, past":      {slow, 15*time.Second + 1000, models.NodeSuspect, true},
			"quick, late":     {quick, 2 * time.Second, models.NodeOnline, false},
			"quick, past":     {quick, 3 * time.Second, models.NodeDraining, true},
			"quick, long off": {quick, time.Hour, models.NodeOffline, false},
		} {
			n := in.node(c.group, name)
			n.State, n.LastSeenAt = c.state, now.Add(-c.silent)
			in.store1(&n)
			if c.found {
				want[name] = true
			}
		}
		rows, err := s.SilentNodes(t.Context(), []string{slow.ID, quick.ID}, now)
		in.must(err)
		got := map[string]bool{}
		for _, n := range rows {
			got[n.Name] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("silent nodes (-want +got):\n%s", diff)
		}
		if rows, err := s.SilentNodes(t.Context(), nil, now); err != nil || len(rows) != 0 {
			t.Errorf("without groups: %v, %v", rows, err)
		}
	})
}

func TestNodeStatesAndRemoval(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		app, _, g := in.app("shop")
		n := in.node(g, "n1")
		in.store1(&n)
		changed, err := s.SetNodeState(t.Context(), n.ID, "old", models.NodeOffline, "")
		in.must(err)
		if changed {
			t.Error("an older process changed the node's state")
		}
		_, err = s.RemoveNode(t.Context(), n.ID, in.audit("node", n.ID))
		wantFault(t, err, fault.Conflict)
		slots, err := s.GroupSlots(t.Context())
		in.must(err)
		online, err := s.CountOnlineNodes(t.Context(), []string{app.ID})
		in.must(err)
		if slots[g.ID] != 8 || online[app.ID] != 1 {
			t.Errorf("slots %v, online %v", slots, online)
		}
		known, nodes, err := s.GroupHandlers(t.Context(), g.ID)
		in.must(err)
		if diff := cmp.Diff(map[string]bool{"Pay": true, "Ship": true}, known); diff != "" || nodes != 1 {
			t.Errorf("%d nodes, handlers:\n%s", nodes, diff)
		}
		drained, err := s.SetDraining(t.Context(), n.ID, true, in.audit("node", n.ID))
		in.must(err)
		resumed, err := s.SetDraining(t.Context(), n.ID, false, in.audit("node", n.ID))
		in.must(err)
		if drained.State != models.NodeDraining || resumed.State != models.NodeOnline {
			t.Errorf("drained: %s, resumed: %s", drained.State, resumed.State)
		}
		changed, err = s.SetNodeState(t.Context(), n.ID, "one", models.NodeOffline, "")
		in.must(err)
		if !changed {
			t.Error("the present process did not change the node's state")
		}
		same, err := s.SetNodeState(t.Context(), n.ID, "one", models.NodeOffline, "")
		in.must(err)
		if !same {
			t.Error("writing the same state counted as somebody else's process")
		}
		_, err = s.RemoveNode(t.Context(), n.ID, in.audit("node", n.ID))
		in.must(err)
		rows, err := s.audits(t.Context(), "node", []string{n.ID})
		in.must(err)
		if len(rows) != 3 {
			t.Errorf("%d audit rows, want 3", len(rows))
		}
	})
}

func TestDropNodeStream(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		n := in.node(g, "n1")
		in.store1(&n)
		for _, c := range []struct {
			incarnation, server string
			want                bool
		}{{"old", n.ServerID, false}, {"one", "other", false}, {"one", n.ServerID, true}, {"one", n.ServerID, false}} {
			changed, err := s.DropNodeStream(t.Context(), n.ID, c.incarnation, c.server)
			in.must(err)
			if changed != c.want {
				t.Errorf("stream of %s on %s: changed %t", c.incarnation, c.server, changed)
			}
		}
		got, err := s.Node(t.Context(), n.ID)
		in.must(err)
		if got.State != models.NodeSuspect || got.ServerID != "" {
			t.Errorf("the node is %s at server %q", got.State, got.ServerID)
		}
	})
}

func TestNodesOnlineFirst(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		for name, state := range map[string]models.NodeState{"a": models.NodeOffline, "b": models.NodeOnline, "c": models.NodeSuspect, "d": models.NodeOnline} {
			n := in.node(g, name)
			n.State = state
			in.store1(&n)
		}
		rows, err := s.Nodes(t.Context(), "")
		in.must(err)
		names := ""
		for _, n := range rows {
			names += n.Name
		}
		if names != "bdac" {
			t.Errorf("order %q, want bdac", names)
		}
	})
}
