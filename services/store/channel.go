package store

import (
	"bytes"
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// MaxChannels is how many channels there may be.
const MaxChannels = 200

// CreateChannel makes a channel. Faults: TAKEN (name), LIMIT.
func (s *Store) CreateChannel(ctx context.Context, c models.AlertChannel, audit models.Audit) error {
	return s.write(ctx, "creating a channel", func(tx *gorm.DB) error {
		var n int64
		if err := tx.Model(&models.AlertChannel{}).Count(&n).Error; err != nil {
			return err
		}
		if n >= MaxChannels {
			return fault.New(fault.Limit, "There are %d channels, the most there can be; delete one first.", n)
		}
		if err := tx.Create(&c).Error; err != nil {
			return taken(err, c.Name, "another channel")
		}
		return insertAudit(tx, &audit)
	})
}

// UpdateChannel lets edit change a channel under a lock, counts its version up and
// answers it. An error of edit changes nothing. What waits in a channel that edit
// switches off becomes SUPPRESSED. Faults: NOT_FOUND, TAKEN (name), those of edit.
func (s *Store) UpdateChannel(ctx context.Context, id string, edit func(*models.AlertChannel) (models.Audit, error)) (models.AlertChannel, error) {
	var c models.AlertChannel
	err := s.write(ctx, "changing a channel", func(tx *gorm.DB) error {
		var err error
		if c, err = one[models.AlertChannel](s.locked(tx).Where("id = ?", id), "channel "+id); err != nil {
			return err
		}
		was := stateOf(&c)
		audit, err := edit(&c)
		if err != nil {
			return err
		}
		c.Version++
		const set = `UPDATE alert_channels SET name = ?, enabled = ?, disabled_reason = ?, language = ?, settings = ?, sealed = ?,
			per_minute = ?, burst = ?, max_age_ms = ?, templates = ?, version = ?, updated_at = ? WHERE id = ?`
		_, err = exec(tx, set, c.Name, c.Enabled, c.DisabledReason, c.Language, document(c.Settings), c.Sealed,
			c.PerMinute, c.Burst, c.MaxAgeMS, document(c.Templates), c.Version, clock.Cut(c.UpdatedAt), id)
		if err != nil {
			return taken(err, c.Name, "another channel")
		}
		audit.Was = was
		return insertAudit(tx, &audit)
	})
	return c, err
}

// DeleteChannel deletes a channel that no report names any more; what it has sent
// stays readable. Faults: NOT_FOUND, CONFLICT.
func (s *Store) DeleteChannel(ctx context.Context, id string, audit models.Audit) (models.AlertChannel, error) {
	var c models.AlertChannel
	err := s.changing(ctx, "deleting a channel", &audit, func(tx *gorm.DB) error {
		var err error
		if c, err = one[models.AlertChannel](s.locked(tx).Where("id = ?", id), "channel "+id); err != nil {
			return err
		}
		reports, err := list[models.ReportSchedule](tx.Order("name").Limit(mostListed), "report schedules")
		if err != nil {
			return err
		}
		for i := range reports {
			if bytes.Contains(reports[i].Channels, []byte(id)) {
				return fault.New(fault.Conflict, "The channel %q gets the report %q; take it out there first.", c.Name, reports[i].Name)
			}
		}
		if _, err := exec(tx, "DELETE FROM alert_channels WHERE id = ?", id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return c, err
}

// Resealed replaces the sealed secrets of a channel that is still at the version.
func (s *Store) Resealed(ctx context.Context, id string, version int, sealed string) error {
	return s.write(ctx, "sealing secrets anew", func(tx *gorm.DB) error {
		_, err := exec(tx, "UPDATE alert_channels SET sealed = ? WHERE id = ? AND version = ?", sealed, id, version)
		return err
	})
}

// Channel answers one channel. Fault: NOT_FOUND.
func (s *Store) Channel(ctx context.Context, id string) (models.AlertChannel, error) {
	return one[models.AlertChannel](s.read(ctx).Where("id = ?", id), "channel "+id)
}

// Channels answers all channels by name; there are at most MaxChannels.
func (s *Store) Channels(ctx context.Context) ([]models.AlertChannel, error) {
	return list[models.AlertChannel](s.read(ctx).Order("name, id").Limit(mostListed), "channels")
}

// ChannelsByIDs answers the channels that exist among ids, in no order.
func (s *Store) ChannelsByIDs(ctx context.Context, ids []string) ([]models.AlertChannel, error) {
	return byIDs[models.AlertChannel](s.read(ctx), ids, "channels")
}

// Contacts answers how these people are reached, with their names, in no order;
// people without an entry have empty ones. Without ids it answers everybody who is not
// disabled, by name, at most 1,000.
func (s *Store) Contacts(ctx context.Context, userIDs []string) ([]models.Contact, error) {
	q := s.read(ctx).Table("users u").Joins("LEFT JOIN contacts c ON c.user_id = u.id").Select(contactColumns)
	if userIDs == nil {
		return list[models.Contact](q.Where("u.disabled_at IS NULL").Order("u.name").Limit(mostListed), "people")
	}
	if len(userIDs) == 0 {
		return nil, nil
	}
	return list[models.Contact](q.Where("u.id IN ?", userIDs), "people")
}

const contactColumns = `u.id AS user_id, u.name AS name, COALESCE(c.email, '') AS email, COALESCE(c.mobile, '') AS mobile,
	COALESCE(c.feishu_id, '') AS feishu_id, COALESCE(c.wecom_id, '') AS wecom_id, COALESCE(c.slack_id, '') AS slack_id,
	COALESCE(c.telegram_id, '') AS telegram_id, COALESCE(c.discord_id, '') AS discord_id`

// SetContact notes how a person is reached and answers it. Fault: NOT_FOUND.
func (s *Store) SetContact(ctx context.Context, c models.Contact, at time.Time, audit models.Audit) (models.Contact, error) {
	err := s.write(ctx, "noting contacts", func(tx *gorm.DB) error {
		if _, err := one[models.User](s.locked(tx).Where("id = ?", c.UserID), "account "+c.UserID); err != nil {
			return err
		}
		columns := []string{"user_id", "email", "mobile", "feishu_id", "wecom_id", "slack_id", "telegram_id", "discord_id", "updated_at"}
		row := []any{c.UserID, c.Email, c.Mobile, c.FeishuID, c.WecomID, c.SlackID, c.TelegramID, c.DiscordID, clock.Cut(at)}
		set := make([]string, 0, len(columns))
		for _, name := range columns[1:] {
			set = append(set, name+" = new("+name+")")
		}
		if err := s.insertRows(tx, "contacts", columns, [][]any{row}, s.dialect.onConflict("user_id", set...)); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	if err != nil {
		return c, err
	}
	rows, err := s.Contacts(ctx, []string{c.UserID})
	if err != nil || len(rows) == 0 {
		return c, err
	}
	return rows[0], nil
}
