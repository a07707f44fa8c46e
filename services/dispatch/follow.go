package dispatch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

const (
	followEvery = time.Second      // ownership is looked at without being told
	rereadEvery = 15 * time.Second // groups are read again, lest a new one was missed
)

// OwnershipChanged has the dispatcher take on and drop groups at once.
func (d *Dispatcher) OwnershipChanged() {
	select {
	case d.owned <- struct{}{}:
	default: // it will look anyway
	}
}

// follow keeps the groups those of the owned partitions. What fails is tried
// again at the next look, so no partition stays without its groups.
func (d *Dispatcher) follow(ctx context.Context) {
	epochs := map[int]int64{} // partitions whose groups are taken on, at this epoch
	reread := d.cfg.Clock.Now()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		owned := d.cfg.Owner.Partitions()
		d.drop(owned, epochs)
		if now := d.cfg.Clock.Now(); now.Sub(reread) >= rereadEvery {
			reread = now
			if err := d.take(ctx, slices.Collect(maps.Keys(epochs)), false); err != nil && ctx.Err() == nil {
				d.cfg.Logger.WarnContext(ctx, "groups not read again", "error", err)
			}
		}
		if err := d.takeNew(ctx, owned, epochs); err != nil && ctx.Err() == nil {
			d.cfg.Logger.WarnContext(ctx, "groups of new partitions not read", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-d.owned:
		}
	}
}

// takeNew takes on the groups of partitions that were not owned at this epoch.
func (d *Dispatcher) takeNew(ctx context.Context, owned, epochs map[int]int64) error {
	var gained []int
	for p, epoch := range owned {
		if epochs[p] != epoch {
			gained = append(gained, p)
		}
	}
	if len(gained) == 0 {
		return nil
	}
	if err := d.take(ctx, gained, true); err != nil {
		return err
	}
	for _, p := range gained {
		epochs[p] = owned[p]
	}
	return nil
}

// take begins to dispatch for the groups of partitions.
func (d *Dispatcher) take(ctx context.Context, partitions []int, takenOver bool) error {
	if len(partitions) == 0 {
		return nil
	}
	groups, err := d.cfg.Ledger.GroupsOfPartitions(ctx, partitions)
	if err != nil {
		return fmt.Errorf("reading the groups of %d partitions: %w", len(partitions), err)
	}
	for _, row := range groups {
		d.adopt(row, takenOver)
	}
	return nil
}

// drop ends dispatching for partitions that are no longer owned, or that were
// lost and taken again meanwhile: what memory says of them is old.
func (d *Dispatcher) drop(owned, epochs map[int]int64) {
	gone := map[int]bool{}
	for p, epoch := range epochs {
		if owned[p] != epoch {
			gone[p] = true
			delete(epochs, p)
		}
	}
	if len(gone) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, g := range d.groups {
		if gone[g.partition] {
			g.stop()
			delete(d.groups, id)
		}
	}
}

// remove ends dispatching for a group that is no more.
func (d *Dispatcher) remove(g *group) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g.stop()
	if d.groups[g.id] == g {
		delete(d.groups, g.id)
	}
}
