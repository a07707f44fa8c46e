package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// newTestBook returns a book whose handlers end when they are told to.
func newTestBook(slots int) (*book, registry, chan error) {
	b := newBook(&Config{Slots: slots, Name: "n", Logger: slog.New(slog.DiscardHandler), LogLevel: slog.LevelInfo, OnlyTaskLog: true})
	answer := make(chan error)
	return b, registry{"H": {name: "H", run: func(ctx context.Context, task *Task) error { return <-answer }}}, answer
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
		got, wait := b.collect(nil, measure{items: wire.MaxReportItems, bytes: softBodyBytes})
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

// What ended attempts keep in memory counts, their parameters included.
func TestNothingNewWhenWhatWaitsIsTooHeavy(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(1)
	heavy := json.RawMessage(`"` + strings.Repeat("x", wire.MaxParameters-2) + `"`)
	taken := 0
	for b.stats().Unacked == taken {
		as := assignments(taken, 1)
		as[0].Parameters = heavy
		b.take(t.Context(), 1, as, handlers)
		if b.stats().Running == 0 {
			break
		}
		answer <- nil
		<-b.idle()
		taken++
	}
	if most := maxUnackedBytes / wire.MaxParameters; taken < most-1 || taken > most {
		t.Errorf("%d taken, want about %d", taken, most)
	}
	collectAll(t, b, taken+1)
	<-b.dismiss()
}

// A start goes along with a result that is there, and alone otherwise; and one
// attempt's items never are in two reports at once.
func TestWhatGoesIntoAReport(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(2)
	now := measure{items: wire.MaxReportItems, bytes: softBodyBytes}
	kinds := func(items []item) (text string) {
		for _, it := range items {
			switch {
			case it.started:
				text += "started "
			case it.chunk != nil:
				text += "log "
			case it.progress != nil:
				text += "progress "
			case it.checkpoint != nil:
				text += "checkpoint "
			case it.ending != nil:
				text += "result "
			}
		}
		return text
	}
	next := func(want string) []item {
		t.Helper()
		for {
			items, wait := b.collect(nil, now)
			if len(items) > 0 {
				if got := kinds(items); got != want {
					t.Errorf("items %s, want %s", got, want)
				}
				return items
			}
			if wait < 0 {
				<-b.outbox.wake
			}
		}
	}
	accept := func(items []item) {
		acks := make([]wire.Ack, len(items))
		for i := range acks {
			acks[i].Status = wire.AckAccepted
		}
		b.settle(items, acks, time.Now())
	}
	b.take(t.Context(), 1, assignments(0, 1), handlers)
	answer <- nil
	<-b.idle()
	accept(next("result "))

	b.take(t.Context(), 2, assignments(1, 1), handlers)
	started := next("started ")
	task := &started[0].a.task
	task.Logger().Info("one")
	task.Progress(0.5, "")
	saved := make(chan error, 1)
	b.checkpoint(task.a, json.RawMessage("1"), saved)
	if items, wait := b.collect(nil, now); len(items) > 0 || wait >= 0 {
		t.Errorf("a second report has %s", kinds(items))
	}
	accept(started)
	told := next("progress log checkpoint ")
	answer <- nil
	<-b.idle()
	accept(told)
	if err := <-saved; err != nil {
		t.Error(err)
	}
	accept(next("result "))
	<-b.flushed()
	<-b.dismiss()
}

// A server may hand a snoozed or released attempt out again under its number, since
// it used up no attempt; one that ended for good is not run twice.
func TestWhichAttemptsMayComeBack(t *testing.T) {
	t.Parallel()
	b, handlers, answer := newTestBook(1)
	for _, c := range []struct {
		err  error
		back bool
	}{{Snooze(time.Second), true}, {nil, false}} {
		b.take(t.Context(), 1, assignments(0, 1), handlers)
		answer <- c.err
		<-b.idle()
		collectAll(t, b, 1)
		b.mu.Lock()
		if b.recent.has(wire.AttemptRef{Task: "t0", Attempt: 1}) == c.back {
			t.Errorf("%v: may come back: %v", c.err, !c.back)
		}
		b.mu.Unlock()
	}
	<-b.dismiss()
}
