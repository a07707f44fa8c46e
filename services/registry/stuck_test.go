package registry

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	stuckOne = "01JDYV5W00Q2FGNDPT3P1YB480"
	stuckTwo = "01JDYV5W00Q2FGNDPT3P1YB481"
)

// Where stuck handlers are is written when that changes, and not with each heartbeat.
func TestPlacesOfStuckHandlersAreWrittenOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, checkStuckWrites) // its clock stands still
}

func checkStuckWrites(t *testing.T) {
	l, r := newRegistry()
	r.cfg.Mask = func(text string) string { return strings.ReplaceAll(text, "hunter2", "[masked]") }
	connected(t, r)
	one := wire.StuckAttempt{Task: stuckOne, Attempt: 2, Handler: "Import", ForMS: 8000, Cause: "time limit", Stack: "goroutine 7: hunter2"}
	send := func(forMS int64, list ...wire.StuckAttempt) {
		t.Helper()
		b := beat(first, 1)
		for i := range list {
			list[i].ForMS += forMS
		}
		b.Stuck, b.StuckAttempts = len(list), list
		if _, err := r.Heartbeat(t.Context(), app, b); err != nil {
			t.Fatal(err)
		}
	}
	send(0, one)
	since := r.cfg.Clock.Now().Add(-8 * time.Second).UTC()
	send(5000, one)
	send(10_000, one)
	want := []models.StuckAttempt{{TaskID: stuckOne, Attempt: 2, Handler: "Import", Since: since, Cause: "time limit", Stack: "goroutine 7: [masked]"}}
	if d := cmp.Diff(want, noted(t, l)); d != "" || l.stuckWrites != 1 {
		t.Errorf("%d writes; %s", l.stuckWrites, d)
	}
	two := wire.StuckAttempt{Task: stuckTwo, Attempt: 1, Handler: "Export"}
	send(15_000, one, two) // its stack comes later
	two.Stack = "goroutine 9"
	send(20_000, one, two)
	if got := noted(t, l); len(got) != 2 || got[0] != want[0] || got[1].Stack != "goroutine 9" || l.stuckWrites != 3 {
		t.Errorf("%d writes: %+v", l.stuckWrites, got)
	}
	send(0)
	send(0)
	if got := noted(t, l); len(got) != 0 || l.stuckWrites != 4 {
		t.Errorf("%d writes: %+v", l.stuckWrites, got)
	}
}

func TestPlacesOfStuckHandlersAreChecked(t *testing.T) {
	t.Parallel()
	_, r := newRegistry()
	connected(t, r)
	for name, list := range map[string][]wire.StuckAttempt{
		"too many":   make([]wire.StuckAttempt, wire.MaxStuckListed+1),
		"no task":    {{Attempt: 1}},
		"no attempt": {{Task: stuckOne}},
		"negative":   {{Task: stuckOne, Attempt: 1, ForMS: -1}},
		"long name":  {{Task: stuckOne, Attempt: 1, Handler: strings.Repeat("é", maxShown+1)}},
	} {
		b := beat(first, 1)
		b.StuckAttempts = list
		_, err := r.Heartbeat(t.Context(), app, b)
		if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Wire.Code != wire.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func noted(t *testing.T, l *ledger) (list []models.StuckAttempt) {
	t.Helper()
	text := l.nodes["worker-1"].StuckAttempts
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}
