//go:build unix

package process

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// guardGrace is how long families may take to end when the agent is gone.
const guardGrace = 5 * time.Second

// Guard keeps a guard process going and tells it what runs. A nil Guard does nothing.
type Guard struct {
	program string
	logger  *slog.Logger

	mu   sync.Mutex
	runs map[string]entry // bound: the agent's slots
	pipe *os.File         // nil while there is no guard process
}

// NewGuard makes a guard that runs program, this executable, with GuardCommand.
func NewGuard(program string, logger *slog.Logger) *Guard {
	return &Guard{program: program, logger: logger, runs: map[string]entry{}}
}

// Run keeps a guard process until ctx ends; started is closed when the first is there.
func (g *Guard) Run(ctx context.Context, started chan<- struct{}) {
	for ctx.Err() == nil {
		ended, err := g.launch()
		if started != nil {
			close(started)
			started = nil
		}
		if err == nil {
			select {
			case <-ctx.Done():
			case <-ended:
				g.logger.WarnContext(ctx, "the guard process has ended: starting another one")
			}
			g.drop()
			<-ended
		} else {
			g.logger.ErrorContext(ctx, "the guard process cannot be started: programs would outlive a killed agent", "error", err)
		}
		pause := time.NewTimer(time.Second)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// launch starts a process and tells it of all runs.
func (g *Guard) launch() (ended <-chan struct{}, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	//nolint:noctx // it ends with its pipe
	cmd := exec.Command(g.program, GuardCommand)
	cmd.Env = []string{} // above all without the app's key
	cmd.Dir = "/"
	cmd.Stdin, cmd.Stderr = r, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	_ = r.Close()
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pipe = w
	for cookie, e := range g.runs {
		g.write(beginLine(cookie, e))
	}
	return done, nil
}

func (g *Guard) drop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.pipe.Close()
	g.pipe = nil
}

// write is called with mu held. A write that fails means that the guard process has
// ended; the next one is told of everything.
func (g *Guard) write(line string) {
	if g.pipe != nil {
		_, _ = io.WriteString(g.pipe, line)
	}
}

func (g *Guard) begin(cookie string, leader int, scratch string) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.runs[cookie] = entry{leader: leader, scratch: scratch}
	g.write(beginLine(cookie, g.runs[cookie]))
}

func (g *Guard) end(cookie string) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.runs, cookie)
	g.write(endLine(cookie))
}

// Watch is the guard process: it reads from in until the agent is gone, and then ends
// what it has left.
func Watch(in io.Reader) {
	// What stops the agent must not stop the guard: it ends when the agent has ended.
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	left := follow(in)
	var families []family
	for cookie, e := range left {
		families = append(families, family{leader: e.leader, cookie: cookie})
	}
	for _, f := range families {
		f.ask(true)
	}
	if !allGone(families, guardGrace) {
		for range int(killTime / pollTime) {
			for _, f := range families {
				f.kill(true)
			}
			if allGone(families, pollTime) {
				break
			}
		}
	}
	for _, e := range left {
		if e.scratch != "" {
			_ = os.RemoveAll(e.scratch)
		}
	}
}

func allGone(families []family, limit time.Duration) bool {
	deadline := clock.Monotonic() + limit
	for _, f := range families {
		for f.alive(true) {
			if clock.Monotonic() >= deadline {
				return false
			}
			pause := time.NewTimer(pollTime)
			<-pause.C
		}
	}
	return true
}
