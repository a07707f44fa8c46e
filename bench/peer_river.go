package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

type riverWorker struct {
	river.WorkerDefaults[peerTask]
	seen *starts
}

func (w *riverWorker) Work(_ context.Context, job *river.Job[peerTask]) error {
	w.seen.saw(job.Args.Sent)
	return nil
}

// riverPeer is River on PostgreSQL, its workers in this process.
type riverPeer struct {
	settings string
	db       *postgres
	pool     *pgxpool.Pool
	client   *river.Client[pgx.Tx]
	started  bool
	seen     starts
}

// newRiver starts PostgreSQL and River: with its defaults, or with the settings that
// suit this work best.
func newRiver(ctx context.Context, tuned bool) (_ *riverPeer, err error) {
	p := &riverPeer{settings: "default, 100 workers"}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.db, err = startPostgres(ctx); err != nil {
		return nil, err
	}
	settings, err := pgxpool.ParseConfig(p.db.url())
	if err != nil {
		return nil, err
	}
	settings.MaxConns = 20
	if p.pool, err = pgxpool.NewWithConfig(ctx, settings); err != nil {
		return nil, err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(p.pool), nil)
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, fmt.Errorf("migrating the peer's database: %w", err)
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, &riverWorker{seen: &p.seen})
	cfg := &river.Config{
		Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 100}},
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	}
	if tuned {
		p.settings = "tuned, 2,000 workers"
		cfg.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2000}}
		cfg.FetchCooldown, cfg.FetchPollInterval = time.Millisecond, 10*time.Millisecond
	}
	p.client, err = river.NewClient(riverpgxv5.New(p.pool), cfg)
	return p, err
}

func (p *riverPeer) label() string { return "River on PostgreSQL, " + p.settings }

func (p *riverPeer) enqueueMany(ctx context.Context, n int) error {
	for done := 0; done < n; {
		batch := make([]river.InsertManyParams, min(1000, n-done))
		for i := range batch {
			batch[i].Args = peerTask{}
		}
		if _, err := p.client.InsertManyFast(ctx, batch); err != nil {
			return err
		}
		done += len(batch)
	}
	return nil
}

func (p *riverPeer) enqueueOne(ctx context.Context) error {
	_, err := p.client.Insert(ctx, peerTask{}, nil)
	return err
}

func (p *riverPeer) begin(ctx context.Context) error {
	p.started = true
	return p.client.Start(ctx)
}

// handled counts the rows that River has completed in its table.
func (p *riverPeer) handled(ctx context.Context, n int) error {
	if err := until(ctx, func() (bool, error) { return p.seen.count.Load() >= int64(n), nil }); err != nil {
		return err
	}
	return until(ctx, func() (bool, error) {
		var open int
		err := p.pool.QueryRow(ctx, "SELECT count(*) FROM river_job WHERE state <> 'completed'").Scan(&open)
		return open == 0, err
	})
}

func (p *riverPeer) latencies(ctx context.Context, n int, tick <-chan time.Time) ([]int64, error) {
	for range n {
		<-tick
		if _, err := p.client.Insert(ctx, peerTask{Sent: time.Now().UnixMicro()}, nil); err != nil {
			return nil, err
		}
	}
	return p.seen.take(ctx, n)
}

func (p *riverPeer) cpu() float64 { return cpuSeconds(os.Getpid()) + cpuOfTree(p.db.pid) }

func (p *riverPeer) close() {
	if p.started {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := p.client.Stop(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "bench: River:", err)
		}
	}
	if p.pool != nil {
		p.pool.Close()
	}
	if p.db != nil {
		p.db.stop()
	}
}
