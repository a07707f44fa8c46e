package otelworker

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// Observe measures a worker's own figures whenever metrics are collected, with the
// attribute belfry.node. Unregister ends it.
func Observe(w *worker.Worker, list ...Option) (metric.Registration, error) {
	if w == nil {
		return nil, errors.New("otelworker: Observe was called with a nil Worker: look at the error of worker.New")
	}
	meter := optionsOf(list).meters.Meter(scope)
	var wrong []error
	gauge := func(name, unit, what string) metric.Int64ObservableGauge {
		g, err := meter.Int64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(what))
		wrong = append(wrong, err)
		return g
	}
	slots := gauge("belfry.worker.slots", "{slot}", "Attempts that may run at once.")
	running := gauge("belfry.worker.running", "{attempt}", "Attempts whose handler has not ended.")
	unacked := gauge("belfry.worker.unacknowledged", "{attempt}", "Attempts that have ended and whose result no server has taken yet.")
	connected := gauge("belfry.worker.connected", "1", "1 while assignments can arrive.")
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	node := metric.WithAttributes(attribute.String("belfry.node", w.Name()))
	return meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		s := w.Stats()
		o.ObserveInt64(slots, int64(s.Slots), node)
		o.ObserveInt64(running, int64(s.Running), node)
		o.ObserveInt64(unacked, int64(s.Unacked), node)
		up := int64(0)
		if s.Connected {
			up = 1
		}
		o.ObserveInt64(connected, up, node)
		return nil
	}, slots, running, unacked, connected)
}
