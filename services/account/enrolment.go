package account

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/totp"
)

const (
	recoveryCodes     = 10
	recoveryCodeBytes = 10 // 80 bits: no slow hash is needed
)

var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

// SecondFactor answers what the person behind p has. Fault: FORBIDDEN for a token.
func (s *Service) SecondFactor(ctx context.Context, p Principal) (SecondFactor, error) {
	u, err := s.person(ctx, p)
	if err != nil {
		return SecondFactor{}, err
	}
	state := SecondFactor{Required: s.requires(p), Available: u.PasswordHash != "" && s.c.Box != nil && !s.c.NoPassword}
	f, err := s.store.SecondFactor(ctx, p.UserID)
	switch {
	case fault.Is(err, fault.NotFound) || err == nil && f.ConfirmedAt == nil:
		return state, nil
	case err != nil:
		return SecondFactor{}, err
	}
	state.Since = f.ConfirmedAt
	state.RecoveryCodesLeft, err = s.store.RecoveryCodesLeft(ctx, p.UserID)
	return state, err
}

// BeginSecondFactor makes a secret for the person behind p, which counts once
// ConfirmSecondFactor got a code of it. Faults: FORBIDDEN for a token, INVALID or REQUIRED
// (currentPassword), CONFLICT when there is a second factor, LIMIT, UNSUPPORTED without a key.
func (s *Service) BeginSecondFactor(ctx context.Context, p Principal, password, address string) (Enrolment, error) {
	u, err := s.owner(ctx, p, password, address)
	if err != nil {
		return Enrolment{}, err
	}
	e, err := s.enrol(ctx, &u)
	if err != nil {
		return Enrolment{}, err
	}
	return *e, nil
}

// enrol makes a secret that is not confirmed yet.
func (s *Service) enrol(ctx context.Context, u *models.User) (*Enrolment, error) {
	if s.c.Box == nil {
		return nil, noBox()
	}
	secret := totp.NewSecret()
	sealed, err := s.c.Box.Seal(secret, models.SealedFactors.About(u.ID))
	if err != nil {
		return nil, err
	}
	f := models.SecondFactor{UserID: u.ID, Secret: sealed, CreatedAt: s.clock.Now()}
	if err := s.store.BeginSecondFactor(ctx, f); err != nil {
		return nil, err
	}
	uri := totp.URI(secret, s.c.Installation, u.Name)
	code, err := totp.QR(uri)
	if err != nil {
		return nil, err
	}
	return &Enrolment{Secret: totp.Text(secret), URI: uri, QR: code}, nil
}

// ConfirmSecondFactor makes the secret of BeginSecondFactor count, by a code of it, and
// answers recovery codes, which are shown only here. All other sessions of the account end,
// as they were opened without it. Faults: FORBIDDEN for a token, INVALID (code), CONFLICT
// when nothing was begun, LIMIT.
func (s *Service) ConfirmSecondFactor(ctx context.Context, p Principal, code string) ([]string, error) {
	u, err := s.person(ctx, p)
	if err != nil {
		return nil, err
	}
	f, err := s.store.SecondFactor(ctx, u.ID)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, fault.New(fault.Conflict, "No second factor was begun; begin again.")
	case err != nil:
		return nil, err
	case f.ConfirmedAt != nil:
		return nil, fault.New(fault.Conflict, "The account has a second factor already; remove that one first.")
	}
	return s.confirm(ctx, u.Name, f, code, p.SessionID)
}

func (s *Service) confirm(ctx context.Context, name string, f models.SecondFactor, code, keep string) ([]string, error) {
	_, step, err := s.tryCode(ctx, &f, code)
	if err != nil {
		return nil, err
	}
	codes, hashes := newRecoveryCodes(f.UserID)
	audit := s.audit(name, "user.second_factor.add", f.UserID)
	if err := s.store.ConfirmSecondFactor(ctx, f, step, audit.At, hashes, keep, audit); err != nil {
		return nil, err
	}
	s.forget(f.UserID)
	return codes, nil
}

