package event_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/event"
)

var quiet = slog.New(slog.DiscardHandler)

// pair makes the buses of two servers that hear one another.
type pair func(t *testing.T) (a, b event.Bus)

func memoryPair(t *testing.T) (a, b event.Bus) {
	hub := event.NewHub()
	a, b = hub.Join("a"), hub.Join("b")
	t.Cleanup(func() { closeBus(t, a); closeBus(t, b) })
	return a, b
}

func redisPair(t *testing.T) (a, b event.Bus) {
	prefix := models.NewID(clock.System{}.Now())
	address := testserver.Redis(t).URL()
	return startRedis(t, prefix, "a", address), startRedis(t, prefix, "b", address)
}

// startRedis makes a running bus and waits until it hears itself called.
func startRedis(t *testing.T, prefix, id, address string) *event.Redis {
	t.Helper()
	clients := open(t, address)
	bus, err := event.NewRedis(event.RedisConfig{Clients: clients, Prefix: prefix, ServerID: id, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeBus(t, bus) })
	return bus
}

func open(t *testing.T, address string) []redis.UniversalClient {
	t.Helper()
	target, err := redisconn.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	clients := target.Open()
	t.Cleanup(func() {
		for _, client := range clients {
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return clients
}

func closeBus(t *testing.T, bus event.Bus) {
	if err := bus.Close(); err != nil {
		t.Errorf("closing the bus: %v", err)
	}
}

// reader collects what a subscription delivers.
type reader struct {
	t       *testing.T
	sub     *event.Subscription
	waiting []event.Message
}

func subscribe(t *testing.T, bus event.Bus, topics ...event.Topic) *reader {
	sub := bus.Subscribe(topics...)
	t.Cleanup(sub.Close)
	return &reader{t: t, sub: sub}
}

// next is the next message, of at most twenty seconds.
func (r *reader) next() event.Message {
	r.t.Helper()
	for len(r.waiting) == 0 {
		select {
		case batch, open := <-r.sub.C():
			if !open {
				r.t.Fatal("the subscription is closed")
			}
			r.waiting = batch
		case <-time.After(20 * time.Second):
			r.t.Fatal("nothing came within 20 s")
		}
	}
	m := r.waiting[0]
	r.waiting = r.waiting[1:]
	return m
}

// real is the next message that is neither a resync mark nor one of confirm's.
func (r *reader) real() event.Message {
	r.t.Helper()
	for {
		if m := r.next(); m.Topic != event.TopicResync && !strings.HasPrefix(m.Key, confirming) {
			return m
		}
	}
}

// until reads on to a message with the key and answers the real ones before it.
func (r *reader) until(key string) (before []event.Message) {
	r.t.Helper()
	for m := r.real(); m.Key != key; m = r.real() {
		before = append(before, m)
	}
	return before
}

// confirming begins the keys of confirm's messages; each round has its own.
const confirming = "confirming "

var rounds atomic.Int64

// confirm publishes at one bus until each reader hears it, which shows that the
// subscriptions are in place. Repeats may come later; real leaves them out.
func confirm(t *testing.T, from event.Bus, topic event.Topic, readers ...*reader) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for _, r := range readers {
		key := fmt.Sprint(confirming, rounds.Add(1))
		for heard := false; !heard; {
			from.Publish(t.Context(), event.Message{Topic: topic, Key: key})
			select {
			case batch := <-r.sub.C():
				heard = slices.ContainsFunc(batch, func(m event.Message) bool { return m.Key == key })
			case <-again.C:
			}
		}
	}
}

// The same tests on both implementations.
func TestConformance(t *testing.T) {
	for name, make := range map[string]pair{"memory": memoryPair, "redis": redisPair} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for name, test := range map[string]func(*testing.T, pair){
				"topics": testTopics, "order": testOrder, "directed": testDirected, "echo": testEcho, "overflow": testOverflow,
				"payload": testPayload, "close": testClose, "unsubscribe": testUnsubscribe, "crowd": testCrowd, "flush": testFlush,
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					test(t, make)
				})
			}
		})
	}
}

