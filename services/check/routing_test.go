package check

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

func TestRouting(t *testing.T) {
	t.Parallel()
	labels := json.RawMessage(`{"zone":"a"}`)
	for name, tt := range map[string]struct {
		in    Route
		rule  string // as it is kept; empty for none
		field string // of the refusal; empty: it is accepted
		says  string
	}{
		"nothing needed":        {Route{Strategy: models.RouteRandom}, "", "", ""},
		"the unique key":        {Route{Strategy: models.RouteHash}, "", "", ""},
		"an empty key":          {Route{Strategy: models.RouteHash, Key: new("")}, "", "", ""},
		"a pointer":             {Route{Strategy: models.RouteHash, Key: new("/order/~0id")}, `{"key":"/order/~0id"}`, "", ""},
		"no pointer":            {Route{Strategy: models.RouteHash, Key: new("order.id")}, "", "routing.key", `"order.id"`},
		"a bad escape":          {Route{Strategy: models.RouteHash, Key: new("/a~2")}, "", "routing.key", "JSON pointer"},
		"a long pointer":        {Route{Strategy: models.RouteHash, Key: new("/" + strings.Repeat("x", 200))}, "", "routing.key", "200"},
		"a pin":                 {Route{Strategy: models.RoutePinned, Node: new("n1")}, `{"node":"n1","fallback":1}`, "", ""},
		"a pin to any":          {Route{Strategy: models.RoutePinned, Node: new("n1"), Fallback: new(models.PinAny)}, `{"node":"n1","fallback":2,"afterMs":30000}`, "", ""},
		"a pin that fails":      {Route{Strategy: models.RoutePinned, Node: new("n1"), Fallback: new(models.PinFail), After: new(time.Duration(0))}, `{"node":"n1","fallback":3}`, "", ""},
		"a pin to nothing":      {Route{Strategy: models.RoutePinned}, "", "routing.node", "1 to 128"},
		"a wait with an end":    {Route{Strategy: models.RoutePinned, Node: new("n1"), After: new(time.Second)}, "", "routing.fallbackAfter", "WAIT"},
		"a negative wait":       {Route{Strategy: models.RoutePinned, Node: new("n1"), Fallback: new(models.PinAny), After: new(-time.Second)}, "", "routing.fallbackAfter", "-1s"},
		"a wait of days":        {Route{Strategy: models.RoutePinned, Node: new("n1"), Fallback: new(models.PinAny), After: new(25 * time.Hour)}, "", "routing.fallbackAfter", "25h"},
		"labels":                {Route{Strategy: models.RouteLabels, Labels: labels}, `{"labels":{"zone":"a"}}`, "", ""},
		"no labels":             {Route{Strategy: models.RouteLabels}, "", "routing.labels", "0 entries"},
		"empty labels":          {Route{Strategy: models.RouteLabels, Labels: json.RawMessage(`{}`)}, "", "routing.labels", "0 entries"},
		"labels of numbers":     {Route{Strategy: models.RouteLabels, Labels: json.RawMessage(`{"zone":1}`)}, "", "routing.labels", "object of strings"},
		"a key for nothing":     {Route{Strategy: models.RouteSticky, Key: new("/a")}, "", "routing.key", "CONSISTENT_HASH"},
		"a node for nothing":    {Route{Strategy: models.RouteHash, Node: new("n1")}, "", "routing.node", "PINNED"},
		"a fallback for none":   {Route{Strategy: models.RouteHash, Fallback: new(models.PinAny)}, "", "routing.fallback", "PINNED"},
		"labels for nothing":    {Route{Strategy: models.RouteRandom, Labels: labels}, "", "routing.labels", "LABELS"},
		"a wait for no pinning": {Route{Strategy: models.RouteRandom, After: new(time.Second)}, "", "routing.fallbackAfter", "PINNED"},
	} {
		rule, wrong := Routing("routing", tt.in)
		if tt.field == "" {
			if len(wrong) > 0 || string(rule) != tt.rule {
				t.Errorf("%s: %s, %v", name, rule, wrong)
			}
			continue
		}
		if len(wrong) != 1 || strings.Join(wrong[0].Field, ".") != tt.field || !strings.Contains(wrong[0].Error(), tt.says) {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}
