package coord_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/event"
)

// startServer starts redis-server with arguments of its own on a free port and
// waits until it answers.
func startServer(t *testing.T, args func(dir, port string) []string) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("redis-server", args(t.TempDir(), portOf(addr))...)
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting redis-server (apt-get install redis-server redis-tools): %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	client := byClient(t, "redis://"+addr)
	until(t, 20*time.Second, func() bool { return client.Ping(t.Context()).Err() == nil })
	return addr
}

// A cluster (of one node): locks, and the bus with its subscriptions.
func TestRedisCluster(t *testing.T) {
	t.Parallel()
	addr := startServer(t, func(dir, port string) []string {
		return []string{"--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--cluster-enabled", "yes"}
	})
	node := redis.NewClient(&redis.Options{Addr: addr, Protocol: 2})
	t.Cleanup(func() { _ = node.Close() })
	if err := node.ClusterAddSlotsRange(t.Context(), 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	address := "redis+cluster://" + addr
	client := byClient(t, address)
	until(t, 20*time.Second, func() bool { return client.Set(t.Context(), "x", "1", time.Second).Err() == nil })
	lockAndTell(t, address)
}

// lockAndTell uses an address for what Belfry uses Redis for.
func lockAndTell(t *testing.T, address string) {
	t.Helper()
	makeLocker := byRedis(t, address)
	a, b := makeLocker("a", time.Minute, clock.Monotonic), makeLocker("b", time.Minute, clock.Monotonic)
	for p := range 20 { // in many slots of a cluster
		acquire(t, a, p)
		refused(t, b, p)
	}
	if x := a.Extend(t.Context(), []int{0, 7, 19}); x.Err != nil || len(x.Held) != 3 {
		t.Errorf("%+v", x)
	}
	release(t, a, 7)
	acquire(t, b, 7)
	if err := a.(coord.Probed).Well(t.Context()); err != nil {
		t.Error(err)
	}
	from, to := bus(t, address, "a"), bus(t, address, "b")
	for _, topic := range []event.Topic{event.TopicTask, event.TopicAssign} {
		sub := to.Subscribe(topic)
		t.Cleanup(sub.Close)
		until(t, 20*time.Second, func() bool {
			from.Publish(t.Context(), event.Message{Topic: topic, Key: "hello"})
			from.PublishTo(t.Context(), "b", event.Message{Topic: topic, Key: "hello"})
			select {
			case msgs := <-sub.C():
				return msgs[len(msgs)-1].Key == "hello"
			default:
				return false
			}
		})
	}
}

func bus(t *testing.T, address, id string) *event.Redis {
	t.Helper()
	target, err := redisconn.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	clients := target.Open()
	b, err := event.NewRedis(event.RedisConfig{Clients: clients, Prefix: "p", ServerID: id, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		for _, client := range clients {
			_ = client.Close()
		}
	})
	return b
}

// A server watched by a sentinel: it dies, the replica becomes the master, and
// locks and bus go on there. The replica did not get the last locks, which is why
// there are epochs.
func TestRedisSentinel(t *testing.T) {
	t.Parallel()
	primary, replica := ownRedis(t), ownRedis(t)
	if err := byClient(t, replica.URL()).SlaveOf(t.Context(), "127.0.0.1", portOf(primary.Addr())).Err(); err != nil {
		t.Fatal(err)
	}
	sentinel := startServer(t, func(dir, port string) []string {
		conf := filepath.Join(dir, "sentinel.conf")
		text := fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\nsentinel monitor belfry 127.0.0.1 %s 1\n"+
			"sentinel down-after-milliseconds belfry 500\nsentinel failover-timeout belfry 3000\n", port, dir, portOf(primary.Addr()))
		if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{conf, "--sentinel"}
	})
	watcher := redis.NewSentinelClient(&redis.Options{Addr: sentinel, Protocol: 2})
	t.Cleanup(func() { _ = watcher.Close() })
	until(t, 30*time.Second, func() bool { // the sentinel has found the replica, and it is in step
		replicas, err := watcher.Replicas(t.Context(), "belfry").Result()
		return err == nil && len(replicas) == 1 && replicas[0]["master-link-status"] == "ok"
	})
	address := "redis+sentinel://" + sentinel + "?master=belfry"
	l := byRedis(t, address)("a", time.Minute, clock.Monotonic)
	acquire(t, l, 1)
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	until(t, 60*time.Second, func() bool {
		_, ok, err := l.TryAcquire(t.Context(), 2)
		return ok && err == nil
	})
	lockAndTell(t, address)
}
