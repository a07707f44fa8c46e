package testserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

const installMariaDB = "apt-get install --no-install-recommends mariadb-server-core mariadb-client-core"

// logSize is small, because it is copied for every server.
const logSize = "16M"

// MariaDBOptions say how to start a MariaDB.
type MariaDBOptions struct {
	// Durable flushes the log at every commit, as a production server must. Without
	// it nothing is ever flushed, which is what unit tests want.
	Durable bool
	Port    int      // 0: a free one
	Dir     string   // empty: a temporary one, removed by Stop
	Args    []string // further arguments of mariadbd
}

// MariaDBServer is a running MariaDB. Its user root has no password.
type MariaDBServer struct {
	Port int
	Dir  string

	opts  MariaDBOptions
	proc  *process
	admin *sql.DB
	named atomic.Int64 // databases made so far
}

// StartMariaDB starts a MariaDB on the loopback interface, in about a second.
func StartMariaDB(o MariaDBOptions) (*MariaDBServer, error) {
	program, err := find(installMariaDB, "mariadbd", "mysqld")
	if err != nil {
		return nil, err
	}
	s := &MariaDBServer{opts: o, Dir: o.Dir}
	if s.Dir == "" {
		if s.Dir, err = os.MkdirTemp("", "belfry-mariadb-"); err != nil {
			return nil, fmt.Errorf("making MariaDB's directory: %w", err)
		}
	}
	if err := s.install(program); err != nil {
		return nil, errors.Join(err, s.clean())
	}
	for try := 1; ; try++ {
		if err = s.run(program); err == nil {
			return s, nil
		}
		if o.Port != 0 || try == portTries {
			return nil, errors.Join(err, s.clean())
		}
	}
}

// data is the directory of the tables.
func (s *MariaDBServer) data() string { return filepath.Join(s.Dir, "data") }

// install copies the system tables into the server's directory, unless it has
// them already. Making them takes seconds, so that is done once a machine and
// version; see template.
func (s *MariaDBServer) install(program string) error {
	if _, err := os.Stat(filepath.Join(s.data(), "mysql")); err == nil {
		return nil
	}
	from, err := template(program)
	if err != nil {
		return err
	}
	if err := os.CopyFS(s.data(), os.DirFS(from)); err != nil {
		return fmt.Errorf("copying MariaDB's system tables: %w", err)
	}
	return nil
}

