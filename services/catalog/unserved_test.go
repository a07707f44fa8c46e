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
	source := &fakeSource{handlers: map[string]map[string]bool{"g": {"Report": true}, "idle": {}}}
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
	source.handlers["g"]["Mail"] = true // its worker has come
	ask(1, []string{"other"}, mail, other)
	ask(0, nil, mail, report)
	delete(source.handlers, "g") // the workers have left: noticed late
	ask(0, nil, report)
	now.now = now.now.Add(lifetimeOfHandlers)
	ask(1, []string{"report"}, report)
	source.err = errors.New("away")
	if _, err := c.Unserved(t.Context(), []*models.Job{report}); !errors.Is(err, source.err) {
		t.Errorf("a failed read answers %v", err)
	}
}
