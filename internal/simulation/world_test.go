package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/task"
)

const (
	serverCount = 3
	workerCount = 2
	window      = 14 * time.Second // in which the jobs fire and things break
	deadAfter   = 8 * time.Second
	settleIn    = 3 * time.Minute // most that is left must be done in, after the last fault
)

// rates are the chances of what the network and the database do all the time.
type rates struct{ drop, repeat, unknown, freeze float64 }

// world is a simulated installation in a synctest bubble.
type world struct {
	t          *testing.T
	tally      *tally
	store      *store.Store
	app        models.App
	group      models.NodeGroup
	serverList string
	jobs       map[string]models.Job
	from, to   time.Time // the window's first and last slot
	tasks      *task.Service
	traffic    sync.WaitGroup // what is under way in the network

	rngMu sync.Mutex
	rng   *rand.Rand
	rates atomic.Pointer[rates]

	mu      sync.Mutex
	servers map[string]*server // by host
	down    map[string]time.Time
	workers map[string]*process
	ended   []*process // dead ones, to be waited for
	made    int        // servers so far
	runs    map[string][]*run
	tokens  map[string]int64
	asked   []string             // tasks that a program enqueued
	final   map[string]time.Time // cancelled for good, since when
	story   []string
}

// newWorld makes an installation that is well.
func newWorld(t *testing.T, seed uint64, all *tally) *world {
	w := &world{
		t: t, tally: all, store: testledger.Open(t, clock.System{}), rng: rand.New(rand.NewPCG(seed, 1)), jobs: map[string]models.Job{},
		servers: map[string]*server{}, down: map[string]time.Time{}, workers: map[string]*process{},
		runs: map[string][]*run{}, tokens: map[string]int64{}, final: map[string]time.Time{},
	}
	w.rates.Store(&rates{})
	w.makeApp()
	var hosts []string
	for i := range serverCount {
		host := fmt.Sprintf("s%d", i)
		hosts = append(hosts, "http://"+host)
		w.startServer(host)
	}
	w.serverList = strings.Join(hosts, ",")
	w.tasks = task.New(task.Config{Store: w.store, Clock: clock.System{}, Logger: silent, Notifier: w})
	if err := w.tasks.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.servers["s0"].take(w.group.Partition)
	for i := range workerCount {
		name := fmt.Sprintf("w%d", i)
		w.workers[name] = w.startWorker(name)
	}
	w.makeJobs()
	return w
}

func (w *world) makeApp() {
	now := clock.System{}.Now()
	w.app = models.App{ID: models.NewID(now), Name: "shop", CreatedAt: now, UpdatedAt: now}
	id := models.NewID(now)
	w.group = models.NodeGroup{
		ID: id, AppID: w.app.ID, Name: "default", Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: 1000, HeartbeatMisses: 3, CreatedAt: now, UpdatedAt: now,
	}
	key := models.AppKey{ID: models.NewID(now), AppID: w.app.ID, Hash: w.app.ID, CreatedAt: now}
	if err := w.store.CreateApp(w.t.Context(), w.app, key, w.group, models.Audit{ID: models.NewID(now), At: now}); err != nil {
		w.t.Fatal(err)
	}
}

// makeJobs makes the load: jobs that fire within the window, one of which may not run
// beside itself, and one for programs.
func (w *world) makeJobs() {
	w.from = time.Now().Add(3 * time.Second).Truncate(time.Second)
	w.to = w.from.Add(window)
	jobs := job.New(job.Config{Store: w.store, Clock: clock.System{}, Logger: silent, Notifier: w})
	make := func(name, expression string, a args, edit func(*job.Input)) {
		parameters, err := json.Marshal(a)
		if err != nil {
			w.t.Fatal(err)
		}
		in := job.Input{
			GroupID: w.group.ID, Name: name, Handler: "Work", Parameters: parameters, Timeout: new(30 * time.Second),
			Trigger: job.TriggerInput{Manual: new(true)}, Retry: &job.RetryInput{MaxAttempts: 100},
		}
		if expression != "" {
			in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: expression, StartAt: &w.from, EndAt: &w.to}}
		}
		if edit != nil {
			edit(&in)
		}
		j, err := jobs.Create(w.t.Context(), "test", in)
		if err != nil {
			w.t.Fatal(err)
		}
		w.jobs[name] = j
	}
	make("quick", "0/2 * * * * ?", args{MS: 10}, nil)
	make("flaky", "0/4 * * * * ?", args{MS: 200, Fails: 1}, nil)
	make("alone", "0/3 * * * * ?", args{MS: 900}, func(in *job.Input) { in.MaxRunning = new(1) })
	make("asked", "", args{MS: 6000}, nil)
}

// every is the rate of each job that fires, in seconds.
var every = map[string]int64{"quick": 2, "flaky": 4, "alone": 3}

func (w *world) startServer(host string) {
	w.mu.Lock()
	w.made++
	id := fmt.Sprintf("%s-%d", host, w.made)
	w.mu.Unlock()
	s := newServer(w, id)
	if err := s.stack.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.servers[host] = s
}

func (w *world) serverAt(host string) *server {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.servers[host]
}

func (w *world) liveServers() []*server {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []*server
	for _, s := range w.servers {
		if s.life.alive() {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *server) int { return strings.Compare(a.id, b.id) })
	return all
}

// countsAsDead says of a server what the others know of it.
func (w *world) countsAsDead(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	since, down := w.down[id]
	return down && time.Since(since) >= deadAfter
}

func (w *world) chance(p float64) bool {
	w.rngMu.Lock()
	defer w.rngMu.Unlock()
	return w.rng.Float64() < p
}

func (w *world) draw(n int) int {
	w.rngMu.Lock()
	defer w.rngMu.Unlock()
	return w.rng.IntN(n)
}

// copies is how often a message arrives.
func (w *world) copies() int {
	switch {
	case w.chance(w.rates.Load().drop):
		return 0
	case w.chance(w.rates.Load().repeat):
		return 2
	}
	return 1
}

// delay is the time that a message takes: mostly next to none, seldom long.
func (w *world) delay() time.Duration {
	if w.draw(20) == 0 {
		return time.Duration(w.draw(700)) * time.Millisecond
	}
	return time.Duration(w.draw(8)) * time.Millisecond
}

func (w *world) tell(format string, values ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.story = append(w.story, time.Now().Format("05.000 ")+fmt.Sprintf(format, values...))
}

// The world is the notifier of what programs ask for: every live server may hear it.

// JobChanged implements job.Notifier.
func (w *world) JobChanged(ctx context.Context, jobID, group string) {
	w.hint(func(s *server) { s.relay.JobChanged(ctx, jobID, group) })
}

// TasksQueued implements task.Notifier.
func (w *world) TasksQueued(ctx context.Context, groups []string) {
	w.hint(func(s *server) { s.relay.TasksQueued(ctx, groups) })
}

// TasksCreated implements task.Notifier.
func (w *world) TasksCreated(context.Context, []models.Task) {}

// TaskChanged implements task.Notifier.
func (w *world) TaskChanged(ctx context.Context, ids []string) {
	w.hint(func(s *server) { s.relay.TaskChanged(ctx, ids) })
}

// CancelRequested implements task.Notifier.
func (w *world) CancelRequested(ctx context.Context, t models.Task) {
	w.hint(func(s *server) { s.relay.CancelRequested(ctx, t) })
}

// hint tells one running server, or nobody.
func (w *world) hint(tell func(*server)) {
	for _, s := range w.liveServers() {
		if s.life.running() && !w.chance(w.rates.Load().drop) {
			tell(s)
			return
		}
	}
}
