// Package cmd is belfry's command line: one file a command, which reads its
// arguments, calls services and prints. It is also where the parts of a server
// are put together.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// IO is what a command reads, writes and is told about itself.
type IO struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Version        string // what the build was stamped with; empty: nothing
}

// cli is the root of the command line. Each command is a struct with its
// arguments and Run(context.Context, IO) error.
type cli struct {
	Help helpFlag `help:"Show help." short:"h"`

	Dev        devCommand        `cmd:"" help:"Run everything in one process, with a demo."`
	Serve      serveCommand      `cmd:"" help:"Run a server."`
	Migrate    migrateCommand    `cmd:"" help:"Look after the database's schema."`
	Token      tokenCommand      `cmd:"" help:"Look after API tokens."`
	User       userCommand       `cmd:"" help:"Look after accounts."`
	App        appCommand        `cmd:"" help:"Look after apps."`
	Doctor     doctorCommand     `cmd:"" help:"Check database, Redis, clock and server."`
	RotateKeys rotateKeysCommand `cmd:"" help:"Encrypt all stored secrets with the new secret key."`
	Next       nextCommand       `cmd:"" help:"Show when a cron expression fires next."`
	Apply      applyCommand      `cmd:"" help:"Make the server's jobs what job files say."`
	Diff       diffCommand       `cmd:"" help:"Show what apply would change."`
	Export     exportCommand     `cmd:"" help:"Write the server's jobs as a job file."`
	Import     importCommand     `cmd:"" help:"Make a job file of another system's schedules."`
	Agent      agentCommand      `cmd:"" help:"Run a worker that runs commands and makes HTTP calls."`
	Version    versionCommand    `cmd:"" help:"Show the version."`

	AgentGuard agentGuardCommand `cmd:"" hidden:"" help:"Started by the agent: ends what a killed agent has left."`
}

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// Main runs the command that args (without the program's name) ask for and
// returns the exit code: 0, 1 for a failure, 2 for bad usage or input.
// Commands stop when ctx ends.
func Main(ctx context.Context, args []string, io IO) int {
	return report(run(ctx, args, io), io)
}

func run(ctx context.Context, args []string, io IO) error {
	parser, err := kong.New(&cli{},
		kong.Name("belfry"),
		kong.Description("A distributed job scheduler. Every command explains itself with --help."),
		kong.Writers(io.Stdout, io.Stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.NoDefaultHelp(),
		kong.Vars{"agent_allow": agentAllow()},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(io),
	)
	if err != nil {
		return fmt.Errorf("building the command line: %w", err)
	}
	command, err := parser.Parse(args)
	switch parseError, failed := errors.AsType[*kong.ParseError](err); {
	case errors.Is(err, errHelpShown):
		return nil
	case failed:
		return usage(io, asksForJSON(parseError.Context), fmt.Errorf("%w; see belfry --help", err), 0)
	case err != nil:
		return err
	}
	return command.Run()
}

// report prints an error, unless that has been done, and chooses the exit code.
func report(err error, io IO) int {
	if err == nil {
		return exitOK
	}
	if _, differs := errors.AsType[drift](err); differs {
		return exitUsage // the plan has said it; documented as 2
	}
	bad, isUsage := errors.AsType[*usageError](err)
	if !isUsage || !bad.shown {
		_, _ = fmt.Fprintf(io.Stderr, "belfry: %v\n", err)
	}
	if isUsage {
		return exitUsage
	}
	return exitFailure
}

// usageError is bad usage or input, as against a failure: exit code 2.
type usageError struct {
	err   error
	shown bool // it has been printed as JSON
}

// Error implements error.
func (e *usageError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *usageError) Unwrap() error { return e.err }

// usage makes an error bad usage. A caller that asked for JSON gets it as
// {"error", "position"} on standard output; position is a 1-based character of
// the input, 0 if no single one is at fault.
func usage(io IO, asJSON bool, err error, position int) error {
	if asJSON {
		shown := struct {
			Error    string `json:"error"`
			Position int    `json:"position"`
		}{err.Error(), position}
		if err := printJSON(io, shown); err != nil {
			return err
		}
	}
	return &usageError{err: err, shown: asJSON}
}

// asksForJSON reports whether --json was among the arguments read before
// parsing failed.
func asksForJSON(command *kong.Context) bool {
	if command == nil {
		return false
	}
	for _, step := range command.Path {
		if step.Flag != nil && step.Flag.Name == "json" {
			return true
		}
	}
	return false
}

// helpFlag prints help for the command it stands behind. kong's own flag calls
// an exit function in the middle of parsing instead.
type helpFlag bool

var errHelpShown = errors.New("help was shown")

// BeforeReset is called by kong as soon as the flag has been seen.
func (helpFlag) BeforeReset(command *kong.Context) error {
	if err := command.PrintUsage(false); err != nil {
		return err
	}
	return errHelpShown
}
