package dispatch

import (
	"regexp"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// The attempts of a task and of what follows it are one trace with a parent each, in
// W3C's form.
func TestTraceParent(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
	root := models.Task{ID: models.NewID(now), Attempt: 1}
	again := models.Task{ID: root.ID, Attempt: 2}
	after := models.Task{ID: models.NewID(now), RootID: &root.ID, Attempt: 1}
	form := regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-01$`)
	first, second, third := form.FindStringSubmatch(traceParent(&root)), form.FindStringSubmatch(traceParent(&again)), form.FindStringSubmatch(traceParent(&after))
	if first == nil || second == nil || third == nil {
		t.Fatalf("%q, %q, %q", traceParent(&root), traceParent(&again), traceParent(&after))
	}
	if first[1] != second[1] || first[2] != second[2] || first[1] != third[1] || first[2] == third[2] {
		t.Errorf("%v, %v, %v", first, second, third)
	}
	if got := traceParent(&models.Task{ID: "no ULID"}); got != "" {
		t.Errorf("of no ULID: %q", got)
	}
}
