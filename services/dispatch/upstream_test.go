package dispatch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestResultsAreLeftOutWhenTheyAreTooLarge(t *testing.T) {
	t.Parallel()
	of := func(id string, bytes int) models.UpstreamResult {
		u := models.UpstreamResult{TaskID: id, JobName: "job " + id, State: models.TaskSucceeded, Bytes: bytes}
		if bytes > 0 && bytes <= wire.MaxUpstreamBytes {
			u.Result = []byte(`"` + strings.Repeat("x", bytes-2) + `"`)
		}
		return u
	}
	half := wire.MaxUpstreamBytes/2 + 1
	got := map[string]string{}
	for _, u := range fitted([]models.UpstreamResult{of("a", half), of("b", half), of("c", half-3), of("d", 0), of("e", wire.MaxUpstreamBytes+1)}) {
		switch {
		case u.Omitted && u.Result == nil:
			got[u.Task] = "omitted"
		case u.Result != nil:
			got[u.Task] = "there"
		default:
			got[u.Task] = "none"
		}
		if u.State != "SUCCEEDED" || u.Job != "job "+u.Task {
			t.Errorf("%+v", u)
		}
	}
	if diff := cmp.Diff(map[string]string{"a": "there", "b": "omitted", "c": "there", "d": "none", "e": "omitted"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOnlySomeTasksMayHaveUpstream(t *testing.T) {
	t.Parallel()
	root := "root"
	for _, tt := range []struct {
		task models.Task
		want bool
	}{
		{models.Task{Trigger: models.TriggerDependency}, true},
		{models.Task{Trigger: models.TriggerManual, RootID: &root}, true},
		{models.Task{Trigger: models.TriggerManual}, false},
		{models.Task{Trigger: models.TriggerCron}, false},
	} {
		if got := mayHaveUpstream(&tt.task); got != tt.want {
			t.Errorf("%+v: %v", tt.task, got)
		}
	}
}
