package account

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// MaxAppRoles bounds the single apps in which somebody holds roles.
const MaxAppRoles = 100

const maxUserName = 64 // characters

// User is an account as administrators see it.
type User struct {
	models.User
	Apps []models.AppRole
	// HasPassword is false until a one-time link was used.
	HasPassword bool
	// HasSecondFactor says that signing in with a password asks for a code too.
	HasSecondFactor bool
}

// NewUser asks for an account.
type NewUser struct {
	Name string
	Role models.Role // in all apps; 0: in Apps only
	Apps []models.AppRole
}

// UserUpdate is what administrators change of an account; nil stays.
type UserUpdate struct {
	Role     *models.Role
	Apps     *[]models.AppRole
	Disabled *bool
}

type (
	// Page says which part of a list is wanted.
	Page = store.Page
	// PageInfo says whether a list goes on around a page.
	PageInfo = store.PageInfo
	// UserFilter chooses accounts.
	UserFilter = store.UserFilter
)

// Users answers a page of accounts by name; positions are names. Fault: INVALID.
func (s *Service) Users(ctx context.Context, f UserFilter, p Page) ([]User, PageInfo, error) {
	rows, info, err := s.store.Users(ctx, f, p)
	if err != nil {
		return nil, PageInfo{}, err
	}
	all, err := s.seen(ctx, rows)
	return all, info, err
}

// User answers one account. Fault: NOT_FOUND.
func (s *Service) User(ctx context.Context, id string) (User, error) {
	u, err := s.store.User(ctx, id)
	if err != nil {
		return User{}, err
	}
	all, err := s.seen(ctx, []models.User{u})
	if err != nil {
		return User{}, err
	}
	return all[0], nil
}

