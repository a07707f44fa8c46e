package account

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// longestName bounds what is taken for an account's name, in bytes.
const longestName = 255

// SignedIn is a new session. Secret goes into the cookie and is kept nowhere.
type SignedIn struct {
	Secret    string
	ExpiresAt time.Time // of the session, however much it is used
	Principal Principal
}

// SignIn opens a session for an account's name and password. Address is the
// client's, for throttling. Faults: UNAUTHENTICATED (the name or the password, it
// does not say which), LIMIT (too many failures; the message says how long to
// wait).
func (s *Service) SignIn(ctx context.Context, name, password, address string) (SignedIn, error) {
	if len(name) > longestName || !utf8.ValidString(name) || len(password) > 4*longestPassword {
		return SignedIn{}, wrongPassword()
	}
	if err := s.admit(name, address); err != nil {
		s.log.InfoContext(ctx, "sign-in put off", "user", name, "address", address)
		return SignedIn{}, err
	}
	user, err := s.checkPassword(ctx, name, password)
	if err != nil {
		if fault.Is(err, fault.Unauthenticated) {
			s.log.InfoContext(ctx, "sign-in refused", "user", name, "address", address)
		}
		return SignedIn{}, err
	}
	s.throttle.succeed(name, address)
	session, in := s.newSession(&user)
	if err := s.store.CreateSession(ctx, session); err != nil {
		return SignedIn{}, err
	}
	return in, nil
}

// admit books a try; LIMIT when it comes too soon.
func (s *Service) admit(name, address string) error {
	wait := s.throttle.begin(name, address)
	if wait == 0 {
		return nil
	}
	return fault.New(fault.Limit, "Too many failed sign-ins; try again in %d seconds.", int((wait+time.Second-1)/time.Second))
}

// checkPassword answers the account when the password is its. It takes as long for
// a name that does not exist.
func (s *Service) checkPassword(ctx context.Context, name, password string) (models.User, error) {
	user, err := s.store.UserByName(ctx, name)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return user, err
	}
	right, err := s.hasher.verify(ctx, password, user.PasswordHash)
	if err != nil {
		return user, err
	}
	if !right || user.DisabledAt != nil {
		return user, wrongPassword()
	}
	return user, nil
}

func wrongPassword() error {
	return fault.New(fault.Unauthenticated, "The name or the password is wrong; try again.")
}

// newSession makes a session for an account.
func (s *Service) newSession(u *models.User) (models.Session, SignedIn) {
	now := s.clock.Now()
	secret := newSecret("")
	session := models.Session{
		ID: hashSecret(secret), UserID: u.ID, CreatedAt: now, LastSeenAt: now, ExpiresAt: now.Add(SessionLife),
	}
	p := principal(u)
	p.SessionID = session.ID
	p.EndsAt = now.Add(SessionIdle)
	return session, SignedIn{Secret: secret, ExpiresAt: session.ExpiresAt, Principal: p}
}

// SignOut ends a session; one that has ended already is no error.
func (s *Service) SignOut(ctx context.Context, cookie string) error {
	if cookie == "" || len(cookie) > longestSecret {
		return nil
	}
	hash := hashSecret(cookie)
	if err := s.store.DeleteSession(ctx, hash); err != nil {
		return err
	}
	s.known.Drop(hash)
	return nil
}