// RenewRecoveryCodes replaces the recovery codes of the person behind p. Faults as of
// BeginSecondFactor; NOT_FOUND without a second factor.
func (s *Service) RenewRecoveryCodes(ctx context.Context, p Principal, password, address string) ([]string, error) {
	u, err := s.owner(ctx, p, password, address)
	if err != nil {
		return nil, err
	}
	codes, hashes := newRecoveryCodes(u.ID)
	return codes, s.store.RenewRecoveryCodes(ctx, u.ID, hashes, s.audit(u.Name, "user.recovery_codes.renew", u.ID))
}

// RemoveSecondFactor takes the second factor of the person behind p away. All other sessions
// end. Faults as of RenewRecoveryCodes.
func (s *Service) RemoveSecondFactor(ctx context.Context, p Principal, password, address string) error {
	u, err := s.owner(ctx, p, password, address)
	if err != nil {
		return err
	}
	if err := s.store.RemoveSecondFactor(ctx, u.ID, p.SessionID, s.audit(u.Name, "user.second_factor.remove", u.ID)); err != nil {
		return err
	}
	s.forget(u.ID)
	return nil
}

// ResetSecondFactor takes another's second factor away, who lost it, and signs the account
// out. Faults: NOT_FOUND, FORBIDDEN for one's own, which needs the password.
func (s *Service) ResetSecondFactor(ctx context.Context, p Principal, userID string) (User, error) {
	u, err := s.store.User(ctx, userID)
	if err != nil {
		return User{}, err
	}
	if userID == p.UserID {
		return User{}, fault.New(fault.Forbidden, "This is your own account: remove its second factor on the account page, with your password.")
	}
	if err := s.store.RemoveSecondFactor(ctx, userID, "", s.audit(p.Name, "user.second_factor.reset", userID)); err != nil {
		return User{}, err
	}
	s.forget(userID)
	all, err := s.seen(ctx, []models.User{u})
	if err != nil {
		return User{}, err
	}
	return all[0], nil
}

// person is the account behind a principal. Fault: FORBIDDEN for a token.
func (s *Service) person(ctx context.Context, p Principal) (models.User, error) {
	if p.UserID == "" {
		return models.User{}, fault.New(fault.Forbidden, "An API token has no account of its own; sign in as a person.")
	}
	return s.store.User(ctx, p.UserID)
}

// owner is the account behind a principal whose password was given: a session alone, which
// somebody may have left open, does not do. Faults: FORBIDDEN, INVALID, REQUIRED, LIMIT.
func (s *Service) owner(ctx context.Context, p Principal, password, address string) (models.User, error) {
	u, err := s.person(ctx, p)
	if err != nil {
		return u, err
	}
	switch {
	case u.PasswordHash == "":
		return u, fault.New(fault.Forbidden, "The account has no password, as it signs in with the identity provider; set up a second factor there.")
	case password == "":
		return u, fault.At("currentPassword", fault.Required, "currentPassword is missing; type the present password.")
	}
	if err := s.admit(u.Name, address); err != nil {
		return u, err
	}
	right, err := s.hasher.verify(ctx, password, u.PasswordHash)
	if err != nil {
		return u, err
	}
	if !right {
		return u, fault.At("currentPassword", fault.Invalid, "currentPassword is wrong; type the present password.")
	}
	s.throttle.succeed(u.Name, address)
	return u, nil
}

// newRecoveryCodes makes codes for people and the hashes that are kept of them.
func newRecoveryCodes(userID string) (codes, hashes []string) {
	for range recoveryCodes {
		raw := make([]byte, recoveryCodeBytes)
		_, _ = rand.Read(raw) // never fails
		text := base32Text.EncodeToString(raw)
		hash, _ := recoveryHash(userID, text)
		codes = append(codes, strings.ToLower(text[:4]+"-"+text[4:8]+"-"+text[8:12]+"-"+text[12:]))
		hashes = append(hashes, hash)
	}
	return codes, hashes
}

// recoveryHash is the kept form of a recovery code, however it was typed; false when it
// cannot be one.
func recoveryHash(userID, code string) (string, bool) {
	text := strings.ToUpper(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, code))
	raw, err := base32Text.DecodeString(text)
	if err != nil || len(raw) != recoveryCodeBytes {
		return "", false
	}
	return hashSecret(userID + " " + text), true
}

// digits is a code without the blank that apps show in its middle.
func digits(code string) string { return strings.ReplaceAll(strings.TrimSpace(code), " ", "") }
