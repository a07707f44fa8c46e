package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// roleIf is a role in all apps; nil: none.
func roleIf(r models.Role) *models.Role {
	if r == 0 {
		return nil
	}
	return &r
}

// appRolesOf shows roles in single apps.
func (r *Resolver) appRolesOf(ctx context.Context, roles []models.AppRole) []*gqlmodel.AppRole {
	shown := make([]*gqlmodel.AppRole, len(roles))
	for i, role := range roles {
		r.loaders(ctx).apps.Expect(role.AppID)
		shown[i] = &gqlmodel.AppRole{Role: role.Role, AppID: role.AppID}
	}
	return shown
}

func (r *Resolver) userOf(ctx context.Context, u *account.User) *gqlmodel.User {
	return &gqlmodel.User{
		ID: u.ID, Name: u.Name, Role: roleIf(u.Role), Apps: r.appRolesOf(ctx, u.Apps), HasPassword: u.HasPassword, HasSecondFactor: u.HasSecondFactor,
		DisabledAt: u.DisabledAt, CreatedAt: u.CreatedAt,
	}
}

func (r *Resolver) tokenOf(ctx context.Context, t *account.Token) *gqlmodel.APIToken {
	return &gqlmodel.APIToken{
		ID: t.ID, Name: t.Name, Prefix: t.Prefix, Role: roleIf(t.Role), Apps: r.appRolesOf(ctx, t.Apps),
		Scopes: scopesOf(models.SplitScopes(t.Scopes)), CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, LastUsedAt: t.LastUsedAt, RevokedAt: t.RevokedAt,
	}
}

// Names of orders in cursors: accounts by name, tokens by id.
const (
	userOrder  = "user"
	tokenOrder = "token"
)

func (r *Resolver) userConnection(ctx context.Context, rows []account.User, info account.PageInfo) *gqlmodel.UserConnection {
	c := &gqlmodel.UserConnection{
		Edges: make([]*gqlmodel.UserEdge, len(rows)), Nodes: make([]*gqlmodel.User, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = r.userOf(ctx, &rows[i])
		c.Edges[i] = &gqlmodel.UserEdge{Cursor: page.Cursor(userOrder, rows[i].Name), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}

func (r *Resolver) tokenConnection(ctx context.Context, rows []account.Token, info account.PageInfo) *gqlmodel.APITokenConnection {
	c := &gqlmodel.APITokenConnection{
		Edges: make([]*gqlmodel.APITokenEdge, len(rows)), Nodes: make([]*gqlmodel.APIToken, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = r.tokenOf(ctx, &rows[i])
		c.Edges[i] = &gqlmodel.APITokenEdge{Cursor: page.Cursor(tokenOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}

func sessionOf(ctx context.Context, s *models.Session) *gqlmodel.Session {
	return &gqlmodel.Session{
		ID: s.ID, Current: request.Caller(ctx).SessionID == s.ID, CreatedAt: s.CreatedAt, LastSeenAt: s.LastSeenAt, ExpiresAt: s.ExpiresAt,
		Method: signInMethods[s.Method], Address: s.Address, Agent: s.Agent,
	}
}

// scopesOf shows scopes; a list that is not limited is empty. What this version does not
// know is left out.
func scopesOf(scopes []models.Scope) []models.Scope {
	return slices.DeleteFunc(append([]models.Scope{}, scopes...), func(s models.Scope) bool { return s == 0 })
}

func appRoles(in []*gqlmodel.AppRoleInput) []models.AppRole {
	roles := make([]models.AppRole, len(in))
	for i, r := range in {
		roles[i] = models.AppRole{AppID: r.App, Role: r.Role}
	}
	return roles
}

// userUpdate is what an administrator changes; a null role is none, absent fields stay.
func userUpdate(in *gqlmodel.UpdateUserInput) account.UserUpdate {
	u := account.UserUpdate{Disabled: in.Disabled.Value()}
	if role, set := in.Role.ValueOK(); set {
		u.Role = new(or(role, 0))
	}
	if apps, set := in.Apps.ValueOK(); set {
		u.Apps = new(appRoles(apps))
	}
	return u
}

// userLinkPayload makes the answer of the mutations that hand out a one-time link.
func (r *Resolver) userLinkPayload(ctx context.Context, u account.User, secret string) func([]*gqlmodel.UserError, error) (*gqlmodel.UserLinkPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.UserLinkPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.UserLinkPayload{UserErrors: refused}, err
		}
		link := strings.TrimSuffix(r.installation.PublicURL(), "/") + account.WelcomePath + secret
		return &gqlmodel.UserLinkPayload{User: r.userOf(ctx, &u), Link: &link, UserErrors: refused}, nil
	}
}

// viewerOf shows who asks; nil for nobody.
func (r *Resolver) viewerOf(ctx context.Context, p account.Principal) *gqlmodel.Viewer {
	if !p.Known() {
		return nil
	}
	roles, highest := make([]models.AppRole, 0, len(p.Apps)), p.Role
	for app, role := range p.Apps {
		roles = append(roles, models.AppRole{AppID: app, Role: role})
		highest = max(highest, role)
	}
	slices.SortFunc(roles, func(a, b models.AppRole) int { return strings.Compare(a.AppID, b.AppID) })
	return &gqlmodel.Viewer{
		Name: p.Name, IsToken: p.IsToken, Role: max(highest, models.RoleViewer), RoleInAllApps: roleIf(p.Role), Apps: r.appRolesOf(ctx, roles),
		Scopes: scopesOf(p.Scopes), Locale: text(p.Locale), TimeZone: text(p.TimeZone),
	}
}
