package workflow

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// owner owns every partition at epoch 0 until it is deposed.
type owner struct {
	mu   sync.Mutex
	held map[int]int64
	lost []int
}

func ownsAll() *owner {
	o := &owner{held: map[int]int64{}}
	for p := range models.Partitions {
		o.held[p] = 0
	}
	return o
}

func (o *owner) Partitions() map[int]int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.held)
}

func (o *owner) Lost(partitions ...int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost = append(o.lost, partitions...)
	for _, p := range partitions {
		delete(o.held, p)
	}
}

// heard notes what the workflow told.
type heard struct {
	mu     sync.Mutex
	groups []string
	fired  []string
}

func (h *heard) TasksQueued(_ context.Context, groups []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.groups = append(h.groups, groups...)
}

func (h *heard) JobsFired(_ context.Context, jobs []models.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range jobs {
		h.fired = append(h.fired, jobs[i].Name)
	}
}

// served says that there is a worker for every job.
type served struct{}

func (served) Jobs(context.Context, []string) (map[string]*models.Job, error) { return nil, nil }

func (served) Unserved(context.Context, []*models.Job) (map[string]bool, error) { return nil, nil }

// plant is a ledger with a group, in which tasks end at will.
type plant struct {
	testing.TB
	clock *testledger.Clock
	store *store.Store
	owner *owner
	heard *heard
	whom  Jobs // there is a worker for every job unless a test says otherwise
	flow  *Workflow
	group models.NodeGroup
	jobs  map[string]models.Job
}

func newPlant(t testing.TB) *plant {
	t.Helper()
	c := testledger.NewClock(noon)
	p := &plant{TB: t, clock: c, store: testledger.Open(t, c), owner: ownsAll(), heard: &heard{}, whom: served{}, jobs: map[string]models.Job{}}
	p.flow = p.newFlow(p.owner)
	now := c.Now()
	app := models.App{ID: models.NewID(now), Name: "shop", CreatedAt: now, UpdatedAt: now}
	id := models.NewID(now)
	p.group = models.NodeGroup{
		ID: id, AppID: app.ID, Name: "default", Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: now, UpdatedAt: now,
	}
	key := models.AppKey{ID: models.NewID(now), AppID: app.ID, Hash: app.ID, CreatedAt: now}
	p.must(p.store.CreateApp(t.Context(), app, key, p.group, p.audit()))
	return p
}

func newWorkflow(t testing.TB, c Config) *Workflow {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (p *plant) newFlow(o *owner) *Workflow {
	return newWorkflow(p.TB, Config{Ledger: p.store, Owner: o, Jobs: p.whom, Watcher: p.heard, Clock: p.clock})
}

func (p *plant) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *plant) audit() models.Audit {
	now := p.clock.Now()
	return models.Audit{ID: models.NewID(now), At: now}
}

