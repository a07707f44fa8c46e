package cmd

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// patience bounds every wait; a test that reaches it has failed.
const patience = time.Minute

// plant is a whole server in this process on SQLite, with an app.
type plant struct {
	*server
	t        *testing.T
	database string // its URL
	url      string
	key      string
	group    string
	halt     func() // stops the server; may be called again
}

func newPlant(t *testing.T) *plant {
	t.Helper()
	p := stillPlant(t)
	p.serve()
	return p
}

// stillPlant is one that nothing happens in before it serves.
func stillPlant(t *testing.T) *plant {
	t.Helper()
	file := filepath.Join(t.TempDir(), "belfry.db")
	return plantOn(t, "sqlite://"+(&url.URL{Path: file}).EscapedPath())
}

// plantOn is one on a database that has nothing yet.
func plantOn(t *testing.T, database string) *plant {
	t.Helper()
	p := &plant{t: t, database: database}
	p.build("127.0.0.1:0")
	app, key, err := p.fleet.CreateApp(t.Context(), "test", "shop", "")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := p.fleet.Groups(t.Context(), app.ID)
	if err != nil {
		t.Fatal(err)
	}
	p.key, p.group = key, groups[0].ID
	return p
}

// build makes a server on the plant's database.
func (p *plant) build(listen string) {
	p.t.Helper()
	given := config.Serve{Listen: listen, DatabaseURL: secret.URL(p.database)}
	settings, err := given.Resolve()
	if err != nil {
		p.t.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	st, err := store.Open(p.t.Context(), store.Options{URL: settings.DatabaseURL.Reveal(), Logger: logger, Clock: clock.System{}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = st.Close() })
	if err := st.Migrate(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	if p.server, err = assemble(settings, st, logger, "test"); err != nil {
		p.t.Fatal(err)
	}
}

// stop ends the server and closes its database.
func (p *plant) stop() {
	p.t.Helper()
	p.halt()
	if err := p.store.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// start serves the database of a stopped server anew, at the same address.
func (p *plant) start() {
	p.t.Helper()
	p.build(strings.TrimPrefix(p.url, "http://"))
	p.serve()
}

// serve runs the server until the test ends and sees that it stops cleanly.
func (p *plant) serve() {
	p.t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(p.t.Context()))
	begun, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- p.run(ctx, func(url string) error { begun <- url; return nil }) }()
	select {
	case p.url = <-begun:
	case err := <-ended:
		p.t.Fatal(err)
	}
	p.halt = sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			p.t.Errorf("stopping the server: %v", err)
		}
	})
	p.t.Cleanup(p.halt)
}

// work runs a worker with the given handlers until the test ends or stop is called.
func (p *plant) work(name string, register func(*worker.Worker)) (stop func()) {
	p.t.Helper()
	w, err := worker.New(worker.Config{
		Server: p.url, App: "shop", Key: p.key, Group: "default", Name: name, Slots: 8,
		Logger: slog.New(slog.DiscardHandler), DrainTimeout: 200 * time.Millisecond,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	register(w)
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			p.t.Errorf("worker %s: %v", name, err)
		}
	}
	p.t.Cleanup(stop)
	return stop
}

// job makes a job that is run by hand; edit may change it first.
func (p *plant) job(handler string, edit func(*job.Input)) models.Job {
	p.t.Helper()
	in := job.Input{GroupID: p.group, Name: strings.ToLower(handler), Handler: handler, Trigger: job.TriggerInput{Manual: new(true)}}
	if edit != nil {
		edit(&in)
	}
	j, err := p.jobs.Create(p.t.Context(), "test", in)
	if err != nil {
		p.t.Fatal(err)
	}
	return j
}

func (p *plant) trigger(j models.Job) string {
	p.t.Helper()
	made, err := p.tasks.Run(p.t.Context(), "test", task.NewTask{Job: j.ID})
	if err != nil {
		p.t.Fatal(err)
	}
	return made.ID
}

// await waits until a task satisfies ok.
func (p *plant) await(id, what string, ok func(models.Task) bool) models.Task {
	p.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		changed, done := p.relay.AwaitTask(id)
		got, err := p.tasks.Task(p.t.Context(), id)
		if err != nil {
			p.t.Fatal(err)
		}
		if ok(got) {
			done()
			return got
		}
		select {
		case <-changed:
		case <-time.After(100 * time.Millisecond):
		case <-deadline.C:
			p.t.Fatalf("task %s never came to: %s; it is %s, reason %q, error %q", id, what, got.State, got.Reason, got.Error)
		}
		done()
	}
}

