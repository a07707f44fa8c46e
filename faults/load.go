package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
)

// load is what the installation has to do while a fault is tried: jobs that fire at
// fixed rates within a window, and tasks that a program enqueues.
type load struct {
	b        *bed
	from, to time.Time // whole seconds; the jobs fire at both
	jobs     []*loadJob
	single   map[string]*loadJob // jobs of enqueued tasks, by what they are for
	client   *client.Client
	done     sync.WaitGroup

	mu    sync.Mutex
	asked []*request
}

// loadJob is a job of the load.
type loadJob struct {
	id, name, group string
	every           time.Duration // between two slots on the whole second; 0: on request
	alone           bool          // at most one of its tasks may run
	only            time.Time     // its one slot; zero: the load's window
}

// request is one enqueue with its own id, which is repeated until it is answered.
type request struct {
	id, job string
	task    string // the answer; empty: none came
	other   string // another answer to a repeat, which must not be
}

// slots answers the instants at which the job must have fired: method A of the case
// book, by counting seconds and without any code of Belfry's.
func (l *load) slots(j *loadJob) []time.Time {
	var all []time.Time
	if j.every == 0 {
		return nil
	}
	if !j.only.IsZero() {
		return []time.Time{j.only.UTC()}
	}
	step := int64(j.every / time.Second)
	for s := l.from.Unix(); s <= l.to.Unix(); s++ {
		if s%step == 0 {
			all = append(all, time.Unix(s, 0).UTC())
		}
	}
	return all
}

// startLoad makes the jobs and begins to enqueue.
func (b *bed) startLoad(ctx context.Context) error {
	from := time.Now().Add(leadIn).Truncate(time.Second)
	l := &load{b: b, from: from, to: from.Add(b.f.span.Truncate(time.Second)), single: map[string]*loadJob{}}
	b.load = l
	for _, g := range b.groups {
		for i := range b.f.jobsPerGroup() {
			if err := l.fires(ctx, g, fmt.Sprintf("tick-%d-%s", i, g.Name), time.Second, false); err != nil {
				return err
			}
		}
		if err := l.fires(ctx, g, "alone-"+g.Name, 2*time.Second, true); err != nil {
			return err
		}
		for _, kind := range []string{"quick", "long", "deaf"} {
			if err := l.requested(ctx, g, kind); err != nil {
				return err
			}
		}
	}
	var urls []string
	for _, s := range b.servers {
		urls = append(urls, s.url())
	}
	var err error
	if l.client, err = client.New(client.Config{Server: strings.Join(urls, ","), App: appName, Key: b.key, RetryFor: time.Second}); err != nil {
		return err
	}
	if b.f.enqueues > 0 {
		l.done.Go(func() { l.enqueue(ctx) })
	}
	return nil
}

// leadIn is how long before their first slot the jobs are made.
const leadIn = 3 * time.Second

// works is how long the handler of each kind of task works.
var works = map[string]int{"tick": 20, "alone": 300, "quick": 20, "long": 1500, "deaf": 2500}

func (l *load) fires(ctx context.Context, g group, name string, every time.Duration, alone bool) error {
	expression := "* * * * * ?"
	if every == 2*time.Second {
		expression = "0/2 * * * * ?"
	}
	j := &loadJob{name: name, group: g.Name, every: every, alone: alone}
	l.jobs = append(l.jobs, j)
	return l.create(ctx, j, g, map[string]any{"cron": map[string]any{
		"expression": expression, "startAt": l.from.Format(time.RFC3339), "endAt": l.to.Format(time.RFC3339),
	}})
}

func (l *load) requested(ctx context.Context, g group, kind string) error {
	j := &loadJob{name: kind + "-" + g.Name, group: g.Name}
	l.single[j.name] = j
	return l.create(ctx, j, g, map[string]any{"manual": true})
}

func (l *load) create(ctx context.Context, j *loadJob, g group, trigger map[string]any) error {
	kind, _, _ := strings.Cut(j.name, "-")
	input := map[string]any{
		"group": g.ID, "name": j.name, "handler": handlerName, "trigger": trigger, "timeout": "60s",
		"parameters": parameters{MS: works[kind], Deaf: kind == "deaf"},
		"retry":      map[string]any{"maxAttempts": 50, "delay": "0s"},
	}
	if j.alone {
		input["maxRunning"] = 1
	}
	made, err := ask[struct {
		CreateJob struct {
			Job        *struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}](ctx, l.b, `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{message}}}`, map[string]any{"in": input})
	if err != nil {
		return fmt.Errorf("making job %s: %w", j.name, err)
	}
	if made.CreateJob.Job == nil {
		return fmt.Errorf("making job %s: %v", j.name, made.CreateJob.UserErrors)
	}
	j.id = made.CreateJob.Job.ID
	return nil
}

// enqueue enqueues quick tasks at the fault's rate until the window ends.
func (l *load) enqueue(ctx context.Context) {
	tick := time.NewTicker(time.Second / time.Duration(l.b.f.enqueues))
	defer tick.Stop()
	for i := 0; time.Now().Before(l.to); i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			g := l.b.groups[i%len(l.b.groups)]
			l.done.Go(func() { l.request(ctx, "quick-"+g.Name) })
		}
	}
}

// request enqueues one task and repeats that, under the same id, until an answer
// comes or the window has been over for a while. At most the rate times that long are
// under way.
func (l *load) request(ctx context.Context, job string) { l.requestOne(ctx, job) }

// requestOne is request that answers the task's id, or nothing.
func (l *load) requestOne(ctx context.Context, job string) string {
	r := &request{id: client.NewRequestID(), job: job}
	l.mu.Lock()
	l.asked = append(l.asked, r)
	l.mu.Unlock()
	for time.Now().Before(l.to.Add(stopAsking)) && ctx.Err() == nil {
		task, err := l.client.Enqueue(ctx, job, parameters{MS: works[strings.SplitN(job, "-", 2)[0]], Deaf: strings.HasPrefix(job, "deaf")}, client.RequestID(r.id))
		if err == nil {
			l.mu.Lock()
			r.task = task
			l.mu.Unlock()
			return task
		}
		var refused *client.Error
		if errors.As(err, &refused) && refused.Code == "INVALID" {
			l.b.fig.breaks("an enqueue was refused: %v", err)
			return ""
		}
	}
	return ""
}

// stopAsking is how long after the window a request is still repeated.
const stopAsking = 15 * time.Second

// repeat asks again for what was answered already: the answer must be the same.
func (l *load) repeat(ctx context.Context, n int) {
	l.mu.Lock()
	asked := append([]*request(nil), l.asked...)
	l.mu.Unlock()
	for i := range min(n, len(asked)) {
		r := asked[len(asked)-1-i]
		if r.task == "" {
			continue
		}
		task, err := l.client.Enqueue(ctx, r.job, parameters{}, client.RequestID(r.id))
		if err == nil && task != r.task {
			r.other = task
		}
	}
}
