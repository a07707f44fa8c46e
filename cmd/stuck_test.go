package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// puppet is a worker process that takes what it is given, until it dies without a word.
type puppet struct {
	p     *plant
	hello wire.Register
}

// ask sends one request of the protocol and answers the open response.
func (u *puppet) ask(ctx context.Context, method, path string, body any) *http.Response {
	u.p.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		u.p.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.p.url+path, bytes.NewReader(raw))
	if err != nil {
		u.p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+u.p.key)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		u.p.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		u.p.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text)
	}
	return answer
}

// takeAndDie registers, waits until it has so many attempts, and is gone.
func (u *puppet) takeAndDie(attempts int) {
	u.p.t.Helper()
	ctx, die := context.WithCancel(u.p.t.Context())
	defer die()
	_ = u.ask(ctx, http.MethodPost, wire.PathRegister, u.hello).Body.Close()
	where := fmt.Sprintf("%s?group=%s&node=%s&incarnation=%s", wire.PathStream, u.hello.Group, u.hello.Node, u.hello.Incarnation)
	stream := u.ask(ctx, http.MethodGet, where, nil)
	defer func() { _ = stream.Body.Close() }()
	frames := json.NewDecoder(stream.Body)
	for held := 0; held < attempts; {
		var f wire.Frame
		if err := frames.Decode(&f); err != nil {
			u.p.t.Fatal(err)
		}
		held += len(f.Assign)
	}
}

// A worker is killed with twenty runs in flight and nobody takes its place: none of
// them stays running. Each is lost, names the worker, and waits; when another worker
// comes, it runs them (CB-059).
func TestRunsOfADeadWorkerDoNotStayRunning(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	_, err := p.fleet.UpdateGroup(t.Context(), "test", fleet.GroupUpdate{
		ID: p.group, HeartbeatInterval: fleet.Field[time.Duration]{Set: true, Value: new(time.Second)},
		HeartbeatMisses: fleet.Field[int]{Set: true, Value: new(2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	j := p.job("Count", func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 2} })
	ids := make([]string, 20)
	for i := range ids {
		ids[i] = p.trigger(j)
	}
	u := puppet{p, wire.Register{
		Protocol: wire.Version, App: "shop", Group: "default", Node: "doomed", Incarnation: "incarnation-1", Slots: len(ids), Handlers: []string{"Count"},
	}}
	u.takeAndDie(len(ids))
	for _, id := range ids {
		lost := p.await(id, "an attempt that is lost", func(t models.Task) bool { return t.State != models.TaskRunning })
		if all := p.attempts(lost); len(all) == 0 || all[0].State != task.AttemptLost || !strings.Contains(all[0].Error, "doomed") {
			t.Errorf("task %s is %s, its attempts are %+v", id, lost.State, all)
		}
	}
	p.work("heir", func(w *worker.Worker) {
		worker.Handle(w, "Count", func(context.Context, *worker.Task, none) error { return nil })
	})
	for _, id := range ids {
		if got := p.awaitState(id, models.TaskSucceeded); got.Attempt != 2 {
			t.Errorf("task %s succeeded with attempt %d", id, got.Attempt)
		}
	}
}

// A run stands as running, but nothing else is left of who runs it: the rescue starts
// from the runs, so it is found all the same (CB-061).
func TestARunWithoutItsNodeDoesNotStayRunning(t *testing.T) {
	t.Parallel()
	p := stillPlant(t)
	ctx, now := t.Context(), p.clock.Now()
	j := p.job("Count", func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 2} })
	if err := p.tasks.Start(ctx); err != nil {
		t.Fatal(err)
	}
	made, err := p.tasks.Run(ctx, "test", task.NewTask{Job: j.ID})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.tasks.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	node, _, err := p.store.RegisterNode(ctx, models.Node{
		ID: models.NewID(now), AppID: j.AppID, GroupID: j.GroupID, Name: "forgotten", Incarnation: "incarnation-1",
		State: models.NodeSuspect, Slots: 1, Labels: []byte("{}"), Handlers: []byte(`["Count"]`), StartedAt: now, LastSeenAt: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := p.store.SetNodeState(ctx, node.ID, node.Incarnation, models.NodeOnline, p.id); !ok || err != nil {
		t.Fatal(ok, err)
	}
	rows, refused, err := p.store.DispatchTasks(ctx, nil, now, []store.Dispatch{{
		TaskID: made.ID, Attempt: made.Attempt, NodeID: node.ID, NodeName: node.Name, Incarnation: node.Incarnation, TimeoutMS: j.TimeoutMS,
	}}, nil)
	if err != nil || len(rows) != 1 {
		t.Fatalf("dispatching: %v, %v", refused, err)
	}
	if _, err := p.store.LoseNode(ctx, node.ID, node.Incarnation); err != nil {
		t.Fatal(err)
	}
	if _, err := p.fleet.RemoveNode(ctx, "test", node.ID); err != nil {
		t.Fatal(err)
	}
	p.serve()
	p.work("heir", func(w *worker.Worker) {
		worker.Handle(w, "Count", func(context.Context, *worker.Task, none) error { return nil })
	})
	got := p.awaitState(made.ID, models.TaskSucceeded)
	if all := p.attempts(got); len(all) != 2 || all[0].State != task.AttemptLost || !strings.Contains(all[0].Error, "forgotten") {
		t.Errorf("attempts %+v", all)
	}
}
