package lifecycle

import (
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// LoopHealth is how a loop fares.
type LoopHealth struct {
	Name string
	// Age is the time since the last round that succeeded, or since the start if
	// none has.
	Age time.Duration
	// Overdue is the time by which the next success is late; 0 when it is not. A
	// loop that waits as it said is never overdue, however long it waits.
	Overdue time.Duration
	// Busy is how long the round in progress has been going; 0 between rounds.
	Busy time.Duration
	// Failures counts the failed rounds since the last success.
	Failures int
	// LastError is the last failure since the last success; empty without one.
	LastError string
	// Running is false before Start and after the goroutine's end.
	Running bool
}

// status is what a loop remembers for LoopHealth. Instants are clock.Monotonic.
type status struct {
	mu        sync.Mutex
	running   bool
	succeeded time.Duration // last success or start
	due       time.Duration // when the next success is expected
	began     time.Duration // start of the round in progress; 0 between rounds
	failures  int
	lastError string
	told      time.Duration // when the failure was last logged
}

func (s *status) start(every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := clock.Monotonic()
	s.running, s.succeeded, s.due = true, now, now+every
	s.failures, s.lastError = 0, ""
}

func (s *status) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = clock.Monotonic()
}

// succeed ends a round. It answers how many rounds had failed before.
func (s *status) succeed(next time.Duration) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = 0
	return s.well(next)
}

// alive is a success within the round in progress.
func (s *status) alive(next time.Duration) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.well(next)
}

func (s *status) well(next time.Duration) int {
	before := s.failures
	now := clock.Monotonic()
	s.succeeded, s.due = now, now+next
	s.failures, s.lastError = 0, ""
	return before
}

// fail answers how many rounds have failed in a row and whether this one is to be
// logged: the first, each with a new text, and one a minute.
func (s *status) fail(err error) (failures int, tell bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := clock.Monotonic()
	text := err.Error()
	tell = s.failures == 0 || text != s.lastError || now-s.told >= repeatLog
	if tell {
		s.told = now
	}
	s.failures++
	s.lastError, s.began = text, 0
	return s.failures, tell
}

func (s *status) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.began = false, 0
}

func (s *status) health(name string) LoopHealth {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := LoopHealth{Name: name, Failures: s.failures, LastError: s.lastError, Running: s.running}
	if !s.running {
		return h
	}
	now := clock.Monotonic()
	h.Age = now - s.succeeded
	h.Overdue = max(0, now-s.due)
	if s.began != 0 {
		h.Busy = now - s.began
	}
	return h
}