// template answers a directory with the system tables of this version of MariaDB.
// Several processes may make it at once; the first to finish wins.
func template(program string) (string, error) {
	info, err := os.Stat(program)
	if err != nil {
		return "", fmt.Errorf("looking at %s: %w", program, err)
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("belfry-mariadb-template-%d-%x-%x", os.Geteuid(), info.ModTime().Unix(), info.Size()))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	maker, err := find(installMariaDB, "mariadb-install-db")
	if err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp("", "belfry-mariadb-new-")
	if err != nil {
		return "", fmt.Errorf("making MariaDB's directory: %w", err)
	}
	args := append([]string{
		"--no-defaults", "--datadir=" + fresh, "--tmpdir=" + fresh, "--auth-root-authentication-method=normal", "--skip-test-db",
		"--innodb-flush-method=nosync", "--innodb-log-file-size=" + logSize, "--innodb-buffer-pool-size=32M",
	}, asUser()...)
	if out, err := exec.Command(maker, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("making MariaDB's system tables: %w: %s", err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, lost := os.Stat(dir); lost != nil {
			return "", fmt.Errorf("keeping MariaDB's system tables: %w", err)
		}
		return dir, os.RemoveAll(fresh) // another process was faster
	}
	return dir, nil
}

// asUser lets the server run as root, which it refuses otherwise.
func asUser() []string {
	if u, err := user.Current(); err == nil && os.Geteuid() == 0 {
		return []string{"--user=" + u.Username}
	}
	return nil
}

func (s *MariaDBServer) run(program string) (err error) {
	if s.Port = s.opts.Port; s.Port == 0 {
		if s.Port, err = freePort(); err != nil {
			return err
		}
	}
	args := []string{
		"--no-defaults", "--datadir=" + s.data(), "--tmpdir=" + s.Dir, "--socket=" + filepath.Join(s.Dir, "s"), "--pid-file=" + filepath.Join(s.Dir, "pid"),
		"--port=" + strconv.Itoa(s.Port), "--bind-address=127.0.0.1", "--skip-name-resolve", "--skip-log-bin",
		"--max-connections=500", "--table-open-cache=2000", "--innodb-buffer-pool-size=256M",
	}
	if s.opts.Durable {
		args = append(args, "--innodb-flush-log-at-trx-commit=1", "--innodb-log-file-size=256M")
	} else {
		args = append(args, "--innodb-log-file-size="+logSize, "--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync", "--innodb-doublewrite=0")
	}
	args = append(append(args, asUser()...), s.opts.Args...)
	if s.proc, err = start(filepath.Join(s.Dir, "mariadb.log"), program, args...); err != nil {
		return err
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.Logger = "root", "tcp", address(s.Port), &mysql.NopLogger{}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return fmt.Errorf("connecting to MariaDB: %w", err)
	}
	s.admin = sql.OpenDB(connector)
	s.admin.SetMaxOpenConns(4)
	return s.proc.await(s.admin.Ping)
}

// URL is the address of a database in the form that settings take.
func (s *MariaDBServer) URL(database string) string {
	return fmt.Sprintf("mysql://root@%s/%s", address(s.Port), database)
}

// Addr is host:port.
func (s *MariaDBServer) Addr() string { return address(s.Port) }

// PID is the process id, to pause it (SIGSTOP) or to measure its CPU.
func (s *MariaDBServer) PID() int { return s.proc.cmd.Process.Pid }

// Admin answers connections as root without a database, for what a test sets up
// or looks at past the ledger.
func (s *MariaDBServer) Admin() *sql.DB { return s.admin }

// NewDatabase makes an empty database and answers its name.
func (s *MariaDBServer) NewDatabase(ctx context.Context) (string, error) {
	name := fmt.Sprintf("t%d", s.named.Add(1))
	if _, err := s.admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", fmt.Errorf("creating the database %s: %w", name, err)
	}
	return name, nil
}

// Drop removes a database.
func (s *MariaDBServer) Drop(ctx context.Context, name string) error {
	if _, err := s.admin.ExecContext(ctx, "DROP DATABASE "+name); err != nil {
		return fmt.Errorf("dropping the database %s: %w", name, err)
	}
	return nil
}

// Database makes an empty database for one test and drops it at the test's end.
func (s *MariaDBServer) Database(t testing.TB) string {
	t.Helper()
	name, err := s.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.dropAfter(t, name) })
	return name
}

// dropAfter drops a test's database; the test's own context is over by then.
func (s *MariaDBServer) dropAfter(t testing.TB, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), stopLimit)
	defer cancel()
	if err := s.Drop(ctx, name); err != nil {
		t.Error(err)
	}
}

// Kill ends the server at once (SIGKILL); Restart brings it back.
func (s *MariaDBServer) Kill() error {
	return errors.Join(s.admin.Close(), s.proc.stop(syscall.SIGKILL))
}

// Halt ends the server in order and keeps its data; Restart brings it back.
func (s *MariaDBServer) Halt() error {
	return errors.Join(s.admin.Close(), s.proc.stop(syscall.SIGTERM))
}

// Restart starts a killed or halted server again on the same port.
func (s *MariaDBServer) Restart() error {
	program, err := find(installMariaDB, "mariadbd", "mysqld")
	if err != nil {
		return err
	}
	s.opts.Port = s.Port
	return s.run(program)
}

// Stop ends the server and removes its directory, unless it was given one. The
// data of a temporary directory is not worth an orderly shutdown.
func (s *MariaDBServer) Stop() error {
	if s.opts.Dir != "" {
		return s.Halt()
	}
	return errors.Join(s.Kill(), s.clean())
}

func (s *MariaDBServer) clean() error {
	if s.opts.Dir != "" {
		return nil
	}
	return os.RemoveAll(s.Dir)
}

// CPU answers how much processor time the server has used so far.
func (s *MariaDBServer) CPU() (time.Duration, error) { return CPU(s.PID()) }
