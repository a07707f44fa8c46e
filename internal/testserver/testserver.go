// Package testserver starts private servers for tests and tools: a MariaDB and a
// Redis, each on a free port of the loopback interface with a directory of its
// own. A test binary shares one of each; every test gets a database of its own.
// A missing program is an error that says what to install; nothing is skipped.
//
// Tests use MariaDB(t) and Redis(t) and call Main from TestMain, which stops what
// was started. Tools use StartMariaDB and StartRedis. On Linux the servers also
// end with the process that started them, whatever ends it.
package testserver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	startLimit = 60 * time.Second
	stopLimit  = 20 * time.Second
	portTries  = 5 // a port may be taken between the choice and the start
)

// process is one running server.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it has ended; err is set before
	err    error
	log    string // its output
}

// start runs a program with its output in a file. The goroutine that starts it
// keeps its operating system thread until it ends: Linux sends the death signal
// when the starting thread ends, not the process.
func start(log, name string, args ...string) (*process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, fmt.Errorf("creating the log of %s: %w", name, err)
	}
	p := &process{cmd: exec.Command(name, args...), exited: make(chan struct{}), log: log}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = dieWithParent()
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		defer out.Close()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
		}
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	return p, nil
}

// stop ends the process and waits for it. It is idempotent.
func (p *process) stop(sig syscall.Signal) error {
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping %s: %w", p.cmd.Path, err)
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(stopLimit):
		_ = p.cmd.Process.Kill() // it did not listen
		<-p.exited
		return fmt.Errorf("%s did not stop within %s and was killed", p.cmd.Path, stopLimit)
	}
}

// await calls ready until it answers nil, the process ends or the time is over.
func (p *process) await(ready func() error) error {
	deadline := time.NewTimer(startLimit)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ready()
		if err == nil {
			return nil
		}
		select {
		case <-p.exited:
			return fmt.Errorf("%s ended at its start (%w): %s", p.cmd.Path, p.err, tail(p.log))
		case <-deadline.C:
			return fmt.Errorf("%s did not answer within %s (%w): %s", p.cmd.Path, startLimit, err, tail(p.log))
		case <-tick.C:
		}
	}
}

// tail answers the end of a server's output, to show with an error.
func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}

// freePort picks a port that nobody listens on, below the range from which
// outgoing connections take theirs.
func freePort() (int, error) {
	for range 100 {
		port := 20000 + rand.IntN(12000)
		l, err := net.Listen("tcp", address(port))
		if err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("no free port between 20000 and 32000")
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// find answers the path of the first of the programs that is installed.
func find(install string, names ...string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
		if path := filepath.Join("/usr/sbin", name); executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed: run %q", names[0], install)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&0o111 != 0 && !info.IsDir()
}

// shared is what a test binary has started.
var shared struct {
	mu      sync.Mutex
	mariadb *MariaDBServer
	redis   *RedisServer
}

// Main runs a test binary's tests and stops the servers that they started:
//
//	func TestMain(m *testing.M) { os.Exit(testserver.Main(m)) }
func Main(m *testing.M) int {
	code := m.Run()
	if err := StopShared(); err != nil {
		fmt.Fprintln(os.Stderr, "stopping the test servers:", err)
		return max(code, 1)
	}
	return code
}

// StopShared stops the servers of this test binary.
func StopShared() error {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	var errs []error
	if shared.mariadb != nil {
		errs = append(errs, shared.mariadb.Stop())
		shared.mariadb = nil
	}
	if shared.redis != nil {
		errs = append(errs, shared.redis.Stop())
		shared.redis = nil
	}
	return errors.Join(errs...)
}

// MariaDB answers this test binary's MariaDB, started at the first call.
func MariaDB(t testing.TB) *MariaDBServer {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.mariadb == nil {
		server, err := StartMariaDB(MariaDBOptions{})
		if err != nil {
			t.Fatalf("starting MariaDB: %v", err)
		}
		shared.mariadb = server
	}
	return shared.mariadb
}

// Redis answers this test binary's Redis, started at the first call. Tests keep
// apart by a prefix of their own; one that flushes or stops starts its own.
func Redis(t testing.TB) *RedisServer {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.redis == nil {
		server, err := StartRedis(RedisOptions{})
		if err != nil {
			t.Fatalf("starting Redis: %v", err)
		}
		shared.redis = server
	}
	return shared.redis
}
