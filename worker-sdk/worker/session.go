package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	callTimeout = 10 * time.Second // register, report
	maxBackoff  = 5 * time.Second
	// keyPatience is how long a worker that was registered goes on when its key is
	// refused: long enough for a rotation that happens in the wrong order.
	keyPatience = time.Minute
	// namePatience is how long it waits for another process to give its name free,
	// as in a rolling deployment; at least twice the drain timeout.
	namePatience = time.Minute
)

// session is what one process is to the servers: its registration, the settings
// that came with it, and the reaction to errors that concern the whole process.
type session struct {
	cfg         *Config
	link        *link.Link
	book        *book
	incarnation string
	handlers    registry
	vital       vital
	previous    atomic.Pointer[Previous] // who had the name before; nil: nobody, or unknown
	gone        []string                 // processes of this node that have proven to have ended; set before it registers

	turn     chan struct{} // holds a token while nobody registers
	epoch    atomic.Int64  // counts registrations
	settings atomic.Pointer[settings]
	changed  chan struct{} // one token: settings changed, or a beat is wanted now
	refused  atomic.Int64  // Unix ms since when the key has been refused; 0 = it is not

	fatal chan error // the first error that ends the worker
}

// settings are wire.Settings as durations, with defaults for what is missing.
type settings struct {
	heartbeat, offline, report, keepAlive time.Duration
	reportLimit                           int
	maxBody                               int64
	logLimit                              int64
}

func settingsOf(s wire.Settings) *settings {
	ms := func(value int64, otherwise, lowest time.Duration) time.Duration {
		if value <= 0 {
			return otherwise
		}
		return max(time.Duration(min(value, time.Hour.Milliseconds()))*time.Millisecond, lowest)
	}
	out := &settings{
		heartbeat:   ms(s.HeartbeatMS, 5*time.Second, 50*time.Millisecond),
		offline:     ms(s.OfflineMS, 15*time.Second, time.Second),
		report:      ms(s.ReportMS, 100*time.Millisecond, time.Millisecond),
		keepAlive:   ms(s.KeepAliveMS, 5*time.Second, 50*time.Millisecond),
		reportLimit: wire.MaxReportItems, maxBody: wire.MaxBodyBytes, logLimit: defaultLogKept,
	}
	if s.ReportLimit > 0 {
		out.reportLimit = min(s.ReportLimit, wire.MaxReportItems)
	}
	if s.MaxBodyBytes > 0 {
		out.maxBody = s.MaxBodyBytes
	}
	if s.LogLimit > 0 {
		out.logLimit = s.LogLimit
	}
	return out
}

func newSession(cfg *Config, l *link.Link, b *book, incarnation string, handlers registry) *session {
	s := &session{
		cfg: cfg, link: l, book: b, incarnation: incarnation, handlers: handlers,
		turn: make(chan struct{}, 1), changed: make(chan struct{}, 1), fatal: make(chan error, 1),
	}
	s.turn <- struct{}{}
	s.settings.Store(settingsOf(wire.Settings{}))
	return s
}

// apply follows new settings; the same ones again change nothing.
func (s *session) apply(set wire.Settings) {
	next := settingsOf(set)
	if *s.settings.Swap(next) == *next {
		return
	}
	s.book.limitLogs(next.logLimit)
	s.beatSoon()
}

// beatSoon makes the heartbeat loop beat at once.
func (s *session) beatSoon() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// fail ends the worker with err; only the first one counts.
func (s *session) fail(err error) {
	select {
	case s.fatal <- err:
	default:
	}
}

func (s *session) registered() bool { return s.epoch.Load() > 0 }

// register registers until it succeeds and reports whether it did; it gives up when
// ctx ends or the answer is final, which ends the worker. seen is the epoch at
// which the caller found the registration missing: when another goroutine has
// registered since, nothing is to be done.
func (s *session) register(ctx context.Context, seen int64) bool {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return false
	}
	if s.epoch.Load() != seen {
		return true
	}
	began := time.Now()
	quiet := quietly{log: s.cfg.Logger}
	for try := 0; ; try++ {
		err := s.registerOnce(ctx)
		if err == nil {
			s.epoch.Add(1)
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		if link.Code(err) == wire.CodeReplaced {
			return s.heed(ctx, err, seen)
		}
		if s.isFinal(err, time.Since(began)) {
			s.fail(fmt.Errorf("registering node %q of group %q: %w", s.cfg.Name, s.cfg.Group, serverError(err)))
			return false
		}
		quiet.warn("cannot register yet", err)
		if !link.Sleep(ctx, link.Backoff(try, maxBackoff)) {
			return false
		}
	}
}

