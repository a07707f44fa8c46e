//go:build unix

package process

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dyingAgent is the argument that makes this test binary an agent that is killed.
const dyingAgent = "dying-agent"

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == GuardCommand:
		Watch(os.Stdin)
		os.Exit(0)
	case len(os.Args) > 2 && os.Args[1] == dyingAgent:
		beAgent(os.Args[2])
	}
	os.Exit(m.Run())
}

type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Flush()                      {}
func (nothing) Pending() bool               { return false }

// beAgent starts a family that ignores SIGTERM, says that it has, and waits.
func beAgent(dir string) {
	self, err := os.Executable()
	if err != nil {
		fail(err)
	}
	guard := NewGuard(self, slog.New(slog.DiscardHandler))
	started := make(chan struct{})
	go guard.Run(neverEnding{}, started)
	<-started
	_, err = Start(Spec{
		Program: "/bin/sh", Directory: dir, Env: []string{"PATH=/usr/bin:/bin"}, Stdout: nothing{}, Stderr: nothing{}, Scratch: filepath.Join(dir, "scratch"),
		Arguments: []string{"-c", `trap '' TERM
sh -c 'trap "" TERM; echo $$ >child; while :; do sleep 1; done' &
setsid sh -c 'trap "" TERM; echo $$ >detached; while :; do sleep 1; done' &
echo $$ >leader; while :; do sleep 1; done`},
	}, guard)
	if err != nil {
		fail(err)
	}
	_, _ = fmt.Fprintln(os.Stdout, "started")
	select {}
}

func fail(err error) {
	_, _ = fmt.Fprintln(os.Stdout, err)
	os.Exit(1) //nolint:revive // the test binary is this process
}

// neverEnding is the context of a process that is killed.
type neverEnding struct{}

func (neverEnding) Deadline() (time.Time, bool) { return time.Time{}, false }
func (neverEnding) Done() <-chan struct{}       { return nil }
func (neverEnding) Err() error                  { return nil }
func (neverEnding) Value(any) any               { return nil }

// kill -9 of the agent leaves nothing behind of what it ran, not even those who
// ignore SIGTERM or have detached themselves.
func TestGuardEndsWhatAKilledAgentLeaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "scratch", "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	agent := exec.CommandContext(t.Context(), self, dyingAgent, dir)
	out, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "started\n" {
		t.Fatalf("%q %v", line, err)
	}
	pids := map[string]int{}
	for _, name := range []string{"leader", "child", "detached"} {
		within(t, name+" to run", func() bool {
			var pid int
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return false
			}
			n, _ := fmt.Sscan(string(data), &pid)
			pids[name] = pid
			return n == 1
		})
	}
	if err := agent.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = agent.Wait()
	for name, pid := range pids {
		within(t, name+" to end", func() bool { return !running(pid) })
	}
	within(t, "the scratch directory to go", func() bool {
		_, err := os.Stat(filepath.Join(dir, "scratch"))
		return os.IsNotExist(err)
	})
}

// running reports whether a process runs that has not ended yet.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func within(t *testing.T, what string, seen func() bool) {
	t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !seen() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestGuardKnowsOnlyWhatStillRuns(t *testing.T) {
	t.Parallel()
	got := follow(strings.NewReader("+ A 0 /tmp/a b\n+ A 17 /tmp/a b\n+ B 18 \n+ C 19 /tmp/c\n- C\n- X\nnonsense\n+ D x y\n"))
	want := map[string]entry{"A": {17, "/tmp/a b"}, "B": {18, ""}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(entry{})); diff != "" {
		t.Error(diff)
	}
}

// A guard process that dies is replaced, and its successor learns of what runs.
func TestGuardIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "guard")
	// It writes down what it hears and ends after the first lines of its first life.
	script := fmt.Sprintf("#!/bin/sh\nread line; echo \"$line\" >>%s/heard\n[ -e %s/second ] && exec cat >>%s/heard\n: >%s/second\n", dir, dir, dir, dir)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	guard := NewGuard(program, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	started := make(chan struct{})
	go func() {
		guard.Run(t.Context(), started)
		close(done)
	}()
	t.Cleanup(func() { <-done })
	<-started
	guard.begin("A", 17, "")
	heard := func() string {
		data, _ := os.ReadFile(filepath.Join(dir, "heard"))
		return string(data)
	}
	within(t, "the second life", func() bool { return strings.Count(heard(), "+ A 17") == 2 })
	guard.end("A")
	within(t, "the run's end", func() bool { return strings.HasSuffix(heard(), "- A\n") })
}
