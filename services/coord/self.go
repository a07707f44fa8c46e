package coord

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// self is what this server tells of itself with each beat.
func (o *Ownership) self() models.Server {
	s := models.Server{
		ID: o.cfg.ServerID, Name: o.cfg.ServerName, Version: o.cfg.Version, StartedAt: o.startedAt,
		LastSeenAt: o.databaseNow(), ClockOffsetMS: o.Offset().Milliseconds(), Locks: o.cfg.Locker.Mode(),
	}
	if troubles := o.troubles(); len(troubles) > 0 {
		s.Degraded, _ = json.Marshal(troubles) // sentences always marshal
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	s.Stopping = o.stopping
	return s
}

// Stopping tells the others that this server is about to stop. It goes on as before
// until Stop.
func (o *Ownership) Stopping() {
	o.mu.Lock()
	o.stopping = true
	o.mu.Unlock()
	o.beats.Wake()
}

// troubles are sentences about what is wrong with this server; none when all is well.
func (o *Ownership) troubles() []string {
	o.mu.Lock()
	s, refusal, slow, slowAt := o.skew, o.refusal, o.slowBeat, o.slowAt
	o.mu.Unlock()
	var all []string
	if refusal != nil {
		all = append(all, fmt.Sprintf("It leads nothing: %s.", refusal))
	}
	if s.beyond(WarnOffset) {
		all = append(all, fmt.Sprintf("Its clock is %s the database's: synchronise both, for example with chrony.", apart(s.offset)))
	}
	if f, falls := o.cfg.Locker.(*Fallback); falls && f.Away() {
		all = append(all, models.TroubleRedis+": its locks are leases in the database, and hints between servers are lost, which costs up to some seconds.")
	}
	if slow > 0 && o.cfg.Elapsed()-slowAt < slowFor {
		all = append(all, fmt.Sprintf("%s: writing that it lives took %s.", models.TroubleDatabase, slow.Round(10*time.Millisecond)))
	}
	if o.cfg.Troubles != nil {
		all = append(all, o.cfg.Troubles()...)
	}
	return all
}

// apart says an offset in words, to the millisecond.
func apart(offset time.Duration) string {
	if offset < 0 {
		return (-offset).Round(time.Millisecond).String() + " behind"
	}
	return offset.Round(time.Millisecond).String() + " ahead of"
}
