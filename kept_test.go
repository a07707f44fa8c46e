package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/apptest"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// keep is a handler that notes its run in the folder, and returns once the file "go"
// is there.
func keep(ctx context.Context, t *worker.Task, args struct{ Folder string }) error {
	runs, err := os.OpenFile(filepath.Join(args.Folder, "runs"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer runs.Close()
	if _, err := fmt.Fprintf(runs, "%s %d\n", t.ID, t.Attempt); err != nil {
		return err
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(filepath.Join(args.Folder, "go")); err == nil {
			return t.SetResult(t.Attempt)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// standalone is one server on SQLite that can be killed and comes back at its address.
type standalone struct {
	*cluster
	env []string
}

func startStandalone(t *testing.T) *standalone {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a free port
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	s := &standalone{cluster: &cluster{}, env: []string{
		"BELFRY_DATABASE_URL=sqlite://" + filepath.Join(t.TempDir(), "belfry.db"), "BELFRY_LISTEN=" + addr,
	}}
	s.start(t)
	s.api = apptest.API{URL: s.urls[0], Token: apptest.Run(t, s.env, "token", "create", "--name", "test", "--role", "ADMIN")}
	s.key = apptest.Run(t, s.env, "app", "create", "shop")
	type groups struct {
		App struct{ NodeGroups []struct{ ID, Name string } }
	}
	s.group = apptest.Do[groups](t, s.api, `{app(name:"shop"){nodeGroups{id name}}}`, nil).App.NodeGroups[0].ID
	return s
}

func (s *standalone) start(t *testing.T) {
	t.Helper()
	p := apptest.Start(t, "server", s.env, apptest.Binary(t), "serve")
	s.servers, s.urls = []*apptest.Process{p}, []string{p.Await(t, apptest.Ready)}
}

// keeper starts a worker process; with a folder it keeps its results there.
func (s *standalone) keeper(t *testing.T, name, folder string) *apptest.Process {
	t.Helper()
	env := []string{workerEnv + "=" + name, "SERVERS=" + s.urls[0], "KEY=" + s.key, "SPILL_DIR=" + folder}
	return apptest.Start(t, "worker "+name, env, os.Args[0])
}

// strand runs n tasks on a worker whose server dies under it, and kills the worker with
// their results in its folder. Then the server is back.
func (s *standalone) strand(t *testing.T, job, dir, spill string, n int) []string {
	t.Helper()
	w := s.keeper(t, "w1", spill)
	awaitRegistered(t, w) // before that the server may give tasks to the process that was killed
	var ids []string
	for range n {
		ids = append(ids, s.trigger(t, job))
	}
	apptest.Until(t, "all handlers to run", func() bool {
		for _, id := range ids {
			if len(runsOf(t, dir, id)) == 0 {
				return false
			}
		}
		return true
	})
	s.servers[0].Kill(t)
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	apptest.Until(t, "all results to be in the folder", func() bool {
		kept := folder(t, spill)
		for _, id := range ids {
			if !strings.Contains(kept, `"task":"`+id+`"`) {
				return false
			}
		}
		return true
	})
	w.Kill(t)
	s.start(t)
	return ids
}

// runsOf returns the attempts of a task whose handler has begun, in order.
func runsOf(t *testing.T, dir, id string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "runs"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var attempts []string
	for line := range strings.Lines(string(text)) {
		if attempt, ok := strings.CutPrefix(strings.TrimSpace(line), id+" "); ok {
			attempts = append(attempts, attempt)
		}
	}
	return attempts
}

// folder returns what the files of a folder hold, one after the other.
func folder(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// Server and worker are both killed with results on their way. The next worker with the
// folder delivers them, and no handler runs again; where others were faster, the
// results are refused and what the others did stands.
func TestResultsOutliveAKilledWorker(t *testing.T) {
	t.Parallel()
	s := startStandalone(t)
	spill := t.TempDir()

	dir, job := s.keepJob(t, "Keep")
	ids := s.strand(t, job, dir, spill, 8)
	next := s.keeper(t, "w1", spill)
	for _, id := range ids {
		v := s.awaitState(t, id, "SUCCEEDED")
		if len(v.Task.Attempts) != 1 || fmt.Sprint(v.Task.Result) != "1" || len(runsOf(t, dir, id)) != 1 {
			t.Errorf("the task %+v ran %v", v.Task, runsOf(t, dir, id))
		}
	}
	awaitRegistered(t, next)
	endWell(t, next)

	dir, job = s.keepJob(t, "Late")
	ids = s.strand(t, job, dir, spill, 3)
	faster := s.keeper(t, "w1", "") // the same node without the folder: the server gives its attempts away
	for _, id := range ids {
		v := s.awaitState(t, id, "SUCCEEDED")
		if len(v.Task.Attempts) != 2 || v.Task.Attempts[0].State != "LOST" || fmt.Sprint(v.Task.Result) != "2" {
			t.Errorf("the task %+v", v.Task)
		}
	}
	late := s.keeper(t, "w2", spill)
	for _, id := range ids {
		apptest.Until(t, "the late result of "+id+" to be refused", func() bool { return s.refused(t, id) })
		if v := s.task(t, id); v.Task.State != "SUCCEEDED" || fmt.Sprint(v.Task.Result) != "2" || len(v.Task.Attempts) != 2 {
			t.Errorf("after the late result: %+v", v.Task)
		}
	}
	endWell(t, late)
	endWell(t, faster)
	if left := folder(t, spill); left != "" {
		t.Errorf("left in the folder: %q", left)
	}
}

// keepJob makes a job of the handler Keep and the folder through which it is steered.
func (s *standalone) keepJob(t *testing.T, name string) (dir, job string) {
	t.Helper()
	dir = t.TempDir()
	return dir, s.createJob(t, map[string]any{
		"name": name, "handler": "Keep", "trigger": map[string]any{"manual": true}, "parameters": map[string]any{"folder": dir},
		"retry": map[string]any{"maxAttempts": 5, "delay": "100ms"},
	})
}

// refused says whether the task's timeline tells of a result that came too late.
func (s *standalone) refused(t *testing.T, id string) bool {
	t.Helper()
	type view struct {
		Task struct{ Timeline []struct{ Message string } }
	}
	for _, entry := range apptest.Do[view](t, s.api, `query($id:ID!){task(id:$id){timeline{message}}}`, map[string]any{"id": id}).Task.Timeline {
		if strings.Contains(entry.Message, "of attempt 1 was refused") {
			return true
		}
	}
	return false
}

func awaitRegistered(t *testing.T, p *apptest.Process) {
	t.Helper()
	apptest.Until(t, p.Name+" to be registered", func() bool { return strings.Contains(p.Output(), "INFO registered node=") })
}

func endWell(t *testing.T, p *apptest.Process) {
	t.Helper()
	p.Signal(t, syscall.SIGTERM)
	if code := p.Wait(t); code != 0 {
		t.Errorf("%s ended with %d: %s", p.Name, code, p.Output())
	}
}
