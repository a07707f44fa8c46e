package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// SyncOrders are the parameters of the job that fetches a shop's orders.
type SyncOrders struct {
	Shop  string `json:"shop"`
	Pages int    `json:"pages"`
}

// pageTime is what one page of the imaginary marketplace takes.
const pageTime = 400 * time.Millisecond

// syncOrders goes through the pages of a marketplace. It remembers the last page,
// so that another node goes on there when this one is lost.
func (s *service) syncOrders(ctx context.Context, task *worker.Task, args SyncOrders) error {
	if args.Shop == "" {
		args.Shop = "north"
	}
	if args.Pages <= 0 {
		args.Pages = 10
	}
	log := task.Logger().With("shop", args.Shop)
	page := 0
	if found, err := task.LastCheckpoint(&page); err != nil {
		return err
	} else if found {
		log.Info("going on where an earlier attempt was", "page", page)
	}
	fetched := 0
	for page < args.Pages {
		n, err := fetchPage(ctx)
		if err != nil {
			return fmt.Errorf("page %d of %s: %w", page+1, args.Shop, err)
		}
		page, fetched = page+1, fetched+n
		log.Info("page fetched", "page", page, "orders", n)
		task.Progress(float64(page)/float64(args.Pages), fmt.Sprintf("page %d of %d", page, args.Pages))
		if err := task.Checkpoint(ctx, page); err != nil {
			return fmt.Errorf("saving page %d: %w", page, err)
		}
	}
	return task.SetResult(map[string]any{"shop": args.Shop, "pages": page, "orders": fetched})
}

func fetchPage(ctx context.Context) (int, error) {
	timer := time.NewTimer(pageTime)
	defer timer.Stop()
	select {
	case <-timer.C:
		return 20 + rand.IntN(30), nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// CloseOrder are the parameters of the job that closes an unpaid order.
type CloseOrder struct {
	Order int `json:"order"`
}

// closeOrder may run twice, or late after a newer attempt: the guarded write makes
// both harmless.
func (s *service) closeOrder(_ context.Context, task *worker.Task, args CloseOrder) error {
	state, err := s.orders.close(args.Order, task.Fence)
	switch {
	case errors.Is(err, errNoOrder):
		// Orders live in this process's memory; a real service would look them up.
		return worker.NoRetry(fmt.Errorf("order %d: %w", args.Order, err))
	case err != nil:
		return err
	case state == paid:
		task.Logger().Info("it was paid in time", "order", args.Order)
	default:
		task.Logger().Info("closed, nobody has paid", "order", args.Order)
	}
	return task.SetResult(map[string]any{"order": args.Order, "state": state})
}

// ReportDaily are the parameters of the job that counts the day's orders.
type ReportDaily struct {
	// Trouble is how likely the first attempt fails, 0 to 1; absent means 0.5.
	Trouble *float64 `json:"trouble"`
}

// reportDaily fails now and then on a warehouse that is away, less often with each
// attempt and never at the third, so that the retries of the job can be watched.
func (s *service) reportDaily(_ context.Context, task *worker.Task, args ReportDaily) error {
	trouble := 0.5
	if args.Trouble != nil {
		trouble = *args.Trouble
	}
	if task.Attempt < 3 && rand.Float64() < trouble/float64(task.Attempt) {
		task.Logger().Warn("the warehouse does not answer", "attempt", task.Attempt)
		return worker.RetryAfter(5*time.Second, errors.New("the warehouse does not answer"))
	}
	counts := s.orders.count()
	task.Logger().Info("report ready", "open", counts[open], "paid", counts[paid], "closed", counts[closed])
	return task.SetResult(counts)
}
