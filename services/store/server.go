package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// BeatServer records that a server lives.
func (s *Store) BeatServer(ctx context.Context, server models.Server) error {
	columns := []string{"id", "name", "version", "started_at", "last_seen_at", "clock_offset_ms"}
	row := []any{
		server.ID, cutChars(server.Name, nameLimit), cutChars(server.Version, nameLimit),
		clock.Cut(server.StartedAt), clock.Cut(server.LastSeenAt), server.ClockOffsetMS,
	}
	return s.write(ctx, "recording a server's beat", func(tx *gorm.DB) error {
		return s.insertRows(tx, "servers", columns, [][]any{row}, s.dialect.onConflict("id",
			"name = new(name)", "version = new(version)", "last_seen_at = new(last_seen_at)", "clock_offset_ms = new(clock_offset_ms)"))
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
