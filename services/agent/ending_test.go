package agent

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// Everybody whom a program can start to outlive it: children that ignore SIGTERM, in
// groups of their own, in sessions of their own, whose parents are gone.
const stubborn = `trap '' TERM
cd "$1"
sh -c 'trap "" TERM; echo $$ >child; while :; do sleep 1; done' &
sh -c 'sh -c "trap \"\" TERM; echo \$\$ >orphan; while :; do sleep 1; done" &'
setsid sh -c 'trap "" TERM; echo $$ >detached; while :; do sleep 1; done' &
(set -m; sh -c 'trap "" TERM; echo $$ >group; while :; do sleep 1; done' &)
while :; do sleep 1; done
`

func TestTimeLimitEndsEverythingThatWasStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(t.TempDir(), "stubborn")
	if err := os.WriteFile(script, []byte(stubborn), 0o600); err != nil {
		t.Fatal(err)
	}
	a := agentWith(t, "commands: [{program: /bin/sh, anyArguments: true}]", nil)
	o := run(t, a.command, object{"command": []string{"/bin/sh", script, dir}, "grace": "300ms"}, workertest.TimeLimit(3*time.Second))
	if o.Ending != "timed_out" || !strings.Contains(o.Error, "ended by SIGKILL, after it had not ended by itself") {
		t.Errorf("%s: %s", o.Ending, o.Error)
	}
	for _, name := range []string{"child", "orphan", "detached", "group"} {
		if pid := content(t, filepath.Join(dir, name)); !ended(t, pid) {
			t.Errorf("%s still runs as %s", name, pid)
		}
	}
	if r := resultOf(t, o); r.Signal != "SIGKILL" {
		t.Errorf("%+v", r)
	}
}

func TestProgramMayCleanUpBeforeItEnds(t *testing.T) {
	t.Parallel()
	o := shell(t, `trap 'echo cleaned up; exit 0' TERM; echo ready; while :; do sleep 0.05; done`, workertest.TimeLimit(500*time.Millisecond))
	// An exit code of 0 is no success when the program was told to end.
	if o.Ending != "timed_out" || !o.Logged("cleaned up") || strings.Contains(o.Error, "SIGKILL") {
		t.Errorf("%s %s\n%s", o.Ending, o.Error, o.LogText())
	}
	// A stopped program cannot hear SIGTERM until it is woken.
	began := time.Now()
	o = shell(t, `kill -STOP $$; echo woken; sleep 60`, workertest.TimeLimit(300*time.Millisecond))
	if o.Ending != "timed_out" || time.Since(began) > 4*time.Second {
		t.Errorf("%s after %s", o.Ending, time.Since(began))
	}
}

// A shell that leaves a child in the background, which holds the output, ends at once
// all the same, and the child with it.
func TestBackgroundChildDoesNotHoldTheAttempt(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	began := time.Now()
	o := shell(t, `sleep 300 & echo $! >`+pid+`; echo done`)
	if o.Err != nil || !o.Logged("done") || time.Since(began) > 30*time.Second {
		t.Errorf("%v after %s", o.Err, time.Since(began))
	}
	if !strings.Contains(o.LogText(), "left others of its group running") {
		t.Errorf("nothing is said:\n%s", o.LogText())
	}
	if id := content(t, pid); !ended(t, id) {
		t.Errorf("%s still runs", id)
	}
}

// A daemon that has detached itself lives on, and its hold on the output is let go.
func TestDaemonLivesOn(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	o := shell(t, `setsid sh -c 'echo $$ >`+pid+`; exec sleep 300' & while ! [ -s `+pid+` ]; do sleep 0.01; done; echo done`)
	if o.Err != nil || !strings.Contains(o.LogText(), "still holds the output") {
		t.Errorf("%v\n%s", o.Err, o.LogText())
	}
	id := strings.TrimSpace(content(t, pid))
	if ended(t, id) {
		t.Error("the daemon was ended")
	}
	if o := shell(t, "kill -9 "+id); o.Err != nil {
		t.Error(o.Err)
	}
}

func TestProgramThatClosesItsOutputIsWaitedFor(t *testing.T) {
	t.Parallel()
	marker := filepath.Join(t.TempDir(), "marker")
	if o := shell(t, `exec >&- 2>&-; sleep 0.3; echo late >`+marker); o.Err != nil {
		t.Error(o.Err)
	}
	if got := content(t, marker); got != "late\n" {
		t.Errorf("%q", got)
	}
}

func TestLineWithoutEndIsShownWhenItRests(t *testing.T) {
	t.Parallel()
	s := workertest.NewServer(t)
	w, err := worker.New(s.Config("w1"))
	if err != nil {
		t.Fatal(err)
	}
	agentWith(t, anyShell, nil).Register(w)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	id, err := s.Enqueue(HandlerCommand, object{"shell": `printf 'Password: '; sleep 300`})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Until(t.Context(), id, func(o workertest.Outcome) bool { return o.Logged("Password: ") }); err != nil {
		t.Fatal(err)
	}
	s.Cancel(id, "enough")
	o, err := s.Wait(t.Context(), id)
	if err != nil || o.State != "CANCELLED" || !strings.Contains(o.Error, "SIGTERM") {
		t.Errorf("%s %s %v", o.State, o.Error, err)
	}
}

func TestMissingProgramMayBeRetriedElsewhere(t *testing.T) {
	t.Parallel()
	a := agentWith(t, "commands: [{program: /nonexistent/x}]", nil)
	o := run(t, a.command, object{"command": []string{"/nonexistent/x"}})
	if o.NoRetry || !strings.HasPrefix(o.Error, "the program /nonexistent/x cannot be started in /") || !strings.HasSuffix(o.Error, "no such file or directory") {
		t.Errorf("NoRetry %v, %s", o.NoRetry, o.Error)
	}
}
