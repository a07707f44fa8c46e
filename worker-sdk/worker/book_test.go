package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// newTestBook returns a book whose handlers end when they are told to.
func newTestBook(slots int) (*book, map[string]HandlerFunc, chan error) {
	b := newBook(&Config{Slots: slots, Name: "n", Logger: slog.New(slog.DiscardHandler), LogLevel: slog.LevelInfo, OnlyTaskLog: true})
	answer := make(chan error)
	return b, map[string]HandlerFunc{"H": func(ctx context.Context, task *Task) error { return <-answer }}, answer
}

func assignments(from, n int) []wire.Assignment {
	list := make([]wire.Assignment, n)
	for i := range list {
		list[i] = wire.Assignment{Task: fmt.Sprint("t", from+i), Attempt: 1, Handler: "H"}
	}
	return list
}

// collectAll takes everything that is due, as if every report were accepted; it
// waits for at least n items.
func collectAll(t *testing.T, b *book, n int) (items []item) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); len(items) < n; {
		got, wait := b.collect(nil, wire.MaxReportItems, 0)
		acks := make([]wire.Ack, len(got))
		for i := range acks {
			acks[i].Status = wire.AckAccepted
		}
		b.settle(got, acks, time.Now())
		if items = append(items, got...); len(got) == 0 && wait != 0 {
			select {
			case <-b.outbox.wake:
			case <-time.After(time.Millisecond):
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d items, want %d", len(items), n)
		}
	}
	return items
}

func TestBookIsEmptyWhenAllIsToldAndBoundsHold(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(8)
	for round := range 50 {
		b.take(t.Context(), int64(round+1), assignments(round*10, 10), handlers) // two too many
		for i := range 8 {
			if i%2 == 0 {
				answer <- nil
			} else {
				answer <- errors.New("no")
			}
		}
		<-b.idle()
		results, refused := 0, 0
		for _, it := range collectAll(t, b, 10) {
			if it.ending != nil {
				results++
			}
			if it.refusal {
				refused++
			}
		}
		<-b.flushed()
		b.mu.Lock()
		if len(b.held) != 0 || b.running != 0 || b.unacked != 0 || b.unbytes != 0 || b.refusals != 0 || b.logBytes != 0 || b.runners.total > 8 {
			t.Errorf("round %d: %+v", round, b)
		}
		b.mu.Unlock()
		if results != 8 || refused != 2 {
			t.Errorf("%d results, %d refused", results, refused)
		}
	}
	if got := len(b.recent.set); got != 400 {
		t.Errorf("%d recent", got)
	}
	<-b.dismiss()
}

func TestNothingNewWhenTooMuchWaits(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(1)
	for i := range minUnacked + 3 {
		b.take(t.Context(), int64(i+1), assignments(i, 1), handlers)
		if i < minUnacked {
			answer <- nil
			<-b.idle()
		}
	}
	if s := b.stats(); s.Unacked != minUnacked || s.Running != 0 {
		t.Errorf("stats %+v", s)
	}
	b.mu.Lock()
	refused := b.refusals
	b.mu.Unlock()
	if refused != 3 {
		t.Errorf("%d refused", refused)
	}
	collectAll(t, b, minUnacked+3)
	b.take(t.Context(), 1, assignments(9_000_000, 1), handlers)
	answer <- nil
	<-b.idle()
	<-b.dismiss()
}

func TestRefusalsThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	b, _, _ := newTestBook(1)
	b.take(t.Context(), 1, assignments(0, maxRefusals+100), nil)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.held) != maxRefusals || b.refusals != maxRefusals {
		t.Errorf("%d held, %d refusals", len(b.held), b.refusals)
	}
}

func TestLogBudgetOfAllAttemptsHolds(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(40)
	b.limitLogs(1 << 30)
	b.take(t.Context(), 1, assignments(0, 40), handlers)
	b.mu.Lock()
	all := make([]*attempt, 0, 40)
	for _, a := range b.held {
		all = append(all, a)
	}
	b.mu.Unlock()
	for i := range 6_000 {
		all[i%40].task.Logger().Info("x", "fill", fmt.Sprintf("%6000d", i))
	}
	b.mu.Lock()
	if b.logBytes > maxLogBytes+40*noticeBytes || b.logBytes < maxLogBytes/2 {
		t.Errorf("%d bytes of log wait", b.logBytes)
	}
	b.mu.Unlock()
	for range 40 {
		answer <- nil
	}
	<-b.idle()
	for empty := false; !empty; {
		collectAll(t, b, 1)
		b.mu.Lock()
		empty = len(b.held) == 0
		if empty && b.logBytes != 0 {
			t.Errorf("%d bytes are left over", b.logBytes)
		}
		b.mu.Unlock()
	}
	<-b.dismiss()
}

func TestTrimEndsIdleRunners(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(64)
	b.take(t.Context(), 1, assignments(0, 64), handlers)
	for range 64 {
		answer <- nil
	}
	<-b.idle()
	total := func() int {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.runners.total
	}
	before := total()
	ended := b.when(func() bool { return b.runners.total < 4 })
	for range 8 {
		b.trim()
	}
	<-ended
	if before < 2 {
		t.Errorf("%d runners for 64 blocking handlers", before)
	}
	b.take(t.Context(), 2, assignments(100, 64), handlers) // and there are enough again
	for range 64 {
		answer <- nil
	}
	<-b.idle()
	<-b.dismiss()
	if n := total(); n != 0 {
		t.Errorf("%d runners are left", n)
	}
}

func TestRecentForgetsTheOldest(t *testing.T) {
	t.Parallel()
	r := newRecent(3)
	for i := range 5 {
		r.add(wire.AttemptRef{Task: fmt.Sprint(i)})
	}
	for i := range 5 {
		if r.has(wire.AttemptRef{Task: fmt.Sprint(i)}) != (i >= 2) {
			t.Errorf("recent of %d is wrong", i)
		}
	}
	if len(r.set) != 3 {
		t.Errorf("%d kept", len(r.set))
	}
}
