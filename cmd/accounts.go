package cmd

import (
	"fmt"
	"net/url"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/oidc"
	"github.com/belfry-scheduler/belfry/services/outbound"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// makeAccounts makes what lets people and tokens in.
func (s *server) makeAccounts() {
	c := account.Config{
		Store: s.store, Clock: s.clock, Logger: s.logger,
		Require: requirement(s.settings.RequireSecondFactor), Installation: installation(s.settings.PublicURL),
		Idle: s.settings.SessionIdle, Life: s.settings.SessionLife,
		NoPassword: !s.settings.PasswordSignIn,
		Address:    request.Address, Agent: request.Agent,
	}
	if o := s.settings.OIDC; o != nil {
		for _, g := range o.Roles {
			c.GroupRoles = append(c.GroupRoles, account.GroupRole(g))
		}
	}
	if len(s.settings.SecretKeys) > 0 {
		c.Box = s.box
	}
	s.accounts = account.New(c)
}

func requirement(whom string) account.Require {
	if whom == "none" {
		return account.RequireNobody
	}
	return account.Require(whom)
}

// installation is what authenticator apps show: people may have accounts in several.
func installation(publicURL string) string {
	if u, err := url.Parse(publicURL); err == nil && u.Hostname() != "" {
		return "Belfry " + u.Hostname()
	}
	return "Belfry"
}

// providerRedirects is how often the provider may send the server elsewhere.
const providerRedirects = 3

// makeProvider makes the identity provider's client; nil without one.
func (s *server) makeProvider() (*oidc.Provider, error) {
	o := s.settings.OIDC
	if o == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	issuer, err := url.Parse(o.Issuer)
	if err != nil {
		return nil, fmt.Errorf("reading the issuer: %w", err)
	}
	allow, err := outbound.ParseAllow(issuer.Host) // a provider may be internal: who set it wants it reached
	if err != nil {
		return nil, fmt.Errorf("allowing the issuer: %w", err)
	}
	proxy, err := outboundProxy(s.settings)
	if err != nil {
		return nil, err
	}
	out := outbound.Config{Allow: allow, Setting: "BELFRY_OIDC_ISSUER", Redirects: providerRedirects, Proxy: proxy}
	p := oidc.New(oidc.Config{
		Name: o.Name, Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret, Scopes: o.Scopes, GroupsClaim: o.GroupsClaim,
		Redirect: func() string { return s.url() + "/auth/oidc/callback" }, HTTP: outbound.New(out).HTTP, Clock: s.clock, Logger: s.logger,
	})
	s.stack.AddService("identity provider", p)
	return p, nil
}
