package graph

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/task"
)

// logbook is a task's log as a follower sees it.
type logbook struct {
	mu          sync.Mutex
	lines       []task.LogLine
	ended, long bool
	fail        error
	page        int
}

func (l *logbook) follower(wake <-chan struct{}, after int64) *follower {
	return &follower{
		after: after, wake: wake, out: make(chan *gqlmodel.TaskLogLine), log: slog.New(slog.DiscardHandler),
		ended: func(context.Context) (bool, bool, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.ended, l.long, l.fail
		},
		read: func(_ context.Context, after int64) ([]task.LogLine, bool, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			var found []task.LogLine
			for _, line := range l.lines {
				if line.Seq > after && len(found) < l.page {
					found = append(found, line)
				}
			}
			return found, len(found) > 0 && found[len(found)-1].Seq < l.lines[len(l.lines)-1].Seq, l.fail
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
func follow(t *testing.T, f *follower, d time.Duration) (seqs []int64, ended bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	go func() {
		defer close(f.out)
		f.run(ctx)
	}()
	for line := range f.out {
		seqs = append(seqs, line.Seq)
	}
	return seqs, ctx.Err() == nil
}

func TestFollower(t *testing.T) {
	t.Parallel()
	t.Run("replays an old log at once and ends", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{ended: true, long: true, page: 10}
			l.add(35)
			began := time.Now()
			if seqs, ended := follow(t, l.follower(nil, 5), time.Minute); len(seqs) != 30 || seqs[0] != 6 || !ended || time.Since(began) > 0 {
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
			if seqs, ended := follow(t, l.follower(wake, 0), time.Minute); len(seqs) != 1 || !ended {
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
			if seqs, ended := follow(t, l.follower(make(chan struct{}), 0), 10*time.Second); len(seqs) != 3 || ended {
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
			seqs, ended := follow(t, l.follower(make(chan struct{}), 0), time.Minute)
			if len(seqs) != 4 || seqs[3] != 4 || !ended {
				t.Errorf("lines %v, ended %t", seqs, ended)
			}
		})
	})
	t.Run("sends nothing to a reader that has gone", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := &logbook{page: 10}
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
