package workflow

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

var noon = time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)

func TestWindowOf(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		instant, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return instant
	}
	tests := map[string]struct {
		window models.DependencyWindow
		zone   string
		at     string
		rule   models.DownstreamRule
		want   string
	}{
		"run":                            {models.WindowRun, "", "2026-03-08T12:00:00Z", models.DownstreamTriggers, "ROOT"},
		"hour":                           {models.WindowHour, "", "2026-03-08T12:59:59.999999Z", models.DownstreamTriggers, "2026-03-08T12Z"},
		"hour in a zone":                 {models.WindowHour, "Asia/Kolkata", "2026-03-08T12:45:00Z", models.DownstreamTriggers, "2026-03-08T18+05:30"},
		"the first of an hour twice":     {models.WindowHour, "America/New_York", "2026-11-01T05:30:00Z", models.DownstreamTriggers, "2026-11-01T01-04:00"},
		"the second of an hour twice":    {models.WindowHour, "America/New_York", "2026-11-01T06:30:00Z", models.DownstreamTriggers, "2026-11-01T01-05:00"},
		"day":                            {models.WindowDay, "UTC", "2026-03-08T23:59:59Z", models.DownstreamTriggers, "2026-03-08"},
		"day in a zone ahead":            {models.WindowDay, "Asia/Shanghai", "2026-03-08T16:00:00Z", models.DownstreamTriggers, "2026-03-09"},
		"a day of 23 hours":              {models.WindowDay, "America/New_York", "2026-03-09T03:30:00Z", models.DownstreamTriggers, "2026-03-08"},
		"ISO week, Sunday":               {models.WindowWeek, "", "2026-03-08T12:00:00Z", models.DownstreamTriggers, "2026-W10"},
		"ISO week, Monday":               {models.WindowWeek, "", "2026-03-09T00:00:00Z", models.DownstreamTriggers, "2026-W11"},
		"ISO week of another year":       {models.WindowWeek, "", "2027-01-01T12:00:00Z", models.DownstreamTriggers, "2026-W53"},
		"month":                          {models.WindowMonth, "Europe/Berlin", "2026-02-28T23:30:00Z", models.DownstreamTriggers, "2026-03"},
		"all downstream, whatever it is": {models.WindowDay, "", "2026-03-08T12:00:00Z", models.DownstreamAll, "ROOT"},
		"a zone that is no more":         {models.WindowDay, "Mars/Base", "2026-03-08T12:00:00Z", models.DownstreamTriggers, "2026-03-08"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := models.Job{DependencyWindow: tt.window, Zone: tt.zone}
			a := models.Arrival{RootID: "ROOT", ScheduledAt: at(tt.at), Downstream: tt.rule}
			if got := windowOf(&j, &a); got != tt.want {
				t.Errorf("window %s, want %s", got, tt.want)
			}
		})
	}
}

// window is a job that waits for the jobs a and b, with what has come.
type window struct{ store.Window }

func waits(on ...models.DependencyCondition) *window {
	w := &window{}
	w.Job = &models.Job{
		ID: "J", AppID: "A", GroupID: "G", Name: "j", Enabled: true, TriggerKind: models.TriggerDependency, Priority: models.PriorityHigh,
		DependencyMode: models.DependencyAll, DependencyWindow: models.WindowRun, MaxAttempts: 3, TimeoutMS: 1000, Parameters: []byte(`{"n":1}`),
	}
	w.Join = models.Join{JobID: "J", Window: "W"}
	for i, condition := range on {
		w.Upstream = append(w.Upstream, models.Dependency{JobID: "J", UpstreamID: string(rune('a' + i)), On: condition})
	}
	return w
}

func (w *window) any() *window    { w.Job.DependencyMode = models.DependencyAny; return w }
func (w *window) paused() *window { w.Job.Enabled = false; return w }
func (w *window) held() *window   { w.Held = true; return w }

func (w *window) closed(reason string) *window { w.Join.Reason = reason; return w }

func (w *window) within(upstream ...string) *window {
	w.Within = map[string]bool{}
	for _, u := range upstream {
		w.Within[u] = true
	}
	return w
}

