package cmd

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fleet"
)

type appCommand struct {
	Create appCreate `cmd:"" help:"Create an app and print its key."`
}

type appCreate struct {
	databaseFlag
	Name        string `arg:"" help:"1 to 64 of a-z, 0-9, - and _, beginning with a letter."`
	Description string `placeholder:"TEXT" help:"What it is, for people."`
}

// Run prints the app's first key alone on standard output.
func (c *appCreate) Run(ctx context.Context, io IO) error {
	st, err := c.open(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	apps := fleet.New(fleet.Config{Store: st, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler), Notifier: nobody{}})
	_, key, err := apps.CreateApp(byCommand(ctx, "app create"), commandActor, c.Name, c.Description)
	if err != nil {
		return inputOrFailure(err)
	}
	_, err = fmt.Fprintln(io.Stdout, key)
	return err
}

// nobody is told of changes when no server runs in this process: the servers find
// them by their slow looks.
type nobody struct{}

func (nobody) NodeChanged(context.Context, string, string) {}
func (nobody) GroupChanged(context.Context, string)        {}
