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
	Expires time.Duration `placeholder:"DURATION" help:"Life, for example 720h; without it the token does not expire."`
}

// Run prints the token alone on standard output.
func (c *tokenCreate) Run(ctx context.Context, io IO) error {
	role, ok := models.ParseRole(strings.ToUpper(c.Role))
	if !ok {
		return &usageError{err: fault.At("role", fault.Invalid, "--role is %q: use VIEWER, OPERATOR, DEVELOPER or ADMIN.", c.Role)}
	}
	st, err := c.open(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	accounts := account.New(account.Config{Store: st, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)})
	token, _, err := accounts.CreateToken(ctx, commandActor, account.NewToken{Name: c.Name, Role: role, Life: c.Expires})
	if err != nil {
		return inputOrFailure(err)
	}
	_, err = fmt.Fprintln(io.Stdout, token)
	return err
}
