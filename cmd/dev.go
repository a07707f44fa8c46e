package cmd

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/belfry-scheduler/belfry/internal/demo"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// keyFile keeps the key that encrypts stored secrets, of a data directory.
const keyFile = "secret.key"

// tokenFile keeps the administrator's API token of a data directory.
const tokenFile = "token"

type devCommand struct {
	Listen       string `default:"127.0.0.1:7000" placeholder:"ADDR" help:"Address to serve on (${default}); port 0 picks a free one."`
	Data         string `default:".belfry" placeholder:"DIR" help:"Directory for the database and the token (${default})."`
	WebhookAllow string `env:"BELFRY_WEBHOOK_ALLOW" placeholder:"LIST" help:"Internal receivers of alerts that may be reached: networks, addresses and host names, separated by commas."`
	Mask         string `env:"BELFRY_MASK" placeholder:"ON" help:"Whether secrets are taken out of what workers report: on (default) or off."`
	MaskRules    string `env:"BELFRY_MASK_RULES" placeholder:"FILE" help:"Further rules of what is secret, one a line."`
	NoDemo       bool   `help:"Without the demo app, its jobs and its worker."`
}

// Run serves everything in this process until ctx ends.
func (c *devCommand) Run(ctx context.Context, io IO) error {
	dir, err := dataDir(c.Data)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "belfry.db")
	key, err := devKey(filepath.Join(dir, keyFile))
	if err != nil {
		return err
	}
	given := config.Serve{Listen: c.Listen, SecretKey: key, WebhookAllow: c.WebhookAllow, Mask: c.Mask, MaskRules: c.MaskRules, DatabaseURL: secret.URL("sqlite://" + (&url.URL{Path: file}).EscapedPath()), ShutdownTimeout: devShutdown.String()}
	settings, err := given.Resolve()
	if err != nil {
		return &usageError{err: err}
	}
	logger := quiet(io)
	st, err := store.Open(ctx, store.Options{URL: settings.DatabaseURL.Reveal(), Logger: logger, Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	if err := st.Migrate(ctx); err != nil {
		return err
	}
	s, err := assemble(settings, st, logger, versionOf(io.Version))
	if err != nil {
		return err
	}
	link, err := s.devAdmin(ctx, dir)
	if err != nil {
		return err
	}
	if !c.NoDemo {
		if err := s.addDemo(ctx, dir); err != nil {
			return err
		}
	}
	return s.run(ctx, func(url string) error {
		if err := ready(io, url); err != nil {
			return err
		}
		_, err := fmt.Fprintf(io.Stdout, "Sign in once with  %s\nAPI token          %s\n", welcome(url, link), filepath.Join(dir, tokenFile))
		return err
	})
}

// dataDir makes the data directory and answers its absolute path.
func dataDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the data directory %s: %w", dir, err)
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return "", fault.At("data", fault.Unavailable, "The data directory %s cannot be made: %s. Give another one with --data.", abs, reasonOf(err))
	}
	return abs, nil
}

// devKey reads the key that encrypts stored secrets, and makes one when there is none.
func devKey(file string) (secret.Text, error) {
	saved, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		saved = []byte(hex.EncodeToString(randomKey()) + "\n")
		err = os.WriteFile(file, saved, 0o600)
	}
	if err != nil {
		return "", fault.New(fault.Unavailable, "The key file %s cannot be used: %s.", file, reasonOf(err))
	}
	return secret.Text(strings.TrimSpace(string(saved))), nil
}

func randomKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
}

// reasonOf is the reason in a file error, without its operation and path.
func reasonOf(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// devAdmin makes the administrator, keeps a working API token in the directory
// and answers the secret of a sign-in link. The account gets a password that
// nobody knows, so that the link signs in without asking for one.
func (s *server) devAdmin(ctx context.Context, dir string) (link string, err error) {
	if _, err := s.accounts.EnsureFirstAdmin(ctx, models.NewID(s.clock.Now())+models.NewID(s.clock.Now())); err != nil {
		return "", err
	}
	if err := s.devToken(ctx, filepath.Join(dir, tokenFile)); err != nil {
		return "", err
	}
	return s.accounts.NewLink(ctx, account.FirstAdmin)
}

func (s *server) devToken(ctx context.Context, file string) error {
	saved, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Unavailable, "The token file %s cannot be read: %s.", file, reasonOf(err))
	}
	if token := strings.TrimSpace(string(saved)); token != "" {
		if _, err := s.accounts.Authenticate(ctx, account.Credentials{Bearer: token}); err == nil {
			return nil
		}
	}
	token, _, err := s.accounts.CreateToken(byCommand(ctx, "dev"), commandActor, account.NewToken{Name: "belfry dev", Role: models.RoleAdmin})
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		return fault.New(fault.Unavailable, "The token file %s cannot be written: %s.", file, reasonOf(err))
	}
	return nil
}

// addDemo fills the ledger and puts the demo's worker on the stack.
func (s *server) addDemo(ctx context.Context, dir string) error {
	key, err := demo.Demo{Fleet: s.fleet, Jobs: s.jobs, Dir: dir}.Seed(ctx)
	if err != nil {
		return err
	}
	w := demo.NewWorker(key, slog.New(slog.DiscardHandler)) // its lines stand in the tasks' logs
	s.stack.Add("demo worker", func(ctx context.Context) error { return w.Start(ctx, "http://"+s.front.Addr()) }, w.Stop)
	return nil
}
