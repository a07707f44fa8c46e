package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/task"
)

// snake is a process of examples/python-worker.
type snake struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	said  bytes.Buffer // its standard error; read after ended
	ended chan struct{}
	err   error // how it ended; read after ended
}

// python starts the Python worker against the plant; further entries of its environment
// may be given. It is killed when the test ends.
func (p *plant) python(name string, env ...string) *snake {
	p.t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		p.t.Fatalf("%v: install it, on Debian with apt-get install -y --no-install-recommends python3", err)
	}
	s := &snake{t: p.t, name: name, ended: make(chan struct{})}
	s.cmd = exec.CommandContext(context.WithoutCancel(p.t.Context()), python, "main.py")
	s.cmd.Dir = filepath.Join("..", "examples", "python-worker")
	s.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PYTHONDONTWRITEBYTECODE=1",
		"BELFRY_SERVER=" + p.url, "BELFRY_APP=shop", "BELFRY_KEY=" + p.key, "BELFRY_NODE=" + name,
	}, env...)
	s.cmd.Stderr = &s.said
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { s.err = s.cmd.Wait(); close(s.ended) }()
	p.t.Cleanup(func() {
		s.signal(syscall.SIGKILL)
		<-s.ended
		if p.t.Failed() {
			p.t.Logf("%s ended with %v and said:\n%s", name, s.err, s.said.String())
		}
	})
	return s
}

func (s *snake) signal(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Fatal(err)
	}
}

// awaitExit waits until the process has ended by itself, in good order.
func (s *snake) awaitExit() {
	s.t.Helper()
	select {
	case <-s.ended:
		if s.err != nil {
			s.t.Errorf("%s: %v\n%s", s.name, s.err, s.said.String())
		}
	case <-time.After(patience):
		s.t.Fatalf("%s does not end", s.name)
	}
}

// quick lets a silent node of the plant's group count as dead after two seconds.
func (p *plant) quick() {
	p.t.Helper()
	set := fleet.GroupUpdate{
		ID:                p.group,
		HeartbeatInterval: fleet.Field[time.Duration]{Set: true, Value: new(time.Second)},
		HeartbeatMisses:   fleet.Field[int]{Set: true, Value: new(2)},
	}
	if _, err := p.fleet.UpdateGroup(p.t.Context(), "test", set); err != nil {
		p.t.Fatal(err)
	}
}

// counts runs the handler Count, which saves a checkpoint at each step.
func (p *plant) counts(parameters string, edit func(*job.Input)) string {
	p.t.Helper()
	return p.trigger(p.job("Count", func(in *job.Input) {
		in.Parameters = []byte(parameters)
		if edit != nil {
			edit(in)
		}
	}))
}

// span is what Count answers.
type span struct{ From, To int }

// read decodes a document that another language has written.
func read[T any](t *testing.T, document json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(document, &v); err != nil {
		t.Errorf("%s: %v", document, err)
	}
	return v
}

// logLines reads the beginning of a task's log.
func (p *plant) logLines(id string) []store.LogLine {
	p.t.Helper()
	log, err := p.tasks.Logs(p.t.Context(), id, 0, 10)
	if err != nil {
		p.t.Fatal(err)
	}
	return log.Lines
}

// underWay says whether an attempt has come so far that it has saved something.
func underWay(t models.Task) bool { return t.State == models.TaskRunning && t.Progress != nil }

func TestPythonWorkerSucceeds(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.python("py")
	greet := p.trigger(p.job("Greet", func(in *job.Input) { in.Parameters = []byte(`{"name":"王芳 😀"}`) }))
	if got := read[string](t, p.awaitState(greet, models.TaskSucceeded).Result); got != "hello 王芳 😀" {
		t.Errorf("result %s", got)
	}
	lines := p.logLines(greet)
	if len(lines) != 1 || lines[0].Message != "greeting" || read[map[string]string](t, lines[0].Fields)["name"] != "王芳 😀" {
		t.Errorf("log %+v", lines)
	}
	count := p.awaitState(p.counts(`{"to":4,"pause":0}`, nil), models.TaskSucceeded)
	if count.Progress == nil || *count.Progress != 1 || count.ProgressMessage != "4 of 4" {
		t.Errorf("progress %v %q", count.Progress, count.ProgressMessage)
	}
}