// isFinal reports whether registering will not succeed by trying again.
func (s *session) isFinal(err error, tried time.Duration) bool {
	switch link.Code(err) {
	case wire.CodeNameInUse:
		return tried > max(namePatience, 2*s.cfg.DrainTimeout)
	case wire.CodeUnauthenticated:
		return !s.registered() || tried > keyPatience
	}
	return !link.Transient(err)
}

func (s *session) registerOnce(ctx context.Context) error {
	body, err := json.Marshal(wire.Register{
		Protocol: wire.Version, App: s.cfg.App, Group: s.cfg.Group, Node: s.cfg.Name,
		Incarnation: s.incarnation, Slots: s.cfg.Slots, Handlers: s.handlers.names(), HandlerSlots: s.handlers.pools(), Labels: s.cfg.Labels,
		SDK: link.Agent, Host: hostName(), PID: os.Getpid(), Running: s.book.heldRefs(), Gone: s.gone,
	})
	if err != nil {
		return fmt.Errorf("encoding the registration: %w", err)
	}
	s.vital.registering()
	var answer wire.Registered
	if err := s.link.Post(ctx, callTimeout, wire.PathRegister, body, &answer); err != nil {
		return err
	}
	s.refused.Store(0)
	if p := previousOf(answer.Previous); p != nil && !s.registered() {
		s.previous.Store(p)
	}
	s.apply(answer.Settings)
	for _, ref := range answer.Abandon {
		s.book.cancel(ref, ErrLeaseLost, true)
	}
	s.drain(answer.Draining)
	s.cfg.Logger.Info("registered", "node", s.cfg.Name, "group", s.cfg.Group, "app", s.cfg.App,
		"server", answer.Server, "slots", s.cfg.Slots, "handlers", s.handlers.names())
	return nil
}

// drain follows the server's order about new work.
func (s *session) drain(drained bool) {
	if s.book.setDrained(drained) {
		s.cfg.Logger.Info("the server changed whether this node takes new work", "draining", drained)
	}
}

// heed does what an error of any request demands of the process, and reports
// whether the caller may try again, after a pause.
func (s *session) heed(ctx context.Context, err error, epoch int64) bool {
	switch link.Code(err) {
	case wire.CodeNotRegistered:
		return s.register(ctx, epoch)
	case wire.CodeReplaced:
		s.fail(fmt.Errorf("node %q of group %q: %w: %w", s.cfg.Name, s.cfg.Group, ErrNodeReplaced, serverError(err)))
		return false
	case wire.CodeVersion:
		s.fail(fmt.Errorf("the server does not speak protocol version %d any more: %w", wire.Version, serverError(err)))
		return false
	case wire.CodeUnauthenticated:
		return s.keyRefused(err)
	}
	return ctx.Err() == nil
}

func (s *session) keyRefused(err error) bool {
	now := time.Now().UnixMilli()
	since := s.refused.Load()
	if since == 0 {
		s.refused.CompareAndSwap(0, now)
		s.cfg.Logger.Error("the app key is refused", "error", err)
		return true
	}
	if now-since > keyPatience.Milliseconds() {
		s.fail(fmt.Errorf("the app key has been refused for %s: %w", keyPatience, serverError(err)))
		return false
	}
	return true
}

// quietly logs the first of a row of failures and then one a minute.
type quietly struct {
	log  *slog.Logger
	last time.Time
}

func (q *quietly) warn(trouble string, err error) {
	if now := time.Now(); q.last.IsZero() || now.Sub(q.last) >= time.Minute {
		q.last = now
		q.log.Warn("trouble with the server", "what", trouble, "error", err)
	}
}
