package worker

import (
	"errors"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestUpstream(t *testing.T) {
	t.Parallel()
	task := taskOf(&wire.Assignment{Upstream: []wire.Upstream{
		{Job: "import", Task: "t1", State: "SUCCEEDED", Result: []byte(`{"orders":17}`)},
		{Job: "report", Task: "t2", State: "SUCCEEDED", Omitted: true},
		{Job: "check", Task: "t3", State: "FAILED"},
		{Job: "odd", Task: "t4", State: "SUCCEEDED", Result: []byte(`"text"`)},
	}}, time.Time{})
	var got struct{ Orders int }
	for _, tt := range []struct {
		job   string
		found bool
		fails bool
	}{{"import", true, false}, {"report", true, true}, {"check", false, false}, {"odd", true, true}, {"nobody", false, false}} {
		found, err := task.Upstream(tt.job, &got)
		if found != tt.found || (err != nil) != tt.fails || (tt.job == "report") != errors.Is(err, ErrUpstreamOmitted) {
			t.Errorf("%s: %v, %v", tt.job, found, err)
		}
	}
	if got.Orders != 17 {
		t.Errorf("decoded %+v", got)
	}
	all := task.UpstreamResults()
	if len(all) != 4 || all[2].Job != "check" || all[2].TaskID != "t3" || all[2].State != "FAILED" || !all[1].Omitted {
		t.Errorf("all %+v", all)
	}
	all[0].Job = "changed"
	if task.UpstreamResults()[0].Job != "import" {
		t.Error("the task's own list can be changed from outside")
	}
}