func testTopics(t *testing.T, make pair) {
	a, b := make(t)
	here, there := subscribe(t, a, event.TopicTask, event.TopicJob), subscribe(t, b, event.TopicTask)
	confirm(t, b, event.TopicTask, here)
	confirm(t, b, event.TopicJob, here)
	confirm(t, a, event.TopicTask, there)
	a.Publish(t.Context(), event.Message{Topic: event.TopicNode, Key: "n"}, event.Message{Topic: event.TopicJob, Key: "j"},
		event.Message{Topic: event.TopicTask, Key: "t", Payload: []byte(`{"state":"RUNNING"}`)}, event.Message{Topic: event.TopicTask, Key: "end"})
	for _, want := range []event.Message{{Topic: event.TopicJob, Key: "j"}, {Topic: event.TopicTask, Key: "t"}} {
		if m := here.real(); m.Topic != want.Topic || m.Key != want.Key {
			t.Errorf("on the same server came %+v, want %+v", m, want)
		}
	}
	if m := there.real(); m.Key != "t" || string(m.Payload) != `{"state":"RUNNING"}` {
		t.Errorf("on the other server came %+v", m)
	}
}

func testOrder(t *testing.T, make pair) {
	a, b := make(t)
	here, there := subscribe(t, a, event.TopicLog), subscribe(t, b, event.TopicLog)
	confirm(t, a, event.TopicLog, there, here)
	const n = 900 // of a buffer of 1,024
	for i := range n {
		a.Publish(t.Context(), event.Message{Topic: event.TopicLog, Key: fmt.Sprint(i)})
	}
	for _, r := range []*reader{here, there} {
		for i := range n {
			if m := r.real(); m.Key != fmt.Sprint(i) {
				t.Fatalf("message %d is %+v", i, m)
			}
		}
	}
}

func testDirected(t *testing.T, make pair) {
	a, b := make(t)
	here, there := subscribe(t, a, event.TopicAssign), subscribe(t, b, event.TopicAssign)
	confirm(t, a, event.TopicAssign, there, here)
	a.PublishTo(t.Context(), "b", event.Message{Topic: event.TopicAssign, Key: "for b"})
	a.PublishTo(t.Context(), "a", event.Message{Topic: event.TopicAssign, Key: "for a"})
	a.PublishTo(t.Context(), "nobody", event.Message{Topic: event.TopicAssign, Key: "for nobody"})
	a.PublishTo(t.Context(), "b", event.Message{Topic: event.TopicCancel, Key: "no subscription"})
	a.PublishTo(t.Context(), "b", event.Message{Topic: event.TopicAssign, Key: "end"})
	if before := there.until("end"); len(before) != 1 || before[0].Key != "for b" {
		t.Errorf("b got %+v", before)
	}
	a.PublishTo(t.Context(), "a", event.Message{Topic: event.TopicAssign, Key: "end"})
	if before := here.until("end"); len(before) != 1 || before[0].Key != "for a" {
		t.Errorf("a got %+v", before)
	}
}

// A server hears its own message once, also when it takes the way over Redis.
func testEcho(t *testing.T, make pair) {
	a, b := make(t)
	here, there := subscribe(t, a, event.TopicTask), subscribe(t, b, event.TopicTask)
	confirm(t, b, event.TopicTask, here)
	confirm(t, a, event.TopicTask, there)
	a.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "question"})
	there.until("question") // by now the echo is on its way to a
	b.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "answer"})
	if before := here.until("answer"); len(before) != 1 || before[0].Key != "question" {
		t.Errorf("before the answer came %+v, want the question once", before)
	}
}

// CB-092: a reader that does not read loses messages and is told; the publisher
// and other readers go on.
func testOverflow(t *testing.T, make pair) {
	a, _ := make(t)
	slow, fast := subscribe(t, a, event.TopicTask), subscribe(t, a, event.TopicTask)
	var wg sync.WaitGroup
	seen := 0
	wg.Go(func() {
		for m := fast.next(); m.Key != "end"; m = fast.next() {
			seen++
		}
	})
	const n = 20 * event.Buffer
	for range n {
		a.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "x"})
	}
	a.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "end"})
	wg.Wait()
	marks, kept := 0, 0
	for m := slow.next(); m.Key != "end"; m = slow.next() {
		if kept++; m.Topic == event.TopicResync {
			marks++
		}
	}
	if marks == 0 || kept > 2*event.Buffer+2 {
		t.Errorf("the slow reader got %d messages of %d with %d resync marks", kept, n, marks)
	}
	if seen == 0 {
		t.Error("the fast reader got nothing")
	}
}

