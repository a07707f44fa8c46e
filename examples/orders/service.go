package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// service takes orders and has them closed when nobody pays.
type service struct {
	orders     *orders
	jobs       *client.Client
	worker     *worker.Worker
	closeAfter time.Duration
	log        *slog.Logger
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.postOrder)
	mux.HandleFunc("POST /orders/{id}/pay", s.postPayment)
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.orders.list(100)) })
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.worker.Stats()) })
	return mux
}

// create takes an order and enqueues its closing. The unique key ties the two
// together: the task can be cancelled by it, and there is never a second one.
func (s *service) create(ctx context.Context) (order, string, error) {
	o := s.orders.create(time.Now())
	task, err := s.jobs.Enqueue(ctx, "CloseOrder", CloseOrder{Order: o.ID},
		client.In(s.closeAfter), client.UniqueKey(orderKey(o.ID)))
	if err != nil {
		return o, "", fmt.Errorf("enqueueing CloseOrder: %w", err)
	}
	return o, task, nil
}

func orderKey(id int) string { return fmt.Sprint("order-", id) }

// takeOrders lets an order come in every so often, until ctx ends.
func (s *service) takeOrders(ctx context.Context, every time.Duration) {
	if every <= 0 {
		return
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		o, task, err := s.create(ctx)
		switch e, _ := errors.AsType[*client.Error](err); {
		case e != nil && e.Code == client.CodeNotFound:
			s.log.Warn("create a job CloseOrder in the console, with handler CloseOrder and the manual trigger", "error", err)
		case err != nil:
			s.log.Warn("the order will not be closed by itself", "order", o.ID, "error", err)
		default:
			s.log.Info("an order came in", "order", o.ID, "closes_in", s.closeAfter, "task_id", task)
		}
	}
}

func (s *service) postOrder(w http.ResponseWriter, r *http.Request) {
	o, task, err := s.create(r.Context())
	if err != nil {
		fail(w, http.StatusBadGateway, err)
		return
	}
	answer(w, http.StatusCreated, map[string]any{"order": o, "task": task})
}

// postPayment marks an order as paid and calls its closing off. When that fails
// nothing is lost: the handler sees that the order is paid.
func (s *service) postPayment(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("the order's number is %q: give digits", r.PathValue("id")))
		return
	}
	state, err := s.orders.pay(id)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	if state == paid {
		if err := s.jobs.CancelKey(r.Context(), "CloseOrder", orderKey(id), client.Reason("paid")); err != nil {
			s.log.Warn("the closing was not called off", "order", id, "error", err)
		}
	}
	answer(w, http.StatusOK, map[string]any{"id": id, "state": state})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

func fail(w http.ResponseWriter, status int, err error) {
	answer(w, status, map[string]string{"error": err.Error()})
}
