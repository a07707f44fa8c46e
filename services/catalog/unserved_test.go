package catalog

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// Who can run something is read once in a while however many jobs fire; that nobody
// can is read each time, for all of them at once.
func TestUnserved(t *testing.T) {
	t.Parallel()
	source := &fakeSource{workers: map[string]models.GroupWorkers{"g": {Kinds: kinds("Report")}, "idle": {}}}
	now := &fakeClock{now: time.Unix(0, 0)}
	c := New(source, now)
	report, mail, other := &models.Job{ID: "report", GroupID: "g", Handler: "Report"}, &models.Job{ID: "mail", GroupID: "g", Handler: "Mail"},
		&models.Job{ID: "other", GroupID: "idle", Handler: "Report"}
	ask := func(reads int, want []string, jobs ...*models.Job) {
		t.Helper()
		before := source.reads
		got, err := c.Unserved(t.Context(), jobs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" || source.reads-before != reads {
			t.Errorf("%d reads, want %d; unserved (-want +got):\n%s", source.reads-before, reads, diff)
		}
	}
	ask(0, nil)
	ask(1, nil, report)
	ask(0, nil, report, report)
	ask(1, []string{"mail", "other"}, report, mail, other)
	source.workers["g"] = models.GroupWorkers{Kinds: kinds("Report", "Mail")} // its worker has come
	ask(1, []string{"other"}, mail, other)
	ask(0, nil, mail, report)
	delete(source.workers, "g") // the workers have left: noticed late
	ask(0, nil, report)
	now.now = now.now.Add(lifetimeOfWorkers)
	ask(1, []string{"report"}, report)
	source.err = errors.New("away")
	if _, err := c.Unserved(t.Context(), []*models.Job{report}); !errors.Is(err, source.err) {
		t.Errorf("a failed read answers %v", err)
	}
}

func kinds(handlers ...string) []models.WorkerKind {
	k := models.WorkerKind{Handlers: map[string]bool{}}
	for _, h := range handlers {
		k.Handlers[h] = true
	}
	return []models.WorkerKind{k}
}

// A job is served by what it is routed to, by its own rule or its group's.
func TestUnservedByRoute(t *testing.T) {
	t.Parallel()
	has := func(handlers ...string) models.WorkerKind { return kinds(handlers...)[0] }
	eu := has("Report")
	eu.Labels = map[string]string{"region": "eu", "disk": "ssd"}
	there := models.GroupWorkers{
		Routing: models.RouteLeastLoaded, Kinds: []models.WorkerKind{has("Report"), eu, has("Mail")},
		Named: map[string]models.WorkerKind{"web-1": has("Report"), "web-2": has("Mail")},
	}
	pinned := func(node string, fallback models.PinFallback) (*models.Routing, models.RoutingRule) {
		return new(models.RoutePinned), models.RoutingRule{Node: node, Fallback: fallback}
	}
	labels := func(pairs map[string]string) (*models.Routing, models.RoutingRule) {
		return new(models.RouteLabels), models.RoutingRule{Labels: pairs}
	}
	type route func() (*models.Routing, models.RoutingRule)
	for name, c := range map[string]struct {
		handler string
		own     route
		group   route
		served  bool
	}{
		"by the handler":                  {"Report", nil, nil, true},
		"a handler that nobody has":       {"Slow", nil, nil, false},
		"its node is there":               {"Report", func() (*models.Routing, models.RoutingRule) { return pinned("web-1", models.PinWait) }, nil, true},
		"its node is away":                {"Report", func() (*models.Routing, models.RoutingRule) { return pinned("web-3", models.PinWait) }, nil, false},
		"its node has not the handler":    {"Report", func() (*models.Routing, models.RoutingRule) { return pinned("web-2", models.PinWait) }, nil, false},
		"its node is away, any other":     {"Report", func() (*models.Routing, models.RoutingRule) { return pinned("web-3", models.PinAny) }, nil, true},
		"its node is away, it fails":      {"Report", func() (*models.Routing, models.RoutingRule) { return pinned("web-3", models.PinFail) }, nil, true},
		"labels that a node has":          {"Report", func() (*models.Routing, models.RoutingRule) { return labels(map[string]string{"region": "eu"}) }, nil, true},
		"labels that none has":            {"Report", func() (*models.Routing, models.RoutingRule) { return labels(map[string]string{"region": "us"}) }, nil, false},
		"labels of a node, other handler": {"Mail", func() (*models.Routing, models.RoutingRule) { return labels(map[string]string{"region": "eu"}) }, nil, false},
		"the group's node is away":        {"Report", nil, func() (*models.Routing, models.RoutingRule) { return pinned("web-3", models.PinWait) }, false},
		"the group's labels":              {"Report", nil, func() (*models.Routing, models.RoutingRule) { return labels(map[string]string{"disk": "ssd"}) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := &models.Job{ID: "j", AppID: "a", GroupID: "g", Handler: c.handler}
			w := there
			if c.own != nil {
				strategy, rule := c.own()
				j.Routing, j.RoutingRule = strategy, rule.Document()
			}
			if c.group != nil {
				strategy, rule := c.group()
				w.Routing, w.RoutingRule = *strategy, rule.Document()
			}
			source := &fakeSource{workers: map[string]models.GroupWorkers{"g": w}}
			got, err := New(source, &fakeClock{now: time.Unix(0, 0)}).Unserved(t.Context(), []*models.Job{j})
			if err != nil || got["j"] == c.served {
				t.Errorf("unserved %v, %v; want %v", got["j"], err, !c.served)
			}
			if r, _ := models.RouteOf(j, 0, nil); r.Node() != "" && !slices.Equal(source.named["a"], []string{r.Node()}) {
				t.Errorf("asked for %v", source.named)
			}
		})
	}
}
