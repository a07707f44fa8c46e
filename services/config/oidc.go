package config

import (
	"net/url"
	"os"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/config/secret"
)

// OIDC are the flags and variables of the identity provider, as given.
type OIDC struct {
	Issuer           string      `env:"BELFRY_OIDC_ISSUER" placeholder:"URL" help:"Address of the identity provider, exactly as it names itself; with it people sign in by OpenID Connect."`
	ClientID         string      `env:"BELFRY_OIDC_CLIENT_ID" placeholder:"ID" help:"Who Belfry is at the identity provider."`
	ClientSecret     secret.Text `env:"BELFRY_OIDC_CLIENT_SECRET" placeholder:"TEXT" help:"Its secret there; none for a public client. Better given by a variable or a file."`
	ClientSecretFile string      `env:"BELFRY_OIDC_CLIENT_SECRET_FILE" placeholder:"FILE" help:"File with that secret."`
	Name             string      `env:"BELFRY_OIDC_NAME" placeholder:"NAME" help:"What people call the identity provider (default its host)."`
	Scopes           string      `env:"BELFRY_OIDC_SCOPES" placeholder:"LIST" help:"Scopes asked for beside openid, separated by blanks (default profile email)."`
	GroupsClaim      string      `env:"BELFRY_OIDC_GROUPS_CLAIM" placeholder:"CLAIM" help:"Claim with the groups (default groups); dots lead into objects."`
	RoleMap          string      `env:"BELFRY_OIDC_ROLE_MAP" placeholder:"MAP" help:"Roles of groups: GROUP=ROLE in all apps or GROUP=APP:ROLE in one, separated by semicolons; the group * is everybody."`
	RoleMapFile      string      `env:"BELFRY_OIDC_ROLE_MAP_FILE" placeholder:"FILE" help:"File with the same, one a line."`
}

// OIDCSettings are checked and complete.
type OIDCSettings struct {
	Issuer, ClientID string
	ClientSecret     secret.Text // may be empty
	Name             string
	Scopes           []string
	GroupsClaim      string
	Roles            []GroupRole // at least one
}

// GroupRole is a role of a group; in all apps when App is empty.
type GroupRole struct {
	Group, App string
	Role       models.Role
}

// oidc checks the identity provider; nil without one.
func (p *problems) oidc(o *OIDC) *OIDCSettings {
	issuer := strings.TrimSpace(o.Issuer)
	if issuer == "" {
		return nil
	}
	u, err := url.Parse(issuer)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		p.bad("oidc-issuer", secret.URL(issuer).String(), "write https:// and the provider's address as it names itself, without user, query or fragment")
		return nil
	}
	out := &OIDCSettings{
		Issuer: issuer, ClientID: strings.TrimSpace(o.ClientID), ClientSecret: p.clientSecret(o),
		Name: or(o.Name, u.Hostname()), Scopes: strings.Fields(or(o.Scopes, "profile email")), GroupsClaim: or(o.GroupsClaim, "groups"),
	}
	if out.ClientID == "" {
		p.missing("oidc-client-id", "the identity provider gave it to you when Belfry was registered there")
	}
	out.Roles = p.roleMap(o)
	return out
}

func (p *problems) clientSecret(o *OIDC) secret.Text {
	text := o.ClientSecret
	if o.ClientSecretFile != "" {
		raw, err := os.ReadFile(o.ClientSecretFile)
		if err != nil {
			p.bad("oidc-client-secret-file", o.ClientSecretFile, "there is no such file, or this user may not read it")
			return ""
		}
		text = secret.Text(raw)
	}
	return secret.Text(strings.TrimSpace(text.Reveal()))
}

// roleMap reads the roles of groups. A group's name may have an equals sign in it: the last
// one counts.
func (p *problems) roleMap(o *OIDC) []GroupRole {
	entries, flag := strings.Split(o.RoleMap, ";"), "oidc-role-map"
	if o.RoleMapFile != "" {
		raw, err := os.ReadFile(o.RoleMapFile)
		if err != nil {
			p.bad("oidc-role-map-file", o.RoleMapFile, "there is no such file, or this user may not read it")
			return nil
		}
		entries, flag = append(entries, strings.Split(string(raw), "\n")...), "oidc-role-map-file"
	}
	var all []GroupRole
	for _, entry := range entries {
		entry = strings.TrimSpace(entry)
		if entry == "" || strings.HasPrefix(entry, "#") {
			continue
		}
		at := strings.LastIndex(entry, "=")
		if at < 1 {
			p.bad(flag, entry, "write GROUP=ROLE or GROUP=APP:ROLE")
			continue
		}
		g := GroupRole{Group: strings.TrimSpace(entry[:at])}
		what := strings.TrimSpace(entry[at+1:])
		if app, role, in := strings.Cut(what, ":"); in {
			g.App, what = strings.TrimSpace(app), strings.TrimSpace(role)
		}
		role, ok := models.ParseRole(strings.ToUpper(what))
		if !ok {
			p.bad(flag, entry, "the role must be VIEWER, OPERATOR, DEVELOPER or ADMIN")
			continue
		}
		g.Role = role
		all = append(all, g)
	}
	if len(all) == 0 {
		p.missing("oidc-role-map", "no group has a role, so nobody could sign in; write GROUP=ROLE, or give a file by BELFRY_OIDC_ROLE_MAP_FILE")
	}
	return all
}
