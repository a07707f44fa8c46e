package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// stuckWatch keeps what it is told of stuck handlers.
type stuckWatch struct {
	worker.NopObserver
	told chan worker.StuckAttempt
}

func (s *stuckWatch) AttemptStuck(_ *worker.Task, stuck worker.StuckAttempt) { s.told <- stuck }

// deafHandler ignores its context, as does a goroutine that it has begun.
func deafHandler(release chan struct{}) func(context.Context, *worker.Task, struct{}) error {
	return func(_ context.Context, task *worker.Task, _ struct{}) error {
		if task.Attempt > 1 {
			return nil
		}
		done := make(chan struct{})
		go helperOfTheDeaf(release, done)
		<-done
		return errors.New("at last")
	}
}

func helperOfTheDeaf(release, done chan struct{}) {
	<-release
	close(done)
}

func TestStuckHandlersShowTheirStackOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options []workertest.Option
		stop    func(*bench, string)
		cause   error
		inLog   bool // of the task
		ending  string
	}{
		"time limit": {[]workertest.Option{workertest.TimeLimit(time.Minute)}, func(*bench, string) { time.Sleep(time.Minute) }, worker.ErrTimeLimit, true, wire.OutcomeTimedOut},
		"cancelled":  {nil, func(b *bench, id string) { b.Cancel(id, "by Ada") }, worker.ErrCancelled, true, wire.OutcomeCancelled},
		"lost":       {nil, func(b *bench, id string) { b.End(id, wire.CauseLost); b.TakeOver(id) }, worker.ErrLeaseLost, false, wire.OutcomeSucceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				watch := &stuckWatch{told: make(chan worker.StuckAttempt, 5)}
				beats := &beatWatch{}
				var log bytes.Buffer
				b := begin(t, func(c *worker.Config) {
					c.Observer, c.StuckAfter, c.Logger = watch, 8*time.Second, slog.New(slog.NewTextHandler(&log, nil))
					c.OnlyTaskLog = true
					beats.next = c.HTTPClient.Transport
					c.HTTPClient.Transport = beats
				}, func(w *worker.Worker) { worker.Handle(w, "Deaf", deafHandler(release)) })
				id := b.enqueue("Deaf", nil, c.options...)
				synctest.Wait()
				c.stop(b, id)
				time.Sleep(7 * time.Second)
				if s := b.worker.Stats(); s.Stuck != 0 || s.Running != 1 {
					t.Errorf("too early: %+v", s)
				}
				time.Sleep(8 * time.Second)
				told := <-watch.told
				if told.Handler != "Deaf" || !errors.Is(told.Cause, c.cause) || told.For < 8*time.Second || told.For > 13*time.Second ||
					!strings.Contains(told.Stack, "deafHandler") || !strings.Contains(told.Stack, "helperOfTheDeaf") {
					t.Errorf("told %+v", told)
				}
				if s := b.worker.Stats(); s.Stuck != 1 || s.Running != 1 || s.Handlers["Deaf"].Stuck != 1 {
					t.Errorf("stats %+v", s)
				}
				time.Sleep(time.Minute)
				if list := beats.latest().StuckAttempts; len(list) != 1 || list[0].Task != id || list[0].Handler != "Deaf" || list[0].ForMS < 60_000 ||
					list[0].Cause != c.cause.Error() && !strings.Contains(list[0].Cause, "Ada") || !strings.Contains(list[0].Stack, "deafHandler") {
					t.Errorf("the heartbeat lists %+v", list)
				}
				close(release)
				o := b.wait(id)
				b.end()
				if len(watch.told) != 0 || strings.Count(log.String(), "goes on although") != 1 || b.worker.Stats().Stuck != 0 {
					t.Errorf("told %d more times, stats %+v, log %s", len(watch.told), b.worker.Stats(), log.String())
				}
				stack := ""
				for _, line := range o.Logs {
					if line.Level == "ERROR" {
						stack, _ = line.Fields["stack"].(string)
					}
				}
				if strings.Contains(stack, "helperOfTheDeaf") != c.inLog || o.Ending != c.ending {
					t.Errorf("ending %s, log %+v", o.Ending, o.Logs)
				}
			})
		})
	}
}

// beatWatch keeps the latest heartbeat that a worker has sent.
type beatWatch struct {
	next http.RoundTripper
	mu   sync.Mutex
	beat wire.Heartbeat
}

func (w *beatWatch) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == wire.PathHeartbeat {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var beat wire.Heartbeat
		if err := json.Unmarshal(body, &beat); err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.beat = beat
		w.mu.Unlock()
	}
	return w.next.RoundTrip(r)
}

func (w *beatWatch) latest() wire.Heartbeat {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.beat
}

