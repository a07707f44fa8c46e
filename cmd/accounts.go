package cmd

import (
	"net/url"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// makeAccounts makes what lets people and tokens in.
func (s *server) makeAccounts() {
	c := account.Config{
		Store: s.store, Clock: s.clock, Logger: s.logger,
		Require: requirement(s.settings.RequireSecondFactor), Installation: installation(s.settings.PublicURL),
		Idle: s.settings.SessionIdle, Life: s.settings.SessionLife,
		Address: request.Address, Agent: request.Agent,
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
