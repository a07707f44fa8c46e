package account

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/totp"
)

// Guessing a code needs the password, so slowing an account down as a whole locks nobody out
// by malice of strangers; a recovery code is not slowed down by it.
const (
	freeCodes       = 5 // wrong codes that cost nothing
	longestCodeWait = 5 * time.Minute
	longestCode     = 64 // characters of what is taken for a code
)

// Enrolment is a second factor that waits for its first code.
type Enrolment struct {
	Secret string   // to type into an authenticator app
	URI    string   // the same as an address
	QR     []string // the address as a QR code, one string a row, '1' for dark
}

// SecondFactor is what the person behind a principal has.
type SecondFactor struct {
	Since             *time.Time // nil: none
	RecoveryCodesLeft int
	Required          bool // of this person, when signing in with a password
	Available         bool // the account has a password that it can stand beside
}

// requires says whether an account must have a second factor.
func (s *Service) requires(p Principal) bool {
	if s.c.Require == RequireAdmins {
		apps, all := p.Within(models.RoleAdmin)
		return all || len(apps) > 0
	}
	return s.c.Require == RequireAll
}

// lacksFactor says that an account must have a second factor and has none.
func (s *Service) lacksFactor(ctx context.Context, u *models.User, p Principal, method models.Method) (bool, error) {
	if method == models.MethodProvider || !s.requires(p) {
		return false, nil
	}
	have, err := s.store.SecondFactors(ctx, []string{u.ID})
	return !have[u.ID], err
}

// nextStep answers what is asked for after a password or a link; nil for nothing.
func (s *Service) nextStep(ctx context.Context, u *models.User, method models.Method) (*models.SignInStep, SignedIn, error) {
	p, err := s.withApps(ctx, principal(u), u.ID)
	if err != nil {
		return nil, SignedIn{}, err
	}
	have, err := s.store.SecondFactors(ctx, []string{u.ID})
	if err != nil || !have[u.ID] && !s.requires(p) {
		return nil, SignedIn{}, err
	}
	in := SignedIn{Next: NextCode, Ticket: newSecret("")}
	if !have[u.ID] {
		in.Next = NextEnrol
		if in.Enrolment, err = s.enrol(ctx, u); err != nil {
			return nil, SignedIn{}, err
		}
	}
	now := s.clock.Now()
	return &models.SignInStep{
		ID: hashSecret(in.Ticket), UserID: u.ID, Method: method, CreatedAt: now, ExpiresAt: now.Add(StepLife),
	}, in, nil
}

// FinishSignIn gives the second factor, or a recovery code, for a ticket of SignIn or
// RedeemLink, and opens the session. After NextEnrol the code is the first one of the new
// factor, and the answer has recovery codes. Faults: UNAUTHENTICATED (the ticket is unknown,
// used or too old: begin again), INVALID (the code is wrong or was used), LIMIT.
func (s *Service) FinishSignIn(ctx context.Context, ticket, code, address string) (SignedIn, error) {
	if ticket == "" || len(ticket) > longestSecret || len(code) > longestCode {
		return SignedIn{}, deadTicket()
	}
	id := hashSecret(ticket)
	step, user, err := s.store.SignInStep(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return SignedIn{}, deadTicket()
	}
	if err != nil {
		return SignedIn{}, err
	}
	if !same(step.ID, id) || user.DisabledAt != nil || !s.clock.Now().Before(step.ExpiresAt) {
		return SignedIn{}, deadTicket()
	}
	codes, err := s.secondStep(ctx, &user, code, address)
	if err != nil {
		return SignedIn{}, err
	}
	session, in := s.newSession(ctx, &user, step.Method)
	in.RecoveryCodes = codes
	if len(codes) > 0 { // confirming has ended all sign-ins under way, this one too
		return in, s.store.CreateSession(ctx, session)
	}
	err = s.store.FinishSignIn(ctx, id, session)
	if fault.Is(err, fault.Conflict) {
		return SignedIn{}, deadTicket()
	}
	if err != nil {
		return SignedIn{}, err
	}
	return in, nil
}