// job makes a job that waits for the conditions on others, by name.
func (p *plant) job(name string, on map[string]models.DependencyCondition, edit func(*models.Job)) models.Job {
	p.Helper()
	now := p.clock.Now()
	j := models.Job{
		ID: models.NewID(now), AppID: p.group.AppID, GroupID: p.group.ID, Partition: p.group.Partition, Name: name, LiveName: &name, Handler: "Do",
		TriggerKind: models.TriggerManual, Enabled: true, Priority: models.PriorityNormal, TimeoutMS: 60_000,
		Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 1, Backoff: models.BackoffFixed,
		MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 100, Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	var upstream []models.Dependency
	if len(on) > 0 {
		j.TriggerKind, j.DependencyMode, j.DependencyWindow = models.TriggerDependency, models.DependencyAll, models.WindowRun
		for _, u := range slices.Sorted(maps.Keys(on)) {
			upstream = append(upstream, models.Dependency{UpstreamID: p.jobs[u].ID, On: on[u]})
		}
	}
	if edit != nil {
		edit(&j)
	}
	p.must(p.store.CreateJob(p.Context(), j, p.audit(), upstream...))
	p.jobs[name] = j
	return j
}

// run makes a task of a job, as a person would.
func (p *plant) run(name string, rule models.DownstreamRule) models.Task {
	p.Helper()
	now := p.clock.Now()
	j := p.jobs[name]
	t := models.Task{
		ID: models.NewID(now), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: models.TaskWaiting, Trigger: models.TriggerManual,
		Priority: j.Priority, ScheduledAt: now, AvailableAt: now, CreatedAt: now, MaxAttempts: 1, TimeoutMS: 60_000, Downstream: rule,
	}
	_, err := p.store.CreateTasks(p.Context(), []models.Task{t})
	p.must(err)
	return t
}

// waiting answers the tasks that wait to be run.
func (p *plant) waiting() []models.Task {
	p.Helper()
	queue, err := p.store.QueuedTasks(p.Context(), p.group.ID, p.clock.Now().Add(time.Hour), 1000, nil)
	p.must(err)
	ids := make([]string, len(queue))
	for i := range queue {
		ids[i] = queue[i].ID
	}
	tasks, err := p.store.AssignmentRows(p.Context(), ids)
	p.must(err)
	return tasks
}

// end runs tasks to an end each.
func (p *plant) end(tasks []models.Task, state func(*models.Task) models.TaskState) {
	p.Helper()
	now := p.clock.Now()
	items := make([]store.Dispatch, len(tasks))
	for i := range tasks {
		items[i] = store.Dispatch{TaskID: tasks[i].ID, Attempt: tasks[i].Attempt, NodeID: "01NODENODENODENODENODENODE", NodeName: "n", Incarnation: "i"}
	}
	rows, _, err := p.store.DispatchTasks(p.Context(), nil, now, items, nil)
	p.must(err)
	ends := make([]store.AttemptEnd, len(rows))
	outcomes := map[models.TaskState]models.Outcome{
		models.TaskSucceeded: models.OutcomeSucceeded, models.TaskFailed: models.OutcomeFailed, models.TaskCancelled: models.OutcomeCancelled,
	}
	for i := range rows {
		ends[i] = store.AttemptEnd{TaskID: rows[i].ID, Attempt: rows[i].Attempt, Outcome: outcomes[state(&rows[i])], FinishedAt: now}
	}
	_, err = p.store.EndAttempts(p.Context(), nil, ends, func(_ *models.Task, e *store.AttemptEnd) store.Decision {
		return store.Decision{Event: map[models.Outcome]models.Event{
			models.OutcomeSucceeded: models.EventSucceed, models.OutcomeFailed: models.EventFail, models.OutcomeCancelled: models.EventCancel,
		}[e.Outcome]}
	})
	p.must(err)
}

// settle lets all that waits end as state says and fires what follows, until nothing
// waits any more. It answers the tasks of each job.
func (p *plant) settle(state func(*models.Task) models.TaskState) map[string][]models.Task {
	p.Helper()
	names, ran := map[string]string{}, map[string][]models.Task{}
	for name, j := range p.jobs {
		names[j.ID] = name
	}
	for {
		p.must(p.flow.Pass(p.Context()))
		tasks := p.waiting()
		if len(tasks) == 0 {
			return ran
		}
		for _, t := range tasks {
			ran[names[t.JobID]] = append(ran[names[t.JobID]], t)
		}
		p.clock.Advance(time.Second)
		p.end(tasks, state)
	}
}

func always(s models.TaskState) func(*models.Task) models.TaskState {
	return func(*models.Task) models.TaskState { return s }
}

func on(condition models.DependencyCondition, names ...string) map[string]models.DependencyCondition {
	all := map[string]models.DependencyCondition{}
	for _, n := range names {
		all[n] = condition
	}
	return all
}

func TestDiamondFiresItsJoinOnce(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	p.job("b", on(models.OnSuccess, "a"), nil)
	p.job("c", on(models.OnSuccess, "a"), nil)
	p.job("d", on(models.OnSuccess, "b", "c"), nil)
	root := p.run("a", models.DownstreamTriggers)
	ran := p.settle(always(ok))
	for _, name := range []string{"a", "b", "c", "d"} {
		if len(ran[name]) != 1 {
			t.Fatalf("%s ran %d times", name, len(ran[name]))
		}
	}
	d := ran["d"][0]
	if d.RootID == nil || *d.RootID != root.ID || !d.ScheduledAt.Equal(root.ScheduledAt) || !d.AvailableAt.After(root.AvailableAt) {
		t.Errorf("the join's task: %+v", d)
	}
	inputs, err := p.store.TaskInputs(t.Context(), []string{d.ID})
	p.must(err)
	want := []string{ran["b"][0].ID, ran["c"][0].ID}
	slices.Sort(want)
	if !slices.Equal(inputs[d.ID], want) {
		t.Errorf("the join was made by %v, want %v", inputs[d.ID], want)
	}
	if !slices.Contains(p.heard.fired, "d") || !slices.Contains(p.heard.groups, p.group.ID) {
		t.Errorf("told of %v in %v", p.heard.fired, p.heard.groups)
	}
}

// A daily job that depends on another daily one and on its dependent: all stay within
// the day of the first, though they run past midnight.
func TestChainStaysWithinItsDay(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	daily := func(j *models.Job) { j.DependencyWindow, j.Zone = models.WindowDay, "Asia/Shanghai" }
	p.job("import", nil, nil)
	p.job("report", nil, nil)
	p.job("check", on(models.OnSuccess, "import"), daily)
	p.job("close", on(models.OnSuccess, "check", "report"), daily)
	p.clock.Advance(time.Hour) // 21:00 in Shanghai
	p.run("import", models.DownstreamTriggers)
	p.run("report", models.DownstreamTriggers)
	p.clock.Advance(4 * time.Hour) // past midnight
	if ran := p.settle(always(ok)); len(ran["close"]) != 1 {
		t.Errorf("ran %v", ran)
	}
	p.run("import", models.DownstreamTriggers) // of the next day
	if ran := p.settle(always(ok)); len(ran["check"]) != 1 || len(ran["close"]) != 0 {
		t.Errorf("the next day ran %v", ran)
	}
	p.run("report", models.DownstreamTriggers)
	if ran := p.settle(always(ok)); len(ran["close"]) != 1 {
		t.Errorf("the next day's end: %v", ran)
	}
	p.run("report", models.DownstreamTriggers)
	if ran := p.settle(always(ok)); len(ran["close"]) != 0 {
		t.Errorf("the same day closed twice: %v", ran)
	}
}

func TestRulesForDownstream(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	p.job("other", nil, nil)
	p.job("b", on(models.OnSuccess, "a"), nil)
	p.job("day", on(models.OnSuccess, "b", "other"), func(j *models.Job) { j.DependencyWindow = models.WindowDay })
	p.run("a", models.DownstreamNone)
	if ran := p.settle(always(ok)); len(ran["b"]) != 0 {
		t.Errorf("NONE ran %v", ran)
	}
	p.run("a", models.DownstreamTriggers)
	if ran := p.settle(always(ok)); len(ran["b"]) != 1 || len(ran["day"]) != 0 {
		t.Errorf("TRIGGERS ran %v", ran)
	}
	root := p.run("a", models.DownstreamAll)
	ran := p.settle(always(ok))
	if len(ran["b"]) != 1 || len(ran["day"]) != 1 || *ran["day"][0].RootID != root.ID || ran["day"][0].Downstream != models.DownstreamAll {
		t.Errorf("ALL ran %+v", ran)
	}
	p.run("other", models.DownstreamTriggers)
	if ran := p.settle(always(ok)); len(ran["day"]) != 1 {
		t.Errorf("the day itself was used up by the run: %v", ran)
	}
}

func TestFailedUpstreamThatIsRetriedCounts(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	p.job("b", on(models.OnSuccess, "a"), nil)
	p.job("alarm", on(models.OnFailure, "a"), nil)
	a := p.run("a", models.DownstreamTriggers)
	onlyA := func(t *models.Task) models.TaskState {
		if t.ID == a.ID && t.Attempt == 1 {
			return failed
		}
		return ok
	}
	if ran := p.settle(onlyA); len(ran["b"]) != 0 || len(ran["alarm"]) != 1 {
		t.Fatalf("after the failure: %v", ran)
	}
	if _, err := p.store.RequeueTask(t.Context(), a.ID, nil, p.clock.Now(), nil); err != nil {
		t.Fatal(err)
	}
	if ran := p.settle(onlyA); len(ran["b"]) != 1 || len(ran["alarm"]) != 0 {
		t.Errorf("after the retry: %v", ran)
	}
}

func TestEditsHoldForArrivalsProcessedAfterThem(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	b := p.job("b", on(models.OnSuccess, "a"), nil)
	p.run("a", models.DownstreamTriggers)
	p.end(p.waiting(), always(failed)) // it has arrived, and is still to be joined
	edit := store.JobEdit{Job: b, ExpectVersion: 1, Audit: p.audit(), Upstream: []models.Dependency{{UpstreamID: p.jobs["a"].ID, On: models.OnCompletion}}}
	_, err := p.store.UpdateJob(t.Context(), edit)
	p.must(err)
	if ran := p.settle(always(ok)); len(ran["b"]) != 1 {
		t.Errorf("ran %v", ran)
	}
}

func TestPausedJobRecordsWhatItMissed(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	b := p.job("b", on(models.OnSuccess, "a"), func(j *models.Job) { j.Enabled = false })
	for range 3 {
		p.run("a", models.DownstreamTriggers)
		p.clock.Advance(time.Minute)
	}
	if ran := p.settle(always(ok)); len(ran["b"]) != 0 {
		t.Errorf("ran %v", ran)
	}
	skipped, err := p.store.SkippedFires(t.Context(), []string{b.ID}, 10)
	p.must(err)
	if rows := skipped[b.ID]; len(rows) != 1 || rows[0].Count != 3 || rows[0].Reason != models.ReasonPaused || !rows[0].FirstAt.Equal(noon) {
		t.Errorf("skipped %+v", rows)
	}
}

// A long chain runs to its end, each job by a transaction of its own.
func TestLongChainRuns(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	const length = 100
	p.job("0", nil, nil)
	for i := 1; i < length; i++ {
		p.job(fmt.Sprint(i), on(models.OnSuccess, fmt.Sprint(i-1)), nil)
	}
	p.run("0", models.DownstreamAll)
	last := p.jobs[fmt.Sprint(length-1)].ID
	for {
		p.must(p.flow.Pass(t.Context()))
		tasks := p.waiting()
		if len(tasks) != 1 {
			t.Fatalf("%d tasks wait", len(tasks))
		}
		p.end(tasks, always(ok))
		if tasks[0].JobID == last {
			return
		}
	}
}

// stale is a ledger whose reads show what was dealt with long ago, as an owner sees
// them whose answer was lost, or that another is about to depose.
type stale struct {
	Ledger
	old []models.Arrival
}

func (s *stale) PendingArrivals(ctx context.Context, partitions []int, limit int) ([]models.Arrival, error) {
	fresh, err := s.Ledger.PendingArrivals(ctx, partitions, limit)
	if len(fresh) == 0 {
		return nil, err
	}
	both := append(slices.Clone(s.old), fresh...)
	s.old = append(s.old, fresh...)
	return both, err
}

// Random graphs, random conditions and modes, random ends, and joins that are repeated:
// each job runs exactly once if what it waits for came to pass, and else not at all.
func TestEachJoinFiresOnceIffItsConditionHolds(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	check := 0
	rapid.Check(t, func(rt *rapid.T) {
		check++
		p.jobs = map[string]models.Job{}
		p.flow = newWorkflow(t, Config{Ledger: &stale{Ledger: p.store}, Owner: p.owner, Jobs: p.whom, Watcher: p.heard, Clock: p.clock})
		n := rapid.IntRange(2, 6).Draw(rt, "jobs")
		names := make([]string, n)
		conditions := make([]map[string]models.DependencyCondition, n)
		modes := make([]models.DependencyMode, n)
		for i := range n {
			names[i] = fmt.Sprintf("job %d/%d", check, i)
			conditions[i] = map[string]models.DependencyCondition{}
			modes[i] = rapid.SampledFrom([]models.DependencyMode{models.DependencyAll, models.DependencyAny}).Draw(rt, "mode")
			for u := range i {
				if u == i-1 && len(conditions[i]) == 0 || rapid.Bool().Draw(rt, "edge") {
					conditions[i][names[u]] = rapid.SampledFrom([]models.DependencyCondition{models.OnSuccess, models.OnFailure, models.OnCompletion}).Draw(rt, "on")
				}
			}
			p.job(names[i], conditions[i], func(j *models.Job) {
				if i > 0 {
					j.DependencyMode = modes[i]
				}
			})
		}
		ends := map[string]models.TaskState{}
		byID := map[string]models.TaskState{}
		for _, name := range names {
			ends[name] = rapid.SampledFrom([]models.TaskState{ok, ok, failed, cancelled}).Draw(rt, "end")
			byID[p.jobs[name].ID] = ends[name]
		}
		p.run(names[0], models.DownstreamTriggers)
		ran := p.settle(func(t *models.Task) models.TaskState { return byID[t.JobID] })

		expected := map[string]bool{names[0]: true}
		for i := 1; i < n; i++ {
			met := 0
			for u, condition := range conditions[i] {
				if expected[u] && condition.Met(ends[u]) {
					met++
				}
			}
			expected[names[i]] = met == len(conditions[i]) || modes[i] == models.DependencyAny && met > 0
		}
		for _, name := range names {
			want := 0
			if expected[name] {
				want = 1
			}
			if len(ran[name]) != want {
				rt.Fatalf("%s ran %d times, want %d", name, len(ran[name]), want)
			}
		}
	})
}

func TestDeposedOwnerStops(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	p.job("b", on(models.OnSuccess, "a"), nil)
	p.run("a", models.DownstreamTriggers)
	p.end(p.waiting(), always(ok))
	_, err := p.store.TakePartition(t.Context(), p.group.Partition, "another")
	p.must(err)
	err = p.flow.Pass(t.Context())
	if p.flow.failed(err) != nil || !slices.Equal(p.owner.lost, []int{p.group.Partition}) {
		t.Errorf("lost %v after %v", p.owner.lost, err)
	}
	next := ownsAll()
	next.held[p.group.Partition] = 1
	p.flow = p.newFlow(next)
	if ran := p.settle(always(ok)); len(ran["b"]) != 1 {
		t.Errorf("the next owner ran %v", ran)
	}
}

// scripted is a ledger that counts looks.
type scripted struct {
	Ledger

	mu    sync.Mutex
	looks int
	fail  error
}

func (s *scripted) PendingArrivals(context.Context, []int, int) ([]models.Arrival, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks++
	return nil, s.fail
}

func (s *scripted) ForgetJoins(context.Context, time.Time, int) (int, error) { return 0, nil }

func (s *scripted) DependencyJobs(context.Context, string, int) ([]string, error) { return nil, nil }

func (s *scripted) seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looks
}

func TestLooksWhenWokenAndNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger := &scripted{}
		w := newWorkflow(t, Config{Ledger: ledger, Owner: ownsAll(), Jobs: served{}, Watcher: &heard{}, Clock: testledger.NewClock(noon)})
		if err := w.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if ledger.seen() != 1 {
			t.Errorf("%d looks at the start", ledger.seen())
		}
		w.Wake()
		w.Wake()
		synctest.Wait()
		if n := ledger.seen(); n != 2 && n != 3 {
			t.Errorf("%d looks after being woken", n)
		}
		before := ledger.seen()
		time.Sleep(10*longest + time.Millisecond)
		if n := ledger.seen() - before; n < 9 || n > 11 {
			t.Errorf("%d looks in %s", n, 10*longest)
		}
		if err := w.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestForgets(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.job("a", nil, nil)
	b := p.job("b", on(models.OnSuccess, "a"), nil)
	p.run("a", models.DownstreamTriggers)
	p.settle(always(ok))
	windows := func() int {
		all, err := p.store.Joins(t.Context(), []string{b.ID}, 10)
		p.must(err)
		return len(all[b.ID])
	}
	p.clock.Advance(forgetAfter - time.Minute)
	p.must(p.flow.tidy(t.Context()))
	if windows() != 1 {
		t.Error("forgotten too early")
	}
	p.clock.Advance(2 * time.Minute)
	p.must(p.flow.tidy(t.Context()))
	if windows() != 1 {
		t.Error("looked again within the hour")
	}
	p.clock.Advance(forgetEvery)
	p.must(p.flow.tidy(t.Context()))
	if windows() != 0 {
		t.Error("not forgotten")
	}
}
