package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// process is a program under test. Its output goes to a file of the evidence.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{}          // closed when it has ended
	line map[string]chan string // awaited prefixes of output lines
}

// start starts a program. It dies with this one.
func start(dir, name string, env []string, await []string, program string, args ...string) (*process, error) {
	out, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{name: name, done: make(chan struct{}), line: map[string]chan string{}}
	for _, prefix := range await {
		p.line[prefix] = make(chan string, 1)
	}
	p.cmd = exec.CommandContext(context.Background(), program, args...) // ended by stop, whatever the caller's context
	p.cmd.Env, p.cmd.Stderr = append(os.Environ(), env...), out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the death signal follows the thread; it ends with this goroutine
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.read(stdout, out)
			_ = p.cmd.Wait() // how it ended is seen by who ended it
		}
		_ = out.Close()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	return p, nil
}

// read copies what the process writes and hands awaited lines on.
func (p *process) read(stdout io.Reader, out io.Writer) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		_, _ = fmt.Fprintln(out, lines.Text()) // a full disk shows elsewhere
		for prefix, told := range p.line {
			if rest, ok := strings.CutPrefix(lines.Text(), prefix); ok {
				select {
				case told <- strings.TrimSpace(rest):
				default: // once is enough
				}
			}
		}
	}
}

// await waits for a line with one of the prefixes given to start.
func (p *process) await(ctx context.Context, prefix string) (string, error) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case rest := <-p.line[prefix]:
		return rest, nil
	case <-p.done:
		return "", fmt.Errorf("%s ended before it was ready", p.name)
	case <-limit.C:
		return "", fmt.Errorf("%s was not ready after %s", p.name, patience)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// alive says whether the process has not ended; a stopped one has not.
func (p *process) alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

func (p *process) signal(s syscall.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signalling %s: %w", p.name, err)
	}
	return nil
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	_ = p.signal(syscall.SIGKILL) // cannot fail for a child
	<-p.done
}

// halted says whether the process stands still (SIGSTOP).
func (p *process) halted() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid()))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "T")
}
