package cmd

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/audit"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/origin"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// exportAudit writes the audit trail out for a download: rows of the apps that the caller
// administers.
func (s *server) exportAudit(ctx context.Context, w io.Writer, format string, query url.Values, flush func() error) error {
	caller := request.Caller(ctx)
	f := audit.Filter{
		Actor: query.Get("actor"), Kind: query.Get("kind"), Object: query.Get("object"), Action: query.Get("action"),
		AppID: query.Get("app"), Search: query.Get("q"),
	}
	if apps, all := caller.Within(models.RoleAdmin); !all {
		f.Within = apps
	}
	for name, into := range map[string]**time.Time{"from": &f.From, "to": &f.To} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return fault.At(name, fault.Invalid, "%s is %s; it must be an instant such as 2026-03-08T07:30:00Z.", name, check.Quote(text))
		}
		*into = &at
	}
	if err := s.trail.Export(ctx, caller.Name, w, audit.Format(format), f, flush); err != nil {
		return fmt.Errorf("exporting the audit trail: %w", err)
	}
	return nil
}

// byCommand says in a context that a change comes from a command on this machine.
func byCommand(ctx context.Context, command string) context.Context {
	return origin.With(ctx, origin.Origin{Kind: models.AuthorSystem, Agent: "belfry " + command})
}
