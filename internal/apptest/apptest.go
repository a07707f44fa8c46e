// Package apptest drives Belfry as its users do: the real binary in processes of
// its own, over HTTP. Tests wait for what they see, never for a time.
package apptest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds every wait; a test that reaches it has failed.
const patience = 2 * time.Minute

var build struct {
	once sync.Once
	path string
	err  error
}

// Binary builds belfry once a test process and answers its path.
func Binary(t testing.TB) string {
	t.Helper()
	build.once.Do(func() {
		dir, err := os.MkdirTemp("", "belfry-bin-")
		if err != nil {
			build.err = err
			return
		}
		build.path = filepath.Join(dir, "belfry")
		out, err := exec.Command("go", "build", "-o", build.path, "github.com/belfry-scheduler/belfry").CombinedOutput()
		if err != nil {
			build.err = fmt.Errorf("building belfry: %w\n%s", err, out)
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.path
}

// Process is a running program.
type Process struct {
	Name string
	cmd  *exec.Cmd
	out  *output
	done chan struct{}
	err  error
}

// Start starts a program with env added to this process's; it is killed at the
// test's end, and what it wrote is logged when the test failed.
func Start(t testing.TB, name string, env []string, program string, args ...string) *Process {
	t.Helper()
	p := &Process{Name: name, cmd: exec.Command(program, args...), out: &output{}, done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("starting %s: %v", name, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-p.done
		if t.Failed() {
			t.Logf("output of %s:\n%s", name, p.out.String())
		}
	})
	return p
}

// PID is its process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends a signal to the process.
func (p *Process) Signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatalf("signalling %s: %v", p.Name, err)
	}
}

// Kill ends the process as a power cut would.
func (p *Process) Kill(t testing.TB) {
	t.Helper()
	p.Signal(t, syscall.SIGKILL)
	<-p.done
}

// Wait answers the exit code of a process that ends by itself.
func (p *Process) Wait(t testing.TB) int {
	t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("%s did not end; it wrote:\n%s", p.Name, p.out.String())
		return -1
	}
}

// Output is what the process has written so far.
func (p *Process) Output() string { return p.out.String() }

// Await waits until the process has written a line that has this prefix and
// answers the rest of it.
func (p *Process) Await(t testing.TB, prefix string) string {
	t.Helper()
	found := ""
	Until(t, fmt.Sprintf("%s to write %q", p.Name, prefix), func() bool {
		lines := bufio.NewScanner(strings.NewReader(p.out.String()))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), prefix); ok {
				found = strings.TrimSpace(rest)
				return true
			}
		}
		select {
		case <-p.done:
			t.Fatalf("%s ended (%v); it wrote:\n%s", p.Name, p.err, p.out.String())
		default:
		}
		return false
	})
	return found
}

// output collects what a process writes; the last megabyte is kept.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.buf.Len() > 1<<20 {
		o.buf.Next(o.buf.Len() / 2)
	}
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// Until waits until seen answers true.
func Until(t testing.TB, what string, seen func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !seen() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-tick.C
	}
}

// Run runs a command of belfry to its end and answers its standard output.
func Run(t testing.TB, env []string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, Binary(t), args...)
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("belfry %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String())
}

// Ready is the prefix of the line that says where a server serves.
const Ready = "Belfry is ready at "

// API asks a server's GraphQL.
type API struct {
	URL   string // http://host:port
	Token string
}

// Do sends an operation and decodes its data into T; top-level errors fail the test.
func Do[T any](t testing.TB, a API, query string, variables map[string]any) T {
	t.Helper()
	data, err := Try[T](t.Context(), a, query, variables)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Try is like Do but answers errors.
func Try[T any](ctx context.Context, a API, query string, variables map[string]any) (T, error) {
	var answer struct {
		Data   T
		Errors []struct{ Message string }
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return answer.Data, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		return answer.Data, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+a.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer.Data, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return answer.Data, err
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return answer.Data, fmt.Errorf("reading the answer %q: %w", raw, err)
	}
	if len(answer.Errors) > 0 {
		return answer.Data, fmt.Errorf("GraphQL: %s", raw)
	}
	return answer.Data, nil
}
