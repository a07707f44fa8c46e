package rescue

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is everything around a Rescue: one group in partition 7, its attempts and
// nodes, and what was done to them.
type world struct {
	now     time.Time
	group   models.NodeGroup
	running []models.Running
	silent  []models.Node
	rows    []models.Task // RUNNING in the ledger
	owned   map[int]int64
	readErr error
	endErr  error
	reads   int // of silent nodes

	cancels []string // task and cause
	ended   []store.AttemptEnd
	fences  []store.Fence
	offline []string
	lost    []int
}

func (w *world) Now() time.Time { return w.now }

func (w *world) SilentNodes(context.Context, []string, time.Time) ([]models.Node, error) {
	w.reads++
	return w.silent, w.readErr
}

func (w *world) LoseNode(_ context.Context, id, _ string) (bool, error) {
	if slices.Contains(w.offline, id) {
		return false, nil
	}
	w.offline = append(w.offline, id)
	return true, nil
}

func (w *world) RunningTasks(context.Context, []string) ([]models.Task, error) { return w.rows, nil }
func (w *world) Snapshot() []models.Running                                    { return w.running }
func (w *world) Groups() map[string]models.NodeGroup {
	return map[string]models.NodeGroup{w.group.ID: w.group}
}

func (w *world) Cancel(_ context.Context, t *models.Task, cause string) {
	w.cancels = append(w.cancels, t.ID+" "+cause)
}
func (w *world) Partitions() map[int]int64 { return w.owned }
func (w *world) Lost(partitions ...int)    { w.lost = append(w.lost, partitions...) }

func (w *world) End(_ context.Context, ends ...store.AttemptEnd) ([]store.EndResult, []error, error) {
	w.ended = append(w.ended, ends...)
	return make([]store.EndResult, len(ends)), nil, w.endErr
}

func (w *world) EndFenced(_ context.Context, fence store.Fence, ends []store.AttemptEnd) ([]store.EndResult, error) {
	if w.endErr != nil {
		return nil, w.endErr
	}
	w.fences = append(w.fences, fence)
	w.ended = append(w.ended, ends...)
	return make([]store.EndResult, len(ends)), nil
}
func (w *world) NodeChanged(context.Context, models.Node) {}

func newWorld(t *testing.T) (*world, *Rescue) {
	t.Helper()
	w := &world{
		now: noon, owned: map[int]int64{7: 3},
		group: models.NodeGroup{ID: "g", HeartbeatMS: 5000, HeartbeatMisses: 3},
	}
	r, err := New(Config{Ledger: w, Running: w, Owner: w, Ender: w, Watcher: w, Clock: w, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return w, r
}

func attempt(id string) models.Running {
	return models.Running{Partition: 7, Task: models.Task{
		ID: id, GroupID: "g", State: models.TaskRunning, Attempt: 2, NodeID: new("n"), NodeName: "worker-1", Incarnation: "i", TimeoutMS: 60_000,
	}}
}

func ago(d time.Duration) *time.Time { return new(noon.Add(-d)) }

func TestAttemptsAreJudged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		with   func(*models.Running)
		end    models.Outcome
		cancel string
	}{
		"runs well":                   {with: func(r *models.Running) { r.Task.DeadlineAt = new(noon.Add(time.Second)) }},
		"no limit":                    {with: func(*models.Running) {}},
		"its node is gone":            {with: func(r *models.Running) { r.NodeGone = true }, end: models.OutcomeLost},
		"another server's":            {with: func(r *models.Running) { r.NodeGone, r.Partition = true, 8 }},
		"limit just passed":           {with: func(r *models.Running) { r.Task.DeadlineAt = ago(time.Second) }, cancel: wire.CauseTimeLimit},
		"limit passed, told just now": {with: func(r *models.Running) { r.Task.DeadlineAt, r.CancelledAt = ago(3*time.Second), *ago(time.Second) }},
		"limit passed, told long ago": {with: func(r *models.Running) { r.Task.DeadlineAt, r.CancelledAt = ago(9*time.Second), *ago(5 * time.Second) }, cancel: wire.CauseTimeLimit},
		"limit passed beyond grace":   {with: func(r *models.Running) { r.Task.DeadlineAt = ago(limitGrace) }, end: models.OutcomeTimedOut},
		"to be cancelled":             {with: func(r *models.Running) { r.Task.CancelRequestedAt = ago(time.Second) }, cancel: wire.CauseCancelled},
		"to be replaced": {with: func(r *models.Running) {
			r.Task.CancelRequestedAt, r.Task.Reason = ago(time.Second), models.ReasonReplaced
		}, cancel: wire.CauseReplaced},
		"deaf to its cancellation":   {with: func(r *models.Running) { r.Task.CancelRequestedAt = ago(cancelGrace) }, end: models.OutcomeCancelled},
		"gone while to be cancelled": {with: func(r *models.Running) { r.NodeGone, r.Task.CancelRequestedAt = true, ago(time.Second) }, end: models.OutcomeLost},
		"cancelled and past its limit": {with: func(r *models.Running) {
			r.Task.CancelRequestedAt, r.Task.DeadlineAt = ago(time.Second), ago(time.Hour)
		}, cancel: wire.CauseCancelled},
	} {
		w, r := newWorld(t)
		a := attempt("t")
		tt.with(&a)
		w.running = []models.Running{a}
		if err := r.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got models.Outcome
		if len(w.ended) > 0 {
			got = w.ended[0].Outcome
			if e := w.ended[0]; e.TaskID != "t" || e.Attempt != 2 || !e.FinishedAt.Equal(noon) || e.Error == "" {
				t.Errorf("%s: the end %+v", name, e)
			}
			if diff := cmp.Diff(store.Fence{7: 3}, w.fences[0]); diff != "" {
				t.Errorf("%s: fence (-want +got):\n%s", name, diff)
			}
		}
		var want []string
		if tt.cancel != "" {
			want = []string{"t " + tt.cancel}
		}
		if got != tt.end || !slices.Equal(w.cancels, want) {
			t.Errorf("%s: ended %v, want %v; cancelled %v, want %v", name, got, tt.end, w.cancels, want)
		}
	}
}

