package otelworker_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/belfry-scheduler/belfry/worker-sdk/otelworker"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// bench collects what the middleware tells.
type bench struct {
	spans   *tracetest.SpanRecorder
	tracers *sdk.TracerProvider
	reader  *metric.ManualReader
	options []otelworker.Option
}

func newBench() *bench {
	b := &bench{spans: tracetest.NewSpanRecorder(), reader: metric.NewManualReader()}
	b.tracers = sdk.NewTracerProvider(sdk.WithSpanProcessor(b.spans))
	b.options = []otelworker.Option{
		otelworker.WithTracerProvider(b.tracers),
		otelworker.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(b.reader))),
	}
	return b
}

func (b *bench) metrics(t *testing.T) map[string]metricdata.Aggregation {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := b.reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]metricdata.Aggregation{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			out[m.Name] = m.Data
		}
	}
	return out
}

func task() *worker.Task {
	return &worker.Task{
		ID: "01JDYV5W00Q2FGNDPT3P1YB480", Attempt: 1, JobName: "Sync orders", Handler: "SyncOrders", Trigger: "CRON",
		ScheduledAt: time.Now().Add(-2 * time.Second), TraceParent: parent, Shard: 1, Shards: 4,
	}
}

func value(attributes []attribute.KeyValue, key string) string {
	for _, a := range attributes {
		if string(a.Key) == key {
			return a.Value.String()
		}
	}
	return ""
}

func TestTheTraceGoesOnIntoTheHandler(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.options = append(b.options, otelworker.WithAttributes(func(*worker.Task) []attribute.KeyValue {
		return []attribute.KeyValue{attribute.String("shop", "north")}
	}))
	run := otelworker.Middleware(b.options...)(func(ctx context.Context, _ *worker.Task) error {
		_, inner := b.tracers.Tracer("test").Start(ctx, "SELECT")
		inner.End()
		return nil
	})
	if err := run(t.Context(), task()); err != nil {
		t.Fatal(err)
	}
	spans := b.spans.Ended()
	if len(spans) != 2 {
		t.Fatalf("%d spans", len(spans))
	}
	inner, outer := spans[0], spans[1]
	if outer.Name() != "process Sync orders" || outer.SpanKind() != trace.SpanKindConsumer || outer.Status().Code != codes.Unset {
		t.Errorf("span %s, %v, %v", outer.Name(), outer.SpanKind(), outer.Status())
	}
	if outer.Parent().SpanID().String() != "b7ad6b7169203331" || outer.SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || !outer.Parent().IsRemote() {
		t.Errorf("the parent is %v", outer.Parent())
	}
	if inner.Parent().SpanID() != outer.SpanContext().SpanID() {
		t.Error("the handler's own span is not inside")
	}
	for key, want := range map[string]string{
		"messaging.system": "belfry", "messaging.operation.name": "process", "messaging.operation.type": "process",
		"messaging.destination.name": "Sync orders", "messaging.message.id": "01JDYV5W00Q2FGNDPT3P1YB480", "belfry.handler": "SyncOrders",
		"belfry.trigger": "CRON", "belfry.attempt": "1", "belfry.shard": "1", "belfry.shards": "4", "belfry.outcome": "succeeded", "shop": "north", "error.type": "",
	} {
		if got := value(outer.Attributes(), key); got != want {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
}

func TestWithoutATraceOneBegins(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "nonsense"} {
		b := newBench()
		one := task()
		one.TraceParent = bad
		if err := otelworker.Middleware(b.options...)(func(context.Context, *worker.Task) error { return nil })(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		if span := b.spans.Ended()[0]; span.Parent().IsValid() || !span.SpanContext().IsValid() {
			t.Errorf("%q: parent %v", bad, span.Parent())
		}
	}
}

func TestHowAttemptsEnd(t *testing.T) {
	t.Parallel()
	failure := errors.New("no such shop")
	for name, c := range map[string]struct {
		err           error
		cause         error
		outcome, kind string
		code          codes.Code
	}{
		"success":   {nil, nil, "succeeded", "", codes.Unset},
		"late":      {nil, worker.ErrTimeLimit, "succeeded", "", codes.Unset},
		"failure":   {failure, nil, "failed", "*errors.errorString", codes.Error},
		"wrapped":   {worker.NoRetry(fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist})), nil, "failed", "*errors.errorString", codes.Error},
		"again":     {worker.RetryAfter(time.Minute, failure), nil, "failed", "*errors.errorString", codes.Error},
		"snoozed":   {worker.Snooze(time.Minute), nil, "snoozed", "", codes.Unset},
		"timed out": {failure, worker.ErrTimeLimit, "timed_out", "timeout", codes.Error},
		"cancelled": {failure, fmt.Errorf("%w: paid", worker.ErrCancelled), "cancelled", "cancelled", codes.Unset},
		"shutdown":  {failure, worker.ErrShutdown, "released", "shutdown", codes.Unset},
		"lost":      {failure, worker.ErrLeaseLost, "lost", "lease_lost", codes.Error},
	} {
		b := newBench()
		ctx, end := context.WithCancelCause(t.Context())
		got := otelworker.Middleware(b.options...)(func(context.Context, *worker.Task) error {
			if c.cause != nil {
				end(c.cause)
			}
			return c.err
		})(ctx, task())
		end(nil)
		span := b.spans.Ended()[0]
		if !errors.Is(got, c.err) || value(span.Attributes(), "belfry.outcome") != c.outcome || value(span.Attributes(), "error.type") != c.kind || span.Status().Code != c.code {
			t.Errorf("%s: error %v, outcome %s, type %s, %v", name, got, value(span.Attributes(), "belfry.outcome"), value(span.Attributes(), "error.type"), span.Status())
		}
		if (c.code == codes.Error) != (len(span.Events()) == 1) {
			t.Errorf("%s: events %v", name, span.Events())
		}
		histogram := b.metrics(t)["messaging.process.duration"].(metricdata.Histogram[float64])
		if len(histogram.DataPoints) != 1 || value(histogram.DataPoints[0].Attributes.ToSlice(), "belfry.outcome") != c.outcome {
			t.Errorf("%s: %+v", name, histogram)
		}
	}
}

func TestAPanicIsSeenAndGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench()
	func() {
		defer func() {
			if got := recover(); got != "boom" {
				t.Errorf("recovered %v", got)
			}
		}()
		_ = otelworker.Middleware(b.options...)(func(context.Context, *worker.Task) error { panic("boom") })(t.Context(), task())
	}()
	span := b.spans.Ended()[0]
	if value(span.Attributes(), "belfry.outcome") != "panicked" || span.Status().Code != codes.Error {
		t.Errorf("%v, %v", span.Attributes(), span.Status())
	}
}

// A worker of its own, with the middleware and the figures, against a server in memory.
func TestInAWorker(t *testing.T) {
	t.Parallel()
	b := newBench()
	server := workertest.NewServer(t)
	w, err := worker.New(server.Config("w1"))
	if err != nil {
		t.Fatal(err)
	}
	w.Use(otelworker.Middleware(b.options...))
	registration, err := otelworker.Observe(w, b.options...)
	if err != nil {
		t.Fatal(err)
	}
	worker.Handle(w, "Sync", func(_ context.Context, task *worker.Task, fail bool) error {
		if fail && task.Attempt == 1 {
			return errors.New("once more")
		}
		return nil
	})
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	for _, fail := range []bool{false, true} {
		id, err := server.Enqueue("Sync", fail, workertest.TraceParent(parent), workertest.MaxAttempts(2))
		if err != nil {
			t.Fatal(err)
		}
		if o, err := server.Wait(t.Context(), id); err != nil || o.State != "SUCCEEDED" {
			t.Fatalf("%+v, %v", o, err)
		}
	}
	figures := b.metrics(t)
	for name, want := range map[string]int64{"belfry.worker.slots": int64(w.Stats().Slots), "belfry.worker.running": 0, "belfry.worker.connected": 1} {
		gauge, _ := figures[name].(metricdata.Gauge[int64])
		if len(gauge.DataPoints) != 1 || gauge.DataPoints[0].Value != want || value(gauge.DataPoints[0].Attributes.ToSlice(), "belfry.node") != "w1" {
			t.Errorf("%s: %+v", name, gauge)
		}
	}
	if delay := figures["belfry.task.start.delay"].(metricdata.Histogram[float64]); delay.DataPoints[0].Count != 2 {
		t.Errorf("start delays %+v", delay)
	}
	stop()
	if err := errors.Join(<-ran, registration.Unregister()); err != nil {
		t.Error(err)
	}
	server.Close()
	var outcomes []string
	for _, span := range b.spans.Ended() {
		outcomes = append(outcomes, value(span.Attributes(), "belfry.attempt")+" "+value(span.Attributes(), "belfry.outcome"))
		if span.SpanContext().TraceID().String() != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("trace %s", span.SpanContext().TraceID())
		}
	}
	if want := []string{"1 succeeded", "1 failed", "2 succeeded"}; !slices.Equal(outcomes, want) {
		t.Errorf("spans %v", outcomes)
	}
}

func TestObserveNeedsAWorker(t *testing.T) {
	t.Parallel()
	if _, err := otelworker.Observe(nil); err == nil {
		t.Error("no error")
	}
}
