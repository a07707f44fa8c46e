package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// NodeBeat is a sign of life of one process of a node.
type NodeBeat struct {
	ID, Incarnation string
	Running, Slots  int
	ServerID        string // that holds its stream
	At              time.Time
	State           models.NodeState
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
	const first = "SELECT ? AS id, ? AS incarnation, ? AS running, ? AS slots, ? AS server_id, ? AS at, ? AS state"
	const other = " UNION ALL SELECT ?, ?, ?, ?, ?, ?, ?"
	values := first + strings.Repeat(other, len(beats)-1)
	args := make([]any, 0, 7*len(beats))
	for _, b := range beats {
		args = append(args, b.ID, b.Incarnation, b.Running, b.Slots, b.ServerID, b.At, b.State)
	}
	statement := "UPDATE nodes n JOIN (" + values + ") b ON n.id = b.id AND n.incarnation = b.incarnation " +
		"SET n.running = b.running, n.slots = b.slots, n.server_id = b.server_id, n.last_seen_at = b.at, n.state = b.state"
	if s.dialect == sqlite {
		statement = "UPDATE nodes SET running = b.running, slots = b.slots, server_id = b.server_id, last_seen_at = b.at, state = b.state " +
			"FROM (" + values + ") b WHERE nodes.id = b.id AND nodes.incarnation = b.incarnation"
	}
	if _, err := exec(tx, statement, args...); err != nil {
		return fmt.Errorf("updating %d nodes: %w", len(beats), err)
	}
	return nil
}
