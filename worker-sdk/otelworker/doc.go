// Package otelworker puts a Belfry worker into OpenTelemetry: one line traces every
// attempt and measures it.
//
//	w.Use(otelworker.Middleware())
//
// # Spans
//
// Each attempt is a span of kind CONSUMER named "process" and the job's name. Its parent
// is the trace context that came with the assignment (Task.TraceParent), if one did;
// otherwise it begins a trace. All attempts of a task, and of the tasks that its end sets
// off, are one trace, whose id is the first TaskId read as 128 bits. The spans of the
// handler's own calls get it by the context. Attributes follow the semantic conventions for
// messaging, and what they have no word for begins with
// belfry:
//
//	messaging.system             belfry
//	messaging.operation.name     process
//	messaging.operation.type     process
//	messaging.destination.name   the job
//	messaging.message.id         the TaskId
//	belfry.handler               the handler name
//	belfry.trigger               CRON, DELAY, …
//	belfry.attempt               1 for the first
//	belfry.shard, belfry.shards  of a shard
//	belfry.outcome               succeeded, failed, snoozed, timed_out, cancelled, released, lost or panicked
//	error.type                   the cause of the end, or the error's Go type
//
// # Metrics
//
//	messaging.process.duration  histogram, s: how long handlers run; by job, handler, outcome and error.type
//	belfry.task.start.delay     histogram, s: from the task's instant to its first start; by job and handler
//
// [Observe] adds a worker's own figures:
//
//	belfry.worker.slots, belfry.worker.running, belfry.worker.unacknowledged, belfry.worker.connected
//
// The package needs the OpenTelemetry API only; which SDK collects, samples and exports
// is the program's choice.
package otelworker
