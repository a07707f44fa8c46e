package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/apptest"
	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// workerEnv makes this test binary a worker process: server, key and node name
// follow in further variables.
const workerEnv = "BELFRY_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		os.Exit(runWorker())
	}
	os.Exit(m.Run())
}

// runWorker is a worker process of the cluster test.
func runWorker() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	w, err := worker.New(worker.Config{
		Server: os.Getenv("SERVERS"), App: "shop", Key: os.Getenv("KEY"), Group: "default", Name: os.Getenv(workerEnv), Slots: 20,
		SpillDir: os.Getenv("SPILL_DIR"),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	worker.Handle(w, "Tick", func(context.Context, *worker.Task, struct{}) error { return nil })
	worker.Handle(w, "Fail", func(context.Context, *worker.Task, struct{}) error { return errors.New("the printer is on fire") })
	worker.Handle(w, "Hold", func(ctx context.Context, t *worker.Task, _ struct{}) error {
		t.Logger().Info("holding", "attempt", t.Attempt)
		if t.Attempt == 1 {
			<-ctx.Done() // for ever: the process is killed
			return ctx.Err()
		}
		return t.SetResult("taken over")
	})
	worker.Handle(w, "Keep", keep)
	if err := w.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// cluster is two servers on one MariaDB and one Redis.
type cluster struct {
	servers []*apptest.Process
	urls    []string
	api     apptest.API
	key     string
	group   string
	env     []string
}

// startCluster starts two servers with more in their environment if need be.
func startCluster(t *testing.T, more ...string) *cluster {
	t.Helper()
	db, err := testserver.StartMariaDB(testserver.MariaDBOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Stop() })
	redis, err := testserver.StartRedis(testserver.RedisOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Stop() })
	env := []string{"BELFRY_DATABASE_URL=" + db.URL(db.Database(t)), "BELFRY_REDIS_URL=" + redis.URL(), "BELFRY_LISTEN=127.0.0.1:0"}
	c := &cluster{servers: make([]*apptest.Process, 2), urls: make([]string, 2), env: append(env, more...)}
	for i := range c.servers {
		c.servers[i] = apptest.Start(t, fmt.Sprintf("server %d", i+1), c.env, apptest.Binary(t), "serve")
	}
	for i, s := range c.servers {
		c.urls[i] = s.Await(t, apptest.Ready)
	}
	c.api = apptest.API{URL: c.urls[0], Token: apptest.Run(t, env, "token", "create", "--name", "test", "--role", "ADMIN")}
	c.key = apptest.Run(t, env, "app", "create", "shop")
	type groups struct {
		App struct{ NodeGroups []struct{ ID, Name string } }
	}
	c.group = apptest.Do[groups](t, c.api, `{app(name:"shop"){nodeGroups{id name}}}`, nil).App.NodeGroups[0].ID
	type payload struct {
		UpdateNodeGroup struct{ UserErrors []struct{ Message string } }
	}
	p := apptest.Do[payload](t, c.api, `mutation($id:ID!){updateNodeGroup(input:{id:$id,heartbeatInterval:"1s",heartbeatMisses:3}){userErrors{message}}}`,
		map[string]any{"id": c.group})
	if len(p.UpdateNodeGroup.UserErrors) > 0 {
		t.Fatal(p.UpdateNodeGroup.UserErrors)
	}
	return c
}

// startServer starts a server again that has died, on its old address.
func (c *cluster) startServer(t *testing.T, i int) {
	t.Helper()
	env := append(slices.Clone(c.env), "BELFRY_LISTEN="+strings.TrimPrefix(c.urls[i], "http://"))
	c.servers[i] = apptest.Start(t, fmt.Sprintf("server %d, again", i+1), env, apptest.Binary(t), "serve")
	c.servers[i].Await(t, apptest.Ready)
}

