package otelworker_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/belfry-scheduler/belfry/worker-sdk/otelworker"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

func ExampleMiddleware() {
	exporter := tracetest.NewInMemoryExporter() // a program exports to its collector
	tracers := trace.NewTracerProvider(trace.WithSyncer(exporter))
	w, err := worker.New(worker.Config{Server: "http://127.0.0.1:7000", App: "shop", Key: "key"})
	if err != nil {
		fmt.Println(err)
		return
	}
	middleware := otelworker.Middleware(otelworker.WithTracerProvider(tracers))
	w.Use(middleware)

	// What the worker does with each attempt:
	handler := middleware(func(context.Context, *worker.Task) error { return nil })
	err = handler(context.Background(), &worker.Task{
		ID: "01JDYV5W00Q2FGNDPT3P1YB480", Attempt: 1, JobName: "Sync orders",
		TraceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
	})
	span := exporter.GetSpans()[0]
	fmt.Println(span.Name, "in trace", span.SpanContext.TraceID(), err)
	// Output:
	// process Sync orders in trace 0af7651916cd43dd8448eb211c80319c <nil>
}
