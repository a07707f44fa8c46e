package cmd

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	openPatience = time.Minute // a database that does not answer is tried for so long
	openPause    = 3 * time.Second
)

// databaseFlag is the database that an administrative command works on.
type databaseFlag struct {
	DatabaseURL secret.URL `env:"BELFRY_DATABASE_URL" placeholder:"URL" help:"mysql://user:password@host:port/db or sqlite:///absolute/path."`
}

// connect opens the database for one short command.
func (f databaseFlag) connect(ctx context.Context, errs io.Writer) (*store.Store, error) {
	if f.DatabaseURL == "" {
		return nil, &usageError{err: fault.At("database-url", fault.Required,
			"BELFRY_DATABASE_URL is not set: write mysql://user:password@host:port/db or sqlite:///absolute/path.")}
	}
	logger := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelWarn}))
	st, err := store.Open(ctx, store.Options{URL: f.DatabaseURL.Reveal(), Logger: logger, Clock: clock.System{}, Beside: true})
	if err != nil {
		return nil, inputOrFailure(err)
	}
	return st, nil
}

// open is connect with the schema brought up to date.
func (f databaseFlag) open(ctx context.Context, errs io.Writer) (*store.Store, error) {
	st, err := f.connect(ctx, errs)
	if err != nil {
		return nil, err
	}
	if err := st.Migrate(ctx); err != nil {
		_ = st.Close() // the migration's error is the one to tell
		return nil, err
	}
	return st, nil
}

// inputOrFailure makes an error about a wrong value bad usage.
func inputOrFailure(err error) error {
	if code := fault.CodeOf(err); code == fault.Invalid || code == fault.Required || code == fault.Unsupported {
		return &usageError{err: err}
	}
	return err
}

// openPatiently opens a server's database. One that does not answer is tried
// again for a minute, with a line each time; what waiting cannot mend is an error
// at once.
func openPatiently(ctx context.Context, o store.Options, logger *slog.Logger) (*store.Store, error) {
	deadline := o.Clock.Now().Add(openPatience)
	for {
		st, err := store.Open(ctx, o)
		if err == nil {
			return st, nil
		}
		if !fault.Is(err, fault.Unavailable) || o.Clock.Now().After(deadline) {
			return nil, inputOrFailure(err)
		}
		logger.WarnContext(ctx, "database not reached, trying again", "error", err, "every", openPause.String())
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the database: %w", ctx.Err())
		case <-time.After(openPause):
		}
	}
}