func testPayload(t *testing.T, make pair) {
	a, b := make(t)
	here, there := subscribe(t, a, event.TopicLog), subscribe(t, b, event.TopicLog)
	confirm(t, a, event.TopicLog, there, here)
	given := []event.Message{
		{Topic: event.TopicLog, Key: "most", Payload: slices.Repeat([]byte("x"), event.MaxPayload)},
		{Topic: event.TopicLog, Key: "too much", Payload: slices.Repeat([]byte("x"), event.MaxPayload+1)},
		{Topic: event.TopicResync, Key: "forged"},
		{Topic: event.TopicLog, Key: "bytes \x00\xff", Payload: []byte{0, 255}},
		{Topic: event.TopicLog, Key: "end"},
	}
	a.Publish(t.Context(), given...)
	if len(given[1].Payload) == 0 {
		t.Error("the caller's message was changed")
	}
	for _, r := range []*reader{here, there} {
		before := r.until("end")
		if len(before) != 3 || len(before[0].Payload) != event.MaxPayload || before[1].Payload != nil || before[2].Key != "bytes \x00\xff" || string(before[2].Payload) != "\x00\xff" {
			t.Errorf("%d messages came, or the wrong ones", len(before))
		}
	}
}

func testClose(t *testing.T, make pair) {
	a, b := make(t)
	sub := a.Subscribe(event.TopicTask)
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	for range sub.C() { // ends
	}
	sub.Close()
	for range a.Subscribe(event.TopicTask).C() { // ends at once
	}
	a.Publish(t.Context(), event.Message{Topic: event.TopicTask})
	a.PublishTo(t.Context(), "b", event.Message{Topic: event.TopicTask})
	b.PublishTo(t.Context(), "a", event.Message{Topic: event.TopicTask})
}

func testUnsubscribe(t *testing.T, make pair) {
	a, b := make(t)
	stay := subscribe(t, a, event.TopicTask, event.TopicNode)
	for range 100 {
		sub := a.Subscribe(event.TopicTask, event.TopicJob)
		b.Publish(t.Context(), event.Message{Topic: event.TopicJob})
		sub.Close()
		sub.Close()
		for range sub.C() { // closed, perhaps after a last delivery
		}
	}
	confirm(t, b, event.TopicTask, stay)
	confirm(t, b, event.TopicNode, stay)
}

// Many publishers, readers that come and go: nothing blocks, races or leaks.
func testCrowd(t *testing.T, make pair) {
	a, b := make(t)
	ctx, cancel := context.WithCancel(t.Context())
	var readers, writers sync.WaitGroup
	for i := range 8 {
		bus := []event.Bus{a, b}[i%2]
		readers.Go(func() {
			for ctx.Err() == nil {
				sub := bus.Subscribe(event.TopicTask, event.TopicNode)
				select {
				case <-sub.C():
				case <-ctx.Done():
				}
				sub.Close()
			}
		})
		writers.Go(func() {
			for n := range 500 {
				bus.Publish(ctx, event.Message{Topic: event.TopicTask, Key: fmt.Sprint(n)}, event.Message{Topic: event.TopicNode})
				bus.PublishTo(ctx, "b", event.Message{Topic: event.TopicNode})
			}
		})
	}
	writers.Wait()
	cancel()
	readers.Wait()
}

// What was published right before Close still arrives.
func testFlush(t *testing.T, make pair) {
	a, b := make(t)
	there := subscribe(t, b, event.TopicOwnership)
	confirm(t, a, event.TopicOwnership, there)
	for i := range 700 {
		a.Publish(t.Context(), event.Message{Topic: event.TopicOwnership, Key: fmt.Sprint(i)})
	}
	a.PublishTo(t.Context(), "b", event.Message{Topic: event.TopicOwnership, Key: "bye"})
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	got := map[string]bool{}
	for len(got) < 701 {
		got[there.real().Key] = true
	}
}
