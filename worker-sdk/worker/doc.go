// Package worker runs a service's jobs. A Worker connects to a Belfry server,
// takes the tasks of its node group, calls the handler registered under the
// task's handler name and reports what happened until the server has it.
//
//	w, err := worker.New(worker.Config{Server: url, App: "order-worker", Key: key, Group: "orders"})
//	if err != nil { … }
//	worker.Handle(w, "SyncOrders", func(ctx context.Context, task *worker.Task, args SyncOrders) error { … })
//	err = w.Run(ctx) // until ctx ends, then drains
//
// # What a handler may rely on
//
// A task runs at least once; one try is an attempt. It runs a second time when a
// worker or its connection was lost, so a handler either does no harm when
// repeated, or guards its writes with [Task.Fence]: a later attempt has a higher
// one, so "UPDATE … WHERE fence <= ?" refuses what an older attempt still writes.
//
// The handler's context ends when the attempt has to stop, and [context.Cause]
// says why: [ErrCancelled], [ErrReplaced], [ErrTimeLimit], [ErrShutdown] or
// [ErrLeaseLost] (compare with errors.Is).
//
// What the handler returns decides what becomes of the attempt:
//
//   - nil: it succeeded, even when its context has ended meanwhile;
//   - an error: it failed, and the job's retry rules decide; [NoRetry] goes to the
//     failed queue at once, [RetryAfter] sets the pause before the next attempt;
//   - [Snooze]: it runs again later, which uses up no attempt;
//   - an error after the context has ended: timed out, cancelled or, at a shutdown,
//     released, which uses up no attempt either. Any error counts, since few
//     libraries pass the context's own error on unchanged;
//   - a panic: it failed, and the stack is kept.
//
// # When the server is away
//
// The worker goes on with what runs and connects to any server of its list. It
// keeps results until a server has taken them; of log lines it keeps a bounded
// number and puts a line in the log that says how many it dropped. With
// [Config.SpillDir] results also outlive the process. When the
// server has given its attempts to others meanwhile, they run on here until a
// server says so, and their contexts end with [ErrLeaseLost]: a worker cannot know
// by itself, and stopping good work because of a server's restart would be worse.
package worker
