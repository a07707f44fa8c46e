package otelworker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// scope is the name of the instrumentation.
const scope = "github.com/belfry-scheduler/belfry/worker-sdk/otelworker"

// Option changes what Middleware and Observe do.
type Option func(*options)

type options struct {
	tracers    trace.TracerProvider
	meters     metric.MeterProvider
	attributes func(*worker.Task) []attribute.KeyValue
}

// WithTracerProvider uses these tracers instead of the global ones.
func WithTracerProvider(p trace.TracerProvider) Option { return func(o *options) { o.tracers = p } }

// WithMeterProvider uses these meters instead of the global ones.
func WithMeterProvider(p metric.MeterProvider) Option { return func(o *options) { o.meters = p } }

// WithAttributes adds attributes to the span of each attempt. They do not become
// attributes of metrics, which every new value would make more of.
func WithAttributes(of func(*worker.Task) []attribute.KeyValue) Option {
	return func(o *options) { o.attributes = of }
}

func optionsOf(list []Option) options {
	var o options
	for _, option := range list {
		option(&o)
	}
	if o.tracers == nil {
		o.tracers = otel.GetTracerProvider()
	}
	if o.meters == nil {
		o.meters = otel.GetMeterProvider()
	}
	return o
}

// bounds are those that the conventions advise for durations, with longer ones added:
// jobs may run for hours.
var bounds = metric.WithExplicitBucketBoundaries(
	0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 300, 900, 3600, 14400)

// Middleware returns middleware that traces and measures each attempt. Give it to
// Worker.Use before other middleware, so that theirs is inside of the span.
func Middleware(list ...Option) worker.Middleware {
	o := optionsOf(list)
	tracer, meter := o.tracers.Tracer(scope), o.meters.Meter(scope)
	i := &instruments{options: o, tracer: tracer}
	var err error
	i.duration, err = meter.Float64Histogram("messaging.process.duration",
		metric.WithUnit("s"), metric.WithDescription("How long handlers run."), bounds)
	report(err)
	i.delay, err = meter.Float64Histogram("belfry.task.start.delay",
		metric.WithUnit("s"), metric.WithDescription("From the task's instant to the start of its first attempt."), bounds)
	report(err)
	return i.wrap
}

// report hands an error to OpenTelemetry's handler: the instrument that came with it
// does nothing, and a worker that cannot be measured works all the same.
func report(err error) {
	if err != nil {
		otel.Handle(err)
	}
}

type instruments struct {
	options
	tracer   trace.Tracer
	duration metric.Float64Histogram
	delay    metric.Float64Histogram
}

func (i *instruments) wrap(next worker.Handler) worker.Handler {
	return func(ctx context.Context, task *worker.Task) error {
		began := time.Now()
		ctx, span := i.start(ctx, task)
		if task.Attempt == 1 && !task.ScheduledAt.IsZero() {
			i.delay.Record(ctx, max(began.Sub(task.ScheduledAt), 0).Seconds(), metric.WithAttributes(common(task)...))
		}
		end := ending{outcome: "panicked", kind: "panic", failed: true, text: "the handler panicked or ended its goroutine"}
		// Nothing is recovered: the panic goes on to the worker with its own stack.
		defer func() { i.end(ctx, span, task, end, time.Since(began)) }()
		err := next(ctx, task)
		end = endingOf(err, context.Cause(ctx))
		return err
	}
}

// start begins the attempt's span as a child of the firing.
func (i *instruments) start(ctx context.Context, task *worker.Task) (context.Context, trace.Span) {
	if task.TraceParent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": task.TraceParent})
	}
	attributes := append(common(task),
		attribute.String("messaging.operation.type", "process"),
		attribute.String("messaging.message.id", task.ID),
		attribute.String("belfry.trigger", task.Trigger),
		attribute.Int("belfry.attempt", task.Attempt),
	)
	if task.Shards > 0 {
		attributes = append(attributes, attribute.Int("belfry.shard", task.Shard), attribute.Int("belfry.shards", task.Shards))
	}
	if i.attributes != nil {
		attributes = append(attributes, i.attributes(task)...)
	}
	return i.tracer.Start(ctx, "process "+task.JobName, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attributes...))
}

// common are the attributes of spans and metrics; their values are as many as jobs.
func common(task *worker.Task) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("messaging.system", "belfry"),
		attribute.String("messaging.operation.name", "process"),
		attribute.String("messaging.destination.name", task.JobName),
		attribute.String("belfry.handler", task.Handler),
	}
}

func (i *instruments) end(ctx context.Context, span trace.Span, task *worker.Task, e ending, took time.Duration) {
	attributes := append(common(task), attribute.String("belfry.outcome", e.outcome))
	span.SetAttributes(attribute.String("belfry.outcome", e.outcome))
	if e.kind != "" {
		attributes = append(attributes, attribute.String("error.type", e.kind))
		span.SetAttributes(attribute.String("error.type", e.kind))
	}
	if e.failed {
		if e.err != nil {
			span.RecordError(e.err)
		}
		span.SetStatus(codes.Error, e.text)
	}
	i.duration.Record(ctx, took.Seconds(), metric.WithAttributes(attributes...))
	span.End()
}

// ending is how an attempt ended, in OpenTelemetry's terms.
type ending struct {
	outcome string
	kind    string // error.type; "" for none
	failed  bool   // is an error of the span
	text    string
	err     error
}

// endingOf says how the worker will report an attempt whose handler returned err and
// whose context ended for cause, nil if it has not ended.
func endingOf(err, cause error) ending {
	if err == nil {
		return ending{outcome: "succeeded"}
	}
	e := ending{failed: true, text: err.Error(), err: err}
	_, snoozed := errors.AsType[*worker.SnoozeError](err)
	switch {
	case errors.Is(cause, worker.ErrLeaseLost):
		e.outcome, e.kind = "lost", "lease_lost"
	case errors.Is(cause, worker.ErrCancelled), errors.Is(cause, worker.ErrReplaced):
		// Somebody wanted it: that is no error.
		e.outcome, e.kind, e.failed = "cancelled", "cancelled", false
	case snoozed:
		return ending{outcome: "snoozed"}
	case errors.Is(cause, worker.ErrTimeLimit):
		e.outcome, e.kind = "timed_out", "timeout"
	case errors.Is(cause, worker.ErrShutdown):
		e.outcome, e.kind, e.failed = "released", "shutdown", false
	default:
		e.outcome, e.kind = "failed", kindOf(err)
	}
	return e
}

// kindOf is a word for an error of which there are few: the Go type of the innermost
// one below what the SDK has wrapped around it.
func kindOf(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Sprintf("%T", err)
		}
		err = inner
	}
}