func TestPythonWorkerFails(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.python("py")
	j := p.job("Fail", func(in *job.Input) {
		in.Parameters = []byte(`{"times":2}`)
		in.Retry = &job.RetryInput{MaxAttempts: 3, Delay: 10 * time.Millisecond}
	})
	id := p.trigger(j)
	done := p.awaitState(id, models.TaskSucceeded)
	all := p.attempts(done)
	if len(all) != 3 || !strings.Contains(all[0].Error, "RuntimeError: the shop does not answer") || !strings.Contains(all[1].Error, "main.py") {
		t.Errorf("attempts %+v: want two failures with their stacks and a success", all)
	}
	if lines := p.logLines(id); len(lines) != 2 || lines[1].Attempt != 2 || lines[1].Level != "ERROR" {
		t.Errorf("log %+v", lines)
	}
	made, err := p.tasks.Run(t.Context(), "test", task.NewTask{Job: j.ID, Parameters: []byte(`{"never":true}`)})
	if err != nil {
		t.Fatal(err)
	}
	if never := p.awaitState(made.ID, models.TaskFailed); never.Attempt != 1 || never.Reason != models.ReasonNoRetry {
		t.Errorf("attempt %d, reason %s", never.Attempt, never.Reason)
	}
	nap := p.awaitState(p.trigger(p.job("Nap", func(in *job.Input) { in.Parameters = []byte(`{"seconds":0.05}`) })), models.TaskSucceeded)
	if nap.Attempt != 2 || nap.Tries() != 1 {
		t.Errorf("attempt %d, tries %d", nap.Attempt, nap.Tries())
	}
}

func TestPythonWorkerIsStopped(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.python("py")
	cancelled := p.counts(`{"to":100000}`, func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 5} })
	p.await(cancelled, "a running handler", underWay)
	if _, err := p.tasks.Cancel(t.Context(), "test", "", cancelled, "changed my mind"); err != nil {
		t.Fatal(err)
	}
	if done := p.awaitState(cancelled, models.TaskCancelled); done.Attempt != 1 {
		t.Errorf("a cancelled task was tried %d times", done.Attempt)
	}
	late := p.awaitState(p.counts(`{"to":100000}`, func(in *job.Input) { in.Name, in.Timeout = "late", new(time.Second) }), models.TaskFailed)
	if all := p.attempts(late); len(all) != 1 || all[0].State != "TIMED_OUT" {
		t.Errorf("attempts %+v", all)
	}
	// Both have let their slots go.
	p.awaitState(p.trigger(p.job("Greet", func(in *job.Input) { in.Parameters = []byte(`{"name":"a"}`) })), models.TaskSucceeded)
}

// Another process takes over what a killed one ran, and goes on from its checkpoint.
func TestPythonWorkerIsKilled(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.quick()
	first := p.python("first")
	id := p.counts(`{"to":50,"pause":0.05}`, func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 3} })
	p.await(id, "a running handler", underWay)
	p.python("second")
	first.signal(syscall.SIGKILL)
	done := p.awaitState(id, models.TaskSucceeded)
	all := p.attempts(done)
	if len(all) != 2 || all[0].State != "LOST" || all[0].NodeName != "first" || all[1].NodeName != "second" || read[span](t, done.Result).From == 0 {
		t.Errorf("result %s, attempts %+v", done.Result, all)
	}
}

// One that is told to end hands back what it cannot end in time, uses up no try and leaves.
func TestPythonWorkerDrains(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	patient := p.python("patient", "BELFRY_GRACE=60")
	short := p.counts(`{"to":20,"pause":0.05}`, nil)
	p.await(short, "a running handler", underWay)
	patient.signal(syscall.SIGTERM)
	if done := p.awaitState(short, models.TaskSucceeded); done.Attempt != 1 {
		t.Errorf("attempt %d, want the end of the first", done.Attempt)
	}
	patient.awaitExit()

	hasty := p.python("hasty", "BELFRY_GRACE=0.1")
	long := p.counts(`{"to":200,"pause":0.02}`, func(in *job.Input) { in.Name = "long" })
	p.await(long, "a running handler", underWay)
	p.python("third")
	hasty.signal(syscall.SIGTERM)
	hasty.awaitExit()
	done := p.awaitState(long, models.TaskSucceeded)
	if all := p.attempts(done); done.Tries() != 1 || len(all) != 2 || all[0].NodeName != "hasty" || all[1].NodeName != "third" {
		t.Errorf("tries %d, attempts %+v", done.Tries(), all)
	}
	nodes := until(p, "both that left to be offline", func() ([]models.Node, error) { return p.fleet.Nodes(t.Context(), p.group) },
		func(all []models.Node) bool {
			offline := 0
			for i := range all {
				if all[i].State == models.NodeOffline {
					offline++
				}
			}
			return offline == 2
		})
	if len(nodes) != 3 {
		t.Errorf("%d nodes", len(nodes))
	}
}

// An attempt that ends while no server runs is acknowledged by the next one: nothing is
// run twice.
func TestPythonWorkerOutlivesTheServer(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.python("py")
	id := p.counts(`{"to":10,"pause":0.05}`, nil)
	p.await(id, "a running handler", underWay)
	p.stop()
	p.start()
	done := p.awaitState(id, models.TaskSucceeded)
	if done.Attempt != 1 || read[span](t, done.Result) != (span{0, 10}) {
		t.Errorf("attempt %d, result %s", done.Attempt, done.Result)
	}
	p.awaitState(p.trigger(p.job("Greet", func(in *job.Input) { in.Parameters = []byte(`{"name":"b"}`) })), models.TaskSucceeded)
}
