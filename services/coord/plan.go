package coord

import (
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// situation is what a plan is made from.
type situation struct {
	self       string
	now        time.Duration // by Elapsed
	database   time.Time     // the database's clock
	leads      bool          // this server may lead
	alone      bool
	alive      []string // servers, sorted
	candidates []string // those that may lead, sorted; with self when leads
	partitions []models.Partition
	grace      time.Duration
	orphaned   time.Duration
}

// plan is what a pass is to do, by partition and in order.
type plan struct {
	deposed []int // another server has raised the epoch: drop
	cleared []int // suspected wrongly: act again
	release []int // hand over
	acquire []int // compete for
	orphans []int // those of acquire that are another server's share
}

// decide is the whole decision of a pass. It reads held and v, and keeps in them
// only since when something has been so.
func decide(s situation, held map[int]*hold, v *view) plan {
	var p plan
	for _, row := range s.partitions {
		h := held[row.ID]
		owner := rightful(row.ID, s.candidates)
		mine := s.leads && (s.alone || owner == s.self)
		if h == nil {
			if orphan := v.orphan(s, row); s.may(row, v) && (mine || s.leads && orphan) {
				p.acquire = append(p.acquire, row.ID)
				if !mine {
					p.orphans = append(p.orphans, row.ID)
				}
			}
			continue
		}
		delete(v.orphans, row.ID)
		switch {
		case row.Epoch > h.epoch:
			p.deposed = append(p.deposed, row.ID)
		case !mine && h.overdue(s, owner):
			p.release = append(p.release, row.ID)
		case h.suspect:
			p.cleared = append(p.cleared, row.ID)
		}
		if mine {
			h.excess = 0
		}
	}
	return p
}

// may says whether to compete for a partition that we do not hold. Not shortly
// after we were deposed, and not against a lease of a server that lives, which
// shows when some servers use leases while Redis is away for them.
func (s situation) may(row models.Partition, v *view) bool {
	if until, cooling := v.cool[row.ID]; cooling {
		if s.now < until {
			return false
		}
		delete(v.cool, row.ID)
	}
	leased := row.OwnerID != s.self && row.LeasedTo != nil && row.LeasedTo.After(s.database)
	return s.alone || !leased || !slices.Contains(s.alive, row.OwnerID)
}

// overdue says whether a partition that is not our share is to be handed over:
// when we may not lead, at once; else when it has been another's share for long
// enough that it was no flicker. Without another server we keep it.
func (h *hold) overdue(s situation, owner string) bool {
	if !s.leads {
		return true
	}
	if owner == "" {
		return false
	}
	if h.excess == 0 {
		h.excess = s.now
	}
	return s.now-h.excess >= s.grace && s.now >= h.keep
}

// orphan says whether a partition has had no owner for so long that anybody may
// take it: its last owner is gone, or we are it and gave it up, and nobody has
// taken it since. It should not happen; the rightful server is alive and cannot.
func (v *view) orphan(s situation, row models.Partition) bool {
	ownerless := row.OwnerID == "" || row.OwnerID == s.self || !slices.Contains(s.alive, row.OwnerID)
	o, known := v.orphans[row.ID]
	switch {
	case !ownerless:
		delete(v.orphans, row.ID)
		return false
	case !known || o.epoch != row.Epoch:
		v.orphans[row.ID] = orphan{epoch: row.Epoch, since: s.now}
		return false
	}
	return s.now-o.since >= s.orphaned
}
