package coord

import (
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// forgetAfter is how long the row of a dead server stays in the ledger.
const forgetAfter = time.Hour

// view is what one server remembers of the others between passes.
type view struct {
	seen    map[string]sighting   // by server id; those in the ledger
	orphans map[int]orphan        // by partition; those without an owner
	cool    map[int]time.Duration // deposed: not competed for before, by Elapsed
}

// sighting is when a server last gave a sign of life. Its beat's time is only
// compared with itself, so that no clock but our own matters.
type sighting struct {
	beat time.Time
	at   time.Duration // by our Elapsed
	row  models.Server
}

// orphan is a partition that seems to have no owner.
type orphan struct {
	epoch int64
	since time.Duration
}

func newView() view {
	return view{seen: map[string]sighting{}, orphans: map[int]orphan{}, cool: map[int]time.Duration{}}
}

// observe takes in the servers' rows as read at now. Who is seen for the first
// time is taken at its word: it beat when it says, by the database's clock. Who
// has beaten since it was last seen did so within the last beat.
func (v *view) observe(rows []models.Server, now time.Duration, database time.Time, deadAfter, beat time.Duration) {
	seen := make(map[string]sighting, len(rows))
	for _, row := range rows {
		s, known := v.seen[row.ID]
		age := database.Sub(row.LastSeenAt)
		switch {
		case !known && age.Abs() < deadAfter:
			s.at = now - max(0, age)
		case !known:
			s.at = now - deadAfter
		case !s.beat.Equal(row.LastSeenAt):
			s.at = now - min(max(0, age), beat)
		}
		s.beat, s.row = row.LastSeenAt, row
		seen[row.ID] = s
	}
	v.seen = seen
}

// alive are the servers that gave a sign of life lately; candidates those of them
// that may lead. Both sorted.
func (v *view) alive(now, deadAfter time.Duration) (alive, candidates []string) {
	for id, s := range v.seen {
		if now-s.at >= deadAfter {
			continue
		}
		alive = append(alive, id)
		if offset := time.Duration(s.row.ClockOffsetMS) * time.Millisecond; offset.Abs() <= MaxOffset {
			candidates = append(candidates, id)
		}
	}
	slices.Sort(alive)
	slices.Sort(candidates)
	return alive, candidates
}

// forgotten are servers that have been dead for so long that their rows go.
func (v *view) forgotten(now time.Duration, database time.Time, deadAfter time.Duration) (ids []string) {
	for id, s := range v.seen {
		if now-s.at >= deadAfter && database.Sub(s.beat) > forgetAfter {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// dead are the other servers that were dead at the last look at the ledger.
type dead struct {
	ids map[string]bool // bounded by the rows of servers
	at  time.Duration   // the look
}

// noteDead remembers who is dead for those who ask outside of the pass.
func (o *Ownership) noteDead(now time.Duration, alive []string) {
	d := dead{ids: map[string]bool{}, at: now}
	for id := range o.view.seen {
		if !slices.Contains(alive, id) && id != o.cfg.ServerID {
			d.ids[id] = true
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dead = d
}

// Dead says whether the ledger has not heard of another server for so long that it
// counts as dead. Who cannot read the ledger any more knows nothing of others, and a
// server that nobody knows may be new: the answer is false.
func (o *Ownership) Dead(serverID string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.dead.ids[serverID] && o.cfg.Elapsed()-o.dead.at < o.cfg.DeadAfter
}
