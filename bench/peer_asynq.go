package main

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/hibiken/asynq"

	"github.com/belfry-scheduler/belfry/internal/testserver"
)

const asynqConcurrency = 200

// asynqPeer is Asynq on Redis (append-only file, flushed each second), its workers in
// this process. It keeps no record of what has been done.
type asynqPeer struct {
	settings string
	redis    *testserver.RedisServer
	client   *asynq.Client
	server   *asynq.Server
	started  bool
	seen     starts
}

func newAsynq(tuned bool) (*asynqPeer, error) {
	p := &asynqPeer{settings: "default"}
	var err error
	if p.redis, err = testserver.StartRedis(testserver.RedisOptions{Append: true}); err != nil {
		return nil, err
	}
	options := asynq.RedisClientOpt{Addr: p.redis.Addr(), PoolSize: 64}
	cfg := asynq.Config{Concurrency: asynqConcurrency, LogLevel: asynq.ErrorLevel}
	if tuned {
		p.settings, cfg.TaskCheckInterval = "tuned", 5*time.Millisecond
	}
	p.client, p.server = asynq.NewClient(options), asynq.NewServer(options, cfg)
	return p, nil
}

func (p *asynqPeer) label() string { return "Asynq on Redis, " + p.settings }

func (p *asynqPeer) enqueue(ctx context.Context, sent int64) error {
	payload, err := json.Marshal(peerTask{Sent: sent})
	if err != nil {
		return err
	}
	_, err = p.client.EnqueueContext(ctx, asynq.NewTask("noop", payload))
	return err
}

// enqueueMany has no batches to use: it is 50 callers at once.
func (p *asynqPeer) enqueueMany(ctx context.Context, n int) error {
	return callers(ctx, 50, n, p.enqueueOne)
}

func (p *asynqPeer) enqueueOne(ctx context.Context) error { return p.enqueue(ctx, 0) }

func (p *asynqPeer) begin(context.Context) error {
	p.started = true
	return p.server.Start(asynq.HandlerFunc(func(_ context.Context, task *asynq.Task) error {
		var args peerTask
		if err := json.Unmarshal(task.Payload(), &args); err != nil {
			return err
		}
		p.seen.saw(args.Sent)
		return nil
	}))
}

func (p *asynqPeer) handled(ctx context.Context, n int) error {
	return until(ctx, func() (bool, error) { return p.seen.count.Load() >= int64(n), nil })
}

func (p *asynqPeer) latencies(ctx context.Context, n int, tick <-chan time.Time) ([]int64, error) {
	for range n {
		<-tick
		if err := p.enqueue(ctx, time.Now().UnixMicro()); err != nil {
			return nil, err
		}
	}
	return p.seen.take(ctx, n)
}

func (p *asynqPeer) cpu() float64 { return cpuSeconds(os.Getpid()) + cpuSeconds(p.redis.PID()) }

func (p *asynqPeer) close() {
	if p.started {
		p.server.Shutdown()
	}
	_ = p.client.Close() // the process ends
	_ = p.redis.Stop()
}