func TestManyEndsGoInBatches(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t)
	for range 2*perBatch + 1 {
		a := attempt(models.NewID(noon))
		a.NodeGone = true
		w.running = append(w.running, a)
	}
	if err := r.Pass(t.Context()); err != nil || len(w.fences) != 3 || len(w.ended) != 2*perBatch+1 {
		t.Errorf("%d ends in %d batches, %v", len(w.ended), len(w.fences), err)
	}
}

// A run of 65 minutes whose node is heard is left alone: only its own time limit ends
// it, and no lock or lease has a length of its own (CB-055).
func TestLongRunsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t)
	a := attempt("long")
	a.Task.DeadlineAt = new(noon.Add(2 * time.Hour))
	w.running = []models.Running{a}
	for ; w.now.Before(noon.Add(65 * time.Minute)); w.now = w.now.Add(time.Second) {
		if err := r.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.ended) != 0 || len(w.cancels) != 0 {
		t.Errorf("ended %v, cancelled %v", w.ended, w.cancels)
	}
}

// After an outage of the ledger every node looks silent: none is lost before this
// server has itself read the ledger well for the group's threshold.
func TestSilentNodesAreLostOnlyByAServerThatSaw(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t)
	w.silent = []models.Node{{ID: "n", GroupID: "g", Name: "worker-1", Incarnation: "i"}}
	after := w.group.OfflineAfter()
	at := func(d time.Duration, err error, want int) {
		t.Helper()
		w.now, w.readErr = noon.Add(d), err
		if _, got := r.round(t.Context()); (got != nil) != (err != nil) {
			t.Fatalf("after %s: the loop is told %v", d, got)
		}
		if len(w.offline) != want {
			t.Fatalf("after %s: offline %v", d, w.offline)
		}
	}
	at(0, nil, 0)                     // just started
	at(after-time.Second, nil, 0)     // not long enough
	at(after, errors.New("away"), 0)  // the ledger is away
	at(after+time.Second, nil, 0)     // back: counts from here
	at(2*after, nil, 0)               // nearly
	at(2*after+time.Second, nil, 1)   // well for the threshold
	at(2*after+2*time.Second, nil, 1) // once
}

func TestOnlyTheGoneProcessesAttemptsEnd(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t)
	other, newer, mine, nobodys := attempt("other").Task, attempt("newer").Task, attempt("mine").Task, attempt("nobody").Task
	other.NodeID, newer.Incarnation, nobodys.NodeID = new("m"), "i2", nil
	w.rows = []models.Task{other, newer, mine, nobodys}
	node := models.Node{ID: "n", GroupID: "g", Name: "worker-1", Incarnation: "i"}
	if err := r.NodeGone(t.Context(), node, models.OutcomeReleased); err != nil {
		t.Fatal(err)
	}
	if len(w.ended) != 1 || w.ended[0].TaskID != "mine" || w.ended[0].Outcome != models.OutcomeReleased || w.ended[0].Incarnation != "i" {
		t.Errorf("ended: %+v", w.ended)
	}
	w.rows, w.endErr = []models.Task{mine}, errors.New("away")
	if err := r.NodeGone(t.Context(), node, models.OutcomeLost); err == nil {
		t.Error("a failed end was not told")
	}
}

// A deposed owner gives up what it does not own; any other failure is repeated by
// the next pass.
func TestFailuresOfAPass(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t)
	a := attempt("t")
	a.NodeGone = true
	w.running = []models.Running{a}
	w.endErr = &store.DeposedError{Partitions: []int{7}}
	if _, err := r.round(t.Context()); err != nil || !slices.Equal(w.lost, []int{7}) {
		t.Errorf("gave up %v, %v", w.lost, err)
	}
	w.endErr = errors.New("away")
	if _, err := r.round(t.Context()); err == nil {
		t.Error("a failed pass is no failure")
	}
	w.endErr = nil
	if _, err := r.round(t.Context()); err != nil || len(w.ended) != 1 || len(w.lost) != 1 {
		t.Errorf("ended %v, gave up %v, %v", w.ended, w.lost, err)
	}
}

func TestAServiceNeedsALogger(t *testing.T) {
	t.Parallel()
	if _, err := New(Config{}); err == nil {
		t.Error("a configuration without a logger was taken")
	}
}

// It looks every second, goes on doing so while the ledger is away, and says so.
func TestItLooksEverySecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, r := newWorld(t)
		w.readErr = errors.New("away")
		if err := errors.Join(r.Stop(t.Context()), r.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		if h := r.Health()[0]; h.Name != "rescue" || !h.Running || h.Failures < 4 || h.LastError == "" {
			t.Errorf("while the ledger is away: %+v", h)
		}
		if err := r.Stop(t.Context()); err != nil { // the world has no locks
			t.Fatal(err)
		}
		w.readErr = nil
		if err := r.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		reads := w.reads
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		if h := r.Health()[0]; h.Failures != 0 || h.Overdue != 0 || w.reads-reads != 3 {
			t.Errorf("%d looks in 2.5 s; %+v", w.reads-reads, h)
		}
		if err := r.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
