package account

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// longestName bounds what is taken for an account's name, in bytes.
const longestName = 255

// What a session remembers of its browser, in characters.
const (
	longestAddress = 64
	longestAgent   = 255
)

// Next is what a sign-in still asks for.
type Next string

// Steps of a sign-in.
const (
	NextNothing Next = ""
	NextCode    Next = "code"  // of the second factor
	NextEnrol   Next = "enrol" // a second factor must be set up first
)

// SignedIn is a new session, or what is asked for before there is one. Secret goes into the
// cookie and is kept nowhere.
type SignedIn struct {
	Secret    string
	ExpiresAt time.Time     // of the session, however much it is used
	Lasts     time.Duration // until ExpiresAt
	Principal Principal

	Next      Next       // unless it is NextNothing there is no session yet
	Ticket    string     // with Next: what FinishSignIn takes, for StepLife
	Enrolment *Enrolment // with NextEnrol
	// RecoveryCodes are those of a second factor that was set up while signing in.
	RecoveryCodes []string
}

// TakesPasswords says whether people may sign in with passwords.
func (s *Service) TakesPasswords() bool { return !s.c.NoPassword }

// SignIn opens a session for an account's name and password. Address is the
// client's, for throttling. An account with a second factor gets no session yet: see Next.
// Faults: UNAUTHENTICATED (the name or the password, it does not say which), LIMIT (too many
// failures; the message says how long to wait), FORBIDDEN where passwords are not taken.
func (s *Service) SignIn(ctx context.Context, name, password, address string) (SignedIn, error) {
	if s.c.NoPassword {
		return SignedIn{}, fault.New(fault.Forbidden, "This installation takes no passwords; sign in with the identity provider, or by a one-time link of an administrator.")
	}
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
	step, in, err := s.nextStep(ctx, &user, models.MethodPassword)
	if err != nil {
		return SignedIn{}, err
	}
	if step != nil {
		return in, s.store.CreateSignInStep(ctx, *step)
	}
	session, in := s.newSession(ctx, &user, models.MethodPassword)
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
func (s *Service) newSession(ctx context.Context, u *models.User, method models.Method) (models.Session, SignedIn) {
	now := s.clock.Now()
	secret := newSecret("")
	session := models.Session{
		ID: hashSecret(secret), UserID: u.ID, CreatedAt: now, LastSeenAt: now, ExpiresAt: now.Add(s.c.Life),
		Method: method, Address: said(ctx, s.c.Address, longestAddress), Agent: said(ctx, s.c.Agent, longestAgent),
	}
	p := principal(u)
	p.SessionID = session.ID
	p.EndsAt = now.Add(s.c.Idle)
	return session, SignedIn{Secret: secret, ExpiresAt: session.ExpiresAt, Lasts: s.c.Life, Principal: p}
}

// said is what a request tells about itself, cut to a number of characters, as it is shown
// to people: valid text without control characters.
func said(ctx context.Context, ask func(context.Context) string, limit int) string {
	if ask == nil {
		return ""
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, ask(ctx))
	if runes := []rune(text); len(runes) > limit {
		text = string(runes[:limit])
	}
	return text
}

// RenewSession gives a session whose owner's rights have changed another secret. The old one
// holds for RenewGrace, for what is under way with it. False: it was renewed already, or is
// to stay as it is.
func (s *Service) RenewSession(ctx context.Context, cookie string) (SignedIn, bool, error) {
	hash := hashSecret(cookie)
	session, user, err := s.store.Session(ctx, hash)
	if err != nil || !session.Renew {
		return SignedIn{}, false, ignore(err, fault.NotFound)
	}
	secret := newSecret("")
	now := s.clock.Now()
	err = s.store.RenewSession(ctx, session, hashSecret(secret), now.Add(RenewGrace))
	s.known.Drop(hash)
	if err != nil {
		return SignedIn{}, false, ignore(err, fault.Conflict)
	}
	return SignedIn{Secret: secret, ExpiresAt: session.ExpiresAt, Lasts: session.ExpiresAt.Sub(now), Principal: principal(&user)}, true, nil
}

// ignore is err unless it has a code.
func ignore(err error, code fault.Code) error {
	if fault.Is(err, code) {
		return nil
	}
	return err
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
