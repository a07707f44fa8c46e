package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/belfry-scheduler/belfry/internal/testserver"
)

const (
	appName     = "shop"
	handlerName = "Work"
	patience    = time.Minute // longest wait for something that must come
)

// bed is the installation that a fault is tried on.
type bed struct {
	o   *options
	f   *fault
	rng *rand.Rand
	dir string // of its evidence
	fig *figures

	db      *testserver.MariaDBServer
	redis   *testserver.RedisServer
	name    string  // of the database
	ledger  *sql.DB // past the proxies
	servers []*server
	workers []*process
	witness *witness
	load    *load

	token  string
	key    string
	groups []group

	mu      sync.Mutex
	events  []time.Time // when something was broken that others have to take over
	deaths  []death
	closers []func()
	meddle  func(s *server) string // the address that workers get of a server; nil: its proxy
}

// group is a node group of the app.
type group struct{ ID, Name string }

// death is the end of a worker process.
type death struct {
	pid int
	at  time.Time
}

// newBed starts everything but the workers and the load.
func newBed(ctx context.Context, o *options, f *fault, rng *rand.Rand, dir string, fig *figures) (_ *bed, err error) {
	b := &bed{o: o, f: f, rng: rng, dir: dir, fig: fig}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if b.witness, err = newWitness(dir); err != nil {
		return nil, err
	}
	// A commit is handed to the operating system, so that it survives kill -9.
	b.db, err = testserver.StartMariaDB(testserver.MariaDBOptions{Args: []string{"--innodb-flush-log-at-trx-commit=2"}})
	if err != nil {
		return nil, err
	}
	if b.redis, err = testserver.StartRedis(testserver.RedisOptions{}); err != nil {
		return nil, err
	}
	if b.name, err = b.db.NewDatabase(ctx); err != nil {
		return nil, err
	}
	if err = b.openLedger(); err != nil || f.bare {
		return b, err
	}
	if b.key, err = b.belfry(ctx, "app", "create", appName); err != nil {
		return nil, err
	}
	if b.token, err = b.belfry(ctx, "token", "create", "--name", "faults", "--role", "ADMIN"); err != nil {
		return nil, err
	}
	if err := b.startServers(ctx); err != nil {
		return nil, err
	}
	return b, b.makeGroups(ctx)
}

// openLedger opens the database past the proxies.
func (b *bed) openLedger() error {
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.DBName = "root", "tcp", b.db.Addr(), b.name
	cfg.ParseTime, cfg.Params = true, map[string]string{"time_zone": "'+00:00'"}
	cfg.Logger = &mysql.NopLogger{} // connections break all the time here
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	b.ledger = sql.OpenDB(connector)
	return nil
}

// belfry runs a command of the binary on the database and answers what it prints.
func (b *bed) belfry(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, b.o.belfry, args...)
	cmd.Env = append(os.Environ(), "BELFRY_DATABASE_URL="+b.db.URL(b.name))
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return "", fmt.Errorf("belfry %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// close ends everything. What lives in temporary directories goes with it.
func (b *bed) close() {
	for _, w := range b.workers {
		w.kill()
	}
	for _, end := range b.closers {
		end()
	}
	for _, s := range b.servers {
		s.close()
	}
	if b.witness != nil {
		b.witness.close()
	}
	if b.ledger != nil {
		_ = b.ledger.Close()
	}
	if b.redis != nil {
		_ = b.redis.Stop()
	}
	if b.db != nil {
		b.keepLog(b.db.Dir, "mariadb.log")
		_ = b.db.Stop()
	}
}

// keepLog copies a server's log to the evidence.
func (b *bed) keepLog(dir, name string) {
	if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
		_ = os.WriteFile(filepath.Join(b.dir, name), text, 0o600)
	}
}

// struck notes that something was broken now that others have to take over.
func (b *bed) struck() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, time.Now())
}