// had is what has come before: the first letter of the task is its job.
func (w *window) had(task string, state models.TaskState) *window {
	w.Arrived = append(w.Arrived, models.JoinArrival{
		JobID: "J", Window: "W", UpstreamID: task[:1], TaskID: task, Attempt: 1, State: state, ScheduledAt: noon, EndedAt: noon,
	})
	return w
}

// gets is what comes now, each a minute later.
func (w *window) gets(task string, state models.TaskState, attempt int) *window {
	at := noon.Add(time.Duration(1+len(w.New)) * time.Minute)
	w.New = append(w.New, models.Arrival{
		JobID: "J", UpstreamID: task[:1], TaskID: task, Attempt: attempt, State: state, RootID: "root of " + task, ScheduledAt: at, EndedAt: at,
	})
	return w
}

const (
	ok        = models.TaskSucceeded
	failed    = models.TaskFailed
	cancelled = models.TaskCancelled
)

func TestDecide(t *testing.T) {
	t.Parallel()
	type want struct {
		inputs  []string
		arrived []string // tasks that are written
		skipped string
	}
	tests := map[string]struct {
		window *window
		want   want
	}{
		"the only one":                             {waits(models.OnSuccess).gets("a1", ok, 1), want{inputs: []string{"a1"}, arrived: []string{"a1"}}},
		"the first of two":                         {waits(models.OnSuccess, models.OnSuccess).gets("b1", ok, 1), want{arrived: []string{"b1"}}},
		"the second of two":                        {waits(models.OnSuccess, models.OnSuccess).had("b1", ok).gets("a1", ok, 1), want{inputs: []string{"a1", "b1"}, arrived: []string{"a1"}}},
		"both at once":                             {waits(models.OnSuccess, models.OnSuccess).gets("b1", ok, 1).gets("a1", ok, 1), want{inputs: []string{"a1", "b1"}, arrived: []string{"b1", "a1"}}},
		"a failure where a success is awaited":     {waits(models.OnSuccess).gets("a1", failed, 1), want{arrived: []string{"a1"}}},
		"a failed task that came to success":       {waits(models.OnSuccess).had("a1", failed).gets("a1", ok, 2), want{inputs: []string{"a1"}, arrived: []string{"a1"}}},
		"another task after a failed one":          {waits(models.OnSuccess).had("a1", failed).gets("a2", ok, 1), want{inputs: []string{"a2"}, arrived: []string{"a2"}}},
		"a failure after a success that counts":    {waits(models.OnSuccess, models.OnSuccess).had("a1", ok).gets("a2", failed, 1), want{}},
		"a second success changes nothing":         {waits(models.OnSuccess, models.OnSuccess).had("a1", ok).gets("a2", ok, 1), want{}},
		"a failed task that was cancelled":         {waits(models.OnSuccess).had("a1", failed).gets("a1", cancelled, 1), want{arrived: []string{"a1"}}},
		"the two of one task in the wrong order":   {waits(models.OnSuccess).had("a1", cancelled).gets("a1", failed, 1), want{}},
		"an older attempt after a newer one":       {waits(models.OnSuccess).had("a1", failed).gets("a1", failed, 0), want{}},
		"failure":                                  {waits(models.OnFailure).gets("a1", failed, 1), want{inputs: []string{"a1"}, arrived: []string{"a1"}}},
		"a success where a failure is awaited":     {waits(models.OnFailure).gets("a1", ok, 1), want{arrived: []string{"a1"}}},
		"a cancellation is no failure":             {waits(models.OnFailure).gets("a1", cancelled, 1), want{arrived: []string{"a1"}}},
		"completion by success":                    {waits(models.OnCompletion).gets("a1", ok, 1), want{inputs: []string{"a1"}, arrived: []string{"a1"}}},
		"completion by failure":                    {waits(models.OnCompletion).gets("a1", failed, 1), want{inputs: []string{"a1"}, arrived: []string{"a1"}}},
		"completion by cancellation":               {waits(models.OnCompletion).gets("a1", cancelled, 1), want{inputs: []string{"a1"}, arrived: []string{"a1"}}},
		"any, the first":                           {waits(models.OnSuccess, models.OnSuccess).any().gets("b1", ok, 1).gets("a1", ok, 1), want{inputs: []string{"b1"}, arrived: []string{"b1"}}},
		"any, the first does not count":            {waits(models.OnSuccess, models.OnSuccess).any().gets("b1", failed, 1).gets("a1", ok, 1), want{inputs: []string{"a1"}, arrived: []string{"b1", "a1"}}},
		"closed by a fire or a skip":               {waits(models.OnSuccess).closed(models.ReasonPaused).gets("a1", ok, 1), want{}},
		"not waited for any more":                  {waits(models.OnSuccess).gets("z1", ok, 1), want{}},
		"paused and complete":                      {waits(models.OnSuccess).paused().gets("a1", ok, 1), want{skipped: models.ReasonPaused, arrived: []string{"a1"}}},
		"nobody can run it and enough waits":       {waits(models.OnSuccess).held().gets("a1", ok, 1), want{skipped: models.ReasonNoWorker, arrived: []string{"a1"}}},
		"so, and not complete":                     {waits(models.OnSuccess, models.OnSuccess).held().gets("a1", ok, 1), want{arrived: []string{"a1"}}},
		"so, and paused":                           {waits(models.OnSuccess).held().paused().gets("a1", ok, 1), want{skipped: models.ReasonPaused, arrived: []string{"a1"}}},
		"paused and not complete":                  {waits(models.OnSuccess, models.OnSuccess).paused().gets("a1", ok, 1), want{arrived: []string{"a1"}}},
		"came while it was paused, complete later": {waits(models.OnSuccess, models.OnSuccess).had("a1", ok).gets("b1", ok, 1), want{inputs: []string{"a1", "b1"}, arrived: []string{"b1"}}},
		"of a run: only those of the run":          {waits(models.OnSuccess, models.OnSuccess).within("b").gets("b1", ok, 1), want{inputs: []string{"b1"}, arrived: []string{"b1"}}},
		"of a run: all those of the run":           {waits(models.OnSuccess, models.OnSuccess).within("a", "b").gets("b1", ok, 1), want{arrived: []string{"b1"}}},
		"of a run: conditions hold":                {waits(models.OnFailure, models.OnSuccess).within("a").gets("a1", ok, 1), want{arrived: []string{"a1"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := decide(&tt.window.Window, noon)
			got := want{inputs: said.Inputs, skipped: said.Skipped}
			for _, a := range said.Arrived {
				got.arrived = append(got.arrived, a.TaskID)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (said.Task != nil) != (len(tt.want.inputs) > 0) {
				t.Errorf("task %+v", said.Task)
			}
		})
	}
}

func TestTaskOfAWindow(t *testing.T) {
	t.Parallel()
	w := waits(models.OnSuccess, models.OnSuccess).had("b1", ok).gets("a1", ok, 1)
	w.New[0].Downstream = models.DownstreamAll
	w.New[0].ScheduledAt = noon.Add(-time.Hour)
	now := noon.Add(time.Hour)
	root := "root of a1"
	want := &models.Task{
		ID: models.JoinID("J", "W", noon), JobID: "J", AppID: "A", GroupID: "G", State: models.TaskWaiting, Trigger: models.TriggerDependency,
		Priority: models.PriorityHigh, ScheduledAt: noon, AvailableAt: now, CreatedAt: now, MaxAttempts: 3, TimeoutMS: 1000,
		Parameters: []byte(`{"n":1}`), RootID: &root, Downstream: models.DownstreamAll,
	}
	if diff := cmp.Diff(want, decide(&w.Window, now).Task); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInvalidJobsFireNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*models.Job){
		"an invalid trigger": func(j *models.Job) { j.InvalidReason = "the zone is no more" },
		"an unknown zone":    func(j *models.Job) { j.Zone = "Mars/Base" },
		"another trigger":    func(j *models.Job) { j.TriggerKind = models.TriggerManual },
	} {
		w := waits(models.OnSuccess).gets("a1", ok, 1)
		spoil(w.Job)
		if said := decide(&w.Window, noon); said.Task != nil || said.Skipped != models.ReasonInvalidTrigger || !said.At.Equal(noon.Add(time.Minute)) {
			t.Errorf("%s: %+v", name, said)
		}
	}
}
