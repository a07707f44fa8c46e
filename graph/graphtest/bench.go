// Package graphtest runs the API on a real HTTP server, through the real services,
// on a SQLite ledger of its own. Of a whole server only what happens by itself is
// missing: nothing triggers or dispatches, so that tests decide what happens.
package graphtest

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/belfry-scheduler/belfry/graph"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/audit"
	"github.com/belfry-scheduler/belfry/services/backfill"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/outbound"
	"github.com/belfry-scheduler/belfry/services/posture"
	"github.com/belfry-scheduler/belfry/services/report"
	"github.com/belfry-scheduler/belfry/services/seal"
	"github.com/belfry-scheduler/belfry/services/store" //nolint:depguard // a bench is a composition root: it opens the ledger that the services need
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/services/web"
	"github.com/belfry-scheduler/belfry/services/why"
)

// Bench is a running API.
type Bench struct {
	URL       string
	Bus       *event.Memory
	Jobs      *job.Service
	Tasks     *task.Service
	Calendars *calendar.Service
	Backfills *backfill.Service // not started: a test makes the passes
	Alerts    *alert.Service    // not started: a test makes the passes
	Bulks     *bulk.Service     // the same
	Reports   *report.Service   // not started: a test makes the passes
	Book      *book.Service     // reaches receivers on 127.0.0.1
	Fleet     *fleet.Service
	Accounts  *account.Service
	Audit     *audit.Service // not started: a test prunes
	API       *graph.Handler
	Log       *Log // what the server logged

	store      *store.Store
	server     *web.Server
	tokens     map[models.Role]string
	statements atomic.Int64
}

