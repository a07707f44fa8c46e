package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/posture"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	doctorTimeout = 10 * time.Second
	warnOffset    = 500 * time.Millisecond // a server's clock against the database's
	worstOffset   = 2 * time.Second        // from here on it does not lead
)

type doctorCommand struct {
	databaseFlag
	RedisURL     secret.URL  `env:"BELFRY_REDIS_URL" placeholder:"URL" help:"As for serve; without it Redis is not looked at."`
	Server       string      `env:"BELFRY_PUBLIC_URL" placeholder:"URL" help:"A running server to ask whether it is ready."`
	SecretKey    secret.Text `env:"BELFRY_SECRET_KEY" placeholder:"KEYS" help:"As for serve; without it stored secrets are not looked at."`
	Listen       string      `env:"BELFRY_LISTEN" placeholder:"ADDR" help:"As for serve; with it is looked at whether the way there is safe."`
	TLSCert      string      `env:"BELFRY_TLS_CERT" placeholder:"FILE" help:"As for serve; its end is looked at."`
	WebhookAllow string      `env:"BELFRY_WEBHOOK_ALLOW" placeholder:"LIST" help:"As for serve; whether it lists too much."`
	Mask         string      `env:"BELFRY_MASK" placeholder:"ON" help:"As for serve."`
	Strict       bool        `help:"Fail also when something is weak (HIGH or MEDIUM)."`
}

// errWeak is the failure of a strict look at weaknesses that have been printed.
var errWeak = errors.New("something is weak, see above")

// errUnwell is the failure of a check that has been printed.
var errUnwell = errors.New("something is wrong, see above")

// checkup prints one line a check and remembers whether one failed.
type checkup struct {
	out    io.Writer
	sick   bool
	ledger bool          // the ledger can be read
	offset time.Duration // this machine's clock minus the database's
}

func (c *checkup) say(what, verdict string, err error) {
	mark := "ok  "
	if err != nil {
		mark, verdict, c.sick = "FAIL", err.Error(), true
	}
	_, _ = fmt.Fprintf(c.out, "%s  %-14s %s\n", mark, what, verdict) // standard output; nobody is left to tell
}

// Run looks at everything that it was told of and fails when something is wrong.
func (c *doctorCommand) Run(ctx context.Context, io IO) error {
	if c.DatabaseURL == "" && c.RedisURL == "" && c.Server == "" {
		return &usageError{err: fault.New(fault.Required,
			"There is nothing to look at: set BELFRY_DATABASE_URL, BELFRY_REDIS_URL or BELFRY_PUBLIC_URL, or give the flags of these names.")}
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	look := &checkup{out: io.Stdout}
	if c.DatabaseURL != "" {
		c.database(ctx, io, look)
	}
	if c.RedisURL != "" {
		look.say("redis", "answers", pingRedis(ctx, c.RedisURL))
	}
	if c.Server != "" {
		look.say("server", "ready", askReady(ctx, c.Server))
	}
	weak, err := c.weaknesses(ctx, io, look)
	if err != nil {
		return err
	}
	look.tell(weak)
	switch {
	case look.sick:
		return errUnwell
	case c.Strict && slices.ContainsFunc(weak, func(f posture.Finding) bool { return f.Severity != posture.Low }):
		return errWeak
	}
	return nil
}

func (c *doctorCommand) database(ctx context.Context, io IO, look *checkup) {
	st, err := c.connect(ctx, io.Stderr)
	look.say("database", "answers", err)
	if err != nil {
		return
	}
	defer func() { _ = st.Close() }()
	err = checkSchema(ctx, st)
	look.say("schema", "up to date", err)
	look.ledger = err == nil
	before := clock.Monotonic()
	theirs, err := st.Now(ctx)
	if err != nil {
		look.say("clock", "", err)
		return
	}
	offset := clock.System{}.Now().Add(-(clock.Monotonic() - before) / 2).Sub(theirs)
	look.say("clock", fmt.Sprintf("%s off the database's", offset.Round(time.Millisecond)), checkOffset(offset))
	look.offset = offset
}

func checkSchema(ctx context.Context, st *store.Store) error {
	states, err := st.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	pending := 0
	for _, s := range states {
		if s.AppliedAt == nil {
			pending++
		}
	}
	if pending > 0 {
		return fmt.Errorf("%d migrations are pending: run belfry migrate up, or start a server of this version", pending)
	}
	return nil
}

func checkOffset(offset time.Duration) error {
	switch {
	case offset.Abs() > worstOffset:
		return fmt.Errorf("%s off the database's: a server here will not lead; set up NTP on both", offset)
	case offset.Abs() > warnOffset:
		return fmt.Errorf("%s off the database's: set up NTP on both", offset)
	}
	return nil
}

func pingRedis(ctx context.Context, address secret.URL) (err error) {
	target, err := redisconn.Parse(address.Reveal())
	if err != nil {
		return fmt.Errorf("BELFRY_REDIS_URL %w", err)
	}
	for _, client := range target.Open() {
		err = errors.Join(err, client.Ping(ctx).Err(), client.Close())
	}
	return err
}

func askReady(ctx context.Context, server string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("the address %q: %w", server, err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s/readyz answers %s", server, res.Status)
	}
	return nil
}
