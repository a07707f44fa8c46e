package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// sealedColumns is where the sealed secrets of each kind are.
var sealedColumns = map[models.SealedKind]struct{ table, key, column string }{
	models.SealedChannels: {"alert_channels", "id", "sealed"},
	models.SealedFactors:  {"second_factors", "user_id", "secret"},
}

// Sealed answers the sealed secrets of a kind in the order of their ids: at most n, those
// after an id, or with an empty one from the first. It reads along the primary key.
func (s *Store) Sealed(ctx context.Context, kind models.SealedKind, after string, n int) ([]models.Sealed, error) {
	at, known := sealedColumns[kind]
	if !known {
		return nil, fmt.Errorf("there is no kind of sealed secrets %q", kind)
	}
	q := s.read(ctx).Table(at.table).Select(at.key+" AS id", at.column+" AS text").
		Where(at.key+" > ? AND "+at.column+" <> ''", after).Order(at.key).Limit(n)
	return list[models.Sealed](q, string(kind))
}

// Reseal replaces sealed secrets of a kind that are still as they were read, in one
// transaction; it answers how many those were. What they say does not change, so that
// nothing else does: no version, no instant, no audit entry.
func (s *Store) Reseal(ctx context.Context, kind models.SealedKind, changes []models.Reseal) (int, error) {
	at, known := sealedColumns[kind]
	if !known {
		return 0, fmt.Errorf("there is no kind of sealed secrets %q", kind)
	}
	var n int64
	err := s.write(ctx, "sealing secrets anew", func(tx *gorm.DB) error {
		n = 0
		for _, c := range changes {
			rows, err := exec(tx, "UPDATE "+at.table+" SET "+at.column+" = ? WHERE "+at.key+" = ? AND "+at.column+" = ?", c.Text, c.ID, c.Was)
			if err != nil {
				return err
			}
			n += rows
		}
		return nil
	})
	return int(n), err
}
