package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
)

// belfryPeer is Belfry itself: a server process, a worker process of its own, and the
// whole ledger written.
type belfryPeer struct {
	o      options
	kind   ledgerKind
	in     *installation
	client *client.Client
	job    string
	worker *exec.Cmd
	done   int // tasks waited for so far
}

func newBelfry(ctx context.Context, o options, kind ledgerKind) (_ *belfryPeer, err error) {
	p := &belfryPeer{o: o, kind: kind}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.in, err = install(ctx, o, kind); err != nil {
		return nil, err
	}
	if p.job, err = p.in.createJob(ctx); err != nil {
		return nil, err
	}
	p.client, err = client.New(client.Config{Server: p.in.url, App: "bench", Key: p.in.key})
	return p, err
}

func (p *belfryPeer) label() string {
	return fmt.Sprintf("Belfry on %s, default, %d slots", p.kind, p.o.slots)
}

func (p *belfryPeer) enqueueMany(ctx context.Context, n int) error { return enqueue(ctx, p.client, n) }

func (p *belfryPeer) enqueueOne(ctx context.Context) error {
	_, err := p.client.Enqueue(ctx, "noop", struct{}{})
	return err
}

func (p *belfryPeer) begin(ctx context.Context) (err error) {
	p.worker, err = p.in.startWorker(ctx, p.o)
	return err
}

func (p *belfryPeer) handled(ctx context.Context, n int) error {
	p.done = n
	return p.in.awaitEnds(ctx, p.job, n)
}

func (p *belfryPeer) latencies(ctx context.Context, n int, tick <-chan time.Time) ([]int64, error) {
	sent := make(map[string]time.Time, n)
	for range n {
		<-tick
		at := time.Now()
		id, err := p.client.Enqueue(ctx, "noop", struct{}{})
		if err != nil {
			return nil, err
		}
		sent[id] = at
	}
	if err := p.handled(ctx, p.done+n); err != nil {
		return nil, err
	}
	us := make([]int64, 0, n)
	for id, at := range sent {
		var started time.Time
		if err := p.in.ledger.QueryRowContext(ctx, "SELECT started_at FROM tasks WHERE id = ?", id).Scan(&started); err != nil {
			return nil, err
		}
		us = append(us, started.Sub(at).Microseconds())
	}
	return us, nil
}

func (p *belfryPeer) cpu() float64 {
	sum := cpuSeconds(p.in.server.Process.Pid)
	if p.in.db != nil {
		sum += cpuSeconds(p.in.db.PID())
	}
	if p.in.redis != nil {
		sum += cpuSeconds(p.in.redis.PID())
	}
	if p.worker != nil {
		sum += cpuSeconds(p.worker.Process.Pid)
	}
	return sum
}

func (p *belfryPeer) close() {
	if p.client != nil {
		p.client.Close()
	}
	if p.worker != nil {
		stopProcess(p.worker)
	}
	if p.in != nil {
		p.in.close()
	}
}

// measurePeers measures Belfry and its peers on the same work, one after the other.
func measurePeers(ctx context.Context, o options) error {
	makers := []func() (contender, error){
		func() (contender, error) { return newBelfry(ctx, o, onMariaDB) },
		func() (contender, error) { return newBelfry(ctx, o, onSQLite) },
		func() (contender, error) { return newRiver(ctx, false) },
		func() (contender, error) { return newRiver(ctx, true) },
		func() (contender, error) { return newAsynq(false) },
		func() (contender, error) { return newAsynq(true) },
	}
	scores := make([]score, 0, len(makers))
	for _, create := range makers {
		c, err := create()
		if err != nil {
			return err
		}
		s, err := run(ctx, c, o.tasks)
		if err != nil {
			return fmt.Errorf("%s: %w", c.label(), err)
		}
		fmt.Fprintf(os.Stderr, "measured: %s (load %s)\n", s.label, loadAverage())
		scores = append(scores, s)
	}
	printScores(scores)
	return nil
}

// printScores prints a table in Markdown: figures, and for the first contender against
// each other one the ratios.
func printScores(scores []score) {
	fmt.Println("| system | enqueue by 1,000 | enqueue by one, 16 callers | backlog end to end | CPU s per 10,000 | start after enqueue at 50/s, p50 / p99 | at 500/s |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	for _, s := range scores {
		fmt.Printf("| %s | %.0f/s | %.0f/s | %.0f/s | %.2f | %s / %s ms | %s / %s ms |\n",
			s.label, s.many, s.one, s.backlog, s.cpu, ms(s.slowP50), ms(s.slowP99), ms(s.steadyP50), ms(s.steadyP99))
	}
	fmt.Println()
	own := scores[0]
	for _, s := range scores[1:] {
		fmt.Printf("%s = 1: %s has enqueue by 1,000 %.2f, by one %.2f, backlog %.2f; p50 at 50/s %.2f, p99 %.2f of its time\n",
			s.label, own.label, own.many/s.many, own.one/s.one, own.backlog/s.backlog,
			float64(own.slowP50)/float64(s.slowP50), float64(own.slowP99)/float64(s.slowP99))
	}
}
