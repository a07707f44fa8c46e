package alert

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/store"
)

// board is what the desk decides by, as it stood when it was read.
type board struct {
	rules    map[string]*desk.Rule
	versions map[string]int
	silences []*desk.Silence
	channels []desk.Channel
	full     bool // too much is pending: nothing more is put on the list
	newID    func() string
}

// read reads rules, silences and channels: three small tables. A row that somebody wrote by
// hand and that cannot be read is logged and left out.
func (s *Service) read(ctx context.Context, now time.Time) (*board, error) {
	b := &board{rules: map[string]*desk.Rule{}, versions: map[string]int{}, newID: ids(now)}
	rules, err := s.store.AlertRules(ctx)
	if err != nil {
		return nil, err
	}
	for i := range rules {
		b.versions[rules[i].ID] = rules[i].Version
		compiled, err := desk.Compile(rules[i])
		if err != nil {
			s.log.WarnContext(ctx, "alert rule left out", "rule", rules[i].Name, "error", err)
			continue
		}
		b.rules[rules[i].ID] = compiled
	}
	silences, err := s.store.OpenSilences(ctx, now)
	if err != nil {
		return nil, err
	}
	b.silences = s.compileSilences(ctx, silences)
	if b.channels, err = s.channels(ctx); err != nil {
		return nil, err
	}
	pending, err := s.store.CountPending(ctx, models.MaxPending)
	b.full = pending >= models.MaxPending
	return b, err
}

// compileSilences makes silences ready; one that cannot be read is logged and left out.
func (s *Service) compileSilences(ctx context.Context, rows []models.Silence) []*desk.Silence {
	var all []*desk.Silence
	for i := range rows {
		compiled, err := desk.CompileSilence(rows[i])
		if err != nil {
			s.log.WarnContext(ctx, "silence left out", "silence", rows[i].ID, "error", err)
			continue
		}
		all = append(all, compiled)
	}
	return all
}

func (s *Service) channels(ctx context.Context) ([]desk.Channel, error) {
	rows, err := s.store.Channels(ctx)
	all := make([]desk.Channel, 0, len(rows))
	for i := range rows {
		all = append(all, desk.Channel{ID: rows[i].ID, Name: rows[i].Name, Enabled: rows[i].Enabled})
	}
	return all, err
}

// desk makes a desk for one transaction.
func (b *board) desk(now time.Time) *desk.Desk {
	return &desk.Desk{Now: now, Rules: b.rules, Silences: b.silences, Channels: b.channels, NewID: b.newID, Full: b.full}
}

// ids makes ids that grow.
func ids(now time.Time) func() string {
	entropy := ulid.Monotonic(rand.Reader, 0)
	at := ulid.Timestamp(now)
	return func() string {
		id, err := ulid.New(at, entropy)
		if err != nil { // after 2^79 ids of one instant
			return models.NewID(now)
		}
		return id.String()
	}
}

// books gathers what the cases of a desk come to.
func books(d *desk.Desk, cases []*desk.Case) *store.IncidentBooks {
	b := &store.IncidentBooks{Held: d.Held}
	for _, c := range cases {
		switch {
		case c.New:
			b.Made = append(b.Made, c.Incident)
		case c.Changed:
			b.Changed = append(b.Changed, c.Incident)
		default:
			continue
		}
		b.Entries = append(b.Entries, c.Entries...)
		b.Pending = append(b.Pending, c.Pending...)
		b.Dropped = append(b.Dropped, c.Dropped...)
	}
	return b
}

// changed are the ids of incidents that the books write.
func changed(b *store.IncidentBooks) []string {
	all := make([]string, 0, len(b.Made)+len(b.Changed))
	for i := range b.Made {
		all = append(all, b.Made[i].ID)
	}
	for i := range b.Changed {
		all = append(all, b.Changed[i].ID)
	}
	return all
}

// casesOf makes cases of incidents that are held.
func casesOf(held *store.IncidentsHeld, of func(*models.Incident) desk.Subject) []*desk.Case {
	byID := make(map[string]*desk.Case, len(held.Incidents))
	all := make([]*desk.Case, 0, len(held.Incidents))
	for i := range held.Incidents {
		c := &desk.Case{Incident: held.Incidents[i], Subject: of(&held.Incidents[i])}
		byID[c.Incident.ID] = c
		all = append(all, c)
	}
	for i := range held.Pending {
		if c := byID[held.Pending[i].IncidentID]; c != nil {
			c.Waiting = append(c.Waiting, held.Pending[i])
		}
	}
	return all
}
