package backfill

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// firesOf lists the fires of a trigger from an instant up to another, excluded: at
// most limit of them, and whether there are more.
func firesOf(t *schedule.Trigger, from, to time.Time, limit int) (fires []time.Time, more bool) {
	for at := from.Add(-1); ; {
		next, ok := t.Next(at)
		if !ok || !next.Before(to) {
			return fires, false
		}
		if len(fires) == limit {
			return fires, true
		}
		fires = append(fires, next)
		at = next
	}
}

// encode writes instants in order as the first one and the steps after it, in
// microseconds: four bytes or so each.
func encode(fires []time.Time) []byte {
	out := make([]byte, 0, 8+4*len(fires))
	last := int64(0)
	for _, at := range fires {
		out = binary.AppendVarint(out, at.UnixMicro()-last)
		last = at.UnixMicro()
	}
	return out
}

var errDamaged = errors.New("the instants of the backfill are damaged")

// decode is the opposite of encode. It fails on anything that encode did not write.
func decode(raw []byte) ([]time.Time, error) {
	var fires []time.Time
	last := int64(0)
	for len(raw) > 0 {
		step, n := binary.Varint(raw)
		if n <= 0 || len(fires) > 0 && step <= 0 || len(fires) == models.MaxBackfillFires {
			return nil, errDamaged
		}
		last += step
		fires = append(fires, time.UnixMicro(last).UTC())
		raw = raw[n:]
	}
	return fires, nil
}

// instants answers the instants of a backfill, from memory while it is under way.
func (s *Service) instants(ctx context.Context, b *models.Backfill) ([]time.Time, error) {
	s.mu.Lock()
	fires, known := s.fires[b.ID]
	s.mu.Unlock()
	if known {
		return fires, nil
	}
	raw, err := s.store.BackfillInstants(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	if fires, err = decode(raw); err != nil || int64(len(fires)) != b.Total {
		return nil, fmt.Errorf("backfill %s: %d of %d instants: %w", b.ID, len(fires), b.Total, errDamaged)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.fires) >= keptFires {
		clear(s.fires)
	}
	s.fires[b.ID] = fires
	return fires, nil
}

func (s *Service) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.fires, id)
}
