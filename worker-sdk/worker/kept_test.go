package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/spill"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// answer registers a handler that succeeds with the text it was given.
func answer(w *worker.Worker) {
	worker.Handle(w, "Answer", func(_ context.Context, task *worker.Task, text string) error { return task.SetResult(text) })
}

// inFolder lists the files in dir.
func inFolder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// refuseReports makes every report fail, as do good-byes: the server is away for them.
func refuseReports(call workertest.Call) workertest.Fault {
	return workertest.Fault{Refuse: call.Path == wire.PathReport || call.Path == wire.PathLeave}
}

// strand runs n tasks on a worker whose reports do not arrive, and stops it.
func strand(t *testing.T, dir string, n int) (*bench, []string) {
	t.Helper()
	b := begin(t, func(c *worker.Config) { c.SpillDir = dir }, answer)
	b.Inject(refuseReports)
	var ids []string
	for i := range n {
		ids = append(ids, b.enqueue("Answer", fmt.Sprint("result ", i)))
	}
	time.Sleep(10 * time.Second) // in the bubble
	b.stop()
	err := <-b.done
	if err == nil || !strings.Contains(err.Error(), "their results are in "+dir) {
		t.Fatalf("Run: %v", err)
	}
	if files := inFolder(t, dir); len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	return b, ids
}

func TestTheNextProcessSendsWhatWasKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		b, ids := strand(t, dir, 12)
		var order []string
		b.Inject(func(call workertest.Call) workertest.Fault {
			if len(order) < 4 && call.Path != wire.PathStream {
				order = append(order, call.Path)
			}
			return workertest.Fault{Refuse: len(order) < 3} // it comes back by and by
		})
		second := join(t, b.Server, "w1", func(c *worker.Config) { c.SpillDir = dir }, answer)
		for i, id := range ids {
			o := second.wait(id)
			if o.State != "SUCCEEDED" || string(o.Result) != fmt.Sprintf("%q", fmt.Sprint("result ", i)) || len(o.Attempts) != 1 {
				t.Errorf("task %d: %+v", i, o)
			}
		}
		if got := strings.Join(order, " "); got != strings.Repeat(wire.PathReport+" ", 3)+wire.PathRegister {
			t.Errorf("order of calls: %s", got)
		}
		second.end()
		if files := inFolder(t, dir); len(files) != 0 {
			t.Errorf("files left: %v", files)
		}
	})
}

// What another node has done meanwhile stays: the server says that it is stale.
func TestWhatComesTooLateIsDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		b, ids := strand(t, dir, 3)
		b.Inject(nil)
		other := join(t, b.Server, "w1", nil, func(w *worker.Worker) { // the same node, without the folder
			worker.Handle(w, "Answer", func(_ context.Context, task *worker.Task, _ string) error { return task.SetResult("other") })
		})
		for _, id := range ids {
			other.wait(id)
		}
		third := join(t, b.Server, "w3", func(c *worker.Config) { c.SpillDir = dir }, answer)
		if err := b.Connected(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if o, _ := b.Outcome(id); string(o.Result) != `"other"` {
				t.Errorf("%+v", o)
			}
		}
		third.stop()
		if err := <-third.done; err != nil {
			t.Error(err)
		}
		other.end()
		if files := inFolder(t, dir); len(files) != 0 {
			t.Errorf("files left: %v", files)
		}
	})
}

// While the server is there the file holds what is under way only.
func TestWhatIsDeliveredIsNotKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		b := begin(t, func(c *worker.Config) { c.SpillDir = dir }, func(w *worker.Worker) {
			answer(w)
			worker.Handle(w, "Panic", func(context.Context, *worker.Task, struct{}) error { panic("no") })
		})
		for i := range 200 {
			b.wait(b.enqueue("Answer", i%2))
		}
		b.wait(b.enqueue("Panic", nil))
		b.end()
		if files := inFolder(t, dir); len(files) != 0 {
			t.Errorf("files left: %v", files)
		}
	})
}

// orphan writes a file as a process of node w1 that is gone has left it.
func orphan(t *testing.T, dir string, results ...string) {
	t.Helper()
	orphanOf(t, dir, "w0", results...)
}

