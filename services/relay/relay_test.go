package relay

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// wireBus keeps what was sent to other servers, as the bus would carry it.
type wireBus struct {
	event.Bus
	sent []event.Message
}

func (b *wireBus) PublishTo(_ context.Context, _ string, m ...event.Message) {
	b.sent = append(b.sent, m...)
}

// side is one server: its streams, and the ledger that both share.
type side struct {
	Dispatcher
	here  bool // the node's stream is on this server
	rows  map[string]wire.Assignment
	reads int
	got   []wire.Frame
}

func (s *side) Deliver(_, _ string, f wire.Frame) bool {
	if s.here {
		s.got = append(s.got, f)
	}
	return s.here
}
func (s *side) NodeEdited(models.Node) {}

func (s *side) Assignments(_ context.Context, _ string, ids []string) ([]wire.Assignment, error) {
	s.reads++
	var work []wire.Assignment
	for _, id := range ids {
		work = append(work, s.rows[id])
	}
	return work, nil
}

// Assignments reach a node whose stream is on another server, however large they
// are: the bus carries small ones, and of a large one its task's id.
func TestAssignmentsReachOtherServers(t *testing.T) {
	t.Parallel()
	large := json.RawMessage(`"` + strings.Repeat("x", 200<<10) + `"`)
	work := []wire.Assignment{{Task: "a", Attempt: 1}, {Task: "b", Attempt: 1, Parameters: large}, {Task: "c", Attempt: 2}}
	rows := map[string]wire.Assignment{}
	for _, a := range work {
		rows[a.Task] = a
	}
	bus, owner, holder := &wireBus{}, &side{rows: rows}, &side{rows: rows, here: true}
	from := New("owner", bus, nil, slog.New(slog.DiscardHandler))
	from.Connect(Parts{Dispatcher: owner, Registry: owner})
	to := New("holder", bus, nil, slog.New(slog.DiscardHandler))
	to.Connect(Parts{Dispatcher: holder, Registry: holder})

	from.Assign(t.Context(), models.Node{ID: "n", Incarnation: "i", ServerID: "holder"}, work)
	for _, m := range bus.sent {
		if len(m.Payload) > event.MaxPayload {
			t.Errorf("the bus would drop %d bytes", len(m.Payload))
		}
		to.receive(t.Context(), m)
	}
	var got []wire.Assignment
	for _, f := range holder.got {
		got = append(got, f.Assign...)
	}
	if diff := cmp.Diff(work, got); diff != "" {
		t.Errorf("assignments (-want +got):\n%s", diff)
	}
	if holder.reads != 1 || owner.reads != 0 {
		t.Errorf("the ledger was read %d times by the holder, %d by the owner", holder.reads, owner.reads)
	}
}

// A stream on this very server takes large ones as they are.
func TestLargeAssignmentsHere(t *testing.T) {
	t.Parallel()
	bus, here := &wireBus{}, &side{here: true}
	r := New("one", bus, nil, slog.New(slog.DiscardHandler))
	r.Connect(Parts{Dispatcher: here, Registry: here})
	large := json.RawMessage(`"` + strings.Repeat("x", 200<<10) + `"`)
	r.Assign(t.Context(), models.Node{ID: "n", ServerID: "one"}, []wire.Assignment{{Task: "a", Parameters: large}})
	if len(bus.sent) != 0 || len(here.got) != 1 || len(here.got[0].Assign[0].Parameters) != len(large) || here.reads != 0 {
		t.Errorf("sent %d, delivered %d, read %d", len(bus.sent), len(here.got), here.reads)
	}
}
