package cmd

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
)

type userCommand struct {
	Link userLink `cmd:"" help:"Print a one-time link that signs somebody in, for emergencies."`
}

type userLink struct {
	databaseFlag
	Name              string `arg:"" help:"The account's name, for example admin."`
	URL               string `name:"public-url" env:"BELFRY_PUBLIC_URL" default:"http://127.0.0.1:7000" placeholder:"URL" help:"Address of the console (${default})."`
	ResetPassword     bool   `help:"Take the password away too; the link asks for a new one."`
	ResetSecondFactor bool   `help:"Take the second factor away too, whose phone is lost."`
}

// Run prints the link alone on standard output.
func (c *userLink) Run(ctx context.Context, io IO) error {
	st, err := c.open(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	ctx = byCommand(ctx, "user link")
	accounts := account.New(account.Config{Store: st, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)})
	if c.ResetSecondFactor {
		u, err := st.UserByName(ctx, c.Name)
		if err != nil {
			return err
		}
		if _, err := accounts.ResetSecondFactor(ctx, account.Principal{Name: commandActor}, u.ID); err != nil {
			return err
		}
	}
	link := accounts.NewLink
	if c.ResetPassword {
		link = accounts.ResetPassword
	}
	secret, err := link(ctx, c.Name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(io.Stdout, welcome(c.URL, secret))
	return err
}
