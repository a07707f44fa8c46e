package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// SecondFactor answers an account's second factor, confirmed or not. Fault: NOT_FOUND.
func (s *Store) SecondFactor(ctx context.Context, userID string) (models.SecondFactor, error) {
	return one[models.SecondFactor](s.read(ctx).Where("user_id = ?", userID), "second factor")
}

// SecondFactors answers which of some accounts have a confirmed second factor.
func (s *Store) SecondFactors(ctx context.Context, userIDs []string) (map[string]bool, error) {
	have := make(map[string]bool, len(userIDs))
	for chunk := range chunks(userIDs, inLimit) {
		rows, err := list[models.SecondFactor](s.read(ctx).Select("user_id").Where("user_id IN ? AND confirmed_at IS NOT NULL", chunk), "second factors")
		if err != nil {
			return nil, err
		}
		for i := range rows {
			have[rows[i].UserID] = true
		}
	}
	return have, nil
}

// BeginSecondFactor records a secret that is to be confirmed; it replaces one that was not.
// Fault: CONFLICT when the account has a confirmed one.
func (s *Store) BeginSecondFactor(ctx context.Context, f models.SecondFactor) error {
	return s.write(ctx, "beginning a second factor", func(tx *gorm.DB) error {
		old, err := list[models.SecondFactor](s.locked(tx).Where("user_id = ?", f.UserID), "second factors")
		if err != nil {
			return err
		}
		if len(old) > 0 && old[0].ConfirmedAt != nil {
			return fault.New(fault.Conflict, "The account has a second factor already; remove that one first.")
		}
		if _, err := exec(tx, "DELETE FROM second_factors WHERE user_id = ?", f.UserID); err != nil {
			return err
		}
		return tx.Create(&f).Error
	})
}

// ConfirmSecondFactor makes a secret count, gives the account its recovery codes (hashed)
// and ends its sessions but keep, which is to change its id. Fault: CONFLICT when the secret
// is another by now or confirmed already.
func (s *Store) ConfirmSecondFactor(ctx context.Context, f models.SecondFactor, step int64, at time.Time, codes []string, keep string, audit models.Audit) error {
	return s.write(ctx, "confirming a second factor", func(tx *gorm.DB) error {
		const set = "UPDATE second_factors SET confirmed_at = ?, last_step = ?, failures = 0, tried_at = NULL WHERE user_id = ? AND secret = ? AND confirmed_at IS NULL"
		n, err := exec(tx, set, at, step, f.UserID, f.Secret)
		if err != nil {
			return err
		}
		if n != 1 {
			return fault.New(fault.Conflict, "The second factor has just been set up anew; begin again.")
		}
		if err := replaceRecoveryCodes(tx, f.UserID, codes); err != nil {
			return err
		}
		if err := endOtherSessions(tx, f.UserID, keep); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// endOtherSessions ends what was opened before an account became safer: its other sessions
// and its sign-ins under way.
func endOtherSessions(tx *gorm.DB, userID, keep string) error {
	if _, err := exec(tx, "DELETE FROM sessions WHERE user_id = ? AND id <> ?", userID, keep); err != nil {
		return err
	}
	if _, err := exec(tx, "DELETE FROM sign_in_steps WHERE user_id = ?", userID); err != nil {
		return err
	}
	_, err := exec(tx, "UPDATE sessions SET renew = 1 WHERE user_id = ?", userID)
	return err
}

func replaceRecoveryCodes(tx *gorm.DB, userID string, hashes []string) error {
	if _, err := exec(tx, "DELETE FROM recovery_codes WHERE user_id = ?", userID); err != nil {
		return err
	}
	for _, hash := range hashes { // ten
		if _, err := exec(tx, "INSERT INTO recovery_codes (user_id, id) VALUES (?, ?)", userID, hash); err != nil {
			return err
		}
	}
	return nil
}

// RenewRecoveryCodes replaces an account's recovery codes. Fault: NOT_FOUND without a
// confirmed second factor.
func (s *Store) RenewRecoveryCodes(ctx context.Context, userID string, hashes []string, audit models.Audit) error {
	return s.write(ctx, "renewing recovery codes", func(tx *gorm.DB) error {
		if _, err := one[models.SecondFactor](s.locked(tx).Where("user_id = ? AND confirmed_at IS NOT NULL", userID), "second factor"); err != nil {
			return err
		}
		if err := replaceRecoveryCodes(tx, userID, hashes); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// RecoveryCodesLeft answers how many recovery codes of an account are unused.
func (s *Store) RecoveryCodesLeft(ctx context.Context, userID string) (int, error) {
	rows, err := list[models.RecoveryCode](s.read(ctx).Select("id").Where("user_id = ? AND used_at IS NULL", userID), "recovery codes")
	return len(rows), err
}

// BookCode books a try of a code as a failure before the code is looked at, so that tries
// made at once all count. It answers false when another try came in between.
func (s *Store) BookCode(ctx context.Context, f models.SecondFactor, at time.Time) (bool, error) {
	booked := false
	err := s.write(ctx, "booking a code", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE second_factors SET failures = ?, tried_at = ? WHERE user_id = ? AND secret = ? AND failures = ?",
			f.Failures+1, at, f.UserID, f.Secret, f.Failures)
		booked = n == 1
		return err
	})
	return booked, err
}

// UseCode uses the code of a time step up and forgets the failures; sealed, unless empty,
// replaces the sealed secret. It answers false when that step or a later one was used.
func (s *Store) UseCode(ctx context.Context, f models.SecondFactor, step int64, sealed string) (bool, error) {
	if sealed == "" {
		sealed = f.Secret
	}
	used := false
	err := s.write(ctx, "using a code", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE second_factors SET last_step = ?, failures = 0, secret = ? WHERE user_id = ? AND secret = ? AND last_step < ?",
			step, sealed, f.UserID, f.Secret, step)
		used = n == 1
		return err
	})
	return used, err
}

// UseRecoveryCode uses a recovery code up and forgets the failures of the second factor; of
// several who use one at once only one succeeds. Fault: NOT_FOUND when it is unknown or used.
func (s *Store) UseRecoveryCode(ctx context.Context, userID, hash string, at time.Time, audit models.Audit) error {
	return s.write(ctx, "using a recovery code", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND id = ? AND used_at IS NULL", at, userID, hash)
		if err != nil {
			return err
		}
		if n != 1 {
			return fault.New(fault.NotFound, "There is no such recovery code, or it was used.")
		}
		if _, err := exec(tx, "UPDATE second_factors SET failures = 0 WHERE user_id = ?", userID); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// RemoveSecondFactor takes an account's second factor and recovery codes away and ends its
// sessions but keep. Fault: NOT_FOUND when it has none that is confirmed.
func (s *Store) RemoveSecondFactor(ctx context.Context, userID, keep string, audit models.Audit) error {
	return s.write(ctx, "removing a second factor", func(tx *gorm.DB) error {
		n, err := exec(tx, "DELETE FROM second_factors WHERE user_id = ? AND confirmed_at IS NOT NULL", userID)
		if err != nil {
			return err
		}
		if n != 1 {
			return fault.New(fault.NotFound, "The account has no second factor.")
		}
		if err := replaceRecoveryCodes(tx, userID, nil); err != nil {
			return err
		}
		if err := endOtherSessions(tx, userID, keep); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}
