package worker

import (
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// outcomeLost is the outcome, for this process only, of an attempt that was given to
// another node.
const outcomeLost = "lost"

// Stats are a worker's figures at one moment. They encode to JSON, so that
//
//	expvar.Publish("belfry", expvar.Func(func() any { return w.Stats() }))
//
// shows them under /debug/vars.
type Stats struct {
	Slots     int  `json:"slots"`     // attempts that may run at once
	Running   int  `json:"running"`   // attempts whose handler has not returned, stuck ones included
	Stuck     int  `json:"stuck"`     // those of them whose context has ended long ago (Config.StuckAfter)
	Unacked   int  `json:"unacked"`   // attempts that have ended and whose result no server has taken yet
	LogBytes  int  `json:"logBytes"`  // of log lines that wait to be reported
	Connected bool `json:"connected"` // assignments can arrive
	Draining  bool `json:"draining"`  // nothing new is taken
	// Handlers are the figures of each handler, by its registered name; empty before
	// Run.
	Handlers map[string]HandlerStats `json:"handlers"`
}

// HandlerStats are the figures of one handler; all but Running and Stuck count since
// Run began.
type HandlerStats struct {
	Running   int   `json:"running"`
	Stuck     int   `json:"stuck"`
	Started   int64 `json:"started"`
	Succeeded int64 `json:"succeeded"`
	Failed    int64 `json:"failed"`
	TimedOut  int64 `json:"timedOut"`
	Cancelled int64 `json:"cancelled"`
	Released  int64 `json:"released"` // ended by a shutdown
	Snoozed   int64 `json:"snoozed"`
	Lost      int64 `json:"lost"`    // given to another node while the handler ran
	Refused   int64 `json:"refused"` // handed back before the handler was called
	Aliased   int64 `json:"aliased"` // started, for jobs that give one of its Aliases
}

// count counts an attempt that has ended; book.mu is held.
func (s *HandlerStats) count(outcome string) {
	switch outcome {
	case wire.OutcomeSucceeded:
		s.Succeeded++
	case wire.OutcomeFailed:
		s.Failed++
	case wire.OutcomeTimedOut:
		s.TimedOut++
	case wire.OutcomeCancelled:
		s.Cancelled++
	case wire.OutcomeReleased:
		s.Released++
	case wire.OutcomeSnoozed:
		s.Snoozed++
	case outcomeLost:
		s.Lost++
	}
}

// know notes which handlers there are.
func (b *book) know(r registry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers = r.handlers()
}

func (b *book) stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Stats{
		Slots: b.cfg.Slots, Running: b.running, Unacked: b.unacked, LogBytes: b.logBytes,
		Connected: b.lastSeq > 0, Draining: b.leaving || b.drained,
		Handlers: make(map[string]HandlerStats, len(b.handlers)),
	}
	for _, h := range b.handlers {
		figures := h.figures
		figures.Running = h.running
		s.Handlers[h.name] = figures
		s.Stuck += figures.Stuck
	}
	return s
}