func (c *cluster) worker(t *testing.T, name string) *apptest.Process {
	t.Helper()
	env := []string{workerEnv + "=" + name, "SERVERS=" + strings.Join(c.urls, ","), "KEY=" + c.key}
	return apptest.Start(t, "worker "+name, env, os.Args[0])
}

func (c *cluster) createJob(t *testing.T, input map[string]any) string {
	t.Helper()
	input["group"] = c.group
	type payload struct {
		CreateJob struct {
			Job        *struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}
	p := apptest.Do[payload](t, c.api, `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{message}}}`, map[string]any{"in": input})
	if p.CreateJob.Job == nil {
		t.Fatalf("job %v refused: %v", input["name"], p.CreateJob.UserErrors)
	}
	return p.CreateJob.Job.ID
}

func (c *cluster) trigger(t *testing.T, job string) string {
	t.Helper()
	type payload struct {
		TriggerJob struct{ Task struct{ ID string } }
	}
	return apptest.Do[payload](t, c.api, `mutation($job:ID!){triggerJob(input:{job:$job}){task{id} userErrors{message}}}`,
		map[string]any{"job": job}).TriggerJob.Task.ID
}

type taskView struct {
	Task struct {
		ID, State string
		Result    any
		Node      *struct{ Name string }
		Attempts  []struct {
			Number   int
			State    string
			NodeName string
		}
	}
}

func (c *cluster) task(t *testing.T, id string) taskView {
	t.Helper()
	return apptest.Do[taskView](t, c.api, `query($id:ID!){task(id:$id){id state result node{name} attempts{number state nodeName}}}`, map[string]any{"id": id})
}

func (c *cluster) awaitState(t *testing.T, id, state string) taskView {
	t.Helper()
	var v taskView
	apptest.Until(t, "task "+id+" to be "+state, func() bool {
		v = c.task(t, id)
		return v.Task.State == state
	})
	return v
}

// leads answers which server leads a partition.
func (c *cluster) leads(t *testing.T, partition int) int {
	t.Helper()
	type servers struct {
		Servers []struct {
			Self       bool
			Partitions []int
		}
	}
	leads := -1
	apptest.Until(t, "a server to lead the partition", func() bool {
		for i, url := range c.urls {
			for _, s := range apptest.Do[servers](t, apptest.API{URL: url, Token: c.api.Token}, `{servers{self partitions}}`, nil).Servers {
				if s.Self && slices.Contains(s.Partitions, partition) {
					leads = i
				}
			}
		}
		return leads >= 0
	})
	return leads
}

// serverView is a server as the API shows it.
type serverView struct {
	State, Locks string
	Self         bool
	Partitions   []int
	Groups       int
	Degraded     []string
}

// list is the list of servers by a server's word, its own entry first.
func (c *cluster) list(t *testing.T, server int) []serverView {
	t.Helper()
	type servers struct{ Servers []serverView }
	all := apptest.Do[servers](t, apptest.API{URL: c.urls[server], Token: c.api.Token}, `{servers{state locks self partitions groups degraded}}`, nil).Servers
	slices.SortFunc(all, func(a, b serverView) int { return strings.Compare(fmt.Sprint(b.Self), fmt.Sprint(a.Self)) })
	return all
}

// checkTogether waits until two servers share all partitions, and both say so.
func (c *cluster) checkTogether(t *testing.T) {
	t.Helper()
	apptest.Until(t, "two servers that share the partitions", func() bool {
		for i := range c.urls {
			all := c.list(t, i)
			if len(all) != 2 || len(all[0].Partitions)+len(all[1].Partitions) != models.Partitions || len(all[0].Partitions) == 0 || len(all[1].Partitions) == 0 {
				return false
			}
			for _, s := range all {
				if s.State != "LIVE" || s.Locks != "REDIS" || len(s.Degraded) > 0 {
					t.Fatalf("a server that is well: %+v", s)
				}
			}
			if !all[0].Self || all[1].Self || all[0].Groups+all[1].Groups != 1 {
				t.Fatalf("by the word of server %d: %+v", i, all)
			}
		}
		return true
	})
}

// checkAlone waits until a server leads everything and calls the other one lost.
func (c *cluster) checkAlone(t *testing.T, server int) {
	t.Helper()
	apptest.Until(t, "the killed server to be lost", func() bool {
		all := c.list(t, server)
		return len(all) == 2 && len(all[0].Partitions) == models.Partitions && all[1].State == "LOST" && len(all[1].Degraded) == 1
	})
}

// enqueueAt makes n tasks of a job that are due at an instant.
func (c *cluster) enqueueAt(t *testing.T, job string, n int, due time.Time) {
	t.Helper()
	enqueuer, err := client.New(client.Config{Server: strings.Join(c.urls, ","), App: "shop", Key: c.key})
	if err != nil {
		t.Fatal(err)
	}
	defer enqueuer.Close()
	tasks := make([]client.NewTask, n)
	for i := range tasks {
		tasks[i] = client.Task(job, nil, client.At(due))
	}
	if _, err := enqueuer.EnqueueMany(t.Context(), tasks...); err != nil {
		t.Fatal(err)
	}
}

// checkDelayed waits for n tasks that were due at an instant: each has run once, ten
// seconds late at most.
func (c *cluster) checkDelayed(t *testing.T, job string, n int, due time.Time) {
	t.Helper()
	type tasks struct {
		Tasks struct {
			Nodes []struct {
				ID       string
				State    string
				Attempts []struct{ StartedAt time.Time }
			}
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
	}
	type open struct {
		Tasks struct{ Nodes []struct{ ID string } }
	}
	apptest.Until(t, fmt.Sprintf("the ends of %d delayed tasks", n), func() bool {
		return len(apptest.Do[open](t, c.api, `query($job:ID!){tasks(first:1,filter:{job:$job,states:[WAITING,RUNNING,RETRYING]}){nodes{id}}}`,
			map[string]any{"job": job}).Tasks.Nodes) == 0
	})
	const query = `query($job:ID!,$from:Time!,$after:String){tasks(first:100,after:$after,filter:{job:$job,from:$from}){
		nodes{id state attempts{startedAt}} pageInfo{hasNextPage endCursor}}}`
	var latest time.Duration
	seen, after := 0, (*string)(nil)
	for more := true; more; {
		page := apptest.Do[tasks](t, c.api, query, map[string]any{"job": job, "from": due, "after": after}).Tasks
		for _, task := range page.Nodes {
			seen++
			if task.State != "SUCCEEDED" || len(task.Attempts) != 1 {
				t.Fatalf("task %s is %s after %d attempts", task.ID, task.State, len(task.Attempts))
			}
			latest = max(latest, task.Attempts[0].StartedAt.Sub(due))
		}
		more, after = page.PageInfo.HasNextPage, &page.PageInfo.EndCursor
	}
	if seen != n {
		t.Errorf("%d tasks, want %d", seen, n)
	}
	t.Logf("the last of %d delayed tasks started %s after its time", n, latest.Round(time.Millisecond))
	if latest > 10*time.Second {
		t.Errorf("the last of %d delayed tasks started %s after its time", n, latest)
	}
}

// TestClusterTakesOverAndFiresOnce runs two servers and two workers, kills a
// worker in the middle of a task and a server in the middle of its fires, with delayed
// tasks in its memory (CB-044).
func TestClusterTakesOverAndFiresOnce(t *testing.T) {
	c := startCluster(t)
	workers := map[string]*apptest.Process{"w1": c.worker(t, "w1"), "w2": c.worker(t, "w2")}
	c.awaitNodes(t, 2)
	c.checkTogether(t)
	var ticking []string
	for i := range 5 {
		ticking = append(ticking, c.createJob(t, map[string]any{
			"name": fmt.Sprintf("tick-%d", i), "handler": "Tick", "trigger": map[string]any{"cron": map[string]any{"expression": "* * * * * ?"}},
		}))
	}
	// A job after the first of them, and one that joins the two: they stand for the
	// same instants, so none may be missing or doubled there either.
	follow := c.createJob(t, map[string]any{"name": "follow", "handler": "Tick", "trigger": after(ticking[0])})
	join := c.createJob(t, map[string]any{"name": "join", "handler": "Tick", "trigger": after(ticking[0], follow)})
	ticking = append(ticking, follow, join)
	hold := c.createJob(t, map[string]any{
		"name": "hold", "handler": "Hold", "trigger": map[string]any{"manual": true},
		"retry": map[string]any{"maxAttempts": 3, "delay": "0s"},
	})

	id := c.trigger(t, hold)
	first := c.awaitState(t, id, "RUNNING").Task.Node.Name
	workers[first].Kill(t)
	v := c.awaitState(t, id, "SUCCEEDED").Task
	if len(v.Attempts) != 2 || v.Attempts[0].State != "LOST" || v.Attempts[0].NodeName != first ||
		v.Attempts[1].State != "SUCCEEDED" || v.Attempts[1].NodeName == first || v.Result != "taken over" {
		t.Errorf("after the takeover: %+v", v)
	}

	// The server that has two hundred delayed tasks in memory dies before they are due.
	later := c.createJob(t, map[string]any{"name": "later", "handler": "Tick", "trigger": map[string]any{"manual": true}})
	owner := c.leads(t, models.PartitionOf(c.group))
	due := time.Now().Add(5500 * time.Millisecond).Truncate(time.Millisecond)
	c.enqueueAt(t, later, 200, due)
	c.awaitState(t, c.trigger(t, later), "SUCCEEDED") // whoever ran this has read the others too
	c.servers[owner].Kill(t)
	c.api.URL = c.urls[1-owner]
	c.checkDelayed(t, later, 200, due)
	c.checkAlone(t, 1-owner)
	for _, job := range ticking {
		c.checkFires(t, job, 15)
	}
}

// after is a trigger that waits for other jobs.
func after(jobs ...string) map[string]any {
	upstream := make([]any, len(jobs))
	for i := range jobs {
		upstream[i] = map[string]any{"job": jobs[i]}
	}
	return map[string]any{"dependency": map[string]any{"upstream": upstream}}
}

func (c *cluster) awaitNodes(t *testing.T, n int) {
	t.Helper()
	type nodes struct{ Nodes []struct{ State string } }
	apptest.Until(t, fmt.Sprintf("%d nodes", n), func() bool {
		online := 0
		for _, each := range apptest.Do[nodes](t, c.api, `{nodes{state}}`, nil).Nodes {
			if each.State == "ONLINE" {
				online++
			}
		}
		return online == n
	})
}

// checkFires waits until n fires of a job that fires every second have become
// finished tasks and checks that no second is missing or doubled between the
// first and the last.
func (c *cluster) checkFires(t *testing.T, job string, n int) {
	t.Helper()
	type tasks struct {
		Tasks struct {
			Nodes []struct {
				ScheduledAt time.Time
				Attempts    []struct{ Number int }
			}
		}
	}
	const query = `query($job:ID!){tasks(first:100,filter:{job:$job,states:[SUCCEEDED]}){nodes{scheduledAt attempts{number}}}}`
	var at []time.Time
	apptest.Until(t, fmt.Sprintf("%d gapless fires of job %s", n, job), func() bool {
		at = at[:0]
		for _, each := range apptest.Do[tasks](t, c.api, query, map[string]any{"job": job}).Tasks.Nodes {
			at = append(at, each.ScheduledAt)
		}
		slices.SortFunc(at, time.Time.Compare)
		return len(at) >= n && gapless(at)
	})
}

// gapless says whether the instants are consecutive seconds; the last two may
// still be on their way.
func gapless(at []time.Time) bool {
	for i := 1; i < len(at)-2; i++ {
		if at[i].Sub(at[i-1]) != time.Second {
			return false
		}
	}
	return true
}
