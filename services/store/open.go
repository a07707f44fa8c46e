package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/go-sql-driver/mysql"
	libtnb "github.com/libtnb/sqlite"
	gormmysql "gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Options say which ledger to open.
type Options struct {
	URL     string       // mysql://user:password@host:port/database or sqlite:///absolute/path
	Logger  *slog.Logger // nil: nothing is logged
	Clock   clock.Clock  // nil: the machine's
	MaxOpen int          // most connections to MySQL; 0: 32

	// Beside opens a SQLite file that a server may have open already, for a short
	// administrative command. It takes no lock for good, so it must not serve.
	Beside bool
}

const (
	maxOpenDefault  = 32
	sqliteReaders   = 4
	connLifetime    = 5 * time.Minute // below MySQL's wait_timeout and usual proxies' limits
	dialTimeout     = 5 * time.Second
	statementLimit  = 30 * time.Second
	lockWaitSeconds = "5" // then the transaction is tried again, see tx.go

	connIdle               = 20 * time.Second
	idleConnSeconds        = "40"
	idleTransactionSeconds = "5" // less than the life of a lock on a partition
	unknownVariable        = 1193
)

// Open opens the ledger with one try; a caller that wants to wait for a database
// repeats it. Faults: Invalid and Unsupported (the URL), Forbidden (user or
// password), NotFound (no such database), Conflict (the SQLite file is in use),
// Unavailable (nobody answers, or the directory cannot be written).
func Open(ctx context.Context, o Options) (*Store, error) {
	t, err := parseURL(o.URL)
	if err != nil {
		return nil, err
	}
	s := &Store{dialect: t.dialect, clock: o.Clock, log: o.Logger, slot: rand.IntN(counterServers)}
	if s.clock == nil {
		s.clock = clock.System{}
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.chunks, err = newChunkCache(); err != nil {
		return nil, fmt.Errorf("making room for logs: %w", err)
	}
	if t.dialect == sqlite {
		err = s.openSQLite(ctx, t.path, o.Beside)
	} else {
		err = s.openMySQL(ctx, t.mysql, o.MaxOpen)
	}
	if err != nil {
		_ = s.Close() // what was opened so far; the first error is the one to tell
		return nil, err
	}
	return s, nil
}

// gormConfig has no hooks, no logger (errors are wrapped and logged once at the
// edge) and no transaction of its own around single writes.
func (s *Store) gormConfig() *gorm.Config {
	return &gorm.Config{
		Logger:                 logger.Discard,
		NamingStrategy:         naming{},
		NowFunc:                s.clock.Now,
		SkipDefaultTransaction: true,
		TranslateError:         true,
		DisableAutomaticPing:   true,
	}
}

func (s *Store) openMySQL(ctx context.Context, cfg *mysql.Config, maxOpen int) error {
	cfg.ParseTime = true
	cfg.Loc = time.UTC // any other zone shifts instants silently
	cfg.ClientFoundRows = true
	cfg.InterpolateParams = true // one round trip a statement; safe with utf8mb4
	cfg.Timeout, cfg.ReadTimeout, cfg.WriteTimeout = dialTimeout, statementLimit, statementLimit
	cfg.Logger = &mysql.NopLogger{}
	if err := cfg.Apply(mysql.Charset("utf8mb4", "utf8mb4_bin")); err != nil {
		return fmt.Errorf("setting the connection's character set: %w", err)
	}
	if cfg.Params == nil {
		cfg.Params = map[string]string{}
	}
	cfg.Params["time_zone"] = "'+00:00'"
	cfg.Params["innodb_lock_wait_timeout"] = lockWaitSeconds
	cfg.Params["sql_mode"] = "'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return fault.New(fault.Invalid, "The database URL has a wrong option: %s.", err)
	}
	pool := sql.OpenDB(sessions{connector})
	if maxOpen <= 0 {
		maxOpen = maxOpenDefault
	}
	pool.SetMaxOpenConns(maxOpen)
	pool.SetMaxIdleConns(maxOpen)
	pool.SetConnMaxLifetime(connLifetime)
	pool.SetConnMaxIdleTime(connIdle)
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return openMySQLFault(cfg, err)
	}
	s.writer, err = gorm.Open(gormmysql.New(gormmysql.Config{
		Conn:                      pool,
		SkipInitializeWithVersion: true,
		DisableWithReturning:      true, // MariaDB's RETURNING would fill in the old row's values
	}), s.gormConfig())
	if err != nil {
		_ = pool.Close()
		return fmt.Errorf("opening the database: %w", err)
	}
	s.reader, s.mysql = s.writer, cfg
	return nil
}

// sessions opens connections whose transactions are READ COMMITTED and give way when
// their process stands still. The name of the variable for the first differs between
// MySQL and MariaDB, the statement does not; and set once a connection both cost no
// round trip a transaction.
type sessions struct{ driver.Connector }

