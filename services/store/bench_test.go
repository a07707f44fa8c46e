package store

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
)

// The benchmarks say what a task costs the ledger: tasks a second and µs of CPU a
// task, of this process and of the database server, which runs beside it with
// flush at commit. Run them with
//
//	go test ./services/store -run '^$' -bench . -benchtime 40x
//
// One op is one batch of 500 tasks.

const benchBatch = 500

// bench is one measured ledger.
type bench struct {
	s      *Store
	w      *world
	server *testserver.MariaDBServer // nil: SQLite
	mu     sync.Mutex                // of w
}

func forEachBench(b *testing.B, run func(b *testing.B, x *bench)) {
	b.Run("mariadb", func(b *testing.B) {
		server, err := testserver.StartMariaDB(testserver.MariaDBOptions{Durable: true})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			if err := server.Stop(); err != nil {
				b.Error(err)
			}
		})
		name, err := server.NewDatabase(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if err := migrateOnce(server.URL(name)); err != nil {
			b.Fatal(err)
		}
		s := openTest(b, Options{URL: server.URL(name)})
		run(b, &bench{s: s, w: newWorld(b, s, 20), server: server})
	})
	b.Run("sqlite", func(b *testing.B) {
		url := "sqlite://" + filepath.Join(b.TempDir(), "belfry.db")
		if err := migrateOnce(url); err != nil {
			b.Fatal(err)
		}
		s := openTest(b, Options{URL: url})
		run(b, &bench{s: s, w: newWorld(b, s, 20)})
	})
}

func (x *bench) batch() []models.Task {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.w.tasks(benchBatch)
}

func (x *bench) create(b *testing.B, tasks []models.Task) {
	if _, err := x.s.CreateTasks(b.Context(), tasks); err != nil {
		b.Error(err)
	}
}

// dispatch spreads a batch over four nodes, in runs, as a dispatcher does.
func (x *bench) dispatch(b *testing.B, tasks []models.Task) []models.Task {
	items := make([]Dispatch, len(tasks))
	for i := range tasks {
		items[i] = dispatchOf(&tasks[i], i%4)
	}
	rows, refused, err := x.s.DispatchTasks(b.Context(), Fence{x.w.group.Partition: 0}, t0.Add(time.Hour), items, nil)
	if err != nil || len(refused) > 0 {
		b.Errorf("%d refused, %v", len(refused), err)
	}
	return rows
}

func (x *bench) end(b *testing.B, rows []models.Task) {
	ends := make([]AttemptEnd, len(rows))
	for i := range rows {
		ends[i] = endOf(&rows[i], models.OutcomeSucceeded, t0.Add(time.Hour+time.Duration(i)*time.Millisecond))
	}
	results, err := x.s.EndAttempts(b.Context(), nil, ends, decideBy)
	if err != nil || len(results) != len(ends) || results[0].Status != Ended {
		b.Errorf("ends: %v", err)
	}
}

// measure runs the timed part and reports what a task costs.
func (x *bench) measure(b *testing.B, run func()) {
	own0, server0 := x.cpu(b)
	start := time.Now()
	b.ResetTimer()
	run()
	b.StopTimer()
	n := float64(b.N * benchBatch)
	own1, server1 := x.cpu(b)
	b.ReportMetric(n/time.Since(start).Seconds(), "tasks/s")
	b.ReportMetric(float64((own1-own0).Microseconds())/n, "µs-own/task")
	if x.server != nil {
		b.ReportMetric(float64((server1-server0).Microseconds())/n, "µs-db/task")
	}
	b.ReportMetric(0, "ns/op")
}

func (x *bench) cpu(b *testing.B) (own, server time.Duration) {
	own, err := testserver.CPU(os.Getpid())
	if err == nil && x.server != nil {
		server, err = x.server.CPU()
	}
	if err != nil {
		b.Fatal(err)
	}
	return own, server
}

func BenchmarkCreateTasks(b *testing.B) {
	forEachBench(b, func(b *testing.B, x *bench) {
		x.measure(b, func() {
			for range b.N {
				x.create(b, x.batch())
			}
		})
	})
}

func BenchmarkDispatchTasks(b *testing.B) {
	forEachBench(b, func(b *testing.B, x *bench) {
		batches := make([][]models.Task, b.N)
		for i := range batches {
			batches[i] = x.batch()
			x.create(b, batches[i])
		}
		x.measure(b, func() {
			for i := range b.N {
				x.dispatch(b, batches[i])
			}
		})
	})
}

func BenchmarkEndAttempts(b *testing.B) {
	forEachBench(b, func(b *testing.B, x *bench) {
		batches := make([][]models.Task, b.N)
		for i := range batches {
			tasks := x.batch()
			x.create(b, tasks)
			batches[i] = x.dispatch(b, tasks)
		}
		x.measure(b, func() {
			for i := range b.N {
				x.end(b, batches[i])
			}
		})
	})
}

// BenchmarkEndFailing is BenchmarkEndAttempts where each attempt fails and is tried again.
func BenchmarkEndFailing(b *testing.B) {
	forEachBench(b, func(b *testing.B, x *bench) {
		batches := make([][]models.Task, b.N)
		for i := range batches {
			tasks := x.batch()
			x.create(b, tasks)
			batches[i] = x.dispatch(b, tasks)
		}
		x.measure(b, func() {
			for _, rows := range batches {
				ends := make([]AttemptEnd, len(rows))
				for i := range rows {
					ends[i] = endOf(&rows[i], models.OutcomeFailed, t0.Add(time.Hour))
					ends[i].Error = "the bank did not answer within 30 s: connection refused"
				}
				if _, err := x.s.EndAttempts(b.Context(), nil, ends, decideBy); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// BenchmarkCycle takes batches through insert, dispatch and end, several at once.
func BenchmarkCycle(b *testing.B) {
	for _, at := range []int{1, 3} {
		b.Run(fmt.Sprintf("writers=%d", at), func(b *testing.B) {
			forEachBench(b, func(b *testing.B, x *bench) {
				x.measure(b, func() {
					var wg sync.WaitGroup
					var done atomic.Int64
					for range at {
						wg.Go(func() {
							for done.Add(1) <= int64(b.N) {
								tasks := x.batch()
								x.create(b, tasks)
								x.end(b, x.dispatch(b, tasks))
							}
						})
					}
					wg.Wait()
				})
			})
		})
	}
}
