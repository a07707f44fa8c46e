// Package worker runs a service's jobs. A Worker connects to a Belfry server,
// takes the tasks of its node group, calls the handler registered under the
// task's handler name and reports what happened until the server has it.
//
// The first ten minutes: start a server with "belfry dev", create an app and note its
// key, then
//
//	w, err := worker.New(worker.Config{Server: url, App: "order-worker", Key: key, Group: "orders"})
//	if err != nil { … }
//	worker.Handle(w, "SyncOrders", func(ctx context.Context, task *worker.Task, args SyncOrders) error { … })
//	err = w.Run(ctx) // until ctx ends, then drains
//
// and create a job with the handler name SyncOrders in the console. After that:
// [HandleResult] for handlers with a result, [Task.Progress], [Task.Checkpoint] for
// long ones, [Aliases] when a handler is renamed, [Limit] and [Slots] for calls that
// need care, [Worker.Use] and [With] for middleware, Config.OnStart to clean up after
// a crash, [Worker.Health] for the supervisor's probes, [Worker.Stats] and [Observer]
// for metrics, package workertest for tests.
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
// [ErrLeaseLost] (compare with errors.Is). A handler that goes on regardless counts as
// stuck after Config.StuckAfter: its stack goes to the task's log, to the process's and
// to the observer, and its slot stays taken, since Go cannot end a goroutine from
// outside.
//
// A shutdown has three steps, each with its bound: soft, nothing new and waiting
// (Config.DrainTimeout); cancel, the contexts end with ErrShutdown
// (Config.CancelTimeout); hard, what still runs is reported as released and left to end
// with the process, and Run returns an error that names it.
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