func TestAHandlerThatReturnsInTimeIsNotStuck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch := &stuckWatch{told: make(chan worker.StuckAttempt, 5)}
		b := begin(t, func(c *worker.Config) { c.Observer = watch }, func(w *worker.Worker) {
			worker.Handle(w, "Slow", func(ctx context.Context, _ *worker.Task, _ struct{}) error {
				<-ctx.Done()
				time.Sleep(4 * time.Second)
				return ctx.Err()
			}, worker.Limit(time.Hour))
			worker.Handle(w, "Long", func(context.Context, *worker.Task, struct{}) error { time.Sleep(5 * time.Hour); return nil })
		})
		long := b.enqueue("Long", nil)
		b.run("Slow", nil)
		b.wait(long)
		b.end()
		if len(watch.told) != 0 {
			t.Errorf("told %+v", <-watch.told)
		}
	})
}

// The server does not take the slot of a handler for free whose attempt it has given
// to somebody else.
func TestASlotStaysTakenThoughTheAttemptIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		watch := &diary{}
		b := begin(t, func(c *worker.Config) { c.Slots, c.Observer = 1, watch }, func(w *worker.Worker) {
			worker.Handle(w, "Deaf", deafHandler(release))
		})
		id := b.enqueue("Deaf", nil)
		synctest.Wait()
		b.Drain("w1", true) // so that it waits for the heartbeat that tells
		b.End(id, wire.CauseLost)
		b.TakeOver(id)
		time.Sleep(time.Minute)
		b.Drain("w1", false)
		time.Sleep(time.Minute)
		if o, _ := b.Outcome(id); o.State != "RETRYING" || len(watch.lines) != 1 {
			t.Errorf("%+v, %v", o, watch.lines)
		}
		close(release)
		if o := b.wait(id); o.State != "SUCCEEDED" {
			t.Errorf("%+v", o)
		}
		b.end()
	})
}

// A process that is to end ends, whatever its handlers do, and their attempts are
// neither used up nor left pending (CB-085).
func TestShutdownStopsSoftThenCancelsThenLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := begin(t, func(c *worker.Config) {
			c.DrainTimeout, c.CancelTimeout, c.StuckAfter = 30*time.Second, 20*time.Second, time.Hour
		}, func(w *worker.Worker) {
			worker.Handle(w, "Finishes", func(context.Context, *worker.Task, struct{}) error { time.Sleep(20 * time.Second); return nil })
			worker.Handle(w, "Obeys", func(ctx context.Context, _ *worker.Task, _ struct{}) error {
				<-ctx.Done()
				time.Sleep(10 * time.Second) // it tidies up
				return ctx.Err()
			})
			worker.Handle(w, "Deaf", deafHandler(release))
		})
		finishes, obeys, deaf := b.enqueue("Finishes", nil), b.enqueue("Obeys", nil), b.enqueue("Deaf", nil)
		synctest.Wait()
		began := time.Now()
		b.stop()
		err := <-b.done
		if took := time.Since(began); took < 50*time.Second || took > 52*time.Second {
			t.Errorf("drained in %s", took)
		}
		if err == nil || !strings.Contains(err.Error(), "Deaf (1)") || strings.Contains(err.Error(), "Obeys") {
			t.Errorf("Run: %v", err)
		}
		if o, _ := b.Outcome(finishes); o.State != "SUCCEEDED" {
			t.Errorf("%+v", o)
		}
		for _, id := range []string{obeys, deaf} {
			if o, _ := b.Outcome(id); o.Ending != wire.OutcomeReleased || o.State != "RETRYING" || !strings.Contains(o.Error, "shutting down") {
				t.Errorf("%+v", o)
			}
		}
		o, _ := b.Outcome(deaf)
		if len(o.Logs) != 1 || !strings.Contains(o.Logs[0].Fields["stack"].(string), "deafHandler") || !strings.Contains(o.Error, "left behind") {
			t.Errorf("%+v", o)
		}
		// One attempt is allowed, and another node has it.
		second := join(t, b.Server, "w2", nil, func(w *worker.Worker) {
			worker.Handle(w, "Obeys", nothing)
			worker.Handle(w, "Deaf", nothing)
		})
		for _, id := range []string{obeys, deaf} {
			if o := second.wait(id); o.State != "SUCCEEDED" {
				t.Errorf("%+v", o)
			}
		}
		close(release)
		synctest.Wait()
		if s := b.worker.Stats(); s.Running != 0 || s.Stuck != 0 || s.Unacked != 0 {
			t.Errorf("stats %+v", s)
		}
		second.end()
	})
}

// Each end of a handler's context has its own cause, which errors.Is finds.
func TestCausesAreDistinct(t *testing.T) {
	t.Parallel()
	causes := []error{worker.ErrCancelled, worker.ErrReplaced, worker.ErrTimeLimit, worker.ErrShutdown, worker.ErrLeaseLost}
	for i, a := range causes {
		for j, b := range causes {
			if errors.Is(a, b) != (i == j) {
				t.Errorf("%v is %v", a, b)
			}
		}
	}
}
