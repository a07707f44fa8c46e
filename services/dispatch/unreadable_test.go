package dispatch

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// A task whose parameters somebody broke in the ledger ends alone: it is never put
// into a frame, which could not be encoded with it, and the others go on.
func TestUnreadableTasksEndAlone(t *testing.T) {
	t.Parallel()
	good := models.Task{ID: "good", Attempt: 1, Parameters: json.RawMessage(`{"a":1}`)}
	broken := models.Task{ID: "broken", Attempt: 2, Parameters: json.RawMessage(`not json`)}
	torn := models.Task{ID: "torn", Attempt: 3, Checkpoint: json.RawMessage(`{"at":`)}
	w, d, _, n := meeting(t, good, broken, torn)

	left := d.readable(t.Context(), store.Fence{3: 1}, []models.Task{broken, good, torn})
	if len(left) != 1 || left[0].ID != "good" {
		t.Errorf("left %+v", left)
	}
	if len(w.ended) != 2 {
		t.Fatalf("ended %+v", w.ended)
	}
	for i, want := range []wire.AttemptRef{ref("broken", 2), ref("torn", 3)} {
		e := w.ended[i]
		if got := ref(e.TaskID, e.Attempt); got != want || e.Outcome != models.OutcomeFailed || !e.NoRetry || e.Error == "" {
			t.Errorf("ended %+v", e)
		}
	}

	holds(t, d, n) // nor does the reconciliation push it again
	if diff := cmp.Diff([]wire.AttemptRef{ref("good", 1)}, w.assigned); diff != "" {
		t.Errorf("pushed again (-want +got):\n%s", diff)
	}
}
