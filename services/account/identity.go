package account

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// FlowLife is how long somebody may take at the identity provider.
const FlowLife = 10 * time.Minute

// GroupRole is a role that a group of the identity provider has here.
type GroupRole struct {
	Group string // as the provider calls it; * is everybody whom it signs in
	App   string // name; empty: in all apps
	Role  models.Role
}

// Identity is somebody whom the identity provider has confirmed.
type Identity struct {
	Issuer, Subject string // together they name the person for ever
	Label           string // for people only: it proves nothing
	Groups          []string
}

// BeginFlow remembers that a browser goes to the identity provider, by the secret that it
// keeps, and where it wants to come back to.
func (s *Service) BeginFlow(ctx context.Context, secret, returnTo string) error {
	now := s.clock.Now()
	return s.store.CreateIdentityFlow(ctx, models.IdentityFlow{
		ID: hashSecret(secret), ReturnTo: returnTo, CreatedAt: now, ExpiresAt: now.Add(FlowLife),
	})
}

// EndFlow uses a flow up and answers where its browser wants to go. Fault: UNAUTHENTICATED
// when it is unknown, used or too old.
func (s *Service) EndFlow(ctx context.Context, secret string) (string, error) {
	if secret == "" || len(secret) > longestSecret {
		return "", deadTicket()
	}
	f, err := s.store.TakeIdentityFlow(ctx, hashSecret(secret), s.clock.Now())
	if fault.Is(err, fault.NotFound) {
		return "", deadTicket()
	}
	return f.ReturnTo, err
}

// SignInByIdentity opens a session for somebody whom the identity provider has confirmed,
// with the roles that the groups have. The first time an account is made; it is never joined
// with another, whatever name or e-mail address the provider tells. Fault: FORBIDDEN without
// a group that has a role here, or when the account is disabled.
func (s *Service) SignInByIdentity(ctx context.Context, who Identity) (SignedIn, error) {
	role, roles, err := s.groupRoles(ctx, who.Groups)
	if err != nil {
		return SignedIn{}, err
	}
	if role == 0 && len(roles) == 0 {
		s.log.InfoContext(ctx, "sign-in refused: no group has a role here", "issuer", who.Issuer, "subject", who.Subject, "groups", len(who.Groups))
		return SignedIn{}, fault.New(fault.Forbidden, "You are in no group that has a role here; ask an administrator which one you need.")
	}
	id := hashSecret(who.Issuer + "\x00" + who.Subject)
	for range 2 { // a second browser may make the account meanwhile
		known, user, err := s.store.Identity(ctx, id)
		if err == nil {
			return s.enter(ctx, known, &user, who, role, roles)
		}
		if !fault.Is(err, fault.NotFound) {
			return SignedIn{}, err
		}
		in, err := s.welcome(ctx, id, who, role, roles)
		if !fault.Is(err, fault.Taken) {
			return in, err
		}
	}
	return SignedIn{}, fault.New(fault.Conflict, "The account was just made by another sign-in; begin again.")
}

// enter opens a session for a known identity.
func (s *Service) enter(ctx context.Context, known models.Identity, user *models.User, who Identity, role models.Role, roles []models.AppRole) (SignedIn, error) {
	session, in := s.newSession(ctx, user, models.MethodProvider)
	known.Label = cut(who.Label, maxLabel)
	audit := s.audit(user.Name, "user.follow_groups", user.ID)
	audit.Detail = detail(map[string]any{"role": roleName(role), "apps": roleNames(roles)})
	if err := s.store.EnterByIdentity(ctx, known, role, roles, session, audit); err != nil {
		return SignedIn{}, err
	}
	s.forget(user.ID)
	return in, nil
}

// welcome makes the account of a new identity. Fault: TAKEN.
func (s *Service) welcome(ctx context.Context, id string, who Identity, role models.Role, roles []models.AppRole) (SignedIn, error) {
	name, err := s.freeName(ctx, who.Label, id)
	if err != nil {
		return SignedIn{}, err
	}
	now := s.clock.Now()
	user := models.User{ID: models.NewID(now), Name: name, Role: role, CreatedAt: now, UpdatedAt: now}
	identity := models.Identity{
		ID: id, UserID: user.ID, Issuer: who.Issuer, Subject: who.Subject, Label: cut(who.Label, maxLabel), Managed: true, CreatedAt: now, LastUsedAt: &now,
	}
	session, in := s.newSession(ctx, &user, models.MethodProvider)
	audit := s.audit(name, "user.create", user.ID)
	audit.Detail = detail(map[string]any{"name": name, "issuer": who.Issuer, "subject": who.Subject, "role": roleName(role), "apps": roleNames(roles)})
	return in, s.store.CreateIdentity(ctx, user, identity, roles, session, audit)
}

const maxLabel = 255 // characters

// freeName makes an account's name of what the provider calls the person. One that is taken
// gets a mark that no other identity has, so that nobody passes for somebody else.
func (s *Service) freeName(ctx context.Context, label, id string) (string, error) {
	const mark = 8
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, label))
	name = strings.TrimSpace(cut(name, maxUserName-mark-1))
	if name == "" {
		name = "person"
	}
	_, err := s.store.UserByName(ctx, name)
	switch {
	case fault.Is(err, fault.NotFound):
		return name, nil
	case err != nil:
		return "", err
	}
	return name + "-" + id[:mark], nil
}

func cut(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit])
	}
	return text
}

// groupRoles answers the roles that groups have here, in the order of apps. Apps of the
// configuration that do not exist give none.
func (s *Service) groupRoles(ctx context.Context, groups []string) (models.Role, []models.AppRole, error) {
	var all models.Role
	in := map[string]models.Role{}
	for _, g := range s.c.GroupRoles {
		switch {
		case g.Group != "*" && !slices.Contains(groups, g.Group):
		case g.App == "":
			all = max(all, g.Role)
		default:
			in[g.App] = max(in[g.App], g.Role)
		}
	}
	roles := []models.AppRole{}
	for name, role := range in {
		app, err := s.store.AppByName(ctx, name)
		switch {
		case fault.Is(err, fault.NotFound):
			s.log.WarnContext(ctx, "a group has a role in an app that does not exist", "app", name)
		case err != nil:
			return 0, nil, err
		default:
			roles = append(roles, models.AppRole{AppID: app.ID, Role: role})
		}
	}
	slices.SortFunc(roles, func(a, b models.AppRole) int { return cmp.Compare(a.AppID, b.AppID) })
	return all, roles, nil
}
