package registry

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestAProcessHearsOfThePreviousOne(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	answer, err := r.Register(t.Context(), app, hello(first))
	if err != nil || answer.Previous != nil {
		t.Fatalf("the first of its name: %+v, %v", answer.Previous, err)
	}
	if answer, err = r.Register(t.Context(), app, hello(first)); err != nil || answer.Previous != nil {
		t.Errorf("again: %+v, %v", answer.Previous, err)
	}
	for _, left := range []bool{false, true} {
		n := l.nodes["worker-1"]
		n.Incarnation = first
		if n.LeftAt = nil; left {
			n.LeftAt = new(n.LastSeenAt.Add(time.Second))
		}
		l.nodes["worker-1"] = n
		answer, err = r.Register(t.Context(), app, hello(second))
		want := &wire.Previous{Incarnation: first, LastSeenAt: n.LastSeenAt.UTC(), Left: left}
		if diff := cmp.Diff(want, answer.Previous); diff != "" || err != nil {
			t.Errorf("left %v: %v (-want +got):\n%s", left, err, diff)
		}
	}
}

func TestRegisterChecksHandlerSlots(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pools []wire.HandlerSlots
		code  string
		kept  string
	}{
		"none":     {nil, "", ""},
		"good":     {[]wire.HandlerSlots{{Handlers: []string{"A", "B"}, Slots: 2}}, "", `[{"handlers":["A","B"],"slots":2}]`},
		"no slots": {[]wire.HandlerSlots{{Handlers: []string{"A"}, Slots: 1}, {Handlers: []string{"B"}}}, "INVALID handlerSlots.1.slots", ""},
		"too many": {[]wire.HandlerSlots{{Handlers: []string{"A"}, Slots: 10_001}}, "INVALID handlerSlots.0.slots", ""},
		"twice":    {[]wire.HandlerSlots{{Handlers: []string{"A"}, Slots: 1}, {Handlers: []string{"A"}, Slots: 1}}, "INVALID handlerSlots.1.handlers", ""},
	} {
		l, r := newRegistry()
		req := hello(first)
		req.HandlerSlots = c.pools
		_, err := r.Register(t.Context(), app, req)
		if (err != nil) != (c.code != "") || err != nil && codeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if got := string(l.nodes["worker-1"].HandlerSlots); got != c.kept {
			t.Errorf("%s: kept %s", name, got)
		}
	}
}

func TestStuckHandlersAreNotedAndTold(t *testing.T) {
	t.Parallel()
	l, r := newRegistry()
	connected(t, r)
	told := len(l.told)
	b := beat(first, 1)
	b.Stuck, b.Lingering, b.Held = 3, 2, []wire.AttemptRef{{Task: "t", Attempt: 1}}
	for range 3 { // told once: nothing changes after that
		if _, err := r.Heartbeat(t.Context(), app, b); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.told) != told+1 {
		t.Errorf("told %v", l.told[told:])
	}
	if len(l.beats) == 0 {
		t.Fatal("nothing is written")
	}
	if got := l.beats[0]; got.Stuck != 3 || got.Lingering != 2 || got.Running != 3 {
		t.Errorf("wrote %+v", got)
	}
}

// After the crash of a server the row of a process that was killed with it still says that
// it lives. Its successor has the name at once with proof of its end, and only with that
// of the very process; who has none waits, since the process may be on its way here.
func TestAProvenEndGivesTheNameAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gone []string
		want string
	}{
		"no proof":                 {nil, wire.CodeNameInUse + " node"},
		"proof of another's end":   {[]string{"incarnation-0"}, wire.CodeNameInUse + " node"},
		"proof among others":       {[]string{"incarnation-0", first}, ""},
		"more than is to be read":  {make([]string, wire.MaxGone+1), wire.CodeInvalid + " gone"},
		"the process itself, gone": {[]string{second}, wire.CodeNameInUse + " node"},
	} {
		l, r := newRegistry()
		connected(t, r)
		n := l.nodes["worker-1"]
		n.ServerID = "server-that-crashed"
		l.nodes["worker-1"] = n
		req := hello(second)
		req.Gone = c.gone
		answer, err := r.Register(t.Context(), app, req)
		if codeOf(err) != c.want || (err != nil) != (c.want != "") {
			t.Errorf("%s: %v", name, err)
		}
		if took := slices.Equal(l.replaced, []string{first}); took != (c.want == "") {
			t.Errorf("%s: replaced %v", name, l.replaced)
		}
		if c.want != "" {
			continue
		}
		if answer.Previous == nil || answer.Previous.Incarnation != first {
			t.Errorf("%s: previous %+v", name, answer.Previous)
		}
		// Were the proof a lie, the other would not go on beside the new one.
		if _, err := r.Heartbeat(t.Context(), app, beat(first, 0)); codeOf(err) != wire.CodeReplaced+" incarnation" {
			t.Errorf("%s: the old process is answered %v", name, err)
		}
	}
}
