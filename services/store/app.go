package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const mostListed = 1000 // apps, groups or nodes in one list

// CreateApp makes an app with its first key and its first group. Fault: TAKEN.
func (s *Store) CreateApp(ctx context.Context, app models.App, key models.AppKey, group models.NodeGroup, audit models.Audit) error {
	return s.write(ctx, "creating an app", func(tx *gorm.DB) error {
		if err := tx.Create(&app).Error; err != nil {
			return taken(err, app.Name, "an app")
		}
		if err := tx.Create(&key).Error; err != nil {
			return err
		}
		if err := tx.Create(&group).Error; err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// taken turns a duplicate name into a fault TAKEN.
func taken(err error, name, what string) error {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return fault.At("name", fault.Taken, "The name %q belongs to %s already; choose another.", name, what)
	}
	return err
}

// UpdateApp changes an app's description. Fault: NOT_FOUND.
func (s *Store) UpdateApp(ctx context.Context, id, description string, at time.Time, audit models.Audit) (models.App, error) {
	var app models.App
	err := s.changing(ctx, "changing an app", &audit, func(tx *gorm.DB) error {
		var err error
		if app, err = s.lockApp(tx, id); err != nil {
			return err
		}
		app.Description, app.UpdatedAt = description, at
		if _, err := exec(tx, "UPDATE apps SET description = ?, updated_at = ? WHERE id = ?", description, at, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return app, err
}

// lockApp reads an app and keeps others from deleting it, or from putting anything
// under it that asks for the same lock. Fault: NOT_FOUND.
func (s *Store) lockApp(tx *gorm.DB, id string) (models.App, error) {
	return one[models.App](s.locked(tx).Where("id = ?", id), "app "+id)
}

// DeleteApp deletes an app with its keys, groups, nodes and calendars. Faults: NOT_FOUND,
// CONFLICT while it has jobs or unfinished tasks.
func (s *Store) DeleteApp(ctx context.Context, id string, audit models.Audit) (models.App, error) {
	var app models.App
	err := s.changing(ctx, "deleting an app", &audit, func(tx *gorm.DB) error {
		var err error
		if app, err = s.lockApp(tx, id); err != nil {
			return err
		}
		var groups []string
		if err := tx.Model(&models.NodeGroup{}).Where("app_id = ?", id).Order("id").Pluck("id", &groups).Error; err != nil {
			return err
		}
		if err := s.refuseWhileUsed(tx, "app "+app.Name, "app_id = ?", id, groups); err != nil {
			return err
		}
		for _, statement := range []string{
			"DELETE FROM nodes WHERE app_id = ?",
			"DELETE FROM group_flows WHERE group_id IN (SELECT id FROM node_groups WHERE app_id = ?)", "DELETE FROM node_groups WHERE app_id = ?",
			"DELETE FROM app_keys WHERE app_id = ?", "DELETE FROM calendars WHERE app_id = ?", "DELETE FROM app_roles WHERE app_id = ?", "DELETE FROM apps WHERE id = ?",
		} {
			if _, err := exec(tx, statement, id); err != nil {
				return err
			}
		}
		return insertAudit(tx, &audit)
	})
	return app, err
}

// refuseWhileUsed answers CONFLICT while live jobs match where, or one of the
// groups has unfinished tasks.
func (s *Store) refuseWhileUsed(tx *gorm.DB, what, where, id string, groups []string) error {
	var jobs int64
	if err := tx.Model(&models.Job{}).Where(where, id).Where("live_name IS NOT NULL").Count(&jobs).Error; err != nil {
		return err
	}
	if jobs > 0 {
		return fault.New(fault.Conflict, "The %s still has %d jobs; delete them first.", what, jobs)
	}
	for _, group := range groups {
		for _, state := range []models.TaskState{models.TaskRunning, models.TaskWaiting, models.TaskRetrying} {
			var ids []string
			err := tx.Model(&models.Task{}).Where("group_id = ? AND state = ?", group, state).Limit(1).Pluck("id", &ids).Error
			if err != nil {
				return err
			}
			if len(ids) > 0 {
				return fault.New(fault.Conflict, "The %s still has unfinished tasks, among them %s; wait for them or cancel them first.", what, ids[0])
			}
		}
	}
	return nil
}

// App answers one app. Fault: NOT_FOUND.
func (s *Store) App(ctx context.Context, id string) (models.App, error) {
	return one[models.App](s.read(ctx).Where("id = ?", id), "app "+id)
}

// AppByName answers one app. Fault: NOT_FOUND.
func (s *Store) AppByName(ctx context.Context, name string) (models.App, error) {
	return one[models.App](s.read(ctx).Where("name = ?", name), "app "+name)
}

// Apps answers all apps by name, at most 1,000.
func (s *Store) Apps(ctx context.Context) ([]models.App, error) {
	return list[models.App](s.read(ctx).Order("name").Limit(mostListed), "apps")
}

// AppsByIDs answers the apps that exist among ids, in no order.
func (s *Store) AppsByIDs(ctx context.Context, ids []string) ([]models.App, error) {
	return byIDs[models.App](s.read(ctx), ids, "apps")
}

// list reads all rows of q.
func list[T any](q *gorm.DB, what string) ([]T, error) {
	var rows []T
	if err := q.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	return rows, nil
}

// byIDs reads the rows with these ids.
func byIDs[T any](q *gorm.DB, ids []string, what string) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return list[T](q.Where("id IN ?", ids), what)
}

// forUpdate locks the rows that a query reads.
var forUpdate = clause.Locking{Strength: clause.LockingStrengthUpdate}

// locked makes a query lock the rows that it reads against every other writer.
func (s *Store) locked(tx *gorm.DB) *gorm.DB {
	if s.dialect == sqlite {
		return tx
	}
	return tx.Clauses(forUpdate)
}