func (p *plant) awaitState(id string, state models.TaskState) models.Task {
	p.t.Helper()
	return p.await(id, state.String(), func(t models.Task) bool { return t.State == state })
}

func (p *plant) attempts(t models.Task) []task.Attempt {
	p.t.Helper()
	all, err := p.tasks.Attempts(p.t.Context(), []models.Task{t})
	if err != nil {
		p.t.Fatal(err)
	}
	return all[t.ID]
}

type none struct{}

func TestTaskSucceedsWithResultProgressAndLog(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Greet", func(ctx context.Context, task *worker.Task, args struct{ Name string }) error {
			task.Logger().InfoContext(ctx, "greeting", "name", args.Name)
			task.Progress(0.5, "half way")
			return task.SetResult("hello " + args.Name)
		})
	})
	id := p.trigger(p.job("Greet", func(in *job.Input) { in.Parameters = []byte(`{"Name":"王芳 😀"}`) }))
	done := p.awaitState(id, models.TaskSucceeded)
	if got := string(done.Result); got != `"hello 王芳 😀"` {
		t.Errorf("result %s", got)
	}
	log, err := p.tasks.Logs(t.Context(), id, 0, 10)
	if err != nil || len(log.Lines) != 1 || log.Lines[0].Message != "greeting" {
		t.Errorf("log %+v, %v", log, err)
	}
}

func TestFailuresAreTriedAgainUnderTheSameTask(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Flaky", func(_ context.Context, task *worker.Task, _ none) error {
			switch task.Attempt {
			case 1:
				return errors.New("refused")
			case 2:
				panic("boom")
			}
			return nil
		})
	})
	id := p.trigger(p.job("Flaky", func(in *job.Input) {
		in.Retry = &job.RetryInput{MaxAttempts: 3, Delay: 10 * time.Millisecond}
	}))
	all := p.attempts(p.awaitState(id, models.TaskSucceeded))
	if len(all) != 3 || !strings.Contains(all[0].Error, "refused") || !strings.Contains(all[1].Error, "engine_test.go") {
		t.Errorf("attempts %+v: want a refusal, a panic with its stack, a success", all)
	}
}

func TestExhaustedTaskWaitsInTheFailedQueueAndIsRetriedByHand(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Picky", func(_ context.Context, _ *worker.Task, args struct{ OK bool }) error {
			if !args.OK {
				return errors.New("not like this")
			}
			return nil
		})
	})
	id := p.trigger(p.job("Picky", nil))
	failed := p.awaitState(id, models.TaskFailed)
	if failed.Reason != models.ReasonRetriesExhausted {
		t.Errorf("reason %s", failed.Reason)
	}
	if _, err := p.tasks.Retry(t.Context(), "test", id, []byte(`{"OK":true}`)); err != nil {
		t.Fatal(err)
	}
	if done := p.awaitState(id, models.TaskSucceeded); done.Attempt != 2 {
		t.Errorf("attempt %d, want 2 of the same task", done.Attempt)
	}
}

func TestTimeLimitEndsTheHandler(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Slow", func(ctx context.Context, _ *worker.Task, _ none) error {
			<-ctx.Done()
			return ctx.Err()
		})
	})
	id := p.trigger(p.job("Slow", func(in *job.Input) { in.Timeout = new(time.Second) }))
	failed := p.awaitState(id, models.TaskFailed)
	if all := p.attempts(failed); len(all) != 1 || all[0].State != "TIMED_OUT" {
		t.Errorf("attempts %+v", all)
	}
}

func TestCancelReachesTheHandler(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	cause := make(chan error, 1)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Hang", func(ctx context.Context, _ *worker.Task, _ none) error {
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return ctx.Err()
		})
	})
	id := p.trigger(p.job("Hang", func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 5} }))
	p.await(id, "a running handler", func(t models.Task) bool { return t.State == models.TaskRunning && t.StartedAt != nil })
	if _, err := p.tasks.Cancel(t.Context(), "test", "", id, "changed my mind"); err != nil {
		t.Fatal(err)
	}
	if done := p.awaitState(id, models.TaskCancelled); done.Attempt != 1 {
		t.Errorf("a cancelled task was tried %d times", done.Attempt)
	}
	if err := <-cause; !errors.Is(err, worker.ErrCancelled) {
		t.Errorf("the handler saw %v, want ErrCancelled", err)
	}
}

