package task

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// A parent tells that it was spread and which parts failed; a part tells whose it is.
func TestTimelineOfAFamily(t *testing.T) {
	t.Parallel()
	said := func(t models.Task) (messages []string) {
		for _, e := range timeline(&t, nil, nil, nil) {
			messages = append(messages, fmt.Sprintf("%d %s: %s", e.At.Sub(base)/time.Second, e.Kind, e.Message))
		}
		return messages
	}
	parent := row(models.TaskFailed, func(t *models.Task) {
		t.Attempt, t.DispatchedAt, t.StartedAt, t.FinishedAt, t.Shards = 1, ref(1), ref(1), ref(9), new(3)
		t.Outcome, t.Reason, t.Error = models.OutcomeFailed, models.ReasonChildrenFailed, "1 of 3 nodes failed: b"
	})
	want := []string{
		"0 CREATED: Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
		"1 DISPATCHED: Attempt 1 was spread over the task's parts.",
		"9 FINISHED: Attempt 1 failed: 1 of 3 nodes failed: b. A retry runs only the parts that failed: it waits in the failed queue.",
	}
	if diff := cmp.Diff(want, said(parent)); diff != "" {
		t.Errorf("parent (-want +got):\n%s", diff)
	}
	part := row(models.TaskWaiting, func(t *models.Task) {
		t.ParentID, t.Shard, t.Shards, t.PinnedTo = new("P"), new(1), new(3), new("b")
	})
	want = []string{"0 CREATED: Made as a part of task P, scheduled for 2031-05-06 07:08:00 UTC."}
	if diff := cmp.Diff(want, said(part)); diff != "" {
		t.Errorf("part (-want +got):\n%s", diff)
	}
}
