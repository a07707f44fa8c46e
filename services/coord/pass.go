package coord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// keepOrphan is how long an orphan is kept from a server that did not take it.
	keepOrphan = time.Minute
	// resignFor is how long an unfit server leaves the partitions to others.
	resignFor = 30 * time.Second
	// maxForgotten bounds how many dead servers' rows a pass deletes.
	maxForgotten = 8
)

// errWaiting is why a server that is fit again does not lead yet.
var errWaiting = errors.New("it was unfit until lately")

// pass is a round of the loop that takes and gives: it looks who lives, decides
// and acts. What fails is tried again in the next one, which starts from what is
// so then; there is nothing to undo.
func (o *Ownership) pass(ctx context.Context) (time.Duration, error) {
	o.mu.Lock()
	measured := o.skew.measured
	o.mu.Unlock()
	if !measured {
		return 0, nil // the first beat wakes us
	}
	s, err := o.look(ctx)
	if err != nil {
		return 0, err
	}
	p := o.book(s)
	err = o.give(ctx, p)
	if taken := o.take(ctx, p); taken != nil {
		err = taken
	}
	o.forget(ctx, s)
	return o.nextPass(), err
}

// nextPass is the time to the next look: a beat, or less when a server is about to
// be dead unless it is heard of.
func (o *Ownership) nextPass() time.Duration {
	now, wait := o.cfg.Elapsed(), o.cfg.Beat
	for _, s := range o.view.seen {
		if left := s.at + o.cfg.DeadAfter - now; left > 0 {
			wait = min(wait, left)
		}
	}
	return wait
}

// look reads the ledger.
func (o *Ownership) look(ctx context.Context) (situation, error) {
	database := o.databaseNow()
	servers, err := o.cfg.Ledger.Servers(ctx, time.Unix(0, 0)) // all: those long dead are to be forgotten
	if err != nil {
		return situation{}, err
	}
	partitions, err := o.cfg.Ledger.PartitionOwners(ctx)
	if err != nil {
		return situation{}, err
	}
	now := o.cfg.Elapsed()
	o.view.observe(servers, now, database, o.cfg.DeadAfter, o.cfg.Beat)
	s := situation{
		self: o.cfg.ServerID, now: now, database: database, alone: o.cfg.Alone,
		partitions: partitions, grace: o.cfg.Grace, orphaned: o.orphaned,
	}
	s.alive, s.candidates = o.view.alive(now, o.cfg.DeadAfter)
	o.noteDead(now, s.alive)
	s.candidates = slices.DeleteFunc(s.candidates, func(id string) bool { return id == s.self })
	s.leads = o.mayLead(now, len(s.candidates) > 0)
	if s.leads {
		s.candidates = append(s.candidates, s.self)
		slices.Sort(s.candidates)
	}
	if !slices.Contains(s.alive, s.self) {
		s.alive = append(s.alive, s.self)
	}
	return s, nil
}

// mayLead judges whether this server may lead, and logs when that changes.
func (o *Ownership) mayLead(now time.Duration, others bool) bool {
	refusal := o.judge(now, others)
	o.mu.Lock()
	before := o.refusal
	o.refusal = refusal
	o.mu.Unlock()
	if refusal != nil && (before == nil || before.Error() != refusal.Error()) {
		o.cfg.Logger.Error("this server does not lead", "error", refusal)
	}
	if refusal == nil && before != nil {
		o.cfg.Logger.Info("this server may lead again")
	}
	return refusal == nil
}

func (o *Ownership) judge(now time.Duration, others bool) error {
	var unfit error
	if o.cfg.Fit != nil {
		unfit = o.cfg.Fit()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unseen() {
		return errors.New("its beats do not reach the ledger")
	}
	if o.skew.beyond(MaxOffset) {
		return fmt.Errorf("its clock differs by more than %s from the database's; synchronise both", MaxOffset)
	}
	switch {
	case !others: // leading badly is better than nobody leading
		o.resigned = 0
	case unfit != nil:
		o.resigned = now + resignFor
	}
	if now < o.resigned {
		return fmt.Errorf("it leaves the partitions to other servers: %w", cmp.Or(unfit, errWaiting))
	}
	return nil
}

// hasResigned says that this server leaves its share to others for now.
func (o *Ownership) hasResigned() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.cfg.Elapsed() < o.resigned
}

