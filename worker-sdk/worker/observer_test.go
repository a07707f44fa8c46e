package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// diary notes what an observer is told, but for the reports.
type diary struct {
	worker.NopObserver
	mu      sync.Mutex
	lines   []string
	reports []worker.ReportSent
}

func (d *diary) add(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *diary) AttemptStarted(task *worker.Task, s worker.AttemptStart) {
	d.add("%s starts as %s after %s", task.Handler, s.Handler, s.Waited)
}

func (d *diary) AttemptEnded(_ *worker.Task, e worker.AttemptEnd) {
	d.add("%s %s after %s: %v, %v", e.Handler, e.Outcome, e.Took, e.Err, e.Cause)
	if e.Handler == "Panics" {
		panic("an observer is no handler")
	}
}

func (d *diary) AssignmentRefused(handler, reason string) { d.add("%s refused: %s", handler, reason) }

func (d *diary) ReportSent(r worker.ReportSent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reports = append(d.reports, r)
}

func TestObserverAndStatsSeeEachOutcomeOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := &diary{}
		var log bytes.Buffer
		b := begin(t, func(c *worker.Config) {
			c.Observer, c.Logger = seen, slog.New(slog.NewTextHandler(&log, nil))
		}, func(w *worker.Worker) {
			worker.Handle(w, "Good", func(context.Context, *worker.Task, struct{}) error { time.Sleep(time.Second); return nil }, worker.Aliases("Old"))
			worker.Handle(w, "Bad", func(context.Context, *worker.Task, struct{}) error { return errors.New("no stock") })
			worker.Handle(w, "Panics", func(context.Context, *worker.Task, struct{}) error { panic("ouch") })
			worker.Handle(w, "Waits", func(ctx context.Context, task *worker.Task, _ struct{}) error {
				if task.Attempt > 1 {
					return nil
				}
				<-ctx.Done()
				return ctx.Err()
			}, worker.Limit(time.Hour))
			worker.Handle(w, "Sleeps", func(_ context.Context, task *worker.Task, _ struct{}) error {
				if task.Attempt == 1 {
					return worker.Snooze(time.Minute)
				}
				return nil
			})
		})
		b.run("Good", nil)
		b.run("Old", nil)
		b.run("Old", nil)
		b.run("Bad", nil)
		b.run("Panics", nil)
		b.run("Sleeps", nil)
		b.run("Waits", nil)
		id := b.enqueue("Waits", nil)
		synctest.Wait()
		b.Cancel(id, "by Ada")
		b.wait(id)
		id = b.enqueue("Waits", nil)
		time.Sleep(time.Second)
		b.End(id, wire.CauseLost)
		b.TakeOver(id)
		b.wait(id)
		b.Push("w1", wire.Assignment{Task: "x", Attempt: 1, Handler: "Unknown"})
		synctest.Wait()
		b.end()

		want := []string{
			"Good starts as Good after 0s", "Good succeeded after 1s: <nil>, <nil>",
			"Old starts as Good after 0s", "Good succeeded after 1s: <nil>, <nil>",
			"Old starts as Good after 0s", "Good succeeded after 1s: <nil>, <nil>",
			"Bad starts as Bad after 0s", "Bad failed after 0s: no stock, <nil>",
			"Panics starts as Panics after 0s", "Panics failed after 0s: panic: ouch, <nil>",
			"Sleeps starts as Sleeps after 0s", "Sleeps snoozed after 0s: snoozed for 1m0s, <nil>",
			"Sleeps starts as Sleeps after 0s", "Sleeps succeeded after 0s: <nil>, <nil>",
			"Waits starts as Waits after 0s", "Waits timed_out after 1h0m0s: context deadline exceeded, the time limit has passed: the handler's own, 1h0m0s",
			"Waits starts as Waits after 0s", "Waits cancelled after 0s: context canceled, the task was cancelled: by Ada",
			"Waits starts as Waits after 0s", "Waits lost after 1s: context canceled, the attempt is no longer this worker's",
			"Waits starts as Waits after 0s", "Waits succeeded after 0s: <nil>, <nil>",
			"Unknown refused: no_handler",
		}
		slices.Sort(want) // the lost attempt and the one in its place run side by side
		slices.Sort(seen.lines)
		if !slices.Equal(seen.lines, want) {
			t.Errorf("told:\n%s\nwant:\n%s", strings.Join(seen.lines, "\n"), strings.Join(want, "\n"))
		}
		if len(seen.reports) < 10 || seen.reports[0].Items == 0 || seen.reports[0].Bytes == 0 || seen.reports[0].Err != nil {
			t.Errorf("reports %+v", seen.reports)
		}
		if text := log.String(); strings.Count(text, "a job still gives an old name") != 1 || strings.Count(text, "the observer panicked") != 1 {
			t.Errorf("log %s", text)
		}
		s := b.worker.Stats()
		for name, want := range map[string]worker.HandlerStats{
			"Good":   {Started: 3, Succeeded: 3, Aliased: 2},
			"Bad":    {Started: 1, Failed: 1},
			"Panics": {Started: 1, Failed: 1},
			"Sleeps": {Started: 2, Snoozed: 1, Succeeded: 1},
			"Waits":  {Started: 4, TimedOut: 1, Cancelled: 1, Lost: 1, Succeeded: 1},
		} {
			if s.Handlers[name] != want {
				t.Errorf("%s: %+v", name, s.Handlers[name])
			}
		}
		if text, err := json.Marshal(s); err != nil || !strings.Contains(string(text), `"Waits":{"running":0,"stuck":0,"started":4`) {
			t.Errorf("%s, %v", text, err)
		}
	})
}

func TestObserverHearsOfReportsThatFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := &diary{}
		b := begin(t, func(c *worker.Config) { c.Observer = seen }, func(w *worker.Worker) { worker.Handle(w, "H", nothing) })
		b.Inject(func(call workertest.Call) workertest.Fault {
			return workertest.Fault{Refuse: call.Path == wire.PathReport && call.Nth == 1}
		})
		b.run("H", nil)
		b.end()
		if len(seen.reports) != 2 || seen.reports[0].Err == nil || seen.reports[1].Err != nil {
			t.Errorf("reports %+v", seen.reports)
		}
	})
}
