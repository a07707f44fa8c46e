package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// maxReports is how many reports may be under way at once. A second one lets
// results pass a report that a slow server sits on; one attempt's items never are
// in two of them, so that their order is kept.
const maxReports = 2

// reporter sends what the book has to tell, in batches, until a server took it.
type reporter struct {
	*session
	head   string
	limit  atomic.Int64 // most items in a report; halved when a server refuses one whole
	failed atomic.Int64 // reports in a row with items to be retried
}

// loop sends reports until ctx ends and the reports under way have returned.
func (r *reporter) loop(ctx context.Context) {
	var underWay sync.WaitGroup
	defer r.book.giveUp()
	defer underWay.Wait()
	free := make(chan []item, maxReports) // the right to send one, and memory for its items
	for range maxReports {
		free <- nil
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		var room []item
		select {
		case room = <-free:
		case <-ctx.Done():
			return
		}
		items := r.next(ctx, room, timer)
		if items == nil {
			return
		}
		underWay.Go(func() {
			r.deliver(ctx, items)
			clear(items)
			free <- items[:0]
		})
	}
}

// next waits until a report is due and returns its items, nil when ctx ends first.
func (r *reporter) next(ctx context.Context, room []item, timer *time.Timer) []item {
	for {
		items, wait := r.book.collect(room[:0], r.measure())
		if len(items) > 0 {
			return items
		}
		if wait == 0 {
			continue // only attempts that were given up stood in the queue
		}
		var due <-chan time.Time
		if wait > 0 {
			timer.Reset(wait)
			due = timer.C
		}
		select {
		case <-r.book.outbox.wake:
		case <-due:
		case <-ctx.Done():
			return nil
		}
	}
}

func (r *reporter) measure() measure {
	set := r.settings.Load()
	// Half of the largest body: one more item may come on top, and quotes grow when
	// they are encoded.
	m := measure{items: set.reportLimit, bytes: int(min(softBodyBytes, set.maxBody/2)), hold: set.report}
	if limit := int(r.limit.Load()); limit > 0 {
		m.items = min(m.items, limit)
	}
	return m
}

// deliver sends one report, its items unchanged, until a server has answered it,
// and works the answer into the book.
func (r *reporter) deliver(ctx context.Context, items []item) {
	body := appendReport(make([]byte, 0, 128+len(items)*itemBytes), r.head, time.Now(), items)
	quiet := quietly{log: r.cfg.Logger}
	for try := 0; ; try++ {
		answer := reported{acks: make([]wire.Ack, 0, len(items))}
		epoch := r.epoch.Load()
		sent := time.Now()
		stamp(&r.vital.report)
		err := r.link.Post(ctx, callTimeout, wire.PathReport, body, &answer)
		r.cfg.observe(func(o Observer) {
			o.ReportSent(ReportSent{Items: len(items), Bytes: len(body), Took: time.Since(sent), Err: err})
		})
		if err == nil {
			r.refused.Store(0)
			r.answered(items, answer.acks)
			return
		}
		switch link.Code(err) {
		case wire.CodeTooLarge, wire.CodeInvalid, wire.CodeNotFound:
			r.refusedWhole(items, err)
			return
		}
		if ctx.Err() == nil {
			quiet.warn("a report got no answer; it is sent again", err)
		}
		if !r.heed(ctx, err, epoch) || !link.Sleep(ctx, link.Backoff(try, maxBackoff)) {
			for i := range items {
				items[i].checkpoint.answer(ErrShutdown)
			}
			return
		}
		body = resent(body, r.head, time.Now())
	}
}

func (r *reporter) answered(items []item, acks []wire.Ack) {
	if limit := r.limit.Load(); limit > 0 {
		if limit *= 2; limit > wire.MaxReportItems {
			limit = 0
		}
		r.limit.Store(limit)
	}
	pause := link.Backoff(int(r.failed.Load()), maxBackoff)
	v := r.book.settle(items, acks, time.Now().Add(pause))
	r.book.noteKept()
	if v.retried {
		r.failed.Add(1)
	} else {
		r.failed.Store(0)
	}
	for _, bad := range v.invalid {
		r.cfg.Logger.Warn("the server refused an item of a report", "task_id", bad.ref.Task, "attempt", bad.ref.Attempt, "reason", bad.message)
	}
	for _, a := range v.lost {
		r.cfg.Logger.Warn("the attempt is no longer this worker's; its handler is told to stop", "task_id", a.task.ID, "attempt", a.task.Attempt)
	}
}

// refusedWhole handles a report of which the server will not have a single item:
// smaller reports find out which one it is, and that one is dropped.
func (r *reporter) refusedWhole(items []item, err error) {
	acks := []wire.Ack(nil)
	if len(items) == 1 {
		acks = []wire.Ack{{Status: wire.AckInvalid, Message: err.Error()}}
	} else {
		r.limit.Store(int64(max(1, len(items)/2)))
		r.cfg.Logger.Error("the server refused a whole report; it is sent in parts", "items", len(items), "error", err)
	}
	v := r.book.settle(items, acks, time.Now())
	r.book.noteKept()
	for _, bad := range v.invalid {
		r.cfg.Logger.Error("the server cannot take this item; it is dropped", "task_id", bad.ref.Task, "attempt", bad.ref.Attempt, "error", err)
	}
}
