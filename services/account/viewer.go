package account

import (
	"context"

	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
)

// ViewerUpdate is what people change of their own account; nil stays.
type ViewerUpdate struct {
	Locale          *string // en or zh-CN
	TimeZone        *string // UTC, browser or an IANA name
	CurrentPassword *string // needed with NewPassword
	NewPassword     *string
}

// UpdateViewer changes the settings of the person behind p. A new password ends
// all sessions of the account, this one too: sign in again. Address is the
// client's, for throttling. Faults: FORBIDDEN for a token, INVALID, REQUIRED,
// LIMIT.
func (s *Service) UpdateViewer(ctx context.Context, p Principal, in ViewerUpdate, address string) (Principal, error) {
	if p.UserID == "" {
		return Principal{}, fault.New(fault.Forbidden, "An API token has no settings; sign in as a person.")
	}
	if err := in.check(); err != nil {
		return Principal{}, err
	}
	oldHash, newHash, err := s.passwords(ctx, p, in, address)
	if err != nil {
		return Principal{}, err
	}
	if in.Locale == nil && in.TimeZone == nil && newHash == "" {
		return p, nil
	}
	action := "user.update"
	if newHash != "" {
		action = "user.password"
	}
	u, err := s.store.UpdateUser(ctx, p.UserID, userChange(in.Locale, in.TimeZone, oldHash, newHash), s.clock.Now(), s.audit(p.Name, action, p.UserID))
	if err != nil {
		return Principal{}, err
	}
	s.forget(p.UserID)
	after := principal(&u)
	after.Apps, after.SessionID, after.EndsAt = p.Apps, p.SessionID, p.EndsAt
	return after, nil
}

func (in *ViewerUpdate) check() error {
	var wrong fault.List
	if in.Locale != nil && *in.Locale != "en" && *in.Locale != "zh-CN" {
		wrong.Add(fault.At("locale", fault.Invalid, "locale is %s; it must be en or zh-CN.", check.Quote(*in.Locale)))
	}
	if in.TimeZone != nil && *in.TimeZone != "UTC" && *in.TimeZone != "browser" {
		if _, err := schedule.LoadZone(*in.TimeZone); err != nil || *in.TimeZone == "" {
			wrong.Add(fault.At("timeZone", fault.Invalid, "timeZone is %s; it must be UTC, browser or an IANA name such as Europe/Berlin.", check.Quote(*in.TimeZone)))
		}
	}
	if in.NewPassword != nil {
		wrong.Add(checkPassword("newPassword", *in.NewPassword))
	}
	return wrong.Err()
}

// passwords checks the present password and hashes the new one; both are empty
// when none is set.
func (s *Service) passwords(ctx context.Context, p Principal, in ViewerUpdate, address string) (oldHash, newHash string, err error) {
	if in.NewPassword == nil {
		return "", "", nil
	}
	if in.CurrentPassword == nil {
		return "", "", fault.At("currentPassword", fault.Required, "currentPassword is missing; a new password needs the present one.")
	}
	if err := s.admit(p.Name, address); err != nil {
		return "", "", err
	}
	u, err := s.store.User(ctx, p.UserID)
	if err != nil {
		return "", "", err
	}
	right, err := s.hasher.verify(ctx, *in.CurrentPassword, u.PasswordHash)
	if err != nil {
		return "", "", err
	}
	if !right {
		return "", "", fault.At("currentPassword", fault.Invalid, "currentPassword is wrong; type the present password.")
	}
	s.throttle.succeed(p.Name, address)
	newHash, err = s.hasher.hash(ctx, *in.NewPassword)
	return u.PasswordHash, newHash, err
}

func userChange(locale, zone *string, oldHash, newHash string) store.UserChange {
	return store.UserChange{Locale: locale, TimeZone: zone, OldHash: oldHash, NewHash: newHash}
}