// book decides, drops what is lost already, and takes what is to be handed over
// off the books, so that it is not acted for any more when its lock is given back.
func (o *Ownership) book(s situation) plan {
	o.mu.Lock()
	p := decide(s, o.held, &o.view)
	for _, partition := range p.deposed {
		o.drop(partition)
		o.view.cool[partition] = s.now + o.cfg.Beat/4
	}
	for _, partition := range p.cleared {
		o.held[partition].suspect = false
	}
	for _, partition := range p.release {
		o.drop(partition)
	}
	o.mu.Unlock()
	if len(p.deposed) > 0 {
		o.cfg.Logger.Warn("another server has taken partitions over", "partitions", p.deposed)
	}
	if len(p.deposed)+len(p.cleared)+len(p.release) > 0 {
		o.notices.Wake()
	}
	return p
}

// give gives back the locks of what was dropped and tells the others.
func (o *Ownership) give(ctx context.Context, p plan) error {
	o.mu.Lock()
	partitions := make([]int, 0, len(o.dropped))
	for partition := range o.dropped {
		partitions = append(partitions, partition)
	}
	clear(o.dropped)
	resigned := o.cfg.Elapsed() < o.resigned
	o.mu.Unlock()
	if len(partitions) == 0 {
		return nil
	}
	var err error
	if resigned {
		err = o.cfg.Ledger.RemoveServer(ctx, o.cfg.ServerID)
	}
	if errLock := o.cfg.Locker.Release(ctx, partitions); errLock != nil {
		err = errLock // they run out by themselves
	}
	if len(p.release) > 0 {
		o.hint(ctx)
	}
	return err
}

// take competes for what the plan says, several at once. What does not fit into
// one beat is left to the next pass.
func (o *Ownership) take(ctx context.Context, p plan) error {
	if len(p.orphans) > 0 {
		o.cfg.Logger.Warn("partitions have no owner although a server for them is alive", "partitions", p.orphans)
	}
	end := o.cfg.Elapsed() + o.cfg.Beat
	errs := make(chan error, len(p.acquire))
	each(p.acquire, func(partition int) {
		if ctx.Err() == nil && o.cfg.Elapsed() < end {
			errs <- o.takeOne(ctx, partition, slices.Contains(p.orphans, partition))
		}
	})
	close(errs)
	var failed error // the last one: they are alike
	for err := range errs {
		if err != nil {
			failed = err
		}
	}
	o.notices.Wake()
	return failed
}

// takeOne locks a partition, raises its epoch and books it. Once begun it is not
// cut short by a stop, which would leave a lock behind that nobody knows of.
func (o *Ownership) takeOne(ctx context.Context, partition int, orphan bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.cfg.TTL/2)
	defer cancel()
	lease, ok, err := o.cfg.Locker.TryAcquire(ctx, partition)
	if err != nil || !ok {
		return err
	}
	epoch := lease.Epoch
	if epoch == 0 {
		epoch, err = o.cfg.Ledger.TakePartition(ctx, partition, o.cfg.ServerID)
	}
	now := o.cfg.Elapsed()
	if err == nil && now >= lease.Until-o.margin {
		err = fmt.Errorf("taking partition %d left no time of its lock", partition)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.dropped[partition] = true
		return err
	}
	h := &hold{epoch: epoch, until: lease.Until}
	if orphan {
		h.keep = now + keepOrphan
	}
	o.held[partition] = h
	return nil
}

// forget deletes the rows of servers that are long dead. Failing is no matter.
func (o *Ownership) forget(ctx context.Context, s situation) {
	dead := o.view.forgotten(s.now, s.database, o.cfg.DeadAfter)
	for _, id := range dead[:min(len(dead), maxForgotten)] {
		if err := o.cfg.Ledger.RemoveServer(ctx, id); err != nil {
			o.cfg.Logger.Debug("a dead server's row was not removed", "server_id", id, "error", err)
			return
		}
	}
}
