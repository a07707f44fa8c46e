package alert

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Bounds of one pass.
const (
	eventsAtOnce    = 500  // events that one transaction makes part of incidents
	incidentsAtOnce = 200  // incidents that one transaction looks at
	dueAtOnce       = 2000 // pending rows among which groups are looked for
	sweepEvery      = time.Minute
	incidentsKept   = 90 * 24 * time.Hour // after their end
	prunedAtOnce    = 500
	nodeGone        = 24 * time.Hour // silence after which a node is taken for gone
)

// Pass does at the desk what is to be done now, and answers how long it may rest. On a
// server that does not own the desk it does nothing.
func (s *Service) Pass(ctx context.Context) (time.Duration, error) {
	fence, ours := s.owner.Fence(Partition)
	if !ours {
		return idle, nil
	}
	rest, err := s.work(ctx, store.Fence(fence))
	if deposed, ok := errors.AsType[*store.DeposedError](err); ok {
		s.owner.Lost(deposed.Partitions...)
		return idle, nil
	}
	if errors.Is(err, store.ErrRulesMoved) {
		s.more = true
		return lifecycle.AtOnce, nil
	}
	return rest, err
}

func (s *Service) work(ctx context.Context, fence store.Fence) (time.Duration, error) {
	now := s.clock.Now()
	if since := now.Sub(s.passedAt); since >= 0 && since < gathers && !s.more {
		return gathers - since, nil // what comes meanwhile is done together
	}
	s.passedAt, s.more = now, false
	b, err := s.read(ctx, now)
	if err != nil {
		return 0, err
	}
	taken, err := s.intake(ctx, fence, b)
	if err != nil {
		return 0, err
	}
	ticked, err := s.tick(ctx, fence, b)
	if err != nil {
		return 0, err
	}
	if err := s.sweep(ctx, fence, b, now); err != nil {
		return 0, err
	}
	told, err := s.tell(ctx, fence, b)
	if err != nil {
		return 0, err
	}
	if err := s.remind(ctx, fence, b, now); err != nil {
		return 0, err
	}
	if taken || ticked || told {
		s.more = true
		return lifecycle.AtOnce, nil
	}
	return s.rest(ctx)
}

// rest is the time until something is due, at most idle.
func (s *Service) rest(ctx context.Context) (time.Duration, error) {
	next, err := s.store.NextAlert(ctx)
	if err != nil || next.IsZero() {
		return idle, err
	}
	return min(max(next.Sub(s.clock.Now()), lifecycle.AtOnce), idle), nil
}

// tick does what is due for incidents without an event. More says that there may be more.
func (s *Service) tick(ctx context.Context, fence store.Fence, b *board) (more bool, err error) {
	now := s.clock.Now()
	due, err := s.store.IncidentsDue(ctx, now, incidentsAtOnce)
	if err != nil || len(due) == 0 {
		return false, err
	}
	rates, err := s.rates(ctx, due, now)
	if err != nil {
		return false, err
	}
	err = s.each(ctx, fence, b, due, now, func(d *desk.Desk, c *desk.Case) {
		if c.Incident.NextAt == nil || c.Incident.NextAt.After(d.Now) {
			return // done meanwhile
		}
		if rate, known := rates[c.Incident.ID]; known {
			c.Rate = &rate
		}
		c.Changed = true
		d.Tick(c)
	})
	return len(due) == incidentsAtOnce, err
}

// rates looks up the share of failed ends for incidents that a rate opened.
func (s *Service) rates(ctx context.Context, due []models.Incident, now time.Time) (map[string]float64, error) {
	rates := map[string]float64{}
	for i := range due {
		c := &due[i].Condition
		if c.Rate == 0 || due[i].JobID == nil {
			continue
		}
		ends, err := s.store.JobEndsBetween(ctx, *due[i].JobID, now.Add(-c.Window()), now)
		if err != nil {
			return nil, err
		}
		rates[due[i].ID] = ends.Share()
	}
	return rates, nil
}

// each lets the desk do something to each of these incidents, in one transaction.
func (s *Service) each(ctx context.Context, fence store.Fence, b *board, rows []models.Incident, now time.Time, do func(*desk.Desk, *desk.Case)) error {
	of, err := s.subjects(ctx, rows)
	if err != nil {
		return err
	}
	keys := store.IncidentKeys{Rules: b.versions}
	for i := range rows {
		keys.IDs = append(keys.IDs, rows[i].ID)
	}
	var written []string
	err = s.store.WorkIncidents(ctx, fence, keys, func(held *store.IncidentsHeld) (*store.IncidentBooks, error) {
		d := b.desk(now)
		cases := casesOf(held, of)
		for _, c := range cases {
			do(d, c)
		}
		out := books(d, cases)
		written = changed(out)
		return out, nil
	})
	if err == nil && len(written) > 0 {
		s.notify.IncidentsChanged(ctx, written)
	}
	return err
}

