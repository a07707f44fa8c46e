package coord_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/store"
)

// childVariable makes the test binary a server process of its own; its value is a
// childConfig.
const childVariable = "BELFRY_COORD_CHILD"

// childConfig is what a server process is told.
type childConfig struct {
	ID, Database, Redis, Prefix string
}

// Times of real servers in tests: quick, and still far above what a busy machine
// delays.
const (
	realTTL  = 3 * time.Second
	realBeat = 500 * time.Millisecond
	realDead = 3 * time.Second
)

// realServer is a server on a real ledger and a real Redis, with the database as
// its fallback.
func realServer(ctx context.Context, ledger *store.Store, redis, id, prefix string, hint func(context.Context)) (*coord.Ownership, *coord.Fallback, func(), error) {
	target, err := redisconn.Parse(redis)
	if err != nil {
		return nil, nil, nil, err
	}
	clients := target.Open()
	fallback := coord.NewFallback(coord.FallbackConfig{
		Primary:   coord.NewRedis(clients, prefix, realTTL, clock.Monotonic),
		Secondary: coord.NewDatabase(ledger, id, realTTL, clock.Monotonic),
		After:     realTTL / 3, Return: 2 * time.Second, Elapsed: clock.Monotonic, Logger: quiet,
	})
	o, err := coord.New(coord.Config{
		ServerID: id, Ledger: ledger, Locker: fallback, TTL: realTTL, Beat: realBeat, DeadAfter: realDead,
		Hint: hint, Clock: clock.System{}, Logger: quiet,
	})
	if err != nil {
		return nil, nil, nil, err
	}
	end := func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		_ = o.Stop(stop) // some tests take everything away first
		for _, client := range clients {
			_ = client.Close()
		}
	}
	return o, fallback, end, o.Start(ctx)
}

// child is the other process: for each line on its input it writes what it may
// act for at that moment. It ends with its input.
func child() int {
	if err := serveChild(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serveChild() error {
	var cfg childConfig
	if err := json.Unmarshal([]byte(os.Getenv(childVariable)), &cfg); err != nil {
		return err
	}
	ctx := context.Background()
	ledger, err := store.Open(ctx, store.Options{URL: cfg.Database, Logger: quiet, Clock: clock.System{}})
	if err != nil {
		return err
	}
	o, _, _, err := realServer(ctx, ledger, cfg.Redis, cfg.ID, cfg.Prefix, nil)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := json.NewEncoder(os.Stdout).Encode(o.Partitions()); err != nil {
			return err
		}
	}
	return lines.Err() // what it holds is left behind, as by a kill
}

// process is a running child.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

func startChild(t *testing.T, cfg childConfig) *process {
	t.Helper()
	text, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	return &process{t: t, cmd: cmd, in: in, out: json.NewDecoder(out)}
}

func (p *process) ask() {
	p.t.Helper()
	if _, err := io.WriteString(p.in, "?\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) answer() (owned map[int]int64) {
	p.t.Helper()
	if err := p.out.Decode(&owned); err != nil {
		p.t.Fatal(err)
	}
	return owned
}

// until asks again and again until the answer is right.
func until(t *testing.T, limit time.Duration, right func() bool) {
	t.Helper()
	again, end := time.NewTicker(10*time.Millisecond), time.NewTimer(limit)
	defer again.Stop()
	defer end.Stop()
	for !right() {
		select {
		case <-again.C:
		case <-end.C:
			t.Fatalf("it did not happen within %s", limit)
		}
	}
}

// CB-047, F05: a leading process is stopped (SIGSTOP) past its locks. Another takes
// everything over. A question waits for the stopped one; when it goes on, the first
// thing it says is that it may act for nothing.
func TestStoppedProcess(t *testing.T) {
	t.Parallel()
	server, redis := testserver.MariaDB(t), testserver.Redis(t)
	url := server.URL(server.Database(t))
	ledger := openStore(t, url)
	prefix := models.NewID(clock.System{}.Now())
	other := startChild(t, childConfig{ID: "child", Database: url, Redis: redis.URL(), Prefix: prefix})
	var before map[int]int64
	until(t, 30*time.Second, func() bool {
		other.ask()
		before = other.answer()
		return len(before) == models.Partitions
	})
	signal(t, other.cmd.Process.Pid, syscall.SIGSTOP)
	o, _, end, err := realServer(t.Context(), ledger, redis.URL(), "parent", prefix, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	until(t, 30*time.Second, func() bool { return len(o.Partitions()) == models.Partitions })
	for p, epoch := range o.Partitions() {
		if epoch <= before[p] {
			t.Errorf("partition %d was taken over under epoch %d, the stopped process had %d", p, epoch, before[p])
		}
	}
	other.ask()
	signal(t, other.cmd.Process.Pid, syscall.SIGCONT)
	if owned := other.answer(); len(owned) != 0 {
		t.Errorf("right after it goes on it acts for %v", owned)
	}
	until(t, 30*time.Second, func() bool { // in the end it has its share again
		other.ask()
		owned := other.answer()
		return len(owned) > 0 && len(owned)+len(o.Partitions()) == models.Partitions
	})
}