// startServers starts the fault's servers, each behind proxies of its own.
func (b *bed) startServers(ctx context.Context) error {
	for i := range b.f.serverCount() {
		s, err := newServer(b, fmt.Sprintf("s%d", i+1))
		if err != nil {
			return err
		}
		b.servers = append(b.servers, s)
		if err := s.start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// makeGroups makes the app's other node groups. Their partitions are spread by
// chance over the servers, so that each leads some.
func (b *bed) makeGroups(ctx context.Context) error {
	app, err := ask[struct {
		App struct {
			ID         string
			NodeGroups []group
		}
	}](ctx, b, `{app(name:"`+appName+`"){id nodeGroups{id name}}}`, nil)
	if err != nil {
		return err
	}
	b.groups = app.App.NodeGroups
	for i := range groupCount - 1 {
		made, err := ask[struct {
			CreateNodeGroup struct {
				NodeGroup  *group
				UserErrors []struct{ Message string }
			}
		}](ctx, b, `mutation($in:CreateNodeGroupInput!){createNodeGroup(input:$in){nodeGroup{id name} userErrors{message}}}`, map[string]any{"in": map[string]any{
			"app": app.App.ID, "name": fmt.Sprintf("g%d", i+1), "heartbeatInterval": "1s", "heartbeatMisses": 3,
		}})
		if err != nil {
			return err
		}
		if made.CreateNodeGroup.NodeGroup == nil {
			return fmt.Errorf("making a node group: %v", made.CreateNodeGroup.UserErrors)
		}
		b.groups = append(b.groups, *made.CreateNodeGroup.NodeGroup)
	}
	_, err = ask[any](ctx, b, `mutation($id:ID!){updateNodeGroup(input:{id:$id,heartbeatInterval:"1s",heartbeatMisses:3}){userErrors{message}}}`,
		map[string]any{"id": b.groups[0].ID})
	return err
}

const groupCount = 4

// startWorkers starts worker processes; each is a node in every group.
func (b *bed) startWorkers(n int) error {
	for range n {
		if err := b.startWorker(fmt.Sprintf("w%d", len(b.workers)+1)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bed) startWorker(name string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var names, urls []string
	for _, g := range b.groups {
		names = append(names, g.Name)
	}
	for _, s := range b.servers {
		if b.meddle != nil {
			urls = append(urls, b.meddle(s))
			continue
		}
		urls = append(urls, s.url())
	}
	p, err := start(b.dir, name, []string{
		workerEnv + "=" + name, "SERVERS=" + strings.Join(urls, ","), "KEY=" + b.key, "GROUPS=" + strings.Join(names, ","), "WITNESS=" + b.witness.url,
	}, nil, self)
	if err != nil {
		return err
	}
	b.workers = append(b.workers, p)
	return nil
}

// killWorker ends a worker as a power cut would and starts none in its place.
func (b *bed) killWorker(p *process) {
	p.kill()
	b.mu.Lock()
	b.deaths = append(b.deaths, death{pid: p.pid(), at: time.Now()})
	b.mu.Unlock()
	b.workers = slices.DeleteFunc(b.workers, func(w *process) bool { return w == p })
}

// awaitNodes waits until so many nodes are online.
func (b *bed) awaitNodes(ctx context.Context, n int) error {
	var count int
	var err error
	ok := waitUntil(ctx, patience, func() bool {
		err = b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM nodes WHERE state = 1").Scan(&count)
		return err == nil && count >= n
	})
	if !ok {
		return fmt.Errorf("%d of %d nodes came: %w", count, n, errors.Join(err, ctx.Err()))
	}
	return nil
}

// heal ends every fault: all flows, all run.
func (b *bed) heal(ctx context.Context) error {
	for _, s := range b.servers {
		if err := s.heal(ctx); err != nil {
			return err
		}
	}
	for _, w := range b.workers {
		_ = w.signal(contSignal) // those that run do not mind
	}
	if len(b.workers) == 0 {
		return b.startWorkers(1)
	}
	return nil
}
