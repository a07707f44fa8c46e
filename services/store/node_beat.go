package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// NodeBeat is a sign of life of one process of a node. It changes no state: a
// beat that is written late must not undo what happened meanwhile.
type NodeBeat struct {
	ID, Incarnation string
	Running, Slots  int
	Stuck           int // handlers that go on long after their context has ended
	Lingering       int // slots taken by attempts that are not its own any more
	At              time.Time
}

// beatRows bounds the nodes in one statement.
const beatRows = 500

// BeatNodes records signs of life, many in one statement. A node whose process is
// another one by now, or that is gone, is left alone.
func (s *Store) BeatNodes(ctx context.Context, beats []NodeBeat) error {
	beats = slices.Clone(beats)
	slices.SortFunc(beats, func(a, b NodeBeat) int { return cmp.Compare(a.ID, b.ID) })
	for chunk := range slices.Chunk(beats, beatRows) {
		err := s.write(ctx, "recording heartbeats", func(tx *gorm.DB) error { return s.beatNodes(tx, chunk) })
		if err != nil {
			return err
		}
	}
	return nil
}

// beatNodes joins the rows to a list of values; both databases update in the order
// of the list, which is that of the primary key.
func (s *Store) beatNodes(tx *gorm.DB, beats []NodeBeat) error {
	const first = "SELECT ? AS id, ? AS incarnation, ? AS running, ? AS slots, ? AS stuck, ? AS lingering, ? AS at"
	const other = " UNION ALL SELECT ?, ?, ?, ?, ?, ?, ?"
	values := first + strings.Repeat(other, len(beats)-1)
	args := make([]any, 0, 7*len(beats))
	for _, b := range beats {
		args = append(args, b.ID, b.Incarnation, b.Running, b.Slots, b.Stuck, b.Lingering, b.At)
	}
	statement := "UPDATE nodes n JOIN (" + values + ") b ON n.id = b.id AND n.incarnation = b.incarnation " +
		"SET n.running = b.running, n.slots = b.slots, n.stuck = b.stuck, n.lingering = b.lingering, n.last_seen_at = GREATEST(n.last_seen_at, b.at)"
	if s.dialect == sqlite {
		statement = "UPDATE nodes SET running = b.running, slots = b.slots, stuck = b.stuck, lingering = b.lingering, last_seen_at = MAX(last_seen_at, b.at) " +
			"FROM (" + values + ") b WHERE nodes.id = b.id AND nodes.incarnation = b.incarnation"
	}
	if _, err := exec(tx, statement, args...); err != nil {
		return fmt.Errorf("updating %d nodes: %w", len(beats), err)
	}
	return nil
}
