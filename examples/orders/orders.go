package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// States of an order.
const (
	open   = "open"
	paid   = "paid"
	closed = "closed"
)

// errNoOrder says that an order does not exist.
var errNoOrder = errors.New("there is no such order")

// order is one row. Fence is the highest fencing token that has written it.
type order struct {
	ID      int       `json:"id"`
	State   string    `json:"state"`
	Created time.Time `json:"created"`
	Fence   int64     `json:"-"`
}

// maxOrders bounds the example's memory; the oldest go first.
const maxOrders = 10_000

// orders stands in for the service's database: each method is what one guarded
// statement would be.
type orders struct {
	mu   sync.Mutex
	last int
	rows map[int]*order
}

func newOrders() *orders { return &orders{rows: make(map[int]*order)} }

func (o *orders) create(now time.Time) order {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	row := &order{ID: o.last, State: open, Created: now.UTC()}
	o.rows[row.ID] = row
	delete(o.rows, o.last-maxOrders)
	return *row
}

// pay marks an open order as paid and returns the state that it has then.
func (o *orders) pay(id int) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	row := o.rows[id]
	if row == nil {
		return "", errNoOrder
	}
	if row.State == open {
		row.State = paid
	}
	return row.State, nil
}

// close closes an unpaid order, as
//
//	UPDATE orders SET state = 'closed', fence = ? WHERE id = ? AND state = 'open' AND fence <= ?
//
// would: repeating it changes nothing, and an older attempt that wakes up late
// cannot undo what a newer one has done. It returns the state that the order has
// then.
func (o *orders) close(id int, fence int64) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	row := o.rows[id]
	switch {
	case row == nil:
		return "", errNoOrder
	case row.Fence > fence:
		return "", fmt.Errorf("attempt %d is older than attempt %d, which has written the order", fence, row.Fence)
	}
	if row.Fence = fence; row.State == open {
		row.State = closed
	}
	return row.State, nil
}

// list returns the newest orders first, at most n.
func (o *orders) list(n int) []order {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := make([]order, 0, len(o.rows))
	for _, row := range o.rows {
		all = append(all, *row)
	}
	slices.SortFunc(all, func(a, b order) int { return b.ID - a.ID })
	return all[:min(n, len(all))]
}

// count returns how many orders are in each state.
func (o *orders) count() map[string]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := map[string]int{}
	for _, row := range o.rows {
		n[row.State]++
	}
	return n
}