// sweep looks at all open incidents once a minute, and at once when the silences that hold
// have changed; it deletes what is old.
func (s *Service) sweep(ctx context.Context, fence store.Fence, b *board, now time.Time) error {
	hushed := signature(b.silences, now)
	if hushed == s.hushed && now.Sub(s.sweptAt).Abs() < sweepEvery {
		return nil
	}
	for after := ""; ; {
		rows, err := s.store.OpenIncidents(ctx, after, incidentsAtOnce)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		gone, err := s.gone(ctx, rows, now)
		if err != nil {
			return err
		}
		err = s.each(ctx, fence, b, rows, now, func(d *desk.Desk, c *desk.Case) {
			if why := gone[c.Incident.ID]; why != "" && c.Incident.State != models.IncidentResolved {
				d.Resolve(c, why, "", "")
				return
			}
			d.Hush(c)
		})
		if err != nil {
			return err
		}
		after = rows[len(rows)-1].ID
	}
	s.hushed, s.sweptAt = hushed, now
	return s.prune(ctx, now)
}

// signature tells which silences hold, and until when.
func signature(silences []*desk.Silence, now time.Time) string {
	var b strings.Builder
	for _, s := range silences {
		if until, active := s.Active(now); active {
			fmt.Fprintf(&b, "%s %d\n", s.ID, until.UnixMicro())
		}
	}
	return b.String()
}

// gone answers which incidents are about a job or node group that is no more, or about a
// node that is taken for gone.
func (s *Service) gone(ctx context.Context, rows []models.Incident, now time.Time) (map[string]string, error) {
	var jobs, groups, nodes []string
	for i := range rows {
		if rows[i].JobID != nil {
			jobs = append(jobs, *rows[i].JobID)
		} else if rows[i].GroupID != nil {
			groups = append(groups, *rows[i].GroupID)
		}
		nodes = add(nodes, rows[i].NodeID)
	}
	here := map[string]bool{}
	live, err := s.store.JobsByIDs(ctx, unique(jobs))
	if err != nil {
		return nil, err
	}
	for i := range live {
		here[live[i].ID] = live[i].LiveName != nil
	}
	there, err := s.store.GroupsByIDs(ctx, unique(groups))
	if err != nil {
		return nil, err
	}
	for i := range there {
		here[there[i].ID] = true
	}
	gone, err := s.goneNodes(ctx, rows, unique(nodes), now)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		switch {
		case rows[i].JobID != nil && !here[*rows[i].JobID]:
			gone[rows[i].ID] = "The job was deleted."
		case rows[i].JobID == nil && rows[i].GroupID != nil && !here[*rows[i].GroupID]:
			gone[rows[i].ID] = "The node group was deleted."
		}
	}
	return gone, nil
}

// goneNodes answers the incidents about nodes that are removed or have been away for so
// long that their names will hardly come back: those of containers never do. What somebody
// has acknowledged waits for its node.
func (s *Service) goneNodes(ctx context.Context, rows []models.Incident, ids []string, now time.Time) (map[string]string, error) {
	known, err := s.store.NodesByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	nodes := map[string]*models.Node{}
	for i := range known {
		nodes[known[i].ID] = &known[i]
	}
	gone := map[string]string{}
	for i := range rows {
		if rows[i].NodeID == nil || rows[i].Event != models.AlertNodeOffline {
			continue
		}
		switch n := nodes[*rows[i].NodeID]; {
		case n == nil:
			gone[rows[i].ID] = "The node was removed."
		case n.State == models.NodeOffline && now.Sub(n.LastSeenAt) > nodeGone && rows[i].State == models.IncidentOpen:
			gone[rows[i].ID] = "The node has been away for a day and is taken for gone. When it is back and goes again, that is a new incident."
		}
	}
	return gone, nil
}

func (s *Service) prune(ctx context.Context, now time.Time) error {
	if now.Sub(s.prunedAt).Abs() < pruneEvery {
		return nil
	}
	s.prunedAt = now
	for {
		n, err := s.store.PruneIncidents(ctx, now.Add(-incidentsKept), prunedAtOnce)
		if err != nil {
			return err
		}
		if n < prunedAtOnce {
			break
		}
	}
	_, err := s.store.PruneSilences(ctx, now.Add(-incidentsKept))
	return err
}
