package account

import (
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Principal is who is asking. The zero value is nobody.
type Principal struct {
	Name      string
	Role      models.Role            // in all apps; 0: in none but Apps
	Apps      map[string]models.Role // further roles, by app id; never changed
	Scopes    []models.Scope         // all that a token may do, in order; nil: all that its roles allow
	IsToken   bool
	UserID    string // empty for a token
	TokenID   string // empty for a person
	SessionID string // empty for a token
	Locale    string // empty until chosen
	TimeZone  string // empty until chosen
	EndsAt    time.Time
	// RenewSession asks whoever holds the cookie to change it: what its owner may do has
	// changed since it was given out.
	RenewSession bool
}

// Known says whether it is somebody.
func (p *Principal) Known() bool { return p.UserID != "" || p.TokenID != "" }

// In is the role that is held in an app; 0: none.
func (p *Principal) In(app string) models.Role { return max(p.Role, p.Apps[app]) }

// Same says whether another principal may do the same.
func (p *Principal) Same(other *Principal) bool {
	return p.Role == other.Role && maps.Equal(p.Apps, other.Apps) && slices.Equal(p.Scopes, other.Scopes)
}

// Within answers the ids of the apps in which a role is held, in order; all says that it
// is held in all, those to come too.
func (p *Principal) Within(atLeast models.Role) (apps []string, all bool) {
	if p.Role >= atLeast {
		return nil, true
	}
	apps = []string{}
	for app, role := range p.Apps {
		if role >= atLeast {
			apps = append(apps, app)
		}
	}
	slices.Sort(apps)
	return apps, false
}

// Allow is, with AllowIn and AllowAny, the one place where roles are checked: this one asks
// for a role in all apps. It answers nil, UNAUTHENTICATED for nobody, or FORBIDDEN.
func Allow(p Principal, atLeast models.Role) error {
	switch {
	case !p.Known():
		return fault.New(fault.Unauthenticated, "Nobody is signed in; sign in or send an API token.")
	case p.Role >= atLeast:
		return nil
	case p.Role == 0:
		return fault.New(fault.Forbidden, "This needs the role %s in all apps and %q has roles in single apps only; ask an administrator.", atLeast, p.Name)
	}
	return fault.New(fault.Forbidden, "This needs the role %s and %q has %s; ask an administrator.", atLeast, p.Name, p.Role)
}

// AllowAny asks for a role in at least one app; what is answered then must be cut to the
// apps of Within. Faults as of Allow.
func AllowAny(p Principal, atLeast models.Role) error {
	if apps, all := p.Within(atLeast); p.Known() && (all || len(apps) > 0) {
		return nil
	}
	return Allow(p, atLeast)
}

// AllowIn asks for a role in an app; its id is empty when what was to lead to it does not
// exist. Who may not even see the app gets missing, so that nobody learns of what exists
// elsewhere. Faults as of Allow, and missing.
func AllowIn(p Principal, app string, atLeast models.Role, missing error) error {
	switch held := p.In(app); {
	case !p.Known():
		return Allow(p, atLeast)
	case held < models.RoleViewer:
		return missing
	case held < atLeast:
		return fault.New(fault.Forbidden, "This needs the role %s in the app and %q has %s; ask an administrator.", atLeast, p.Name, held)
	}
	return nil
}

// AllowScope asks a token whose scopes are limited for one of them; 0 asks for none. It
// stands beside the questions for roles: both must be answered well. Fault: FORBIDDEN.
func AllowScope(p Principal, needed models.Scope) error {
	if needed == 0 || len(p.Scopes) == 0 || slices.Contains(p.Scopes, needed) {
		return nil
	}
	return fault.New(fault.Forbidden, "This needs the scope %s and the token %q has %s only; ask an administrator for one with it.",
		needed, p.Name, models.JoinScopes(p.Scopes))
}

// MayGrant says whether the caller may make a token with these scopes: one that is limited
// hands out no more than it has. Fault: FORBIDDEN.
func MayGrant(p Principal, scopes []models.Scope) error {
	if len(p.Scopes) > 0 && len(scopes) == 0 {
		return fault.At("scopes", fault.Forbidden, "scopes is empty, which means all, and the token %q is limited to %s; name some of these.", p.Name, models.JoinScopes(p.Scopes))
	}
	for _, s := range scopes {
		if err := AllowScope(p, s); err != nil {
			return fault.At("scopes", fault.Forbidden, "scopes has %s, which the token %q does not have itself; name some of %s.", s, p.Name, models.JoinScopes(p.Scopes))
		}
	}
	return nil
}
