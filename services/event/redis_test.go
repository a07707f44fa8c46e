package event_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/event"
)

// ownRedis starts a Redis that the test may end.
func ownRedis(t *testing.T) *testserver.RedisServer {
	t.Helper()
	server, err := testserver.StartRedis(testserver.RedisOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// flood publishes more than the queue holds and checks that it does not wait for
// Redis.
func flood(t *testing.T, bus event.Bus) {
	t.Helper()
	from := clock.Monotonic()
	payload := slices.Repeat([]byte("x"), 1000)
	for i := range 20_000 {
		bus.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: fmt.Sprint(i), Payload: payload})
	}
	if took := clock.Monotonic() - from; took > 5*time.Second {
		t.Errorf("publishing without Redis took %s", took)
	}
}

// awaitResync reads on to a resync mark that comes after now.
func awaitResync(r *reader) {
	r.t.Helper()
	for r.next().Topic != event.TopicResync {
	}
}

// CB-058: Redis is killed and comes back empty. Nobody waits for it meanwhile,
// and afterwards both servers are told to look again and hear one another.
func TestRedisComesBack(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	a, b := startRedis(t, "p", "a", server.URL()), startRedis(t, "p", "b", server.URL())
	here, there := subscribe(t, a, event.TopicTask), subscribe(t, b, event.TopicTask)
	confirm(t, b, event.TopicTask, here)
	confirm(t, a, event.TopicTask, there)
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	flood(t, a)
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	awaitResync(here)
	awaitResync(there)
	confirm(t, b, event.TopicTask, here)
	confirm(t, a, event.TopicTask, there)
	for _, h := range append(a.Health(), b.Health()...) {
		if h.Failures != 0 || h.Overdue != 0 {
			t.Errorf("after Redis came back: %+v", h)
		}
	}
}

// A Redis that answers nothing but keeps its connections counts as away.
func TestRedisHangs(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	a, b := startRedis(t, "p", "a", server.URL()), startRedis(t, "p", "b", server.URL())
	here, there := subscribe(t, a, event.TopicTask), subscribe(t, b, event.TopicTask)
	confirm(t, b, event.TopicTask, here)
	confirm(t, a, event.TopicTask, there)
	process(t, server.PID(), syscall.SIGSTOP)
	flood(t, a)
	waitFor(t, func() bool { // a receiver gave the connection up
		return slices.ContainsFunc(b.Health(), func(h healthOf) bool { return h.Failures > 0 && strings.Contains(h.Name, "receiver") })
	})
	process(t, server.PID(), syscall.SIGCONT)
	awaitResync(there)
	confirm(t, a, event.TopicTask, there)
	confirm(t, b, event.TopicTask, here)
}

func TestCloseWithoutRedisIsQuick(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "hangs": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := ownRedis(t)
			a := startRedis(t, "p", "a", server.URL())
			confirm(t, a, event.TopicTask, subscribe(t, a, event.TopicTask))
			process(t, server.PID(), signal)
			if signal == syscall.SIGSTOP {
				t.Cleanup(func() { process(t, server.PID(), syscall.SIGCONT) })
			}
			flood(t, a)
			from := clock.Monotonic()
			closeBus(t, a)
			if took := clock.Monotonic() - from; took > 8*time.Second {
				t.Errorf("Close took %s", took)
			}
		})
	}
}

// With three independent servers the loss of the first two is not noticed.
func TestRedisSurvivesTheLossOfIndependentServers(t *testing.T) {
	t.Parallel()
	var servers []*testserver.RedisServer
	var urls []string
	for range 3 {
		server := ownRedis(t)
		servers, urls = append(servers, server), append(urls, server.URL())
	}
	address := strings.Join(urls, ",")
	a, b := startRedis(t, "p", "a", address), startRedis(t, "p", "b", address)
	there := subscribe(t, b, event.TopicTask)
	confirm(t, a, event.TopicTask, there)
	for _, server := range servers[:2] {
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		confirm(t, a, event.TopicTask, there)
	}
}

// Installations with different prefixes on one Redis do not hear one another.
func TestPrefixesKeepInstallationsApart(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	a, b := startRedis(t, "one", "a", server.URL()), startRedis(t, "one", "b", server.URL())
	other := startRedis(t, "two", "b", server.URL())
	apart, there := subscribe(t, other, event.TopicTask), subscribe(t, b, event.TopicTask)
	confirm(t, other, event.TopicTask, apart)
	confirm(t, a, event.TopicTask, there)
	a.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "one"})
	there.until("one")
	other.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "two"})
	if before := apart.until("two"); len(before) != 0 {
		t.Errorf("the other installation heard %+v", before)
	}
}

// A frame that cannot be read, of a newer server perhaps, asks to look again.
func TestUnreadableFrame(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	a := startRedis(t, "p", "a", server.URL())
	b := startRedis(t, "p", "b", server.URL())
	here := subscribe(t, a, event.TopicTask)
	confirm(t, b, event.TopicTask, here)
	client := open(t, server.URL())[0]
	if err := client.Publish(t.Context(), "p:on:task", "\x02what is this").Err(); err != nil {
		t.Fatal(err)
	}
	awaitResync(here)
}

func TestRedisLogsAnOutageWithoutFlooding(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	var text lockedBuffer
	bus, err := event.NewRedis(event.RedisConfig{
		Clients: open(t, server.URL()), Prefix: "p", ServerID: "a", Logger: slog.New(slog.NewTextHandler(&text, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeBus(t, bus) })
	confirm(t, bus, event.TopicTask, subscribe(t, bus, event.TopicTask))
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		bus.Publish(t.Context(), event.Message{Topic: event.TopicTask})
		return !slices.ContainsFunc(bus.Health(), func(h healthOf) bool { return h.Failures < 5 })
	})
	if lines := strings.Count(text.String(), "loop failed"); lines == 0 || lines > 6 {
		t.Errorf("an outage of five tries and two loops wrote %d lines: %s", lines, text.String())
	}
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
