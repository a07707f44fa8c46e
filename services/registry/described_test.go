package registry

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// bound is what the published description says of the size of something.
type bound struct {
	MinLength, MaxLength, MaxItems, MaxProperties, Minimum, Maximum *int

	Items, PropertyNames, AdditionalProperties *bound
	Properties                                 map[string]*bound
}

// of answers a bound that has to be described.
func of(t *testing.T, what string, b *int) int {
	t.Helper()
	if b == nil {
		t.Fatalf("%s is not described", what)
	}
	return *b
}

// Each bound of a registration is where the description says: what is at it is taken,
// what is beyond it is refused.
func TestDescribedBoundsAreThoseOfTheRegistry(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/worker-protocol.openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if text, err = yaml.YAMLToJSON(text); err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Components struct{ Schemas map[string]*bound }
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	frame, beats := spec.Components.Schemas["Register"].Properties, spec.Components.Schemas["Heartbeat"].Properties
	pools := spec.Components.Schemas["HandlerSlots"].Properties
	name := func(n int) string { return strings.Repeat("名", n) }
	labels := func(n int) map[string]string {
		all := map[string]string{}
		for i := range n {
			all[strconv.Itoa(i)] = "x"
		}
		return all
	}
	most := map[string]struct {
		at  *int
		set func(r *wire.Register, n int)
	}{
		"slots":            {frame["slots"].Maximum, func(r *wire.Register, n int) { r.Slots = n }},
		"node":             {frame["node"].MaxLength, func(r *wire.Register, n int) { r.Node = name(n) }},
		"incarnation":      {frame["incarnation"].MaxLength, func(r *wire.Register, n int) { r.Incarnation = strings.Repeat("i", n) }},
		"handlers":         {frame["handlers"].MaxItems, func(r *wire.Register, n int) { r.Handlers = slices.Repeat([]string{"H"}, n) }},
		"a handler's name": {frame["handlers"].Items.MaxLength, func(r *wire.Register, n int) { r.Handlers = []string{name(n)} }},
		"labels":           {frame["labels"].MaxProperties, func(r *wire.Register, n int) { r.Labels = labels(n) }},
		"a label's name":   {frame["labels"].PropertyNames.MaxLength, func(r *wire.Register, n int) { r.Labels = map[string]string{name(n): ""} }},
		"a label's value":  {frame["labels"].AdditionalProperties.MaxLength, func(r *wire.Register, n int) { r.Labels = map[string]string{"l": name(n)} }},
		"gone":             {frame["gone"].MaxItems, func(r *wire.Register, n int) { r.Gone = make([]string, n) }},
		"slots of a handler": {pools["slots"].Maximum, func(r *wire.Register, n int) {
			r.HandlerSlots = []wire.HandlerSlots{{Handlers: []string{"H"}, Slots: n}}
		}},
	}
	least := map[string]struct {
		at  *int
		set func(r *wire.Register, n int)
	}{
		"slots":              {frame["slots"].Minimum, most["slots"].set},
		"node":               {frame["node"].MinLength, most["node"].set},
		"incarnation":        {frame["incarnation"].MinLength, most["incarnation"].set},
		"a handler's name":   {frame["handlers"].Items.MinLength, most["a handler's name"].set},
		"slots of a handler": {pools["slots"].Minimum, most["slots of a handler"].set},
	}
	try := func(set func(*wire.Register, int), n int) error {
		req := hello(first)
		set(&req, n)
		return checkRegister(app, req)
	}
	for what, b := range most {
		n := of(t, "the most of "+what, b.at)
		if good, bad := try(b.set, n), try(b.set, n+1); good != nil || bad == nil {
			t.Errorf("%s: %d is answered %v, %d is answered %v", what, n, good, n+1, bad)
		}
	}
	for what, b := range least {
		n := of(t, "the least of "+what, b.at)
		if good, bad := try(b.set, n), try(b.set, n-1); good != nil || bad == nil {
			t.Errorf("%s: %d is answered %v, %d is answered %v", what, n, good, n-1, bad)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(map[string]bool{"slots": true, "stuck": true, "lingering": true})) {
		for _, n := range []int{of(t, field, beats[field].Minimum) - 1, of(t, field, beats[field].Maximum) + 1} {
			b := wire.Heartbeat{Slots: 1}
			*map[string]*int{"slots": &b.Slots, "stuck": &b.Stuck, "lingering": &b.Lingering}[field] = n
			if err := checkCounts(&b); err == nil {
				t.Errorf("a heartbeat with %s %d is taken", field, n)
			}
		}
	}
}