// A worker that has to stop before its handler ends uses up no try, even the only one (CB-085).
func TestDrainedWorkerHandsItsWorkBackWithoutUsingATry(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	hold := func(w *worker.Worker) {
		worker.Handle(w, "Hold", func(ctx context.Context, task *worker.Task, _ none) error {
			if task.Attempt == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
	}
	stop := p.work("w1", hold)
	id := p.trigger(p.job("Hold", nil)) // one try only
	p.await(id, "a running handler", func(t models.Task) bool { return t.State == models.TaskRunning && t.StartedAt != nil })
	stop()
	p.work("w2", hold)
	done := p.awaitState(id, models.TaskSucceeded)
	if done.Attempt != 2 || done.Tries() != 1 {
		t.Errorf("attempt %d, tries %d; want the second attempt as the first try", done.Attempt, done.Tries())
	}
}

func TestTaskWaitsForAWorkerThatHasItsHandler(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Other", func(context.Context, *worker.Task, none) error { return nil })
	})
	j := p.job("Rare", nil)
	warnings, err := p.jobs.Warnings(t.Context(), []models.Job{j})
	if err != nil || len(warnings[j.ID]) == 0 {
		t.Errorf("no warning about the unknown handler: %v, %v", warnings, err)
	}
	id := p.trigger(j)
	other := p.trigger(p.job("Other", nil))
	p.awaitState(other, models.TaskSucceeded)
	if got, err := p.tasks.Task(t.Context(), id); err != nil || got.State != models.TaskWaiting {
		t.Errorf("state %s, %v; want WAITING", got.State, err)
	}
	p.work("w2", func(w *worker.Worker) {
		worker.Handle(w, "Rare", func(context.Context, *worker.Task, none) error { return nil })
	})
	p.awaitState(id, models.TaskSucceeded)
}

func TestClientEnqueuesByKeyWaitsAndCancels(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Close", func(_ context.Context, task *worker.Task, args struct{ Order int }) error {
			return task.SetResult(args.Order * 2)
		})
	})
	p.job("Close", nil)
	c, err := client.New(client.Config{Server: p.url, App: "shop", Key: p.key})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	id, err := c.Enqueue(t.Context(), "close", map[string]int{"Order": 21})
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var doubled int
	if err := result.Decode(&doubled); err != nil || doubled != 42 {
		t.Errorf("result %d, %v", doubled, err)
	}
	later, err := c.Enqueue(t.Context(), "close", nil, client.In(time.Hour), client.UniqueKey("order-17"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Enqueue(t.Context(), "close", nil, client.UniqueKey("order-17"))
	if err != nil || again != later {
		t.Errorf("the key's second enqueue made %s, %v; want %s", again, err, later)
	}
	if err := c.CancelKey(t.Context(), "close", "order-17"); err != nil {
		t.Fatal(err)
	}
	p.awaitState(later, models.TaskCancelled)
}

func TestFixedDelayFiresAfterTheEndAlsoOfAFailure(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Poll", func(context.Context, *worker.Task, none) error { return errors.New("closed") })
	})
	j := p.job("Poll", func(in *job.Input) {
		in.Trigger = job.TriggerInput{FixedDelay: &job.FixedDelayInput{Delay: time.Second}}
	})
	var ends []models.Task
	deadline := time.Now().Add(patience)
	for len(ends) < 3 {
		if time.Now().After(deadline) {
			t.Fatalf("%d runs", len(ends))
		}
		page, _, err := p.tasks.Page(t.Context(), task.Filter{JobID: j.ID, States: []models.TaskState{models.TaskFailed}}, task.Page{First: 10})
		if err != nil {
			t.Fatal(err)
		}
		ends = page
		<-time.After(50 * time.Millisecond)
	}
	for i := range len(ends) - 1 { // newest first
		if wait := ends[i].ScheduledAt.Sub(*ends[i+1].FinishedAt); wait != time.Second {
			t.Errorf("a run was due %s after the end before it, want 1s", wait)
		}
	}
}
