package main

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
)

// crashPoints are the places at which F01 kills a leading server.
var crashPoints = []failpoint.Point{
	failpoint.DispatchMarked, failpoint.TriggerRecorded, failpoint.DispatchPushed, failpoint.DispatchPlanned, failpoint.TriggerPlanned,
	failpoint.ResultEnded, failpoint.AfterCommit, failpoint.BeforeCommit, failpoint.DispatchFrame, failpoint.ResultReceived,
}

// killAtPoints is F01: the leading server dies between two steps of its work.
func killAtPoints(ctx context.Context, b *bed) error {
	points := b.rng.Perm(len(crashPoints))
	kills := 0
	for ; b.more(perKill); kills++ {
		s, err := b.leader(ctx)
		if err != nil {
			return err
		}
		point := crashPoints[points[kills%len(points)]]
		if err := s.fail(string(point) + "=kill"); err != nil {
			return err
		}
		if !waitUntil(ctx, 5*time.Second, func() bool { return !s.proc.alive() }) {
			b.fig.say("%s was not passed in 5 s", point)
			s.kill()
		}
		b.struck()
		if err := b.awaitTakeover(ctx); err != nil {
			return err
		}
		if err := s.restart(ctx); err != nil {
			return err
		}
		b.look(ctx)
		b.rest(ctx, time.Duration(2000+b.rng.IntN(2000))*time.Millisecond) // it takes its share
	}
	b.fig.scale = fmt.Sprintf("%d kills of 200", kills)
	return nil
}

// perKill is the time that is left for a kill to be taken over within the window.
const perKill = 13 * time.Second

// awaitTakeover waits until every group has run a slot that was due after the last
// strike, or the load's window ends.
func (b *bed) awaitTakeover(ctx context.Context) error {
	at := b.events[len(b.events)-1]
	groups := map[string]string{}
	for _, j := range b.load.jobs {
		groups[j.name] = j.group
	}
	b.witness.until(ctx, time.Until(b.load.to), func(notes []note) bool {
		seen := map[string]bool{}
		for _, n := range notes {
			if n.Kind == noteStart && n.Slot.After(at) {
				seen[groups[n.Job]] = true
			}
		}
		delete(seen, "")
		return len(seen) == len(b.groups)
	})
	return ctx.Err()
}

// killInTurn is F02: each server dies in its turn, whatever it does just then, and is
// back after a while; one always lives.
func killInTurn(ctx context.Context, b *bed) error {
	kills := 0
	for ; b.more(perKill); kills++ {
		s := b.servers[kills%len(b.servers)]
		s.kill()
		b.struck()
		b.rest(ctx, 10*time.Second)
		if err := s.restart(ctx); err != nil {
			return err
		}
		b.look(ctx)
		b.rest(ctx, time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d kills, one each 11 s", kills)
	return nil
}

// stopPoints are the places at which F05 halts a leading server. In some of them it
// holds a transaction and its locks open.
var stopPoints = []failpoint.Point{failpoint.DispatchPlanned, failpoint.BeforeCommit, failpoint.DispatchMarked, failpoint.TriggerPlanned}

// zombieLeaders is F05: the leading server stands still in the middle of a pass until
// others have taken over, and goes on where it was.
func zombieLeaders(ctx context.Context, b *bed) error {
	points := b.rng.Perm(len(stopPoints))
	stops := 0
	for ; b.more(18 * time.Second); stops++ {
		s, err := b.leader(ctx)
		if err != nil {
			return err
		}
		point := stopPoints[points[stops%len(points)]]
		if err := s.fail(string(point) + "=stopx1"); err != nil {
			return err
		}
		if !waitUntil(ctx, 5*time.Second, s.proc.halted) {
			b.fig.say("%s was not passed in 5 s", point)
			if err := s.proc.signal(haltSignal); err != nil {
				return err
			}
		}
		b.struck()
		b.rest(ctx, 15*time.Second)
		if err := s.proc.signal(contSignal); err != nil {
			return err
		}
		b.look(ctx)
		b.rest(ctx, 2*time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d stops of 15 s", stops)
	return nil
}

// cutServer is F10: a server loses the database and Redis at once and keeps its
// workers.
func cutServer(ctx context.Context, b *bed) error {
	cuts := 0
	for ; b.more(18 * time.Second); cuts++ {
		s, err := b.leader(ctx)
		if err != nil {
			return err
		}
		s.db.cut()
		s.redis.cut()
		b.struck()
		b.rest(ctx, 15*time.Second)
		s.db.heal()
		s.redis.heal()
		b.look(ctx)
		b.rest(ctx, 3*time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d cuts of 15 s", cuts)
	return nil
}

// cutOneWay is F11: a server sends and hears nothing, and a worker hears and is not
// heard, until the end.
func cutOneWay(ctx context.Context, b *bed) error {
	s, err := b.leader(ctx)
	if err != nil {
		return err
	}
	s.db.hold(down, true)
	s.redis.hold(down, true)
	b.struck()
	b.rest(ctx, 12*time.Second)
	b.look(ctx)
	voices, err := b.startMuffled(ctx)
	if err != nil {
		return err
	}
	for _, p := range voices {
		p.hold(up, true)
	}
	b.struck()
	b.rest(ctx, time.Until(b.load.to)-time.Second)
	for _, p := range voices {
		p.heal()
	}
	b.fig.scale = "1 server for 40 s, then 1 worker for 25 s"
	return nil
}

// startMuffled starts a worker behind proxies of its own.
func (b *bed) startMuffled(ctx context.Context) ([]*proxy, error) {
	var voices []*proxy
	urls := map[*server]string{}
	for _, s := range b.servers {
		p, err := newProxy(s.front.addr())
		if err != nil {
			return nil, err
		}
		b.closers = append(b.closers, p.close)
		voices = append(voices, p)
		urls[s] = "http://" + p.addr()
	}
	b.meddle = func(s *server) string { return urls[s] }
	defer func() { b.meddle = nil }()
	if err := b.startWorkers(1); err != nil {
		return nil, err
	}
	return voices, b.awaitNodes(ctx, (b.f.workerCount()+1)*groupCount)
}
