// Package process runs one program with everything that it starts: it reads the
// output, and ends the whole family when the attempt has to end, or when the agent
// itself is gone. It decides nothing about what may run.
package process

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// CookieName is the variable by which a family is known on Linux, however its members
// have detached themselves. Its value is different for each run.
const CookieName = "BELFRY_RUN_ID"

const (
	// settleTime is how long what a program left running may take to end by itself.
	settleTime = time.Second
	// killTime is how long the kernel may take to end what was killed.
	killTime = 5 * time.Second
	// pipeTime is how long output is still read when everything has ended: somebody
	// outside of the family holds the pipe then.
	pipeTime = time.Second
	// idleTime is when a line that has not ended is handed on.
	idleTime = 2 * time.Second
	pollTime = 25 * time.Millisecond
)

// Sink takes what a program writes; Flush hands on a line that has not ended.
type Sink interface {
	Write(p []byte) (int, error)
	Flush()
	Pending() bool
}

// Spec is what to run.
type Spec struct {
	Program   string   // absolute path
	Arguments []string // without the program
	Line      string   // the whole command line, on Windows only; instead of Arguments
	Directory string
	Env       []string
	Stdin     *os.File // nil: empty
	Stdout    Sink
	Stderr    Sink
	User      *Identity // nil: the agent's own
	Scratch   string    // a directory of the run's, which the guard removes if the agent dies
}

// Identity is a user of the system.
type Identity struct {
	Name, Home string
	UID, GID   uint32
	Groups     []uint32
}

// End is how a program ended.
type End struct {
	Code       int    // 128 + signal if a signal ended it, as shells say
	Signal     string // as "SIGKILL"; "" without one
	Stopped    bool   // it was ended because the context had ended
	Killed     bool   // … and had to be killed
	LeftBehind bool   // it ended by itself and left others of its group, which were ended
	Survivors  bool   // some of the family could not be ended
	PipeHeld   bool   // somebody outside of the family held the output
}

// Process is a running program.
type Process struct {
	cmd     *exec.Cmd
	family  family
	guard   *Guard
	cookie  string
	exited  chan struct{}
	reading sync.WaitGroup
	read    chan struct{} // closed when both outputs have ended
	pipes   []*os.File
}

// Start starts a program. guard may be nil: then what it starts outlives an agent
// that is killed.
func Start(spec Spec, guard *Guard) (*Process, error) {
	p := &Process{guard: guard, cookie: rand.Text(), exited: make(chan struct{}), read: make(chan struct{})}
	//nolint:noctx // the family is ended as a whole, and gently first: see stop
	p.cmd = exec.Command(spec.Program, spec.Arguments...)
	p.cmd.Dir, p.cmd.Stdin = spec.Directory, nil
	p.cmd.Env = append(slices.Clip(spec.Env), CookieName+"="+p.cookie)
	if spec.Stdin != nil {
		p.cmd.Stdin = spec.Stdin
	}
	if err := prepare(p.cmd, &spec); err != nil {
		return nil, err
	}
	// The guard knows of the run before there is one, so that no moment is uncovered.
	guard.begin(p.cookie, 0, spec.Scratch)
	if err := p.start(&spec); err != nil {
		guard.end(p.cookie)
		return nil, err
	}
	guard.begin(p.cookie, p.cmd.Process.Pid, spec.Scratch)
	return p, nil
}

// start connects the outputs and starts the program.
func (p *Process) start(spec *Spec) error {
	var mine, theirs []*os.File
	for range 2 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(mine)
			closeAll(theirs)
			return fmt.Errorf("making a pipe: %w", err)
		}
		mine, theirs = append(mine, r), append(theirs, w)
	}
	p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1]
	err := p.cmd.Start()
	closeAll(theirs)
	if err == nil {
		p.family, err = join(p.cmd, p.cookie)
	}
	if err != nil {
		closeAll(mine)
		return err
	}
	p.pipes = mine
	p.reading.Go(func() { drain(mine[0], spec.Stdout) })
	p.reading.Go(func() { drain(mine[1], spec.Stderr) })
	go func() {
		p.reading.Wait()
		close(p.read)
	}()
	go func() {
		_ = p.cmd.Wait() // ProcessState says how it ended
		close(p.exited)
	}()
	return nil
}

// Wait waits for the program's end. When ctx ends first, the whole family is asked to
// end, and killed when grace, which is asked at that moment, has passed.
func (p *Process) Wait(ctx context.Context, grace func(cause error) time.Duration) End {
	defer p.guard.end(p.cookie)
	defer p.family.close()
	var end End
	select {
	case <-p.exited:
	case <-ctx.Done():
		end.Stopped = true
		end.Killed, end.Survivors = p.stop(grace(context.Cause(ctx)), true)
	}
	if !end.Stopped && !p.gone(settleTime, false) {
		end.LeftBehind = true
		_, end.Survivors = p.stop(settleTime, false)
	}
	end.PipeHeld = !p.finishReading()
	select {
	case <-p.exited:
		end.Code, end.Signal = status(p.cmd.ProcessState)
	default: // not even a kill has ended it
		end.Code = -1
	}
	return end
}

// stop asks the family to end and kills what is left of it after grace; with all, also
// those that have detached themselves.
func (p *Process) stop(grace time.Duration, all bool) (killed, survivors bool) {
	p.family.ask(all)
	if p.gone(grace, all) {
		return false, false
	}
	deadline := clock.Monotonic() + killTime
	for clock.Monotonic() < deadline {
		p.family.kill(all)
		if p.gone(pollTime, all) {
			return true, false
		}
	}
	return true, true
}

// gone waits until the program and its family have ended, at most for limit.
func (p *Process) gone(limit time.Duration, all bool) bool {
	deadline := clock.Monotonic() + limit
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
		return false
	}
	for p.family.alive(all) {
		left := deadline - clock.Monotonic()
		if left <= 0 {
			return false
		}
		pause := time.NewTimer(min(left, pollTime))
		<-pause.C
	}
	return true
}

// finishReading waits for the end of the outputs, and gives up when somebody who is
// none of the family keeps them open.
func (p *Process) finishReading() bool {
	timer := time.NewTimer(pipeTime)
	defer timer.Stop()
	ended := true
	select {
	case <-p.read:
	case <-timer.C:
		ended = false
	}
	closeAll(p.pipes) // ends the readers
	<-p.read
	return ended
}

// drain reads an output to its end.
func drain(r *os.File, sink Sink) {
	buffer := make([]byte, 32<<10)
	for {
		if sink.Pending() {
			// Not every system's pipes know deadlines; there a line just waits for its end.
			_ = r.SetReadDeadline(clock.System{}.Now().Add(idleTime))
		} else {
			_ = r.SetReadDeadline(time.Time{})
		}
		n, err := r.Read(buffer)
		if n > 0 {
			_, _ = sink.Write(buffer[:n])
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			sink.Flush()
		case err != nil:
			sink.Flush()
			return
		}
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
