package worker

import (
	"time"
)

// Observer is told what a worker does, for metrics. Its methods are called by the
// goroutine that does it, some by many goroutines at once, and hold it up: they must
// return soon and not block. A panic in one is caught and logged.
//
// Embed NopObserver in an implementation, so that a method that a later version adds
// does not break it. For figures that are read now and then, see Worker.Stats.
type Observer interface {
	// AttemptStarted is called before the handler is called.
	AttemptStarted(task *Task, start AttemptStart)
	// AttemptEnded is called when the handler has returned, once for each
	// AttemptStarted, and before the server is told. An attempt whose context had
	// ended before its turn came has both calls, although its handler is not called.
	AttemptEnded(task *Task, end AttemptEnd)
	// AttemptStuck is called when a handler goes on although its context has ended
	// long ago; AttemptEnded follows when it returns after all.
	AttemptStuck(task *Task, stuck StuckAttempt)
	// AssignmentRefused is called when an assignment is handed back: reason is one of
	// wire's Refuse constants, as "no_slot", and handler the name that the job gives.
	AssignmentRefused(handler, reason string)
	// ReportSent is called after each try to send a report.
	ReportSent(report ReportSent)
}

// AttemptStart tells of the beginning of an attempt.
type AttemptStart struct {
	Handler string        // the registered name, also where the job gives an alias
	Waited  time.Duration // since the assignment arrived
}

// AttemptEnd tells how an attempt has ended.
type AttemptEnd struct {
	Handler string // the registered name, also where the job gives an alias
	// Outcome is one of wire's Outcome constants, as "succeeded" or "timed_out", or
	// "lost": the attempt was given to another node, and nothing is reported.
	Outcome string
	Took    time.Duration // since the handler was called
	// Err is what the handler returned, as it returned it; a panic is a *PanicError.
	Err error
	// Cause is why the context had ended by then (see ErrCancelled and the others);
	// nil if it had not.
	Cause error
}

// StuckAttempt tells of a handler that goes on although its context has ended.
type StuckAttempt struct {
	Handler string        // the registered name, also where the job gives an alias
	Cause   error         // why the context has ended
	For     time.Duration // since then
	// Stack shows where its goroutine is, and those that it has begun, at most 16 KiB;
	// "" if it was not found.
	Stack string
}

// ReportSent tells of one try to send a report.
type ReportSent struct {
	Items int
	Bytes int
	Took  time.Duration
	Err   error // nil: a server has answered it
}

// NopObserver does nothing; embed it in an Observer.
type NopObserver struct{}

// AttemptStarted does nothing.
func (NopObserver) AttemptStarted(*Task, AttemptStart) {}

// AttemptEnded does nothing.
func (NopObserver) AttemptEnded(*Task, AttemptEnd) {}

// AttemptStuck does nothing.
func (NopObserver) AttemptStuck(*Task, StuckAttempt) {}

// AssignmentRefused does nothing.
func (NopObserver) AssignmentRefused(string, string) {}

// ReportSent does nothing.
func (NopObserver) ReportSent(ReportSent) {}

// observe calls the observer, if there is one; a panic of it must not end the process
// or the attempt. It must not be called with book.mu held.
func (c *Config) observe(tell func(Observer)) {
	if c.Observer == nil {
		return
	}
	defer func() {
		if value := recover(); value != nil {
			c.Logger.Error("the observer panicked", "panic", value)
		}
	}()
	tell(c.Observer)
}