// New starts an API that ends with the test.
func New(t testing.TB) *Bench {
	t.Helper()
	b := &Bench{Bus: event.NewMemory("server-1"), Log: &Log{}, tokens: map[models.Role]string{}}
	b.open(t)
	tell := teller{bus: b.Bus, store: b.store}
	logger := slog.New(slog.NewJSONHandler(b.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b.Jobs = job.New(job.Config{Store: b.store, Clock: clock.System{}, Logger: logger, Notifier: tell})
	b.Tasks = task.New(task.Config{Store: b.store, Clock: clock.System{}, Logger: logger, Notifier: tell})
	var err error
	b.Calendars, err = calendar.New(calendar.Config{Store: b.store, Clock: clock.System{}, Logger: logger, Notifier: tell})
	if err != nil {
		t.Fatal(err)
	}
	b.Backfills, err = backfill.New(backfill.Config{Store: b.store, Owner: everything{}, Clock: clock.System{}, Logger: logger, Notifier: tell})
	if err != nil {
		t.Fatal(err)
	}
	b.Bulks, err = bulk.New(bulk.Config{Store: b.store, Owner: everything{}, Repeater: b.Tasks, Clock: clock.System{}, Logger: logger, Notifier: tell})
	if err != nil {
		t.Fatal(err)
	}
	b.Reports, err = report.New(report.Config{Store: b.store, Owner: everything{}, Clock: clock.System{}, Logger: logger, Notifier: tell})
	if err != nil {
		t.Fatal(err)
	}
	b.Book = newBook(t, b.store, tell, logger)
	b.Alerts, err = alert.New(alert.Config{Store: b.store, Owner: everything{}, Clock: clock.System{}, Logger: logger, Notifier: tell})
	if err != nil {
		t.Fatal(err)
	}
	b.Fleet = fleet.New(fleet.Config{Store: b.store, Clock: clock.System{}, Logger: logger, Notifier: tell, LostAfter: 8 * time.Second})
	box, err := seal.New("0123456789abcdef0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	b.Accounts = account.New(account.Config{Store: b.store, Clock: clock.System{}, Logger: logger, Box: box})
	if b.Audit, err = audit.New(audit.Config{Ledger: b.store, Owner: everything{}, Kept: audit.DefaultKept, Clock: clock.System{}, Logger: logger}); err != nil {
		t.Fatal(err)
	}
	b.serve(t, logger)
	for _, role := range []models.Role{models.RoleViewer, models.RoleOperator, models.RoleDeveloper, models.RoleAdmin} {
		token, _, err := b.Accounts.CreateToken(t.Context(), "test", account.NewToken{Name: "token-" + role.String(), Role: role})
		if err != nil {
			t.Fatal(err)
		}
		b.tokens[role] = token
	}
	return b
}

// newBook makes the book of channels, with a key for secrets.
func newBook(t testing.TB, st *store.Store, tell teller, logger *slog.Logger) *book.Service {
	t.Helper()
	box, err := seal.New("0123456789abcdef0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	allow, err := outbound.ParseAllow("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return book.New(book.Config{
		Store: st, Sender: channel.NewClient(channel.Config{Clock: clock.System{}, HTTP: outbound.New(outbound.Config{Allow: allow})}), Box: box, Clock: clock.System{}, Logger: logger,
		Notifier: tell, BaseURL: func() string { return "http://belfry.test" },
	})
}

// Store is the ledger, for what no service does.
func (b *Bench) Store() *store.Store { return b.store }

// Token is an API token with the role; empty for role 0.
func (b *Bench) Token(role models.Role) string { return b.tokens[role] }

// Statements counts the SQL statements that do runs.
func (b *Bench) Statements(do func()) int64 {
	before := b.statements.Load()
	do()
	return b.statements.Load() - before
}

// CloseLedger takes the database away.
func (b *Bench) CloseLedger(t testing.TB) {
	t.Helper()
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
}

// open makes a ledger of a copy of a migrated file.
func (b *Bench) open(t testing.TB) {
	t.Helper()
	file, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "belfry.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	b.store, err = store.Open(t.Context(), store.Options{URL: "sqlite://" + path, Logger: slog.New(slog.DiscardHandler), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.Observe(func() { b.statements.Add(1) }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.store.Close() }) // a test may have closed it
}

// migrated is the content of a ledger with its schema in place.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "belfry-graphtest-") //nolint:usetesting // it outlives the test that asks first
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	ctx := context.Background() //nolint:forbidigo // it outlives the test that asks first
	s, err := store.Open(ctx, store.Options{URL: "sqlite://" + path, Logger: slog.New(slog.DiscardHandler), Clock: clock.System{}})
	if err != nil {
		return nil, err
	}
	if err := s.Migrate(ctx); err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func (b *Bench) serve(t testing.TB, logger *slog.Logger) {
	t.Helper()
	auth, err := web.NewAuth(b.Accounts, "")
	if err != nil {
		t.Fatal(err)
	}
	b.API, err = graph.New(graph.Config{
		Services:     graph.Services{Jobs: b.Jobs, Tasks: b.Tasks, Backfills: b.Backfills, Bulks: b.Bulks, Book: b.Book, Alerts: b.Alerts, Reports: b.Reports, Why: why.New(b.store, clock.System{}), Calendars: b.Calendars, Fleet: b.Fleet, Accounts: b.Accounts, Audit: b.Audit, Posture: b.posture(), Bus: b.Bus, Counts: b.store},
		Installation: graph.Installation{ServerID: "server-1", Version: "1.2.3", PublicURL: func() string { return "http://belfry.test" }, Embedded: true},
		SignIn:       auth.SignIn, Clock: clock.System{}, Logger: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	none := http.HandlerFunc(http.NotFound)
	handler, err := web.NewHandler(web.Config{
		Auth: auth, GraphQL: b.API, Worker: none, Console: none, Registry: prometheus.NewRegistry(),
		Ready: b.store.Ping, Clock: clock.System{}, Logger: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.server = web.NewServer(web.ServerConfig{
		Listen: "127.0.0.1:0", Handler: handler, Logger: logger, Drain: []func(context.Context) error{b.API.Stop},
	})
	if err := b.Tasks.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, start := range []func(context.Context) error{b.API.Start, b.server.Start} {
		if err := start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.URL = "http://" + b.server.Addr()
	t.Cleanup(func() { b.stop(t) })
}

// posture says what is weak: this process listens for everybody, without TLS.
func (b *Bench) posture() *posture.Service {
	return posture.New(posture.Config{Ledger: b.store, Clock: clock.System{}, Here: func() posture.Facts {
		return posture.Facts{Web: posture.Web{Known: true, Listen: ":7000"}}
	}})
}

func (b *Bench) stop(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
	defer cancel()
	http.DefaultClient.CloseIdleConnections()
	for _, stop := range []func(context.Context) error{b.server.Stop, b.API.Stop, b.Tasks.Stop} {
		if err := stop(ctx); err != nil {
			t.Error(err)
		}
	}
	if err := b.Bus.Close(); err != nil {
		t.Error(err)
	}
}
