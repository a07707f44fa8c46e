package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
)

// reroute puts a meddler before each server and workers behind them in the place of
// those that know the servers' own addresses.
func (b *bed) reroute() ([]*meddler, error) {
	all, err := b.meddlers()
	if err != nil {
		return nil, err
	}
	for len(b.workers) > 0 {
		_ = b.workers[0].signal(syscall.SIGTERM) // it leaves in order
		<-b.workers[0].done
		b.workers = b.workers[1:]
	}
	for i := range b.f.workerCount() {
		if err := b.startWorker(fmt.Sprintf("m%d", i+1)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// loseAnswers is F19: workers' reports arrive and their answers do not, ten in a row;
// one frame in seven is lost on its way to a worker.
func loseAnswers(ctx context.Context, b *bed) error {
	all, err := b.reroute()
	if err != nil {
		return err
	}
	for _, s := range b.servers {
		if err := s.fail("stream.lost=fail@0.15"); err != nil {
			return err
		}
	}
	for b.more(5 * time.Second) {
		for _, m := range all {
			m.deafen.Store(10)
		}
		b.load.request(ctx, "long-"+b.groups[b.rng.IntN(len(b.groups))].Name)
		b.rest(ctx, 1500*time.Millisecond)
		b.look(ctx)
	}
	var dropped int64
	for _, m := range all {
		m.deafen.Store(0)
		dropped += m.dropped.Load()
	}
	b.fig.scale = fmt.Sprintf("%d answers to results and 15 %% of the frames lost", dropped)
	return nil
}

// dieInBatches is F20: a server dies when it has sent some of the frames of a batch.
func dieInBatches(ctx context.Context, b *bed) error {
	deaths := 0
	for ; b.more(perKill); deaths++ {
		s, err := b.leader(ctx)
		if err != nil {
			return err
		}
		if err := s.fail("dispatch.frame=kill@0.3"); err != nil {
			return err
		}
		var burst sync.WaitGroup // at most sixty
		for i := range 60 {
			burst.Go(func() { b.load.request(ctx, "quick-"+b.groups[i%len(b.groups)].Name) })
		}
		if !waitUntil(ctx, 5*time.Second, func() bool { return !s.proc.alive() }) {
			s.kill()
		}
		b.struck()
		burst.Wait()
		if err := b.awaitTakeover(ctx); err != nil {
			return err
		}
		if err := s.restart(ctx); err != nil {
			return err
		}
		b.look(ctx)
		b.rest(ctx, 2*time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d deaths within a batch of 60, 3 nodes a group", deaths)
	return nil
}

// bursts is F24: many jobs on one second and many tasks for one instant.
func bursts(ctx context.Context, b *bed) error {
	const jobs, tasks = 200, 2000
	at := time.Now().Add(14 * time.Second).Truncate(time.Second)
	for i := range jobs {
		g := b.groups[i%len(b.groups)]
		j := &loadJob{name: fmt.Sprintf("tick-burst-%d", i), group: g.Name, every: time.Second, only: at}
		b.load.jobs = append(b.load.jobs, j)
		if err := b.load.create(ctx, j, g, map[string]any{"cron": map[string]any{
			"expression": "* * * * * ?", "startAt": at.Format(time.RFC3339), "endAt": at.Format(time.RFC3339),
		}}); err != nil {
			return err
		}
	}
	if time.Until(at) < 2*time.Second {
		b.fig.say("the jobs were made %s before their instant", short(time.Until(at)))
	}
	list := make([]client.NewTask, tasks)
	asked := make([]*request, tasks)
	for i := range list {
		asked[i] = &request{id: client.NewRequestID(), job: "quick-" + b.groups[i%len(b.groups)].Name}
		list[i] = client.Task(asked[i].job, parameters{MS: works["quick"]}, client.RequestID(asked[i].id), client.At(at.Add(3*time.Second)))
	}
	made, err := b.load.client.EnqueueMany(ctx, list...)
	if err != nil {
		return err
	}
	b.load.mu.Lock()
	for i := range made {
		asked[i].task = made[i].ID
	}
	b.load.asked = append(b.load.asked, asked...)
	b.load.mu.Unlock()
	b.rest(ctx, time.Until(at.Add(8*time.Second)))
	b.look(ctx)
	b.fig.scale = fmt.Sprintf("%d jobs on one second of 10,000, %d tasks for one instant of 100,000", jobs, tasks)
	return nil
}

// slowPoints make the moments last in which a cancellation can cross something.
const slowPoints = "dispatch.planned=sleep:40ms@0.5;dispatch.marked=sleep:60ms@0.5;dispatch.pushed=sleep:30ms@0.3;" +
	"result.received=sleep:60ms@0.5;result.ended=sleep:40ms@0.3;task.cancelled=sleep:60ms@0.5;tx.before-commit=sleep:10ms@0.2;rescue.judged=sleep:50ms"

// cancelRaces is F32: tasks are cancelled at any moment of their way.
func cancelRaces(ctx context.Context, b *bed) error {
	for _, s := range b.servers {
		if err := s.fail(slowPoints); err != nil {
			return err
		}
	}
	var done, late atomic.Int64
	var races sync.WaitGroup // at most 50 a second, for some seconds each
	for i := 0; b.more(6 * time.Second); i++ {
		kind := []string{"quick", "long"}[i%2]
		pause := time.Duration(b.rng.IntN(300)) * time.Millisecond
		g := b.groups[b.rng.IntN(len(b.groups))]
		races.Go(func() {
			id := b.load.requestOne(ctx, kind+"-"+g.Name)
			if id == "" || !sleepUntil(ctx, time.Now().Add(pause)) {
				return
			}
			err := b.load.client.Cancel(ctx, id)
			var refused *client.Error
			switch {
			case err == nil:
				done.Add(1)
			case errors.As(err, &refused) && refused.Code == client.CodeConflict:
				late.Add(1)
			}
		})
		b.rest(ctx, 20*time.Millisecond)
	}
	races.Wait()
	b.look(ctx)
	b.fig.scale = fmt.Sprintf("%d cancelled, %d too late, of 1000", done.Load(), late.Load())
	return nil
}

// checkCancelled sees that nothing of a cancelled task began after it was cancelled
// for good.
func (c *checker) checkCancelled(t *task) {
	for _, e := range c.runs[t.id] {
		if e.from.After(t.finished.Time.Add(early)) {
			c.fig.breaks("V6: task %s was cancelled at %s and %s began at %s", t.id, t.finished.Time.Format(time.StampMicro), strings.TrimSpace(e.String()), e.from.Format(time.StampMicro))
		}
	}
}
