package simulation

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// process is one simulated worker process: the real SDK over the simulated network.
type process struct {
	w    *world
	name string
	life *life
	end  context.CancelFunc
	done sync.WaitGroup
}

// run is one execution as its handler saw it.
type run struct {
	task, job  string
	attempt    int
	from, till time.Time // till: zero while it runs, or when its process died
	whole      bool
}

func (w *world) startWorker(name string) *process {
	p := &process{w: w, name: name, life: newLife()}
	k, err := worker.New(worker.Config{
		Server: w.serverList, App: w.app.Name, Key: "key", Group: w.group.Name, Name: name, Slots: 4, DrainTimeout: time.Second,
		Logger: silent, OnlyTaskLog: true, HTTPClient: &http.Client{Transport: &transport{w: w, from: p.life}},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	worker.Handle(k, "Work", p.handle)
	ctx, cancel := context.WithCancel(context.Background())
	p.end = cancel
	p.done.Go(func() {
		if err := k.Run(ctx); err != nil && p.life.alive() && !errors.Is(err, worker.ErrNodeReplaced) {
			w.t.Errorf("worker %s: %v", name, err)
		}
	})
	return p
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	p.life.die()
	p.end()
}

// stop ends the process in order.
func (p *process) stop() {
	p.life.goOn()
	p.end()
	p.done.Wait()
}

type args struct {
	MS    int
	Fails int // so many attempts fail
	Deaf  bool
}

type answer struct{ Attempt int }

var errAsAsked = errors.New("as asked")

// handle works for a while and has its effect. A dead process has none, and one that
// stands still has it later.
func (p *process) handle(ctx context.Context, t *worker.Task, a args) error {
	if p.life.pass() != nil {
		return errDead
	}
	r := p.w.begins(t)
	over := ctx
	if a.Deaf {
		over = context.WithoutCancel(ctx)
	}
	worked := wait(over, time.Duration(a.MS)*time.Millisecond)
	if p.life.pass() != nil {
		return errDead
	}
	let := p.w.ends(r, worked, t.Fence)
	p.mayFreeze()
	switch {
	case !worked:
		return context.Cause(ctx)
	case !let:
		return errors.New("a later attempt had its effect already")
	case t.Attempt <= a.Fails:
		return errAsAsked
	}
	return t.SetResult(answer{t.Attempt})
}

// mayFreeze has the process stand still now and then just when it has something to
// report: its result comes after it was given up.
func (p *process) mayFreeze() {
	if !p.w.chance(p.w.rates.Load().freeze) {
		return
	}
	p.w.tell("worker %s stands still with a result", p.name)
	p.life.pause()
	pause := time.Duration(3+p.w.draw(7)) * time.Second
	p.w.traffic.Go(func() {
		time.Sleep(pause)
		p.life.goOn()
	})
}

func (w *world) begins(t *worker.Task) *run {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &run{task: t.ID, job: t.JobName, attempt: t.Attempt, from: time.Now()}
	w.runs[t.ID] = append(w.runs[t.ID], r)
	return r
}

// ends notes an end and says whether the effect was let through.
func (w *world) ends(r *run, whole bool, fence int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.till, r.whole = time.Now(), whole
	if !whole || w.tokens[r.task] > fence {
		return false
	}
	w.tokens[r.task] = fence
	return true
}