// secondStep checks a code of an account; recovery codes are answered when it was the first
// one of a new second factor.
func (s *Service) secondStep(ctx context.Context, u *models.User, code, address string) ([]string, error) {
	f, err := s.store.SecondFactor(ctx, u.ID)
	if fault.Is(err, fault.NotFound) {
		return nil, deadTicket() // it was taken away meanwhile
	}
	if err != nil {
		return nil, err
	}
	if f.ConfirmedAt == nil {
		return s.confirm(ctx, u.Name, f, code, "")
	}
	if hash, ok := recoveryHash(u.ID, code); ok {
		return nil, s.useRecoveryCode(ctx, u, hash, address)
	}
	return nil, s.useCode(ctx, f, code)
}

// useCode checks a code and uses it up.
func (s *Service) useCode(ctx context.Context, f models.SecondFactor, code string) error {
	secret, step, err := s.tryCode(ctx, &f, code)
	if err != nil {
		return err
	}
	sealed := ""
	if s.c.Box.Stale(f.Secret) {
		if sealed, err = s.c.Box.Seal(secret, models.SealedFactors.About(f.UserID)); err != nil {
			return err
		}
	}
	used, err := s.store.UseCode(ctx, f, step, sealed)
	if err == nil && !used {
		err = wrongCode() // somebody else was faster with the same code
	}
	return err
}

// tryCode books a try and answers the step of a right code, with the opened secret.
func (s *Service) tryCode(ctx context.Context, f *models.SecondFactor, code string) ([]byte, int64, error) {
	if s.c.Box == nil {
		return nil, 0, noBox()
	}
	now := s.clock.Now()
	if wait := codeWait(f, now); wait > 0 {
		s.log.WarnContext(ctx, "a second factor is being guessed by somebody who has the password", "user_id", f.UserID, "failures", f.Failures)
		return nil, 0, fault.New(fault.Limit, "Too many wrong codes; try again in %d seconds, or use a recovery code.", int((wait+time.Second-1)/time.Second))
	}
	booked, err := s.store.BookCode(ctx, *f, now)
	if err != nil {
		return nil, 0, err
	}
	if !booked {
		return nil, 0, fault.New(fault.Limit, "Another code is being checked at this moment; try again.")
	}
	secret, err := s.c.Box.Open(f.Secret, models.SealedFactors.About(f.UserID))
	if err != nil {
		return nil, 0, err
	}
	step, ok := totp.Match(secret, digits(code), now, f.LastStep)
	if !ok {
		return nil, 0, wrongCode()
	}
	return secret, step, nil
}

// codeWait is how long after the last try the next one may come.
func codeWait(f *models.SecondFactor, now time.Time) time.Duration {
	over := f.Failures - freeCodes
	if over < 0 || f.TriedAt == nil {
		return 0
	}
	return f.TriedAt.Add(min(time.Second<<min(over, 10), longestCodeWait)).Sub(now)
}

func (s *Service) useRecoveryCode(ctx context.Context, u *models.User, hash, address string) error {
	pair := u.Name + "\x00recovery" // no account has this name
	if err := s.admit(pair, address); err != nil {
		return err
	}
	err := s.store.UseRecoveryCode(ctx, u.ID, hash, s.clock.Now(), s.audit(u.Name, "user.recovery_code", u.ID))
	if fault.Is(err, fault.NotFound) {
		return wrongCode()
	}
	if err == nil {
		s.throttle.succeed(pair, address)
	}
	return err
}

func wrongCode() error {
	return fault.At("code", fault.Invalid, "The code is wrong or was used already; wait for the next one, and check the clock of your phone.")
}

func deadTicket() error {
	return fault.New(fault.Unauthenticated, "The sign-in took too long or was finished already; begin again.")
}

func noBox() error {
	return fault.New(fault.Unsupported, "Second factors need a key to be encrypted with: set BELFRY_SECRET_KEY on all servers (make one with: openssl rand -hex 32).")
}
