package graph

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

// logbook is a task's log as a follower sees it.
type logbook struct {
	mu          sync.Mutex
	lines       []task.LogLine
	ended, long bool
	fail        error
	page        int
	heads       []task.LogHead
	got         []int64 // seqs that were sent
	late        []int
	stuck       bool // nobody takes what is sent
}

func (l *logbook) follower(wake <-chan struct{}, after int64) *follower {
	return &follower{
		after: after, wake: wake, log: slog.New(slog.DiscardHandler),
		send: func(ctx context.Context, page *task.LogPage, late int) error {
			if l.stuck {
				<-ctx.Done()
				return ctx.Err()
			}
			for i := range page.Lines {
				l.got = append(l.got, page.Lines[i].Seq)
			}
			if late > 0 {
				l.late = append(l.late, late)
			}
			return nil
		},
		ended: func(context.Context) (bool, bool, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.ended, l.long, l.fail
		},
		read: func(_ context.Context, after int64) (task.LogPage, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			var found []task.LogLine
			for _, line := range l.lines {
				if line.Seq > after && len(found) < l.page {
					found = append(found, line)
				}
			}
			more := len(found) > 0 && found[len(found)-1].Seq < l.lines[len(l.lines)-1].Seq
			return task.LogPage{Lines: found, More: more, Heads: l.heads}, l.fail
		},
	}
}

func (l *logbook) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range n {
		var line task.LogLine
		line.Seq = int64(len(l.lines) + 1)
		l.lines = append(l.lines, line)
	}
}

func (l *logbook) set(fail error, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail, l.ended = fail, ended
}

// follow runs a follower and answers what it sends within d, and whether it ended.
func (l *logbook) follow(t *testing.T, f *follower, d time.Duration) (seqs []int64, ended bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	f.run(ctx)
	return l.got, ctx.Err() == nil
}

func TestFollower(t *testing.T) {
	t.Parallel()
	t.Run("replays an old log at once and ends", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{ended: true, long: true, page: 10}
			l.add(35)
			began := time.Now()
			if seqs, ended := l.follow(t, l.follower(nil, 5), time.Minute); len(seqs) != 30 || seqs[0] != 6 || !ended || time.Since(began) > 0 {
				t.Errorf("%d lines, ended %t after %s", len(seqs), ended, time.Since(began))
			}
		})
	})
	t.Run("waits for lines written beside the end", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{ended: true, page: 10}
			wake := make(chan struct{}, 1)
			go func() {
				time.Sleep(500 * time.Millisecond)
				l.add(1)
				wake <- struct{}{}
			}()
			if seqs, ended := l.follow(t, l.follower(wake, 0), time.Minute); len(seqs) != 1 || !ended {
				t.Errorf("%d lines, ended %t", len(seqs), ended)
			}
		})
	})
	t.Run("finds lines without a hint", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{page: 10}
			go func() {
				time.Sleep(time.Second)
				l.add(3)
			}()
			if seqs, ended := l.follow(t, l.follower(make(chan struct{}), 0), 10*time.Second); len(seqs) != 3 || ended {
				t.Errorf("%d lines, ended %t", len(seqs), ended)
			}
		})
	})
	t.Run("goes on after a failure, and repeats nothing", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{page: 10}
			l.add(2)
			go func() {
				time.Sleep(time.Second)
				l.set(errors.New("away"), false)
				time.Sleep(10 * time.Second)
				l.add(2)
				l.set(nil, true)
			}()
			seqs, ended := l.follow(t, l.follower(make(chan struct{}), 0), time.Minute)
			if len(seqs) != 4 || seqs[3] != 4 || !ended {
				t.Errorf("lines %v, ended %t", seqs, ended)
			}
		})
	})
	t.Run("tells of lines that an earlier attempt sends late", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{page: 10, heads: []task.LogHead{{Attempt: 1, Bytes: 10}, {Attempt: 2, Bytes: 10}}}
			go func() {
				for i, h := range []task.LogHead{{Attempt: 1, Bytes: 10}, {Attempt: 1, Bytes: 20}, {Attempt: 1, Bytes: 20, Cut: 7}} {
					time.Sleep(5 * time.Second)
					l.mu.Lock()
					l.heads = []task.LogHead{h, {Attempt: 2, Bytes: int64(20 + i)}} // the present one grows: that is no news
					l.mu.Unlock()
				}
			}()
			l.follow(t, l.follower(make(chan struct{}), models.LogSeq(2, 1)), time.Minute)
			if len(l.late) != 2 || l.late[0] != 1 {
				t.Errorf("late attempts: %v", l.late)
			}
		})
	})
	t.Run("reads at most ten times a second", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{page: 1000}
			wake, reads := make(chan struct{}, 1), 0
			f := l.follower(wake, 0)
			read := f.read
			f.read = func(ctx context.Context, after int64) (task.LogPage, error) {
				reads++
				return read(ctx, after)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			done := make(chan struct{})
			go func() {
				defer close(done)
				for ctx.Err() == nil {
					l.add(1)
					select {
					case wake <- struct{}{}:
					default:
					}
					time.Sleep(time.Millisecond)
				}
			}()
			f.run(ctx)
			<-done
			if reads > 110 || len(l.got) < 9_800 || len(l.got) > 10_001 {
				t.Errorf("%d reads for %d lines", reads, len(l.got))
			}
		})
	})
	t.Run("sends nothing to a reader that has gone", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{page: 10, stuck: true}
			l.add(5)
			f := l.follower(make(chan struct{}), 0)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { f.run(ctx); close(done) }() // and nobody takes what it sends
			time.Sleep(time.Hour)
			cancel()
			<-done
		})
	})
}