func orphanOf(t *testing.T, dir, node string, results ...string) {
	t.Helper()
	f, err := spill.Create(dir, spill.Header{App: workertest.App, Group: "default", Node: node, Incarnation: "incarnation-0"}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range results {
		if _, err := f.Append([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func resultOf(id string) string {
	return fmt.Sprintf(`{"task":%q,"attempt":1,"result":{"outcome":"succeeded","startedAt":"2026-11-30T07:30:00Z","finishedAt":"2026-11-30T07:30:01Z"}}`, id)
}

// announce registers the process that has left the file.
func announce(t *testing.T, server *workertest.Server) {
	t.Helper()
	body := `{"protocol":1,"app":"` + workertest.App + `","group":"default","node":"w0","incarnation":"incarnation-0","slots":1}`
	_ = ask(t, server, http.MethodPost, wire.PathRegister, body).Body.Close()
}

// ask speaks the protocol by hand.
func ask(t *testing.T, server *workertest.Server, method, path, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, workertest.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+workertest.Key)
	resp, err := server.Client().Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%+v, %v", resp, err)
	}
	return resp
}

// A process that was killed together with its server seems to live for some heartbeats. Its
// file, which is not locked any more, proves that it does not, and its successor does not
// wait for its name; another node's file proves nothing.
func TestTheFileOfADeadProcessGivesItsNameFree(t *testing.T) {
	t.Parallel()
	for node, wait := range map[string]bool{"w0": false, "w1": true} {
		synctest.Test(t, func(t *testing.T) {
			dir := t.TempDir()
			orphanOf(t, dir, node, resultOf("task-1"))
			server := workertest.NewServer(t)
			announce(t, server)
			stream := ask(t, server, http.MethodGet, wire.PathStream+"?group=default&node=w0&incarnation=incarnation-0", "")
			began := time.Now()
			time.AfterFunc(10*time.Second, func() { _ = stream.Body.Close() }) // until then it seems to live
			b := join(t, server, "w0", func(c *worker.Config) { c.SpillDir = dir }, answer)
			b.wait(b.enqueue("Answer", 1))
			if waited := time.Since(began) >= 10*time.Second; waited != wait {
				t.Errorf("with the file of %s it worked after %s", node, time.Since(began))
			}
			b.end()
			_ = stream.Body.Close()
		})
	}
}

// acking notes what comes and refuses each report in which task 7 is.
func acking(t *testing.T, seen map[string]int, call workertest.Call) workertest.Fault {
	if call.Path != wire.PathReport {
		return workertest.Fault{}
	}
	var r wire.Report
	if err := json.Unmarshal(call.Body, &r); err != nil || r.Node != "w0" || r.Incarnation != "incarnation-0" || r.SentAt.IsZero() {
		t.Errorf("%s, %v", call.Body, err)
	}
	for _, it := range r.Items {
		seen[it.Task]++
		if it.Task == "task-7" { // nothing that stands beside it is taken
			return workertest.Fault{Error: &wire.Error{Code: wire.CodeInvalid, Message: "not this one"}}
		}
	}
	return workertest.Fault{}
}

func TestAResultThatCannotBeTakenHoldsUpNone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var results []string
		for i := range 20 {
			results = append(results, resultOf(fmt.Sprint("task-", i)))
		}
		orphan(t, dir, results...)
		seen := map[string]int{}
		server := workertest.NewServer(t)
		announce(t, server)
		server.Inject(func(call workertest.Call) workertest.Fault { return acking(t, seen, call) })
		b := join(t, server, "w0", func(c *worker.Config) { c.SpillDir = dir }, answer)
		if err := server.Connected(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		b.end()
		if len(seen) != 20 || len(inFolder(t, dir)) != 0 {
			t.Errorf("seen %v, left %v", seen, inFolder(t, dir))
		}
	})
}

func TestAnUnusableFolderIsNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	server := workertest.NewServer(t)
	defer server.Close()
	cfg := server.Config("w1")
	cfg.SpillDir = file
	w, err := worker.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	answer(w)
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "Config.SpillDir is "+fmt.Sprintf("%q", file)) || !strings.Contains(err.Error(), "give a folder") {
		t.Errorf("Run: %v", err)
	}
}
