package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// after waits for other jobs of the demo to succeed in the same run, by their names.
func after(names ...string) job.TriggerInput {
	d := &job.DependencyInput{}
	for _, name := range names {
		d.Upstream = append(d.Upstream, job.UpstreamInput{Job: name})
	}
	return job.TriggerInput{Dependency: d}
}

// salesJobs follow each other: a diamond.
func salesJobs() []job.Input {
	return []job.Input{
		{
			Name: "import-sales", Handler: "ImportSales", Trigger: every(time.Minute),
			Description: new("The first of four jobs that follow each other; its result goes to the next two."),
			Labels:      json.RawMessage(`{"team":"finance"}`),
		},
		{
			Name: "check-sales", Handler: "CheckSales", Trigger: after("import-sales"),
			Description: new("After import-sales; looks at each of its lines."),
			Labels:      json.RawMessage(`{"team":"finance"}`),
		},
		{
			Name: "sum-sales", Handler: "SumSales", Trigger: after("import-sales"),
			Description: new("After import-sales, at the same time as check-sales."),
			Labels:      json.RawMessage(`{"team":"finance"}`),
		},
		{
			Name: "report-sales", Handler: "ReportSales", Trigger: after("check-sales", "sum-sales"),
			Description: new("When check-sales and sum-sales have both succeeded: once for each import."),
			Labels:      json.RawMessage(`{"team":"finance"}`),
		},
	}
}

// registerSales adds the handlers of jobs that follow each other and hand their
// results on.
func registerSales(w *worker.Worker) {
	worker.Handle(w, "ImportSales", importSales)
	worker.Handle(w, "CheckSales", checkSales)
	worker.Handle(w, "SumSales", sumSales)
	worker.Handle(w, "ReportSales", reportSales)
}

type sales struct {
	Lines []int `json:"lines"` // amounts in cents
}

func importSales(ctx context.Context, t *worker.Task, _ none) error {
	if err := pause(ctx, 500*time.Millisecond); err != nil {
		return err
	}
	var s sales
	for range 5 + rand.IntN(20) {
		s.Lines = append(s.Lines, 100+rand.IntN(20_000))
	}
	t.Logger().InfoContext(ctx, "sales imported", "lines", len(s.Lines))
	return t.SetResult(s)
}

// imported answers what import-sales handed on; nothing for a run by hand.
func imported(t *worker.Task) (sales, error) {
	var s sales
	_, err := t.Upstream("import-sales", &s)
	return s, err
}

func checkSales(ctx context.Context, t *worker.Task, _ none) error {
	s, err := imported(t)
	if err != nil {
		return err
	}
	odd := 0
	for i, cents := range s.Lines {
		t.Progress(float64(i)/float64(len(s.Lines)), "")
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
		if cents > 15_000 {
			odd++
			t.Logger().WarnContext(ctx, "an unusual amount", "line", i+1, "cents", cents)
		}
	}
	return t.SetResult(map[string]int{"unusual": odd})
}

func sumSales(ctx context.Context, t *worker.Task, _ none) error {
	s, err := imported(t)
	if err != nil {
		return err
	}
	sum := 0
	for _, cents := range s.Lines {
		sum += cents
	}
	t.Logger().InfoContext(ctx, "sales summed up", "cents", sum)
	return t.SetResult(map[string]int{"cents": sum})
}

func reportSales(ctx context.Context, t *worker.Task, _ none) error {
	var checked struct {
		Unusual int `json:"unusual"`
	}
	var summed struct {
		Cents int `json:"cents"`
	}
	if _, err := t.Upstream("check-sales", &checked); err != nil {
		return err
	}
	if _, err := t.Upstream("sum-sales", &summed); err != nil {
		return err
	}
	text := fmt.Sprintf("%d.%02d in all, %d unusual amounts", summed.Cents/100, summed.Cents%100, checked.Unusual)
	t.Logger().InfoContext(ctx, "report written", "text", text)
	return t.SetResult(text)
}