// seen adds to accounts what administrators see of them.
func (s *Service) seen(ctx context.Context, rows []models.User) ([]User, error) {
	roles, err := rolesOf(ctx, s, rows, func(u *models.User) string { return u.ID })
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	factors, err := s.store.SecondFactors(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := make([]User, len(rows))
	for i := range rows {
		id := rows[i].ID
		all[i] = User{User: rows[i], Apps: roles[id], HasPassword: rows[i].PasswordHash != "", HasSecondFactor: factors[id]}
		all[i].PasswordHash = ""
	}
	return all, nil
}

// CreateUser makes an account without a password and answers the secret of the one-time
// link with which its owner chooses one. Faults: INVALID, REQUIRED, TAKEN, NOT_FOUND (apps).
func (s *Service) CreateUser(ctx context.Context, actor string, n NewUser) (User, string, error) {
	var wrong fault.List
	wrong.Add(check.Line("name", n.Name, maxUserName))
	if n.Role == 0 && len(n.Apps) == 0 {
		wrong.Add(fault.At("role", fault.Required, "role is missing: give a role in all apps, or roles in single ones by apps."))
	}
	if err := s.checkRoles(ctx, "apps", n.Apps, &wrong); err != nil {
		return User{}, "", err
	}
	if err := wrong.Err(); err != nil {
		return User{}, "", err
	}
	now := s.clock.Now()
	u := models.User{ID: models.NewID(now), Name: n.Name, Role: n.Role, CreatedAt: now, UpdatedAt: now}
	audit := s.audit(actor, "user.create", u.ID)
	audit.Detail = detail(map[string]any{"name": n.Name, "role": roleName(n.Role), "apps": roleNames(n.Apps)})
	secret, link := s.makeLink(u.ID)
	if err := s.store.InviteUser(ctx, u, n.Apps, link, audit); err != nil {
		return User{}, "", err
	}
	return User{User: u, Apps: n.Apps}, secret, nil
}

// UpdateUser changes what an account may do. It holds here at once and on other servers
// within a second; a disabled account is signed out. Faults: NOT_FOUND, INVALID, CONFLICT
// when nobody would be left to administer.
func (s *Service) UpdateUser(ctx context.Context, actor, id string, in UserUpdate) (User, error) {
	var wrong fault.List
	if in.Apps != nil {
		if err := s.checkRoles(ctx, "apps", *in.Apps, &wrong); err != nil {
			return User{}, err
		}
	}
	if err := wrong.Err(); err != nil {
		return User{}, err
	}
	audit := s.audit(actor, "user.permit", id)
	audit.Detail = detail(in.words())
	change := store.Permission{Role: in.Role, Apps: in.Apps, Disabled: in.Disabled, At: audit.At}
	u, err := s.store.PermitUser(ctx, id, change, audit)
	if err != nil {
		return User{}, err
	}
	s.forget(id)
	all, err := s.seen(ctx, []models.User{u})
	if err != nil {
		return User{}, err
	}
	return all[0], nil
}

func (in *UserUpdate) words() map[string]any {
	changed := map[string]any{}
	if in.Role != nil {
		changed["role"] = roleName(*in.Role)
	}
	if in.Apps != nil {
		changed["apps"] = roleNames(*in.Apps)
	}
	if in.Disabled != nil {
		changed["disabled"] = *in.Disabled
	}
	return changed
}

// checkRoles looks at roles in single apps: real roles, each app once, apps that exist.
// What is wrong is added to wrong; an error is one of the ledger.
func (s *Service) checkRoles(ctx context.Context, path string, roles []models.AppRole, wrong *fault.List) error {
	if len(roles) > MaxAppRoles {
		wrong.Add(fault.At(path, fault.Limit, "%s has %d apps; at most %d are allowed: give a role in all apps instead.", path, len(roles), MaxAppRoles))
		return nil
	}
	ids := make([]string, len(roles))
	for i := range roles {
		ids[i] = roles[i].AppID
	}
	apps, err := s.store.AppsByIDs(ctx, ids)
	if err != nil {
		return err
	}
	open := make(map[string]bool, len(apps))
	for i := range apps {
		open[apps[i].ID] = true
	}
	for i, r := range roles {
		at := fmt.Sprintf("%s.%d", path, i)
		if r.Role < models.RoleViewer || r.Role > models.RoleAdmin {
			wrong.Add(fault.At(at, fault.Invalid, "the role is %s; it must be VIEWER, OPERATOR, DEVELOPER or ADMIN.", r.Role))
		}
		if !open[r.AppID] {
			wrong.Add(fault.At(at, fault.NotFound, "There is no app %s, or it is named twice.", check.Quote(r.AppID)))
		}
		open[r.AppID] = false // once only
	}
	return nil
}

// ResetUser takes the password of an account away, signs it out everywhere and answers the
// secret of a one-time link with which a new one is chosen. Fault: NOT_FOUND.
func (s *Service) ResetUser(ctx context.Context, actor, id string) (User, string, error) {
	u, err := s.store.User(ctx, id)
	if err != nil {
		return User{}, "", err
	}
	secret, link := s.makeLink("")
	if err := s.store.ResetPassword(ctx, u.Name, link, s.audit(actor, "user.reset_password", id)); err != nil {
		return User{}, "", err
	}
	s.forget(id)
	all, err := s.seen(ctx, []models.User{u})
	if err != nil {
		return User{}, "", err
	}
	all[0].HasPassword = false
	return all[0], secret, nil
}

// Sessions answers the browsers in which an account is signed in, the latest used first.
func (s *Service) Sessions(ctx context.Context, userID string) ([]models.Session, error) {
	rows, err := s.store.Sessions(ctx, userID)
	if err != nil {
		return nil, err
	}
	now, live := s.clock.Now(), rows[:0]
	for _, r := range rows {
		if now.Before(r.ExpiresAt) && now.Before(r.LastSeenAt.Add(s.c.Idle)) {
			live = append(live, r)
		}
	}
	return live, nil
}

// EndSession signs one of the browsers out in which the person behind p is signed in, or
// any when p is an administrator: here at once, on other servers within a second. Fault:
// NOT_FOUND.
func (s *Service) EndSession(ctx context.Context, p Principal, id string) (models.Session, error) {
	session, user, err := s.store.Session(ctx, id)
	if err != nil || session.UserID != p.UserID && p.Role < models.RoleAdmin {
		if err == nil || fault.Is(err, fault.NotFound) {
			err = fault.New(fault.NotFound, "There is no session %s; it may have ended.", check.Quote(id))
		}
		return models.Session{}, err
	}
	if err := s.store.EndSession(ctx, id, s.audit(p.Name, "session.end", user.ID)); err != nil {
		return models.Session{}, err
	}
	s.known.Drop(id)
	return session, nil
}

// rolesOf reads the roles that holders have in single apps, by their ids.
func rolesOf[T any](ctx context.Context, s *Service, holders []T, id func(*T) string) (map[string][]models.AppRole, error) {
	ids := make([]string, len(holders))
	for i := range holders {
		ids[i] = id(&holders[i])
	}
	return s.store.AppRoles(ctx, ids)
}

func roleName(r models.Role) string {
	if r == 0 {
		return ""
	}
	return r.String()
}

func roleNames(roles []models.AppRole) map[string]string {
	names := make(map[string]string, len(roles))
	for _, r := range roles {
		names[r.AppID] = r.Role.String()
	}
	return names
}

// detail is what an audit row says of a change.
func detail(v map[string]any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil { // plain values always marshal
		return nil
	}
	return raw
}