func (c sessions) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	set := conn.(driver.ExecerContext).ExecContext
	_, err = set(ctx, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", nil)
	if err == nil {
		// A server that is halted, or cut off, in the middle of a transaction holds its
		// locks, those on the epochs among them, and nobody could take over from it.
		_, err = set(ctx, "SET SESSION idle_transaction_timeout = "+idleTransactionSeconds, nil)
	}
	if server, ok := errors.AsType[*mysql.MySQLError](err); ok && server.Number == unknownVariable {
		// MySQL has it for connections alone; connIdle is less, so none of ours is hit.
		_, err = set(ctx, "SET SESSION wait_timeout = "+idleConnSeconds, nil)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// openMySQLFault turns a failed first connection into a sentence.
func openMySQLFault(cfg *mysql.Config, err error) error {
	if server, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch server.Number {
		case 1044, 1045, 1698: // access denied to the database, the user, by the plug-in
			return fault.New(fault.Forbidden, "The database at %s refuses user %q for database %q: check user, password and grants (%s).",
				cfg.Addr, cfg.User, cfg.DBName, server.Message)
		case 1049: // unknown database
			return fault.New(fault.NotFound, "The database server at %s has no database %q: create it with CREATE DATABASE %s CHARACTER SET utf8mb4.",
				cfg.Addr, cfg.DBName, cfg.DBName)
		case 1040: // too many connections
			return fault.New(fault.Unavailable, "The database server at %s has no connection free: raise its max_connections.", cfg.Addr)
		}
	}
	if _, ok := errors.AsType[net.Error](err); ok || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, driver.ErrBadConn) {
		return fault.New(fault.Unavailable, "The database server at %s does not answer: start it or correct the address (%s).", cfg.Addr, err)
	}
	return fmt.Errorf("connecting to the database server at %s: %w", cfg.Addr, err)
}

const sqliteDSN = "file:%s?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)" +
	"&_pragma=foreign_keys(1)&_inttotime=1&_texttotime=1&_time_integer_format=unix_micro"

func (s *Store) openSQLite(ctx context.Context, path string, beside bool) error {
	if err := checkDirectory(path); err != nil {
		return err
	}
	s.path = path
	if !beside {
		lock, err := lockFile(path + ".lock")
		if errors.Is(err, errLocked) {
			return fault.New(fault.Conflict,
				"The ledger %s is open in another process: stop that one first, or give this one a directory of its own.", path)
		}
		if err != nil {
			return fault.New(fault.Unavailable, "The ledger's lock %s.lock cannot be taken: %s.", path, err)
		}
		s.lock = lock
	}
	dsn := fmt.Sprintf(sqliteDSN, escapePath(path))
	var err error
	if s.writer, err = s.openSQLitePool(ctx, path, dsn+"&_txlock=immediate", 1); err != nil {
		return err
	}
	s.reader, err = s.openSQLitePool(ctx, path, dsn+"&_txlock=deferred&_pragma=query_only(1)", sqliteReaders)
	return err
}

func (s *Store) openSQLitePool(ctx context.Context, path, dsn string, conns int) (*gorm.DB, error) {
	pool, err := sql.Open(libtnb.DriverName, dsn)
	if err != nil {
		return nil, fmt.Errorf("opening the ledger %s: %w", path, err)
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return nil, fault.New(fault.Unavailable, "The ledger %s cannot be opened: %s.", path, err)
	}
	db, err := gorm.Open(libtnb.New(libtnb.Config{Conn: pool}), s.gormConfig())
	if err == nil {
		err = readText(db)
	}
	if err != nil {
		_ = pool.Close()
		return nil, fault.New(fault.Unavailable, "The ledger %s cannot be opened: %s.", path, err)
	}
	return db, nil
}

// checkDirectory finds out what SQLite would only call "unable to open".
func checkDirectory(path string) error {
	const leastSpace = 1 << 20 // SQLite's first files need some hundred KiB
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return fault.New(fault.Unavailable, "The ledger's directory %s does not exist: create it.", dir)
	}
	probe, err := os.CreateTemp(dir, ".belfry-probe-*")
	if err != nil {
		return fault.New(fault.Unavailable, "The ledger's directory %s cannot be written: %s.", dir, err)
	}
	_, err = probe.Write(make([]byte, leastSpace)) // a full disk lets a file be created, but not filled
	err = errors.Join(err, probe.Close(), os.Remove(probe.Name()))
	if err != nil {
		return fault.New(fault.Unavailable, "The ledger's directory %s cannot be written: %s.", dir, err)
	}
	// SQLite gives its other files the permissions of this one.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return fault.New(fault.Unavailable, "The ledger %s cannot be written: %s.", path, err)
	}
	return nil
}

// escapePath makes a path safe within a file: URI.
func escapePath(path string) string { return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() }
