package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	// flushTime is how long the last reports may take.
	flushTime = 10 * time.Second
	// leaveTime is how long the good-bye may take; without it the server notices by
	// the missing heartbeats.
	leaveTime = 2 * time.Second
)

// shutDown is the way out after Run's context has ended: nothing new, wait (soft
// stop), end the contexts of what still runs (cancel), give up on what does not obey
// (hard stop), report, leave. Each step has its bound. stop ends the loops and waits for them; that
// comes before the good-bye, or a loop would connect again after it. ctx outlives
// them.
func (s *session) shutDown(ctx context.Context, stop func()) error {
	s.cfg.Logger.Info("draining", "running", s.book.stats().Running, "timeout", s.cfg.DrainTimeout)
	s.book.leave()
	s.beatSoon()
	fatal, err := s.waitIdle(s.cfg.DrainTimeout)
	if fatal {
		return errors.Join(err, s.abandonAll())
	}
	if err != nil {
		s.book.cancelAll(ErrShutdown, false)
		if fatal, err = s.waitIdle(s.cfg.CancelTimeout); fatal {
			return errors.Join(err, s.abandonAll())
		}
		if err != nil {
			s.book.leaveBehind()
		}
	}
	err = errors.Join(err, s.flush())
	stop()
	s.book.noteKept()
	s.leaveServer(ctx)
	s.dismiss(err == nil)
	s.cfg.Logger.Info("drained", "complete", err == nil)
	return err
}

// abandonAll is the way out after a fatal error: nothing can be reported any more,
// so the handlers only have to stop.
func (s *session) abandonAll() error {
	s.book.leave()
	s.book.cancelAll(ErrLeaseLost, true)
	err := s.book.waitIdle(s.cfg.CancelTimeout)
	if err != nil {
		s.book.tellStuck(s.book.newlyStuck(time.Now(), 0))
	}
	s.dismiss(err == nil)
	return err
}

// waitIdle waits until no handler runs. The error says which ones still do, or is
// the fatal one that came meanwhile.
func (s *session) waitIdle(limit time.Duration) (fatal bool, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-s.book.idle():
		return false, nil
	case err := <-s.fatal:
		return true, err
	case <-timer.C:
		return false, s.book.stillRunning()
	}
}

func (b *book) waitIdle(limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-b.idle():
		return nil
	case <-timer.C:
		return b.stillRunning()
	}
}

// stillRunning names the handlers that have not returned, nil if all have.
func (b *book) stillRunning() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	names := map[string]int{}
	for _, a := range b.held {
		if !a.ended && a.refusal == "" {
			names[a.task.Handler]++
		}
	}
	if len(names) == 0 {
		return nil
	}
	var list []string
	for name, n := range names {
		list = append(list, fmt.Sprintf("%s (%d)", name, n))
	}
	slices.Sort(list)
	return fmt.Errorf("handlers still run after their context has ended, and are left behind: %s; return when ctx.Done is closed", strings.Join(list, ", "))
}

// flush waits until the server has been told everything.
func (s *session) flush() error {
	timer := time.NewTimer(flushTime)
	defer timer.Stop()
	select {
	case <-s.book.flushed():
		return nil
	case err := <-s.fatal:
		return err
	case <-timer.C:
		s.book.mu.Lock()
		defer s.book.mu.Unlock()
		if s.book.kept != nil {
			return fmt.Errorf("%d attempts could not be reported within %s: their results are in %s for the next process", s.book.untold(), flushTime, s.book.kept.file.Path())
		}
		return fmt.Errorf("%d attempts could not be reported within %s: the server will give them to other nodes", s.book.untold(), flushTime)
	}
}

// leaveServer says good-bye, so that what is left is taken over at once; unless
// results are left that the next process can send, which would come too late then.
func (s *session) leaveServer(ctx context.Context) {
	if !s.registered() || s.book.keptLen() > 0 {
		return
	}
	body, err := json.Marshal(wire.Leave{Node: s.cfg.Name, Group: s.cfg.Group, Incarnation: s.incarnation})
	if err == nil {
		err = s.link.Post(ctx, leaveTime, wire.PathLeave, body, nil)
	}
	if err != nil { // the second try goes to another server, if there is one
		err = s.link.Post(ctx, leaveTime, wire.PathLeave, body, nil)
	}
	if err != nil {
		s.cfg.Logger.Warn("could not say good-bye; the server will notice by the missing heartbeats", "error", err)
	}
}

// dismiss ends the runners; with all of them idle it waits until they have ended.
func (s *session) dismiss(allIdle bool) {
	ended := s.book.dismiss()
	if allIdle && s.book.stats().Running == 0 {
		<-ended
	}
}
