package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// TakePartition makes a server the owner of a partition, whoever owned it, and
// answers the new epoch. It waits for the owner's transactions under way; later
// ones with the old epoch fail.
func (s *Store) TakePartition(ctx context.Context, partition int, serverID string) (epoch int64, err error) {
	err = s.write(ctx, "taking a partition", func(tx *gorm.DB) error {
		row, err := s.lockPartition(tx, partition)
		if err != nil {
			return err
		}
		epoch = row.Epoch + 1
		return setPartition(tx, partition, epoch, serverID, nil)
	})
	return epoch, err
}

// LeasePartition takes a partition for ttl if it is free, its lease is over by the
// database's clock, or it is this server's already; ok says so. The epoch rises
// when the owner changes.
func (s *Store) LeasePartition(ctx context.Context, partition int, serverID string, ttl time.Duration) (epoch int64, ok bool, err error) {
	err = s.write(ctx, "leasing a partition", func(tx *gorm.DB) error {
		epoch, ok = 0, false
		row, err := s.lockPartition(tx, partition)
		if err != nil {
			return err
		}
		now, err := s.leaseNow(tx)
		if err != nil {
			return err
		}
		mine := row.OwnerID == serverID
		if !mine && row.OwnerID != "" && row.LeasedTo != nil && row.LeasedTo.After(now) {
			return nil
		}
		epoch, ok = row.Epoch, true
		if !mine {
			epoch++
		}
		to := now.Add(ttl)
		return setPartition(tx, partition, epoch, serverID, &to)
	})
	return epoch, ok, err
}

// RenewLeases extends a server's leases to ttl from now and answers those that are
// still its own.
func (s *Store) RenewLeases(ctx context.Context, partitions []int, serverID string, ttl time.Duration) (renewed []int, err error) {
	err = s.write(ctx, fmt.Sprintf("renewing %d leases", len(partitions)), func(tx *gorm.DB) error {
		renewed = nil
		if err := s.ownPartitions(tx, partitions, serverID, &renewed); err != nil || len(renewed) == 0 {
			return err
		}
		now, err := s.leaseNow(tx)
		if err != nil {
			return err
		}
		args := append([]any{clock.Cut(now.Add(ttl))}, anys(renewed)...)
		_, err = exec(tx, "UPDATE partitions SET leased_to = ? WHERE id IN ("+marks(len(renewed))+")", args...)
		return err
	})
	return renewed, err
}

// ReleaseLeases frees those of the partitions that are the server's.
func (s *Store) ReleaseLeases(ctx context.Context, partitions []int, serverID string) error {
	return s.write(ctx, fmt.Sprintf("releasing %d leases", len(partitions)), func(tx *gorm.DB) error {
		var own []int
		if err := s.ownPartitions(tx, partitions, serverID, &own); err != nil || len(own) == 0 {
			return err
		}
		_, err := exec(tx, "UPDATE partitions SET owner_id = '', leased_to = NULL WHERE id IN ("+marks(len(own))+")", anys(own)...)
		return err
	})
}

// ownPartitions locks those of the partitions that are a server's and lists them.
func (s *Store) ownPartitions(tx *gorm.DB, partitions []int, serverID string, own *[]int) error {
	if len(partitions) == 0 {
		return nil
	}
	ids := slices.Compact(slices.Sorted(slices.Values(partitions)))
	rows, err := query(tx, "SELECT id FROM partitions"+s.dialect.byKey()+" WHERE id IN ("+marks(len(ids))+") AND owner_id = ? ORDER BY id"+s.dialect.lockRows(),
		append(anys(ids), serverID)...)
	if err != nil {
		return fmt.Errorf("locking partitions: %w", err)
	}
	return scan(rows, func() error {
		var id int
		err := rows.Scan(&id)
		*own = append(*own, id)
		return err
	})
}

func (s *Store) lockPartition(tx *gorm.DB, partition int) (models.Partition, error) {
	var row models.Partition
	err := tx.Raw("SELECT id, epoch, owner_id, leased_to FROM partitions WHERE id = ?"+s.dialect.lockRows(), partition).
		Row().Scan(&row.ID, &row.Epoch, &row.OwnerID, &row.LeasedTo)
	if err != nil {
		return row, fmt.Errorf("locking partition %d: %w", partition, err)
	}
	return row, nil
}

func setPartition(tx *gorm.DB, partition int, epoch int64, owner string, leasedTo *time.Time) error {
	_, err := exec(tx, "UPDATE partitions SET epoch = ?, owner_id = ?, leased_to = ? WHERE id = ?", epoch, owner, cutTime(leasedTo), partition)
	return err
}

// leaseNow is the clock that leases go by: one for all servers.
func (s *Store) leaseNow(tx *gorm.DB) (time.Time, error) {
	if s.dialect == sqlite {
		return s.clock.Now(), nil
	}
	return databaseNow(tx)
}

// PartitionOwners answers all partitions by id.
func (s *Store) PartitionOwners(ctx context.Context) ([]models.Partition, error) {
	var rows []models.Partition
	if err := s.read(ctx).Order("id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("reading the partitions: %w", err)
	}
	return rows, nil
}
