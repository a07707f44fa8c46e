package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/job"
)

const serverFields = `{id name version state startedAt lastSeenAt partitions groups lag clockOffset locks degraded self}`

// The list shows the servers that live, stop and were lost, each with what it leads
// and what is wrong with it.
func TestServers(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	long := clock.System{}.Now().Add(-20 * time.Second)
	b.Server(t, "server-1", group.Partition, func(s *models.Server) { s.Degraded = json.RawMessage(`["Its clock is off."]`) })
	other := (group.Partition + 1) % models.Partitions
	b.Server(t, "server-2", other, func(s *models.Server) { s.Stopping, s.Locks = true, models.LockDatabase })
	b.Server(t, "server-3", (group.Partition+2)%models.Partitions, func(s *models.Server) { s.LastSeenAt, s.Locks = long, 0 })
	b.Flow(t, group, models.GroupFlow{At: clock.System{}.Now(), Due: 4, LateMS: 1500})

	got := b.Value(t, "servers", `{servers`+serverFields+`}`, nil).([]any)
	if len(got) != 3 {
		t.Fatalf("%d servers: %v", len(got), got)
	}
	for i, want := range []map[string]any{
		{"id": "server-1", "state": "LIVE", "partitions": []any{float64(group.Partition)}, "groups": 1.0, "lag": "1.5s", "locks": "REDIS", "degraded": []any{"Its clock is off."}, "self": true, "clockOffset": "12ms", "name": "server-1:7000", "version": "1.2.3"},
		{"id": "server-2", "state": "STOPPING", "partitions": []any{float64(other)}, "groups": 0.0, "lag": nil, "locks": "DATABASE", "degraded": []any{}, "self": false},
		{"id": "server-3", "state": "LOST", "lag": nil, "locks": nil, "self": false},
	} {
		for field, value := range want {
			if diff := cmp.Diff(value, got[i].(map[string]any)[field]); diff != "" {
				t.Errorf("server %d, %s (-want +got):\n%s", i+1, field, diff)
			}
		}
	}
	if says := got[2].(map[string]any)["degraded"].([]any); len(says) != 1 || !strings.Contains(says[0].(string), "not been heard of for 2") {
		t.Errorf("the lost server: %v", says)
	}
}

// Lag is that of fires that have not become tasks, too; what is held up is not late.
func TestLagOfServers(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	b.Server(t, "server-1", group.Partition)
	lag := func() any { return b.Value(t, "servers.0.lag", `{servers{lag}}`, nil) }
	b.Flow(t, group, models.GroupFlow{At: clock.System{}.Now(), Due: 4, LimitedBy: models.LimitSlots})
	if got := lag(); got != nil {
		t.Errorf("what waits for a slot is late by %v", got)
	}
	b.Job(t, group.ID, "often", func(in *job.Input) {
		in.Trigger = job.TriggerInput{FixedRate: &job.FixedRateInput{Every: time.Second}}
	})
	for { // nobody fires here: the first fire comes to be overdue
		if got, ok := lag().(string); ok {
			if late, err := time.ParseDuration(got); err != nil || late < 0 || late > time.Minute {
				t.Errorf("the overdue fire is late by %q", got)
			}
			return
		}
	}
}

// The list of servers is a handful of reads, however many there are.
func TestServersAreFewReads(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	reads := func() int64 {
		return b.Statements(func() { b.Ask(t, `{servers`+serverFields+`}`, nil, nil) })
	}
	b.Server(t, "server-0", 0)
	reads() // the token's own read is remembered from now on
	one := reads()
	for i := range 20 {
		b.Server(t, "server-"+string(rune('a'+i)), i)
	}
	if twenty := reads(); twenty != one || one > 8 {
		t.Errorf("%d statements for one server, %d for 21", one, twenty)
	}
}

// A subscriber gets every server, then those that change; one that has gone is marked.
func TestServerChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	b.Server(t, "server-1", 1)
	b.Server(t, "server-2", 2)
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription{serverChanged`+serverFields+`}`, nil)
	s.Await("serverChanged.id", "server-1")
	s.Await("serverChanged.id", "server-2")
	b.Server(t, "server-2", 3, func(s *models.Server) { s.Stopping = true })
	if a := s.Await("serverChanged.state", "STOPPING"); a.Extensions["resync"] == true {
		t.Error("a change was marked as a loss")
	}
	b.StopServer(t, "server-2")
	for {
		a, ok := s.Next()
		if !ok {
			t.Fatalf("the subscription ended: %+v", a.Errors)
		}
		if a.Extensions["resync"] == true {
			return
		}
	}
}
