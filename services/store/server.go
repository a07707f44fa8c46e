package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// BeatServer records that a server lives, and what it says of itself.
func (s *Store) BeatServer(ctx context.Context, server models.Server) error {
	columns := []string{"id", "name", "version", "started_at", "last_seen_at", "clock_offset_ms", "locks", "stopping", "degraded"}
	row := []any{
		server.ID, cutChars(server.Name, nameLimit), cutChars(server.Version, nameLimit),
		clock.Cut(server.StartedAt), clock.Cut(server.LastSeenAt), server.ClockOffsetMS,
		server.Locks, server.Stopping, orNull(server.Degraded),
	}
	return s.write(ctx, "recording a server's beat", func(tx *gorm.DB) error {
		return s.insertRows(tx, "servers", columns, [][]any{row}, s.dialect.onConflict("id",
			"name = new(name)", "version = new(version)", "last_seen_at = new(last_seen_at)", "clock_offset_ms = new(clock_offset_ms)",
			"locks = new(locks)", "stopping = new(stopping)", "degraded = new(degraded)"))
	})
}

// Servers answers the servers that were seen at an instant or later, by id.
func (s *Store) Servers(ctx context.Context, seenSince time.Time) ([]models.Server, error) {
	var rows []models.Server
	err := s.read(ctx).Where("last_seen_at >= ?", clock.Cut(seenSince)).Order("id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("reading the servers: %w", err)
	}
	return rows, nil
}

// RemoveServer forgets a server.
func (s *Store) RemoveServer(ctx context.Context, id string) error {
	return s.write(ctx, "removing a server", func(tx *gorm.DB) error {
		_, err := exec(tx, "DELETE FROM servers WHERE id = ?", id)
		return err
	})
}

// OverdueFires answers, by partition, the instant of the first fire that is due at
// now and has not become a task; partitions without one are missing. It reads the
// index of due jobs up to now, which holds hardly any while triggers work.
func (s *Store) OverdueFires(ctx context.Context, now time.Time) (map[int]time.Time, error) {
	rows, err := query(s.read(ctx), "SELECT part, MIN(due_at) FROM jobs"+s.dialect.forceIndex("jobs_due")+
		" WHERE due_at > ? AND due_at <= ? GROUP BY part", earliest, clock.Cut(now))
	if err != nil {
		return nil, fmt.Errorf("reading overdue fires: %w", err)
	}
	first := map[int]time.Time{}
	err = scan(rows, func() error {
		var part int
		var at instant
		err := rows.Scan(&part, &at)
		if at.at != nil {
			first[part] = *at.at
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading overdue fires: %w", err)
	}
	return first, nil
}

// GroupsByPartition answers how many node groups each partition has.
func (s *Store) GroupsByPartition(ctx context.Context) (map[int]int, error) {
	rows, err := query(s.read(ctx), "SELECT part, COUNT(*) FROM node_groups"+s.dialect.forceIndex("node_groups_part")+" GROUP BY part")
	if err != nil {
		return nil, fmt.Errorf("counting node groups: %w", err)
	}
	count := map[int]int{}
	err = scan(rows, func() error {
		var part, n int
		err := rows.Scan(&part, &n)
		count[part] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("counting node groups: %w", err)
	}
	return count, nil
}
