package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// commandActor is under whose name changes by the command line are recorded.
const commandActor = "command line"

type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Create an API token and print it."`
}

type tokenCreate struct {
	databaseFlag
	Name    string        `required:"" placeholder:"NAME" help:"What it is for."`
	Role    string        `required:"" placeholder:"ROLE" help:"VIEWER, OPERATOR, DEVELOPER or ADMIN."`
	App     []string      `placeholder:"NAME" help:"The only app in which the role counts; may be given several times. Without it: all apps."`
	Scope   []string      `placeholder:"SCOPE" help:"All that it may do of what the role allows, for example TASKS_READ; may be given several times. Without it: all of it."`
	Expires time.Duration `placeholder:"DURATION" help:"Life, for example 720h; without it the token does not expire."`
}

// Run prints the token alone on standard output.
func (c *tokenCreate) Run(ctx context.Context, io IO) error {
	role, ok := models.ParseRole(strings.ToUpper(c.Role))
	if !ok {
		return &usageError{err: fault.At("role", fault.Invalid, "--role is %q: use VIEWER, OPERATOR, DEVELOPER or ADMIN.", c.Role)}
	}
	scopes, err := parseScopes(c.Scope)
	if err != nil {
		return &usageError{err: err}
	}
	st, err := c.open(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	apps, err := appsByName(ctx, st, c.App)
	if err != nil {
		return inputOrFailure(err)
	}
	accounts := account.New(account.Config{Store: st, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)})
	token, _, err := accounts.CreateToken(byCommand(ctx, "token create"), commandActor, account.NewToken{
		Name: c.Name, Role: role, Apps: apps, Scopes: scopes, Life: c.Expires,
	})
	if err != nil {
		return inputOrFailure(err)
	}
	_, err = fmt.Fprintln(io.Stdout, token)
	return err
}

// parseScopes reads the names of scopes, in any case.
func parseScopes(names []string) ([]models.Scope, error) {
	scopes := make([]models.Scope, 0, len(names))
	for _, name := range names {
		scope, ok := models.ParseScope(strings.ToUpper(name))
		if !ok {
			return nil, fault.At("scope", fault.Invalid, "--scope is %q: use %s.", name, strings.Join(models.ScopeNames(), ", "))
		}
		scopes = append(scopes, scope)
	}
	return scopes, nil
}

// appsByName answers the ids of apps. Fault: NOT_FOUND.
func appsByName(ctx context.Context, st *store.Store, names []string) ([]string, error) {
	ids := make([]string, 0, len(names))
	for _, name := range names {
		app, err := st.AppByName(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, app.ID)
	}
	return ids, nil
}
