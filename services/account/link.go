package account

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// WelcomePath is the console's page that takes a one-time link's secret, which follows it.
// The secret stands after the #, so that it is not sent to servers or written to their logs.
const WelcomePath = "/welcome#token="

// FirstAdmin is the name of the account that a new installation has.
const FirstAdmin = "admin"

// EnsureFirstAdmin makes the account "admin" in an installation without accounts.
// With a password the account gets it and link is empty; without one, link is the
// secret of a one-time link with which a password is chosen. While nobody has
// chosen one, each call answers another link, so that nobody is locked out by a
// link that was lost. Fault: INVALID for a bad password.
func (s *Service) EnsureFirstAdmin(ctx context.Context, password string) (link string, err error) {
	hash := ""
	if password != "" {
		if e := checkPassword("password", password); e != nil {
			return "", e
		}
		if hash, err = s.hasher.hash(ctx, password); err != nil {
			return "", err
		}
	}
	if err := s.createFirstAdmin(ctx, hash); err != nil {
		return "", err
	}
	admin, err := s.store.UserByName(ctx, FirstAdmin)
	switch {
	case fault.Is(err, fault.NotFound) || err == nil && admin.PasswordHash != "":
		return "", nil // set up long ago
	case err != nil:
		return "", fmt.Errorf("reading the first account: %w", err)
	case hash != "":
		return "", s.givePassword(ctx, &admin, hash)
	}
	return s.newLink(ctx, admin.ID)
}

// createFirstAdmin makes the account unless there are any. Of several servers that
// start at once one makes it.
func (s *Service) createFirstAdmin(ctx context.Context, hash string) error {
	has, err := s.store.HasUsers(ctx)
	if err != nil || has {
		return err
	}
	now := s.clock.Now()
	u := models.User{ID: models.NewID(now), Name: FirstAdmin, PasswordHash: hash, Role: models.RoleAdmin, CreatedAt: now, UpdatedAt: now}
	err = s.store.CreateUser(ctx, u, s.audit(FirstAdmin, "user.create", u.ID))
	if fault.Is(err, fault.Taken) {
		return nil
	}
	return err
}

// givePassword sets the first password of an account that was made without one.
func (s *Service) givePassword(ctx context.Context, u *models.User, hash string) error {
	change := userChange(nil, nil, "", hash)
	_, err := s.store.UpdateUser(ctx, u.ID, change, s.clock.Now(), s.audit(u.Name, "user.password", u.ID))
	if fault.Is(err, fault.Conflict) {
		return nil // somebody else has just given it one
	}
	return err
}

// NewLink makes a one-time link with which an account is signed in, and answers
// its secret. Fault: NOT_FOUND.
func (s *Service) NewLink(ctx context.Context, name string) (string, error) {
	u, err := s.store.UserByName(ctx, name)
	if err != nil {
		return "", err
	}
	return s.newLink(ctx, u.ID)
}

func (s *Service) newLink(ctx context.Context, userID string) (string, error) {
	secret, link := s.makeLink(userID)
	return secret, s.store.CreateLink(ctx, link)
}

func (s *Service) makeLink(userID string) (string, models.SignInLink) {
	now := s.clock.Now()
	secret := newSecret("")
	return secret, models.SignInLink{ID: hashSecret(secret), UserID: userID, CreatedAt: now, ExpiresAt: now.Add(LinkLife)}
}

// ResetPassword takes the password of an account away, signs it out everywhere and
// answers the secret of a one-time link with which a new one is chosen. It is for
// whoever owns the database. Fault: NOT_FOUND.
func (s *Service) ResetPassword(ctx context.Context, name string) (string, error) {
	secret, link := s.makeLink("")
	audit := s.audit(name, "user.reset_password", "")
	return secret, s.store.ResetPassword(ctx, name, link, audit)
}

// Redeemed is what became of a one-time link.
type Redeemed struct {
	Name          string // of the account
	NeedsPassword bool   // the account has none: the link waits, call again with one
	SignedIn      SignedIn
}

// RedeemLink opens a session for a one-time link. An account without a password
// needs one with the same call; for any other account password is ignored. An account with a
// second factor is asked for it next.
// Address is the client's, for throttling. Faults: UNAUTHENTICATED for a link that
// is unknown, used or expired, INVALID (password), LIMIT.
func (s *Service) RedeemLink(ctx context.Context, secret, password, address string) (Redeemed, error) {
	const pair = "\x00link" // no account has this name
	if err := s.admit(pair, address); err != nil {
		return Redeemed{}, err
	}
	if secret == "" || len(secret) > longestSecret {
		return Redeemed{}, deadLink()
	}
	id := hashSecret(secret)
	link, user, err := s.store.Link(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return Redeemed{}, deadLink()
	}
	if err != nil {
		return Redeemed{}, err
	}
	if !same(link.ID, id) || link.UsedAt != nil || !s.clock.Now().Before(link.ExpiresAt) || user.DisabledAt != nil {
		return Redeemed{}, deadLink()
	}
	s.throttle.succeed(pair, address)
	if user.PasswordHash == "" && password == "" && !s.c.NoPassword {
		return Redeemed{Name: user.Name, NeedsPassword: true}, nil
	}
	return s.redeem(ctx, id, &user, password)
}

func (s *Service) redeem(ctx context.Context, id string, user *models.User, password string) (Redeemed, error) {
	hash := ""
	if user.PasswordHash == "" && !s.c.NoPassword {
		if e := checkPassword("password", password); e != nil {
			return Redeemed{}, e
		}
		var err error
		if hash, err = s.hasher.hash(ctx, password); err != nil {
			return Redeemed{}, err
		}
	}
	audit := s.audit(user.Name, "user.redeem_link", user.ID)
	step, in, err := s.nextStep(ctx, user, models.MethodLink)
	if err != nil {
		return Redeemed{}, err
	}
	var session models.Session
	if step == nil {
		session, in = s.newSession(ctx, user, models.MethodLink)
	}
	err = s.store.RedeemLink(ctx, store.Redemption{ID: id, UserID: user.ID, Hash: hash, Session: session, Step: step, At: audit.At}, audit)
	if fault.Is(err, fault.Conflict) {
		return Redeemed{}, deadLink() // somebody else was faster
	}
	if err != nil {
		return Redeemed{}, err
	}
	return Redeemed{Name: user.Name, SignedIn: in}, nil
}

func deadLink() error {
	return fault.New(fault.Unauthenticated, "The link is wrong, was used already or has expired; ask for a new one.")
}

func (s *Service) audit(actor, action, userID string) models.Audit {
	now := s.clock.Now()
	return models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: "user", Object: userID}
}
